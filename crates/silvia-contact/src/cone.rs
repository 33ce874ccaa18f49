//! One contact: Coulomb's cone, the projection on it, and the exact solution of a contact alone.
//!
//! Vectors are (normal, tangent 1, tangent 2) everywhere.

use crate::matrix::Block;

/// `sqrt(a² + b²)`; by squares, which is many times quicker than `hypot`, unless these leave the range of
/// numbers.
#[inline]
pub(crate) fn length(a: f64, b: f64) -> f64 {
    let square = a * a + b * b;
    if square > 1e-280 && square < 1e280 { square.sqrt() } else { a.hypot(b) }
}

/// Where a point lies as the cone `|r_T| <= mu r_N` sees it.
enum Place {
    /// Nearest to the tip.
    Opposite,
    Inside,
    /// Nearest to the surface; how long the point's tangential part is.
    Beside {
        tangent: f64,
    },
}

impl Place {
    #[inline]
    fn of(z: [f64; 3], mu: f64) -> Place {
        let tangent = length(z[1], z[2]);
        // First what is opposite: without friction and without a tangent, the other test is passed by both
        // ends of the normal.
        if mu * tangent <= -z[0] {
            Place::Opposite
        } else if tangent <= mu * z[0] {
            Place::Inside
        } else {
            Place::Beside { tangent }
        }
    }
}

/// The point of the cone `|r_T| <= mu r_N` that is closest to `z`.
#[inline]
pub fn project(z: [f64; 3], mu: f64) -> [f64; 3] {
    match Place::of(z, mu) {
        Place::Opposite => [0.0; 3],
        Place::Inside => z,
        Place::Beside { tangent } => {
            let normal = (z[0] + mu * tangent) / (1.0 + mu * mu);
            // `tangent` is positive here: it exceeds mu z_N, and -z_N / mu where mu is positive; where mu is
            // zero the factor is zero.
            let factor = if tangent > 0.0 { mu * normal / tangent } else { 0.0 };
            [normal, factor * z[1], factor * z[2]]
        }
    }
}

/// The natural map of one contact with rho = 1: `r - P(r - v)` with `v = u + mu |u_T| n`, zero exactly where
/// `r` and `u` obey unilateral contact and Coulomb's law (De Saxcé's form).
///
/// Impulses may be so large that `r - v` no longer shows the velocities; so what sticks or slides is taken as
/// `v` and the way from the cone to `r - v`, in which they are not lost.
#[inline]
pub fn natural_map(r: [f64; 3], u: [f64; 3], mu: f64) -> [f64; 3] {
    let v = [u[0] + mu * length(u[1], u[2]), u[1], u[2]];
    let z = [r[0] - v[0], r[1] - v[1], r[2] - v[2]];
    match Place::of(z, mu) {
        Place::Opposite => r,
        Place::Inside => v,
        Place::Beside { tangent } => {
            let outside = (tangent - mu * z[0]) / (1.0 + mu * mu);
            let factor = if tangent > 0.0 { outside / tangent } else { 0.0 };
            [v[0] - mu * outside, v[1] + factor * z[1], v[2] + factor * z[2]]
        }
    }
}

/// Bisection never needs more halvings than an `f64` interval has.
const MOST_ROOT_STEPS: usize = 100;

/// A root is as exact as it gets when its bracket has shrunk to this fraction: a few units in the last place.
const ROOT_PRECISION: f64 = 4.0 * f64::EPSILON;

/// The impulse of one contact with `u = w r + b`, all else held: opening, sticking or sliding, exactly.
///
/// `None` where `w` cannot answer a push along the normal (`w_NN <= 0`) although the contact closes.
pub fn solve_alone(w: &Block, b: [f64; 3], mu: f64) -> Option<[f64; 3]> {
    if b[0] >= 0.0 {
        return Some([0.0; 3]);
    }
    if w[0] <= 0.0 {
        return None;
    }
    if mu == 0.0 {
        return Some([-b[0] / w[0], 0.0, 0.0]);
    }
    // With u_N = 0 the normal impulse follows from the tangential one, and u_T = s r_T + c remains.
    let s = [
        w[4] - w[3] * w[1] / w[0],
        w[5] - w[3] * w[2] / w[0],
        w[7] - w[6] * w[1] / w[0],
        w[8] - w[6] * w[2] / w[0],
    ];
    let c = [b[1] - w[3] * b[0] / w[0], b[2] - w[6] * b[0] / w[0]];
    let normal = |t: [f64; 2]| -(b[0] + w[1] * t[0] + w[2] * t[1]) / w[0];
    // Friction opposes sliding: u_T = -lambda r_T with lambda >= 0, so (s + lambda) r_T = -c.
    let tangent = |lambda: f64| {
        let (a, d) = (s[0] + lambda, s[3] + lambda);
        let det = a * d - s[1] * s[2];
        [(s[1] * c[1] - d * c[0]) / det, (s[2] * c[0] - a * c[1]) / det]
    };
    // Positive outside the cone. At lambda = 0 the contact sticks; as lambda grows r_T fades and r is inside.
    let outside = |lambda: f64| {
        let t = tangent(lambda);
        length(t[0], t[1]) - mu * normal(t)
    };
    let stuck = outside(0.0);
    if stuck <= 0.0 {
        let t = tangent(0.0);
        return Some([normal(t), t[0], t[1]]);
    }
    // Where no root is found, the contact presses so little that its friction is lost in rounding.
    let size = s.iter().map(|v| v.abs()).sum();
    let t = sliding_root(outside, size).map_or([0.0; 2], tangent);
    let n = normal(t);
    let size = length(t[0], t[1]);
    // On the cone exactly, whatever rounding left of the root.
    let factor = if size > 0.0 { mu * n / size } else { 0.0 };
    if n.is_finite() && n >= 0.0 {
        Some([n, factor * t[0], factor * t[1]])
    } else {
        Some([-b[0] / w[0], 0.0, 0.0])
    }
}

/// A root of `outside` in (0, infinity), where it goes from positive (or undefined) to negative; `size` sets
/// the scale.
fn sliding_root(outside: impl Fn(f64) -> f64, size: f64) -> Option<f64> {
    let mut low = 0.0;
    let mut high = if size > 0.0 { size } else { 1.0 };
    let mut high_value = outside(high);
    let mut growths = 0;
    while high_value.is_nan() || high_value > 0.0 {
        low = high;
        high *= 8.0;
        high_value = outside(high);
        growths += 1;
        if growths > MOST_ROOT_STEPS {
            return None;
        }
    }
    let mut low_value = outside(low);
    // Illinois variant of the secant rule, with halving whenever the end values cannot be trusted.
    let mut last_side = 0;
    for _ in 0..MOST_ROOT_STEPS {
        if high - low <= ROOT_PRECISION * high {
            break;
        }
        let secant = (low * high_value - high * low_value) / (high_value - low_value);
        let middle = if secant > low && secant < high { secant } else { 0.5 * (low + high) };
        let value = outside(middle);
        if value == 0.0 {
            return Some(middle);
        }
        if value.is_nan() || value > 0.0 {
            low = middle;
            low_value = value;
            if last_side == 1 {
                high_value *= 0.5;
            }
            last_side = 1;
        } else {
            high = middle;
            high_value = value;
            if last_side == -1 {
                low_value *= 0.5;
            }
            last_side = -1;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `G' G + small I` for random `G`: a positive definite block.
    fn block(g: [f64; 9]) -> Block {
        let mut w = [0.0; 9];
        for i in 0..3 {
            for j in 0..3 {
                w[3 * i + j] = (0..3).map(|k| g[3 * k + i] * g[3 * k + j]).sum::<f64>();
            }
            w[4 * i] += 1e-3;
        }
        w
    }

    #[test]
    fn projection_on_a_closed_cone_is_the_normal_half_line() {
        assert_eq!(project([2.0, 1.0, 1.0], 0.0), [2.0, 0.0, 0.0]);
        assert_eq!(project([-2.0, 1.0, 1.0], 0.0), [0.0, 0.0, 0.0]);
        assert_eq!(project([0.0, 0.0, 0.0], 0.0), [0.0, 0.0, 0.0]);
        assert_eq!(project([-2.0, 0.0, 0.0], 0.0), [0.0, 0.0, 0.0]);
        assert_eq!(natural_map([0.0; 3], [2.0, 0.0, 0.0], 0.0), [0.0, 0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn projection_beats_every_sampled_point_of_the_cone(
            z in prop::array::uniform3(-2.0..2.0_f64), mu in 0.0..3.0_f64,
            n in 0.0..3.0_f64, part in 0.0..1.0_f64, angle in 0.0..6.3_f64,
        ) {
            let far = |p: [f64; 3]| (0..3).map(|k| (p[k] - z[k]).powi(2)).sum::<f64>();
            let p = project(z, mu);
            prop_assert!(p[1].hypot(p[2]) <= mu * p[0] + 1e-12);
            let other = [n, part * mu * n * angle.cos(), part * mu * n * angle.sin()];
            prop_assert!(far(p) <= far(other) + 1e-12);
        }

        #[test]
        fn a_contact_alone_obeys_coulomb_law(
            g in prop::array::uniform9(-1.0..1.0_f64), b in prop::array::uniform3(-1.0..1.0_f64),
            mu in 0.0..2.0_f64,
        ) {
            let w = block(g);
            let r = solve_alone(&w, b, mu).unwrap();
            let answer = |i: usize| (0..3).map(|j| w[3 * i + j] * r[j]).sum::<f64>();
            let u: [f64; 3] = std::array::from_fn(|i| b[i] + answer(i));
            let size = 1.0 + r.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            prop_assert!(r[0] >= 0.0 && u[0] >= -1e-12 * size);
            prop_assert!((r[0] * u[0]).abs() <= 1e-11 * size);
            prop_assert!(r[1].hypot(r[2]) <= mu * r[0] + 1e-12 * size);
            // Dissipation is maximal: r_T . u_T = -mu r_N |u_T|, where the contact is closed.
            let dissipated = r[1] * u[1] + r[2] * u[2] + mu * r[0] * u[1].hypot(u[2]);
            prop_assert!(dissipated.abs() <= 1e-9 * size * size, "{dissipated}");
        }
    }
}
