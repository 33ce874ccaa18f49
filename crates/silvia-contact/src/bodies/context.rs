//! How a group is solved: its rows and goal, and the way that fits.

use super::groups::ContactGroup;
use super::rows::{ContactRow, NONE, PAIR};
use super::sweeps::SweepResult;
use crate::contact::ContactFrame;
use crate::solver::{Outcome, Settings, Solver};
use crate::solvers::Auto;
use crate::system::{System, SystemError};
use crate::tuning::{
    LOOSEST_RESIDUAL, MANY_CONTACTS, multipliers::FAR, sweeps as sweep_tuning, system as tuning,
};
use rayon::prelude::*;
use silvia_solid::Vec3;

/// What all groups of a system share.
pub(super) struct SystemContext<'a> {
    pub(super) system: &'a System,
    pub(super) frames: &'a [ContactFrame],
    pub(super) squares: &'a [f64],
    pub(super) scale: f64,
    pub(super) goal: &'a (dyn Fn(f64, usize) -> Goal + Sync),
}

/// What a group is solved to, relative to the scale.
pub(super) struct Goal {
    /// The residual that is asked for.
    pub(super) tolerance: f64,
    /// A residual that will do where it falls slowly.
    pub(super) enough: f64,
    pub(super) most_iterations: usize,
    /// Whether a solve goes on to more digits where bodies are at rest.
    pub(super) goes_on_at_rest: bool,
}

impl SystemContext<'_> {
    /// Finds the nodes of a group, the scale of its residuals, and its first impulses.
    fn begin(&self, group: &mut ContactGroup, start: &[Vec3]) {
        let system = self.system;
        let ContactGroup { contacts, nodes, problem, multipliers, .. } = group;
        nodes.clear();
        for pair in contacts.iter().filter_map(|&c| system.contacts[c].pair()) {
            nodes.extend(pair.iter().map(|&(node, _)| node).filter(|&node| system.nodes[node].is_movable()));
        }
        nodes.sort_unstable();
        nodes.dedup();
        // As islands are measured: against half their own velocities and half their share of all.
        let own: f64 = contacts.iter().map(|&c| self.squares[c]).sum();
        let share = contacts.len() as f64 / system.contacts.len() as f64;
        problem.scale = (0.5 * (own + self.scale * self.scale * share)).sqrt();
        let best = &mut multipliers.best;
        best.is_start = true;
        best.r.clear();
        for &c in &*contacts {
            let r = self.first_impulse(c, start);
            if system.contacts[c].friction == 0.0 {
                let given = start.get(c).copied().unwrap_or_default();
                let lost = given - r[0] * self.frames[c].0[0];
                best.is_start &= lost.length() <= tuning::ROUNDED * r[0].abs();
            }
            best.r.push(r);
        }
    }

    /// The impulse that a contact starts from, in its own axes: without friction it has no tangential part.
    pub(super) fn first_impulse(&self, contact: usize, start: &[Vec3]) -> [f64; 3] {
        let given = start.get(contact).copied().unwrap_or_default();
        let [n, s, t] = self.frames[contact].0.map(|axis| axis.dot(given));
        if self.system.contacts[contact].friction == 0.0 { [n, 0.0, 0.0] } else { [n, s, t] }
    }

    /// Solves a group roughly: by sweeps, or to the goal where contacts are few or sweeps do not get there.
    pub(super) fn sweep(&self, group: &mut ContactGroup, start: &[Vec3], slack: &[f64], most: usize) {
        if !group.is_plain {
            // As exactly as few contacts: sweeps do not see to it that none closes too fast.
            group.error = self.solve_general(group, start, 0, &Settings::default()).err();
            return;
        }
        self.begin(group, start);
        let is_small = group.contacts.len() <= sweep_tuning::FEW_CONTACTS;
        let mut iterations = 0;
        let mut is_solved = !is_small && {
            iterations += self.sweep_from_best(group, slack, (most, true));
            group.multipliers.best.is_solved
        };
        if !is_solved {
            self.describe(group);
            group.multipliers.solve(&group.problem);
            let work = if is_small { 1 } else { sweep_tuning::WORK_OF_ITERATION };
            iterations += work * group.multipliers.best.iterations;
            if !is_small {
                // What was solved for is the law, roughly, not that none closes.
                iterations += self.sweep_from_best(group, slack, (most, false));
            }
            is_solved = group.multipliers.best.is_solved;
        }
        group.multipliers.best.iterations = iterations;
        group.outcome = if is_solved { Outcome::Solved } else { Outcome::OutOfBudget };
    }

    /// Finds the nearest motion of a group that closes no contact.
    pub(super) fn project(&self, group: &mut ContactGroup, (most, near): (usize, f64)) {
        if !group.is_plain {
            group.error = self.solve_general(group, &[], 0, &Settings::default()).err();
            return;
        }
        self.begin(group, &[]);
        self.describe(group);
        group.multipliers.project(&group.problem, (most, near), &mut group.motion);
        let is_found = group.multipliers.best.is_solved;
        group.outcome = if is_found { Outcome::Solved } else { Outcome::Inaccurate };
    }

    /// Sweeps over many contacts whose impulses are far from an answer, to start nearer to it.
    fn sweep_first(&self, group: &mut ContactGroup) {
        let ContactGroup { contacts, nodes, sweeps, multipliers, problem, .. } = group;
        let slack = FAR * problem.scale / (contacts.len() as f64).sqrt();
        let best = &mut multipliers.best;
        sweeps.begin(self.system, self.frames, (contacts, &best.r), nodes, |_| slack);
        let before = sweeps.residual(problem.scale, &best.r);
        if before > FAR {
            let mut r = best.r.clone();
            if sweeps.until_stopped(problem.scale, (tuning::SWEEPS_FIRST, false), &mut r).residual < before {
                (best.r, best.is_start) = (r, false);
            }
        }
    }

    /// Sweeps from the best impulses, at most so often, and less if it may give up; returns the number of
    /// sweeps.
    fn sweep_from_best(&self, group: &mut ContactGroup, slack: &[f64], most: (usize, bool)) -> usize {
        let ContactGroup { contacts, nodes, sweeps, multipliers, problem, .. } = group;
        let best = &mut multipliers.best;
        sweeps.begin(self.system, self.frames, (contacts, &best.r), nodes, |c| {
            slack.get(c).copied().unwrap_or(0.0)
        });
        let SweepResult { is_stopped, residual, sweeps } =
            sweeps.until_stopped(problem.scale, most, &mut best.r);
        (best.is_solved, best.residual, best.is_start) = (is_stopped, residual, false);
        sweeps
    }

    pub(super) fn solve(&self, group: &mut ContactGroup, start: &[Vec3], settings: &Settings) {
        if !group.is_plain {
            let size = group.contacts.len() + group.rows.len();
            group.error = self.solve_general(group, start, size, settings).err();
            return;
        }
        self.begin(group, start);
        if group.contacts.len() > MANY_CONTACTS {
            self.sweep_first(group);
        }
        self.describe(group);
        group.multipliers.solve(&group.problem);
        let found = &group.multipliers.best;
        group.outcome = if found.is_solved { Outcome::Solved } else { Outcome::Inaccurate };
        if !found.is_solved
            && found.residual > tuning::FALLBACK_RESIDUAL
            && group.contacts.len() <= tuning::FALLBACK_CONTACTS
        {
            group.error = self.fall_back_to_auto(group, settings).err();
        }
    }

    /// The rows of a group over the velocities of its bodies, and what it is solved to.
    fn describe(&self, group: &mut ContactGroup) {
        let system = self.system;
        let ContactGroup { contacts, nodes, problem, .. } = group;
        let number = |node: usize| nodes.binary_search(&node).map_or(NONE, |at| at as u32);
        let goal = (self.goal)(self.scale, contacts.len());
        (problem.tolerance, problem.enough) = (goal.tolerance, goal.enough);
        (problem.most_iterations, problem.goes_on_at_rest) = (goal.most_iterations, goal.goes_on_at_rest);
        refill(&mut problem.rows, contacts, |c| ContactRow::<PAIR>::new(system, c, &self.frames[c], number));
        problem.put_nodes(system, nodes);
    }

    /// Solves with `auto` over the contacts, from the best impulses so far.
    fn fall_back_to_auto(&self, group: &mut ContactGroup, settings: &Settings) -> Result<(), SystemError> {
        let system = System {
            nodes: self.system.nodes.clone(),
            contacts: group.contacts.iter().map(|&c| self.system.contacts[c]).collect(),
            rows: Vec::new(),
            time_step: self.system.time_step,
        };
        let assembled = system.assemble()?.measured_in_velocities();
        let problem = assembled.problem();
        let scale = group.problem.scale;
        let tolerance = (group.problem.tolerance * scale / problem.scale()).min(LOOSEST_RESIDUAL);
        let start: Vec<f64> = group.multipliers.best.r.iter().flatten().copied().collect();
        let report = Auto.solve(problem, Some(&start), &Settings { tolerance, ..settings.clone() });
        let found = &mut group.multipliers.best;
        found.iterations += report.iterations;
        let residual = report.residual * problem.scale() / scale;
        if report.outcome == Outcome::Solved || residual < found.residual {
            found.r = report.r.chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
            found.is_start = false;
            (found.residual, group.outcome) = (residual, report.outcome);
        }
        group.notes = report.notes;
        Ok(())
    }
}

/// Refills a list with one entry a contact, in the memory it has; on all threads where contacts are many.
pub(super) fn refill<T: Send>(
    list: &mut Vec<T>,
    contacts: &[usize],
    make: impl Fn(usize) -> T + Sync + Send,
) {
    if contacts.len() >= 2 * tuning::CONTACTS_PER_THREAD && rayon::current_num_threads() > 1 {
        contacts
            .par_iter()
            .with_min_len(tuning::CONTACTS_PER_THREAD)
            .map(|&c| make(c))
            .collect_into_vec(list);
    } else {
        list.clear();
        list.extend(contacts.iter().map(|&c| make(c)));
    }
}
