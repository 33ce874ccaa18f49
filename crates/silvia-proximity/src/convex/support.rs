//! The furthest vertex along a direction, by walking up the edges.

use super::ConvexData;
use silvia_solid::Vec3;

/// Where to start walking: for directions spread over the six sides of a cube, the vertex furthest along
/// each.
#[derive(Debug)]
pub(crate) struct Compass {
    /// Cells along each side of the cube.
    cells: usize,
    /// `6 cells²` vertices.
    vertices: Vec<u32>,
}

/// Vertices for one cell of the compass, about: a walk from the cell's vertex then takes a step or two.
const VERTICES_PER_CELL: f64 = 4.0;
/// At most so many cells along a side of the cube.
const MOST_CELLS: f64 = 16.0;

impl ConvexData {
    /// The vertex furthest along a direction.
    pub(crate) fn support(&self, direction: Vec3) -> u32 {
        self.climb(self.compass.start(direction), direction)
    }

    /// From a vertex up the steepest edges to the vertex furthest along a direction: on a convex body there
    /// is no other top. What rises is decided by the edge's own direction, not by the difference of two
    /// heights, so that rounding is that of the slope: an edge too short to change a height still counts.
    pub(crate) fn climb(&self, start: u32, direction: Vec3) -> u32 {
        let mut vertex = start;
        // Where slopes are nothing but rounding the walk could go round in a circle; no walk is longer than
        // this.
        for _ in 0..self.points.len() {
            let (mut steepest, mut next) = (0.0, vertex);
            for spoke in self.spokes_of(vertex) {
                let slope = spoke.plane.normal.dot(direction);
                if slope > steepest {
                    (steepest, next) = (slope, spoke.far);
                }
            }
            if next == vertex {
                break;
            }
            vertex = next;
        }
        vertex
    }

    /// Fills the compass; the spokes must be there.
    pub(super) fn fill_compass(&mut self) {
        let wanted = (self.points.len() as f64 / (6.0 * VERTICES_PER_CELL)).sqrt();
        let cells = wanted.ceil().clamp(1.0, MOST_CELLS) as usize;
        // A point within a face, by rounding, has no spokes and is no place to start from.
        let mut vertex = (0..self.points.len() as u32).find(|&v| !self.spokes_of(v).is_empty()).unwrap_or(0);
        let mut vertices = Vec::with_capacity(6 * cells * cells);
        for side in 0..6 {
            for cell in 0..cells * cells {
                vertex = self.climb(vertex, Compass::direction(cells, side, cell));
                vertices.push(vertex);
            }
        }
        self.compass = Compass { cells, vertices };
    }
}

impl Compass {
    /// One that knows nothing: starts at vertex 0.
    pub(super) fn blank() -> Compass {
        Compass { cells: 1, vertices: vec![0; 6] }
    }

    fn start(&self, d: Vec3) -> u32 {
        let size = d.abs();
        let (axis, u, v) = if size.x >= size.y && size.x >= size.z {
            (0, d.y / size.x, d.z / size.x)
        } else if size.y >= size.z {
            (1, d.z / size.y, d.x / size.y)
        } else {
            (2, d.x / size.z, d.y / size.z)
        };
        let side = 2 * axis + usize::from(d[axis] < 0.0);
        // A NaN, of a zero direction, becomes cell 0.
        let cell = |x: f64| (((0.5 * (x + 1.0)) * self.cells as f64) as usize).min(self.cells - 1);
        self.vertices[(side * self.cells + cell(u)) * self.cells + cell(v)]
    }

    /// The middle of a cell.
    fn direction(cells: usize, side: usize, cell: usize) -> Vec3 {
        let middle = |i: usize| (2 * i + 1) as f64 / cells as f64 - 1.0;
        let (u, v) = (middle(cell / cells), middle(cell % cells));
        let sign = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
        match side / 2 {
            0 => Vec3::new(sign, u, v),
            1 => Vec3::new(v, sign, u),
            _ => Vec3::new(u, v, sign),
        }
    }
}
