//! Groups with rows, or with points that several nodes carry: bilateral rows are eliminated exactly, and
//! `auto` solves for contacts and limits.

use super::context::SystemContext;
use super::groups::ContactGroup;
use super::rows::{ANY, ContactRow, NONE, twist};
use crate::matrix::norm;
use crate::solver::{APPROACH_FACTOR, Outcome, Settings, Solver};
use crate::solvers::Auto;
use crate::system::{System, SystemError};
use crate::tuning::system as tuning;
use crate::{Contact, Twist};
use silvia_solid::Vec3;

/// The answer to such a group.
#[derive(Clone, Debug, Default)]
pub(super) struct GeneralAnswer {
    /// Its nodes, immovable ones included, ascending.
    pub(super) nodes: Vec<usize>,
    /// Of these nodes.
    pub(super) velocities: Vec<Twist>,
    /// Of the group's contacts, in world axes.
    pub(super) impulses: Vec<Vec3>,
    /// Of the group's rows.
    pub(super) row_impulses: Vec<f64>,
    /// Relative to `scale`.
    pub(super) residual: f64,
    /// What residuals are relative to, m/s.
    pub(super) scale: f64,
    pub(super) iterations: usize,
}

impl SystemContext<'_> {
    /// Solves a group that is not plain, to the goal of a group of `size` contacts.
    pub(super) fn solve_general(
        &self,
        group: &mut ContactGroup,
        start: &[Vec3],
        size: usize,
        settings: &Settings,
    ) -> Result<(), SystemError> {
        let scalar_rows = 3 * group.contacts.len() + group.rows.len();
        if scalar_rows > tuning::EXACT_ROWS {
            self.solve_over_bodies(group, start, size);
            if group.outcome == Outcome::Solved || scalar_rows > tuning::FALLBACK_EXACT * tuning::EXACT_ROWS {
                return Ok(());
            }
        }
        self.solve_exactly(group, start, size, settings)
    }

    /// Solves over the velocities of bodies, by multipliers.
    fn solve_over_bodies(&self, group: &mut ContactGroup, start: &[Vec3], size: usize) {
        let system = self.system;
        let ContactGroup { contacts, rows, nodes, general_problem: problem, multipliers, general, .. } =
            group;
        nodes.clear();
        let mut add = |node: usize| {
            if system.nodes[node].is_movable() {
                nodes.push(node);
            }
        };
        for &contact in contacts.iter() {
            let Contact { a, b, .. } = &system.contacts[contact];
            a.for_each_node(&mut add);
            b.for_each_node(&mut add);
        }
        rows.iter().for_each(|&row| system.rows[row].for_each_node(&mut add));
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: usize| nodes.binary_search(&node).map_or(NONE, |at| at as u32);
        problem.rows.clear();
        let of_contact = |&c: &usize| ContactRow::of_contact(system, c, &self.frames[c], number);
        problem.rows.extend(contacts.iter().map(of_contact));
        problem.rows.extend(rows.iter().map(|&row| ContactRow::of_row(system, row, number)));
        problem.put_nodes(system, nodes);
        let square = |row: &ContactRow<ANY>| {
            let u = row.velocity(&problem.free);
            u[..row.counted()].iter().map(|u| u * u).sum::<f64>()
        };
        let length = problem.rows.iter().map(square).sum::<f64>().sqrt();
        // Rows that hold but for rounding have nothing to be relative to.
        let speed = |v: &[f64; 6]| v.iter().map(|v| v * v).sum::<f64>();
        let fastest = problem.free.iter().map(speed).fold(0.0_f64, f64::max).sqrt();
        let rounding = 64.0 * f64::EPSILON * fastest.max(1.0);
        problem.scale = if length > rounding { length } else { fastest.max(1.0) };
        let goal = (self.goal)(problem.scale, size);
        (problem.tolerance, problem.enough) = (goal.tolerance, goal.enough);
        problem.most_iterations = goal.most_iterations;
        let best = &mut multipliers.best;
        best.r.clear();
        best.r.extend(contacts.iter().map(|&c| self.first_impulse(c, start)));
        best.r.resize(problem.rows.len(), [0.0; 3]);
        multipliers.solve(problem);
        let best = &multipliers.best;
        let mut velocities = Vec::new();
        problem.velocities(&best.r, &mut velocities);
        let in_world = |(&c, r): (&usize, &[f64; 3])| {
            let axes = &self.frames[c].0;
            r[0] * axes[0] + r[1] * axes[1] + r[2] * axes[2]
        };
        *general = GeneralAnswer {
            nodes: nodes.clone(),
            velocities: velocities.into_iter().map(twist).collect(),
            impulses: contacts.iter().zip(&best.r).map(in_world).collect(),
            row_impulses: best.r[contacts.len()..].iter().map(|r| r[0]).collect(),
            residual: best.residual,
            scale: problem.scale,
            iterations: best.iterations,
        };
        group.outcome = if best.is_solved { Outcome::Solved } else { Outcome::Inaccurate };
    }

    /// Eliminates bilateral rows, and solves with `auto` for the rest.
    fn solve_exactly(
        &self,
        group: &mut ContactGroup,
        start: &[Vec3],
        size: usize,
        settings: &Settings,
    ) -> Result<(), SystemError> {
        let (nodes, system) = self.system_of(group);
        let assembled = system.assemble().map_err(|error| match error {
            // Numbered as the caller numbers them.
            SystemError::ContradictoryRows { row, left } => {
                SystemError::ContradictoryRows { row: group.rows[row], left }
            }
            other => other,
        })?;
        let assembled = assembled.measured_in_velocities();
        let problem = assembled.problem();
        let scale = problem.scale();
        let goal = (self.goal)(scale, size);
        let from: Vec<Vec3> =
            group.contacts.iter().map(|&c| start.get(c).copied().unwrap_or_default()).collect();
        let settings = Settings { tolerance: goal.tolerance, ..settings.clone() };
        let report = Auto.solve(problem, Some(&assembled.local_impulses(&from)), &settings);
        let closing: Vec<f64> = report.u.chunks_exact(3).map(|u| u[0].min(0.0)).collect();
        let is_near = report.residual.max(norm(&closing) / scale / APPROACH_FACTOR) <= goal.enough;
        group.outcome = if is_near && !report.outcome.denies() { Outcome::Solved } else { report.outcome };
        group.notes = report.notes;
        let (velocities, row_impulses) = assembled.response(&report.r);
        group.general = GeneralAnswer {
            nodes,
            velocities,
            impulses: assembled.world_impulses(&report.r),
            row_impulses,
            residual: report.residual,
            scale,
            iterations: report.iterations,
        };
        Ok(())
    }

    /// The group as a system of its own, and the numbers of its nodes.
    fn system_of(&self, group: &ContactGroup) -> (Vec<usize>, System) {
        let whole = self.system;
        let mut nodes = Vec::new();
        for &contact in &group.contacts {
            let Contact { a, b, .. } = &whole.contacts[contact];
            [a, b].into_iter().for_each(|side| side.for_each_node(|node| nodes.push(node)));
        }
        for &row in &group.rows {
            whole.rows[row].for_each_node(|node| nodes.push(node));
        }
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: usize| nodes.partition_point(|&n| n < node);
        let contact = |&c: &usize| {
            let c = whole.contacts[c];
            Contact { a: c.a.renumbered(number), b: c.b.renumbered(number), ..c }
        };
        let system = System {
            nodes: nodes.iter().map(|&node| whole.nodes[node]).collect(),
            contacts: group.contacts.iter().map(contact).collect(),
            rows: group.rows.iter().map(|&row| whole.rows[row].renumbered(number)).collect(),
            time_step: whole.time_step,
        };
        (nodes, system)
    }
}
