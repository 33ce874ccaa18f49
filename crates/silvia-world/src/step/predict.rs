//! Predict: where bodies go if nothing touches them.

use crate::body::BodyState;
use crate::buffers::{BODIES, refill, refill_each};
use crate::profile::{Stage, timed};
use crate::step::island::IslandNow;

/// The stage that predicts free flight. It keeps the last prediction, which often is asked for again.
#[derive(Debug, Default)]
pub(super) struct Predictor {
    flight: Vec<BodyState>,
    /// The time that `flight` is for, s.
    time: Option<f64>,
}

impl Predictor {
    /// Forgets the last prediction: bodies have moved, or their velocities have changed.
    pub(super) fn forget(&mut self) {
        self.time = None;
    }

    /// Takes over what is known of the whole step, where bodies start it.
    pub(super) fn begin(&mut self, now: &IslandNow<'_>, flights: &[Option<BodyState>]) {
        let flight = |index: usize| match flights[now.island.bodies[index] as usize] {
            Some(end) if !now.is_held(index) => end,
            _ => now.free_end(index, now.step),
        };
        refill(&mut self.flight, (0..now.states.len()).map(flight));
        self.time = Some(now.step);
    }

    /// Where all bodies are after a time if nothing touches them.
    pub(super) fn fly(&mut self, now: &IslandNow<'_>, time: f64) -> &[BodyState] {
        if self.time != Some(time) {
            timed(
                now.watch,
                Stage::Predict,
                |&flights| flights,
                || {
                    refill_each(&mut self.flight, now.states.len(), BODIES, |i| now.free_end(i, time));
                    self.flight.len()
                },
            );
            self.time = Some(time);
        }
        &self.flight
    }
}
