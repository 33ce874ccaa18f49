//! From triangles to a solid: match sides, refuse open surfaces, label faces, find and classify edges.

use crate::check::Report;
use crate::classify::{EdgeClass, edge_class, is_extremal};
use crate::faces::{self, Faces};
use crate::ids::SideId;
use crate::solid::{NO_EDGE, SolidData, SolidError, SolidOptions};
use crate::topology::{Mesh, from, next, previous};
use crate::{Aabb, MassProperties, Plane, Soup, Vec3};
use rayon::prelude::*;

/// A volume below this fraction of (area)^1.5 is indistinguishable from rounding.
const NO_VOLUME: f64 = 1e-14;

pub(crate) fn build(soup: &Soup, options: &SolidOptions) -> Result<SolidData, SolidError> {
    if !(0.0..0.1).contains(&options.face_tolerance) {
        return Err(SolidError::Tolerance { given: options.face_tolerance });
    }
    let mesh = Mesh::of(soup);
    let report = Report::of_mesh(&mesh);
    if !report.is_solid() {
        return Err(SolidError::Unfit { report: Box::new(report) });
    }
    let mass = MassProperties::of_triangles(&mesh.points, &mesh.triangles);
    if mass.volume.is_nan() || mass.volume <= NO_VOLUME * mass.area.powf(1.5) {
        return Err(SolidError::NoVolume { volume: mass.volume, area: mass.area });
    }
    let bounds = Aabb::of(mesh.points.iter().copied());
    let face_tolerance = options.face_tolerance * bounds.magnitude();
    let faces = faces::group(&mesh.points, &mesh.triangles, &mesh.mate, face_tolerance);
    let borders = Borders::of(&mesh, &faces);
    let edges = Edges::of(&mesh, &faces);
    let side_of_vertex = sides_of_vertices(&mesh);
    let extremal = (0..mesh.points.len() as u32)
        .into_par_iter()
        .map_init(Vec::new, |around, v| {
            collect_sides_around(&mesh, &edges, side_of_vertex[v as usize], around);
            is_extremal(around, face_tolerance)
        })
        .collect();
    let convex = report.components == 1
        && edges.class.iter().all(|&c| c != EdgeClass::Concave)
        && winds_once(&mesh, &side_of_vertex);
    Ok(SolidData {
        soup: Soup::trusted(mesh.points, mesh.triangles),
        bounds,
        mass,
        report,
        face_tolerance,
        mate: mesh.mate,
        edge_of_side: edges.of_side,
        face_of_triangle: faces.of_triangle,
        planes: faces.planes,
        face_triangles: borders.face_triangles,
        face_start: borders.face_start,
        loop_sides: borders.loop_sides,
        loop_start: borders.loop_start,
        face_loops: borders.face_loops,
        side_of_edge: edges.side,
        edge_class: edges.class,
        side_of_vertex,
        extremal,
        convex,
    })
}

/// For each vertex, the lowest-numbered side that begins there.
fn sides_of_vertices(mesh: &Mesh) -> Vec<u32> {
    let mut side_of = vec![u32::MAX; mesh.points.len()];
    for side in (0..mesh.mate.len() as u32).rev() {
        side_of[mesh.from(side) as usize] = side;
    }
    side_of
}

struct Edges {
    of_side: Vec<u32>,
    side: Vec<u32>,
    class: Vec<EdgeClass>,
}

impl Edges {
    fn of(mesh: &Mesh, faces: &Faces) -> Edges {
        let face = |side: u32| faces.of_triangle[side as usize / 3];
        let mut of_side = vec![NO_EDGE; mesh.mate.len()];
        let mut sides = Vec::new();
        for side in 0..mesh.mate.len() as u32 {
            let mate = mesh.mate[side as usize];
            if side < mate && face(side) != face(mate) {
                of_side[side as usize] = sides.len() as u32;
                of_side[mate as usize] = sides.len() as u32;
                sides.push(side);
            }
        }
        let class = sides
            .par_iter()
            .map(|&side| {
                let mate = mesh.mate[side as usize];
                let plane = |s: u32| -> Plane { faces.planes[face(s) as usize] };
                let far = mesh.points[from(&mesh.triangles, previous(mate)) as usize];
                let along = edge_vector(mesh, side);
                edge_class(along, plane(side).normal, plane(mate).normal, plane(side).distance(far))
            })
            .collect();
        Edges { of_side, side: sides, class }
    }
}

fn edge_vector(mesh: &Mesh, side: u32) -> Vec3 {
    mesh.points[mesh.to(side) as usize] - mesh.points[mesh.from(side) as usize]
}

/// Collects the vectors along the sides that begin where `start` does, with their classes.
fn collect_sides_around(mesh: &Mesh, edges: &Edges, start: u32, around: &mut Vec<(Vec3, EdgeClass)>) {
    around.clear();
    walk(mesh, start, |side| {
        let edge = edges.of_side[side as usize];
        let class = if edge == NO_EDGE { EdgeClass::Flat } else { edges.class[edge as usize] };
        around.push((edge_vector(mesh, side), class));
    });
}

/// Whether the triangles around each vertex turn around it only once. Without concave edges, the angles at a
/// vertex of a convex body sum to at most a full turn; those of a surface that winds twice (a double cone
/// over a pentagram) sum to more.
fn winds_once(mesh: &Mesh, side_of_vertex: &[u32]) -> bool {
    let slack = 1e-3; // far above rounding, far below the next possible turn
    side_of_vertex.par_iter().all(|&start| {
        let mut angle = 0.0;
        walk(mesh, start, |side| {
            let (u, v) = (edge_vector(mesh, side), -edge_vector(mesh, previous(side)));
            angle += u.cross(v).length().atan2(u.dot(v));
        });
        angle <= 2.0 * std::f64::consts::PI + slack
    })
}

/// Visits the sides that begin where `start` does, anticlockwise.
fn walk(mesh: &Mesh, start: u32, mut visit: impl FnMut(u32)) {
    let mut side = start;
    loop {
        visit(side);
        side = mesh.mate[previous(side) as usize];
        if side == start {
            return;
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
    fn of(mesh: &Mesh, faces: &Faces) -> Borders {
        let count = faces.planes.len();
        let mut face_start = vec![0u32; count + 1];
        faces.of_triangle.iter().for_each(|&f| face_start[f as usize + 1] += 1);
        (0..count).for_each(|f| face_start[f + 1] += face_start[f]);
        let mut fill = face_start.clone();
        let mut face_triangles = vec![0u32; mesh.triangles.len()];
        for (t, &f) in faces.of_triangle.iter().enumerate() {
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
        borders.trace(mesh, faces);
        borders
    }

    fn trace(&mut self, mesh: &Mesh, faces: &Faces) {
        let is_border = |side: u32| {
            faces.of_triangle[side as usize / 3] != faces.of_triangle[mesh.mate[side as usize] as usize / 3]
        };
        let mut seen = vec![false; mesh.mate.len()];
        for f in 0..faces.planes.len() {
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
                            side = next(mesh.mate[side as usize]);
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
