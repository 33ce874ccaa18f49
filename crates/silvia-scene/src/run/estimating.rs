//! Makes some steps of a run a second time, in two halves, to see how far off its motion may be. It changes
//! nothing of the run.

use crate::recording::MotionEstimate;
use silvia_world::World;

/// A step that is to be made again.
pub(super) struct Again {
    /// The world before the step, with the hands set.
    before: Box<World>,
    stands_for: u64,
}

impl Again {
    /// The world before its next step, if that is to be made again.
    pub(super) fn of(world: &World) -> Option<Again> {
        let stands_for = MotionEstimate::stands_for(world.steps())?;
        Some(Again { before: Box::new(world.clone()), stands_for })
    }

    /// Makes the step again, of a length in s, and adds what comes of it. `after` is the world after the
    /// step.
    pub(super) fn compare(self, length: f64, after: &World, estimate: &mut MotionEstimate) {
        if let Some(error) = after.error_of_step(*self.before, length) {
            estimate.add(error, self.stands_for);
        }
    }
}
