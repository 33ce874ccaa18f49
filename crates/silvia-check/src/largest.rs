//! Maximises a concave function on a segment, a triangle or a box by nested golden-section search.
//!
//! The value is accurate to rounding, or to the function's slope times the last interval; the location only
//! to the square root of that.

use silvia_solid::Vec3;

/// Sections of an interval: 0.618 to this power is 1e-12 of its length.
const SECTIONS: usize = 57;

/// Sections for three nested intervals, where each one costs: 2e-10.
pub(crate) const FINE: usize = 46;

/// Sections for an approximate location: 1e-6.
pub(crate) const COARSE: usize = 28;

/// The ratio of the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A location and the value there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Top {
    pub(crate) at: Vec3,
    pub(crate) value: f64,
}

/// The maximum on the segment between two points.
pub(crate) fn on_segment([a, b]: [Vec3; 2], mut f: impl FnMut(Vec3) -> f64) -> Top {
    section(SECTIONS, |u| {
        let at = a.lerp(b, u);
        Top { at, value: f(at) }
    })
}

/// The maximum on a triangle.
pub(crate) fn on_triangle([a, b, c]: [Vec3; 3], mut f: impl FnMut(Vec3) -> f64) -> Top {
    section(SECTIONS, |u| {
        let ends = [a.lerp(b, u), a.lerp(c, u)];
        on_segment(ends, &mut f)
    })
}

/// The maximum on the box from `-half` to `half`, by the given number of sections per side.
pub(crate) fn on_box(sections: usize, half: Vec3, mut f: impl FnMut(Vec3) -> f64) -> Top {
    let along = |u: f64, half: f64| (2.0 * u - 1.0) * half;
    section(sections, |u| {
        section(sections, |v| {
            section(sections, |w| {
                let at = Vec3::new(along(u, half.x), along(v, half.y), along(w, half.z));
                Top { at, value: f(at) }
            })
        })
    })
}

/// The maximum on the square from `-half` to `half` in the plane through a point along two directions.
pub(crate) fn on_square(
    middle: Vec3,
    [e, f]: [Vec3; 2],
    half: f64,
    mut function: impl FnMut(Vec3) -> f64,
) -> Top {
    let ends = [middle - half * e, middle + half * e];
    section(SECTIONS, |u| {
        let at = ends[0].lerp(ends[1], u);
        on_segment([at - half * f, at + half * f], &mut function)
    })
}

/// The maximum on the interval from 0 to 1: the best of all values tried.
fn section(count: usize, mut f: impl FnMut(f64) -> Top) -> Top {
    let better = |p: Top, q: Top| if q.value > p.value { q } else { p };
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = better(f(low), f(high));
    let (mut left, mut right) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..count {
        best = better(better(best, at_left), at_right);
        if at_left.value >= at_right.value {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = f(right);
        }
    }
    better(better(best, at_left), at_right)
}
