//! Kept states, from which a run resumes bit for bit.

use super::account::{OF_ACCOUNT, account_of, account_words};
use super::frame::{FrameImpact, StepCost};
use super::frames::{OF_COST, OF_IMPACT, cost_of, cost_words, impact_of, impact_words};
use silvia_world::{RunAccount, Snapshot, SnapshotError};

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
    /// The checker's findings; none if the run was not checked.
    pub checked: Option<Checked>,
    /// Impacts that wait for the next frame.
    pub impacts: Vec<FrameImpact>,
    /// Cost of the steps since the last frame.
    pub cost: StepCost,
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
    let Tally { account, checked, impacts, cost, .. } = tally;
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
        u64::from(checked.is_some()) * CHECKED + u64::from(account.is_some()) * HAS_MORE,
        depth.to_bits(),
        fraction.to_bits(),
        crossings,
        undecided,
        *shortfall_steps,
        numerical_loss.to_bits(),
    ];
    let all = words.into_iter().chain(cost_words(cost)).chain([impacts.len() as u64]);
    let all = all.chain(impacts.iter().flat_map(impact_words));
    let more = account.iter().flat_map(|account| {
        let words = account_words(account);
        [words.len() as u64].into_iter().chain(words)
    });
    let all = all.chain(more);
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
    let (account, snapshot) = match words[8] & HAS_MORE {
        0 => (None, rest),
        _ => {
            let (count, rest) = words_of(rest, 1)?;
            let (more, rest) = words_of(rest, usize::try_from(count[0]).ok()?)?;
            let account = (more.len() >= OF_ACCOUNT).then(|| account_of(|i| more[i]));
            (Some(account?), rest)
        }
    };
    let impacts =
        impacts.chunks_exact(OF_IMPACT.len()).map(|words| impact_of(|column| words[column], bodies));
    let real = |i: usize| f64::from_bits(words[i]);
    let checked = Checked { depth: real(9), fraction: real(10), crossings: words[11], undecided: words[12] };
    let tally = Tally {
        wall_seconds: real(3),
        contacts_max: words[4],
        cut_steps: words[5],
        shortfall_steps: words[13],
        numerical_loss: real(14),
        account,
        checked: (words[8] & CHECKED != 0).then_some(checked),
        impacts: impacts.collect::<Option<_>>()?,
        cost: cost_of(|i| words[BEFORE_COST + i])?,
    };
    Some((StateInfo { step: words[0], time: real(1), hash: words[2] }, tally, snapshot))
}

/// Some words, and the bytes after them.
fn words_of(bytes: &[u8], count: usize) -> Option<(Vec<u64>, &[u8])> {
    let (words, rest) = bytes.split_at_checked(count.checked_mul(8)?)?;
    Some((words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect(), rest))
}
