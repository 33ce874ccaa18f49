//! A world and its run settings.

use super::goal::Goal;
use crate::recording::Header;
use silvia_contact::Twist;
use silvia_world::{AccuracyError, AdaptiveStepper, BodyId, StepError, StepReport, World, WorldError};

/// A world made from a scene, and how to run it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The world at the start of the scene; later, after the steps made.
    pub world: World,
    /// The header of its recording.
    pub header: Header,
    /// Length and resolution of the run.
    pub run: RunSettings,
    /// The motion of the hands that set velocities.
    pub hands: Vec<HandPath>,
    /// What is to be reached.
    pub goals: Vec<Goal>,
}

/// Length and resolution of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// Length of a step, s; of the longest, if the run has an accuracy.
    pub step: f64,
    /// The error that steps may add in a second, 1/s: steps are then as long as it allows. See
    /// [`AdaptiveStepper`].
    pub accuracy: Option<f64>,
    /// End time, s.
    pub until: f64,
    /// Steps per recorded frame.
    pub steps_a_frame: u64,
    /// Number of threads; by default as many as the machine has. Affects speed, never results.
    pub threads: Option<usize>,
}

/// The velocities that a hand gives to the body it holds. They depend on time alone, so a run can resume
/// anywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct HandPath {
    /// The held body.
    pub body: BodyId,
    /// Start times, s, ascending, each with the velocity of the centre of mass from then on. Before the
    /// first, the hand does not move.
    pub velocities: Vec<(f64, Twist)>,
}

/// This part of a step is rounding: times are sums.
const ROUNDING: f64 = 1e-6;
/// A time is that of a stride if it is within this part of it; no step of an [`AdaptiveStepper`] is as short.
const WHOLE_STRIDE: f64 = 4e-4;

impl Setup {
    /// Whether the run is over: no further whole step begins before its end.
    pub fn is_over(&self) -> bool {
        self.world.time() + 0.5 * self.run.step > self.run.until
    }

    /// When the run ends, s: at the whole number of steps nearest to [`RunSettings::until`].
    pub fn end(&self) -> f64 {
        (self.run.until / self.run.step).round() * self.run.step
    }

    /// Sets each hand to its velocity in the middle of the step, and makes one step of [`RunSettings::step`],
    /// whatever the accuracy.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.set_hands();
        self.world.step(self.run.step)
    }

    /// What chooses the steps of a run with an accuracy.
    pub fn stepper(&self) -> Result<Option<AdaptiveStepper>, AccuracyError> {
        self.run.accuracy.map(AdaptiveStepper::new).transpose()
    }

    /// Sets each hand as [`Setup::step`] does, and advances by [`RunSettings::step`]: in one step; or to the
    /// next multiple of it, in as many as a stepper chooses. `each` is called after each, with the world as
    /// it was then.
    pub fn advance(
        &mut self,
        stepper: Option<&mut AdaptiveStepper>,
        mut each: impl FnMut(&World, &StepReport),
    ) -> Result<(), StepError> {
        self.set_hands();
        match stepper {
            Some(stepper) => {
                // To where the next one begins, also if a step was refused on the way here.
                let (time, step) = (self.world.time(), self.run.step);
                let next = step * ((time / step + ROUNDING).floor() + 1.0);
                stepper.advance(&mut self.world, next - time, each)
            }
            None => {
                let report = self.world.step(self.run.step)?;
                each(&self.world, &report);
                Ok(())
            }
        }
    }

    /// How many times the run has advanced by [`RunSettings::step`].
    pub(crate) fn strides(&self) -> u64 {
        match self.run.accuracy {
            Some(_) => (self.world.time() / self.run.step).round() as u64,
            None => self.world.steps(),
        }
    }

    /// Whether the run is where a frame is recorded, which it is not if a step was refused between two
    /// frames.
    pub(crate) fn is_at_frame(&self) -> bool {
        let strides = self.world.time() / self.run.step;
        let is_whole = self.run.accuracy.is_none() || (strides - strides.round()).abs() <= WHOLE_STRIDE;
        is_whole && self.strides().is_multiple_of(self.run.steps_a_frame)
    }

    /// Sets each hand to its velocity in the middle of the step to come.
    pub(crate) fn set_hands(&mut self) {
        // Take the middle of the step: a sum of step lengths may fall short of a written time by rounding.
        let time = self.world.time() + 0.5 * self.run.step;
        for hand in &self.hands {
            // A hand that let go, or whose body was removed, moves nothing.
            let _: Result<(), WorldError> = self.world.set_hand(hand.body, hand.at(time));
        }
    }
}

impl HandPath {
    /// The velocity at a time, s.
    pub fn at(&self, time: f64) -> Twist {
        let begun = self.velocities.partition_point(|(from, _)| *from <= time);
        begun.checked_sub(1).map_or(Twist::default(), |last| self.velocities[last].1)
    }
}
