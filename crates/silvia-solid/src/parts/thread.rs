//! A cylinder with a helical ridge, outward for a screw or inward for a nut.
//!
//! Points stand in columns, one for each of `segments` angles. A column follows the ridge: where it has gone
//! up by one pitch, after a whole turn, point `i` of the next column is point `i + a pitch's points` of the
//! first. So the edges of the ridge are edges of triangles all along. At both ends the ridge fades away.

use crate::Vec3;
use crate::primitives::turn_fraction;

/// The ridge fades in and out over so many turns.
const FADE: f64 = 0.5;

/// Sides of the profile over one pitch: flank, crest, flank, root.
const SIDES: usize = 4;

pub(super) struct Thread {
    /// Columns.
    pub(super) segments: usize,
    /// Rows of quadrangles on each side of the profile.
    pub(super) rows: usize,
    pub(super) turns: usize,
    pub(super) pitch: f64,
    /// Radius of the cylinder, to the corners of its polygon.
    pub(super) base: f64,
    /// Radius of the top of the ridge; below `base` for a ridge that points inward.
    pub(super) crest: f64,
    /// Half the thickness of the ridge along z at `base`.
    pub(super) half_base: f64,
    /// The same at `crest`.
    pub(super) half_crest: f64,
    /// Height of the middle of the ridge where it begins, at the first column.
    pub(super) start: f64,
    /// Heights of the two ends.
    pub(super) ends: [f64; 2],
}

/// The surface of a thread: points, triangles that face away from the axis, and the rings at its two ends,
/// anticlockwise.
pub(super) struct Surface {
    pub(super) points: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) rings: [Vec<u32>; 2],
}

impl Thread {
    /// How many triangles the surface has.
    pub(super) fn triangles(&self) -> f64 {
        2.0 * self.segments as f64 * (self.points_a_pitch() as f64 * self.turns as f64 + 2.0)
    }

    pub(super) fn surface(&self) -> Surface {
        let (n, last) = (self.segments as u32, self.last());
        let column_points = last + 3;
        let mut points = Vec::with_capacity(self.segments * column_points as usize);
        for column in 0..self.segments {
            let (s, c) = turn_fraction(column, self.segments);
            let mut put = |radius: f64, z: f64| points.push(Vec3::new(radius * c, radius * s, z));
            put(self.base, self.ends[0]);
            for row in 0..=last {
                let (radius, z) = self.point(column, row as usize);
                put(radius, z);
            }
            put(self.base, self.ends[1]);
        }
        // Row -1 is the lower end, `last + 1` the upper.
        let lower = |column: u32| (column % n) * column_points;
        let at = |column: u32, row: u32| lower(column) + 1 + row;
        let mut triangles = Vec::with_capacity(self.triangles() as usize);
        for column in 0..n {
            let is_seam = column + 1 == n;
            // Where the right column is the first, it has one more pitch of points below this row.
            let shift = if is_seam { self.points_a_pitch() as u32 } else { 0 };
            triangles.push([lower(column), lower(column + 1), at(column, 0)]);
            triangles.push([lower(column + 1), at(column + 1, 0), at(column, 0)]);
            for row in 0..shift {
                triangles.push([at(column, 0), at(column + 1, row), at(column + 1, row + 1)]);
            }
            for row in 0..last - shift {
                let (a, b) = (at(column, row), at(column + 1, row + shift));
                triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
            }
            for row in last - shift..last {
                triangles.push([at(column, row), at(column + 1, last), at(column, row + 1)]);
            }
            let (a, b) = (at(column, last), at(column + 1, last));
            triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
        }
        let ring = |row: u32| (0..n).map(|column| column * column_points + row).collect();
        Surface { points, triangles, rings: [ring(0), ring(column_points - 1)] }
    }

    fn points_a_pitch(&self) -> usize {
        SIDES.saturating_mul(self.rows)
    }

    /// The last row of a column.
    fn last(&self) -> u32 {
        (self.points_a_pitch() * self.turns) as u32
    }

    /// Radius and height of a point of the ridge.
    fn point(&self, column: usize, row: usize) -> (f64, f64) {
        let (turn, rest) = (row / self.points_a_pitch(), row % self.points_a_pitch());
        let along = turn as f64 + column as f64 / self.segments as f64;
        let fade = (along.min(self.turns as f64 - along) / FADE).clamp(0.0, 1.0);
        let share = (rest % self.rows) as f64 / self.rows as f64;
        let mix = |from: f64, to: f64| from + (to - from) * share;
        let (rise, off) = match rest / self.rows {
            0 => (share, mix(-self.half_base, -self.half_crest)),
            1 => (1.0, mix(-self.half_crest, self.half_crest)),
            2 => (1.0 - share, mix(self.half_crest, self.half_base)),
            _ => (0.0, mix(self.half_base, self.pitch - self.half_base)),
        };
        let radius = self.base + (self.crest - self.base) * rise * fade;
        (radius, self.start + self.pitch * along + off)
    }
}
