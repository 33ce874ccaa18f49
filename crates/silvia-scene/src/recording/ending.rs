//! How a run ended.

use super::ProfileTable;
use crate::scene::{Condition, Goal, GoalProgress};
use serde::{Deserialize, Serialize};
use silvia_world::{AdaptiveStepper, RunAccount};

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
    /// The numerical part of the account of energy by what flowed ([`RunAccount::energy_error`]); none if the
    /// run was recorded without an account.
    #[serde(default)]
    pub energy_error: Option<f64>,
    /// Where the energy went.
    #[serde(default)]
    pub energy: Option<EnergySummary>,
    /// The numerical part of the account of momentum by what flowed ([`RunAccount::momentum_error`]).
    #[serde(default)]
    pub momentum_error: Option<f64>,
    /// Where the momentum of the free bodies came from.
    #[serde(default)]
    pub momentum: Option<MomentumSummary>,
    /// How far off the motion may be, by estimate: bodies by their size, velocities by their speed. None if
    /// no step was made again to find it; with an accuracy, the error of the steps it chose.
    #[serde(default)]
    pub motion_error: Option<f64>,
    /// The step with which that, and `energy_error`, would be below [`MOST_ERROR`], s; none if they are, or
    /// if no useful step would do.
    #[serde(default)]
    pub advised_step: Option<f64>,
    /// The steps of a run with an accuracy.
    #[serde(default)]
    pub accuracy: Option<AccuracySummary>,
    /// Whether all goals of the scene were reached; none if it has none.
    #[serde(default)]
    pub success: Option<bool>,
    /// What became of each goal.
    #[serde(default)]
    pub goals: Vec<GoalSummary>,
    /// Hash of the world's last state, in hexadecimal.
    pub hash: String,
    /// The profile of the steps, if they were profiled.
    #[serde(default)]
    pub profile: Option<ProfileTable>,
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalSummary {
    /// The name of the body.
    pub body: String,
    /// When it was reached, s; none if it was not.
    pub reached_at: Option<f64>,
    /// What was wanted, and how near it came, in words.
    pub about: String,
}

impl GoalSummary {
    /// Of a goal and how far it has come.
    pub fn of(goal: &Goal, progress: &GoalProgress) -> GoalSummary {
        // Four digits.
        let number = |value: f64| format!("{}", format!("{value:.3e}").parse().unwrap_or(value));
        let condition = |(index, condition): (usize, &Condition)| {
            let best = progress.best.get(index).copied();
            condition.in_words(best.filter(|_| progress.reached_at.is_none()), number)
        };
        let about: Vec<String> = goal.conditions.iter().enumerate().map(condition).collect();
        GoalSummary { body: goal.name.clone(), reached_at: progress.reached_at, about: about.join("; ") }
    }
}

/// A run says so if its motion or its energy is off by more than this part.
pub const MOST_ERROR: f64 = 1e-2;
/// A step that is shorter than the run's by more than this factor is not advised.
const MOST_SHORTER: f64 = 100.0;
/// An advised step is for this part of [`MOST_ERROR`]: estimates are not exact.
const ADVISED: f64 = 0.5;

impl Summary {
    /// Whether the motion or the energy is off by more than [`MOST_ERROR`]: the larger of both. Of what was
    /// as good as at rest, the energy does not count.
    pub fn large_error(&self) -> Option<f64> {
        // An accuracy looks after its own errors.
        let motion = self.motion_error.filter(|_| self.accuracy.is_none());
        let moved = self.energy.is_some_and(|energy| energy.flowed > energy.least);
        let energy = self.energy_error.filter(|_| moved);
        let errors = motion.into_iter().chain(energy.map(f64::abs));
        Some(errors.fold(0.0, f64::max)).filter(|error| *error > MOST_ERROR)
    }

    /// The step (s) with which a motion of a large error would have a small one, if errors go with a power of
    /// the step: its first digit is 1, 2 or 5.
    pub fn step_for(large_error: f64, step: f64, order: i32) -> Option<f64> {
        let shorter = (large_error / (ADVISED * MOST_ERROR)).powf(1.0 / f64::from(order));
        let wanted = step / shorter;
        let power = 10.0_f64.powi(wanted.log10().floor() as i32);
        // A digit that is there but for rounding is there.
        let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= wanted * (1.0 + 1e-9));
        digit.map(|digit| digit * power).filter(|_| shorter <= MOST_SHORTER)
    }

    /// A sentence on a large error, and the step that would do; none if errors are small. A number is written
    /// as `number` does, a step as for `--dt`.
    pub fn warning(&self, number: impl Fn(f64) -> String) -> Option<String> {
        let error = self.large_error()?;
        let percent = |part: f64| format!("{} %", number(100.0 * part));
        let what = match self.motion_error.filter(|motion| *motion == error && self.accuracy.is_none()) {
            Some(_) => format!(
                "the motion may be off by about {} of the size or speed of a body",
                percent(format!("{error:.0e}").parse().unwrap_or(error))
            ),
            None => format!("{} of the energy that flowed is numerical error", percent(error)),
        };
        let most = percent(MOST_ERROR);
        Some(match self.advised_step {
            _ if self.accuracy.is_some() => format!("{what}: a finer `--accuracy` would make it less"),
            Some(step) => format!("{what}: `--dt {}` would bring it below {most}", number(step)),
            None => format!("{what}: no step of a useful length is known to bring it below {most}"),
        })
    }
}

/// The steps of a run with an accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccuracySummary {
    /// The error that was allowed in a second, 1/s.
    pub asked: f64,
    /// The error of the whole run by estimate.
    pub estimated: f64,
    /// The shortest step, s.
    pub shortest_step: f64,
    /// The longest step, s.
    pub longest_step: f64,
    /// How many pairs of steps were tried and taken back.
    pub rejected: u64,
    /// How many pairs of steps have a larger error than was allowed: shorter ones were no better.
    pub missed: u64,
}

impl From<&AdaptiveStepper> for AccuracySummary {
    fn from(stepper: &AdaptiveStepper) -> AccuracySummary {
        let told = stepper.told();
        AccuracySummary {
            asked: stepper.accuracy(),
            estimated: told.estimated,
            shortest_step: told.shortest,
            longest_step: told.longest,
            rejected: told.rejected,
            missed: told.missed,
        }
    }
}

impl AccuracySummary {
    /// In words, with numbers as someone writes them.
    pub fn in_words(&self, number: impl Fn(f64) -> String) -> String {
        let AccuracySummary { asked, estimated, shortest_step, longest_step, missed, .. } = *self;
        let missed = match missed {
            0 => String::new(),
            1 => "; missed once, where shorter steps were no better".to_owned(),
            many => format!("; missed {many} times, where shorter steps were no better"),
        };
        format!(
            "{} a second asked for, {} in all by estimate, in steps of {} to {} s{missed}",
            number(asked),
            number(estimated),
            number(shortest_step),
            number(longest_step)
        )
    }
}

/// Where the mechanical energy of a run went, J: `kinetic + potential = loads + driven - friction - impacts +
/// numerical`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergySummary {
    /// By how much the energy of motion grew.
    pub kinetic: f64,
    /// By how much the energy by gravity grew.
    pub potential: f64,
    /// Work done by loads.
    pub loads: f64,
    /// Work done by scripts and hands.
    pub driven: f64,
    /// Taken by friction.
    pub friction: f64,
    /// Taken by impacts.
    pub impacts: f64,
    /// What is left over: the error of the steps.
    pub numerical: f64,
    /// How much flowed ([`RunAccount::flowed`]).
    pub flowed: f64,
    /// What flows at least: if it is `flowed`, bodies were as good as at rest.
    pub least: f64,
}

/// Where the linear momentum of a run's free bodies came from, N s: `change = gravity + loads + contacts +
/// numerical`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentumSummary {
    /// By how much it grew.
    pub change: [f64; 3],
    /// What gravity gave.
    pub gravity: [f64; 3],
    /// What loads gave.
    pub loads: [f64; 3],
    /// What contacts with fixed, scripted and held bodies gave.
    pub contacts: [f64; 3],
    /// What is left over: the error of the steps.
    pub numerical: [f64; 3],
}

/// Parts of the account that are less than this part of what flowed are not told in words.
const LEAST_TOLD: f64 = 1e-6;

impl EnergySummary {
    /// In words, with numbers as someone writes them: `1.2 J flowed; changed by kinetic -1.2 J; lost to
    /// friction 1.2 J`.
    pub fn in_words(&self, number: impl Fn(f64) -> String) -> String {
        let told = |amount: f64| amount.abs() > LEAST_TOLD * self.flowed;
        let list = |parts: &[(&str, f64)]| {
            let parts = parts.iter().filter(|(_, amount)| told(*amount));
            parts.map(|(name, amount)| format!("{name} {} J", number(*amount))).collect::<Vec<_>>().join(", ")
        };
        let changes = list(&[("kinetic", self.kinetic), ("potential", self.potential)]);
        let work = list(&[("loads", self.loads), ("scripts and hands", self.driven)]);
        let losses = list(&[("friction", self.friction), ("impacts", self.impacts)]);
        let mut words = Vec::new();
        for (before, list) in [("changed by ", changes), ("work of ", work), ("lost to ", losses)] {
            if !list.is_empty() {
                words.push(before.to_owned() + &list);
            }
        }
        match words.is_empty() {
            true => "none flowed".to_owned(),
            false => format!("{} J flowed; {}", number(self.flowed), words.join("; ")),
        }
    }

    /// The numerical error in words: in J, and as a part of what flowed.
    pub fn error_in_words(&self, number: impl Fn(f64) -> String) -> String {
        let part = if self.flowed > 0.0 { self.numerical / self.flowed } else { 0.0 };
        format!("{} J, {} of what flowed", number(self.numerical), number(part))
    }
}

impl From<&RunAccount> for EnergySummary {
    fn from(account: &RunAccount) -> EnergySummary {
        let of = &account.energy;
        EnergySummary {
            kinetic: of.kinetic,
            potential: of.potential,
            loads: of.loads,
            driven: of.driven,
            friction: of.friction,
            impacts: of.impacts,
            numerical: of.numerical,
            flowed: account.flowed(),
            least: account.least,
        }
    }
}

impl From<&RunAccount> for MomentumSummary {
    fn from(account: &RunAccount) -> MomentumSummary {
        let of = &account.momentum;
        MomentumSummary {
            change: of.change.to_array(),
            gravity: of.gravity.to_array(),
            loads: of.loads.to_array(),
            contacts: of.contacts.to_array(),
            numerical: of.numerical.to_array(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_is_told_in_words_without_what_is_nothing() {
        let mut energy = EnergySummary::from(&RunAccount::default());
        assert_eq!(energy.in_words(|x| x.to_string()), "none flowed");
        assert_eq!(energy.error_in_words(|x| x.to_string()), "0 J, 0 of what flowed");
        energy = EnergySummary { kinetic: -2.0, friction: 1.5, numerical: -0.5, flowed: 2.0, ..energy };
        let words = "2 J flowed; changed by kinetic -2 J; lost to friction 1.5 J";
        assert_eq!(energy.in_words(|x| x.to_string()), words);
        assert_eq!(energy.error_in_words(|x| x.to_string()), "-0.5 J, -0.25 of what flowed");
    }
}
