//! The Fischer function (papers 1 and 2) on half-lines and on friction cones, smoothed.
//!
//! `phi(a, b) = a + b - sqrt(a² + b²)` vanishes exactly where `a >= 0`, `b >= 0` and `ab = 0` (the papers'
//! function with the sign turned). Over second-order cones the squares and the root are those of the Jordan
//! algebra, and `phi(x, y)` vanishes exactly where `x` and `y` lie in the cone and are orthogonal. Coulomb's
//! law is of that form with `x = (mu r_N, r_T)` and `y = (u_N + mu |u_T|, mu u_T)` (De Saxcé).
//!
//! With `2 eps²` added under the root the function is smooth, and its zeros are the points where `x o y =
//! eps² e`: the central path that interior-point methods follow. `eps` has the unit of the square root of
//! power; problems are equilibrated first, so that `r` and `u` share it.

use crate::matrix::{Block, ZERO_BLOCK, block_product};

/// The smoothed Fischer function of one contact with its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linearisation {
    /// The function.
    pub(crate) value: [f64; 3],
    /// Its derivative by `r`.
    pub(crate) by_r: Block,
    /// Its derivative by `u`.
    pub(crate) by_u: Block,
}

/// Smallest eigenvalue under the root, as a share of the largest: beneath, it is only rounding of the input.
const ROUNDING: f64 = 1e-30;

/// The function alone.
pub(crate) fn fischer(r: [f64; 3], u: [f64; 3], mu: f64, eps: f64) -> [f64; 3] {
    if mu == 0.0 {
        return [fischer_scalar(r[0], u[0], eps), r[1], r[2]];
    }
    let (x, y, _) = cone_form(r, u, mu, eps);
    let root = Root::of_squares(x, y, eps);
    [x[0] + y[0] - root.z[0], x[1] + y[1] - root.z[1], x[2] + y[2] - root.z[2]]
}

/// The function with its derivatives.
pub(crate) fn fischer_linearised(r: [f64; 3], u: [f64; 3], mu: f64, eps: f64) -> Linearisation {
    if mu == 0.0 {
        let (by_r, by_u) = fischer_scalar_derivatives(r[0], u[0], eps);
        let mut a = ZERO_BLOCK;
        let mut b = ZERO_BLOCK;
        (a[0], a[4], a[8]) = (by_r, 1.0, 1.0);
        b[0] = by_u;
        return Linearisation { value: [fischer_scalar(r[0], u[0], eps), r[1], r[2]], by_r: a, by_u: b };
    }
    let (x, y, slip) = cone_form(r, u, mu, eps);
    let root = Root::of_squares(x, y, eps);
    let value = [x[0] + y[0] - root.z[0], x[1] + y[1] - root.z[1], x[2] + y[2] - root.z[2]];
    let x_by_r = [mu, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let (n, t) = weights(mu);
    let y_by_u = [n, t * slip[0], t * slip[1], 0.0, t, 0.0, 0.0, 0.0, t];
    Linearisation {
        value,
        by_r: block_product(&root.rest_of_derivative(x), &x_by_r),
        by_u: block_product(&root.rest_of_derivative(y), &y_by_u),
    }
}

/// `a + b - sqrt(a² + b² + 2 eps²)`.
pub(crate) fn fischer_scalar(a: f64, b: f64, eps: f64) -> f64 {
    let root = (a * a + b * b + 2.0 * eps * eps).sqrt();
    let sum = a + b;
    // Where both are positive the difference would cancel.
    if sum > 0.0 { 2.0 * (a * b - eps * eps) / (sum + root) } else { sum - root }
}

/// Derivatives of [`fischer_scalar`] by `a` and `b`; at the kink, those along the diagonal.
pub(crate) fn fischer_scalar_derivatives(a: f64, b: f64, eps: f64) -> (f64, f64) {
    let root = (a * a + b * b + 2.0 * eps * eps).sqrt();
    if root > 0.0 {
        (1.0 - a / root, 1.0 - b / root)
    } else {
        (1.0 - std::f64::consts::FRAC_1_SQRT_2, 1.0 - std::f64::consts::FRAC_1_SQRT_2)
    }
}

/// What normal and tangential velocities are multiplied by in `y`: `(1, mu)`, or for large friction `(1 / mu,
/// 1)`, which is the same cone in numbers of moderate size.
fn weights(mu: f64) -> (f64, f64) {
    if mu > 1.0 { (1.0 / mu, 1.0) } else { (1.0, mu) }
}

/// `x`, `y` of the cone form, and the direction of slip (shortened near rest, where `|u_T|` is smoothed too).
fn cone_form(r: [f64; 3], u: [f64; 3], mu: f64, eps: f64) -> ([f64; 3], [f64; 3], [f64; 2]) {
    let speed = (u[1] * u[1] + u[2] * u[2] + eps * eps).sqrt();
    let slip = if speed > 0.0 { [u[1] / speed, u[2] / speed] } else { [0.0; 2] };
    let x = [mu * r[0], r[1], r[2]];
    let (normal, tangential) = weights(mu);
    let y = [normal * u[0] + tangential * (speed - eps), tangential * u[1], tangential * u[2]];
    (x, y, slip)
}

/// `z = sqrt(x² + y² + 2 eps² e)` in the Jordan algebra, with its two eigenvalues.
struct Root {
    z: [f64; 3],
    low: f64,
    high: f64,
}

impl Root {
    fn of_squares(x: [f64; 3], y: [f64; 3], eps: f64) -> Self {
        let squares: f64 = x.iter().chain(&y).map(|v| v * v).sum();
        let extra = 2.0 * eps * eps;
        let sum = squares + extra;
        let arm = [2.0 * (x[0] * x[1] + y[0] * y[1]), 2.0 * (x[0] * x[2] + y[0] * y[2])];
        let length = arm[0].hypot(arm[1]);
        // The lower eigenvalue, sum - length, would cancel near the boundary of the cone, and its root lose
        // half of all digits. But squares² - length² is a sum of squares (expand to see it), and so keeps
        // them.
        let cone = |v: [f64; 3]| {
            let tangent = v[1].hypot(v[2]);
            (v[0] - tangent) * (v[0] + tangent)
        };
        let parts = [
            x[0] * y[1] - y[0] * x[1],
            x[0] * y[2] - y[0] * x[2],
            x[0] * y[0] - x[1] * y[1] - x[2] * y[2],
            x[1] * y[2] - x[2] * y[1],
        ];
        let apart = cone(x).powi(2) + cone(y).powi(2) + 2.0 * parts.iter().map(|v| v * v).sum::<f64>();
        let product = apart + 2.0 * extra * squares + extra * extra;
        let high = (sum + length).max(f64::MIN_POSITIVE).sqrt();
        let low = (product / (high * high)).max(ROUNDING * high * high).max(f64::MIN_POSITIVE).sqrt();
        let factor = if length > 0.0 { 0.5 * (high - low) / length } else { 0.0 };
        Self { z: [0.5 * (low + high), factor * arm[0], factor * arm[1]], low, high }
    }

    /// `I - L_z^-1 L_v`, where `L` is multiplication in the algebra (an arrow matrix).
    fn rest_of_derivative(&self, v: [f64; 3]) -> Block {
        let [z0, z1, z2] = self.z;
        let det = self.low * self.high;
        let inverse = [
            z0 / det,
            -z1 / det,
            -z2 / det,
            -z1 / det,
            1.0 / z0 + z1 * z1 / (z0 * det),
            z1 * z2 / (z0 * det),
            -z2 / det,
            z1 * z2 / (z0 * det),
            1.0 / z0 + z2 * z2 / (z0 * det),
        ];
        let arrow = [v[0], v[1], v[2], v[1], v[0], 0.0, v[2], 0.0, v[0]];
        let mut rest = block_product(&inverse, &arrow).map(|entry| -entry);
        for diagonal in [0, 4, 8] {
            rest[diagonal] += 1.0;
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn derivatives_agree_with_differences(
            r in prop::array::uniform3(-1.0..1.0_f64), u in prop::array::uniform3(-1.0..1.0_f64),
            mu in prop_oneof![Just(0.0), 0.1..2.0_f64], eps in 0.05..0.5_f64,
        ) {
            let at = fischer_linearised(r, u, mu, eps);
            prop_assert_eq!(at.value, fischer(r, u, mu, eps));
            let h = 1e-6;
            for column in 0..3 {
                let (mut r_up, mut r_down, mut u_up, mut u_down) = (r, r, u, u);
                r_up[column] += h;
                r_down[column] -= h;
                u_up[column] += h;
                u_down[column] -= h;
                let (fr_up, fr_down) = (fischer(r_up, u, mu, eps), fischer(r_down, u, mu, eps));
                let (fu_up, fu_down) = (fischer(r, u_up, mu, eps), fischer(r, u_down, mu, eps));
                for row in 0..3 {
                    let by_r = (fr_up[row] - fr_down[row]) / (2.0 * h);
                    let by_u = (fu_up[row] - fu_down[row]) / (2.0 * h);
                    prop_assert!((at.by_r[3 * row + column] - by_r).abs() < 1e-6);
                    prop_assert!((at.by_u[3 * row + column] - by_u).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn it_vanishes_on_coulomb_law(
            normal in 0.1..2.0_f64, speed in 0.1..2.0_f64, angle in 0.0..6.3_f64, mu in 0.1..2.0_f64,
        ) {
            let sliding = fischer(
                [normal, -mu * normal * angle.cos(), -mu * normal * angle.sin()],
                [0.0, speed * angle.cos(), speed * angle.sin()],
                mu,
                0.0,
            );
            let sticking = fischer([normal, 0.5 * mu * normal, 0.0], [0.0; 3], mu, 0.0);
            let open = fischer([0.0; 3], [normal, speed, 0.0], mu, 0.0);
            for value in sliding.into_iter().chain(sticking).chain(open) {
                prop_assert!(value.abs() < 1e-12, "{value}");
            }
        }

        #[test]
        fn the_scalar_function_is_small_only_near_complementary_pairs(
            a in -2.0..2.0_f64, b in -2.0..2.0_f64,
        ) {
            // |phi| and |min| bound each other: 2 - sqrt 2 and 2 + sqrt 2 (Tseng).
            let (value, least) = (fischer_scalar(a, b, 0.0).abs(), a.min(b).abs());
            prop_assert!(value >= 0.58 * least - 1e-15 && value <= 3.42 * least + 1e-15);
        }
    }
}
