//! The default: the distance fixpoint with the best solver inside.

use super::by_system::{BySweeps, BySystem};
use super::fixpoint::{Inner, fixpoint, fixpoint_into};
use super::impact;
use super::{Answer, Response, Scratch, Task};
use silvia_contact::{Settings, solve_system};

/// Iterations of the solver, unless the settings say otherwise: what does not come out by then hardly does
/// later, and a shorter step will be tried.
const MOST_ITERATIONS: usize = 6000;

/// The fixpoint of paper 2 §2.2 with [`solve_system`] inside: Coulomb's cone, isotropic, any number of
/// redundant contacts. With [sweeps](Task::sweeps) instead where an answer is to be quick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Response for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn handles_sweeps(&self) -> bool {
        true
    }

    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        fixpoint(task, &bounded(settings), inner(task))
    }

    fn respond_into(&self, task: &Task<'_>, settings: &Settings, scratch: &mut Scratch, answer: &mut Answer) {
        fixpoint_into(task, &bounded(settings), inner(task), scratch, answer);
    }

    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer {
        impact::collide(task, &bounded(settings), |system, start, settings| {
            solve_system(system, start, 0.0, settings)
        })
    }
}

fn inner(task: &Task<'_>) -> &'static dyn Inner {
    if task.sweeps > 0 { &BySweeps } else { &BySystem }
}

fn bounded(settings: &Settings) -> Settings {
    let max_iterations = settings.max_iterations.or(Some(MOST_ITERATIONS));
    Settings { max_iterations, ..settings.clone() }
}
