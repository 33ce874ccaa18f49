//! The pairs of bounds that are still to be opened.

use super::buckets::Buckets;
use crate::duo::{Pair, Slab};

/// A pair and how near it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) lower: f64,
    pub(super) pair: Pair,
}

/// The pairs that are still to be opened, in the order of a strategy.
pub(super) trait Frontier {
    /// Adds a pair; of the children of a node the nearest last.
    fn push(&mut self, entry: Entry);

    /// The next to open, with a bound below `threshold`. Pairs at or above it that stand in the way are given
    /// up: `given_up` becomes the least of their bounds and itself.
    fn pop_below(&mut self, threshold: f64, given_up: &mut f64) -> Option<Entry>;

    /// The least lower bound of all; infinite if there are none.
    fn lower(&self) -> f64;

    /// Called with what is too far, if the frontier is to remember it: a pair, or some children of one, as
    /// bits, of which `nearest` is the nearest.
    #[inline(always)]
    fn remember(&mut self, _pair: Pair, _children: u8, _nearest: usize) {}

    /// Called with a pair of triangles that has been measured, if the frontier is to remember it.
    #[inline(always)]
    fn measured(&mut self, _pair: Pair, _slab: Slab) {}
}

/// Depth first: the pair added last comes first; but pairs whose bounds overlap before all others, so that
/// bodies which touch are soon found to.
#[derive(Default)]
pub(super) struct Greedy {
    apart: Vec<Entry>,
    overlapping: Vec<Entry>,
}

impl Frontier for Greedy {
    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        if entry.lower > 0.0 {
            self.apart.push(entry);
        } else {
            self.overlapping.push(entry);
        }
    }

    #[inline(always)]
    fn pop_below(&mut self, threshold: f64, given_up: &mut f64) -> Option<Entry> {
        while let Some(entry) = self.overlapping.pop().or_else(|| self.apart.pop()) {
            if entry.lower < threshold {
                return Some(entry);
            }
            *given_up = given_up.min(entry.lower);
        }
        None
    }

    fn lower(&self) -> f64 {
        self.apart.iter().chain(&self.overlapping).map(|e| e.lower).fold(f64::INFINITY, f64::min)
    }
}

/// The least lower bound first, to within the width of a bucket.
pub(super) struct BestFirst(Buckets<Pair>);

impl BestFirst {
    /// For bounds that are mostly between `low` and `high`.
    pub(super) fn between(low: f64, high: f64) -> BestFirst {
        BestFirst(Buckets::between(low, high))
    }
}

impl Frontier for BestFirst {
    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.0.push(entry.lower, entry.pair);
    }

    #[inline(always)]
    fn pop_below(&mut self, threshold: f64, given_up: &mut f64) -> Option<Entry> {
        while let Some((lower, pair)) = self.0.pop_first(threshold) {
            if lower < threshold {
                return Some(Entry { lower, pair });
            }
            *given_up = given_up.min(lower);
        }
        None
    }

    fn lower(&self) -> f64 {
        self.0.lower()
    }
}
