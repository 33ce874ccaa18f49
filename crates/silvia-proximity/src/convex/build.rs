//! From a solid to its hull's features and the Voronoi planes between them.

use super::support::Compass;
use super::{Convex, ConvexData, Ridge, Rim, Spoke};
use crate::feature::Feature;
use silvia_solid::hull::{HullError, convex_hull};
use silvia_solid::{
    Aabb, EdgeId, FaceId, Plane, Pose, Remedy, Solid, SolidError, SolidOptions, TriangleId, Vec3, VertexId,
};
use std::sync::Arc;

/// Corners of a face of the hull are this near to its plane, as a fraction of the largest coordinate: what
/// rounding does to points of one plane when a body is turned and moved.
const FLAT: f64 = 1e-14;

/// Why a solid is not usable as a convex one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum ConvexError {
    /// It has a groove, a hole or a cavity.
    NotConvex {
        /// Edges at which the material bends inwards.
        concave: usize,
        /// Separate surfaces.
        components: usize,
        /// Handles.
        handles: usize,
    },
    /// The points have no hull with a volume.
    NoHull(#[from] HullError),
    /// The hull is so thin that it is no solid.
    NoSolid(#[from] SolidError),
}

impl Remedy for ConvexError {
    fn what(&self) -> String {
        match self {
            ConvexError::NotConvex { concave, components, handles } => format!(
                "this solid is not convex ({}, {}, {})",
                counted(*concave, "concave edge"),
                counted(*components, "component"),
                counted(*handles, "handle")
            ),
            ConvexError::NoHull(error) => format!("no convex solid: {}", error.what()),
            ConvexError::NoSolid(error) => format!("no convex solid: {}", error.what()),
        }
    }

    fn remedy(&self) -> String {
        match self {
            ConvexError::NotConvex { .. } => "take its hull, or decompose it into convex pieces".to_owned(),
            ConvexError::NoHull(error) => error.remedy(),
            ConvexError::NoSolid(error) => error.remedy(),
        }
    }
}

/// `1 handle`, `2 handles`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl Convex {
    /// Makes a convex solid ready for queries.
    pub fn new(solid: &Solid) -> Result<Convex, ConvexError> {
        if !solid.is_convex() {
            return Err(ConvexError::NotConvex {
                concave: solid.edge_counts().concave,
                components: solid.component_count(),
                handles: solid.genus(),
            });
        }
        Convex::of_hull(solid.clone())
    }

    /// The convex hull of some points. [`Convex::solid`] is the hull as a solid.
    pub fn hull(points: &[Vec3]) -> Result<Convex, ConvexError> {
        let solid = Solid::from_soup(&convex_hull(points)?.soup)?;
        Convex::of_hull(solid)
    }

    /// A copy of the solid, moved to a pose for good.
    pub fn posed(&self, pose: &Pose) -> Result<Convex, ConvexError> {
        Convex::of_hull(Solid::from_soup(&self.solid().soup().posed(pose))?)
    }

    fn of_hull(solid: Solid) -> Result<Convex, ConvexError> {
        let hull = convex_hull(solid.soup().points())?;
        let core = Solid::with_options(&hull.soup, &SolidOptions { face_tolerance: FLAT })?;
        // The solid numbers its vertices anew, but not its triangles.
        let mut vertex_ids = vec![VertexId(0); core.vertex_count()];
        for (triangle, corners) in hull.soup.triangles().iter().enumerate() {
            for (vertex, &corner) in
                core.vertices_of_triangle(TriangleId(triangle as u32)).iter().zip(corners)
            {
                vertex_ids[vertex.index()] = VertexId(hull.sources[corner as usize]);
            }
        }
        let mut data = assemble(solid, &core, vertex_ids);
        data.fill_compass();
        Ok(Convex { data: Arc::new(data) })
    }
}

fn assemble(solid: Solid, core: &Solid, vertex_ids: Vec<VertexId>) -> ConvexData {
    let planes: Vec<Plane> = core.faces().map(|f| outward_plane(core, f)).collect();
    let edges: Vec<Ridge> = core.edges().map(|e| ridge(core, &planes, e)).collect();
    let (spoke_start, spokes) = grouped(core.vertices().map(|v| {
        core.edges_of_vertex(v)
            .map(|e| {
                let edge = &edges[e.index()];
                let end = usize::from(edge.ends[0] != v.0);
                Spoke { plane: edge.end_planes[end], edge: e.0, far: edge.ends[1 - end] }
            })
            .collect()
    }));
    let (rim_start, rims) = grouped(core.faces().map(|f| {
        let sides = core.loops_of_face(f).flatten();
        sides
            .filter_map(|&side| core.edge_of_side(side))
            .map(|e| {
                let edge = &edges[e.index()];
                Rim { plane: edge.face_planes[usize::from(edge.faces[0] != f.0)], edge: e.0 }
            })
            .collect()
    }));
    let points = core.soup().points().to_vec();
    let bounds = Aabb::of(points.iter().copied());
    let center = points.iter().sum::<Vec3>() / points.len() as f64;
    let faces: Vec<FaceId> =
        core.faces().map(|f| face_of(&solid, core, &vertex_ids, f, planes[f.index()])).collect();
    let edge_features = edges.iter().map(|edge| edge_feature(&solid, &vertex_ids, &faces, edge)).collect();
    let face_features = faces.iter().map(|f| Feature::Face(f.0)).collect();
    let height = |plane: &Plane| -plane.distance(center);
    let steepness = planes.iter().map(|plane| 1.0 / height(plane).max(f64::MIN_POSITIVE)).collect();
    ConvexData {
        solid,
        points,
        spoke_start,
        spokes,
        edges,
        rim_start,
        rims,
        planes,
        steepness,
        bounds,
        magnitude: bounds.magnitude(),
        center,
        vertex_ids,
        edge_features,
        face_features,
        compass: Compass::blank(),
    }
}

/// The plane through a face's largest triangle: for corners with few digits its normal and offset are then
/// exact.
fn outward_plane(core: &Solid, face: FaceId) -> Plane {
    let areas = core.triangles_of_face(face).map(|t| {
        let [a, b, c] = core.soup().corners(t.index());
        // From the corner between the two shorter sides: of two long ones that are nearly parallel it would
        // be mostly rounding.
        let (p, q, r) = ((b - a).length_squared(), (c - b).length_squared(), (a - c).length_squared());
        let (at, u, v) = if p >= q && p >= r {
            (c, a - c, b - c)
        } else if q >= r {
            (a, b - a, c - a)
        } else {
            (b, c - b, a - b)
        };
        (at, u.cross(v))
    });
    let largest = areas.max_by(|x, y| x.1.length_squared().total_cmp(&y.1.length_squared()));
    let plane = largest.and_then(|(at, cross)| Some(Plane::through(at, cross.try_normalize()?)));
    plane.unwrap_or(core.plane(face))
}

fn ridge(core: &Solid, planes: &[Plane], id: EdgeId) -> Ridge {
    let edge = core.edge(id);
    let [tail, head] = edge.vertices.map(|v| core.point(v));
    // Different points have a direction, unless they are so near that the square of their distance is 0.
    let direction = (head - tail).try_normalize().unwrap_or(Vec3::X);
    let inward = |face: FaceId, along: Vec3| {
        let normal = planes[face.index()].normal.cross(along).normalize_or_zero();
        Plane::through(tail, normal)
    };
    Ridge {
        ends: edge.vertices.map(|v| v.0),
        faces: edge.faces.map(|f| f.0),
        points: [tail, head],
        direction,
        end_planes: [Plane::through(tail, direction), Plane::through(head, -direction)],
        face_planes: [inward(edge.faces[0], direction), inward(edge.faces[1], -direction)],
    }
}

/// Lists one after the other, and where each begins; then the end of the last.
fn grouped<T>(lists: impl Iterator<Item = Vec<T>>) -> (Vec<u32>, Vec<T>) {
    let (mut start, mut all) = (vec![0], Vec::new());
    for mut list in lists {
        all.append(&mut list);
        start.push(all.len() as u32);
    }
    (start, all)
}

/// The face of the solid that a face of its hull is part of: of those at its corners, the one that faces most
/// the same way.
fn face_of(solid: &Solid, core: &Solid, vertex_ids: &[VertexId], face: FaceId, plane: Plane) -> FaceId {
    let corners = core.triangles_of_face(face).flat_map(|t| core.vertices_of_triangle(t));
    let around = corners.flat_map(|v| solid.sides_of_vertex(vertex_ids[v.index()]));
    let faces = around.map(|side| solid.face_of_triangle(side.triangle()));
    let alike = |f: &FaceId| solid.plane(*f).normal.dot(plane.normal);
    faces.max_by(|f, g| alike(f).total_cmp(&alike(g)).then(g.cmp(f))).unwrap_or(FaceId(0))
}

/// What an edge of the hull is of the solid: the edge between the same vertices; a face, if it runs within
/// one; the first of several edges, if it runs along these.
fn edge_feature(solid: &Solid, vertex_ids: &[VertexId], faces: &[FaceId], edge: &Ridge) -> Feature {
    let [left, right] = edge.faces.map(|f| faces[f as usize]);
    if left == right {
        return Feature::Face(left.0);
    }
    let [tail, head] = edge.ends.map(|v| vertex_ids[v as usize]);
    let along = |e: &EdgeId| {
        let [from, to] = solid.edge(*e).vertices;
        let (far, vector) = if from == tail {
            (to, solid.point(to) - solid.point(from))
        } else {
            (from, solid.point(from) - solid.point(to))
        };
        if far == head { f64::INFINITY } else { vector.normalize_or_zero().dot(edge.direction) }
    };
    let best = solid.edges_of_vertex(tail).max_by(|e, f| along(e).total_cmp(&along(f)));
    best.map_or(Feature::Face(left.0), |e| Feature::Edge(e.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_component_is_told_in_the_singular() {
        let error = ConvexError::NotConvex { concave: 4, components: 1, handles: 0 };
        assert!(error.what().ends_with("(4 concave edges, 1 component, 0 handles)"), "{error}");
    }
}
