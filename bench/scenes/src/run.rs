//! What comes of a scene.

use bench_common::median;
use serde::{Deserialize, Serialize};

/// What a scene is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Size {
    /// Bodies that contacts can move.
    pub(crate) bodies: usize,
    /// Of all bodies that have any.
    pub(crate) triangles: usize,
    /// Steps asked for.
    pub(crate) steps: usize,
    /// Length of a step, s.
    pub(crate) step: f64,
}

/// One step that was made.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    /// On the processor, s.
    pub(crate) seconds: f64,
    /// Whether bodies touch, and not all of them are at rest.
    pub(crate) has_contacts: bool,
}

/// What the judge has found so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The deepest overlap at any state, m.
    pub(crate) depth: f64,
    /// Pairs and intervals in which bodies pass through each other.
    pub(crate) crossings: usize,
    /// Pairs and intervals of which the judge cannot tell.
    #[serde(default)]
    pub(crate) undecided: usize,
    /// Steps looked at.
    pub(crate) steps: usize,
}

/// What came of a scene in one mode.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) size: Size,
    pub(crate) made: Vec<Made>,
    pub(crate) found: Found,
    /// Why it did not make all steps.
    pub(crate) ended: Option<String>,
    /// How long a step took that did not end, s, if there is one.
    pub(crate) unfinished: Option<f64>,
}

impl Run {
    /// The median of all steps, s; NaN for none.
    pub(crate) fn median(&self) -> f64 {
        median(&self.made.iter().map(|step| step.seconds).collect::<Vec<_>>())
    }

    /// The median of the steps with contacts, s; NaN for none.
    pub(crate) fn median_with_contacts(&self) -> f64 {
        let touching = self.made.iter().filter(|step| step.has_contacts);
        median(&touching.map(|step| step.seconds).collect::<Vec<_>>())
    }

    /// The longest step, s, one that did not end included.
    pub(crate) fn longest(&self) -> f64 {
        self.made.iter().map(|step| step.seconds).fold(self.unfinished.unwrap_or(0.0), f64::max)
    }

    /// Simulated time over time on the processor; NaN for no steps.
    pub(crate) fn real_time_factor(&self) -> f64 {
        let seconds: f64 = self.made.iter().map(|step| step.seconds).sum();
        self.made.len() as f64 * self.size.step / seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_did_not_end_is_the_longest() {
        let step = |seconds: f64, has_contacts: bool| Made { seconds, has_contacts };
        let made = vec![step(0.1, false), step(0.2, true), step(0.4, true), step(0.2, true)];
        let size = Size { step: 0.09, ..Size::default() };
        let run = Run { size, made, unfinished: Some(7.0), ..Run::default() };
        assert_eq!((run.median(), run.median_with_contacts(), run.longest()), (0.2, 0.2, 7.0));
        assert!((run.real_time_factor() - 0.4).abs() < 1e-12);
    }
}
