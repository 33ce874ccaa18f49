//! Whom a step that is stuck names: the pair of bodies that stands in the way, and where.

use crate::report::{Meeting, StuckReason};
use crate::response::Answer;
use crate::step::find::Candidate;
use crate::step::island::IslandNow;
use crate::step::piece::Decision;
use crate::stuck::rounded_place;
use silvia_proximity::{PathCheck, shape};
use silvia_solid::Vec3;

impl IslandNow<'_> {
    /// The bodies of a pair and where they meet, m.
    fn meeting(&self, pair: usize, at: Vec3) -> Meeting {
        let bodies = self.pairs[pair].bodies.map(|i| self.body(i));
        let at = rounded_place(at, bodies[0].size.min(bodies[1].size));
        Meeting { bodies: bodies.map(|body| body.name.clone()), at }
    }

    /// Where a pair crosses; of one that is too near at the start, where it is nearest.
    pub(super) fn crossing_of(&self, pair: usize, check: &PathCheck) -> Meeting {
        let found = check.crossing.as_ref().filter(|_| !check.at_start);
        let at = found.map(|crossing| crossing.points).unwrap_or_else(|| {
            let [(one, from), (other, to)] =
                self.pairs[pair].bodies.map(|i| (&self.body(i).shape, self.pose(i, &self.states[i])));
            shape::distance(one, &from, other, &to).points
        });
        self.meeting(pair, at[0])
    }

    /// Where a candidate lies.
    pub(super) fn meeting_at(&self, candidate: &Candidate) -> Meeting {
        self.meeting(candidate.pair, candidate.state.points[0])
    }

    /// The contact with the least gap at the start of the piece, as a part of its shell; of equal ones the
    /// first.
    pub(super) fn tightest(&self, candidates: &[Candidate]) -> Option<Meeting> {
        let gap = |candidate: &Candidate| candidate.state.gap / self.pairs[candidate.pair].shell;
        let held = candidates.iter().filter(|candidate| candidate.state.holds);
        held.min_by(|a, b| gap(a).total_cmp(&gap(b))).map(|candidate| self.meeting_at(candidate))
    }

    /// Why an answer is not what was asked for, and who is pressed hardest by it.
    pub(super) fn no_forces(
        &self,
        answer: &Answer,
        participants: &[usize],
        candidates: &[Candidate],
    ) -> StuckReason {
        let pressed = participants.iter().zip(&answer.impulses).filter(|(_, impulse)| impulse.is_finite());
        let pressed = pressed.filter(|(_, impulse)| **impulse != Vec3::ZERO);
        let hardest = pressed.max_by(|(_, a), (_, b)| a.length_squared().total_cmp(&b.length_squared()));
        let near = match hardest {
            Some((&at, _)) => Some(self.meeting_at(&candidates[at])),
            None => self.tightest(candidates),
        };
        StuckReason::NoForces { outcome: answer.outcome, residual: answer.residual, near }
    }

    /// Why nothing more is tried, with what was to be done about the last attempt, if there was one.
    pub(super) fn out_of_budget(&self, last: Option<&Decision>, candidates: &[Candidate]) -> StuckReason {
        let met = match last {
            Some(Decision::Cut { reason, .. }) => reason.meeting(),
            Some(Decision::Grow(new) | Decision::Divide(new)) => new.first().map(|new| self.meeting_at(new)),
            Some(Decision::Keep { candidates: kept, .. }) => {
                kept.first().map(|&at| self.meeting_at(&candidates[at]))
            }
            _ => None,
        };
        let near = met.or_else(|| self.tightest(candidates));
        StuckReason::OutOfBudget { attempts: self.spent.failed, near }
    }
}
