//! Profiles of a run. They are stored beside the frames, since wall-clock times are not part of the physics.

use super::words::{WordReader, Words, words};
use serde::{Deserialize, Serialize};
use silvia_world::{Cost, Profile, Stage};

/// The profile of consecutive steps, up to a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProfileRow {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Profile of the steps since the previous row.
    pub profile: Profile,
}

impl ProfileRow {
    /// The sum of some rows.
    pub fn sum(rows: &[ProfileRow]) -> Profile {
        let mut sum = Profile::default();
        rows.iter().for_each(|row| sum.add(&row.profile));
        sum
    }
}

/// A profile for people and programs to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileTable {
    /// Number of profiled steps: all of them, unless profiling was switched on or off when a run was resumed.
    pub steps: u64,
    /// Wall-clock time per step, ms.
    pub ms_a_step: f64,
    /// In the order of a step; the last entry is the rest: bookkeeping.
    pub stages: Vec<StageShare>,
}

/// The cost of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageShare {
    /// Its name; `rest` for the time outside all stages.
    pub stage: String,
    /// Fraction of the time of all stages and the rest, from 0 to 1.
    pub share: f64,
    /// Time per step, ms, summed over threads.
    pub ms_a_step: f64,
    /// Number of items processed per step; none for the rest.
    pub count_a_step: Option<f64>,
    /// What the items are.
    pub counted: Option<String>,
}

/// The name of the time outside all stages.
const REST: &str = "rest";

impl ProfileTable {
    /// The table of a profile; none if it covers no step.
    pub fn of(profile: &Profile) -> Option<ProfileTable> {
        if profile.steps == 0 {
            return None;
        }
        let steps = profile.steps as f64;
        let all = profile.rest() + profile.costs().map(|(_, cost)| cost.seconds).sum::<f64>();
        let share = |seconds: f64| if all > 0.0 { seconds / all } else { 0.0 };
        let stages = profile.costs().map(|(stage, cost)| StageShare {
            stage: stage.as_str().to_owned(),
            share: share(cost.seconds),
            ms_a_step: 1e3 * cost.seconds / steps,
            count_a_step: Some(cost.count as f64 / steps),
            counted: Some(stage.counted().to_owned()),
        });
        let rest = StageShare {
            stage: REST.to_owned(),
            share: share(profile.rest()),
            ms_a_step: 1e3 * profile.rest() / steps,
            count_a_step: None,
            counted: None,
        };
        let stages = stages.chain([rest]).collect();
        Some(ProfileTable { steps: profile.steps, ms_a_step: 1e3 * profile.seconds / steps, stages })
    }
}

/// Words of a row: step, time, steps, seconds, then seconds and count of each stage.
const WORDS: usize = 4 + 2 * Stage::ALL.len();

/// The content of a block of rows.
pub(crate) fn encoded(rows: &[ProfileRow]) -> Vec<u8> {
    let mut out = Words::default();
    out.word(rows.len() as u64);
    for column in 0..WORDS {
        out.column(rows.iter().map(|row| row_words(row)[column]));
    }
    out.bytes()
}

/// Decodes the rows of a block; none if it is invalid.
pub(crate) fn decoded(content: &[u8]) -> Option<Vec<ProfileRow>> {
    let words = words(content)?;
    let mut from = WordReader::new(&words);
    let count = from.count(WORDS)?;
    let columns: Vec<Vec<u64>> = (0..WORDS).map(|_| from.column(count)).collect::<Option<_>>()?;
    let rows = (0..count).map(|number| row_of(|column| columns[column][number])).collect::<Option<_>>()?;
    (from.left() == 0).then_some(rows)
}

fn row_words(row: &ProfileRow) -> [u64; WORDS] {
    let ProfileRow { step, time, profile } = row;
    let mut words = [0; WORDS];
    words[..4].copy_from_slice(&[*step, time.to_bits(), profile.steps, profile.seconds.to_bits()]);
    for (words, (_, cost)) in words[4..].as_chunks_mut::<2>().0.iter_mut().zip(profile.costs()) {
        *words = [cost.seconds.to_bits(), cost.count];
    }
    words
}

/// A row from its words; times must be finite.
fn row_of(word: impl Fn(usize) -> u64) -> Option<ProfileRow> {
    let costs =
        std::array::from_fn(|i| Cost { seconds: f64::from_bits(word(4 + 2 * i)), count: word(5 + 2 * i) });
    let profile = Profile::new(word(2), f64::from_bits(word(3)), costs);
    let time = f64::from_bits(word(1));
    let mut seconds = costs.iter().map(|cost| cost.seconds).chain([profile.seconds, time]);
    seconds.all(f64::is_finite).then_some(ProfileRow { step: word(0), time, profile })
}
