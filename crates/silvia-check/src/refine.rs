//! Finds the deepest point of triangles in a closed mesh by branch and bound over the triangles.

use crate::mesh::Mesh;
use crate::nearest;
use silvia_solid::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How many points are measured. If that is not enough (for surfaces that nearly coincide), the deepest point
/// so far is returned.
const BUDGET: usize = 2000;

/// The search ends when no point can be deeper by more than this fraction.
const CLOSE: f64 = 1e-6;

/// A part of a triangle, and an upper bound of the depth of its points.
struct Cell {
    upper: f64,
    number: usize,
    corners: [Vec3; 3],
}

/// The greatest depth of any point of some triangles below the surface of a mesh, in its frame, m; `known` if
/// none is deeper.
pub(crate) fn deepest(mesh: &Mesh, triangles: impl IntoIterator<Item = [Vec3; 3]>, known: f64) -> f64 {
    let mut search = Search { mesh, depth: known, measured: 0, cells: BinaryHeap::new() };
    for corners in triangles {
        for p in corners {
            search.measure(p);
        }
        search.add(corners);
    }
    // The given triangles themselves do not count against the budget: all of them are measured.
    search.measured = 0;
    while let Some(Cell { upper, corners, .. }) = search.cells.pop() {
        if upper <= search.depth * (1.0 + CLOSE) || search.measured >= BUDGET {
            break;
        }
        let [a, b, c] = corners;
        let [ab, bc, ca] = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)];
        for p in [ab, bc, ca] {
            search.measure(p);
        }
        for cell in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            search.add(cell);
        }
    }
    search.depth
}

struct Search<'a> {
    mesh: &'a Mesh,
    depth: f64,
    measured: usize,
    cells: BinaryHeap<Cell>,
}

impl Search<'_> {
    fn measure(&mut self, p: Vec3) -> (f64, u32) {
        self.measured += 1;
        let (depth, nearest) = self.mesh.signed_nearest(p);
        self.depth = self.depth.max(depth);
        (depth, nearest)
    }

    /// Depth has slope at most 1. A point is also no deeper than its distance to any one triangle of the
    /// surface, which is largest at a corner.
    fn add(&mut self, corners: [Vec3; 3]) {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let most = |f: &dyn Fn(Vec3) -> f64| corners.map(f).into_iter().fold(0.0, f64::max);
        let (depth, triangle) = self.measure(middle);
        let mut upper = depth + most(&|p| p.distance(middle));
        if depth > 0.0 {
            let surface = self.mesh.corners(triangle);
            upper = upper.min(most(&|p| nearest::on_triangle(&surface, p).0.distance(p)));
        }
        if upper > self.depth {
            self.cells.push(Cell { upper, number: self.measured, corners });
        }
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        self.upper.total_cmp(&other.upper).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}
