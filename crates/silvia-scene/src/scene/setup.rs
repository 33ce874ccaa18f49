//! A world, and how to run it.

use crate::recording::Header;
use silvia_contact::Twist;
use silvia_world::{BodyId, StepError, StepReport, World, WorldError};

/// A world made of a scene, and how to run it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// As the scene begins; or further on, after steps.
    pub world: World,
    /// What a recording of it begins with.
    pub header: Header,
    /// How far, and how finely.
    pub run: RunSettings,
    /// What the hands do.
    pub hands: Vec<HandPath>,
}

/// How far to run, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// Length of a step, s.
    pub step: f64,
    /// When to end, s.
    pub until: f64,
    /// Steps from one recorded frame to the next.
    pub steps_a_frame: u64,
    /// Threads, or as many as the machine has. The results are the same.
    pub threads: Option<usize>,
}

/// The velocities a hand gives to the body it holds. A function of time alone, so that a run can be taken up
/// anywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct HandPath {
    /// The body in the hand.
    pub body: BodyId,
    /// From which time on, s, rising, which velocity of its centre of mass; before the first it does not
    /// move.
    pub velocities: Vec<(f64, Twist)>,
}

impl Setup {
    /// Whether the end is reached: no further whole step begins before it.
    pub fn is_over(&self) -> bool {
        self.world.time() + 0.5 * self.run.step > self.run.until
    }

    /// Moves the hands, each at the velocity that it has in the middle of the step, and makes one step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        // Of the middle of the step: a time summed up of steps may be a rounding short of one that was
        // written down.
        let time = self.world.time() + 0.5 * self.run.step;
        for hand in &self.hands {
            // A hand that let go, or whose body is gone, moves nothing.
            let _: Result<(), WorldError> = self.world.set_hand(hand.body, hand.at(time));
        }
        self.world.step(self.run.step)
    }
}

impl HandPath {
    /// The velocity at a time, s.
    pub fn at(&self, time: f64) -> Twist {
        let begun = self.velocities.partition_point(|(from, _)| *from <= time);
        begun.checked_sub(1).map_or(Twist::default(), |last| self.velocities[last].1)
    }
}
