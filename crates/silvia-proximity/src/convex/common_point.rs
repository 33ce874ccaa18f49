//! From a point that two bodies have in common to an edge of one that is in the other.
//!
//! What two bodies have in common is convex. From a point of it, straight on, to the first face of either body; within this face to the next; and if
//! that is of the other body, along both to a third. Then two of the faces are of one body, and the edge between them is in the
//! other.

use super::ConvexData;
use super::frames::{Part, Two};
use super::query::ROUNDING;
use super::segments::foot;
use super::witness::Found;
use silvia_solid::Vec3;

/// An edge of one body in the other, and the face of the other by which it would leave; nothing if rounding hides it.
pub(crate) fn meeting(two: &Two<'_>, common: Vec3) -> Option<Found> {
    let (first, at) = two.ahead(common, Vec3::X, &[])?;
    let normal = two.normal(first);
    let (second, at) = two.ahead(at, normal.any_orthonormal_vector(), &[first])?;
    if first.body == second.body {
        return leaving(two, first, second, at);
    }
    let along = normal.cross(two.normal(second)).try_normalize()?;
    let (third, at) = two.ahead(at, along, &[first, second])?;
    let same = if third.body == first.body { first } else { second };
    leaving(two, same, third, at)
}

/// The edge between two faces of a body, at a point of it in the frame of the first body, and the face by which the point would leave the
/// other body.
fn leaving(two: &Two<'_>, one: Side, other: Side, at: Vec3) -> Option<Found> {
    let i = one.body;
    let edge = two.body[i].edge_between(one.face, other.face)?;
    let [tail, head] = two.body[i].edges[edge as usize].points;
    let local = if i == 0 { at } else { two.into(1, at) };
    let on_edge = tail + foot(tail, head - tail, local) * (head - tail);
    let there = two.into(1 - i, on_edge);
    let (exit, _) = two.body[1 - i].exit(there, 0);
    if two.body[1 - i].planes[exit as usize].distance(there) > ROUNDING * two.reach() {
        return None;
    }
    let (parts, point) = match i {
        0 => ([Part::Edge(edge), Part::Face(exit)], on_edge),
        _ => ([Part::Face(exit), Part::Edge(edge)], there),
    };
    Some(Found { parts, points: [point; 2], distance: 0.0, penetrating: true })
}

/// A face of one of the bodies.
#[derive(Clone, Copy, PartialEq)]
struct Side {
    body: usize,
    face: u32,
}

impl Two<'_> {
    /// The first face of either body in a direction from a point inside of both, and where; leaving out faces that the point is on.
    fn ahead(&self, from: Vec3, direction: Vec3, leaving_out: &[Side]) -> Option<(Side, Vec3)> {
        let starts = [from, self.into(1, from)];
        let ways = [direction, self.turn(1, direction)];
        let mut nearest = (f64::INFINITY, None);
        for body in 0..2 {
            for (face, plane) in self.body[body].planes.iter().enumerate() {
                let side = Side { body, face: face as u32 };
                let rises = plane.normal.dot(ways[body]);
                let way = -plane.distance(starts[body]) / rises;
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
    fn edge_between(&self, one: u32, other: u32) -> Option<u32> {
        let [few, many] =
            if self.rims_of(one).len() < self.rims_of(other).len() { [one, other] } else { [other, one] };
        let rims = self.rims_of(few).iter();
        rims.map(|rim| rim.edge).find(|&e| self.edges[e as usize].faces.contains(&many))
    }
}
