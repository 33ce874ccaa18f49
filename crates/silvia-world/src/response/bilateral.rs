//! Paper 1 §3.1, the naive method: contacts are held closed at the end of the step as if they could pull, by
//! Newton's method on their true distances, and those that would pull are released. There is no friction.
//!
//! A contact released within a step is not taken back in it; where another presses it in, the outcome is
//! inaccurate, and the world tries a shorter step.

use super::fixpoint::{ByGaps, ByProblem, FixpointScratch, fixpoint};
use super::velocities::end_velocities;
use super::{Answer, Guarantee, IslandProblem, Response, Scratch, impact};
use silvia_contact::{ContactProblem, GapFunction, Settings, Solver, solvers};

/// Contacts held, and released where they would pull.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bilateral;

impl Response for Bilateral {
    fn name(&self) -> &'static str {
        "bilateral"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::NonPenetrating
    }

    fn handles_friction(&self) -> bool {
        false
    }

    fn respond(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        if let Some(refusal) = refusal(problem) {
            *answer = refusal;
            return;
        }
        let solve = |gaps: &dyn GapFunction, start: &[f64], settings: &Settings| {
            solvers::Bilateral.solve_gaps(gaps, Some(start), settings)
        };
        fixpoint(problem, settings, &ByGaps { solve }, scratch.of::<FixpointScratch>(), answer);
    }

    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        if let Some(refusal) = refusal(problem) {
            return refusal;
        }
        let solve = |problem: &ContactProblem, start: &[f64], settings: &Settings| {
            solvers::Bilateral.solve(problem, Some(start), settings)
        };
        impact::collide(problem, settings, impact::by_problem(solve))
    }

    fn is_of_second_order(&self) -> bool {
        true
    }

    fn end_velocities(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        let solve = |problem: &ContactProblem, start: &[f64], settings: &Settings| {
            solvers::Bilateral.solve(problem, Some(start), settings)
        };
        end_velocities(problem, settings, &ByProblem { solve }, scratch.of::<FixpointScratch>(), answer);
    }
}

/// The answer to a problem with friction.
fn refusal(problem: &IslandProblem<'_>) -> Option<Answer> {
    let contact = problem.contacts.iter().position(|c| c.friction > 0.0)?;
    let note = format!(
        "`bilateral` does not handle friction, but contact {contact} has a coefficient of {}: use `auto`, \
         `ncp` or `lcp`",
        problem.contacts[contact].friction
    );
    Some(Answer::unsolved(problem, vec![note]))
}
