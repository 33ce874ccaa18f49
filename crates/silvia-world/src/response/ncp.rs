//! Papers 1 §3.2 and 2 §2.1: Newton's method on the Fischer function of contact forces and contact
//! *distances*.
//!
//! Without friction the unknowns are the normal impulses, and the distances are the true, nonlinear ones at
//! the end of the step. With friction the papers have no method; here Coulomb's law takes the place of the
//! scalar complementarity, by the Fischer function over second-order cones inside the distance fixpoint.
//! Plain Newton needs contacts that are not redundant; where it fails, its proximal form takes over.

use super::fixpoint::{ByGaps, ByProblem, FixpointScratch, fixpoint};
use super::velocities::end_velocities;
use super::{Answer, Guarantee, IslandProblem, Response, Scratch, impact};
use silvia_contact::{ContactProblem, GapFunction, Outcome, Report, Settings, Solver, solvers};

/// Fischer-Newton on distances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ncp;

/// Iterations of plain Newton before the proximal form takes over: it needs some ten where it works at all.
const PLAIN_ITERATIONS: usize = 30;

impl Response for Ncp {
    fn name(&self) -> &'static str {
        "ncp"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::NonPenetrating
    }

    fn respond(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        let scratch = scratch.of::<FixpointScratch>();
        let by_problem = ByProblem { solve: newton };
        if problem.contacts.iter().any(|c| c.friction > 0.0) {
            return fixpoint(problem, settings, &by_problem, scratch, answer);
        }
        let solve = |gaps: &dyn GapFunction, start: &[f64], settings: &Settings| {
            solvers::Fischer.solve_gaps(gaps, Some(start), settings)
        };
        fixpoint(problem, settings, &ByGaps { solve }, scratch, answer);
        if answer.outcome == Outcome::Solved {
            return;
        }
        let note = format!(
            "Newton's method on true distances was {} after {} rounds: solved by the fixpoint",
            answer.outcome.as_str(),
            answer.iterations
        );
        fixpoint(problem, settings, &by_problem, scratch, answer);
        answer.notes.push(note);
    }

    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        impact::collide(problem, settings, impact::by_problem(newton))
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
        end_velocities(
            problem,
            settings,
            &ByProblem { solve: newton },
            scratch.of::<FixpointScratch>(),
            answer,
        );
    }
}

/// Fischer-Newton, and its proximal form where that fails.
fn newton(problem: &ContactProblem, start: &[f64], settings: &Settings) -> Report {
    let few = Settings { max_iterations: Some(PLAIN_ITERATIONS), ..settings.clone() };
    let plain = solvers::Fischer.solve(problem, Some(start), &few);
    if plain.outcome == Outcome::Solved {
        return plain;
    }
    let mut proximal = solvers::Proximal.solve(problem, Some(start), settings);
    proximal.iterations += plain.iterations;
    proximal
}
