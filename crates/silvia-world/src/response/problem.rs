//! An island over a step, as a response method sees it, and the method's answer.

use crate::buffers::{CONTACTS, refill_each};
use crate::kinematics::pose_of;
use crate::profile::Stopwatch;
use crate::response::tuning;
use silvia_contact::{MassMatrix, Node, Outcome, Twist};
use silvia_proximity::{ContactBody, ContactName, ContactState, shape_contact_at};
use silvia_solid::{Mat3, Pose, Quat, Vec3};

/// A body of an island.
#[derive(Clone, Debug)]
pub struct ProblemBody<'a> {
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
    /// What takes the place of these over a step if hands hold it: springs in which the step is implicit act
    /// like a mass.
    pub sprung: Option<Sprung>,
    /// Its velocity at the start.
    pub velocity: Twist,
    /// Its velocity at the end, if nothing touched it; for a method of second order its mean velocity, with
    /// twice its mass.
    pub free_velocity: Twist,
    /// The pose at the end of a body that contacts cannot move: its script says so.
    pub scripted_end: Option<Pose>,
}

/// The mass of a body over a step, with the springs that hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprung {
    /// From velocity to momentum.
    pub mass: MassMatrix,
    /// From an impulse to the change of velocity.
    pub inverse: MassMatrix,
}

/// A pair of features that may come into contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemContact {
    /// Indices of its two bodies. The normal points from the first to the second.
    pub bodies: [usize; 2],
    /// Which features.
    pub name: ContactName,
    /// Gap, normal and points at the start of the step.
    pub start: ContactState,
    /// The gap must not fall below this, m. Compliant methods may let it.
    pub shell: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's coefficient. Only impacts use it.
    pub restitution: f64,
    /// Whether it takes part wherever its points are: without it the bodies were seen to cross.
    pub is_kept: bool,
    /// The impulse on the second body that it bore in the last step, N s: a place to start from.
    pub guess: Vec3,
}

impl ProblemContact {
    /// Whether its bodies are nearer than the shell at the start. If its points do not lie on its features, a
    /// negative gap says nothing about that.
    pub(super) fn lacks_shell(&self) -> bool {
        self.start.gap < self.shell && (self.start.holds || self.start.gap >= 0.0)
    }

    /// Asks for no more than the gap that there is at the start: of a body wedged between others, no contact
    /// can regain what it lacks of its shell.
    pub(crate) fn keep_gap(&mut self) {
        if self.lacks_shell() {
            self.shell = self.start.gap.max(tuning::LEAST_SHELL * self.shell);
        }
    }
}

/// An island over a step: bodies that may touch, and where.
#[derive(Clone, Debug)]
pub struct IslandProblem<'a> {
    /// The bodies.
    pub bodies: Vec<ProblemBody<'a>>,
    /// The pairs of features that may come into contact.
    pub contacts: Vec<ProblemContact>,
    /// Velocities near those at the end, if an earlier attempt found some. They cross nothing.
    pub nearby: Option<&'a [Twist]>,
    /// Length of the step, s.
    pub time_step: f64,
    /// Which slip friction acts against.
    pub(crate) slips: Slips<'a>,
    /// Takes the time of the stages of built-in methods, if the world is profiled.
    pub(crate) watch: Option<&'a Stopwatch>,
}

/// Which slip friction acts against.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slips<'a> {
    /// That of the velocities at the end, where the contact is at the end.
    AtEnd,
    /// The mean over the step: velocities are mean ones, and arms are in the middle between those at the
    /// start and at the end.
    Mean,
    /// That of the velocities at the end, and one for each contact added to it, m/s.
    Besides(&'a [Vec3]),
}

/// What a method found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The velocity of each body at the end of the step.
    pub velocities: Vec<Twist>,
    /// The impulse on the second body of each contact, in world axes, N s.
    pub impulses: Vec<Vec3>,
    /// How each contact lies at the end of the step; empty if the method does not know.
    pub states: Vec<ContactState>,
    /// How the method ended.
    pub outcome: Outcome,
    /// The residual of the last contact problem, as its solver reports it.
    pub residual: f64,
    /// Rounds of the fixpoint, or iterations of Newton's method.
    pub iterations: usize,
    /// How many contacts were looked at or solved for, each as often as it was: what a step's budget counts.
    pub work: usize,
    /// What a user should know.
    pub notes: Vec<String>,
}

impl Default for Answer {
    /// An empty answer, to be overwritten.
    fn default() -> Answer {
        Answer {
            velocities: Vec::new(),
            impulses: Vec::new(),
            states: Vec::new(),
            outcome: Outcome::Inaccurate,
            residual: f64::INFINITY,
            iterations: 0,
            work: 0,
            notes: Vec::new(),
        }
    }
}

impl Answer {
    /// The answer to begin with: bodies go on as if nothing touched them. [Push](Answer::push) them, and say
    /// how it ended.
    pub fn free(problem: &IslandProblem<'_>) -> Answer {
        Answer {
            velocities: problem.bodies.iter().map(|b| b.free_velocity).collect(),
            impulses: vec![Vec3::ZERO; problem.contacts.len()],
            residual: 0.0,
            ..Answer::default()
        }
    }

    /// Adds an impulse, N s, on the second body of a contact, and its opposite on the first. It acts in the
    /// middle between the points of the contact at the start of the step.
    pub fn push(&mut self, problem: &IslandProblem<'_>, contact: usize, impulse: Vec3) {
        let ProblemContact { bodies, start, .. } = &problem.contacts[contact];
        let middle = start.points[0].midpoint(start.points[1]);
        self.impulses[contact] += impulse;
        for (&body, impulse) in bodies.iter().zip([-impulse, impulse]) {
            let b = &problem.bodies[body];
            let push = Twist { linear: impulse, angular: (middle - b.centre).cross(impulse) };
            let change = match (b.inertia, b.sprung) {
                (None, _) => continue,
                (Some(_), Some(sprung)) => sprung.inverse.times(push),
                (Some((mass, inertia)), None) => {
                    Twist { linear: push.linear / mass, angular: inertia.inverse() * push.angular }
                }
            };
            self.velocities[body].linear += change.linear;
            self.velocities[body].angular += change.angular;
        }
    }

    /// The answer of a method that found none: bodies go on as they do, and nothing pushes them.
    pub fn unsolved(problem: &IslandProblem<'_>, notes: Vec<String>) -> Answer {
        Answer {
            velocities: problem.bodies.iter().map(|b| b.velocity).collect(),
            impulses: vec![Vec3::ZERO; problem.contacts.len()],
            states: problem.contacts.iter().map(|c| c.start).collect(),
            notes,
            ..Answer::default()
        }
    }
}

impl<'a> IslandProblem<'a> {
    /// An island over a step of a length, s.
    pub fn new(
        bodies: Vec<ProblemBody<'a>>,
        contacts: Vec<ProblemContact>,
        time_step: f64,
    ) -> IslandProblem<'a> {
        IslandProblem { bodies, contacts, nearby: None, time_step, slips: Slips::AtEnd, watch: None }
    }

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
        let ProblemContact { bodies: [a, b], name, .. } = &self.contacts[contact];
        shape_contact_at(self.bodies[*a].shape, &poses[*a], self.bodies[*b].shape, &poses[*b], name)
    }

    /// How all contacts lie at given poses.
    pub fn states_at(&self, poses: &[Pose]) -> Vec<ContactState> {
        let mut states = Vec::new();
        self.put_states_at(poses, &mut states);
        states
    }

    /// Replaces the contents of a list by how all contacts lie at given poses.
    pub(super) fn put_states_at(&self, poses: &[Pose], states: &mut Vec<ContactState>) {
        refill_each(states, self.contacts.len(), CONTACTS, |contact| self.state_at(contact, poses));
    }
}

/// How impulses change the velocity of a body.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a box would be allocated in every step")]
pub(super) enum Mobility {
    Immovable,
    /// 1 / mass and inverse inertia.
    Rigid(f64, Mat3),
    Sprung(MassMatrix),
}

impl Mobility {
    /// The change of velocity by an impulse.
    pub(super) fn change(&self, push: Twist) -> Twist {
        match self {
            Mobility::Immovable => Twist::default(),
            Mobility::Rigid(mass, inertia) => {
                Twist { linear: *mass * push.linear, angular: *inertia * push.angular }
            }
            Mobility::Sprung(inverse) => inverse.times(push),
        }
    }
}

impl ProblemBody<'_> {
    /// Its pose at the start.
    pub fn pose(&self) -> Pose {
        pose_of(self.centre, self.rotation, self.centre_in_body)
    }

    /// The body over the step, as contact solvers see it.
    pub(super) fn over_step(&self) -> Node {
        match (self.inertia, self.sprung) {
            (Some(_), Some(sprung)) => Node::sprung(sprung.inverse, self.velocity, self.free_velocity),
            (Some((mass, inertia)), None) => Node::rigid(mass, inertia, self.velocity, self.free_velocity),
            (None, _) => Node::immovable(self.free_velocity),
        }
    }

    /// How impulses change its velocity over the step.
    pub(super) fn mobility(&self) -> Mobility {
        match (self.inertia, self.sprung) {
            (Some(_), Some(sprung)) => Mobility::Sprung(sprung.inverse),
            (Some((mass, inertia)), None) => Mobility::Rigid(1.0 / mass, inertia.inverse()),
            (None, _) => Mobility::Immovable,
        }
    }

    /// Twice the kinetic energy of a velocity over the step, J; `None` if contacts cannot move it.
    pub(super) fn square(&self, v: Twist) -> Option<f64> {
        let (mass, inertia) = self.inertia?;
        Some(match self.sprung {
            Some(sprung) => sprung.mass.square(v),
            None => mass * v.linear.length_squared() + v.angular.dot(inertia * v.angular),
        })
    }

    /// The body at an instant, as contact solvers see it.
    pub(super) fn at_once(&self) -> Node {
        match self.inertia {
            Some((mass, inertia)) => Node::rigid(mass, inertia, self.velocity, self.velocity),
            None => Node::immovable(self.velocity),
        }
    }
}
