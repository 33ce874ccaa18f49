//! The solid: a closed surface with all its adjacencies.

use crate::build::build;
use crate::check::Report;
use crate::classify::EdgeClass;
use crate::ids::{EdgeId, FaceId, SideId, TriangleId, VertexId};
use crate::{Aabb, MassProperties, Plane, Soup, Vec3};
use std::sync::Arc;

/// A closed, manifold, outward polyhedron: explicit topology (vertices, edges, faces) embedded on geometry
/// (points, lines, planes). Immutable; cloning shares, and so does [`Solid::with_points`].
///
/// *Triangles* are the geometry. A *face* is a maximal connected set of triangles in one plane, within
/// [`SolidOptions::face_tolerance`]; it is a polygon that may have holes. An *edge* is a side that two faces
/// share, from vertex to vertex; a side between two triangles of one face is no edge. A *vertex* is a point
/// of the surface; it may also lie within a face or on a straight edge, and then does not stick out
/// ([`Solid::is_extremal`]).
#[derive(Clone, Debug)]
pub struct Solid {
    pub(crate) topology: Arc<Topology>,
    pub(crate) geometry: Arc<Geometry>,
}

/// How to make a solid of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidOptions {
    /// How far the corners of a face may be from its plane, as a fraction of the largest absolute coordinate.
    pub face_tolerance: f64,
}

impl SolidOptions {
    /// Takes up what rounding to single precision, or to seven digits of text, does to points of one plane.
    pub const FACE_TOLERANCE: f64 = 1e-6;
}

impl Default for SolidOptions {
    fn default() -> Self {
        SolidOptions { face_tolerance: SolidOptions::FACE_TOLERANCE }
    }
}

/// Why triangles are not a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolidError {
    /// Open, non-manifold or inconsistently oriented.
    #[error("this is no solid: {}; use it as a soup, or repair it: {}", list(report), remedy(report))]
    Unfit {
        /// What is wrong, and where.
        report: Box<Report>,
    },
    /// The surface encloses nothing.
    #[error(
        "this is no solid: its volume is {volume} m³ at an area of {area} m²; check that it is not a flat \
         sheet"
    )]
    NoVolume {
        /// m³
        volume: f64,
        /// m²
        area: f64,
    },
    /// A tolerance that is not a small positive number.
    #[error("the face tolerance must be at least 0 and below 0.1, not {given}")]
    Tolerance {
        /// As given.
        given: f64,
    },
}

/// What joins what. It stays as it is where points move.
#[derive(Debug)]
pub(crate) struct Topology {
    pub(crate) report: Report,
    /// For each side, the opposite side of the neighbouring triangle.
    pub(crate) mate: Vec<u32>,
    /// For each side its edge, or [`NO_EDGE`].
    pub(crate) edge_of_side: Vec<u32>,
    pub(crate) face_of_triangle: Vec<u32>,
    /// Triangles sorted by face; face `f` has those from `face_start[f]` to `face_start[f + 1]`.
    pub(crate) face_triangles: Vec<u32>,
    pub(crate) face_start: Vec<u32>,
    /// Border sides in loops, loops by face: face `f` has the loops from `face_loops[f]` to `face_loops[f +
    /// 1]`, loop `l` the sides from `loop_start[l]` to `loop_start[l + 1]`.
    pub(crate) loop_sides: Vec<SideId>,
    pub(crate) loop_start: Vec<u32>,
    pub(crate) face_loops: Vec<u32>,
    /// For each edge the lower-numbered of its two sides.
    pub(crate) side_of_edge: Vec<u32>,
    /// For each vertex one side that begins there.
    pub(crate) side_of_vertex: Vec<u32>,
}

/// Where it all is, and what follows from that.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) soup: Soup,
    pub(crate) bounds: Aabb,
    pub(crate) mass: MassProperties,
    /// Absolute, m.
    pub(crate) face_tolerance: f64,
    pub(crate) planes: Vec<Plane>,
    pub(crate) edge_class: Vec<EdgeClass>,
    pub(crate) extremal: Vec<bool>,
    pub(crate) convex: bool,
}

/// In [`Topology::edge_of_side`]: the side lies within a face.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// What an edge joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From where to where it runs, with its first face on the left seen from outside.
    pub vertices: [VertexId; 2],
    /// The face on the left, then the one on the right.
    pub faces: [FaceId; 2],
    /// The side on the left, then the one on the right.
    pub sides: [SideId; 2],
    /// How the material bends there.
    pub class: EdgeClass,
}

/// How many edges there are of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EdgeCounts {
    /// Ridges.
    pub convex: usize,
    /// Grooves.
    pub concave: usize,
    /// Sides of triangles that lie within a face (which are no edges), and edges between faces that continue
    /// each other.
    pub flat: usize,
}

impl Solid {
    /// Makes a solid of triangles that close, with the default options. Points that are equal are made one;
    /// nothing else is changed.
    ///
    /// ```
    /// use silvia_solid::{Solid, Soup, Vec3};
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let tetrahedron = Solid::from_soup(&Soup::new(corners, triangles)?)?;
    /// assert_eq!((tetrahedron.vertex_count(), tetrahedron.edge_count(), tetrahedron.face_count()), (4, 6, 4));
    /// assert!((tetrahedron.mass().volume - 1.0 / 6.0).abs() < 1e-16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_soup(soup: &Soup) -> Result<Solid, SolidError> {
        Solid::with_options(soup, &SolidOptions::default())
    }

    /// Makes a solid of triangles that close. Triangle numbers stay as they are in the soup.
    pub fn with_options(soup: &Soup, options: &SolidOptions) -> Result<Solid, SolidError> {
        build(soup, options)
    }

    /// The triangles, over points that are all different and all used; point `i` is vertex `i`.
    pub fn soup(&self) -> &Soup {
        &self.geometry.soup
    }

    /// What the checks found when it was made: triangles without area at most.
    pub fn report(&self) -> &Report {
        &self.topology.report
    }

    /// Volume, area, centre and inertia.
    pub fn mass(&self) -> &MassProperties {
        &self.geometry.mass
    }

    /// The smallest box along the axes around it.
    pub fn bounds(&self) -> Aabb {
        self.geometry.bounds
    }

    /// How far, in metres, the corners of a face may be from its plane.
    pub fn face_tolerance(&self) -> f64 {
        self.geometry.face_tolerance
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.topology.side_of_vertex.len()
    }

    /// Number of edges between faces.
    pub fn edge_count(&self) -> usize {
        self.topology.side_of_edge.len()
    }

    /// Number of polygonal faces.
    pub fn face_count(&self) -> usize {
        self.geometry.planes.len()
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.topology.face_of_triangle.len()
    }

    /// Number of connected closed surfaces; a cavity counts as one.
    pub fn component_count(&self) -> usize {
        self.topology.report.components
    }

    /// The first triangle of each component.
    pub fn first_of_components(&self) -> &[TriangleId] {
        &self.topology.report.first_of_components
    }

    /// Number of handles, summed over the components: 0 for a sphere, 1 for a torus.
    pub fn genus(&self) -> usize {
        // Euler: vertices - sides + triangles = 2 (components - genus), with 3 triangles = 2 sides.
        let characteristic = self.vertex_count() as i64 - self.triangle_count() as i64 / 2;
        (self.component_count() as i64 - characteristic / 2) as usize
    }

    /// Whether it is convex, within the face tolerance.
    pub fn is_convex(&self) -> bool {
        self.geometry.convex
    }

    /// How many edges there are of each class.
    pub fn edge_counts(&self) -> EdgeCounts {
        let sides = 3 * self.triangle_count() / 2;
        let mut counts = EdgeCounts { flat: sides - self.edge_count(), ..EdgeCounts::default() };
        for class in &self.geometry.edge_class {
            match class {
                EdgeClass::Convex => counts.convex += 1,
                EdgeClass::Concave => counts.concave += 1,
                EdgeClass::Flat => counts.flat += 1,
            }
        }
        counts
    }

    /// Where a vertex is, m.
    pub fn point(&self, vertex: VertexId) -> Vec3 {
        self.geometry.soup.points()[vertex.index()]
    }

    /// Whether the vertex sticks out: some plane touches the material near it at this vertex alone. Only such
    /// a vertex can touch a face of another body without an edge touching it too.
    pub fn is_extremal(&self, vertex: VertexId) -> bool {
        self.geometry.extremal[vertex.index()]
    }

    /// The sides that begin at a vertex, anticlockwise seen from outside.
    pub fn sides_of_vertex(&self, vertex: VertexId) -> impl Iterator<Item = SideId> + '_ {
        let first = SideId(self.topology.side_of_vertex[vertex.index()]);
        let turn = move |&side: &SideId| Some(self.mate(side.previous())).filter(|&s| s != first);
        std::iter::successors(Some(first), turn)
    }

    /// The edges that end at a vertex, anticlockwise seen from outside.
    pub fn edges_of_vertex(&self, vertex: VertexId) -> impl Iterator<Item = EdgeId> + '_ {
        self.sides_of_vertex(vertex).filter_map(|side| self.edge_of_side(side))
    }

    /// The corners of a triangle.
    pub fn vertices_of_triangle(&self, triangle: TriangleId) -> [VertexId; 3] {
        self.geometry.soup.triangles()[triangle.index()].map(VertexId)
    }

    /// The face that a triangle is part of.
    pub fn face_of_triangle(&self, triangle: TriangleId) -> FaceId {
        FaceId(self.topology.face_of_triangle[triangle.index()])
    }

    /// Where a side begins.
    pub fn start_of_side(&self, side: SideId) -> VertexId {
        self.vertices_of_triangle(side.triangle())[side.index() % 3]
    }

    /// The same side seen from the neighbouring triangle, in the opposite direction.
    pub fn mate(&self, side: SideId) -> SideId {
        SideId(self.topology.mate[side.index()])
    }

    /// The edge that a side is, or `None` if it lies within a face.
    pub fn edge_of_side(&self, side: SideId) -> Option<EdgeId> {
        let edge = self.topology.edge_of_side[side.index()];
        (edge != NO_EDGE).then_some(EdgeId(edge))
    }

    /// What an edge joins.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        let side = SideId(self.topology.side_of_edge[edge.index()]);
        let mate = self.mate(side);
        Edge {
            vertices: [self.start_of_side(side), self.start_of_side(mate)],
            faces: [self.face_of_triangle(side.triangle()), self.face_of_triangle(mate.triangle())],
            sides: [side, mate],
            class: self.geometry.edge_class[edge.index()],
        }
    }

    /// The plane of a face.
    pub fn plane(&self, face: FaceId) -> Plane {
        self.geometry.planes[face.index()]
    }

    /// The triangles that a face is made of.
    pub fn triangles_of_face(&self, face: FaceId) -> impl ExactSizeIterator<Item = TriangleId> + '_ {
        let range = self.topology.face_start[face.index()] as usize
            ..self.topology.face_start[face.index() + 1] as usize;
        self.topology.face_triangles[range].iter().map(|&t| TriangleId(t))
    }

    /// The closed loops of sides around a face: anticlockwise round the face, clockwise round its holes.
    pub fn loops_of_face(&self, face: FaceId) -> impl ExactSizeIterator<Item = &[SideId]> + '_ {
        let loops = self.topology.face_loops[face.index()] as usize
            ..self.topology.face_loops[face.index() + 1] as usize;
        loops.map(|l| {
            let range = self.topology.loop_start[l] as usize..self.topology.loop_start[l + 1] as usize;
            &self.topology.loop_sides[range]
        })
    }

    /// All vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = VertexId> + use<> {
        (0..self.vertex_count() as u32).map(VertexId)
    }

    /// All edges.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeId> + use<> {
        (0..self.edge_count() as u32).map(EdgeId)
    }

    /// All faces.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = FaceId> + use<> {
        (0..self.face_count() as u32).map(FaceId)
    }

    /// All triangles.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = TriangleId> + use<> {
        (0..self.triangle_count() as u32).map(TriangleId)
    }
}

fn list(report: &Report) -> String {
    join(report.defects.iter().map(ToString::to_string))
}

fn remedy(report: &Report) -> String {
    join(report.defects.iter().map(|d| d.kind.remedy().to_string()))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}
