//! The velocity stage of a step: bodies are where they end, and get the velocities with which they go on.
//!
//! The second stage of RATTLE (Andersen 1983; nonsmooth: Breuling, Capobianco, Eugster and Leine, 2024). For
//! each closed contact, `u_N >= 0` complementary to the normal impulse of the whole step, with Coulomb's law
//! between that impulse and the slip: what the first stage pushed too much, to keep a gap, is taken back
//! here. Nothing moves.

use super::fixpoint::{Demands, FixpointScratch, Inner, Linearised, are_in_range};
use super::is_usable;
use super::problem::{Answer, IslandProblem};
use crate::buffers::refill;
use silvia_contact::{Outcome, Settings};
use silvia_solid::Vec3;

/// Finds the velocities. The problem is at the end of the step, and each contact is kept.
pub(super) fn end_velocities(
    problem: &IslandProblem<'_>,
    settings: &Settings,
    inner: &dyn Inner,
    scratch: &mut FixpointScratch,
    answer: &mut Answer,
) {
    // Gaps are as they are: with what they are for a target, the law is one of velocities.
    scratch.begin(problem, &mut answer.impulses, |problem, k| problem.contacts[k].start.gap);
    scratch.select(problem, &answer.impulses);
    let linearised = Linearised {
        demands: Demands { problem, targets: &scratch.targets },
        iterate: &scratch.iterates[0],
        taken: &scratch.selection.left,
        still: 0.0,
        may_rest: false,
    };
    let solution = inner.solve(&linearised, &scratch.start, settings, &mut scratch.solver);
    let is_in_range = are_in_range(problem, &solution.velocities);
    answer.iterations = 1;
    answer.work = scratch.work(&solution);
    answer.residual = solution.residual;
    answer.outcome = match (is_in_range, is_usable(solution.outcome, solution.residual)) {
        (true, true) => Outcome::Solved,
        (true, false) => solution.outcome,
        (false, _) => Outcome::Inaccurate,
    };
    answer.notes.clear();
    answer.impulses.fill(Vec3::ZERO);
    for (&k, &impulse) in scratch.selection.left.iter().zip(&solution.impulses) {
        answer.impulses[k] = impulse;
    }
    refill(&mut answer.velocities, solution.velocities.iter().copied());
    refill(&mut answer.states, problem.contacts.iter().map(|c| c.start));
    scratch.solver.solver.take_back(solution.velocities, solution.impulses);
}
