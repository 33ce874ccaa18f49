//! What a run is told, and what it tells.

use crate::recording::{Ending, RecordingError};
use crate::scene::Setup;
use rayon::ThreadPoolBuildError;
use silvia_check::CheckError;
use silvia_world::{SnapshotError, WorldError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Threads that make steps; as the setup says, or as many as the machine has, if nothing is said. The
    /// results are the same.
    pub threads: Option<usize>,
    /// Whether each step is checked by `silvia-check`, on a thread of its own.
    pub is_checked: bool,
    /// Whether the profile of each step is taken. It changes no bit of the state.
    pub is_profiled: bool,
    /// Ends the run after the current step when set.
    pub stop: Arc<AtomicBool>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { threads: None, is_checked: true, is_profiled: false, stop: Arc::default() }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated so far, s.
    pub time: f64,
    /// When it ends, s.
    pub until: f64,
    /// Steps made so far.
    pub steps: u64,
    /// Steps made since this run began or was taken up.
    pub steps_here: u64,
    /// At the end of the last step.
    pub contacts: usize,
    /// Since this run began or was taken up, s.
    pub wall_seconds: f64,
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// With the world as it was then.
    pub setup: Setup,
}

/// Why a run could not be made, or was broken off.
#[derive(Debug, Error)]
pub enum RunError {
    /// Frames that never come.
    #[error("a frame every 0 steps: give at least 1")]
    NoFrames,
    /// No threads.
    #[error("the threads cannot be started ({0}): ask for fewer")]
    Threads(#[from] ThreadPoolBuildError),
    /// A thread of the run cannot be started.
    #[error("a thread cannot be started ({0}): end other programs")]
    Thread(#[from] std::io::Error),
    /// The recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The checker.
    #[error("the checker cannot check this: {0}; `--no-check` runs without it")]
    Check(#[from] CheckError),
    /// The world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A state of another world.
    #[error("the kept state does not fit the scene: {0}")]
    Snapshot(#[from] SnapshotError),
    /// A state that was not restored as it was.
    #[error(
        "the state kept after step {step} has hash {expected:016x}, but {found:016x} after it was restored: \
         it was kept by another version of silvia, or the file is damaged"
    )]
    OtherHash {
        /// Steps made when it was kept.
        step: u64,
        /// As kept.
        expected: u64,
        /// As restored.
        found: u64,
    },
    /// A bug.
    #[error("a thread of the run has failed, which is a bug: please report it with the scene")]
    Panic,
}
