//! Closest features of convex solids (paper 4 §2).

mod brute;
mod build;
mod clip;
mod common_point;
mod decomposed;
mod frames;
mod jump;
mod pieces;
mod query;
mod segments;
mod support;
mod touching;
mod tree;
mod vclip;
mod walk;
mod witness;

pub use build::ConvexError;
pub use decomposed::DecomposedError;
pub use pieces::{ClosestPieces, Pieces, PiecesCache, PiecesError, closest_pieces};
pub use query::{ClosestFeatures, FeatureCache, closest_features};

use crate::feature::Feature;
use frames::HullFeature;
use silvia_solid::{Aabb, Plane, Solid, Vec3, VertexId};
use std::sync::Arc;
use support::Compass;

/// A convex solid prepared for queries: vertices, edges and faces with the Voronoi planes between them, in
/// flat arrays. Immutable; clones share the data.
///
/// It is the exact convex hull of the solid's vertices. A solid counts as convex within its face tolerance
/// (by default a millionth of its size), which is far more than rounding. So one face of the solid, flat only
/// within that tolerance, may be several faces here. Answers name the features of the solid.
///
/// ```
/// use silvia_proximity::Convex;
/// use silvia_solid::{Solid, Vec3, primitives};
/// let cube = Convex::new(&Solid::from_soup(&primitives::cuboid(Vec3::splat(2.0))?)?)?;
/// assert_eq!((cube.points().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
/// assert_eq!(cube.support(Vec3::new(1.0, 2.0, -3.0)).1, Vec3::new(1.0, 1.0, -1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Convex {
    pub(crate) data: Arc<ConvexData>,
}

/// The features of the hull. "Vertex `v`" and so on are positions in these arrays.
#[derive(Debug)]
pub(crate) struct ConvexData {
    solid: Solid,
    pub(crate) points: Vec<Vec3>,
    /// Vertex `v` has the spokes from `spoke_start[v]` to `spoke_start[v + 1]`.
    pub(crate) spoke_start: Vec<u32>,
    pub(crate) spokes: Vec<Spoke>,
    pub(crate) edges: Vec<Ridge>,
    /// Face `f` has the rims from `rim_start[f]` to `rim_start[f + 1]`, anticlockwise seen from outside.
    pub(crate) rim_start: Vec<u32>,
    pub(crate) rims: Vec<Rim>,
    pub(crate) planes: Vec<Plane>,
    /// For each face, 1 over the height of the centre below it, 1/m.
    pub(crate) steepness: Vec<f64>,
    pub(crate) bounds: Aabb,
    /// The largest absolute coordinate, m.
    pub(crate) magnitude: f64,
    /// A point well inside, m.
    pub(crate) center: Vec3,
    /// The features of the solid that the hull's are part of.
    pub(crate) vertex_ids: Vec<VertexId>,
    pub(crate) edge_features: Vec<Feature>,
    pub(crate) face_features: Vec<Feature>,
    compass: Compass,
}

/// An edge as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoke {
    /// The Voronoi plane between the end and the edge: positive on the edge's side. The very numbers of
    /// [`Ridge::ends`].
    pub(crate) plane: Plane,
    pub(crate) edge: u32,
    /// The other end.
    pub(crate) far: u32,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridge {
    /// Its ends are these vertices: tail, head.
    pub(crate) ends: [u32; 2],
    /// The face on the left, then the one on the right, as it runs and seen from outside.
    pub(crate) faces: [u32; 2],
    pub(crate) points: [Vec3; 2],
    /// From tail to head, unit length.
    pub(crate) direction: Vec3,
    /// The Voronoi planes against the ends: positive on the edge's side.
    pub(crate) end_planes: [Plane; 2],
    /// The Voronoi planes against the faces: positive on the face's side.
    pub(crate) face_planes: [Plane; 2],
}

/// An edge as seen from one of its faces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rim {
    /// The Voronoi plane between the face and the edge: positive on the face's side. The very numbers of
    /// [`Ridge::face_planes`].
    pub(crate) plane: Plane,
    pub(crate) edge: u32,
}

impl Convex {
    /// The solid that it was made of.
    pub fn solid(&self) -> &Solid {
        &self.data.solid
    }

    /// The vertices of the hull, m.
    pub fn points(&self) -> &[Vec3] {
        &self.data.points
    }

    /// The planes of the hull's faces, outward.
    pub fn planes(&self) -> &[Plane] {
        &self.data.planes
    }

    /// Number of edges of the hull.
    pub fn edge_count(&self) -> usize {
        self.data.edges.len()
    }

    /// Number of faces of the hull.
    pub fn face_count(&self) -> usize {
        self.data.planes.len()
    }

    /// The ends of the edges, as positions in [`Convex::points`].
    pub fn edges(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        self.data.edges.iter().map(|edge| edge.ends)
    }

    /// The vertices around a face (a position in [`Convex::planes`]), anticlockwise seen from outside, as
    /// positions in [`Convex::points`].
    pub fn vertices_of_face(&self, face: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let data = &*self.data;
        data.rims_of(face as u32).iter().map(move |rim| {
            let edge = &data.edges[rim.edge as usize];
            edge.ends[usize::from(edge.faces[0] != face as u32)]
        })
    }

    /// The two faces of each edge (left, right of its run), as positions in [`Convex::planes`].
    pub fn faces_of_edges(&self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        self.data.edges.iter().map(|edge| edge.faces)
    }

    /// The vertices joined to a vertex by edges, as positions in [`Convex::points`].
    pub fn neighbours(&self, vertex: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.data.spokes_of(vertex as u32).iter().map(|spoke| spoke.far)
    }

    /// The smallest box along the axes of the solid around it.
    pub fn bounds(&self) -> Aabb {
        self.data.bounds
    }

    /// The mean of its vertices: a point inside, m.
    pub fn center(&self) -> Vec3 {
        self.data.center
    }

    /// The vertex furthest along a direction (of any length): its id in the solid, and where it is, m. Walks
    /// up the edges from a tabulated vertex.
    pub fn support(&self, direction: Vec3) -> (VertexId, Vec3) {
        let vertex = self.data.support(direction) as usize;
        (self.data.vertex_ids[vertex], self.data.points[vertex])
    }

    /// As [`Convex::support`], but takes and returns positions in [`Convex::points`]. Takes a few steps if
    /// `start` was furthest along a similar direction.
    pub fn support_from(&self, direction: Vec3, start: u32) -> u32 {
        let start = start.min(self.data.points.len() as u32 - 1);
        // A point within a face, by rounding, has no edges to walk along.
        if self.data.spokes_of(start).is_empty() {
            return self.data.support(direction);
        }
        self.data.climb(start, direction)
    }
}

impl ConvexData {
    #[inline(always)]
    pub(crate) fn spokes_of(&self, vertex: u32) -> &[Spoke] {
        let v = vertex as usize;
        &self.spokes[self.spoke_start[v] as usize..self.spoke_start[v + 1] as usize]
    }

    #[inline(always)]
    pub(crate) fn rims_of(&self, face: u32) -> &[Rim] {
        let f = face as usize;
        &self.rims[self.rim_start[f] as usize..self.rim_start[f + 1] as usize]
    }

    /// The face that a ray from the centre through a point leaves the body by, and whether the point is
    /// beyond it.
    ///
    /// That face has the largest ratio of the point's height over the centre to its own: a linear function
    /// over the vertices of the dual polytope, so that walking up from neighbour to neighbour finds it.
    pub(crate) fn exit(&self, point: Vec3, start: u32) -> (u32, bool) {
        let from_center = point - self.center;
        let ratio = |f: u32| self.planes[f as usize].normal.dot(from_center) * self.steepness[f as usize];
        let (mut face, mut largest) = (start, ratio(start));
        loop {
            let before = face;
            for rim in self.rims_of(before) {
                let [left, right] = self.edges[rim.edge as usize].faces;
                let neighbour = if left == before { right } else { left };
                let ratio = ratio(neighbour);
                if ratio > largest {
                    (face, largest) = (neighbour, ratio);
                }
            }
            if face == before {
                return (face, self.planes[face as usize].distance(point) > 0.0);
            }
        }
    }

    /// A vertex of a face.
    pub(crate) fn corner_of(&self, face: u32) -> u32 {
        self.edges[self.rims_of(face)[0].edge as usize].ends[0]
    }

    /// The feature of the solid that a part of its hull belongs to.
    pub(crate) fn feature(&self, part: HullFeature) -> Feature {
        match part {
            HullFeature::Vertex(v) => Feature::Vertex(self.vertex_ids[v as usize].0),
            HullFeature::Edge(e) => self.edge_features[e as usize],
            HullFeature::Face(f) => self.face_features[f as usize],
        }
    }
}
