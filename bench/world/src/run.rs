//! What an engine is asked for, and what comes of a run.

use crate::scene::State;

/// States are kept so often over a whole run; at these steps all engines are judged.
const SAMPLES: usize = 40;

/// An engine with a scene in it.
pub(crate) trait Engine {
    /// Goes on by one step.
    fn step(&mut self) -> Result<(), String>;
    /// How all bodies are.
    fn states(&self) -> Result<Vec<State>, String>;
    /// Of the bits of its state, if it has one.
    fn hash(&self) -> u64 {
        0
    }
    /// Where the time went so far, if it is known.
    fn stages(&self) -> Option<String> {
        None
    }
}

/// What an engine did with a scene.
pub(crate) struct Run {
    pub(crate) engine: String,
    /// Of each step made, on the processor of the thread that steps, s.
    pub(crate) seconds: Vec<f64>,
    /// The same by the clock, s.
    pub(crate) walls: Vec<f64>,
    /// After each step.
    pub(crate) hashes: Vec<u64>,
    /// States after so many steps.
    pub(crate) samples: Vec<(usize, Vec<State>)>,
    /// The most memory that the process had.
    pub(crate) peak_mib: f64,
    /// Why it did not make all steps.
    pub(crate) ended: Option<String>,
    /// Where the time went, if the engine says so.
    pub(crate) stages: Option<String>,
}

impl Run {
    /// Before its first step.
    pub(crate) fn new(engine: &str) -> Run {
        let (seconds, walls, hashes, samples) = Default::default();
        Run {
            engine: engine.into(),
            seconds,
            walls,
            hashes,
            samples,
            peak_mib: f64::NAN,
            ended: None,
            stages: None,
        }
    }
}

/// After how many of all steps states are kept.
pub(crate) fn interval(steps: usize) -> usize {
    (steps / SAMPLES).max(1)
}
