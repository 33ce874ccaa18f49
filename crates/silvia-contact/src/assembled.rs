//! A system with its local form, and the way back from contact impulses to bodies.

use silvia_solid::Vec3;

use crate::joints::JointGroup;
use crate::matrix::triple;
use crate::problem::ContactProblem;
use crate::system::{ContactFrame, System, Twist};

/// A system with its local form, and the way back from contact impulses to bodies.
#[derive(Clone, Debug)]
pub struct Assembled<'a> {
    system: &'a System,
    frames: Vec<ContactFrame>,
    groups: Vec<JointGroup>,
    problem: ContactProblem,
}

impl<'a> Assembled<'a> {
    pub(crate) fn new(
        system: &'a System,
        frames: Vec<ContactFrame>,
        groups: Vec<JointGroup>,
        problem: ContactProblem,
    ) -> Self {
        Self { system, frames, groups, problem }
    }

    /// The same with residuals [measured in velocities](ContactProblem::measured_in_velocities).
    #[must_use]
    pub fn measured_in_velocities(mut self) -> Self {
        self.problem = self.problem.measured_in_velocities();
        self
    }

    /// The local form, in the order of the system's contacts.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// Velocities of all bodies at the end of the step under contact impulses `r`, and the joint rows'
    /// impulses.
    pub fn response(&self, r: &[f64]) -> (Vec<Twist>, Vec<f64>) {
        let mut velocities: Vec<Twist> = self.system.bodies.iter().map(|b| b.free_velocity).collect();
        for (index, contact) in self.system.contacts.iter().enumerate() {
            let impulse = triple(r, index);
            for body in [contact.body_a, contact.body_b] {
                for (unit, size) in self.frames[index].impulses_on(contact, body).into_iter().zip(impulse) {
                    let change = self.system.bodies[body].response(unit);
                    velocities[body].linear += size * change.linear;
                    velocities[body].angular += size * change.angular;
                }
            }
        }
        self.system.with_joint_impulses(&self.groups, velocities)
    }

    /// The impulse on body B of each contact, in world axes.
    pub fn world_impulses(&self, r: &[f64]) -> Vec<Vec3> {
        let in_world = |(index, frame): (usize, &ContactFrame)| {
            let [n, t1, t2] = triple(r, index);
            n * frame.0[0] + t1 * frame.0[1] + t2 * frame.0[2]
        };
        self.frames.iter().enumerate().map(in_world).collect()
    }

    /// Impulses on body B of each contact in world axes as those of the local form: the way back from
    /// [`Assembled::world_impulses`].
    pub fn local_impulses(&self, in_world: &[Vec3]) -> Vec<f64> {
        let of_contact = |(frame, &impulse): (&ContactFrame, &Vec3)| frame.0.map(|d| d.dot(impulse));
        self.frames.iter().zip(in_world).flat_map(of_contact).collect()
    }
}
