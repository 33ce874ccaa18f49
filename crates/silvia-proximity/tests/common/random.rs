//! A generator of its own, so that cases are the same on every machine.

use silvia_proximity::Motion;
use silvia_solid::{Pose, Quat, Vec3};

/// Numbers from -1 to 1 that look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        size * Vec3::new(self.next(), self.next(), self.next())
    }

    pub(crate) fn turn(&mut self) -> Quat {
        Quat::from_scaled_axis(self.vector(3.0))
    }

    pub(crate) fn pose(&mut self, size: f64) -> Pose {
        Pose::new(self.vector(size), self.turn()).unwrap()
    }

    /// From about a place to about the other side of the origin, turning.
    pub(crate) fn motion(&mut self, from: Vec3) -> Motion {
        let rotation = self.turn();
        let start = Pose::new(from + self.vector(0.5), rotation).unwrap();
        let travel = -2.0 * from + self.vector(0.5);
        Motion::turning(start, travel, self.vector(3.0), self.vector(0.5)).unwrap()
    }
}
