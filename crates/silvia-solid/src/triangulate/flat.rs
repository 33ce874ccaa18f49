//! Projection of a polygon: two of its three coordinates, unchanged.

use crate::Vec3;
use robust::Coord;

/// The coordinates to keep, in the order that makes the polygon anticlockwise.
pub(crate) struct Flat {
    u: usize,
    v: usize,
}

impl Flat {
    /// Drops the largest coordinate of `normal`. What is anticlockwise seen against `normal` stays
    /// anticlockwise.
    pub(crate) fn along(normal: Vec3) -> Flat {
        let size = normal.abs();
        let dropped = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (u, v) = ((dropped + 1) % 3, (dropped + 2) % 3);
        if normal[dropped] >= 0.0 { Flat { u, v } } else { Flat { u: v, v: u } }
    }

    /// The projection in which a polygon is anticlockwise and largest; `None` if it has no area.
    pub(super) fn facing(points: &[Vec3], corners: &[u32]) -> Option<Flat> {
        let at = |i: usize| points[corners[i % corners.len()] as usize];
        // Newell's normal: twice the vector area, from differences, so that a distant polygon loses no
        // digits.
        let base = at(0);
        let normal: Vec3 = (0..corners.len()).map(|i| (at(i) - base).cross(at(i + 1) - base)).sum();
        (normal != Vec3::ZERO && normal.is_finite()).then(|| Flat::along(normal))
    }

    /// Projects a point.
    pub(crate) fn see(&self, p: Vec3) -> Coord<f64> {
        Coord { x: p[self.u], y: p[self.v] }
    }
}

/// Positive if the corner at `b` between `a` and `c` turns left; exact.
pub(crate) fn turn(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> f64 {
    robust::orient2d(a, b, c)
}

/// Whether `q` is on the segment from `a` to `b` but at neither end; exact.
pub(super) fn strictly_between(q: Coord<f64>, a: Coord<f64>, b: Coord<f64>) -> bool {
    let in_box = |q: f64, a: f64, b: f64| (a <= q && q <= b) || (b <= q && q <= a);
    q != a && q != b && in_box(q.x, a.x, b.x) && in_box(q.y, a.y, b.y) && turn(a, b, q) == 0.0
}

/// Whether two segments cross at a point inside both; exact.
pub(super) fn properly_cross(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>, d: Coord<f64>) -> bool {
    let opposite = |s: f64, t: f64| (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0);
    opposite(turn(a, b, c), turn(a, b, d)) && opposite(turn(c, d, a), turn(c, d, b))
}

/// Whether the direction from `at` to `q` is strictly inside the sector from `from` anticlockwise to `to`. A
/// sector whose two sides point the same way is a full turn.
pub(crate) fn in_sector(at: Coord<f64>, from: Coord<f64>, to: Coord<f64>, q: Coord<f64>) -> bool {
    let (left_of_from, left_of_to) = (turn(at, from, q), turn(at, to, q));
    let opening = turn(at, from, to);
    if opening > 0.0 {
        left_of_from > 0.0 && left_of_to < 0.0
    } else if opening < 0.0 {
        !(left_of_from <= 0.0 && left_of_to >= 0.0)
    } else if points_along(at, from, to) {
        !(left_of_from == 0.0 && points_along(at, from, q))
    } else {
        left_of_from > 0.0
    }
}

/// For three points on one line: whether `a` and `b` are on the same side of `at`.
fn points_along(at: Coord<f64>, a: Coord<f64>, b: Coord<f64>) -> bool {
    let same = |at: f64, a: f64, b: f64| (a > at && b > at) || (a < at && b < at);
    same(at.x, a.x, b.x) || same(at.y, a.y, b.y)
}
