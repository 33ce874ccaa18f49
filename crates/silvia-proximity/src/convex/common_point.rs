//! From a point that two bodies have in common to an edge of one that is in the other.
//!
//! What two bodies have in common is convex. From a point of it, straight on, to the first face of either
//! body; within this face to the next; and if that is of the other body, along both to a third. Then two of
//! the faces are of one body, and the edge between them is in the other.

use super::ConvexData;
use super::frames::{HullFeature, Two};
use super::query::ROUNDING;
use super::segments::foot;
use super::witness::FeatureWitness;
use silvia_solid::Vec3;

/// An edge of one body in the other, or a vertex, and the face of the other by which it would leave; nothing
/// if rounding hides it.
pub(crate) fn meeting(two: &Two<'_>, common: Vec3) -> Option<FeatureWitness> {
    let (first, at) = two.ahead(common, Vec3::X, &[])?;
    let normal = two.normal(first);
    let within = normal.any_orthonormal_vector();
    let (second, at) = two.ahead(at, within, &[first])?;
    if first.body == second.body {
        return leaving(two, first, second, at);
    }
    // Where the two faces are parallel but for rounding, their cross product is mostly rounding too: then any
    // direction along the one is along the other.
    let along = normal.cross(two.normal(second)).try_normalize().unwrap_or(within);
    let along = along.reject_from_normalized(normal).try_normalize()?;
    let (third, at) = two.ahead(at, along, &[first, second])?;
    let same = if third.body == first.body { first } else { second };
    leaving(two, same, third, at)
}

/// The edge between two faces of a body, at a point of it in the frame of the first body, and the face by
/// which the point would leave the other body. Of faces that share a corner only, that corner.
fn leaving(two: &Two<'_>, one: Side, other: Side, at: Vec3) -> Option<FeatureWitness> {
    let i = one.body;
    let body = two.body[i];
    let local = if i == 0 { at } else { two.into(1, at) };
    let (part, here) = match body.edge_between(one.face, other.face) {
        Some(edge) => {
            let [tail, head] = body.edges[edge as usize].points;
            (HullFeature::Edge(edge), tail + foot(tail, head - tail, local) * (head - tail))
        }
        None => {
            let corner = body.corner_near(one.face, local)?;
            (HullFeature::Vertex(corner), body.points[corner as usize])
        }
    };
    let there = two.into(1 - i, here);
    let (exit, _) = two.body[1 - i].exit(there, 0);
    if two.body[1 - i].planes[exit as usize].distance(there) > ROUNDING * two.reach() {
        return None;
    }
    let (parts, point) = match i {
        0 => ([part, HullFeature::Face(exit)], here),
        _ => ([HullFeature::Face(exit), part], there),
    };
    Some(FeatureWitness { parts, points: [point; 2], distance: 0.0, penetrating: true })
}

/// A face of one of the bodies.
#[derive(Clone, Copy, PartialEq)]
struct Side {
    body: usize,
    face: u32,
}

impl Two<'_> {
    /// The first face of either body in a direction from a point inside of both, and where; leaving out faces
    /// that the point is on.
    fn ahead(&self, from: Vec3, direction: Vec3, leaving_out: &[Side]) -> Option<(Side, Vec3)> {
        let starts = [from, self.into(1, from)];
        let ways = [direction, self.turn(1, direction)];
        let mut nearest = (f64::INFINITY, None);
        for body in 0..2 {
            for (face, plane) in self.body[body].planes.iter().enumerate() {
                let side = Side { body, face: face as u32 };
                let rises = plane.normal.dot(ways[body]);
                // A point that is beyond the plane is so by rounding, and is not led back: perhaps a long
                // way, if the direction hardly rises.
                let way = (-plane.distance(starts[body]) / rises).max(0.0);
                if rises > 0.0 && way < nearest.0 && !leaving_out.contains(&side) {
                    nearest = (way, Some(side));
                }
            }
        }
        Some((nearest.1?, from + nearest.0 * direction))
    }

    /// In the frame of the first body.
    fn normal(&self, side: Side) -> Vec3 {
        let normal = self.body[side.body].planes[side.face as usize].normal;
        if side.body == 0 { normal } else { self.turn(0, normal) }
    }
}

impl ConvexData {
    /// The corner of a face that is nearest to a point.
    fn corner_near(&self, face: u32, point: Vec3) -> Option<u32> {
        let corners = self.rims_of(face).iter().flat_map(|rim| self.edges[rim.edge as usize].ends);
        let away = |v: &u32| self.points[*v as usize].distance_squared(point);
        corners.min_by(|v, w| away(v).total_cmp(&away(w)))
    }

    fn edge_between(&self, one: u32, other: u32) -> Option<u32> {
        let [few, many] =
            if self.rims_of(one).len() < self.rims_of(other).len() { [one, other] } else { [other, one] };
        let rims = self.rims_of(few).iter();
        rims.map(|rim| rim.edge).find(|&e| self.edges[e as usize].faces.contains(&many))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::convex::Convex;
    use silvia_solid::{Pose, Quat, Solid, Soup, primitives};
    use std::f64::consts::FRAC_1_SQRT_2;

    fn of(soup: Soup) -> Convex {
        Convex::new(&Solid::from_soup(&soup).unwrap()).unwrap()
    }

    /// Rays along the axes meet corners where many faces join, and faces of the two lie in one plane but for
    /// rounding.
    #[test]
    fn bodies_at_lattice_poses_that_share_the_origin_have_an_edge_or_vertex_in_the_other() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
        let bodies = [
            of(primitives::cuboid(Vec3::splat(2.0)).unwrap()),
            Convex::hull(&axes).unwrap(),
            of(primitives::cylinder(1.0, 2.0, 40).unwrap()),
            of(primitives::sphere(1.0, 3).unwrap()),
        ];
        let (h, r) = (0.5, FRAC_1_SQRT_2);
        let turns =
            [[0., 0., 0., 1.], [h, h, h, h], [0., 0., r, r], [r, 0., r, 0.], [0.36, 0.48, 0.64, 0.48]];
        let places = [[0., 0., 0.], [0.5, 0., 0.], [0., -0.25, 0.], [0.25, 0.25, 0.25]].map(Vec3::from);
        for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            for (turn, place) in turns.iter().flat_map(|&turn| places.map(|place| (turn, place))) {
                let pose = Pose::new(place, Quat::from_array(turn).normalize()).unwrap();
                let two = Two::new(&a.data, &Pose::IDENTITY, &b.data, &pose);
                let found = meeting(&two, Vec3::ZERO);
                let found = found.unwrap_or_else(|| panic!("{a:?} and {b:?} at {pose:?}"));
                let point = found.points[0];
                let outside = |body: &Convex, p: Vec3| {
                    body.planes().iter().map(|plane| plane.distance(p)).fold(f64::NEG_INFINITY, f64::max)
                };
                assert!(
                    outside(a, point) < 1e-14 && outside(b, pose.inverse().transform_point(point)) < 1e-14
                );
                assert!(
                    found
                        .parts
                        .iter()
                        .any(|part| matches!(part, HullFeature::Edge(_) | HullFeature::Vertex(_)))
                );
            }
        }
    }
}
