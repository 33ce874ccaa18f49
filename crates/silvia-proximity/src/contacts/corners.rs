//! Corners that lie on corners: of all pairs of features that meet there, one is enough.
//!
//! Where a vertex of the first body holds on a face of the second, its edges rise from the plane of the face
//! or lie in it. Edges of the second that go down from there, or lie in the plane, cannot touch them before
//! the vertex touches the face. So, where a corner of the face is in the same place as the vertex, their edges
//! need not be looked at, unless they run along each other: then both ends must be such corners. The same goes
//! for the corner of the face and a face of the first body in the same plane.

use super::pair::{ContactState, PlacedMesh};
use super::tuning;
use crate::bounds::Bound;
use crate::feature::Feature;
use crate::hierarchy::Surface;
use silvia_solid::{EdgeId, FaceId, Vec3, VertexId};

/// Vertices of the first body that hold on faces of the second.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldCorners(Vec<HeldCorner>);

#[derive(Clone, Copy, Debug)]
struct HeldCorner {
    vertex: VertexId,
    face: FaceId,
    /// Where on the face, in the frame of its body, m.
    place: Vec3,
    /// From the first body to the second.
    normal: Vec3,
}

impl HeldCorners {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes note of a contact of two placed bodies.
    pub(super) fn note<B: Bound>(
        &mut self,
        bodies: &[PlacedMesh<'_, B>; 2],
        features: [Feature; 2],
        state: &ContactState,
    ) {
        if let [Feature::Vertex(vertex), Feature::Face(face)] = features
            && state.holds
            && state.gap >= 0.0
        {
            let (vertex, face) = (VertexId(vertex), FaceId(face));
            let place = bodies[1].pose.inverse().transform_point(state.points[1]);
            self.0.push(HeldCorner { vertex, face, place, normal: state.normal });
        }
    }

    /// Whether two features say nothing new; places nearer to each other than `same`, m, are the same.
    pub(super) fn imply<B: Bound>(
        &self,
        bodies: &[PlacedMesh<'_, B>; 2],
        features: [Feature; 2],
        same: f64,
    ) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let [Surface::Solid(a), Surface::Solid(b)] = bodies.each_ref().map(|placed| &placed.body.surface)
        else {
            return false;
        };
        let is_at =
            |corner: &HeldCorner, v: VertexId| b.point(v).distance_squared(corner.place) <= same * same;
        match features {
            [Feature::Edge(first), Feature::Edge(second)] => {
                let ends = [a.edge(EdgeId(first)).vertices, b.edge(EdgeId(second)).vertices];
                let along = |side: usize| {
                    let [from, to] = ends[side].map(|v| [a, b][side].point(v));
                    bodies[side].pose.transform_vector(to - from)
                };
                self.imply_edges(ends, is_at, along)
            }
            [Feature::Face(face), Feature::Vertex(vertex)] => self.0.iter().any(|corner| {
                let is_of_face = || {
                    let mut sides = b.sides_of_vertex(VertexId(vertex));
                    sides.any(|side| b.face_of_triangle(side.triangle()) == corner.face)
                };
                let normal = || bodies[0].pose.transform_vector(a.plane(FaceId(face)).normal);
                is_at(corner, VertexId(vertex))
                    && is_of_face()
                    && normal().distance_squared(corner.normal) <= tuning::FLUSH * tuning::FLUSH
            }),
            _ => false,
        }
    }

    /// The same of two edges with these ends, that go `along` vectors from the first to the second of them.
    fn imply_edges(
        &self,
        ends: [[VertexId; 2]; 2],
        is_at: impl Fn(&HeldCorner, VertexId) -> bool,
        along: impl Fn(usize) -> Vec3,
    ) -> bool {
        // Of a corner that holds: which end of each edge is there.
        let mut held: Option<[usize; 2]> = None;
        for corner in self.0.iter().filter(|corner| ends[0].contains(&corner.vertex)) {
            let Some(of_second) = ends[1].iter().position(|&v| is_at(corner, v)) else { continue };
            let away = if of_second == 0 { along(1) } else { -along(1) };
            if away.dot(corner.normal) < -tuning::FLUSH * away.length() {
                continue;
            }
            let of_first = usize::from(ends[0][1] == corner.vertex);
            if held.is_some_and(|[known, _]| known != of_first) {
                return true;
            }
            held = Some([of_first, of_second]);
        }
        held.is_some_and(|[of_first, of_second]| {
            let (u, v) = (along(0), along(1));
            // As they leave the corner.
            let product = if of_first == of_second { u.dot(v) } else { -u.dot(v) };
            product <= 0.0 || product * product <= tuning::ALONG * u.length_squared() * v.length_squared()
        })
    }
}
