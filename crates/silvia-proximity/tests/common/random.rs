//! Random poses and motions.

use seeded::Random;
use silvia_proximity::Motion;
use silvia_solid::{Pose, Vec3};

pub(crate) fn random_pose(random: &mut Random, size: f64) -> Pose {
    Pose::new(random.vector(size), random.rotation()).unwrap()
}

/// From about a place to about the other side of the origin, turning.
pub(crate) fn random_motion(random: &mut Random, from: Vec3) -> Motion {
    let start = Pose::new(from + random.vector(0.5), random.rotation()).unwrap();
    let travel = -2.0 * from + random.vector(0.5);
    Motion::turning(start, travel, random.vector(3.0), random.vector(0.5)).unwrap()
}
