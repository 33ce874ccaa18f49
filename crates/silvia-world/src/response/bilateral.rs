//! Paper 1 §3.1, the naive method: contacts are held closed at the end of the step as if they could pull, by
//! Newton's method on their true distances, and those that would pull are released. There is no friction.
//!
//! A contact released within a step is not taken back in it; where another presses it in, the outcome is
//! inaccurate, and the world tries a shorter step.

use super::by_gaps::ByGaps;
use super::fixpoint::fixpoint;
use super::impact;
use super::{Answer, Response, Task};
use silvia_contact::{ContactProblem, GapFunction, Outcome, Settings, Solver, solvers};
use silvia_solid::Vec3;

/// Contacts held, and released where they would pull.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bilateral;

impl Response for Bilateral {
    fn name(&self) -> &'static str {
        "bilateral"
    }

    fn handles_friction(&self) -> bool {
        false
    }

    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        if let Some(refusal) = refusal(task) {
            return refusal;
        }
        let solve = |gaps: &dyn GapFunction, start: &[f64], settings: &Settings| {
            solvers::Bilateral.solve_gaps(gaps, Some(start), settings)
        };
        fixpoint(task, settings, &ByGaps { solve })
    }

    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        if let Some(refusal) = refusal(task) {
            return refusal;
        }
        let solve = |problem: &ContactProblem, start: &[f64], settings: &Settings| {
            solvers::Bilateral.solve(problem, Some(start), settings)
        };
        impact::collide(task, settings, impact::by_problem(solve))
    }
}

/// The answer to a task with friction.
fn refusal(task: &Task<'_>) -> Option<Answer> {
    let contact = task.contacts.iter().position(|c| c.friction > 0.0)?;
    let note = format!(
        "`bilateral` knows no friction, but contact {contact} has a coefficient of {}: use `auto`, `ncp` or \
         `lcp`",
        task.contacts[contact].friction
    );
    Some(Answer {
        velocities: task.bodies.iter().map(|b| b.velocity).collect(),
        impulses: vec![Vec3::ZERO; task.contacts.len()],
        states: task.contacts.iter().map(|c| c.start).collect(),
        outcome: Outcome::Inaccurate,
        residual: f64::INFINITY,
        iterations: 0,
        notes: vec![note],
    })
}
