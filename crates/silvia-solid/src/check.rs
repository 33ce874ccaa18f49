//! Finds the defects of a soup, and their places.
//!
//! [`Report::of`] takes linear time in the number of triangles and looks at connections only. Triangles that
//! cut through each other are the subject of a slower check, [`crate::self_intersections`].

use crate::predicates::is_collinear;
use crate::topology::{Mesh, NULL, OPEN};
use crate::winding::winding_number;
use crate::{Aabb, Soup, TriangleId, Vec3};
use std::fmt;

/// A kind of defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefectKind {
    /// A side with only one triangle: the surface has a hole or a border there.
    OpenEdge,
    /// A side with three or more triangles.
    NonManifoldEdge,
    /// A vertex where separate fans of triangles meet.
    NonManifoldVertex,
    /// A side along which both triangles run in the same direction: one of them faces the wrong way.
    InconsistentOrientation,
    /// A triangle whose corners lie on one line.
    ZeroAreaTriangle,
    /// A triangle with the same three corners as an earlier one.
    DuplicateTriangle,
    /// A closed component that faces the wrong way: inwards, or outwards although it is a cavity inside
    /// another component.
    InsideOut,
}

impl DefectKind {
    /// The kind as a plural noun.
    pub fn name(self) -> &'static str {
        match self {
            DefectKind::OpenEdge => "open edges",
            DefectKind::NonManifoldEdge => "non-manifold edges",
            DefectKind::NonManifoldVertex => "non-manifold vertices",
            DefectKind::InconsistentOrientation => "edges with inconsistent orientation",
            DefectKind::ZeroAreaTriangle => "zero-area triangles",
            DefectKind::DuplicateTriangle => "duplicate triangles",
            DefectKind::InsideOut => "components inside out",
        }
    }

    /// The kind as a noun for one of it.
    pub fn name_of_one(self) -> &'static str {
        match self {
            DefectKind::OpenEdge => "open edge",
            DefectKind::NonManifoldEdge => "non-manifold edge",
            DefectKind::NonManifoldVertex => "non-manifold vertex",
            DefectKind::InconsistentOrientation => "edge with inconsistent orientation",
            DefectKind::ZeroAreaTriangle => "zero-area triangle",
            DefectKind::DuplicateTriangle => "duplicate triangle",
            DefectKind::InsideOut => "component inside out",
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            DefectKind::OpenEdge => {
                "close the surface, or weld nearly equal points (weld) if it only looks closed"
            }
            DefectKind::NonManifoldEdge => {
                "separate the parts that share the edge, or drop duplicate triangles"
            }
            DefectKind::NonManifoldVertex => "separate the parts that share the vertex",
            DefectKind::InconsistentOrientation => "orient the triangles (orient)",
            DefectKind::ZeroAreaTriangle => {
                "drop them (drop_degenerate) if the surface stays closed without them"
            }
            DefectKind::DuplicateTriangle => "drop them (drop_duplicates)",
            DefectKind::InsideOut => "orient the triangles (orient)",
        }
    }
}

/// A place where something is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// A triangle involved in the defect.
    pub triangle: u32,
    /// The midpoint of the edge, the centre of the triangle, or the vertex, m.
    pub at: Vec3,
}

/// All defects of one kind in a soup.
#[derive(Clone, Debug, PartialEq)]
pub struct Defect {
    /// What is wrong.
    pub kind: DefectKind,
    /// All places, in the order of the triangles; never empty.
    pub places: Vec<Location>,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { triangle, at } = self.places[0];
        let count = self.places.len();
        let name = if count == 1 { self.kind.name_of_one() } else { self.kind.name() };
        let [x, y, z] = six_digits(at);
        write!(f, "{count} {name}, the first at triangle {triangle} near ({x}, {y}, {z}) m")
    }
}

/// A place with six digits of its largest coordinate: where to look, not more.
fn six_digits(at: Vec3) -> [f64; 3] {
    let decimals = (5.0 - at.abs().max_element().log10().floor()).min(15.0) as usize;
    // Adding zero takes the sign off a zero.
    at.to_array().map(|x| format!("{x:.decimals$}").parse::<f64>().unwrap_or(x) + 0.0)
}

/// The size of a soup, and its defects.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of distinct points used by triangles.
    pub vertices: usize,
    /// Number of distinct triangle sides.
    pub sides: usize,
    /// Number of connected components; sharing only a point does not connect.
    pub components: usize,
    /// The defects by kind; only kinds that occur are listed.
    pub defects: Vec<Defect>,
    /// The first triangle of each component.
    pub(crate) first_of_components: Vec<TriangleId>,
}

impl Report {
    /// Checks a soup, after merging equal points.
    pub fn of(soup: &Soup) -> Report {
        Report::of_mesh(&Mesh::of(soup))
    }

    /// Whether every side has a second triangle.
    pub fn is_closed(&self) -> bool {
        !self.has(DefectKind::OpenEdge)
    }

    /// Whether no side has more than two triangles and no vertex more than one fan.
    pub fn is_manifold(&self) -> bool {
        !self.has(DefectKind::NonManifoldEdge) && !self.has(DefectKind::NonManifoldVertex)
    }

    /// Whether neighbouring triangles agree on the orientation, and closed components face the right way.
    pub fn is_oriented(&self) -> bool {
        !self.has(DefectKind::InconsistentOrientation) && !self.has(DefectKind::InsideOut)
    }

    /// Whether the soup can become a solid: closed, manifold and oriented. Triangles without area are
    /// allowed.
    pub fn is_solid(&self) -> bool {
        self.is_closed() && self.is_manifold() && self.is_oriented()
    }

    /// The places of one kind of defect; empty if there are none.
    pub fn places(&self, kind: DefectKind) -> &[Location] {
        self.defects.iter().find(|d| d.kind == kind).map_or(&[], |d| &d.places)
    }

    fn has(&self, kind: DefectKind) -> bool {
        self.defects.iter().any(|d| d.kind == kind)
    }

    pub(crate) fn of_mesh(mesh: &Mesh) -> Report {
        let (component_of, components) = mesh.components();
        let mut report = Report {
            triangles: mesh.triangles.len(),
            vertices: mesh.points.len(),
            sides: mesh.undirected,
            components,
            defects: Vec::new(),
            first_of_components: first_of(&component_of, components),
        };
        let mut note = |kind, places: Vec<Location>| {
            if !places.is_empty() {
                report.defects.push(Defect { kind, places });
            }
        };
        note(DefectKind::OpenEdge, sides_where(mesh, |s| mesh.mate[s as usize] == OPEN));
        note(DefectKind::NonManifoldEdge, mesh.crowds.iter().map(|crowd| at_side(mesh, crowd[0])).collect());
        note(DefectKind::NonManifoldVertex, split_vertices(mesh));
        note(
            DefectKind::InconsistentOrientation,
            sides_where(mesh, |s| mesh.is_flipped(s) && mesh.mate[s as usize] > s),
        );
        note(DefectKind::ZeroAreaTriangle, zero_area(mesh));
        note(DefectKind::DuplicateTriangle, duplicates(mesh));
        if report.is_closed() && report.is_manifold() && report.is_oriented() {
            let places = inside_out(mesh, &component_of, &report.first_of_components);
            if !places.is_empty() {
                report.defects.push(Defect { kind: DefectKind::InsideOut, places });
            }
        }
        report
    }
}

/// The first triangle of each connected component; sharing only a point does not connect.
pub fn first_of_components(soup: &Soup) -> Vec<TriangleId> {
    let (component_of, components) = Mesh::of(soup).components();
    first_of(&component_of, components)
}

fn first_of(component_of: &[u32], components: usize) -> Vec<TriangleId> {
    let mut first = vec![TriangleId(0); components];
    for (t, &c) in component_of.iter().enumerate().rev() {
        first[c as usize] = TriangleId(t as u32);
    }
    first
}

fn sides_where(mesh: &Mesh, is_so: impl Fn(u32) -> bool) -> Vec<Location> {
    (0..mesh.mate.len() as u32).filter(|&s| is_so(s)).map(|s| at_side(mesh, s)).collect()
}

fn at_side(mesh: &Mesh, side: u32) -> Location {
    let (a, b) = (mesh.points[mesh.from(side) as usize], mesh.points[mesh.to(side) as usize]);
    Location { triangle: side / 3, at: 0.5 * a + 0.5 * b }
}

pub(crate) fn at_triangle(mesh: &Mesh, triangle: u32) -> Location {
    let [a, b, c] = mesh.corners(triangle);
    Location { triangle, at: a / 3.0 + b / 3.0 + c / 3.0 }
}

/// Vertices with more than one fan. The ends of crowded sides are left out, since those are reported
/// themselves.
fn split_vertices(mesh: &Mesh) -> Vec<Location> {
    let mut fans = mesh.fans();
    for &side in mesh.crowds.iter().flatten() {
        fans[mesh.from(side) as usize] = 1;
        fans[mesh.to(side) as usize] = 1;
    }
    let mut places = Vec::new();
    if fans.iter().all(|&n| n == 1) {
        return places;
    }
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for &v in corners {
            if fans[v as usize] > 1 {
                places.push(Location { triangle: t as u32, at: mesh.points[v as usize] });
                fans[v as usize] = 1;
            }
        }
    }
    places
}

fn zero_area(mesh: &Mesh) -> Vec<Location> {
    (0..mesh.triangles.len() as u32)
        .filter(|&t| is_collinear(mesh.corners(t)))
        .map(|t| at_triangle(mesh, t))
        .collect()
}

/// Triangles with the same three corners as an earlier one. Two such triangles share all their sides, so only
/// a triangle whose sides all meet the same neighbour, or a crowd, needs to be looked at.
fn duplicates(mesh: &Mesh) -> Vec<Location> {
    let mut suspects: Vec<([u32; 3], u32)> = (0..mesh.triangles.len() as u32)
        .filter(|&t| {
            let [a, b, c] = [0, 1, 2].map(|k| mesh.mate[(3 * t + k) as usize]);
            [a, b, c].iter().any(|&m| (NULL..OPEN).contains(&m))
                || (a < NULL && a / 3 == b / 3 && b / 3 == c / 3)
        })
        .map(|t| {
            let mut key = mesh.triangles[t as usize];
            key.sort_unstable();
            (key, t)
        })
        .collect();
    suspects.sort_unstable();
    let mut repeated: Vec<u32> =
        suspects.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    repeated.sort_unstable();
    repeated.into_iter().map(|t| at_triangle(mesh, t)).collect()
}

/// Components of a closed oriented mesh that face the wrong way, as their first triangles.
fn inside_out(mesh: &Mesh, component_of: &[u32], first: &[TriangleId]) -> Vec<Location> {
    let wrong = facing_wrong(mesh, component_of, &vec![true; first.len()]);
    first.iter().zip(wrong).filter(|(_, is_wrong)| *is_wrong).map(|(t, _)| at_triangle(mesh, t.0)).collect()
}

/// Which closed components face the wrong way: inwards, or outwards if they lie inside an odd number of
/// others. One that passes through another lies not inside it. Open components never count.
pub(crate) fn facing_wrong(mesh: &Mesh, component_of: &[u32], is_closed: &[bool]) -> Vec<bool> {
    let components = is_closed.len();
    let mut volume = vec![0.0; components];
    let mut bounds = vec![Aabb::EMPTY; components];
    // Its first point, and those farthest along each axis, either way.
    let mut farthest = vec![[Vec3::NAN; 7]; components];
    for (t, &c) in component_of.iter().enumerate() {
        let [p, q, r] = mesh.corners(t as u32);
        let c = c as usize;
        if farthest[c][0].is_nan() {
            farthest[c] = [p; 7];
        }
        let about = farthest[c][0];
        volume[c] += (p - about).dot((q - about).cross(r - about));
        for corner in [p, q, r] {
            for axis in 0..3 {
                for (place, sign) in [(1 + 2 * axis, 1.0), (2 + 2 * axis, -1.0)] {
                    if sign * (corner[axis] - farthest[c][place][axis]) > 0.0 {
                        farthest[c][place] = corner;
                    }
                }
            }
        }
        bounds[c] = [p, q, r].into_iter().fold(bounds[c], Aabb::grown);
    }
    // Only a component with a wider box can contain another: in a file of many equal parts there is none to
    // try.
    let width = |c: usize| bounds[c].size().x;
    let mut widest_first: Vec<usize> = (0..components).filter(|&c| is_closed[c]).collect();
    widest_first.sort_by(|&a, &b| width(b).total_cmp(&width(a)));
    let holds = |outer: usize, c: usize| bounds[outer].merged(bounds[c]) == bounds[outer];
    let mut groups: Option<Vec<Vec<[u32; 3]>>> = None;
    (0..components)
        .map(|c| {
            let wider = widest_first.partition_point(|&outer| width(outer) > width(c));
            let others = widest_first[..wider].iter().copied().filter(|&outer| holds(outer, c));
            let depth = others
                .filter(|&outer| {
                    let groups = groups.get_or_insert_with(|| by_component(mesh, component_of, components));
                    let within = |p: Vec3| winding_number(&mesh.points, &groups[outer], p).abs();
                    // About a half on the surface itself.
                    within(farthest[c][0]) > ON_SURFACE[0]
                        && farthest[c].iter().all(|&p| within(p) > ON_SURFACE[0])
                        && farthest[c].iter().any(|&p| within(p) > ON_SURFACE[1])
                })
                .count();
            is_closed[c] && (volume[c] < 0.0) != (depth % 2 == 1)
        })
        .collect()
}

/// Winding numbers between these are those of points on a surface.
const ON_SURFACE: [f64; 2] = [0.25, 0.75];

/// The triangles of each component.
fn by_component(mesh: &Mesh, component_of: &[u32], components: usize) -> Vec<Vec<[u32; 3]>> {
    let mut groups = vec![Vec::new(); components];
    for (t, &c) in component_of.iter().enumerate() {
        groups[c as usize].push(mesh.triangles[t]);
    }
    groups
}
