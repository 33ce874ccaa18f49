//! The algebra of the cone `x_0 >= |(x_1, x_2)|`, as interior-point methods need it (Faraut and Koranyi;
//! Nesterov and Todd).

use crate::cone::length;

/// A vector that is thought of as within the cone, or as a change of such a one.
pub(super) type Triple = [f64; 3];

/// Determinants of vectors in the cone are no less, whatever rounding says.
pub(super) const LEAST: f64 = 1e-300;

/// `x_0² - x_1² - x_2²` of a vector within the cone.
fn determinant(x: Triple) -> f64 {
    if x[1] == 0.0 && x[2] == 0.0 {
        return (x[0] * x[0]).max(LEAST);
    }
    let tangent = length(x[1], x[2]);
    ((x[0] - tangent) * (x[0] + tangent)).max(LEAST)
}

/// The product of the algebra, of which `(1, 0, 0)` is the unit.
pub(super) fn product(a: Triple, b: Triple) -> Triple {
    [a[0] * b[0] + a[1] * b[1] + a[2] * b[2], a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]]
}

/// The `x` with `product(by, x) = a`, for `by` within the cone.
pub(super) fn quotient(a: Triple, by: Triple) -> Triple {
    let first = (by[0] * a[0] - by[1] * a[1] - by[2] * a[2]) / determinant(by);
    [first, (a[1] - first * by[1]) / by[0], (a[2] - first * by[2]) / by[0]]
}

/// How many times a change can be added before the cone is left, or `most` if that is less.
pub(super) fn way_to_boundary(x: Triple, change: Triple, most: f64) -> f64 {
    let there: Triple = std::array::from_fn(|i| x[i] + most * change[i]);
    if there[0] >= 0.0 && there[0] * there[0] >= there[1] * there[1] + there[2] * there[2] {
        return most;
    }
    let a = change[0] * change[0] - change[1] * change[1] - change[2] * change[2];
    let b = x[0] * change[0] - x[1] * change[1] - x[2] * change[2];
    let c = determinant(x);
    // The least positive root of a t² + 2 b t + c, in the form that loses no digits.
    let mut way = if change[0] < 0.0 { most.min(-x[0] / change[0]) } else { most };
    let square = b * b - a * c;
    if square >= 0.0 {
        let q = if b >= 0.0 { -(b + square.sqrt()) } else { square.sqrt() - b };
        for root in [q / a, c / q] {
            if root > 0.0 {
                way = way.min(root);
            }
        }
    }
    way
}

/// Nesterov's and Todd's scaling: the symmetric map that takes `x` to where its inverse takes `y`, both
/// within the cone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    direction: Triple,
    size: f64,
    /// The matrix of the inverse, applied twice: it takes `y` to `x`.
    pub(super) inverse_square: [Triple; 3],
    /// Where both are taken to.
    pub(super) middle: Triple,
}

impl Scaling {
    /// The map that changes nothing.
    pub(super) fn unit() -> Scaling {
        Scaling::new([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    }

    pub(super) fn new(x: Triple, y: Triple) -> Scaling {
        let (size_x, size_y) = (determinant(x).sqrt(), determinant(y).sqrt());
        let (x_1, y_1) = (x.map(|v| v / size_x), y.map(|v| v / size_y));
        let cosine = x_1[0] * y_1[0] + x_1[1] * y_1[1] + x_1[2] * y_1[2];
        let double = 2.0 * (0.5 * (1.0 + cosine)).sqrt();
        let direction = [(y_1[0] + x_1[0]) / double, (y_1[1] - x_1[1]) / double, (y_1[2] - x_1[2]) / double];
        let size = (size_y / size_x).sqrt();
        let inverse_square = inverse_square(direction, size);
        let scaling = Scaling { direction, size, inverse_square, middle: [0.0; 3] };
        Scaling { middle: scaling.times(x), ..scaling }
    }

    /// The same of vectors along the axis of the cone, given by their lengths.
    pub(super) fn along(x: f64, y: f64) -> Scaling {
        let [x, y] = [x, y].map(|v| v.max(LEAST.sqrt()));
        let inverse_square = [[x / y, 0.0, 0.0], [0.0; 3], [0.0; 3]];
        let (direction, middle) = ([1.0, 0.0, 0.0], [(x * y).sqrt(), 0.0, 0.0]);
        Scaling { direction, size: (y / x).sqrt(), inverse_square, middle }
    }

    pub(super) fn times(&self, x: Triple) -> Triple {
        turned(self.direction, x).map(|v| self.size * v)
    }

    pub(super) fn inverse_times(&self, x: Triple) -> Triple {
        turned(mirrored(self.direction), x).map(|v| v / self.size)
    }
}

fn inverse_square(direction: Triple, size: f64) -> [Triple; 3] {
    let w = mirrored(direction);
    let by = 1.0 / (size * size);
    let sign = [1.0, -1.0, -1.0];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| by * (2.0 * w[i] * w[j] - if i == j { sign[i] } else { 0.0 }))
    })
}

fn mirrored(w: Triple) -> Triple {
    [w[0], -w[1], -w[2]]
}

/// The hyperbolic turn that takes the unit to `w`, of determinant 1.
fn turned(w: Triple, x: Triple) -> Triple {
    let across = w[1] * x[1] + w[2] * x[2];
    let along = x[0] + across / (w[0] + 1.0);
    [w[0] * x[0] + across, x[1] + along * w[1], x[2] + along * w[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A vector within the cone: a direction, and how far it is from the boundary.
    fn within() -> impl Strategy<Value = Triple> {
        (-2.0..2.0_f64, -2.0..2.0_f64, 1e-3..2.0_f64).prop_map(|(a, b, spare)| [a.hypot(b) + spare, a, b])
    }

    fn are_close(a: Triple, b: Triple) -> bool {
        let size = a.iter().chain(&b).fold(0.0_f64, |m, v| m.max(v.abs()));
        (0..3).all(|k| (a[k] - b[k]).abs() <= 1e-9 * size)
    }

    proptest! {
        #[test]
        fn a_scaling_takes_both_to_the_same_place(x in within(), y in within()) {
            let scaling = Scaling::new(x, y);
            prop_assert!(are_close(scaling.times(x), scaling.inverse_times(y)));
            prop_assert!(are_close(scaling.inverse_times(scaling.times(y)), y));
            let square = scaling.inverse_square;
            let back = square.map(|row| row[0] * y[0] + row[1] * y[1] + row[2] * y[2]);
            prop_assert!(are_close(back, x), "{back:?} {x:?}");
        }

        #[test]
        fn quotients_undo_products(a in within(), x in prop::array::uniform3(-2.0..2.0_f64)) {
            prop_assert!(are_close(quotient(product(a, x), a), x));
        }

        #[test]
        fn a_change_can_be_added_until_the_boundary_is_reached(
            x in within(), change in prop::array::uniform3(-2.0..2.0_f64),
        ) {
            let at = |t: f64| -> f64 {
                let moved: Triple = std::array::from_fn(|k| x[k] + t * change[k]);
                moved[0] - moved[1].hypot(moved[2])
            };
            let most = way_to_boundary(x, change, 1e9);
            prop_assert!(most > 0.0);
            prop_assert_eq!(way_to_boundary(x, change, 0.5 * most), 0.5 * most);
            if most < 1e9 {
                prop_assert!(at(0.999 * most) > 0.0 && at(1.001 * most) < 0.0, "{most}");
            } else {
                prop_assert!(at(1e6) > 0.0);
            }
        }
    }
}
