//! Paper 2 §2.2: the distance fixpoint with linear complementarity problems, solved by Lemke's method.
//!
//! Friction needs a polyhedral cone here. Its one facet is turned against the slip of the last iterate at each round (DESIGN "Stepping"), so that where
//! the fixpoint has settled the friction of sliding contacts is along their slip and of full size. Contacts that stick may hold up to 8 % less
//! than Coulomb's cone across the direction in which they hold.

use super::by_problem::ByProblem;
use super::fixpoint::fixpoint;
use super::impact;
use super::{Answer, Response, Task};
use silvia_contact::{ContactProblem, Report, Settings, Solver, residual, solvers};

/// The pyramid has settled where its answer obeys Coulomb's law to this residual.
const SETTLED: f64 = 1e-10;

/// Rounds in which pyramids turn; beyond these the friction of a contact about to stick may go on to change its direction.
const MOST_TURNS: usize = 12;

/// The fixpoint with Lemke's method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lcp;

impl Response for Lcp {
    fn name(&self) -> &'static str {
        "lcp"
    }

    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        let solve = |problem: &ContactProblem, start: &[f64], round: usize, settings: &Settings| {
            let report = solvers::Lemke::default().turned().solve(problem, Some(start), settings);
            let is_settled = round + 1 >= MOST_TURNS || has_settled(problem, &report, settings);
            (report, is_settled)
        };
        fixpoint(task, settings, &ByProblem { solve })
    }

    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        impact::collide(task, settings, |problem, start, settings| {
            let mut report = solvers::Lemke::default().turned().solve(problem, Some(start), settings);
            for _ in 1..MOST_TURNS {
                if has_settled(problem, &report, settings) {
                    break;
                }
                report = solvers::Lemke::default().turned().solve(problem, Some(&report.r), settings);
            }
            report
        })
    }
}

fn has_settled(problem: &ContactProblem, report: &Report, settings: &Settings) -> bool {
    problem.is_frictionless() || residual(problem, &report.r) <= SETTLED.max(settings.tolerance)
}
