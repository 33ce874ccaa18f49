//! From triangles to a solid: match sides, refuse open surfaces, label faces, find and classify edges.

use crate::check::Report;
use crate::classify::{EdgeClass, edge_class, is_extremal};
use crate::faces;
use crate::ids::SideId;
use crate::solid::{Geometry, NO_EDGE, Solid, SolidError, SolidOptions, Topology};
use crate::topology::{Mesh, from, next, previous};
use crate::{Aabb, MassProperties, Plane, Soup, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// A volume below this fraction of (area)^1.5 is indistinguishable from rounding.
const NO_VOLUME: f64 = 1e-14;

pub(crate) fn build(soup: &Soup, options: &SolidOptions) -> Result<Solid, SolidError> {
    if !(0.0..0.1).contains(&options.face_tolerance) {
        return Err(SolidError::Tolerance { given: options.face_tolerance });
    }
    let mesh = Mesh::of(soup);
    let report = Report::of_mesh(&mesh);
    if !report.is_solid() {
        return Err(SolidError::Unfit { report: Box::new(report) });
    }
    let mass = MassProperties::of_triangles(&mesh.points, &mesh.triangles);
    if !encloses(&mass) {
        return Err(SolidError::NoVolume { volume: mass.volume, area: mass.area });
    }
    let bounds = Aabb::of(mesh.points.iter().copied());
    let face_tolerance = options.face_tolerance * bounds.magnitude();
    let faces = faces::group(&mesh.points, &mesh.triangles, &mesh.mate, face_tolerance);
    let topology = topology(&mesh.triangles, mesh.mate, faces.of_triangle, faces.planes.len(), report);
    let soup = Soup::trusted(mesh.points, mesh.triangles);
    Ok(embedded(Arc::new(topology), soup, faces.planes, mass, face_tolerance))
}

/// Whether a surface has a volume, and its outside outside.
pub(crate) fn encloses(mass: &MassProperties) -> bool {
    mass.volume > NO_VOLUME * mass.area.powf(1.5)
}

/// What joins what, by the faces that the triangles are labelled with.
pub(crate) fn topology(
    triangles: &[[u32; 3]],
    mate: Vec<u32>,
    face_of_triangle: Vec<u32>,
    face_count: usize,
    report: Report,
) -> Topology {
    let borders = Borders::of(&mate, &face_of_triangle, face_count);
    let mut edge_of_side = vec![NO_EDGE; mate.len()];
    let mut side_of_edge = Vec::new();
    for side in 0..mate.len() as u32 {
        let other = mate[side as usize];
        let face = |side: u32| face_of_triangle[side as usize / 3];
        if side < other && face(side) != face(other) {
            edge_of_side[side as usize] = side_of_edge.len() as u32;
            edge_of_side[other as usize] = side_of_edge.len() as u32;
            side_of_edge.push(side);
        }
    }
    Topology {
        report,
        side_of_vertex: sides_of_vertices(triangles),
        edge_of_side,
        face_of_triangle,
        face_triangles: borders.face_triangles,
        face_start: borders.face_start,
        loop_sides: borders.loop_sides,
        loop_start: borders.loop_start,
        face_loops: borders.face_loops,
        side_of_edge,
        mate,
    }
}

/// A topology on points: classifies edges and vertices.
pub(crate) fn embedded(
    topology: Arc<Topology>,
    soup: Soup,
    planes: Vec<Plane>,
    mass: MassProperties,
    face_tolerance: f64,
) -> Solid {
    let placed = Placed { topology: &topology, soup: &soup };
    let edge_class: Vec<EdgeClass> =
        topology.side_of_edge.par_iter().map(|&side| placed.class_of(side, &planes)).collect();
    let extremal = topology
        .side_of_vertex
        .par_iter()
        .map_init(Vec::new, |around, &start| {
            placed.collect_sides_around(start, &edge_class, around);
            is_extremal(around, face_tolerance)
        })
        .collect();
    let convex = topology.report.components == 1
        && edge_class.iter().all(|&c| c != EdgeClass::Concave)
        && placed.winds_once();
    let bounds = Aabb::of(soup.points().iter().copied());
    let geometry = Geometry { soup, bounds, mass, face_tolerance, planes, edge_class, extremal, convex };
    Solid { topology, geometry: Arc::new(geometry) }
}

/// For each vertex the lowest side that begins there. Every vertex is a corner of some triangle.
fn sides_of_vertices(triangles: &[[u32; 3]]) -> Vec<u32> {
    let count = triangles.iter().flatten().max().map_or(0, |&last| last as usize + 1);
    let mut side_of = vec![u32::MAX; count];
    for side in (0..3 * triangles.len() as u32).rev() {
        side_of[from(triangles, side) as usize] = side;
    }
    side_of
}

/// A topology and where its vertices are.
struct Placed<'a> {
    topology: &'a Topology,
    soup: &'a Soup,
}

impl Placed<'_> {
    fn start_of(&self, side: u32) -> Vec3 {
        self.soup.points()[from(self.soup.triangles(), side) as usize]
    }

    /// Along a side.
    fn vector(&self, side: u32) -> Vec3 {
        self.start_of(next(side)) - self.start_of(side)
    }

    /// The class of the edge that has this side, the lower-numbered of its two.
    fn class_of(&self, side: u32, planes: &[Plane]) -> EdgeClass {
        let mate = self.topology.mate[side as usize];
        let plane = |s: u32| planes[self.topology.face_of_triangle[s as usize / 3] as usize];
        let far = self.start_of(previous(mate));
        edge_class(self.vector(side), plane(side).normal, plane(mate).normal, plane(side).distance(far))
    }

    /// The vectors along the sides from the vertex where `start` begins, with their classes.
    fn collect_sides_around(&self, start: u32, classes: &[EdgeClass], around: &mut Vec<(Vec3, EdgeClass)>) {
        around.clear();
        self.walk(start, |side| {
            let edge = self.topology.edge_of_side[side as usize];
            let class = if edge == NO_EDGE { EdgeClass::Flat } else { classes[edge as usize] };
            around.push((self.vector(side), class));
        });
    }

    /// Whether the triangles round each vertex turn round it once: with no concave edge, the angles at a
    /// vertex of a convex body sum to no more than a full turn, and those of a surface that winds twice (a
    /// double cone over a pentagram) to more.
    fn winds_once(&self) -> bool {
        let slack = 1e-3; // far above rounding, far below the next possible turn
        self.topology.side_of_vertex.par_iter().all(|&start| {
            let mut angle = 0.0;
            self.walk(start, |side| {
                let (u, v) = (self.vector(side), -self.vector(previous(side)));
                angle += u.cross(v).length().atan2(u.dot(v));
            });
            angle <= 2.0 * std::f64::consts::PI + slack
        })
    }

    /// Visits the sides that begin where `start` does, anticlockwise.
    fn walk(&self, start: u32, mut visit: impl FnMut(u32)) {
        let mut side = start;
        loop {
            visit(side);
            side = self.topology.mate[previous(side) as usize];
            if side == start {
                return;
            }
        }
    }
}

/// The triangles of each face and the loops around it.
struct Borders {
    face_triangles: Vec<u32>,
    face_start: Vec<u32>,
    loop_sides: Vec<SideId>,
    loop_start: Vec<u32>,
    face_loops: Vec<u32>,
}

impl Borders {
    fn of(mate: &[u32], face_of_triangle: &[u32], count: usize) -> Borders {
        let mut face_start = vec![0u32; count + 1];
        face_of_triangle.iter().for_each(|&f| face_start[f as usize + 1] += 1);
        (0..count).for_each(|f| face_start[f + 1] += face_start[f]);
        let mut fill = face_start.clone();
        let mut face_triangles = vec![0u32; face_of_triangle.len()];
        for (t, &f) in face_of_triangle.iter().enumerate() {
            face_triangles[fill[f as usize] as usize] = t as u32;
            fill[f as usize] += 1;
        }
        let mut borders = Borders {
            face_triangles,
            face_start,
            loop_sides: Vec::new(),
            loop_start: vec![0],
            face_loops: vec![0],
        };
        borders.trace(mate, face_of_triangle);
        borders
    }

    fn trace(&mut self, mate: &[u32], face_of_triangle: &[u32]) {
        let is_border = |side: u32| {
            face_of_triangle[side as usize / 3] != face_of_triangle[mate[side as usize] as usize / 3]
        };
        let mut seen = vec![false; mate.len()];
        for f in 0..self.face_start.len() - 1 {
            for &t in &self.face_triangles[self.face_start[f] as usize..self.face_start[f + 1] as usize] {
                for start in 3 * t..3 * t + 3 {
                    if seen[start as usize] || !is_border(start) {
                        continue;
                    }
                    let mut side = start;
                    loop {
                        seen[side as usize] = true;
                        self.loop_sides.push(SideId(side));
                        // At the end of the side, turn through the face's triangles to its next border side.
                        side = next(side);
                        while !is_border(side) {
                            side = next(mate[side as usize]);
                        }
                        if side == start {
                            break;
                        }
                    }
                    self.loop_start.push(self.loop_sides.len() as u32);
                }
            }
            self.face_loops.push(self.loop_start.len() as u32 - 1);
        }
    }
}
