//! What an island spends on a step, in counts, and how long its pieces are: so that every step ends soon, and
//! a long one is no dearer than short ones.

use crate::step::island::IslandNow;
use crate::step::tuning;
use silvia_proximity::PathCheck;
use std::cmp::Ordering;

/// What one answer of a response method cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Toll {
    /// Rounds of the fixpoint, or iterations of Newton's method.
    pub(super) iterations: usize,
    /// Contacts that were looked at or solved for, each as often as it was.
    pub(super) work: usize,
}

/// What an island has spent on a step, and what it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// How often it was given a new budget, because bodies that give way would block a script.
    renewals: usize,
    /// Contacts that were looked at or solved for, each as often as it was.
    work: usize,
    /// The same for nearest motions, which come after all that.
    given: usize,
    /// How many attempts have failed.
    pub(super) failed: usize,
    /// The same of budgets before.
    forgiven: usize,
    /// After so much it gives way.
    most: usize,
}

impl Spent {
    /// Allows for the candidates and bodies that a step begins with.
    pub(super) fn allow(&mut self, candidates: usize, bodies: usize, is_interactive: bool) {
        let (fixed, each) = match is_interactive {
            true => tuning::QUICK_WORK,
            false => tuning::MOST_WORK,
        };
        self.most = self.most.max(fixed + each * (candidates + bodies));
    }

    /// A new budget, if there were fewer than `most` before.
    pub(super) fn renewed(self, most: usize) -> Option<Spent> {
        let renewals = self.renewals + 1;
        (renewals <= most).then(|| Spent { renewals, ..Spent::default() })
    }

    /// Begins with a new budget of attempts.
    pub(super) fn forgive(&mut self) {
        self.forgiven += self.failed;
        (self.work, self.failed) = (0, 0);
    }

    /// How many attempts have failed, with those of budgets before.
    pub(super) fn failed_in_all(&self) -> usize {
        self.failed + self.forgiven
    }

    /// Whether quick answers are not enough: the rest of the step is made as if the world were not
    /// interactive.
    pub(super) fn is_patient(&self) -> bool {
        self.renewals > 0
    }

    pub(super) fn add(&mut self, work: usize) {
        self.work += work;
    }

    /// What two islands have spent that begin again as one, at most.
    pub(super) fn or_more(self, other: Spent) -> Spent {
        match self.renewals.cmp(&other.renewals) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal => Spent {
                renewals: self.renewals,
                work: self.work.max(other.work),
                given: self.given.max(other.given),
                failed: self.failed.max(other.failed),
                forgiven: self.forgiven.max(other.forgiven),
                most: self.most.max(other.most),
            },
        }
    }

    /// Adds the work of a nearest motion.
    pub(super) fn give(&mut self, work: usize) {
        self.given += work;
    }

    /// Whether nearest motions have taken as much work as all attempts may.
    pub(super) fn has_given_enough(&self) -> bool {
        self.given > self.most
    }

    /// Whether a good part of it is gone.
    pub(super) fn is_low(&self) -> bool {
        self.work > self.most / tuning::LOW
    }

    /// What is left to spend.
    pub(super) fn left(&self) -> usize {
        self.most.saturating_sub(self.work)
    }
}

impl IslandNow<'_> {
    /// Allows for an attempt with so many candidates.
    pub(super) fn allow(&mut self, candidates: usize) {
        self.spent.allow(candidates, self.states.len(), self.quick_budget().is_some());
    }

    /// The work of finding what crosses where so many pairs do: quick answers are less work than that.
    pub(super) fn work_of_crossings(&self, pairs: &[(usize, PathCheck)]) -> usize {
        let is_fine = |(pair, _): &&(usize, PathCheck)| self.pairs[*pair].is_fine;
        match self.quick_budget() {
            Some(_) => tuning::CROSSING_WORK * pairs.iter().filter(is_fine).count(),
            None => 0,
        }
    }

    /// Whether the island has failed too often or worked too much, and gives way.
    pub(super) fn is_over_budget(&self) -> bool {
        let most = match self.quick_budget() {
            Some(_) => tuning::QUICK_ATTEMPTS,
            None => tuning::MOST_ATTEMPTS,
        };
        self.spent.failed > most || self.spent.left() == 0
    }
}

/// How long the next piece may be. Where one piece after the other is cut, longer ones are tried in vain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// No piece is longer than this, s.
    longest: f64,
    /// How many pieces in a row were cut.
    cut: usize,
}

impl Pace {
    pub(super) const FREE: Pace = Pace { longest: f64::INFINITY, cut: 0 };

    /// How long the next piece may be, s.
    pub(super) fn longest(self) -> f64 {
        self.longest
    }

    /// After it was found that no longer piece than this, s, can be had.
    pub(super) fn at_most(length: f64) -> Pace {
        Pace { longest: tuning::QUICKER * length, cut: 0 }
    }

    /// After a piece of a length, s, was taken.
    pub(super) fn after(self, length: f64, was_cut: bool) -> Pace {
        let cut = if was_cut { self.cut + 1 } else { 0 };
        let longest = match was_cut {
            true if self.longest.is_finite() || cut > tuning::CUT_IN_A_ROW => tuning::QUICKER * length,
            true => self.longest,
            false => tuning::QUICKER * self.longest,
        };
        Pace { longest, cut }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn pieces_stay_short_once_two_in_a_row_were_cut_and_grow_again() {
        let once = Pace::FREE.after(0.1, true);
        assert_eq!(once.longest(), f64::INFINITY);
        assert_eq!(once.after(0.5, false).after(0.1, true).longest(), f64::INFINITY);
        let twice = once.after(0.1, true);
        assert_eq!(twice.longest(), 0.2);
        assert_eq!(twice.after(0.2, false).longest(), 0.4);
        assert_eq!(twice.after(0.2, false).after(0.05, true).longest(), 0.1);
    }

    #[test]
    fn an_island_may_spend_what_it_began_with_asks_for() {
        let mut spent = Spent::default();
        spent.allow(10, 2, false);
        let all = spent.left();
        spent.allow(1, 1, false);
        assert_eq!(spent.left(), all);
        spent.add(all);
        assert_eq!(spent.left(), 0);
        spent.add(1);
        assert_eq!(spent.left(), 0);
    }

    #[test]
    fn a_budget_is_renewed_as_often_as_it_may_also_where_the_step_begins_again() {
        let mut spent = Spent::default();
        assert!(!spent.is_patient());
        for _ in 0..3 {
            spent.add(1000);
            spent = spent.renewed(3).unwrap();
            spent.allow(10, 2, false);
            assert!(spent.is_patient() && spent.left() > 0);
            // What an island that begins again is given.
            spent = Spent::default().or_more(spent);
        }
        assert_eq!(spent.renewed(3), None);
    }
}
