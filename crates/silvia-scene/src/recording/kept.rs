//! Kept states, from which a run resumes bit for bit.

use super::account::{OF_ACCOUNT, account_of, account_words};
use super::estimate::MotionEstimate;
use super::frame::{FrameImpact, StepCost};
use super::frames::{OF_COST, OF_IMPACT, cost_of, cost_words, impact_of, impact_words};
use crate::scene::GoalProgress;
use silvia_world::{AdaptiveStepper, AdaptiveSteps, RunAccount, Snapshot, SnapshotError};

/// A state of a run, kept to resume from.
#[derive(Clone, Debug)]
pub struct KeptState {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Hash of the world, to verify that it was restored.
    pub hash: u64,
    /// The totals of the run so far.
    pub tally: Tally,
    /// The world.
    pub snapshot: Snapshot,
}

/// Identifies a kept state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateInfo {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Hash of the world.
    pub hash: u64,
}

/// The totals of a run so far. They are kept so that the summary of an interrupted run covers all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Wall-clock time, s.
    pub wall_seconds: f64,
    /// The most contacts at the end of a step.
    pub contacts_max: u64,
    /// Number of steps made in more than one piece.
    pub cut_steps: u64,
    /// Number of steps in which the law of contact was not met.
    pub shortfall_steps: u64,
    /// Energy lost in these, J.
    pub numerical_loss: f64,
    /// Where energy and momentum went; none if the run began with a version that kept no account.
    pub account: Option<RunAccount>,
    /// How far off the motion may be.
    pub estimate: MotionEstimate,
    /// What chooses the steps of a run with an accuracy.
    pub stepper: Option<AdaptiveStepper>,
    /// The checker's findings; none if the run was not checked.
    pub checked: Option<Checked>,
    /// How far each goal of the scene has come, in their order.
    pub goals: Vec<GoalProgress>,
    /// Impacts that wait for the next frame.
    pub impacts: Vec<FrameImpact>,
    /// Cost of the steps since the last frame.
    pub cost: StepCost,
}

impl Tally {
    /// How far off the motion may be after so many steps, by estimate; none if nothing is known of it.
    pub fn motion_error(&self, steps: u64) -> Option<f64> {
        match &self.stepper {
            Some(stepper) => Some(stepper.told().estimated),
            None => self.estimate.after(steps),
        }
    }
}

/// The checker's findings so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Checked {
    /// The deepest overlap at any state, m.
    pub depth: f64,
    /// The deepest overlap as a fraction of the smaller body's size.
    pub fraction: f64,
    /// Number of times two bodies passed through each other between two states, while their points move on
    /// straight lines.
    pub crossings: u64,
    /// Number of times no decision was reached.
    pub undecided: u64,
}

impl Checked {
    /// The findings of both.
    #[must_use]
    pub fn and(self, other: Checked) -> Checked {
        Checked {
            depth: self.depth.max(other.depth),
            fraction: self.fraction.max(other.fraction),
            crossings: self.crossings + other.crossings,
            undecided: self.undecided + other.undecided,
        }
    }
}

/// Flags of a state: whether it was checked, and whether further words follow its impacts.
const CHECKED: u64 = 1;
const HAS_MORE: u64 = 2;
/// Number of words of a state before its cost.
const BEFORE_COST: usize = 15;
/// Number of words of a state before its impacts; the last one is their number.
const WORDS: usize = BEFORE_COST + OF_COST + 1;

/// The content of a block: words of eight bytes, of which those since the first version have their number
/// before them, then the snapshot.
pub(crate) fn encoded(state: &KeptState) -> Vec<u8> {
    let KeptState { step, time, hash, tally, snapshot } = state;
    let Tally { wall_seconds, contacts_max, cut_steps, shortfall_steps, numerical_loss, .. } = tally;
    let Tally { checked, impacts, cost, .. } = tally;
    let more = more_words(tally);
    let Checked { depth, fraction, crossings, undecided } = checked.unwrap_or_default();
    let words: [u64; BEFORE_COST] = [
        *step,
        time.to_bits(),
        *hash,
        wall_seconds.to_bits(),
        *contacts_max,
        *cut_steps,
        0,
        0,
        u64::from(checked.is_some()) * CHECKED + u64::from(!more.is_empty()) * HAS_MORE,
        depth.to_bits(),
        fraction.to_bits(),
        crossings,
        undecided,
        *shortfall_steps,
        numerical_loss.to_bits(),
    ];
    let all = words.into_iter().chain(cost_words(cost)).chain([impacts.len() as u64]);
    let all = all.chain(impacts.iter().flat_map(impact_words));
    let count = (!more.is_empty()).then_some(more.len() as u64);
    let all = all.chain(count).chain(more);
    let mut bytes: Vec<u8> = all.flat_map(u64::to_le_bytes).collect();
    bytes.extend(snapshot.to_bytes());
    bytes
}

/// Why a block does not contain a state.
pub(crate) enum KeptFault {
    Damaged,
    Refused { step: u64, source: SnapshotError },
}

/// Decodes the state in a block.
pub(crate) fn decoded(bytes: &[u8], bodies: usize) -> Result<KeptState, KeptFault> {
    let (info, tally, snapshot) = split(bytes, bodies).ok_or(KeptFault::Damaged)?;
    let StateInfo { step, time, hash } = info;
    let snapshot = Snapshot::from_bytes(snapshot).map_err(|source| KeptFault::Refused { step, source })?;
    Ok(KeptState { step, time, hash, tally, snapshot })
}

/// Identifies the state in a block.
pub(crate) fn info(bytes: &[u8]) -> Option<StateInfo> {
    let (words, _) = bytes.split_at_checked(8 * WORDS)?;
    let word = |i: usize| words.as_chunks::<8>().0.get(i).map(|word| u64::from_le_bytes(*word));
    Some(StateInfo { step: word(0)?, time: f64::from_bits(word(1)?), hash: word(2)? })
}

fn split(bytes: &[u8], bodies: usize) -> Option<(StateInfo, Tally, &[u8])> {
    let (words, rest) = words_of(bytes, WORDS)?;
    let count = usize::try_from(words[WORDS - 1]).ok()?;
    let (impacts, rest) = words_of(rest, count.checked_mul(OF_IMPACT.len())?)?;
    let (more, snapshot) = match words[8] & HAS_MORE {
        0 => (Vec::new(), rest),
        _ => {
            let (count, rest) = words_of(rest, 1)?;
            words_of(rest, usize::try_from(count[0]).ok()?)?
        }
    };
    let impacts =
        impacts.chunks_exact(OF_IMPACT.len()).map(|words| impact_of(|column| words[column], bodies));
    let real = |i: usize| f64::from_bits(words[i]);
    let checked = Checked { depth: real(9), fraction: real(10), crossings: words[11], undecided: words[12] };
    let mut tally = Tally {
        wall_seconds: real(3),
        contacts_max: words[4],
        cut_steps: words[5],
        shortfall_steps: words[13],
        numerical_loss: real(14),
        account: None,
        estimate: MotionEstimate::default(),
        stepper: None,
        goals: Vec::new(),
        checked: (words[8] & CHECKED != 0).then_some(checked),
        impacts: impacts.collect::<Option<_>>()?,
        cost: cost_of(|i| words[BEFORE_COST + i])?,
    };
    if !more.is_empty() {
        take_more(&mut tally, &more)?;
    }
    Some((StateInfo { step: words[0], time: real(1), hash: words[2] }, tally, snapshot))
}

/// How many words they are: of the account, the estimate, and the stepper.
const OF_MORE: usize = OF_ACCOUNT + 2 + 8;

/// The words of a state that the first version had not; none if the run began with that.
fn more_words(tally: &Tally) -> Vec<u64> {
    let Some(account) = &tally.account else { return Vec::new() };
    let MotionEstimate { error, steps } = tally.estimate;
    let stepper = tally.stepper.as_ref();
    let AdaptiveSteps { estimated, pairs, rejected, missed, shortest, longest } =
        stepper.map(|stepper| *stepper.told()).unwrap_or_default();
    // No accuracy and no length is 0.
    let accuracy = stepper.map_or(0.0, AdaptiveStepper::accuracy);
    let next = stepper.and_then(AdaptiveStepper::next).unwrap_or(0.0);
    let reals = |reals: [f64; 3]| reals.map(f64::to_bits);
    let mut words = account_words(account).to_vec();
    words.extend([error.to_bits(), steps.to_bits()]);
    words.extend(reals([accuracy, next, estimated]));
    words.extend([pairs, rejected, missed, shortest.to_bits(), longest.to_bits()]);
    words.push(tally.goals.len() as u64);
    for GoalProgress { reached_at, best } in &tally.goals {
        // No time is NaN.
        words.extend([reached_at.unwrap_or(f64::NAN).to_bits(), best.len() as u64]);
        words.extend(best.iter().map(|best| best.to_bits()));
    }
    words
}

/// The goals among the words of a state; none in those of versions that had none.
fn goals_of(words: &[u64]) -> Option<Vec<GoalProgress>> {
    let mut words = words.iter().copied();
    let mut goals = Vec::new();
    for _ in 0..words.next().unwrap_or(0) {
        let reached_at = Some(f64::from_bits(words.next()?)).filter(|time| !time.is_nan());
        let count = words.next()?;
        let best = (0..count).map(|_| words.next().map(f64::from_bits)).collect::<Option<_>>()?;
        goals.push(GoalProgress { reached_at, best });
    }
    Some(goals)
}

/// Takes them in. Those of later versions, behind them, are left.
fn take_more(tally: &mut Tally, words: &[u64]) -> Option<()> {
    if words.len() < OF_MORE {
        return None;
    }
    let (account, rest) = words.split_at(OF_ACCOUNT);
    let real = |i: usize| f64::from_bits(rest[i]);
    tally.account = Some(account_of(|i| account[i]));
    tally.estimate = MotionEstimate { error: real(0), steps: real(1) };
    if real(2) != 0.0 {
        let told = AdaptiveSteps {
            estimated: real(4),
            pairs: rest[5],
            rejected: rest[6],
            missed: rest[7],
            shortest: real(8),
            longest: real(9),
        };
        let next = Some(real(3)).filter(|next| *next > 0.0);
        tally.stepper = Some(AdaptiveStepper::new(real(2)).ok()?.resumed(next, told));
    }
    tally.goals = goals_of(&words[OF_MORE..])?;
    Some(())
}

/// Some words, and the bytes after them.
fn words_of(bytes: &[u8], count: usize) -> Option<(Vec<u64>, &[u8])> {
    let (words, rest) = bytes.split_at_checked(count.checked_mul(8)?)?;
    Some((words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect(), rest))
}
