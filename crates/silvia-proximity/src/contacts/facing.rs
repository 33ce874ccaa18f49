//! Which features of two bodies can come to face each other by a small turn: most near ones cannot, and need not be looked at again.
//!
//! Never stricter than the judge of contacts, which asks the same at each pose with its own roundings: what is left out here is no
//! contact until the bodies have turned by more than was allowed for.

use super::gauss::{Angle, Arc, arcs_meet};
use crate::bounds::Bound;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::hierarchy::Surface;
use silvia_solid::{EdgeId, FaceId, Mat3, Vec3, VertexId};

/// More than what the judge tolerates and rounding adds, rad.
const SPARE: f64 = 1e-6;

/// Beyond this turn, rad, all may face each other.
const LARGEST_TURN: f64 = 0.5;

/// Edges nearer to parallel than this, rad, are left to the judge: the normal of such two is rounding, and counts as shared by both.
const PARALLEL: f64 = 1e-3;

/// An edge whose faces differ by less than this, rad, has hardly a side on which its normals are.
const FLAT: f64 = 1e-6;

/// Two bodies, the second seen in the frame of the first.
pub(super) struct Facing<'a> {
    surfaces: [&'a Surface; 2],
    /// From the frame of the second to that of the first.
    rotation: Mat3,
    /// By how much they may turn, with something to spare, rad; `None` if so far that nothing can be said.
    turn: Option<f64>,
    angle: Angle,
}

impl<'a> Facing<'a> {
    pub(super) fn new<B: Bound>(duo: &Duo<'a, B>, turn: f64) -> Facing<'a> {
        let turn = turn + SPARE;
        Facing {
            surfaces: [&duo.a.surface, &duo.b.surface],
            rotation: duo.b_in_a.matrix(),
            turn: (turn <= LARGEST_TURN).then_some(turn),
            angle: Angle::new(turn),
        }
    }

    /// Whether a vertex of one body (0 or 1) may stick out towards a face of the other: no side that leaves the vertex goes behind the
    /// face by more than the turn.
    pub(super) fn vertex_face(&self, of_vertex: usize, vertex: Feature, face: Feature) -> bool {
        let (Some(turn), Feature::Vertex(vertex), Feature::Face(face)) = (self.turn, vertex, face) else {
            return true;
        };
        let (Surface::Solid(with_vertex), Surface::Solid(with_face)) =
            (self.surfaces[of_vertex], self.surfaces[1 - of_vertex])
        else {
            return true;
        };
        let normal = with_face.plane(FaceId(face)).normal;
        let normal = if of_vertex == 0 { self.rotation * normal } else { self.rotation.transpose() * normal };
        let at = with_vertex.point(VertexId(vertex));
        with_vertex.sides_of_vertex(VertexId(vertex)).all(|side| {
            let along = with_vertex.point(with_vertex.start_of_side(side.next())) - at;
            along.dot(normal) >= -turn * along.length()
        })
    }

    /// Whether an edge of each may have a normal in common.
    pub(super) fn edges(&self, first: Feature, second: Feature) -> bool {
        let (Some(turn), Feature::Edge(first), Feature::Edge(second)) = (self.turn, first, second) else {
            return true;
        };
        let (Some(a), Some(b)) = (arc(self.surfaces[0], first), arc(self.surfaces[1], second)) else {
            return true;
        };
        let turned = |v: Vec3| -(self.rotation * v);
        let b = Arc { axis: self.rotation * b.axis, ends: b.ends.map(turned) };
        let is_flat = |arc: &Arc| arc.ends[0].distance_squared(arc.ends[1]) < FLAT * FLAT;
        let least = PARALLEL + turn;
        a.axis.cross(b.axis).length_squared() < least * least
            || is_flat(&a)
            || is_flat(&b)
            || arcs_meet(&a, &b, &self.angle)
    }
}

/// The normals of planes that touch a solid at an edge alone, in its frame.
fn arc(surface: &Surface, edge: u32) -> Option<Arc> {
    let Surface::Solid(solid) = surface else { return None };
    let found = solid.edge(EdgeId(edge));
    let [start, end] = found.vertices.map(|v| solid.point(v));
    let ends = found.faces.map(|face| solid.plane(face).normal);
    Some(Arc { axis: (end - start).normalize_or_zero(), ends })
}
