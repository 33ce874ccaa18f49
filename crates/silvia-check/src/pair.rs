//! The depth of two pieces at a state, and whether they cross on the way there.

use crate::body::{Swept, Way};
use crate::cavity::in_cavity;
use crate::crossing::{Outcome, TOUCHING, between};
use crate::depth::simple_depth;
use crate::mesh::Mesh;
use crate::mesh_depth::{Posed, of_meshes, of_simple};
use crate::moving::Actor;
use crate::piece::{Piece, Simple};
use crate::tree::overlapping;
use silvia_solid::{Aabb, Pose, Vec3};

/// Offset of the extra tests beside a point's path, in tolerances. Its direction is one that no part is
/// likely to have.
const ASIDE: Vec3 = Vec3::new(9.7, 11.3, 13.1);

/// One of two pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) piece: &'a Piece,
    pub(crate) way: &'a Way,
    /// The placed vertices, for meshes.
    pub(crate) swept: Option<&'a Swept>,
    /// The box around the piece over its motion.
    pub(crate) bounds: Aabb,
}

impl<'a> Side<'a> {
    fn mesh(&self) -> Option<(&'a Mesh, &'a Swept)> {
        match self.piece {
            Piece::Mesh(mesh) => self.swept.map(|swept| (&**mesh, swept)),
            Piece::Simple(_) => None,
        }
    }
}

/// The pairs of triangles of two meshes that may meet.
pub(crate) fn triangles([a, b]: &[Side<'_>; 2]) -> Vec<[u32; 2]> {
    match (a.mesh(), b.mesh()) {
        (Some((mesh, swept)), Some((other, other_swept))) => {
            overlapping((&mesh.tree, &swept.boxes), (&other.tree, &other_swept.boxes))
        }
        _ => Vec::new(),
    }
}

/// The depth of the pieces at the end of their motion, m; at most 0 if they do not overlap.
pub(crate) fn depth([a, b]: &[Side<'_>; 2], pairs: &[[u32; 2]]) -> f64 {
    match (a.piece, b.piece) {
        (Piece::Simple(p), Piece::Simple(q)) => simple_depth(p, &q.placed(&relative(&a.way.to, &b.way.to))),
        (Piece::Simple(p), Piece::Mesh(mesh)) => of_simple(&p.placed(&relative(&b.way.to, &a.way.to)), mesh),
        (Piece::Mesh(mesh), Piece::Simple(q)) => of_simple(&q.placed(&relative(&a.way.to, &b.way.to)), mesh),
        (Piece::Mesh(_), Piece::Mesh(_)) => {
            let (Some((mesh, swept)), Some((other, other_swept))) = (a.mesh(), b.mesh()) else { return 0.0 };
            let posed = Posed { mesh, pose: &a.way.to, swept };
            of_meshes(&posed, &Posed { mesh: other, pose: &b.way.to, swept: other_swept }, pairs)
        }
    }
}

/// Whether the pieces cross during their motion; `size` is that of the smaller body, m.
pub(crate) fn crossing([a, b]: &[Side<'_>; 2], pairs: &[[u32; 2]], size: f64) -> Outcome {
    let tolerance = if size.is_finite() { TOUCHING * size } else { 0.0 };
    match (a.piece, b.piece) {
        (Piece::Simple(p), Piece::Simple(q)) => {
            if let (Simple::HalfSpace(_), Simple::HalfSpace(_)) = (p, q) {
                return Outcome::Free;
            }
            if let (Simple::Cavity(_), _) | (_, Simple::Cavity(_)) = (p, q) {
                return in_cavity(&simple(p, a.way, b), &simple(q, b.way, a), tolerance);
            }
            between(&simple(p, a.way, b), &simple(q, b.way, a), tolerance)
        }
        (Piece::Simple(p), Piece::Mesh(_)) => with_mesh((p, a), b, tolerance),
        (Piece::Mesh(_), Piece::Simple(q)) => with_mesh((q, b), a, tolerance),
        (Piece::Mesh(_), Piece::Mesh(_)) => {
            let (Some((mesh, swept)), Some((other, other_swept))) = (a.mesh(), b.mesh()) else {
                return Outcome::Free;
            };
            let outcomes = pairs.iter().map(|&[s, t]| {
                match (straight(mesh, swept, s), straight(other, other_swept, t)) {
                    (Some(s), Some(t)) => between(&s, &t, tolerance),
                    _ => Outcome::Free,
                }
            });
            worst(outcomes)
        }
    }
}

/// Tests a simple piece against the triangles of a mesh near its path.
fn with_mesh((piece, side): (&Simple, &Side<'_>), other: &Side<'_>, tolerance: f64) -> Outcome {
    let Some((mesh, swept)) = other.mesh() else { return Outcome::Free };
    if let Simple::Cavity(_) = piece {
        // Its centre and the vertices go straight, so how far they are apart is greatest at one of the
        // states: if it is free at both, it is free in between.
        return Outcome::Free;
    }
    let does_not_turn = side.way.from.rotation() == side.way.to.rotation();
    if let (Simple::HalfSpace(_), true) = (piece, does_not_turn) {
        // The height of a vertex is linear in time: if it is free at both states, it is free in between.
        return Outcome::Free;
    }
    let mut near = Vec::new();
    mesh.tree.visit(&swept.boxes, &side.bounds.widened(ASIDE.length() * tolerance), |t| near.push(t));
    let thin = match piece {
        Simple::Ball { center, radius: 0.0 } => Some([*center; 3]),
        Simple::Rod { ends: [a, b], radius: 0.0 } => Some([*a, *b, *b]),
        _ => None,
    };
    let meets = |actor: &Actor<'_>| {
        worst(near.iter().map(|&t| {
            straight(mesh, swept, t).map_or(Outcome::Free, |triangle| between(actor, &triangle, tolerance))
        }))
    };
    let Some(points) = thin else { return meets(&simple(piece, side.way, other)) };
    let moved = |by: Vec3| meets(&straight_piece(points, side.way, by));
    match moved(Vec3::ZERO) {
        // A point that passes through the edge between two triangles touches both and crosses neither.
        // Slightly offset, it crosses one. A point that only touches does so only with the offset to one
        // side.
        Outcome::Free => match [ASIDE, -ASIDE].map(|by| moved(tolerance * by)) {
            [found @ Outcome::Crosses(_), Outcome::Crosses(_)] => found,
            _ => Outcome::Free,
        },
        found => found,
    }
}

fn worst(outcomes: impl Iterator<Item = Outcome>) -> Outcome {
    let mut worst = Outcome::Free;
    for outcome in outcomes {
        match outcome {
            Outcome::Free => {}
            Outcome::Crosses(_) => return outcome,
            Outcome::Undecided(_) => worst = outcome,
        }
    }
    worst
}

/// A simple piece that moves. For a half-space, the foot is the point of its plane below the other piece.
fn simple<'a>(piece: &Simple, way: &'a Way, other: &Side<'_>) -> Actor<'a> {
    let (mut foot, mut reach) = (Vec3::ZERO, 0.0);
    if let Simple::HalfSpace(plane) = piece {
        let at = other.bounds.center();
        if at.is_finite() {
            let at = way.from.inverse().transform_point(at);
            foot = at - plane.distance(at) * plane.normal;
            reach = at.distance(foot) + other.bounds.size().length();
        }
    }
    Actor::Simple { piece: *piece, way, foot, reach }
}

/// A triangle whose corners move on straight lines; `None` if it has no area, since other triangles have its
/// edges too.
fn straight(mesh: &Mesh, swept: &Swept, triangle: u32) -> Option<Actor<'static>> {
    let [a, b, c] = mesh.corners(triangle);
    let corners = mesh.triangles[triangle as usize];
    let at = |points: &[Vec3]| corners.map(|v| points[v as usize]);
    let has_area = (b - a).cross(c - a) != Vec3::ZERO;
    has_area.then(|| Actor::Straight { before: at(&swept.before), now: at(&swept.now) })
}

/// A point or a segment as a degenerate triangle, offset by a vector.
fn straight_piece(points: [Vec3; 3], way: &Way, by: Vec3) -> Actor<'static> {
    let at = |pose: &Pose| points.map(|p| pose.transform_point(p) + by);
    Actor::Straight { before: at(&way.from), now: at(&way.to) }
}

/// The second pose relative to the first, without loss of digits if both are far from the origin.
fn relative(a: &Pose, b: &Pose) -> Pose {
    let origin = a.translation();
    a.moved(-origin).inverse().compose(&b.moved(-origin))
}
