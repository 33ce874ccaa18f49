//! The pairs of bounds that are still to be opened.

use crate::duo::Pair;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A pair and how near it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) lower: f64,
    pub(super) pair: Pair,
}

/// The pairs that are still to be opened, in the order of a strategy.
pub(super) trait Frontier {
    /// Whether the pairs come in the order of their bounds.
    const IS_SORTED: bool;
    /// Whether pairs that are too far are kept too, so that the frontier always covers all pairs; bounds may then be
    /// older than the poses.
    const KEEPS_ALL: bool = false;

    /// Adds a pair; of the children of a node the nearest last.
    fn push(&mut self, entry: Entry);
    /// The next to open.
    fn pop(&mut self) -> Option<Entry>;
    /// The least lower bound of all; infinite if there are none.
    fn lower(&self) -> f64;
    /// Takes note of a pair of leaves that has been measured.
    #[inline(always)]
    fn measured(&mut self, _entry: Entry) {}
}

/// Depth first: the pair added last comes first.
#[derive(Default)]
pub(super) struct Greedy(Vec<Entry>);

impl Frontier for Greedy {
    const IS_SORTED: bool = false;

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Entry> {
        self.0.pop()
    }

    fn lower(&self) -> f64 {
        self.0.iter().map(|e| e.lower).fold(f64::INFINITY, f64::min)
    }
}

/// The least lower bound comes first; among equal ones the lower slots.
#[derive(Clone, Debug, Default)]
pub(super) struct BestFirst(pub(super) BinaryHeap<Entry>);

impl Frontier for BestFirst {
    const IS_SORTED: bool = true;

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Entry> {
        self.0.pop()
    }

    fn lower(&self) -> f64 {
        self.0.peek().map_or(f64::INFINITY, |e| e.lower)
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The greatest, which a heap gives first, has the least bound.
    fn cmp(&self, other: &Entry) -> Ordering {
        other.lower.total_cmp(&self.lower).then_with(|| other.pair.cmp(&self.pair))
    }
}
