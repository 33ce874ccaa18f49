//! The fixpoint for quick answers: a few rounds of sweeps over the contacts, until no gap is crossed.
//!
//! A quick answer is not what the law asks for. Contacts may close within their shells, and friction is right
//! to one or two digits. The certificate judges it as any other.
//!
//! [`Aim::NearestMotion`] asks for less: no shell is regained, so that rest is always among what is allowed,
//! and no answer is refused for the energy that it creates.

use super::by_system::{project, sweep};
use super::iterate::Iterate;
use super::participation::{Participation, Verdict};
use super::{Demands, FixpointScratch, Linearised, are_in_range, finish, out_of_range, rounding};
use crate::buffers::{CONTACTS, for_each, refill};
use crate::response::problem::{Answer, IslandProblem};
use crate::response::tuning;
use silvia_contact::Outcome;

/// What a quick answer is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    /// Contact forces.
    Forces,
    /// The motion nearest to free flight that crosses no contact, or one that is farther from it by this
    /// share, by energy.
    NearestMotion { near: f64 },
}

/// Runs the fixpoint, with the work of at most so many sweeps over the contacts in each round for forces, or
/// of so many factorisations for the nearest motion.
pub(in crate::response) fn quick_fixpoint(
    problem: &IslandProblem<'_>,
    (most, aim): (usize, Aim),
    scratch: &mut FixpointScratch,
    answer: &mut Answer,
) {
    scratch.begin(problem, &mut answer.impulses, |problem, k| target(problem, k, aim));
    let FixpointScratch { slack, targets, .. } = &mut *scratch;
    refill(slack, (0..targets.len()).map(|k| closing(problem, targets[k], k, aim)));
    answer.notes.clear();
    answer.work = 0;
    for round in 0..tuning::QUICK_ROUNDS {
        answer.iterations = round + 1;
        scratch.select(problem, &answer.impulses);
        let linearised = Linearised {
            demands: Demands { problem, targets: &scratch.targets },
            iterate: &scratch.iterates[0],
            taken: &scratch.selection.left,
            still: 0.0,
            may_rest: true,
        };
        let solution = match aim {
            Aim::Forces => sweep(&linearised, &scratch.start, &scratch.slack, most, &mut scratch.solver),
            Aim::NearestMotion { near } => project(&linearised, (most, near), &mut scratch.solver),
        };
        answer.residual = solution.residual;
        answer.work += scratch.work(&solution);
        if !are_in_range(problem, &solution.velocities) {
            *answer = out_of_range(problem, solution, (round + 1, answer.work));
            return;
        }
        scratch.advance(problem, &solution, &mut answer.impulses);
        scratch.solver.solver.take_back(solution.velocities, solution.impulses);

        let FixpointScratch { iterates, participations, targets, mobilities, .. } = scratch;
        let [at, next] = &*iterates;
        let demands = Demands { problem, targets };
        let impulses = &answer.impulses;
        for_each(participations, CONTACTS, |k, participation| {
            participation.look(problem, (at, next), k, impulses[k], mobilities);
            let is_settled = is_settled(demands, at, next, k, participation);
            participation.verdict = Verdict { is_settled, is_loose: false };
        });
        if participations.iter().all(|participation| participation.verdict.is_settled) {
            let is_absurd = end(scratch, problem, 1, aim, answer);
            answer.outcome = if is_absurd { Outcome::Inaccurate } else { Outcome::Solved };
            answer.notes = solution.notes;
            return;
        }
        for (k, participation) in participations.iter_mut().enumerate() {
            participation.go_on(demands, k, next, true);
        }
        scratch.iterates.swap(0, 1);
    }
    end(scratch, problem, 0, aim, answer);
    answer.outcome = Outcome::Inaccurate;
}

/// Ends at one of the two iterates; whether the impulses create energy and the answer must not.
fn end(
    scratch: &mut FixpointScratch,
    problem: &IslandProblem<'_>,
    iterate: usize,
    aim: Aim,
    answer: &mut Answer,
) -> bool {
    match aim {
        Aim::Forces => finish(scratch, problem, iterate, true, answer),
        Aim::NearestMotion { .. } => {
            scratch.iterates[iterate].give(answer);
            false
        }
    }
}

/// What the gap of a contact is to be at the end at least, m: its shell, or, if it has less at the start,
/// what of it is regained in one step.
fn target(problem: &IslandProblem<'_>, contact: usize, aim: Aim) -> f64 {
    let c = &problem.contacts[contact];
    if !c.lacks_shell() {
        return c.shell;
    }
    let gap = c.start.gap.max(0.0);
    if matches!(aim, Aim::NearestMotion { .. }) {
        return gap;
    }
    let regained = tuning::QUICK_REGAIN * (c.shell - gap);
    gap + regained.min(c.shell * problem.time_step / tuning::REGAIN_TIME)
}

/// How fast a contact may close, so that enough of its shell is left at the end, m/s.
fn closing(problem: &IslandProblem<'_>, target: f64, contact: usize, aim: Aim) -> f64 {
    let shell = match aim {
        Aim::Forces => problem.contacts[contact].shell,
        Aim::NearestMotion { .. } => target,
    };
    let least = tuning::QUICK_LEFT * shell;
    (target - least).max(tuning::QUICK_LEAST_SLACK * least) / problem.time_step
}

/// Whether a contact is above what must be left of its shell, and nothing pushes across a wide gap.
fn is_settled(
    Demands { problem, targets }: Demands<'_>,
    at: &Iterate,
    next: &Iterate,
    k: usize,
    participation: &Participation,
) -> bool {
    let (shell, state) = (problem.contacts[k].shell, &next.states[k]);
    if !participation.is_loaded && !state.holds {
        return true;
    }
    let slack = (tuning::SETTLED * shell).max(rounding(problem, next, k));
    let predicted = at.predicted_gap(problem, k, &next.velocities);
    // What the sweeps left is not for another round to mend.
    let left = predicted.max(tuning::KEPT * targets[k]) - slack;
    let is_above = state.gap >= (tuning::QUICK_KEPT * targets[k]).min(left);
    is_above && (!participation.is_loaded || state.gap <= predicted + tuning::FARTHEST * shell)
}
