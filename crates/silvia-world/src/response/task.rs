//! An island over a step, as a response method sees it.

use crate::profile::Stopwatch;
use crate::threads::{CONTACTS, refill_each};
use silvia_contact::{Outcome, Twist};
use silvia_proximity::{ContactBody, ContactName, ContactState, shape_contact_at};
use silvia_solid::{Mat3, Pose, Quat, Vec3};

/// A body of a task.
#[derive(Clone, Debug)]
pub struct TaskBody<'a> {
    /// Its shape, in its own frame.
    pub shape: &'a ContactBody,
    /// Its centre of mass in its own frame, m.
    pub centre_in_body: Vec3,
    /// Where its centre of mass is at the start, m.
    pub centre: Vec3,
    /// Its rotation at the start.
    pub rotation: Quat,
    /// Mass in kg and inertia in world axes in kg m² at the start; `None` if contacts cannot move it.
    pub inertia: Option<(f64, Mat3)>,
    /// At the start.
    pub velocity: Twist,
    /// At the end, if nothing touched it.
    pub free_velocity: Twist,
    /// Where an immovable body is at the end: its script says so.
    pub scripted_end: Option<Pose>,
}

/// A pair of features that may come into contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskContact {
    /// The bodies, as indices into those of the task: the normal points from the first to the second.
    pub bodies: [usize; 2],
    /// Which features.
    pub name: ContactName,
    /// At the start of the step.
    pub start: ContactState,
    /// What the gap must not fall below, m.
    pub shell: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's coefficient; only impacts look at it.
    pub restitution: f64,
    /// Whether it takes part wherever its points are, in this step: without it the bodies were seen to cross.
    pub is_kept: bool,
    /// The impulse on the second body that it bore in the last step, N s, to start from.
    pub guess: Vec3,
}

impl TaskContact {
    /// Whether its bodies are nearer than the shell where the step starts. One whose points do not lie on its
    /// features may seem to be far in: that is not meant.
    pub(super) fn lacks_shell(&self) -> bool {
        self.start.gap < self.shell && (self.start.holds || self.start.gap >= 0.0)
    }
}

/// An island over a step.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The bodies.
    pub bodies: Vec<TaskBody<'a>>,
    /// The pairs of features.
    pub contacts: Vec<TaskContact>,
    /// Velocities near those at the end, if some are known: they lead to where nothing is crossed.
    pub near: Option<&'a [Twist]>,
    /// s
    pub time_step: f64,
    /// Sweeps over the contacts for an answer that is quick rather than exact; 0 for an exact one.
    pub sweeps: usize,
    /// Takes the time that stages need, where somebody wants to know.
    pub watch: Option<&'a Stopwatch>,
}

/// What a method found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Of each body at the end of the step.
    pub velocities: Vec<Twist>,
    /// On the second body of each contact, in world axes, N s.
    pub impulses: Vec<Vec3>,
    /// Of each contact at the end of the step.
    pub states: Vec<ContactState>,
    /// How it ended.
    pub outcome: Outcome,
    /// Of the last contact problem, as the solver reports it.
    pub residual: f64,
    /// Rounds of the fixpoint, or iterations of Newton's method.
    pub iterations: usize,
    /// What a user should know.
    pub notes: Vec<String>,
}

impl Default for Answer {
    /// That of nothing to nobody, to be answered in place of.
    fn default() -> Answer {
        Answer {
            velocities: Vec::new(),
            impulses: Vec::new(),
            states: Vec::new(),
            outcome: Outcome::Inaccurate,
            residual: f64::INFINITY,
            iterations: 0,
            notes: Vec::new(),
        }
    }
}

impl Task<'_> {
    /// Where a body is after the step at a velocity (paper 1 (3): `s + dt S u`, the turn taken exactly).
    pub fn pose_after(&self, body: usize, velocity: Twist) -> Pose {
        let b = &self.bodies[body];
        if let Some(end) = b.scripted_end {
            return end;
        }
        let centre = b.centre + self.time_step * velocity.linear;
        let turn = Quat::from_scaled_axis(self.time_step * velocity.angular);
        pose_of(centre, (turn * b.rotation).normalize(), b.centre_in_body)
    }

    /// Where all bodies are after the step.
    pub fn poses_after(&self, velocities: &[Twist]) -> Vec<Pose> {
        velocities.iter().enumerate().map(|(body, &v)| self.pose_after(body, v)).collect()
    }

    /// How a contact lies at given poses of all bodies.
    pub fn state_at(&self, contact: usize, poses: &[Pose]) -> ContactState {
        let TaskContact { bodies: [a, b], name, .. } = &self.contacts[contact];
        shape_contact_at(self.bodies[*a].shape, &poses[*a], self.bodies[*b].shape, &poses[*b], name)
    }

    /// How all contacts lie at given poses.
    pub fn states_at(&self, poses: &[Pose]) -> Vec<ContactState> {
        let mut states = Vec::new();
        self.put_states_at(poses, &mut states);
        states
    }

    /// The same in place of what a list holds.
    pub(super) fn put_states_at(&self, poses: &[Pose], states: &mut Vec<ContactState>) {
        refill_each(states, self.contacts.len(), CONTACTS, |contact| self.state_at(contact, poses));
    }
}

/// The pose of a body whose centre of mass is at a place.
pub(crate) fn pose_of(centre: Vec3, rotation: Quat, centre_in_body: Vec3) -> Pose {
    let origin = centre - rotation * centre_in_body;
    // Finite and of unit length: velocities are checked before they move anything.
    Pose::new(origin, rotation).unwrap_or(Pose::IDENTITY)
}
