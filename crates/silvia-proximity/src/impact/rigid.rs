//! The rigid motion of a shape, or of a part of one.

use super::ImpactError;
use super::motion::{Motion, Turn};
use silvia_solid::{Pose, Vec3};

/// A rigid motion.
#[derive(Clone, Copy)]
pub(super) struct Rigid {
    pub(super) start: Pose,
    pub(super) turn: Turn,
}

impl Rigid {
    pub(super) fn new(motion: &Motion) -> Result<Rigid, ImpactError> {
        let straight = Turn { travel: motion.end.translation() - motion.start.translation(), ..Turn::NONE };
        match motion.turn {
            Some(turn) => Ok(Rigid { start: motion.start, turn }),
            None if motion.is_rigid() => Ok(Rigid { start: motion.start, turn: straight }),
            None => Err(ImpactError::Bent),
        }
    }

    /// Of a part that is carried along, at a pose in the frame of the whole.
    pub(super) fn carried(&self, part: Pose) -> Rigid {
        let arm = self.turn.arm + self.start.transform_vector(part.translation());
        Rigid { start: self.start.compose(&part), turn: Turn { arm, ..self.turn } }
    }

    pub(super) fn motion(&self) -> Motion {
        Motion { start: self.start, end: self.pose(1.0), turn: Some(self.turn) }
    }

    pub(super) fn pose(&self, time: f64) -> Pose {
        let (translation, rotation) = self.turn.placed(&self.start, time);
        // The reach has been found finite.
        Pose::new(translation, rotation).unwrap_or(self.start)
    }

    /// How far from the axis a body of a given reach about its origin comes, m; 0 if it does not turn.
    pub(super) fn radius(&self, reach: f64) -> f64 {
        if self.turn.angle == 0.0 { 0.0 } else { self.turn.axis.cross(self.turn.arm).length() + reach }
    }

    /// How far the origin leaves the straight way along the pivot's, at most, m: see `Axis::swing`.
    pub(super) fn swing(&self) -> f64 {
        self.turn.angle.min(2.0) * self.turn.axis.cross(self.turn.arm).length()
    }

    pub(super) fn pivot(&self, time: f64) -> Vec3 {
        self.start.translation() - self.turn.arm + time * self.turn.travel
    }
}
