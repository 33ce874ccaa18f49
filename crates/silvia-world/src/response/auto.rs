//! The default: the distance fixpoint with the best solver inside.

use super::by_problem::ByProblem;
use super::fixpoint::fixpoint;
use super::impact;
use super::{Answer, Response, Task};
use silvia_contact::{ContactProblem, Settings, Solver, solvers};

/// The fixpoint of paper 2 §2.2 with [`solvers::Auto`] inside: Coulomb's cone, isotropic, any number of redundant contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Response for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        let solve = |problem: &ContactProblem, start: &[f64], _: usize, settings: &Settings| {
            (solvers::Auto.solve(problem, Some(start), settings), true)
        };
        fixpoint(task, settings, &ByProblem { solve })
    }

    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        impact::collide(task, settings, |problem, start, settings| {
            solvers::Auto.solve(problem, Some(start), settings)
        })
    }
}
