//! Ways that bend towards each other.
//!
//! The way from one state to the next is linear in the vertices, so that round parts that roll over each other, and edges that
//! slide and turn on each other, come nearer between two states than they are at either: the way *sags*. Where a pair
//! crosses for that reason, it is lifted: kept farther apart, by what the way sags, for as long as it does.

use crate::step::contacts::PairOf;
use crate::step::island::Run;
use crate::step::piece::Refused;
use silvia_proximity::PathCheck;

/// Pairs are lifted by no more than this fraction of the smaller body's size; for more, steps are cut.
const HIGHEST: f64 = 1e-6;

/// What a pair is lifted by, as a multiple of what its way sags.
const SPARE: f64 = 1.5;

/// What is left of a lift after a step that did not need more.
const KEPT: f64 = 0.99;

/// A lift below this fraction of the shell is none.
const NO_LIFT: f64 = 0.05;

impl Run<'_> {
    /// Lifts a pair that crosses because its way sags, and says how long the piece may be: as long as what the pair is
    /// apart at the start allows. `None` if the way is not such a one.
    pub(super) fn lifted(
        &mut self,
        pair: usize,
        check: &PathCheck,
        start_gap: f64,
        length: f64,
    ) -> Option<Refused> {
        let until = check.free_until;
        let of_pair = &mut self.pairs[pair];
        if !(start_gap > 0.0 && until > 0.0 && until < 1.0) {
            return None;
        }
        // A parabola that begins and ends at the gap of the start and touches zero there.
        let from_parabola = start_gap / (4.0 * until * (1.0 - until));
        let sag = check.crossing.as_ref().and_then(|c| c.sag).unwrap_or(from_parabola);
        let highest = HIGHEST * of_pair.size;
        let lift = (SPARE * sag).max(2.0 * of_pair.lift).min(highest);
        let has_risen = lift > of_pair.lift;
        if has_risen {
            of_pair.shell += lift - of_pair.lift;
            of_pair.lift = lift;
        }
        // What a way sags goes with the square of its length.
        let enough = (start_gap / (SPARE * sag)).sqrt();
        if enough >= 1.0 {
            return has_risen.then_some(Refused::Again);
        }
        let shorter = enough.clamp(0.5 * until, 0.9) * length;
        Some(Refused::Cut(shorter, String::from("bodies would pass through each other as they turn")))
    }

    /// The lifts with which the next step begins.
    pub(super) fn lifts_to_keep(&self) -> impl Iterator<Item = ([u32; 2], f64)> {
        let kept = |pair: &&PairOf| KEPT * pair.lift > NO_LIFT * (pair.shell - pair.lift);
        let numbered = move |pair: &PairOf| (pair.bodies.map(|i| self.island.bodies[i]), KEPT * pair.lift);
        self.pairs.iter().filter(kept).map(numbered)
    }
}
