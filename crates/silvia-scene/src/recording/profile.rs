//! Where the time of a run went: rows beside the frames, since what the clock says is no part of the physics.

use super::words::{WordReader, Words, words};
use serde::{Deserialize, Serialize};
use silvia_world::{Cost, Profile, Stage};

/// Where the time of some steps went, which end at a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProfileRow {
    /// Steps made so far.
    pub step: u64,
    /// s
    pub time: f64,
    /// Of the steps since the row before.
    pub profile: Profile,
}

impl ProfileRow {
    /// All of some rows together.
    pub fn sum(rows: &[ProfileRow]) -> Profile {
        let mut sum = Profile::default();
        rows.iter().for_each(|row| sum.add(&row.profile));
        sum
    }
}

/// A profile as people and programs read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfileTable {
    /// How many steps it tells of: all, unless profiling was switched on or off when a run was taken up.
    pub steps: u64,
    /// Time of a step by the clock, ms.
    pub ms_a_step: f64,
    /// In the order of a step, and last what they leave: bookkeeping.
    pub stages: Vec<StageShare>,
}

/// What a stage costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageShare {
    /// Its name; `rest` for what all others leave.
    pub stage: String,
    /// Of the time of all stages and the rest together, from 0 to 1.
    pub share: f64,
    /// Time in a step, ms. What goes on at once on several threads is added up.
    pub ms_a_step: f64,
    /// How much is done in a step; none for the rest.
    pub count_a_step: Option<f64>,
    /// Of what.
    pub counted: Option<String>,
}

/// The name of what all stages leave.
const REST: &str = "rest";

impl ProfileTable {
    /// None if it tells of no step.
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

/// Words of a row: step, time, steps, seconds, and of each stage seconds and count.
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

/// The rows of a block; none if it is not as it must be.
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

/// Times are finite.
fn row_of(word: impl Fn(usize) -> u64) -> Option<ProfileRow> {
    let costs =
        std::array::from_fn(|i| Cost { seconds: f64::from_bits(word(4 + 2 * i)), count: word(5 + 2 * i) });
    let profile = Profile::new(word(2), f64::from_bits(word(3)), costs);
    let time = f64::from_bits(word(1));
    let mut seconds = costs.iter().map(|cost| cost.seconds).chain([profile.seconds, time]);
    seconds.all(f64::is_finite).then_some(ProfileRow { step: word(0), time, profile })
}
