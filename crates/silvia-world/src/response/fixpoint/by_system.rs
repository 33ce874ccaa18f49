//! Solving a linearised island over its bodies, without the matrix over contacts: exactly, or by sweeps.

use super::by_problem::refused;
use super::{Inner, Linearised, Solution, SolverScratch};
use crate::buffers::refill;
use crate::profile::{Stage, timed};
use silvia_contact::{Settings, System, SystemError, SystemReport, SystemSolver};
use silvia_solid::Vec3;

/// The islands of a fixpoint as systems of bodies and contacts.
pub(in crate::response) struct BySystem;

impl Inner for BySystem {
    fn solve(
        &self,
        at: &Linearised<'_>,
        start: &[Vec3],
        settings: &Settings,
        scratch: &mut SolverScratch,
    ) -> Solution {
        let SolverScratch { system, solver, .. } = scratch;
        solved(at, system, solver, |solver, system| {
            let solved = match at.may_rest {
                true => solver.solve(system, start, at.still, settings),
                false => solver.solve_in_motion(system, start, at.still, settings),
            };
            solved.map(std::mem::take)
        })
    }
}

/// Nearly solves an island by the work of at most so many sweeps. `slack` says by contact of the problem how
/// fast it may close, m/s.
pub(super) fn sweep(
    at: &Linearised<'_>,
    start: &[Vec3],
    slack: &[f64],
    sweeps: usize,
    scratch: &mut SolverScratch,
) -> Solution {
    let SolverScratch { system, solver, slack: of_taken } = scratch;
    refill(of_taken, at.taken.iter().map(|&k| slack[k]));
    solved(at, system, solver, |solver, system| {
        solver.sweep(system, start, of_taken, sweeps).map(std::mem::take)
    })
}

/// Finds the motion of an island nearest to free flight that closes no gap, with at most so many
/// factorisations, or one that is as `near`.
pub(super) fn project(
    at: &Linearised<'_>,
    (most, near): (usize, f64),
    scratch: &mut SolverScratch,
) -> Solution {
    let SolverScratch { system, solver, .. } = scratch;
    solved(at, system, solver, |solver, system| solver.project(system, most, near).map(std::mem::take))
}

/// Puts the system together and has it solved, each under the watch of its stage.
fn solved(
    at: &Linearised<'_>,
    system: &mut System,
    solver: &mut SystemSolver,
    solve: impl FnOnce(&mut SystemSolver, &System) -> Result<SystemReport, SystemError>,
) -> Solution {
    let watch = at.demands.problem.watch;
    let contacts = at.taken.len();
    timed(watch, Stage::Assemble, |()| contacts, || at.iterate.put_into(system, at.demands, at.taken));
    let iterations = |solved: &Result<SystemReport, _>| solved.as_ref().map_or(0, |s| s.iterations);
    match timed(watch, Stage::Solve, iterations, || solve(solver, system)) {
        Ok(SystemReport { velocities, impulses, outcome, residual, iterations, .. }) => {
            Solution { velocities, impulses, outcome, residual, iterations, notes: Vec::new() }
        }
        Err(error) => refused(at, &error),
    }
}
