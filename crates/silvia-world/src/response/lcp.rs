//! Paper 2 §2.2: the distance fixpoint with linear complementarity problems, solved by Lemke's method.
//!
//! Friction needs a polyhedral cone here. One facet of it is turned against the slip (DESIGN "Stepping"), so
//! that where this has settled the friction of sliding contacts is along their slip and of full size.
//! Contacts that stick may hold up to 8 % less than Coulomb's cone across the direction in which they hold.

use super::by_problem::ByProblem;
use super::fixpoint::fixpoint;
use super::impact;
use super::{Answer, Response, Task};
use silvia_contact::{ContactProblem, Report, Settings, Solver, solvers};

/// The fixpoint with Lemke's method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lcp;

impl Response for Lcp {
    fn name(&self) -> &'static str {
        "lcp"
    }

    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        fixpoint(task, settings, &ByProblem { solve: lemke })
    }

    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        impact::collide(task, settings, impact::by_problem(lemke))
    }
}

fn lemke(problem: &ContactProblem, start: &[f64], settings: &Settings) -> Report {
    solvers::Lemke::default().turned().solve(problem, Some(start), settings)
}
