//! How far off the motion of a run may be, by estimate.

/// An estimate of the error of a run's motion, from steps that were made a second time, in two halves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionEstimate {
    /// The error of those steps, each times the number of steps that it stands for: of places by the size of
    /// bodies, of velocities by their speed, as `World::apart_from` has it.
    pub error: f64,
    /// The number of steps that they stand for.
    pub steps: f64,
}

/// Up to this many steps, every so many are made again: in halves and with all else, that takes 4 % of the
/// time of a run.
const OFTEN: u64 = 64;
/// Of twice as many steps as before, so many are made again, at most.
const A_DOUBLING: u64 = 16;

impl MotionEstimate {
    /// For how many steps the step stands that comes after so many; none if it is not to be made again. It
    /// depends on nothing else: a run that was resumed makes the same ones again.
    pub fn stands_for(steps_before: u64) -> Option<u64> {
        let doubling = (steps_before + 1).next_power_of_two() / 2;
        let spacing = OFTEN.max(doubling / A_DOUBLING);
        (steps_before % spacing == spacing / 2).then_some(spacing)
    }

    /// Adds a step that was made again, with the error that was found.
    pub fn add(&mut self, error: f64, stands_for: u64) {
        self.error += error * stands_for as f64;
        self.steps += stands_for as f64;
    }

    /// The error after so many steps, if errors merely add up; none if no step was made again.
    pub fn after(&self, steps: u64) -> Option<f64> {
        (self.steps > 0.0).then(|| self.error / self.steps * steps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_steps_are_made_again_and_they_stand_for_all() {
        for steps in [100, 1_000, 10_000, 1_000_000_u64] {
            let again: Vec<u64> = (0..steps).filter_map(MotionEstimate::stands_for).collect();
            assert!(again.len() as u64 <= steps / OFTEN + 1 && again.len() <= 16 * 16, "{}", again.len());
            let of_all = again.iter().sum::<u64>() as f64 / steps as f64;
            assert!((of_all - 1.0).abs() < 0.4, "{of_all}");
        }
    }

    #[test]
    fn errors_are_those_of_all_steps() {
        let mut estimate = MotionEstimate::default();
        assert_eq!(estimate.after(100), None);
        estimate.add(1e-6, 64);
        estimate.add(3e-6, 64);
        assert!((estimate.after(1000).unwrap() - 2e-3).abs() < 1e-15);
    }
}
