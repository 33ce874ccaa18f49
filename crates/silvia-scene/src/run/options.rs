//! Options and results of a run.

use crate::recording::{Ending, RecordingError};
use crate::scene::{Setup, length_unit};
use rayon::ThreadPoolBuildError;
use silvia_check::CheckError;
use silvia_world::{AccuracyError, SnapshotError, WorldError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Number of threads for the steps; by default that of the setup, or as many as the machine has. Affects
    /// speed, never results.
    pub threads: Option<usize>,
    /// Whether `silvia-check` checks each step, on a thread of its own.
    pub is_checked: bool,
    /// Whether each step is profiled. It changes no bit of the state.
    pub is_profiled: bool,
    /// When set, ends the run after the current step.
    pub stop: Arc<AtomicBool>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { threads: None, is_checked: true, is_profiled: false, stop: Arc::default() }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time so far, s.
    pub time: f64,
    /// End time, s.
    pub until: f64,
    /// Steps made so far.
    pub steps: u64,
    /// Steps made since this run began or was resumed.
    pub steps_here: u64,
    /// Number of contacts at the end of the last step.
    pub contacts: usize,
    /// Wall-clock time since this run began or was resumed, s.
    pub wall_seconds: f64,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub ending: Ending,
    /// The setup, with the world in its final state.
    pub setup: Setup,
}

/// Why a run could not start, or was aborted.
#[derive(Debug, Error)]
pub enum RunError {
    /// A frame interval of 0 steps.
    #[error("a frame every 0 steps: give at least 1")]
    NoFrames,
    /// Bodies overlap where they are placed.
    #[error(
        "the run cannot start: `{a}` and `{b}` overlap by {} {unit}; `silvia check` says how to move them \
         apart",
        digits(*depth * length_unit(unit).in_a_metre)
    )]
    Overlap {
        /// Names of the bodies.
        a: String,
        /// The other.
        b: String,
        /// How deep, m.
        depth: f64,
        /// The symbol of the unit in which the message tells it: that of the scene.
        unit: String,
    },
    /// An accuracy that cannot be had.
    #[error(transparent)]
    Accuracy(#[from] AccuracyError),
    /// The thread pool cannot be started.
    #[error("the threads cannot be started ({0}): ask for fewer")]
    Threads(#[from] ThreadPoolBuildError),
    /// A thread of the run cannot be started.
    #[error("a thread cannot be started ({0}): end other programs")]
    Thread(#[from] std::io::Error),
    /// An error of the recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// An error of the checker.
    #[error("the checker cannot check this: {0}; `--no-check` runs without it")]
    Check(#[from] CheckError),
    /// An error of the world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A kept state that belongs to another world.
    #[error("the kept state does not fit the scene: {0}")]
    Snapshot(#[from] SnapshotError),
    /// A state that was not restored correctly.
    #[error(
        "the state kept after step {step} has hash {expected:016x}, but {found:016x} after it was restored: \
         it was kept by another version of silvia, or the file is damaged"
    )]
    OtherHash {
        /// Steps made when it was kept.
        step: u64,
        /// The kept hash.
        expected: u64,
        /// The restored hash.
        found: u64,
    },
    /// A bug: a thread panicked.
    #[error("a thread of the run has failed, which is a bug: please report it with the scene")]
    Panic,
}

/// Four digits; as a power of ten only where people would write it so.
fn digits(number: f64) -> String {
    let number = format!("{number:.3e}").parse().unwrap_or(number);
    if (1e-4..1e6).contains(&number) { number.to_string() } else { format!("{number:e}") }
}
