//! Paper 2 §2.2: the distance fixpoint with linear complementarity problems, solved by Lemke's method.
//!
//! Friction needs a polyhedral cone here. One facet of it is turned against the slip, so
//! that where this has settled the friction of sliding contacts is along their slip and of full size.
//! Contacts that stick may hold up to 8 % less than Coulomb's cone across the direction in which they hold.

use super::fixpoint::{ByProblem, FixpointScratch, fixpoint};
use super::velocities::end_velocities;
use super::{Answer, Guarantee, IslandProblem, Response, Scratch, impact};
use silvia_contact::{ContactProblem, Report, Settings, Solver, solvers};

/// The fixpoint with Lemke's method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lcp;

impl Response for Lcp {
    fn name(&self) -> &'static str {
        "lcp"
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
        let inner = ByProblem { solve: lemke };
        fixpoint(problem, settings, &inner, scratch.of::<FixpointScratch>(), answer);
    }

    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        impact::collide(problem, settings, impact::by_problem(lemke))
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
            &ByProblem { solve: lemke },
            scratch.of::<FixpointScratch>(),
            answer,
        );
    }
}

fn lemke(problem: &ContactProblem, start: &[f64], settings: &Settings) -> Report {
    solvers::Lemke::default().turned().solve(problem, Some(start), settings)
}
