//! A system with its local form, its global form, and the way back from contact impulses to bodies.

use std::collections::BTreeMap;

use silvia_solid::{Mat3, Vec3};

use crate::joints::{JointGroup, JointRow};
use crate::matrix::triple;
use crate::problem::ContactProblem;
use crate::system::{ContactFrame, ContactId, System, Twist};

/// A system with its local form, and the way back from contact impulses to bodies.
#[derive(Clone, Debug)]
pub struct Assembled<'a> {
    system: &'a System,
    frames: Vec<ContactFrame>,
    groups: Vec<JointGroup>,
    problem: ContactProblem,
}

/// The global form: `v = v_free + M^-1 (J' r + G' lambda)`, `u = J v + bias`, with `G v = target` for the
/// joints.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalForm<'a> {
    /// `M^-1`, block by block: inverse mass and inverse inertia (world axes) of each body, zero for immovable
    /// ones.
    pub inverse_masses: Vec<(f64, Mat3)>,
    /// The rows of `J`, three a contact (normal, tangent 1, tangent 2), each with its parts for two bodies.
    pub rows: Vec<[(usize, Twist); 2]>,
    /// `v_free`: velocities at the end of the step without contacts and joints.
    pub free_velocities: Vec<Twist>,
    /// What gaps and restitution add to the normal velocities, one a contact.
    pub bias: Vec<f64>,
    /// The rows of `G` with their targets.
    pub joints: &'a [JointRow],
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

    /// The global form, for methods that work on bodies.
    pub fn global(&self) -> GlobalForm<'a> {
        let system = self.system;
        let mut rows = Vec::with_capacity(3 * self.frames.len());
        for (contact, frame) in system.contacts.iter().zip(&self.frames) {
            let (a, b) = (contact.body_a, contact.body_b);
            let parts = frame.impulses_on(contact, a).into_iter().zip(frame.impulses_on(contact, b));
            rows.extend(parts.map(|(on_a, on_b)| [(a, on_a), (b, on_b)]));
        }
        GlobalForm {
            inverse_masses: system.bodies.iter().map(|b| (b.inverse_mass, b.inverse_inertia)).collect(),
            rows,
            free_velocities: system.bodies.iter().map(|b| b.free_velocity).collect(),
            bias: system.contacts.iter().zip(&self.frames).map(|(c, f)| system.bias(c, f)).collect(),
            joints: &system.joints,
        }
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

    /// Keeps the impulses of a solved step, by contact, to start the next one from.
    pub fn remember(&self, r: &[f64]) -> WarmStart {
        let impulses = self.world_impulses(r);
        WarmStart { impulses: self.system.contacts.iter().zip(impulses).map(|(c, i)| (c.id, i)).collect() }
    }

    /// The impulses remembered for this system's contacts, in local form; zero for new contacts.
    pub fn warm_start(&self, memory: &WarmStart) -> Vec<f64> {
        let remembered = |id| memory.impulses.get(id).copied().unwrap_or_default();
        let in_world: Vec<Vec3> = self.system.contacts.iter().map(|c| remembered(&c.id)).collect();
        self.local_impulses(&in_world)
    }
}

/// Contact impulses of the last step, by contact identity and in world axes (a contact's tangents may turn).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarmStart {
    impulses: BTreeMap<ContactId, Vec3>,
}
