//! A system with its local form, and the way back from impulses to nodes.

use silvia_solid::Vec3;

use crate::constraint_row::ConstraintRow;
use crate::contact::{Contact, ContactFrame};
use crate::elimination::BilateralGroup;
use crate::matrix::triple;
use crate::node::Twist;
use crate::problem::ContactProblem;
use crate::system::System;

/// What has a block in the local form, as nodes feel it: a contact, or a limit.
#[derive(Clone, Debug)]
pub(crate) struct BlockRow {
    /// What unit impulses along normal and tangents do to each node; a limit has no tangents.
    pub(crate) pushes: Vec<(usize, [Twist; 3])>,
}

impl BlockRow {
    pub(crate) fn of_contact(contact: &Contact, frame: &ContactFrame) -> Self {
        let pushes = contact.nodes().into_iter().map(|node| (node, frame.impulses_on(contact, node)));
        Self { pushes: pushes.collect() }
    }

    pub(crate) fn of_limit(row: &ConstraintRow) -> Self {
        let pushes = |(node, term)| (node, [term, Twist::default(), Twist::default()]);
        Self { pushes: row.terms().into_iter().map(pushes).collect() }
    }
}

/// A system with its local form, and the way back from impulses to nodes.
#[derive(Clone, Debug)]
pub struct Assembled<'a> {
    system: &'a System,
    frames: Vec<ContactFrame>,
    blocks: Vec<BlockRow>,
    groups: Vec<BilateralGroup>,
    problem: ContactProblem,
}

impl<'a> Assembled<'a> {
    pub(crate) fn new(
        system: &'a System,
        frames: Vec<ContactFrame>,
        blocks: Vec<BlockRow>,
        groups: Vec<BilateralGroup>,
        problem: ContactProblem,
    ) -> Self {
        Self { system, frames, blocks, groups, problem }
    }

    /// The same with residuals [measured in velocities](ContactProblem::measured_in_velocities).
    #[must_use]
    pub fn measured_in_velocities(mut self) -> Self {
        self.problem = self.problem.measured_in_velocities();
        self
    }

    /// The local form: a block a contact, in the order of the system's contacts, then a block a limit, in the
    /// order of its rows.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// Velocities of all nodes at the end of the step under the impulses `r` of the local form, and the
    /// impulse of each row.
    pub fn response(&self, r: &[f64]) -> (Vec<Twist>, Vec<f64>) {
        let system = self.system;
        let mut velocities: Vec<Twist> = system.nodes.iter().map(|n| n.free_velocity).collect();
        for (index, block) in self.blocks.iter().enumerate() {
            let impulse = triple(r, index);
            for &(node, pushes) in &block.pushes {
                for (unit, size) in pushes.into_iter().zip(impulse) {
                    let change = system.nodes[node].response(unit);
                    velocities[node].linear += size * change.linear;
                    velocities[node].angular += size * change.angular;
                }
            }
        }
        let mut impulses = vec![0.0; system.rows.len()];
        for group in &self.groups {
            group.enforce(system, &mut velocities, &mut impulses);
        }
        for (at, (row, _)) in system.limits().enumerate() {
            impulses[row] = r[3 * (system.contacts.len() + at)];
        }
        (velocities, impulses)
    }

    /// The impulse on side B of each contact, in world axes.
    pub fn world_impulses(&self, r: &[f64]) -> Vec<Vec3> {
        let in_world = |(index, frame): (usize, &ContactFrame)| {
            let [n, t1, t2] = triple(r, index);
            n * frame.0[0] + t1 * frame.0[1] + t2 * frame.0[2]
        };
        self.frames.iter().enumerate().map(in_world).collect()
    }

    /// Impulses on side B of each contact in world axes as those of the local form: the way back from
    /// [`Assembled::world_impulses`]. Limits get none.
    pub fn local_impulses(&self, in_world: &[Vec3]) -> Vec<f64> {
        let of_contact = |(frame, &impulse): (&ContactFrame, &Vec3)| frame.0.map(|d| d.dot(impulse));
        let mut local: Vec<f64> = self.frames.iter().zip(in_world).flat_map(of_contact).collect();
        local.extend(std::iter::repeat_n(0.0, 3 * (self.blocks.len() - self.frames.len())));
        local
    }
}
