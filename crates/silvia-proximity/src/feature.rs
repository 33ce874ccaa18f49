//! Where on a body a point lies.

use crate::hierarchy::Surface;
use crate::triangle::TriangleFeature;
use silvia_solid::{EdgeId, SideId, TriangleId, Vec3, winding_number};

/// A vertex, edge, face or smooth patch of a body.
///
/// Of a solid, the number is that of its [`VertexId`](silvia_solid::VertexId), [`EdgeId`] or
/// [`FaceId`](silvia_solid::FaceId). Of a soup, it is the number of the point, of the triangle's side (`3
/// triangle + k`), or of the triangle. Of other shapes, see
/// [`ShapeDistance::features`](crate::shape::ShapeDistance).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// Between two faces.
    Edge(u32),
    /// A flat part of the surface.
    Face(u32),
    /// A smooth curved part of the surface of a [`Shape`](crate::Shape).
    Patch(u32),
}

impl Feature {
    /// The number of a vertex; `None` for other features.
    pub(crate) fn vertex(self) -> Option<u32> {
        match self {
            Feature::Vertex(vertex) => Some(vertex),
            Feature::Edge(_) | Feature::Face(_) | Feature::Patch(_) => None,
        }
    }

    /// The feature of the body that a feature of one of its triangles is part of: a side within a flat face
    /// is the face.
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

/// Whether a point is outside a solid, given the point of the surface that is nearest to it; always, of a
/// soup.
///
/// It is outside exactly if it lies in the direction of the normal of the nearest feature (Bærentzen and
/// Aanæs, 2005): on a face its normal, on an edge the sum of two, at a vertex the sum weighted by the angles
/// of the triangles. A triangle without area, as fills a T-joint, has no normal; next to one the winding
/// number decides.
pub(crate) fn is_outside(
    surface: &Surface,
    triangle: u32,
    part: TriangleFeature,
    nearest: Vec3,
    point: Vec3,
) -> bool {
    let Surface::Solid(solid) = surface else { return true };
    let soup = solid.soup();
    let normal = |t: TriangleId| {
        let [a, b, c] = soup.corners(t.index());
        (b - a).cross(c - a).normalize_or_zero()
    };
    let own = TriangleId(triangle);
    let mut flat = normal(own) == Vec3::ZERO;
    let mut add = |sum: Vec3, t: TriangleId, weight: f64| {
        let n = normal(t);
        flat |= n == Vec3::ZERO;
        sum + weight * n
    };
    let outward = match part {
        TriangleFeature::Face => normal(own),
        TriangleFeature::Edge(k) => {
            add(normal(own), solid.mate(SideId(3 * triangle + u32::from(k))).triangle(), 1.0)
        }
        TriangleFeature::Vertex(k) => {
            let vertex = solid.vertices_of_triangle(own)[k as usize];
            let at = solid.point(vertex);
            solid.sides_of_vertex(vertex).fold(Vec3::ZERO, |sum, side| {
                let u = solid.point(solid.start_of_side(side.next())) - at;
                let v = solid.point(solid.start_of_side(side.previous())) - at;
                add(sum, side.triangle(), u.cross(v).length().atan2(u.dot(v)))
            })
        }
    };
    if flat {
        return winding_number(soup.points(), soup.triangles(), point) < 0.5;
    }
    outward.dot(point - nearest) >= 0.0
}
