//! The default: the distance fixpoint with the best solver inside.

use super::fixpoint::{Aim, BySystem, FixpointScratch, fixpoint, quick_fixpoint};
use super::velocities::end_velocities;
use super::{Answer, Guarantee, IslandProblem, QuickResponse, Response, Scratch, impact};
use silvia_contact::{Settings, solve_system};

/// The fixpoint of paper 2 §2.2 with [`solve_system`] inside: Coulomb's cone, isotropic, any number of
/// redundant contacts. For [quick](QuickResponse) answers, with sweeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Response for Auto {
    fn name(&self) -> &'static str {
        "auto"
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
        fixpoint(problem, settings, &BySystem, scratch.of::<FixpointScratch>(), answer);
    }

    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        impact::collide(problem, settings, |system, start, settings| {
            solve_system(system, start, 0.0, settings)
        })
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
        end_velocities(problem, settings, &BySystem, scratch.of::<FixpointScratch>(), answer);
    }

    fn quick(&self) -> Option<&dyn QuickResponse> {
        Some(self)
    }
}

impl QuickResponse for Auto {
    fn respond_quickly(
        &self,
        problem: &IslandProblem<'_>,
        sweeps: usize,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        quick_fixpoint(problem, (sweeps, Aim::Forces), scratch.of::<FixpointScratch>(), answer);
    }
}

/// The motion nearest to free flight that crosses no contact, or one that is as `near`, by at most so many
/// factorisations: what is left where a method finds no forces. Rest always is such a motion, unless a script
/// says otherwise.
pub(crate) fn nearest_motion(
    problem: &IslandProblem<'_>,
    (most, near): (usize, f64),
    scratch: &mut Scratch,
    answer: &mut Answer,
) {
    quick_fixpoint(problem, (most, Aim::NearestMotion { near }), scratch.of::<FixpointScratch>(), answer);
}
