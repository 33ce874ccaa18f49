//! Collects the pairs that began and ended.

use super::{BoxId, Changes, Pair};
use rayon::slice::ParallelSliceMut;

/// Pairs in one word, the lesser id in the upper half: words sort as pairs do.
#[derive(Clone, Debug, Default)]
pub(super) struct News {
    pub(super) began: Vec<u64>,
    pub(super) ended: Vec<u64>,
}

/// More words than this are sorted on all threads.
const PARALLEL_FROM: usize = 1 << 14;

impl News {
    pub(super) fn began(&mut self, pair: (u32, u32)) {
        self.began.push(word(pair));
    }

    pub(super) fn ended(&mut self, pair: (u32, u32)) {
        self.ended.push(word(pair));
    }

    pub(super) fn append(&mut self, other: &News) {
        self.began.extend_from_slice(&other.began);
        self.ended.extend_from_slice(&other.ended);
    }

    /// In order; forgets them.
    pub(super) fn publish(&mut self) -> Changes {
        Changes { began: in_order(&mut self.began), ended: in_order(&mut self.ended) }
    }
}

fn word((a, b): (u32, u32)) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn in_order(words: &mut Vec<u64>) -> Vec<Pair> {
    if words.len() > PARALLEL_FROM {
        words.par_sort_unstable();
    } else {
        words.sort_unstable();
    }
    words.drain(..).map(|w| Pair { first: BoxId((w >> 32) as u32), second: BoxId(w as u32) }).collect()
}
