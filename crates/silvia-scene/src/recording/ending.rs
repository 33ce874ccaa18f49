//! How a run ended.

use super::ProfileTable;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Whether it came to its end.
    pub why: Why,
    /// What it was like.
    pub summary: Summary,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The time was over.
    Finished,
    /// Someone stopped it.
    Stopped,
    /// The world refused a step, for the reason given. It is deterministic, so that it would again: change
    /// the scene, the step or the method.
    Refused(String),
}

/// What a run was like, from its very beginning, however often it was taken up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Steps made.
    pub steps: u64,
    /// Time simulated, s.
    pub sim_seconds: f64,
    /// Time taken by the clock, s.
    pub wall_seconds: f64,
    /// The deepest overlap of two bodies at any state, m, as found by the checker; none if it was not asked.
    pub max_penetration: Option<f64>,
    /// Most contacts at the end of a step.
    pub contacts_max: u64,
    /// Steps that were made in more than one piece.
    pub cut_steps: u64,
    /// Steps that could not be made because bodies were stuck: the run ends at the first.
    pub stuck_steps: u64,
    /// By how much total mechanical energy has changed from start to end, divided by the largest sum of
    /// kinetic and absolute potential energy on the way. Gravity's potential is 0 at the origin; other forces
    /// have none, so that their work counts as change, as do losses by friction and impacts.
    pub energy_drift: f64,
    /// Of the world's last state, in hexadecimal digits.
    pub hash: String,
    /// Where the time of the steps went, if they were profiled.
    #[serde(default)]
    pub profile: Option<ProfileTable>,
}
