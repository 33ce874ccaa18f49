//! The closest features by trying all pairs: what V-Clip falls back to, should its walk not end.

use super::frames::{HullFeature, Two};
use super::segments::nearest_points;
use super::witness::{FeatureWitness, witness};
use silvia_solid::Vec3;

/// The closest features of all pairs, each vertex against each face it is over and all edges against all
/// edges; or features that have a point in common. As with the walk, it is for the caller to settle whether
/// the bodies only touch there.
pub(crate) fn by_all_pairs(two: &Two<'_>) -> FeatureWitness {
    let mut best = (f64::INFINITY, [HullFeature::Vertex(0), HullFeature::Vertex(0)]);
    for i in 0..2 {
        for vertex in 0..two.body[i].points.len() as u32 {
            let point = two.vertex(1 - i, vertex);
            if two.body[1 - i].planes.iter().all(|plane| plane.distance(point) <= 0.0) {
                let (exit, _) = two.body[1 - i].exit(point, 0);
                return meeting(
                    two,
                    i,
                    HullFeature::Vertex(vertex),
                    exit,
                    two.body[i].points[vertex as usize],
                );
            }
            for (face, plane) in two.body[1 - i].planes.iter().enumerate() {
                let height = plane.distance(point);
                if height >= 0.0 && height < best.0 && two.body[1 - i].is_over(face as u32, point) {
                    best = (height, paired(i, HullFeature::Vertex(vertex), HullFeature::Face(face as u32)));
                }
            }
        }
    }
    for i in 0..2 {
        for edge in 0..two.body[i].edges.len() as u32 {
            if let Some((face, at)) = pierced_face(two, i, edge) {
                return meeting(two, i, HullFeature::Edge(edge), face, at);
            }
        }
    }
    for (e, edge) in two.body[0].edges.iter().enumerate() {
        for g in 0..two.body[1].edges.len() as u32 {
            let [p, q] = nearest_points(edge.points, two.ends(0, g));
            let distance = p.distance(q);
            if distance < best.0 {
                best = (distance, [HullFeature::Edge(e as u32), HullFeature::Edge(g)]);
            }
        }
    }
    witness(two, best.1)
}

/// The face of the other body that an edge of body `i` passes through, and where in the frame of body `i`.
fn pierced_face(two: &Two<'_>, i: usize, edge: u32) -> Option<(u32, Vec3)> {
    let body = two.body[1 - i];
    let [tail, head] = two.ends(1 - i, edge);
    let [start, end] = two.body[i].edges[edge as usize].points;
    (0..body.planes.len() as u32).find_map(|face| {
        let [low, high] = [tail, head].map(|p| body.planes[face as usize].distance(p));
        if low * high >= 0.0 {
            return None;
        }
        let at = low / (low - high);
        body.is_over(face, tail + at * (head - tail)).then_some((face, start + at * (end - start)))
    })
}

fn meeting(two: &Two<'_>, i: usize, part: HullFeature, face: u32, at: Vec3) -> FeatureWitness {
    let point = if i == 0 { at } else { two.into(0, at) };
    FeatureWitness {
        parts: paired(i, part, HullFeature::Face(face)),
        points: [point; 2],
        distance: 0.0,
        penetrating: true,
    }
}

fn paired(i: usize, own: HullFeature, other: HullFeature) -> [HullFeature; 2] {
    if i == 0 { [own, other] } else { [other, own] }
}

impl super::ConvexData {
    /// Whether a point is in a face's prism.
    fn is_over(&self, face: u32, point: Vec3) -> bool {
        self.rims_of(face).iter().all(|rim| rim.plane.distance(point) >= 0.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::convex::{Convex, FeatureCache, closest_features};
    use proptest::prelude::*;
    use silvia_solid::{Pose, Quat};

    fn convex() -> impl Strategy<Value = Convex> {
        let points = prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from), 4..12);
        points.prop_filter_map("flat", |points| Convex::hull(&points).ok())
    }

    proptest! {
        /// The walk, which is tested against brute force of its own elsewhere, and all pairs agree.
        #[test]
        fn all_pairs_of_features_give_the_answer_of_the_walk(
            a in convex(), b in convex(), place in prop::array::uniform3(-2.0..2.0f64), turn in 0.0..6.0f64,
        ) {
            let pose =
                Pose::new(place.into(), Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), turn)).unwrap();
            let walked = closest_features(&a, &Pose::IDENTITY, &b, &pose, &mut FeatureCache::default());
            let found = by_all_pairs(&Two::new(&a.data, &Pose::IDENTITY, &b.data, &pose));
            prop_assert!((walked.distance - found.distance).abs() < 1e-12, "{walked:?} {found:?}");
            prop_assert_eq!(walked.penetrating, found.penetrating);
            let apart = found.points[0].distance(found.points[1]);
            prop_assert!((apart - found.distance).abs() < 1e-12);
        }
    }
}
