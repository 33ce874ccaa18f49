//! How exactly the rounds of a fixpoint are solved: no more than matters.
//!
//! Where bodies turn, the gaps of a round come out other than predicted by far more than its solver leaves,
//! and the next round will see that only. Among many contacts, where digits are dear, such rounds are solved
//! roughly.

use super::iterate::Iterate;
use super::participation::Participation;
use crate::response::problem::{IslandProblem, ProblemContact};
use crate::response::tuning;

/// How exactly the next round is solved.
pub(super) struct Accuracy {
    /// A velocity that does not matter, in a round that may be the last, m/s.
    still: f64,
    /// What moves the gap with the least shell by all of it in a step, m/s.
    shell: f64,
    /// By how many shells gaps come out other than predicted, at most.
    bend: f64,
}

impl Accuracy {
    /// For the first round.
    pub(super) fn new(problem: &IslandProblem<'_>) -> Accuracy {
        let least = problem.contacts.iter().map(|c| c.shell).fold(f64::INFINITY, f64::min);
        let shell = if least.is_finite() { least / problem.time_step } else { 0.0 };
        let bend = if problem.nearby.is_some() { 0.0 } else { expected_bend(problem) };
        Accuracy { still: tuning::STILL * shell, shell, bend }
    }

    /// Whether the round is one before the last, and roughly solved.
    pub(super) fn is_rough(&self, contacts: usize) -> bool {
        contacts > tuning::MANY_CONTACTS && self.bend > tuning::SETTLED / tuning::OF_BEND
    }

    /// A velocity that moves no gap by anything that matters, m/s.
    pub(super) fn still(&self, is_rough: bool) -> f64 {
        if is_rough {
            self.still.max(tuning::OF_BEND * self.bend / tuning::NEAR_ENOUGH_OF_MANY * self.shell)
        } else {
            self.still
        }
    }

    /// Looks at how the gaps came out.
    pub(super) fn look(
        &mut self,
        problem: &IslandProblem<'_>,
        at: &Iterate,
        next: &Iterate,
        participations: &[Participation],
    ) {
        let loaded = (0..participations.len()).filter(|&k| participations[k].is_loaded);
        let bend = |k: usize| {
            let predicted = at.predicted_gap(problem, k, &next.velocities);
            (next.states[k].gap - predicted).abs() / problem.contacts[k].shell
        };
        self.bend = loaded.map(bend).fold(0.0, f64::max);
    }

    /// Asks for more of them from now on.
    pub(super) fn tighten(&mut self, by: f64) {
        self.still *= by;
    }
}

/// By how many shells gaps may come out other than predicted from the start.
fn expected_bend(problem: &IslandProblem<'_>) -> f64 {
    let of_contact = |c: &ProblemContact| {
        let bend = |side: usize| {
            let body = &problem.bodies[c.bodies[side]];
            let turn = problem.time_step * body.velocity.angular.length();
            let turned =
                if turn > 0.0 { c.start.points[side].distance(body.centre) * turn * turn } else { 0.0 };
            turned.max(tuning::OF_WAY * problem.time_step * body.velocity.linear.length())
        };
        (bend(0) + bend(1)) / c.shell
    };
    problem.contacts.iter().map(of_contact).fold(0.0, f64::max)
}
