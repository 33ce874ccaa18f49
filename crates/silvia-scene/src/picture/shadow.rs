//! Shadow map: the heights of bodies as seen from the sun.

use silvia_solid::Vec3;

/// How far bodies reach towards the sun, over a square perpendicular to its direction.
pub(super) struct Shadow {
    /// Right and up as seen along the light, and the direction towards the sun.
    axes: [Vec3; 3],
    /// The lower left corner of the square, m.
    corner: [f64; 2],
    /// Side of a cell, m.
    cell: f64,
    /// Height towards the sun, m; minus infinity where nothing is.
    heights: Vec<f32>,
    /// Blocks of cells that have something in them or next to them.
    blocks: Vec<bool>,
    /// A point this far below a height, m, is on the same surface.
    bias: f64,
}

/// Number of cells along a side.
const CELLS: usize = 2048;
/// Number of cells along a side of a block.
const BLOCK: usize = 16;
/// Number of samples to each side of a point: their mean softens the edges.
const SAMPLES: i32 = 2;
/// Distance between samples, cells.
const SPREAD: f64 = 2.2;
/// How far a surface may be below its own heights, in cells: it is sampled at cell centres and tilted.
const BIAS: f64 = 4.0;

impl Shadow {
    /// An empty map for bodies within a ball.
    pub(super) fn new(sun: Vec3, middle: Vec3, radius: f64) -> Shadow {
        let (right, up) = sun.any_orthonormal_pair();
        let axes = [right, up, sun];
        let corner = [right, up].map(|axis| axis.dot(middle) - radius);
        let cell = 2.0 * radius / CELLS as f64;
        let blocks = vec![false; (CELLS / BLOCK).pow(2)];
        let heights = vec![f32::NEG_INFINITY; CELLS * CELLS];
        Shadow { axes, corner, cell, heights, blocks, bias: BIAS * cell }
    }

    /// Adds a triangle that casts a shadow.
    pub(super) fn add(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners.map(|p| self.seen(p));
        let area = cross(a, b, c);
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let cells = |low: f64, high: f64| {
            let range = |x: f64| x.clamp(0.0, CELLS as f64) as usize;
            range((low - 0.5).ceil())..range((high + 0.5).floor())
        };
        for y in cells(low.y, high.y) {
            for x in cells(low.x, high.x) {
                let p = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let weights = [cross(b, c, p) / area, cross(c, a, p) / area, cross(a, b, p) / area];
                if weights.iter().all(|&w| w >= 0.0) {
                    let height = (weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) as f32;
                    let known = &mut self.heights[y * CELLS + x];
                    *known = known.max(height);
                }
            }
        }
    }

    /// Call after adding all triangles: finds the empty blocks.
    pub(super) fn finish(&mut self) {
        let side = CELLS / BLOCK;
        for y in 0..side {
            for x in 0..side {
                let mut rows = (y * BLOCK).saturating_sub(BLOCK)..((y + 2) * BLOCK).min(CELLS);
                let columns = (x * BLOCK).saturating_sub(BLOCK)..((x + 2) * BLOCK).min(CELLS);
                self.blocks[y * side + x] = rows.any(|row| {
                    let row = &self.heights[row * CELLS + columns.start..row * CELLS + columns.end];
                    row.iter().any(|height| *height > f32::NEG_INFINITY)
                });
            }
        }
    }

    /// The fraction of the sun that reaches a point, from 0 to 1.
    pub(super) fn lit(&self, point: Vec3) -> f64 {
        let seen = self.seen(point);
        let inside = |x: f64| (0.0..CELLS as f64).contains(&x);
        if !inside(seen.x) || !inside(seen.y) {
            return 1.0;
        }
        let block = (seen.y as usize / BLOCK) * (CELLS / BLOCK) + seen.x as usize / BLOCK;
        if !self.blocks[block] {
            return 1.0;
        }
        let (mut lit, mut count) = (0.0, 0.0);
        for i in -SAMPLES..=SAMPLES {
            for j in -SAMPLES..=SAMPLES {
                let (x, y) = (seen.x + SPREAD * f64::from(i), seen.y + SPREAD * f64::from(j));
                count += 1.0;
                if !inside(x) || !inside(y) {
                    lit += 1.0;
                    continue;
                }
                // A soft step over the bias avoids hard edges where the sample changes cells.
                let above = f64::from(self.heights[y as usize * CELLS + x as usize]) - seen.z;
                lit += (2.0 - above / self.bias).clamp(0.0, 1.0);
            }
        }
        lit / count
    }

    /// Coordinates in cells, and the height in m.
    fn seen(&self, p: Vec3) -> Vec3 {
        let place = |axis: usize| (p.dot(self.axes[axis]) - self.corner[axis]) / self.cell;
        Vec3::new(place(0), place(1), p.dot(self.axes[2]))
    }
}

fn cross(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
