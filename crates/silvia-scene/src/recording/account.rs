//! The accounts of energy and momentum of a run, and the estimated error of its motion, over time. Stored
//! beside the frames, since recordings of earlier versions have none.

use super::words::{WordReader, Words, words};
use silvia_world::RunAccount;

/// The account of a run up to a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AccountRow {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Of all steps so far.
    pub account: RunAccount,
    /// How far off the motion may be after them, by estimate; none if nothing is known of it.
    pub motion_error: Option<f64>,
}

/// Number of words of an account.
pub(crate) const OF_ACCOUNT: usize = RunAccount::COLUMNS.len();
/// Words of a row: step, time, then the account and the error of the motion, which is NaN if there is none.
const WORDS: usize = 2 + OF_ACCOUNT + 1;

/// The content of a block of rows.
pub(crate) fn encoded(rows: &[AccountRow]) -> Vec<u8> {
    let mut out = Words::default();
    out.word(rows.len() as u64);
    for column in 0..WORDS {
        out.column(rows.iter().map(|row| row_words(row)[column]));
    }
    out.bytes()
}

/// Decodes the rows of a block; none if it is invalid.
pub(crate) fn decoded(content: &[u8]) -> Option<Vec<AccountRow>> {
    let words = words(content)?;
    let mut from = WordReader::new(&words);
    let count = from.count(WORDS)?;
    let columns: Vec<Vec<u64>> = (0..WORDS).map(|_| from.column(count)).collect::<Option<_>>()?;
    let row = |number: usize| {
        let time = f64::from_bits(columns[1][number]);
        let account = account_of(|word| columns[2 + word][number]);
        let error = f64::from_bits(columns[WORDS - 1][number]);
        let motion_error = Some(error).filter(|error| !error.is_nan());
        time.is_finite().then_some(AccountRow { step: columns[0][number], time, account, motion_error })
    };
    let rows = (0..count).map(row).collect::<Option<_>>()?;
    (from.left() == 0).then_some(rows)
}

fn row_words(row: &AccountRow) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    words[..2].copy_from_slice(&[row.step, row.time.to_bits()]);
    words[2..WORDS - 1].copy_from_slice(&account_words(&row.account));
    words[WORDS - 1] = row.motion_error.unwrap_or(f64::NAN).to_bits();
    words
}

/// The words of an account; also used for that of a kept state.
pub(crate) fn account_words(account: &RunAccount) -> [u64; OF_ACCOUNT] {
    account.to_reals().map(f64::to_bits)
}

/// An account from its words; also used for that of a kept state.
pub(crate) fn account_of(word: impl Fn(usize) -> u64) -> RunAccount {
    RunAccount::from_reals(&std::array::from_fn(|i| f64::from_bits(word(i))))
}
