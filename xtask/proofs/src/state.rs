//! What a proof has shown so far, kept in a file so that it can be stopped and resumed.

use crate::outcome::{self, Outcome, SceneTally};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// How many failures are kept with their words; the rest are only counted.
const FAILURES_KEPT: usize = 200;

/// The progress of one proof. Trials are numbered from 0 and depend on the seed and their number alone.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct State {
    /// The proof's name.
    pub(crate) area: String,
    /// Where the random input starts.
    pub(crate) seed: u64,
    /// The sources that were run.
    pub(crate) commit: String,
    /// Trials 0 to `done` have been run.
    pub(crate) done: u64,
    /// How many of them failed.
    pub(crate) failed: u64,
    /// The first failures: trial and what was wrong.
    pub(crate) failures: Vec<(u64, String)>,
    /// The largest figure of any trial; what it measures is the proof's to say.
    pub(crate) worst: f64,
    /// Time spent, in seconds.
    pub(crate) seconds: f64,
    /// By scene, if trials are scenes that are stepped.
    #[serde(default)]
    pub(crate) scenes: Vec<SceneTally>,
    /// The first trials with a step that took many times as long as the others, and how long.
    #[serde(default)]
    pub(crate) spikes: Vec<(u64, String)>,
}

impl State {
    /// Nothing shown yet.
    pub(crate) fn fresh(area: &str, seed: u64, commit: &str) -> State {
        State {
            area: area.to_string(),
            seed,
            commit: commit.to_string(),
            done: 0,
            failed: 0,
            failures: Vec::new(),
            worst: 0.0,
            seconds: 0.0,
            scenes: Vec::new(),
            spikes: Vec::new(),
        }
    }

    /// Reads a state; `None` when there is none yet.
    pub(crate) fn load(path: &Path) -> Result<Option<State>, String> {
        match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| {
                format!("{}: this is not the state of a proof ({e}); use --restart", path.display())
            }),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(format!("{}: cannot be read: {e}", path.display())),
        }
    }

    /// Writes the state beside its place and moves it there, so that a stop in between leaves the old one
    /// whole.
    pub(crate) fn save(&self, path: &Path) -> Result<(), String> {
        let cannot = |e: &dyn std::fmt::Display| format!("{}: cannot be written: {e}", path.display());
        let text = serde_json::to_string_pretty(self).map_err(|e| cannot(&e))?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| cannot(&e))?;
        }
        let beside = path.with_extension("json.new");
        std::fs::write(&beside, text + "\n").map_err(|e| cannot(&e))?;
        std::fs::rename(&beside, path).map_err(|e| cannot(&e))
    }

    /// Adds the outcomes of the next trials, in order.
    pub(crate) fn add(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            self.add_trial(self.done, outcome);
            self.done += 1;
        }
    }

    /// Adds the outcome of a trial of some number.
    pub(crate) fn add_trial(&mut self, number: u64, Outcome { figure, course }: Outcome) {
        if let Some(course) = &course {
            outcome::add(&mut self.scenes, course, figure.is_err());
            if course.has_spike() && self.spikes.len() < FAILURES_KEPT {
                self.spikes.push((number, format!("{}: {}", course.scene, course.told())));
            }
        }
        match figure {
            Ok(figure) => self.worst = self.worst.max(figure),
            Err(what) => {
                self.failed += 1;
                if self.failures.len() < FAILURES_KEPT {
                    self.failures.push((number, what));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_saving_and_loading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/area.json");
        assert_eq!(State::load(&path).unwrap(), None);
        let mut state = State::fresh("area", 7, "abc");
        state.add(vec![Ok(0.1).into(), Err("no".to_string()).into(), Ok(0.3).into()]);
        state.save(&path).unwrap();
        assert_eq!(State::load(&path).unwrap(), Some(state.clone()));
        assert_eq!((state.done, state.failed, state.worst), (3, 1, 0.3));
        assert_eq!(state.failures, [(1, "no".to_string())]);
    }

    #[test]
    fn a_file_that_is_no_state_is_refused_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("area.json");
        std::fs::write(&path, "{}").unwrap();
        assert!(State::load(&path).unwrap_err().contains("--restart"));
    }
}
