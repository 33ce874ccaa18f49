//! How far two placements of a part are from each other.

use silvia_solid::{Pose, Vec3};

/// Measures how far points of a part are moved, in the mean, from one pose to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    /// Centre of mass in the part's frame, m.
    pub(crate) centre: Vec3,
    /// Radius of gyration about it, m: the root of the mean square distance of its points.
    pub(crate) gyration: f64,
}

impl Metric {
    /// The distance of two poses, m.
    pub(crate) fn distance(&self, a: &Pose, b: &Pose) -> f64 {
        let moved = a.transform_point(self.centre).distance(b.transform_point(self.centre));
        moved.hypot(self.gyration * a.rotation().angle_between(b.rotation()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::Quat;

    #[test]
    fn a_turn_counts_as_the_way_of_points_at_the_radius_of_gyration() {
        let metric = Metric { centre: Vec3::new(1.0, 0.0, 0.0), gyration: 2.0 };
        let half = Quat::from_rotation_z(0.5);
        // About the centre: it stays where it is.
        let turned = Pose::new(metric.centre - half * metric.centre, half).unwrap();
        assert!((metric.distance(&Pose::IDENTITY, &turned) - 1.0).abs() < 1e-12);
        let moved = Pose::from_translation(Vec3::new(0.0, 3.0, 4.0)).unwrap();
        assert!((metric.distance(&Pose::IDENTITY, &moved) - 5.0).abs() < 1e-12);
    }
}
