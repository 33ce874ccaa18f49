//! Solving a linearised island as a contact problem, by a solver of `silvia-contact`.

use super::{Inner, Linearised, Solution, SolverScratch};
use crate::profile::{Stage, timed};
use crate::response::tuning;
use silvia_contact::{ContactProblem, Outcome, Report, Settings, SystemError};
use silvia_solid::Vec3;

/// The islands of a fixpoint as contact problems.
pub(in crate::response) struct ByProblem<S> {
    /// Solves one, from impulses.
    pub(in crate::response) solve: S,
}

impl<S: Fn(&ContactProblem, &[f64], &Settings) -> Report> Inner for ByProblem<S> {
    fn solve(
        &self,
        at: &Linearised<'_>,
        start: &[Vec3],
        settings: &Settings,
        scratch: &mut SolverScratch,
    ) -> Solution {
        let watch = at.demands.problem.watch;
        let system = &mut scratch.system;
        timed(watch, Stage::Assemble, |()| 0, || at.iterate.put_into(system, at.demands, at.taken));
        let assembled = timed(watch, Stage::Assemble, |_| at.taken.len(), || system.assemble());
        let assembled = match assembled {
            Ok(assembled) => assembled.measured_in_velocities(),
            Err(error) => return refused(at, &error),
        };
        let problem = assembled.problem();
        let start = assembled.local_impulses(start);
        // Relative to |q|, unless nothing moves that matters.
        let asked = settings.tolerance;
        let tolerance = asked.max((at.still / problem.scale()).min(tuning::LOOSEST_RESIDUAL));
        let settings = Settings { tolerance, ..settings.clone() };
        let iterations = |report: &Report| report.iterations;
        let report = timed(watch, Stage::Solve, iterations, || (self.solve)(problem, &start, &settings));
        let (velocities, _) = assembled.response(&report.r);
        Solution {
            velocities,
            impulses: assembled.world_impulses(&report.r),
            outcome: report.outcome,
            residual: report.residual * asked / tolerance,
            iterations: report.iterations,
            notes: Vec::new(),
        }
    }
}

/// The answer to an island whose numbers make no contact problem.
pub(super) fn refused(at: &Linearised<'_>, error: &SystemError) -> Solution {
    Solution {
        velocities: Vec::new(),
        impulses: vec![Vec3::ZERO; at.taken.len()],
        outcome: Outcome::Inaccurate,
        residual: f64::INFINITY,
        iterations: 0,
        notes: vec![format!("no contact problem can be made of it: {error}")],
    }
}
