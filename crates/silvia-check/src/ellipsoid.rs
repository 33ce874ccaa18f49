//! Ellipsoids as the judge sees them: the image of the unit ball under a matrix, since between two states its
//! points move on straight lines and it is sheared.

use crate::signed::Curved;
use silvia_solid::{Mat3, Vec3, symmetric_eigen};

/// An ellipsoid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipsoid {
    pub(crate) middle: Vec3,
    /// Where the unit vectors go, from the middle, m.
    pub(crate) arms: [Vec3; 3],
    /// Its own axes, orthonormal, and half its lengths along them, m.
    axes: [Vec3; 3],
    half: Vec3,
}

/// Coordinates and half lengths below this fraction of the largest count as this much: then the nearest point
/// is always given by the equation, and the distance is off by no more.
const NUDGE: f64 = 1e-13;

/// More rounds than the equation takes.
const MOST_ROUNDS: usize = 200;

impl Ellipsoid {
    /// One whose half lengths lie along orthonormal axes.
    pub(crate) fn new(middle: Vec3, axes: [Vec3; 3], half: Vec3) -> Ellipsoid {
        Ellipsoid { middle, arms: [0, 1, 2].map(|k| half[k] * axes[k]), axes, half }
    }

    /// One that may be sheared.
    pub(crate) fn sheared(middle: Vec3, arms: [Vec3; 3]) -> Ellipsoid {
        let matrix = Mat3::from_cols(arms[0], arms[1], arms[2]);
        let (squares, axes) = symmetric_eigen(matrix * matrix.transpose());
        let squares = squares.max(Vec3::ZERO);
        let half = Vec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
        Ellipsoid { middle, arms, axes: [axes.x_axis, axes.y_axis, axes.z_axis], half }
    }

    /// The same, with points moved and vectors turned.
    pub(crate) fn moved(&self, place: impl Fn(Vec3) -> Vec3, turn: impl Fn(Vec3) -> Vec3) -> Ellipsoid {
        let axes = self.axes.map(&turn);
        Ellipsoid { middle: place(self.middle), arms: self.arms.map(&turn), axes, half: self.half }
    }

    /// The farthest point in a direction.
    pub(crate) fn support(&self, d: Vec3) -> Vec3 {
        let seen = Vec3::from(self.arms.map(|arm| arm.dot(d))).normalize_or_zero();
        self.middle + seen.x * self.arms[0] + seen.y * self.arms[1] + seen.z * self.arms[2]
    }

    /// Half its lengths along the axes of the frame, m.
    pub(crate) fn extent(&self) -> Vec3 {
        let along = |k: usize| Vec3::new(self.arms[0][k], self.arms[1][k], self.arms[2][k]).length();
        Vec3::new(along(0), along(1), along(2))
    }

    /// The signed distance of a point, m, negative inside, and the outward normal at the nearest point of the
    /// surface. That point is `h² y / (t + h²)` along each axis; `1 / |h y / (t + h²)|` is a concave function
    /// of t, so that Newton's method comes to where it is 1 from one side.
    fn nearest(&self, p: Vec3) -> (f64, Vec3) {
        let seen = Vec3::from(self.axes.map(|axis| axis.dot(p - self.middle)));
        let half = self.half.max(Vec3::splat(NUDGE * self.half.max_element()));
        let y = seen.abs().max(NUDGE * half);
        // Counted from the greatest t that is no answer, which deep inside is all but the answer.
        let (weighted, least) = (half * y, half.min_element());
        let squares = (half - least) * (half + least);
        let mut s = (weighted - squares).max_element();
        for _ in 0..MOST_ROUNDS {
            let terms = weighted / (s + squares);
            let (sum, slope) = (terms.length_squared(), (terms * terms / (s + squares)).element_sum());
            let next = s + sum / slope * (sum.sqrt() - 1.0);
            s = if next > s { next } else { break };
        }
        let way = y / (s + squares);
        let along = way.copysign(seen).normalize_or_zero();
        let normal = along.x * self.axes[0] + along.y * self.axes[1] + along.z * self.axes[2];
        ((s - least * least) * way.length(), normal)
    }
}

impl Curved for Ellipsoid {
    fn signed(&self, p: Vec3) -> f64 {
        -self.nearest(p).0
    }

    fn away(&self, p: Vec3) -> Vec3 {
        let (distance, normal) = self.nearest(p);
        if distance > 0.0 { normal } else { Vec3::ZERO }
    }

    fn frame(&self) -> (Vec3, [Vec3; 3], Vec3) {
        (self.middle, self.axes, self.half)
    }

    fn inner_points(&self) -> [Vec3; 3] {
        [self.middle; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points all around, at distances from the middle to far away.
    fn points() -> impl Iterator<Item = Vec3> {
        let direction = |k: u32| {
            Vec3::new((f64::from(k) * 1.7).sin(), (f64::from(k) * 2.3).cos(), (f64::from(k) * 0.9).sin())
        };
        (0..400).map(move |k| 0.005 * f64::from(k % 40) * direction(k).normalize())
    }

    #[test]
    fn a_round_one_is_a_ball() {
        let ball = Ellipsoid::new(Vec3::ZERO, Vec3::AXES, Vec3::splat(0.05));
        for p in points() {
            let depth = ball.signed(p);
            assert!((depth - (0.05 - p.length())).abs() < 1e-12, "{p}: {depth}");
        }
    }

    #[test]
    fn the_nearest_point_is_on_the_surface_and_no_other_is_nearer() {
        let half = Vec3::new(0.1, 0.002, 0.06);
        let [u, v] = [Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.8, 0.6, 0.0)];
        for egg in [
            Ellipsoid::new(Vec3::ONE, [u, v, Vec3::Z], half),
            Ellipsoid::sheared(Vec3::ONE, [u * 0.1, v * 0.06, Vec3::new(0.03, 0.02, 0.05)]),
        ] {
            for p in points() {
                let (distance, normal) = egg.nearest(Vec3::ONE + p);
                let foot = Vec3::ONE + p - distance * normal;
                // The plane across the normal touches it there.
                assert!((egg.support(normal) - foot).length() < 1e-9, "{p}: {distance} {normal}");
                for other in points().filter_map(|p| p.try_normalize()) {
                    let apart = (egg.support(other) - Vec3::ONE - p).length();
                    assert!(apart >= distance.abs() - 1e-12, "{p}: {apart} and {distance}");
                }
            }
        }
    }
}
