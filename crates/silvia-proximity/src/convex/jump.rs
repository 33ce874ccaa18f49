//! Where to go on when a walk is long: found by the support functions alone (Gilbert, Johnson and Keerthi,
//! 1988), in a number of steps that does not grow with the number of features.

use super::ConvexData;
use super::common_point::meeting;
use super::frames::{HullFeature, Two};
use super::query::ROUNDING;
use super::witness::{FeatureWitness, witness};
use crate::shape::simplex::{Corner, Simplex};
use silvia_solid::Vec3;

/// Each step gains a digit or so: what is left after these is for V-Clip.
const MOST_STEPS: u32 = 24;

/// Where a jump leads, and what was seen on the way.
pub(crate) struct Jumped {
    pub(crate) landing: Landing,
    /// The widest gap between two parallel planes that part the bodies, m: no points of them are nearer, but
    /// for rounding. Negative if none do.
    pub(crate) gap: f64,
}

/// Where a jump leads.
pub(crate) enum Landing {
    /// To features near the closest ones: V-Clip goes on from there.
    Near([HullFeature; 2]),
    /// To features that meet.
    Meeting(FeatureWitness),
}

/// Jumps from a pair of features to where two bodies are nearest or meet, counting the pairs of vertices
/// looked at.
#[cold]
pub(crate) fn jump(two: &Two<'_>, parts: [HullFeature; 2], steps: &mut u32) -> Jumped {
    let corner = |[v, w]: [u32; 2]| {
        let (of_a, of_b) = (two.body[0].points[v as usize], two.vertex(0, w));
        Corner { at: of_b - of_a, of_a, of_b, numbers: [v, w] }
    };
    let mut simplex = Simplex::default();
    let [from, to] = witness(two, parts).points;
    simplex.push(corner(two.supports(to - from)));
    let mut jumped = Jumped { landing: Landing::Near(parts), gap: f64::NEG_INFINITY };
    for _ in 0..MOST_STEPS {
        let (nearest, plane) = simplex.nearest();
        jumped.landing = Landing::Near(features(two, &simplex, &nearest.weights));
        if nearest.is_inside {
            let common = simplex.blend(&nearest.weights, |c| c.of_a);
            if let Some(found) = meeting(two, common) {
                jumped.landing = Landing::Meeting(found);
            }
            break;
        }
        *steps += 1;
        let found = corner(two.supports(plane.normal));
        jumped.gap = jumped.gap.max(found.at.dot(plane.normal));
        simplex.keep(plane.corners);
        // Over a level face there is always another corner as far away.
        let is_nearest = jumped.gap >= nearest.height - ROUNDING * two.reach();
        if is_nearest || simplex.has(found.at) {
            break;
        }
        simplex.push(found);
    }
    jumped
}

/// The features that the corners with a weight are of.
fn features(two: &Two<'_>, simplex: &Simplex, weights: &[f64; 4]) -> [HullFeature; 2] {
    let heaviest = simplex.heaviest(weights).numbers;
    let vertices = simplex.vertices(weights);
    let part =
        |i: usize| two.body[i].spanned(vertices[i].numbers()).unwrap_or(HullFeature::Vertex(heaviest[i]));
    match [part(0), part(1)] {
        [HullFeature::Face(f), HullFeature::Face(g)] => {
            let points = [simplex.blend(weights, |c| c.of_a), simplex.blend(weights, |c| c.of_b)];
            edge_over(two, [f, g], points)
        }
        parts => parts,
    }
}

/// Two parallel faces are as near everywhere where they are over each other, which need not be at a corner of
/// either. The edge of one that is first on a way over both from two such points, and the other face.
fn edge_over(two: &Two<'_>, [f, g]: [u32; 2], [at, over]: [Vec3; 2]) -> [HullFeature; 2] {
    let along = two.body[0].planes[f as usize].normal.any_orthonormal_vector();
    let (until, own) = two.body[0].leaves_face(f, at, along);
    let (other_until, other) = two.body[1].leaves_face(g, two.into(1, over), two.turn(1, along));
    if until <= other_until {
        [HullFeature::Edge(own), HullFeature::Face(g)]
    } else {
        [HullFeature::Face(f), HullFeature::Edge(other)]
    }
}

impl ConvexData {
    /// How far it is from a point of a face in a direction along it to the edge by which it leaves the face,
    /// and that edge.
    fn leaves_face(&self, face: u32, from: Vec3, along: Vec3) -> (f64, u32) {
        let rims = self.rims_of(face).iter();
        let falling = rims.filter_map(|rim| {
            let falls = -rim.plane.normal.dot(along);
            (falls > 0.0).then(|| ((rim.plane.distance(from) / falls).max(0.0), rim.edge))
        });
        let nearer = |a: (f64, u32), b: (f64, u32)| if b.0 < a.0 { b } else { a };
        falling.fold((f64::INFINITY, self.rims_of(face)[0].edge), nearer)
    }

    /// The vertex, edge or face with all these vertices, if there is one.
    fn spanned(&self, vertices: &[u32]) -> Option<HullFeature> {
        let (&first, others) = vertices.split_first()?;
        let spokes = self.spokes_of(first);
        match others {
            [] => return Some(HullFeature::Vertex(first)),
            [other] => {
                if let Some(spoke) = spokes.iter().find(|spoke| spoke.far == *other) {
                    return Some(HullFeature::Edge(spoke.edge));
                }
            }
            _ => {}
        }
        let faces_of = |v: u32| self.spokes_of(v).iter().flat_map(|s| self.edges[s.edge as usize].faces);
        let has_all = |face: u32| others.iter().all(|&v| faces_of(v).any(|f| f == face));
        faces_of(first).find(|&face| has_all(face)).map(HullFeature::Face)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::convex::Convex;
    use crate::convex::brute::by_all_pairs;
    use proptest::prelude::*;
    use silvia_solid::{Pose, Quat};

    fn convex() -> impl Strategy<Value = Convex> {
        let points = prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from), 4..30);
        points.prop_filter_map("flat", |points| Convex::hull(&points).ok())
    }

    proptest! {
        /// Oracle: all pairs of features. The bound is never above the distance, and at the end it is the
        /// distance.
        #[test]
        fn the_gap_that_a_jump_sees_is_the_distance(
            a in convex(), b in convex(), place in prop::array::uniform3(-3.0..3.0f64), turn in 0.0..6.0f64,
        ) {
            let pose =
                Pose::new(place.into(), Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), turn)).unwrap();
            let two = Two::new(&a.data, &Pose::IDENTITY, &b.data, &pose);
            let truth = by_all_pairs(&two);
            let jumped = jump(&two, [HullFeature::Vertex(0), HullFeature::Vertex(0)], &mut 0);
            prop_assert!(jumped.gap <= truth.distance + 1e-14, "{} for {truth:?}", jumped.gap);
            match jumped.landing {
                Landing::Meeting(found) => prop_assert!(truth.penetrating, "{found:?} for {truth:?}"),
                // Bodies that meet where rounding hides it, in a flat simplex, are for V-Clip.
                Landing::Near(_) if truth.penetrating => prop_assert!(jumped.gap <= 1e-14, "{}", jumped.gap),
                Landing::Near(_) => {
                    prop_assert!(jumped.gap >= truth.distance - 1e-13, "{} for {truth:?}", jumped.gap)
                }
            }
        }
    }
}
