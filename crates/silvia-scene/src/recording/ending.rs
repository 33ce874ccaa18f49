//! How a run ended.

use super::ProfileTable;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// The reason for the end.
    pub why: Why,
    /// Totals over the run.
    pub summary: Summary,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It reached its end time.
    Finished,
    /// Someone stopped it.
    Stopped,
    /// The world refused a step, for the given reason. Steps are deterministic, so it would refuse again:
    /// change the scene, the step or the method.
    Refused(String),
}

/// Totals of a run from its very beginning, however often it was resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of steps.
    pub steps: u64,
    /// Simulated time, s.
    pub sim_seconds: f64,
    /// Wall-clock time, s.
    pub wall_seconds: f64,
    /// The deepest overlap of two bodies at any state, m, according to the checker; none if the run was not
    /// checked.
    pub max_penetration: Option<f64>,
    /// The most contacts at the end of a step.
    pub contacts_max: u64,
    /// Number of steps made in more than one piece.
    pub cut_steps: u64,
    /// Number of steps in which the law of contact was not met, although the motion is certified: forces were
    /// inexact, or bodies gave way.
    #[serde(default)]
    pub shortfall_steps: u64,
    /// Mechanical energy lost where bodies gave way, J: numerical, not physical.
    #[serde(default)]
    pub numerical_loss: f64,
    /// Number of steps that failed because bodies were stuck: the run ends at the first.
    pub stuck_steps: u64,
    /// Change of the total mechanical energy from start to end, divided by the largest sum of kinetic and
    /// absolute potential energy during the run. The potential of gravity is 0 at the origin. Other forces
    /// have no potential, so their work counts as change, as do losses by friction and impacts.
    pub energy_drift: f64,
    /// Hash of the world's last state, in hexadecimal.
    pub hash: String,
    /// The profile of the steps, if they were profiled.
    #[serde(default)]
    pub profile: Option<ProfileTable>,
}
