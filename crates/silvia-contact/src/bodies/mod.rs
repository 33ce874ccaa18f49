//! The default solver: contact problems solved over the velocities of bodies, without the matrix `W`.
//!
//! A world knows bodies and contacts. Where contacts are many to a body, as where solids lie on each other,
//! six unknowns a body are far cheaper than three a contact. [Groups](groups) of contacts that act on each
//! other are solved apart and at once: by the method of [multipliers] with an [interior]-point method to the
//! rescue, or roughly by [sweeps]. Small groups that resist both fall back to [`Auto`](crate::solvers::Auto)
//! over the contacts. Groups with joints or limits, or with points that several nodes carry, have a [way of
//! their own](general_group).

mod block_lu;
mod body_newton;
mod context;
mod general_group;
mod group_problem;
mod groups;
mod interior;
mod lorentz;
mod multipliers;
mod rows;
mod sweeps;

use crate::contact::ContactFrame;
use crate::node::Twist;
use crate::solver::{Outcome, Settings};
use crate::system::{System, SystemError};
use crate::tuning::{
    LOOSEST_RESIDUAL, MANY_CONTACTS, NEAR_ENOUGH, NEAR_ENOUGH_OF_MANY, sweeps as sweep_tuning,
    system as tuning,
};
use context::{Goal, SystemContext};
use groups::{ContactGroup, GroupFinder};
use rayon::prelude::*;
use silvia_solid::Vec3;

/// The answer to a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemReport {
    /// Velocity of each node at the end of the step.
    pub velocities: Vec<Twist>,
    /// Impulse of each contact on its side B, in world axes, N s.
    pub impulses: Vec<Vec3>,
    /// Impulse of each row, N s or N m s.
    pub row_impulses: Vec<f64>,
    /// How the solve ended: the worst outcome of all groups.
    pub outcome: Outcome,
    /// Residual [measured in velocities](crate::ContactProblem::measured_in_velocities), relative to the
    /// velocities that contacts must stop.
    pub residual: f64,
    /// Iterations, summed over all groups of contacts.
    pub iterations: usize,
    /// Fallbacks taken and warnings, for people to read.
    pub notes: Vec<String>,
}

/// Solves a system: Coulomb's law at the contacts, and the laws of the rows.
///
/// `start` holds impulses to start from, one a contact in world axes; missing ones count as zero. The
/// tolerance of the settings is relative to the velocities that contacts must stop. `still` (m/s) is a
/// velocity that does not matter: the solver asks for no smaller error, and settles for a few times that
/// where the residual falls slowly or contacts contradict each other. Bilateral rows hold to rounding in
/// small groups, to the tolerance in large ones.
pub fn solve_system(
    system: &System,
    start: &[Vec3],
    still: f64,
    settings: &Settings,
) -> Result<SystemReport, SystemError> {
    let mut solver = SystemSolver::default();
    solver.solve(system, start, still, settings)?;
    Ok(solver.report)
}

/// Solves one system after the other. It reuses its memory and, while the same bodies stay in touch, the
/// order in which unknowns are eliminated. Answers do not depend on what was solved before.
#[derive(Clone, Debug, Default)]
pub struct SystemSolver {
    frames: Vec<ContactFrame>,
    free: Vec<Twist>,
    /// Squares of the velocities that contacts must stop, by contact, m²/s².
    squares: Vec<f64>,
    finder: GroupFinder,
    groups: Vec<ContactGroup>,
    report: SystemReport,
}

impl SystemSolver {
    /// Solves a system: see [`solve_system`]. The caller may take the lists of the report, and give their
    /// memory [back](SystemSolver::take_back) later.
    pub fn solve(
        &mut self,
        system: &System,
        start: &[Vec3],
        still: f64,
        settings: &Settings,
    ) -> Result<&mut SystemReport, SystemError> {
        self.solve_near(system, start, (still, true), settings)
    }

    /// The same, but where bodies are at rest it does not go on to more digits than are asked for: for an
    /// answer in which they do not lie where they are to stay.
    pub fn solve_in_motion(
        &mut self,
        system: &System,
        start: &[Vec3],
        still: f64,
        settings: &Settings,
    ) -> Result<&mut SystemReport, SystemError> {
        self.solve_near(system, start, (still, false), settings)
    }

    fn solve_near(
        &mut self,
        system: &System,
        start: &[Vec3],
        (still, goes_on_at_rest): (f64, bool),
        settings: &Settings,
    ) -> Result<&mut SystemReport, SystemError> {
        let goal = |scale: f64, contacts: usize| {
            let enough = if contacts > MANY_CONTACTS { NEAR_ENOUGH_OF_MANY } else { NEAR_ENOUGH };
            Goal {
                tolerance: settings.tolerance.max((still / scale).min(LOOSEST_RESIDUAL)),
                enough: settings
                    .tolerance
                    .max(tuning::NEAR_ROUNDING)
                    .max((enough * still / scale).min(LOOSEST_RESIDUAL)),
                most_iterations: settings.max_iterations.unwrap_or(tuning::MOST_ITERATIONS),
                goes_on_at_rest,
            }
        };
        self.solve_groups(system, start, &goal, |context, group| context.solve(group, start, settings))
    }

    /// Solves a system roughly and quickly, with at most the work of `most` sweeps over its contacts. It
    /// stops when no contact closes faster than its `slack` (m/s; contacts beyond the list may not close at
    /// all). Every impulse lies in its friction cone, but friction is only nearly right. Groups with rows, or
    /// with points that several nodes carry, are solved as [`SystemSolver::solve`] does, to 1e-7.
    pub fn sweep(
        &mut self,
        system: &System,
        start: &[Vec3],
        slack: &[f64],
        most: usize,
    ) -> Result<&mut SystemReport, SystemError> {
        let closing = slack.iter().sum::<f64>() / slack.len().max(1) as f64;
        let goal = |scale: f64, contacts: usize| {
            let rough = (tuning::CLOSING_MULTIPLE * closing / scale)
                .clamp(tuning::NEAR_ROUNDING, sweep_tuning::ENOUGH);
            // Few contacts are as quickly solved exactly.
            let [tolerance, enough] = if contacts > sweep_tuning::FEW_CONTACTS {
                [rough; 2]
            } else {
                [tuning::NEAR_ROUNDING, tuning::QUICK_RESIDUAL_OF_FEW]
            };
            Goal { tolerance, enough, most_iterations: tuning::QUICK_ITERATIONS, goes_on_at_rest: true }
        };
        self.solve_groups(system, start, &goal, |context, group| context.sweep(group, start, slack, most))
    }

    /// Finds the motion nearest to free flight, by kinetic energy, that closes no contact, with at most
    /// `most` factorisations. Contacts with friction hold back what slips, as a convex programme does: what
    /// slips parts by the coefficient times the slip. A motion is found where there is one that parts
    /// contacts, and closes none, to rounding. It may be farther from free flight than the nearest by the
    /// share `near`, by energy: 0 for a few digits, 0.01 for half as many factorisations. Groups with rows,
    /// or with points that several nodes carry, are solved as [`SystemSolver::solve`] does, to 1e-7.
    pub fn project(
        &mut self,
        system: &System,
        most: usize,
        near: f64,
    ) -> Result<&mut SystemReport, SystemError> {
        let goal = |_: f64, _: usize| {
            let residual = tuning::QUICK_RESIDUAL_OF_FEW;
            Goal {
                tolerance: residual,
                enough: residual,
                most_iterations: tuning::QUICK_ITERATIONS,
                goes_on_at_rest: true,
            }
        };
        self.solve_groups(system, &[], &goal, |context, group| context.project(group, (most, near)))
    }

    /// Solves each group from impulses at the `start`, in parallel, and makes one report. `goal` is a
    /// function of what residuals are relative to (m/s) and of the number of contacts in a group.
    fn solve_groups(
        &mut self,
        system: &System,
        start: &[Vec3],
        goal: &(dyn Fn(f64, usize) -> Goal + Sync),
        solve: impl Fn(&SystemContext<'_>, &mut ContactGroup) + Sync,
    ) -> Result<&mut SystemReport, SystemError> {
        system.check()?;
        if let Some(row) = system.immovable_rows_broken(false).next() {
            return Err(SystemError::ContradictoryRows { row, left: 1.0 });
        }
        self.frames.clear();
        self.frames.extend(system.contacts.iter().map(ContactFrame::new));
        let scale = self.measure(system);
        let count = self.finder.find(system, &mut self.groups);
        let context = SystemContext { system, frames: &self.frames, squares: &self.squares, scale, goal };
        let groups = &mut self.groups[..count];
        if count > 1 {
            groups.par_iter_mut().for_each(|group| solve(&context, group));
        } else {
            groups.iter_mut().for_each(|group| solve(&context, group));
        }
        self.put_together(system, start, count, scale)
    }

    /// Takes back lists of an earlier report to reuse their memory.
    pub fn take_back(&mut self, velocities: Vec<Twist>, impulses: Vec<Vec3>) {
        (self.report.velocities, self.report.impulses) = (velocities, impulses);
    }

    /// Measures the velocities that contacts must stop: what residuals are relative to, m/s.
    fn measure(&mut self, system: &System) -> f64 {
        self.free.clear();
        self.free.extend(system.nodes.iter().map(|n| n.free_velocity));
        self.squares.clear();
        for (contact, frame) in system.contacts.iter().zip(&self.frames) {
            let mut q = frame.relative_velocity(contact, |node| self.free[node]);
            q.iter_mut().zip(system.bias(contact, frame)).for_each(|(q, bias)| *q += bias);
            self.squares.push(q.iter().map(|v| v * v).sum());
        }
        let length = self.squares.iter().sum::<f64>().sqrt();
        if length > f64::EPSILON { length } else { 1.0 }
    }

    /// Makes one report of the answers to the groups.
    fn put_together(
        &mut self,
        system: &System,
        start: &[Vec3],
        count: usize,
        scale: f64,
    ) -> Result<&mut SystemReport, SystemError> {
        let report = &mut self.report;
        report.velocities.clone_from(&self.free);
        report.impulses.clear();
        report.impulses.resize(system.contacts.len(), Vec3::ZERO);
        report.row_impulses.clear();
        report.row_impulses.resize(system.rows.len(), 0.0);
        (report.outcome, report.iterations) = (Outcome::Solved, 0);
        report.notes.clear();
        let (mut squares, mut of_general) = (0.0, 0.0);
        for group in &mut self.groups[..count] {
            if let Some(error) = group.error.take() {
                return Err(error);
            }
            if group.is_plain {
                report.add_plain(system, &self.frames, group);
                if group.multipliers.best.is_start {
                    // To the bit: where bodies rest, they stay the same from step to step.
                    let known = group.contacts.iter().filter_map(|&c| Some((c, *start.get(c)?)));
                    known.for_each(|(contact, impulse)| report.impulses[contact] = impulse);
                }
                for (&node, motion) in group.nodes.iter().zip(&group.motion) {
                    report.velocities[node] = rows::twist(*motion);
                }
                squares += (group.multipliers.best.residual * group.problem.scale).powi(2);
                report.iterations += group.multipliers.best.iterations;
            } else {
                report.put_general(system, group);
                squares += (group.general.residual * group.general.scale).powi(2);
                of_general += group.general.scale * group.general.scale;
                report.iterations += group.general.iterations;
            }
            if group.outcome.severity() > report.outcome.severity() {
                report.outcome = group.outcome;
            }
            report.notes.append(&mut group.notes);
        }
        report.residual = squares.sqrt() / scale.max(of_general.sqrt());
        if let Some(row) = system.immovable_rows_broken(true).next() {
            report.outcome = Outcome::NoSolution;
            report.notes.push(format!("row {row} is a limit between nodes that nothing can move"));
        }
        Ok(report)
    }
}

impl SystemReport {
    /// Adds the impulses of a plain group, and what they change.
    fn add_plain(&mut self, system: &System, frames: &[ContactFrame], group: &ContactGroup) {
        for (&contact, &r) in group.contacts.iter().zip(&group.multipliers.best.r) {
            let (c, frame) = (&system.contacts[contact], &frames[contact]);
            self.impulses[contact] = r[0] * frame.0[0] + r[1] * frame.0[1] + r[2] * frame.0[2];
            // Groups are plain: each side has one node.
            let pair = c.pair().unwrap_or_default();
            let pushes = frame.impulses_on_pair(pair.map(|(_, arm)| arm));
            for ((node, _), pushes) in pair.into_iter().zip(pushes) {
                for (unit, size) in pushes.into_iter().zip(r) {
                    let change = system.nodes[node].response(unit);
                    self.velocities[node].linear += size * change.linear;
                    self.velocities[node].angular += size * change.angular;
                }
            }
        }
    }

    /// Puts the answer to a group that is not plain in its place.
    fn put_general(&mut self, system: &System, group: &ContactGroup) {
        let answer = &group.general;
        for (&node, &velocity) in answer.nodes.iter().zip(&answer.velocities) {
            if system.nodes[node].is_movable() {
                self.velocities[node] = velocity;
            }
        }
        for (&contact, &impulse) in group.contacts.iter().zip(&answer.impulses) {
            self.impulses[contact] = impulse;
        }
        for (&row, &impulse) in group.rows.iter().zip(&answer.row_impulses) {
            self.row_impulses[row] = impulse;
        }
    }
}
