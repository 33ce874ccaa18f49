//! Ways that bend towards each other.
//!
//! The way from one state to the next is linear in the vertices, so that round parts that roll over each
//! other, and edges that slide and turn on each other, come nearer between two states than they are at
//! either: the way *sags*. Where a pair crosses for that reason, it is lifted: kept farther apart, by what
//! the way sags, for as long as it does.

use crate::step::contacts::PairOf;
use crate::step::island::Run;
use silvia_proximity::PathCheck;

/// Pairs are lifted by no more than this fraction of the smaller body's size; for more, steps are cut.
const HIGHEST: f64 = 3e-4;

/// What a pair is lifted by, as a multiple of what its way sags.
const SPARE: f64 = 5.0;

/// What is left of a lift after a step that did not need more.
const KEPT: f64 = 0.97;

/// A lift below this fraction of the shell is none.
const NO_LIFT: f64 = 0.05;

impl Run<'_> {
    /// Lifts a pair that crosses because its way sags; whether it could. A pair that ends farther apart than
    /// it begins, by more than four times what its way sags, does not cross, however little it is apart where
    /// it begins.
    pub(super) fn lift(&mut self, pair: usize, check: &PathCheck, start_gap: f64) -> bool {
        let Some(sag) = sag(check, start_gap) else { return false };
        let of_pair = &mut self.pairs[pair];
        let lift = (SPARE * sag).max(2.0 * of_pair.lift).min(HIGHEST * of_pair.size);
        if lift <= of_pair.lift {
            return false;
        }
        of_pair.shell += lift - of_pair.lift;
        of_pair.lift = lift;
        true
    }

    /// What part of its way a pair that cannot be lifted more may go, for it to sag less. `None` if its way
    /// is not such a one.
    pub(super) fn until_sagging(&self, pair: usize, check: &PathCheck, start_gap: f64) -> Option<f64> {
        let sag = sag(check, start_gap)?;
        let room = start_gap.max(self.pairs[pair].lift / SPARE);
        // What a way sags goes with the square of its length.
        Some((room / sag).sqrt().clamp(0.5 * check.free_until, 0.9))
    }

    /// The lifts with which the next step begins.
    pub(super) fn lifts_to_keep(&self) -> impl Iterator<Item = ([u32; 2], f64)> {
        let kept = |pair: &&PairOf| KEPT * pair.lift > NO_LIFT * (pair.shell - pair.lift);
        let numbered = move |pair: &PairOf| (pair.bodies.map(|i| self.island.bodies[i]), KEPT * pair.lift);
        self.pairs.iter().filter(kept).map(numbered)
    }
}

/// How far a way that crosses is below the straight line between its ends, m; `None` if it crosses at one of
/// them.
fn sag(check: &PathCheck, start_gap: f64) -> Option<f64> {
    let until = check.free_until;
    if !(until > 0.0 && until < 1.0) {
        return None;
    }
    // A parabola that begins and ends at the gap of the start and touches zero there.
    let from_parabola = start_gap / (4.0 * until * (1.0 - until));
    Some(check.crossing.as_ref().and_then(|c| c.sag).unwrap_or(from_parabola))
}
