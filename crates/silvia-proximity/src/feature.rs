//! Where on a body a point lies.

use crate::hierarchy::Surface;
use crate::triangle::TriangleFeature;
use silvia_solid::{EdgeId, SideId, TriangleId, Vec3};

/// A vertex, edge or face of a body.
///
/// Of a solid, the number is that of its [`VertexId`](silvia_solid::VertexId), [`EdgeId`] or
/// [`FaceId`](silvia_solid::FaceId). Of a soup, it is the number of the point, of the triangle's side
/// (`3 triangle + k`), or of the triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// Between two faces.
    Edge(u32),
    /// A flat part of the surface.
    Face(u32),
}

impl Feature {
    /// The feature of the body that a feature of one of its triangles is part of: a side within a flat face is the face.
    pub(crate) fn of(surface: &Surface, triangle: u32, part: TriangleFeature) -> Feature {
        let corners = surface.soup().triangles()[triangle as usize];
        match (surface, part) {
            (_, TriangleFeature::Vertex(k)) => Feature::Vertex(corners[k as usize]),
            (Surface::Soup(_), TriangleFeature::Edge(k)) => Feature::Edge(3 * triangle + u32::from(k)),
            (Surface::Soup(_), TriangleFeature::Face) => Feature::Face(triangle),
            (Surface::Solid(solid), TriangleFeature::Edge(k)) => {
                match solid.edge_of_side(SideId(3 * triangle + u32::from(k))) {
                    Some(EdgeId(edge)) => Feature::Edge(edge),
                    None => Feature::Face(solid.face_of_triangle(TriangleId(triangle)).0),
                }
            }
            (Surface::Solid(solid), TriangleFeature::Face) => {
                Feature::Face(solid.face_of_triangle(TriangleId(triangle)).0)
            }
        }
    }
}

/// The direction in which a point of the surface has its outside: any point whose nearest point on a closed surface
/// this is, is outside exactly if it lies in this direction (Bærentzen and Aanæs, 2005). Not of unit length.
///
/// On a face the normal, on an edge the sum of two, at a vertex the sum weighted by the angles of the triangles.
pub(crate) fn outward(surface: &Surface, triangle: u32, part: TriangleFeature) -> Vec3 {
    let normal = |t: TriangleId| {
        let [a, b, c] = surface.soup().corners(t.index());
        (b - a).cross(c - a).normalize_or_zero()
    };
    let own = TriangleId(triangle);
    let Surface::Solid(solid) = surface else { return normal(own) };
    match part {
        TriangleFeature::Face => normal(own),
        TriangleFeature::Edge(k) => {
            normal(own) + normal(solid.mate(SideId(3 * triangle + u32::from(k))).triangle())
        }
        TriangleFeature::Vertex(k) => {
            let vertex = solid.vertices_of_triangle(own)[k as usize];
            let at = solid.point(vertex);
            let mut sum = Vec3::ZERO;
            for side in solid.sides_of_vertex(vertex) {
                let u = solid.point(solid.start_of_side(side.next())) - at;
                let v = solid.point(solid.start_of_side(side.previous())) - at;
                sum += normal(side.triangle()) * u.cross(v).length().atan2(u.dot(v));
            }
            sum
        }
    }
}
