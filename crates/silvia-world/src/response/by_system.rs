//! Solving a linearised island over its bodies, without the matrix over contacts: exactly, or nearly and
//! quickly.

use super::by_problem::refused;
use super::fixpoint::{Inner, Linearised, Solution};
use super::iterate;
use super::scratch::{Solving, refill};
use crate::profile::{Stage, timed};
use silvia_contact::{Settings, System, SystemError, SystemReport, SystemSolver};
use silvia_solid::Vec3;

/// The islands of a fixpoint as systems of bodies and contacts.
pub(super) struct BySystem;

impl Inner for BySystem {
    fn solve(
        &self,
        at: &Linearised<'_>,
        start: &[Vec3],
        settings: &Settings,
        room: &mut Solving,
    ) -> Solution {
        solved(at, room, |solver, system| solver.solve(system, start, at.still, settings).map(std::mem::take))
    }
}

/// The same, nearly: sweeps, as many as the task has.
pub(super) struct BySweeps;

impl Inner for BySweeps {
    fn solve(&self, at: &Linearised<'_>, start: &[Vec3], _: &Settings, room: &mut Solving) -> Solution {
        let mut slack = std::mem::take(&mut room.slack);
        refill(&mut slack, at.taken.iter().map(|&k| iterate::slack(at.task, k)));
        let solution = solved(at, room, |solver, system| {
            solver.sweep(system, start, &slack, at.task.sweeps).map(std::mem::take)
        });
        room.slack = slack;
        solution
    }
}

/// Puts the system together and has it solved, as stages.
fn solved(
    at: &Linearised<'_>,
    room: &mut Solving,
    solve: impl FnOnce(&mut SystemSolver, &System) -> Result<SystemReport, SystemError>,
) -> Solution {
    let watch = at.task.watch;
    let contacts = at.taken.len();
    let Solving { system, solver, .. } = room;
    timed(watch, Stage::Assemble, |()| contacts, || at.iterate.put_into(system, at.task, at.taken));
    let iterations = |solved: &Result<SystemReport, _>| solved.as_ref().map_or(0, |s| s.iterations);
    match timed(watch, Stage::Solve, iterations, || solve(solver, system)) {
        Ok(SystemReport { velocities, impulses, outcome, residual, .. }) => {
            Solution { velocities, impulses, outcome, residual, notes: Vec::new() }
        }
        Err(error) => refused(at, &error),
    }
}
