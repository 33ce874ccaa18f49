//! Corners that lie on corners: of all pairs of features that meet there, one is enough.
//!
//! Where a vertex of the first body holds on a face of the second, its edges rise from the plane of the face
//! or lie in it. Edges of the second that go down from there, or lie in the plane, cannot touch them before
//! the vertex touches the face. So, where a corner of the face is in the same place as the vertex, their
//! edges need not be looked at, unless they run along each other: then both ends must be such corners. The
//! same goes for the corner of the face and a face of the first body in the same plane.

use super::pair::{ContactState, PlacedMesh};
use super::tuning;
use crate::bounds::Bound;
use crate::feature::Feature;
use crate::hierarchy::Surface;
use silvia_solid::{EdgeId, FaceId, Solid, Vec3, VertexId};

/// Vertices of the first body that hold on faces of the second.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldCorners {
    corners: Vec<HeldCorner>,
    /// The edge of the first body that was asked for last: many pairs in a row have it.
    last: Option<FirstEdge>,
}

#[derive(Clone, Copy, Debug)]
struct FirstEdge {
    edge: u32,
    ends: [VertexId; 2],
    /// From the first end to the second, in the frame of the second body, m; `None` if neither of them is
    /// among the corners.
    along: Option<Vec3>,
}

#[derive(Clone, Copy, Debug)]
struct HeldCorner {
    vertex: VertexId,
    face: FaceId,
    /// Where on the face, in the frame of its body, m.
    place: Vec3,
    /// From the first body to the second, in the same frame.
    normal: Vec3,
}

impl HeldCorners {
    pub(super) fn clear(&mut self) {
        self.corners.clear();
        self.last = None;
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
            let to_frame = bodies[1].pose.inverse();
            let place = to_frame.transform_point(state.points[1]);
            let normal = to_frame.transform_vector(state.normal);
            self.corners.push(HeldCorner { vertex, face, place, normal });
            self.last = None;
        }
    }

    /// Whether two features say nothing new; places nearer to each other than `same`, m, are the same.
    pub(super) fn imply<B: Bound>(
        &mut self,
        bodies: &[PlacedMesh<'_, B>; 2],
        features: [Feature; 2],
        same: f64,
    ) -> bool {
        if self.corners.is_empty() {
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
                let FirstEdge { ends, along, .. } = self.first_edge(bodies, a, first);
                along.is_some_and(|along| {
                    let of_second = b.ends_of_edge(EdgeId(second));
                    let way = b.point(of_second[1]) - b.point(of_second[0]);
                    self.imply_edges([ends, of_second], is_at, along, way)
                })
            }
            [Feature::Face(face), Feature::Vertex(vertex)] => self.corners.iter().any(|corner| {
                let is_of_face = || {
                    let mut sides = b.sides_of_vertex(VertexId(vertex));
                    sides.any(|side| b.face_of_triangle(side.triangle()) == corner.face)
                };
                let normal = || in_frame(bodies, a.plane(FaceId(face)).normal);
                is_at(corner, VertexId(vertex))
                    && is_of_face()
                    && normal().distance_squared(corner.normal) <= tuning::FLUSH * tuning::FLUSH
            }),
            _ => false,
        }
    }

    /// An edge of the first body.
    fn first_edge<B: Bound>(&mut self, bodies: &[PlacedMesh<'_, B>; 2], a: &Solid, edge: u32) -> FirstEdge {
        if let Some(last) = self.last
            && last.edge == edge
        {
            return last;
        }
        let ends = a.ends_of_edge(EdgeId(edge));
        let is_held = self.corners.iter().any(|corner| ends.contains(&corner.vertex));
        let along = is_held.then(|| in_frame(bodies, a.point(ends[1]) - a.point(ends[0])));
        *self.last.insert(FirstEdge { edge, ends, along })
    }

    /// The same of two edges with these ends, which go along `u` and `v` from the first to the second of
    /// them, in the frame of the second body.
    fn imply_edges(
        &self,
        ends: [[VertexId; 2]; 2],
        is_at: impl Fn(&HeldCorner, VertexId) -> bool,
        u: Vec3,
        v: Vec3,
    ) -> bool {
        // Of a corner that holds: which end of each edge is there.
        let mut held: Option<[usize; 2]> = None;
        for corner in self.corners.iter().filter(|corner| ends[0].contains(&corner.vertex)) {
            let Some(of_second) = ends[1].iter().position(|&end| is_at(corner, end)) else { continue };
            let away = if of_second == 0 { v } else { -v };
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
            // As they leave the corner.
            let product = if of_first == of_second { u.dot(v) } else { -u.dot(v) };
            product <= 0.0 || product * product <= tuning::ALONG * u.length_squared() * v.length_squared()
        })
    }
}

/// A vector of the first body in the frame of the second.
fn in_frame<B: Bound>([a, b]: &[PlacedMesh<'_, B>; 2], vector: Vec3) -> Vec3 {
    b.pose.rotation().conjugate() * a.pose.transform_vector(vector)
}
