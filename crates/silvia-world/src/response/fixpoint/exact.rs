//! The fixpoint for exact answers: it ends where the law holds for the true gaps.

use super::accuracy::Accuracy;
use super::iterate::{Iterate, difference};
use super::participation::{Participation, Verdict};
use super::{Demands, FixpointScratch, Inner, Linearised, are_in_range, finish, out_of_range, rounding};
use crate::buffers::{CONTACTS, for_each};
use crate::response::problem::{Answer, IslandProblem, ProblemBody};
use crate::response::{is_usable, tuning};
use silvia_contact::{Outcome, Settings};
use silvia_solid::Vec3;

/// Runs the fixpoint.
pub(in crate::response) fn fixpoint(
    problem: &IslandProblem<'_>,
    settings: &Settings,
    inner: &dyn Inner,
    scratch: &mut FixpointScratch,
    answer: &mut Answer,
) {
    scratch.begin(problem, &mut answer.impulses, target);
    let (mut settings, mut accuracy) = (settings.clone(), Accuracy::new(problem));
    let may_rest = may_rest(problem);
    answer.notes.clear();
    answer.work = 0;
    let mut inaccurate = 0;
    for round in 0..tuning::MOST_ROUNDS {
        answer.iterations = round + 1;
        scratch.select(problem, &answer.impulses);
        let is_rough = accuracy.is_rough(scratch.selection.left.len());
        let linearised = Linearised {
            demands: Demands { problem, targets: &scratch.targets },
            iterate: &scratch.iterates[0],
            taken: &scratch.selection.left,
            still: accuracy.still(is_rough),
            may_rest,
        };
        let solution = inner.solve(&linearised, &scratch.start, &settings, &mut scratch.solver);
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
        let is_strict = round < tuning::FREE_ROUNDS;
        for_each(participations, CONTACTS, |k, participation| {
            participation.look(problem, (at, next), k, impulses[k], mobilities);
            participation.verdict = judge(demands, at, next, k, participation, is_strict);
        });
        let mut verdict = participations.iter().fold(Verdict::SETTLED, |all, p| all.and(p.verdict));
        if is_rough {
            verdict = Verdict { is_settled: false, is_loose: false };
            accuracy.look(problem, at, next, participations);
        }
        let is_usable = is_rough || is_usable(solution.outcome, answer.residual);
        inaccurate += usize::from(!is_usable && !is_rough);
        let may_go_on =
            is_usable || answer.residual <= tuning::GOING_ON && inaccurate < tuning::MOST_INACCURATE;
        if !may_go_on || verdict.is_settled {
            // Also of what is nearly solved: it may be taken.
            let is_absurd = finish(scratch, problem, 1, false, answer);
            answer.outcome = match (is_usable, is_absurd) {
                (true, false) => Outcome::Solved,
                (true, true) => Outcome::Inaccurate,
                (false, _) => solution.outcome,
            };
            answer.notes = solution.notes;
            return;
        }
        if verdict.is_loose {
            settings.tolerance = (tuning::TIGHTER * settings.tolerance).max(f64::EPSILON);
            accuracy.tighten(tuning::TIGHTER);
        }
        for (k, participation) in participations.iter_mut().enumerate() {
            participation.go_on(demands, k, next, !is_strict);
        }
        scratch.iterates.swap(0, 1);
    }
    let rounds = tuning::MOST_ROUNDS;
    answer.notes.push(format!("the gaps at the end of the step did not settle in {rounds} rounds"));
    finish(scratch, problem, 0, false, answer);
    answer.outcome = Outcome::Inaccurate;
}

/// Whether the bodies that contacts can move hardly move when the step begins, against what free flight gains
/// in it. Only such may come to rest.
fn may_rest(problem: &IslandProblem<'_>) -> bool {
    let of_body = |body: &ProblemBody<'_>| {
        let gain = difference(body.free_velocity, body.velocity);
        Some(body.square(body.velocity)? <= tuning::HARDLY_MOVES.powi(2) * body.square(gain)?)
    };
    problem.bodies.iter().filter_map(of_body).all(|hardly_moves| hardly_moves)
}

/// What the gap of a contact is to be at the end at least, m: its shell, or, if it has less at the start,
/// what of it can be regained.
fn target(problem: &IslandProblem<'_>, contact: usize) -> f64 {
    let c = &problem.contacts[contact];
    if !c.lacks_shell() {
        return c.shell;
    }
    let gap = c.start.gap.max(0.0);
    gap + (c.shell - gap).min(c.shell * problem.time_step / tuning::REGAIN_TIME)
}

/// Whether what was solved for a contact at `at` is true at `next`. In strict rounds gaps must be as
/// predicted; later they may be off by more.
fn judge(
    Demands { problem, targets }: Demands<'_>,
    at: &Iterate,
    next: &Iterate,
    k: usize,
    participation: &Participation,
    is_strict: bool,
) -> Verdict {
    let (shell, state) = (problem.contacts[k].shell, &next.states[k]);
    if !participation.is_loaded && !state.holds {
        return Verdict::SETTLED;
    }
    let slack = (tuning::SETTLED * shell).max(rounding(problem, next, k));
    let least = targets[k];
    let predicted = at.predicted_gap(problem, k, &next.velocities);
    let (lowest, highest) = match is_strict {
        true => (least - slack, predicted + slack),
        false => (tuning::KEPT * least - slack, predicted + tuning::FARTHEST * shell + slack),
    };
    // What the solver left is not for another round to mend.
    let is_above = state.gap >= lowest.min(predicted.max(tuning::KEPT * least) - slack);
    let is_as_predicted = || {
        let is_as_meant = state.gap >= predicted - slack
            && (participation.is_there || shift(problem, at, next, k) <= slack);
        state.gap <= highest && (!is_strict || is_as_meant)
    };
    Verdict {
        is_settled: is_above && (!participation.is_loaded || is_as_predicted()),
        is_loose: (participation.is_loaded || participation.is_taken) && predicted < lowest,
    }
}

/// How far the points of a contact move from an iterate to the next, m.
fn shift(problem: &IslandProblem<'_>, at: &Iterate, next: &Iterate, contact: usize) -> f64 {
    let [a, b] = problem.contacts[contact].bodies;
    let arms = next.row(problem, contact).arms;
    let moved = |body: usize, arm: Vec3| {
        let change = difference(next.velocities[body], at.velocities[body]);
        problem.time_step * (change.linear + change.angular.cross(arm)).length()
    };
    moved(a, arms[0]) + moved(b, arms[1])
}
