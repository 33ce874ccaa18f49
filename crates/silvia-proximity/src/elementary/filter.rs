//! Nearly all pairs are decided here, in floating point with bounds on its errors.
//!
//! With A, B, C the ways from point 0 to the others, f = A · (B × C) is zero where the pair is in one plane.
//! Seen along an axis k, let U = (B × C)_k, V = (C × A)_k, W = (A × B)_k and S = U + V + W. A vertex in the
//! face makes U, V and W agree in sign; edges that cross make V and W agree and U and S disagree. All are
//! polynomials of time, bounded over an interval by their Bernstein coefficients. So an interval is free if f
//! keeps its sign there, or if two that must agree differ; and there is a touch if f changes sign while all
//! is strictly as it should be.

use super::place::{Seen, apart, seen};
use super::{Kind, MovingPair, TIME_RESOLUTION, Touch};
use silvia_solid::Vec3;

/// What floating point can tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// They do not touch.
    Free,
    /// They touch first in this interval, which may be wider than [`TIME_RESOLUTION`].
    Touch(Touch),
    /// Exact arithmetic must decide; before this time they do not touch.
    Unsure { free_until: f64 },
}

/// Half the spacing of numbers at 1: the relative error of one operation.
const U: f64 = 0.5 * f64::EPSILON;
/// Bounds the error of each Bernstein coefficient of f, as a multiple of the product of the extents. A
/// coefficient is a mean of 6 or 18 products of three differences; each carries at most 14 roundings.
const F_ERROR: f64 = 6.0 * 16.0 * U;
/// The same of U, V, W and S, as a multiple of the product of two extents: S is a mean of at most 12 products
/// of two differences, each with at most 10 roundings.
const Q_ERROR: f64 = 6.0 * 16.0 * U;
/// What rounding coefficients (8 U) and restricting a polynomial to a part of the interval (at most 4
/// roundings in each of 3 mixtures) add, as a multiple of the largest coefficient.
const CUT_ERROR: f64 = 32.0 * U;
/// Extents beyond this (m) go to exact arithmetic, so that nothing overflows and what underflows stays below
/// [`TINY`].
const LARGEST: f64 = (1u128 << 100) as f64;
/// More than all underflow can add: products of three differences up to 2^100, lost below 2^-1074.
const TINY: f64 = f64::from_bits((1023 - 900) << 52);

/// Examines a pair from time 0 to `until`, which is in [0, 1].
#[inline]
pub(super) fn examine(pair: &MovingPair, until: f64) -> Verdict {
    if apart_along_an_axis(pair) {
        return Verdict::Free;
    }
    let [a0, b0, c0] = [1, 2, 3].map(|i| pair.start[i] - pair.start[0]);
    let [a1, b1, c1] = [1, 2, 3].map(|i| pair.end[i] - pair.end[0]);
    let e = a0.abs().max(b0.abs()).max(c0.abs()).max(a1.abs()).max(b1.abs()).max(c1.abs());
    if e.max_element() > LARGEST {
        return Verdict::Unsure { free_until: 0.0 };
    }
    let product = |x0: Vec3, x1: Vec3, y0: Vec3, y1: Vec3| {
        [x0.cross(y0), 0.5 * (x0.cross(y1) + x1.cross(y0)), x1.cross(y1)]
    };
    let u = product(b0, b1, c0, c1);
    const THIRD: f64 = 1.0 / 3.0;
    let f = [
        a0.dot(u[0]),
        THIRD * (a1.dot(u[0]) + 2.0 * a0.dot(u[1])),
        THIRD * (2.0 * a1.dot(u[1]) + a0.dot(u[2])),
        a1.dot(u[2]),
    ];
    let f_error = F_ERROR * (e.x * e.y * e.z) + TINY;
    if one_sign(&f, f_error) != 0 {
        return Verdict::Free;
    }
    let v = product(c0, c1, a0, a1);
    let w = product(a0, a1, b0, b1);
    let q_error = Q_ERROR * Vec3::new(e.y * e.z, e.z * e.x, e.x * e.y) + Vec3::splat(TINY);
    let view = |axis: usize| {
        let [u, v, w] = [&u, &v, &w].map(|q| [q[0][axis], q[1][axis], q[2][axis]]);
        View::new([u, v, w, std::array::from_fn(|i| u[i] + v[i] + w[i])], q_error[axis])
    };
    search(pair.kind, &Cubic::new(f, f_error), [view(0), view(1), view(2)], until)
}

/// Whether one of the two stays beyond the other along a coordinate axis. Exact: what is linear in time and
/// positive at both ends is positive between.
#[inline]
pub(super) fn apart_along_an_axis(pair: &MovingPair) -> bool {
    let (below, above) = match pair.kind {
        Kind::VertexFace => {
            let beyond =
                |p: &[Vec3; 4]| (p[0].cmplt(p[1].min(p[2]).min(p[3])), p[0].cmpgt(p[1].max(p[2]).max(p[3])));
            let ((b0, a0), (b1, a1)) = (beyond(&pair.start), beyond(&pair.end));
            (b0 & b1, a0 & a1)
        }
        Kind::EdgeEdge => {
            let beyond =
                |p: &[Vec3; 4]| (p[0].max(p[1]).cmplt(p[2].min(p[3])), p[0].min(p[1]).cmpgt(p[2].max(p[3])));
            let ((b0, a0), (b1, a1)) = (beyond(&pair.start), beyond(&pair.end));
            (b0 & b1, a0 & a1)
        }
    };
    (below | above).any()
}

/// Examines the times from 0 to `until`, given f and what is seen along the three axes.
pub(super) fn search(kind: Kind, f: &Cubic, mut views: [View; 3], until: f64) -> Verdict {
    if views.iter().any(|view| apart(kind, view.signs(0.0, until).map(|s| s.unwrap_or(0)))) {
        return Verdict::Free;
    }
    largest_first(kind, &mut views);
    part(kind, f, &views, 0.0, until, MOST_HALVINGS)
}

/// Examines the times from 0 to 1 of a pair that stays in one plane and does not touch at the start.
pub(super) fn search_in_plane(kind: Kind, mut views: [View; 3]) -> Verdict {
    largest_first(kind, &mut views);
    part_in_plane(kind, &views[0], 0.0, 1.0)
}

/// The axis along which the pair looks largest comes first.
fn largest_first(kind: Kind, views: &mut [View; 3]) {
    views.sort_by(|a, b| b.size(kind).total_cmp(&a.size(kind)));
}

/// Examines the times from `low` to `high`: halves, until what is left is short and they touch at its end.
fn part_in_plane(kind: Kind, view: &View, low: f64, high: f64) -> Verdict {
    let signs = view.signs(low, high);
    if apart(kind, signs.map(|s| s.unwrap_or(0))) {
        return Verdict::Free;
    }
    if high - low > TIME_RESOLUTION {
        let middle = 0.5 * (low + high);
        return match part_in_plane(kind, view, low, middle) {
            Verdict::Free => part_in_plane(kind, view, middle, high),
            other => other,
        };
    }
    // The one sign that is not known says which side is crossed here.
    let crossing = signs.iter().filter(|s| s.is_none()).count() == 1;
    match view.signs(high, high) {
        [Some(u), Some(v), Some(w), Some(s)] if crossing => {
            match (seen(kind, [u, v, w, s]), seen(kind, signs.map(|s| s.unwrap_or(0)))) {
                (Seen::At(_), Seen::At(place)) => Verdict::Touch(Touch { lower: low, upper: high, place }),
                _ => Verdict::Unsure { free_until: low },
            }
        }
        _ => Verdict::Unsure { free_until: low },
    }
}

/// How often an interval is halved before exact arithmetic takes over: enough to part the roots of all but
/// close to degenerate cubics.
const MOST_HALVINGS: u32 = 6;

/// Examines the times from `low` to `high`.
fn part(kind: Kind, f: &Cubic, views: &[View; 3], low: f64, high: f64, halvings: u32) -> Verdict {
    let b = f.over(low, high);
    if one_sign(&b, f.error) != 0 || apart(kind, views[0].signs(low, high).map(|s| s.unwrap_or(0))) {
        return Verdict::Free;
    }
    let ends_differ = b[0].abs() > f.error && b[3].abs() > f.error && (b[0] < 0.0) != (b[3] < 0.0);
    if ends_differ && sign_changes(&b) == 1 {
        let verdict = around_root(kind, f, views, low, high, &b);
        if !matches!(verdict, Verdict::Unsure { .. }) {
            return verdict;
        }
    }
    if halvings == 0 {
        return Verdict::Unsure { free_until: low };
    }
    let middle = 0.5 * (low + high);
    match part(kind, f, views, low, middle, halvings - 1) {
        Verdict::Free => part(kind, f, views, middle, high, halvings - 1),
        other => other,
    }
}

/// Examines an interval with one root of f, whose coefficients there are `b`.
fn around_root(kind: Kind, f: &Cubic, views: &[View; 3], low: f64, high: f64, b: &[f64; 4]) -> Verdict {
    let (root, slope) = root(b);
    let width = high - low;
    // Twice as far as the error can move the root, and no finer than what is asked; an interval of no width
    // has none.
    let reach = (4.0 * f.error / slope.abs()).max(0.25 * TIME_RESOLUTION / width);
    if reach.is_nan() || reach > 0.125 {
        return Verdict::Unsure { free_until: low };
    }
    let lower = (low + (root - reach) * width).max(low);
    let upper = (low + (root + reach) * width).min(high);
    let sign = if b[0] < 0.0 { -1 } else { 1 };
    if one_sign(&f.over(low, lower), f.error) != sign || one_sign(&f.over(upper, high), f.error) != -sign {
        return Verdict::Unsure { free_until: low };
    }
    for view in views {
        match view.signs(lower, upper) {
            [Some(u), Some(v), Some(w), Some(s)] => match seen(kind, [u, v, w, s]) {
                Seen::Apart => return Verdict::Free,
                Seen::At(place) => return Verdict::Touch(Touch { lower, upper, place }),
                Seen::EdgeOn => {}
            },
            signs if apart(kind, signs.map(|s| s.unwrap_or(0))) => return Verdict::Free,
            _ => {}
        }
    }
    Verdict::Unsure { free_until: lower }
}

/// f by its Bernstein coefficients over [0, 1].
pub(super) struct Cubic {
    b: [f64; 4],
    /// The bound on the error of each coefficient, over any part of the interval.
    error: f64,
}

impl Cubic {
    /// Of coefficients with errors up to `error`, beside a relative one of up to 8 U.
    #[inline]
    pub(super) fn new(b: [f64; 4], error: f64) -> Cubic {
        let most = b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        Cubic { b, error: error + CUT_ERROR * most }
    }

    /// The Bernstein coefficients over a part of the interval.
    #[inline]
    fn over(&self, low: f64, high: f64) -> [f64; 4] {
        let blossom = |r: f64, s: f64, t: f64| {
            let [a, b, c, d] = self.b;
            let (ab, bc, cd) = (mix(a, b, r), mix(b, c, r), mix(c, d, r));
            mix(mix(ab, bc, s), mix(bc, cd, s), t)
        };
        [blossom(low, low, low), blossom(low, low, high), blossom(low, high, high), blossom(high, high, high)]
    }
}

/// U, V, W and S as seen along an axis, by their Bernstein coefficients over [0, 1].
pub(super) struct View {
    q: [[f64; 3]; 4],
    /// The bounds on the errors of the coefficients, over any part of the interval.
    error: [f64; 4],
}

impl View {
    /// Of coefficients with errors up to `error`, beside a relative one of up to 8 U. Without error, zeros
    /// are exact.
    #[inline]
    pub(super) fn new(q: [[f64; 3]; 4], error: f64) -> View {
        let most = |b: [f64; 3]| b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        View { q, error: q.map(|b| error + CUT_ERROR * most(b)) }
    }

    /// The signs over a part of the interval; `None` is unknown, and 0 only what is zero throughout.
    #[inline]
    fn signs(&self, low: f64, high: f64) -> [Option<i32>; 4] {
        std::array::from_fn(|i| {
            let [a, b, c] = self.q[i];
            let blossom = |s: f64, t: f64| mix(mix(a, b, s), mix(b, c, s), t);
            let over = [blossom(low, low), blossom(low, high), blossom(high, high)];
            match one_sign(&over, self.error[i]) {
                0 if self.error[i] == 0.0 => Some(0),
                0 => None,
                sign => Some(sign),
            }
        })
    }

    /// How large the pair looks halfway: the normal's component, of all that it is made of.
    fn size(&self, kind: Kind) -> f64 {
        let [u, v, w, _] = self.q.map(|b| b[1]);
        let normal = if kind == Kind::EdgeEdge { v + w } else { u + v + w };
        normal.abs() / (u.abs() + v.abs() + w.abs() + TINY)
    }
}

/// The only root in [0, 1] of a cubic in Bernstein form that changes sign, and the slope there. Roughly:
/// bisection keeps Newton's method in bounds.
pub(super) fn root(f: &[f64; 4]) -> (f64, f64) {
    let c = [f[0], 3.0 * (f[1] - f[0]), 3.0 * (f[2] - 2.0 * f[1] + f[0]), f[3] - f[0] + 3.0 * (f[1] - f[2])];
    let value = |t: f64| ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
    let slope = |t: f64| (3.0 * c[3] * t + 2.0 * c[2]) * t + c[1];
    let (mut low, mut high) = (0.0, 1.0);
    let mut t = f[0] / (f[0] - f[3]);
    /// Newton's method has converged long before; a cubic that needs more goes to exact arithmetic.
    const MOST_STEPS: usize = 40;
    for _ in 0..MOST_STEPS {
        let v = value(t);
        if (v < 0.0) == (f[0] < 0.0) {
            low = t;
        } else {
            high = t;
        }
        let mut next = t - v / slope(t);
        if !(next >= low && next <= high) {
            next = 0.5 * (low + high);
        }
        if (next - t).abs() < 0.125 * TIME_RESOLUTION {
            t = next;
            break;
        }
        t = next;
    }
    (t, slope(t))
}

/// The sign of all coefficients, 0 if they differ or one is not certain.
#[inline(always)]
fn one_sign(b: &[f64], error: f64) -> i32 {
    if b.iter().all(|&x| x > error) {
        1
    } else if b.iter().all(|&x| x < -error) {
        -1
    } else {
        0
    }
}

#[inline(always)]
fn sign_changes(f: &[f64; 4]) -> usize {
    f.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count()
}

#[inline(always)]
fn mix(a: f64, b: f64, t: f64) -> f64 {
    (1.0 - t) * a + t * b
}
