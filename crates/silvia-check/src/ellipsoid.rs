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
    /// surface. That point is `h² y / (t + h²)` along each axis; `1 / |h y / (t + h²)|` is a concave function of
    /// t, so that Newton's method comes to where it is 1 from one side.
    fn nearest(&self, p: Vec3) -> (f64, Vec3) {
        let seen = Vec3::from(self.axes.map(|axis| axis.dot(p - self.middle)));
        let half = self.half.max(Vec3::splat(NUDGE * self.half.max_element()));
        let y = seen.abs().max(NUDGE * half);
        let (weighted, squares) = (half * y, half * half);
        let mut t = (weighted - squares).max_element();
        for _ in 0..MOST_ROUNDS {
            let terms = weighted / (t + squares);
            let (sum, slope) = (terms.length_squared(), (terms * terms / (t + squares)).element_sum());
            let next = t + sum / slope * (sum.sqrt() - 1.0);
            t = if next > t { next } else { break };
        }
        let way = y / (t + squares);
        let along = way.copysign(seen).normalize_or_zero();
        let normal = along.x * self.axes[0] + along.y * self.axes[1] + along.z * self.axes[2];
        (t * way.length(), normal)
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
