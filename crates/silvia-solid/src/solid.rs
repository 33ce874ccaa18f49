//! The solid: a closed surface with all its adjacencies.

use crate::build::build;
use crate::check::Report;
use crate::classify::EdgeClass;
use crate::ids::{EdgeId, FaceId, SideId, TriangleId, VertexId};
use crate::{Aabb, MassProperties, Plane, Remedy, Soup, Vec3};
use std::sync::Arc;

/// A closed, manifold, outward polyhedron: explicit topology (vertices, edges, faces) embedded on geometry
/// (points, lines, planes). Immutable; cloning shares, and so does [`Solid::with_points`].
///
/// *Triangles* are the geometry. A *face* is a maximal connected set of triangles that lie in one plane,
/// within [`SolidOptions::face_tolerance`]; it is a polygon that may have holes. An *edge* is a side shared
/// by two faces, from vertex to vertex; a side between two triangles of the same face is not an edge. A
/// *vertex* is a point of the surface. A vertex inside a face or on a straight edge does not stick out
/// ([`Solid::is_extremal`]).
///
/// ```
/// use silvia_solid::{Solid, primitives};
///
/// let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// let bracket = Solid::from_soup(&primitives::extrusion(&outline, &[], 1.0)?)?;
/// assert_eq!((bracket.vertex_count(), bracket.edge_count(), bracket.face_count()), (12, 18, 8));
/// assert_eq!(bracket.edge_counts().concave, 1);
/// assert!(!bracket.is_convex() && (bracket.mass().volume - 3.0).abs() < 1e-12);
///
/// // The faces on both sides of each edge.
/// for edge in bracket.edges().map(|id| bracket.edge(id)) {
///     let [a, b] = edge.faces.map(|face| bracket.plane(face).normal);
///     assert!(a.dot(b).abs() < 1e-12); // a right angle
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solid {
    pub(crate) topology: Arc<Topology>,
    pub(crate) geometry: Arc<Geometry>,
}

/// Options for making a solid from triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidOptions {
    /// Largest distance of a face's corners from its plane, as a fraction of the largest absolute coordinate.
    pub face_tolerance: f64,
}

impl SolidOptions {
    /// Default tolerance. It absorbs the error of rounding coplanar points to single precision or to seven
    /// digits of text.
    pub const FACE_TOLERANCE: f64 = 1e-6;
}

impl Default for SolidOptions {
    fn default() -> Self {
        SolidOptions { face_tolerance: SolidOptions::FACE_TOLERANCE }
    }
}

/// Why triangles do not form a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum SolidError {
    /// Open, non-manifold or inconsistently oriented.
    Unfit {
        /// What is wrong, and where.
        report: Box<Report>,
    },
    /// The surface encloses nothing.
    NoVolume {
        /// The volume that it encloses, m³.
        volume: f64,
        /// The area of its surface, m².
        area: f64,
    },
    /// A tolerance that is negative, too large or NaN.
    Tolerance {
        /// The given value.
        given: f64,
    },
}

impl Remedy for SolidError {
    fn what(&self) -> String {
        match self {
            SolidError::Unfit { report } => format!("this is not a solid: {}", list(report)),
            SolidError::NoVolume { volume, area } => {
                format!("this is not a solid: its volume is {volume} m³ at an area of {area} m²")
            }
            SolidError::Tolerance { given } => {
                format!("the face tolerance must be at least 0 and below 0.1, not {given}")
            }
        }
    }

    fn remedy(&self) -> String {
        match self {
            SolidError::Unfit { report } => format!("use it as a soup, or repair it: {}", remedy(report)),
            SolidError::NoVolume { .. } => "check that it is not a flat sheet".to_owned(),
            SolidError::Tolerance { .. } => String::new(),
        }
    }
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

/// An edge: its ends, faces, sides and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Start and end; the first face is on the left, seen from outside.
    pub vertices: [VertexId; 2],
    /// The face on the left, then the one on the right.
    pub faces: [FaceId; 2],
    /// The side on the left, then the one on the right.
    pub sides: [SideId; 2],
    /// Convex, concave or flat.
    pub class: EdgeClass,
}

/// The number of edges in each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EdgeCounts {
    /// Number of convex edges (ridges).
    pub convex: usize,
    /// Number of concave edges (grooves).
    pub concave: usize,
    /// Number of flat edges between faces that continue each other, plus the triangle sides inside faces,
    /// which are not edges.
    pub flat: usize,
}

impl Solid {
    /// Makes a solid from triangles that form a closed surface, with the default options. Equal points are
    /// merged; nothing else changes.
    ///
    /// ```
    /// use silvia_solid::{Solid, Soup, Vec3};
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let tetrahedron = Solid::from_soup(&Soup::new(corners, triangles)?)?;
    /// assert_eq!(tetrahedron.vertex_count(), 4);
    /// assert_eq!(tetrahedron.edge_count(), 6);
    /// assert_eq!(tetrahedron.face_count(), 4);
    /// assert!((tetrahedron.mass().volume - 1.0 / 6.0).abs() < 1e-16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_soup(soup: &Soup) -> Result<Solid, SolidError> {
        Solid::with_options(soup, &SolidOptions::default())
    }

    /// Makes a solid from triangles that form a closed surface. Triangles keep their numbers from the soup.
    pub fn with_options(soup: &Soup, options: &SolidOptions) -> Result<Solid, SolidError> {
        build(soup, options)
    }

    /// The triangles. Their points are all distinct and all used; point `i` is vertex `i`.
    pub fn soup(&self) -> &Soup {
        &self.geometry.soup
    }

    /// The findings of the checks at construction. The only defect possible here is a triangle without area.
    pub fn report(&self) -> &Report {
        &self.topology.report
    }

    /// Volume, area, centre and inertia.
    pub fn mass(&self) -> &MassProperties {
        &self.geometry.mass
    }

    /// The axis-aligned bounding box.
    pub fn bounds(&self) -> Aabb {
        self.geometry.bounds
    }

    /// Largest distance of a face's corners from its plane, m.
    pub fn face_tolerance(&self) -> f64 {
        self.geometry.face_tolerance
    }

    /// How far corners of a face really are from its plane, at most, m: 0 but for rounding if all faces are
    /// triangles.
    pub fn flatness(&self) -> f64 {
        let off_plane = |face: FaceId| {
            let plane = self.plane(face);
            let corners = self.triangles_of_face(face).flat_map(|t| self.soup().corners(t.index()));
            corners.map(|p| plane.distance(p).abs()).fold(0.0, f64::max)
        };
        let faces = (0..self.face_count() as u32).map(FaceId);
        faces.filter(|&face| self.triangles_of_face(face).len() > 1).map(off_plane).fold(0.0, f64::max)
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

    /// Whether the solid is convex, within the face tolerance.
    pub fn is_convex(&self) -> bool {
        self.geometry.convex
    }

    /// The number of edges in each class.
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

    /// The position of a vertex, m.
    pub fn point(&self, vertex: VertexId) -> Vec3 {
        self.geometry.soup.points()[vertex.index()]
    }

    /// Whether the vertex sticks out: some plane touches the nearby material at this vertex only. Only such a
    /// vertex can touch a face of another body without one of its edges touching too.
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

    /// The face that contains a triangle.
    pub fn face_of_triangle(&self, triangle: TriangleId) -> FaceId {
        FaceId(self.topology.face_of_triangle[triangle.index()])
    }

    /// The vertex at which a side begins.
    pub fn start_of_side(&self, side: SideId) -> VertexId {
        self.vertices_of_triangle(side.triangle())[side.index() % 3]
    }

    /// The opposite side: the same pair of vertices, seen from the neighbouring triangle.
    pub fn mate(&self, side: SideId) -> SideId {
        SideId(self.topology.mate[side.index()])
    }

    /// The edge along a side, or `None` if the side lies inside a face.
    pub fn edge_of_side(&self, side: SideId) -> Option<EdgeId> {
        let edge = self.topology.edge_of_side[side.index()];
        (edge != NO_EDGE).then_some(EdgeId(edge))
    }

    /// An edge: its ends, faces, sides and class.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        let side = SideId(self.topology.side_of_edge[edge.index()]);
        let mate = self.mate(side);
        Edge {
            vertices: self.ends_of_edge(edge),
            faces: [self.face_of_triangle(side.triangle()), self.face_of_triangle(mate.triangle())],
            sides: [side, mate],
            class: self.geometry.edge_class[edge.index()],
        }
    }

    /// The two vertices at the ends of an edge.
    pub fn ends_of_edge(&self, edge: EdgeId) -> [VertexId; 2] {
        let side = SideId(self.topology.side_of_edge[edge.index()]);
        [self.start_of_side(side), self.start_of_side(self.mate(side))]
    }

    /// The plane of a face.
    pub fn plane(&self, face: FaceId) -> Plane {
        self.geometry.planes[face.index()]
    }

    /// The triangles of a face.
    pub fn triangles_of_face(&self, face: FaceId) -> impl ExactSizeIterator<Item = TriangleId> + '_ {
        let range = self.topology.face_start[face.index()] as usize
            ..self.topology.face_start[face.index() + 1] as usize;
        self.topology.face_triangles[range].iter().map(|&t| TriangleId(t))
    }

    /// The closed loops of sides around a face: anticlockwise around the face, clockwise around its holes.
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
