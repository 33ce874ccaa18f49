//! Groups with rows, or with points that several nodes carry: bilateral rows are eliminated exactly, and
//! `auto` solves for contacts and limits.

use super::context::SystemContext;
use super::groups::ContactGroup;
use crate::matrix::norm;
use crate::solver::{APPROACH_FACTOR, Outcome, Settings, Solver};
use crate::solvers::Auto;
use crate::system::{System, SystemError};
use crate::{Contact, Twist};
use silvia_solid::Vec3;

/// The answer to such a group.
#[derive(Clone, Debug, Default)]
pub(super) struct AssembledAnswer {
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
    /// Solves a group that is not plain.
    pub(super) fn solve_assembled(
        &self,
        group: &mut ContactGroup,
        start: &[Vec3],
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
        let goal = (self.goal)(scale, problem.contacts());
        let from: Vec<Vec3> =
            group.contacts.iter().map(|&c| start.get(c).copied().unwrap_or_default()).collect();
        let settings = Settings { tolerance: goal.tolerance, ..settings.clone() };
        let report = Auto.solve(problem, Some(&assembled.local_impulses(&from)), &settings);
        let closing: Vec<f64> = report.u.chunks_exact(3).map(|u| u[0].min(0.0)).collect();
        let is_near = report.residual.max(norm(&closing) / scale / APPROACH_FACTOR) <= goal.enough;
        group.outcome = if is_near && !report.outcome.denies() { Outcome::Solved } else { report.outcome };
        group.notes = report.notes;
        let (velocities, row_impulses) = assembled.response(&report.r);
        group.assembled = AssembledAnswer {
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
