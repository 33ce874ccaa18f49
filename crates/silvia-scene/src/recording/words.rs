//! Encodes 64-bit numbers as bytes that compress well: each is stored as its difference from a prediction,
//! and bytes of equal significance are stored together.

/// Collects words and columns of words.
#[derive(Debug, Default)]
pub(crate) struct Words(Vec<u64>);

/// Reads them back.
#[derive(Debug)]
pub(crate) struct WordReader<'a> {
    left: &'a [u64],
}

impl Words {
    pub(crate) fn word(&mut self, word: u64) {
        self.0.push(word);
    }

    pub(crate) fn real(&mut self, real: f64) {
        self.0.push(real.to_bits());
    }

    /// Adds values of one quantity over time, each as its difference from the linear extrapolation of the two
    /// before.
    pub(crate) fn column(&mut self, values: impl Iterator<Item = u64>) {
        let mut before = [0_u64; 2];
        for (number, value) in values.enumerate() {
            self.0.push(zigzag(value.wrapping_sub(expected(before, number))));
            before = [before[1], value];
        }
    }

    /// Adds values of one quantity in rows of given lengths, each as its difference from the one above.
    pub(crate) fn rows(&mut self, counts: &[usize], values: impl Iterator<Item = u64>) {
        let mut values = values;
        let (mut above, mut row) = (Vec::new(), Vec::new());
        for &count in counts {
            row.clear();
            row.extend(values.by_ref().take(count));
            let differences = row.iter().enumerate().map(|(i, &value): (usize, &u64)| {
                zigzag(value.wrapping_sub(above.get(i).copied().unwrap_or(0)))
            });
            self.0.extend(differences);
            std::mem::swap(&mut above, &mut row);
        }
    }

    /// The bytes: first the least significant byte of every word, then the next byte of every word, and so
    /// on.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = self.0.len();
        let mut bytes = vec![0; 8 * count];
        for (plane, bytes) in bytes.chunks_exact_mut(count.max(1)).enumerate() {
            for (byte, word) in bytes.iter_mut().zip(&self.0) {
                *byte = (word >> (8 * plane)) as u8;
            }
        }
        bytes
    }
}

/// Decodes what [`Words::bytes`] wrote; `None` if the number of bytes is wrong.
pub(crate) fn words(bytes: &[u8]) -> Option<Vec<u64>> {
    if !bytes.len().is_multiple_of(8) {
        return None;
    }
    let count = bytes.len() / 8;
    let mut words = vec![0; count];
    for (plane, bytes) in bytes.chunks_exact(count.max(1)).enumerate() {
        for (word, &byte) in words.iter_mut().zip(bytes) {
            *word |= u64::from(byte) << (8 * plane);
        }
    }
    Some(words)
}

impl<'a> WordReader<'a> {
    pub(crate) fn new(words: &'a [u64]) -> WordReader<'a> {
        WordReader { left: words }
    }

    pub(crate) fn left(&self) -> usize {
        self.left.len()
    }

    pub(crate) fn word(&mut self) -> Option<u64> {
        let (&first, rest) = self.left.split_first()?;
        self.left = rest;
        Some(first)
    }

    pub(crate) fn real(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    /// Reads a number of items; refuses it if the remaining words are too few for them.
    pub(crate) fn count(&mut self, words_each: usize) -> Option<usize> {
        let count = usize::try_from(self.word()?).ok()?;
        (count.checked_mul(words_each)? <= self.left.len()).then_some(count)
    }

    pub(crate) fn column(&mut self, count: usize) -> Option<Vec<u64>> {
        let mut before = [0_u64; 2];
        let taken = self.take(count)?.iter().enumerate().map(|(number, &word)| {
            let value = unzigzag(word).wrapping_add(expected(before, number));
            before = [before[1], value];
            value
        });
        Some(taken.collect())
    }

    pub(crate) fn rows(&mut self, counts: &[usize]) -> Option<Vec<u64>> {
        let all = counts.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count))?;
        let taken = self.take(all)?;
        let mut values: Vec<u64> = Vec::with_capacity(all);
        let (mut above, mut length) = (0, 0);
        for &count in counts {
            let start = values.len();
            for i in 0..count {
                let over = if i < length { values[above + i] } else { 0 };
                values.push(unzigzag(taken[start + i]).wrapping_add(over));
            }
            (above, length) = (start, count);
        }
        Some(values)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u64]> {
        let (taken, rest) = self.left.split_at_checked(count)?;
        self.left = rest;
        Some(taken)
    }
}

/// Linear extrapolation of the two previous values as integers: for reals between two powers of two this is a
/// straight line.
fn expected(before: [u64; 2], number: usize) -> u64 {
    match number {
        0 => 0,
        1 => before[1],
        _ => before[1].wrapping_mul(2).wrapping_sub(before[0]),
    }
}

/// Maps small signed numbers to small unsigned ones: 0, -1, 1, -2 become 0, 1, 2, 3.
fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ (((difference as i64) >> 63) as u64)
}

fn unzigzag(word: u64) -> u64 {
    (word >> 1) ^ (word & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_and_rows_come_back_to_the_bit(
            column in prop::collection::vec(any::<u64>(), 0..20),
            rows in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..6), 0..6),
        ) {
            let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
            let flat: Vec<u64> = rows.iter().flatten().copied().collect();
            let mut out = Words::default();
            out.column(column.iter().copied());
            out.rows(&counts, flat.iter().copied());
            let back = words(&out.bytes()).unwrap();
            let mut reader = WordReader::new(&back);
            prop_assert_eq!(reader.column(column.len()).unwrap(), column);
            prop_assert_eq!(reader.rows(&counts).unwrap(), flat);
            prop_assert_eq!(reader.left(), 0);
            prop_assert!(reader.word().is_none() && reader.column(1).is_none());
        }
    }

    #[test]
    fn what_goes_on_straight_or_stays_is_written_as_zeros() {
        let mut out = Words::default();
        out.column([7, 10, 13, 16].into_iter());
        out.column([f64::to_bits(0.1); 3].into_iter());
        assert_eq!(out.0[..4], [14, 6, 0, 0]);
        assert_eq!(out.0[5..], [0, 0]);
    }

    #[test]
    fn a_number_of_bytes_that_is_no_number_of_words_is_refused() {
        assert!(words(&[0; 9]).is_none());
        assert_eq!(words(&[]), Some(Vec::new()));
    }
}
