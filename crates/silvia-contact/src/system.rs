//! The contact problem in global form: bodies, contacts and joint rows, as a world knows them.
//!
//! With `M` the masses, `H'` the contact directions and `G` the joint rows, velocities after the step are
//! `v = v_free + M^-1 (H r + G' lambda)`. Joints are kept exactly by eliminating `lambda`, which leaves the local form
//! `u = W r + q` (papers 1 and 2; the torque arm is `r x n`, see the errata).

use std::collections::BTreeMap;

use silvia_solid::{Mat3, Vec3};
use thiserror::Error;

use crate::joints::{JointGroup, JointRow, joint_groups};
use crate::matrix::{Block, BlockMatrix, triple};
use crate::problem::{ContactProblem, ProblemError};

/// Linear and angular velocity of a body, or the force and torque that change it; m/s and rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the centre of mass.
    pub linear: Vec3,
    /// Angular velocity.
    pub angular: Vec3,
}

/// A body as far as contacts are concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    inverse_mass: f64,
    inverse_inertia: Mat3,
    velocity: Twist,
    free_velocity: Twist,
}

impl Body {
    /// A body that contacts can move: mass in kg, inertia about the centre of mass in world axes in kg m², velocity
    /// now, and velocity at the end of the step if nothing touched it.
    pub fn free(mass: f64, inertia: Mat3, velocity: Twist, free_velocity: Twist) -> Self {
        Self { inverse_mass: 1.0 / mass, inverse_inertia: inertia.inverse(), velocity, free_velocity }
    }

    /// A body that nothing can move: the ground, or a conveyor that goes at `velocity`.
    pub fn immovable(velocity: Twist) -> Self {
        Self { inverse_mass: 0.0, inverse_inertia: Mat3::ZERO, velocity, free_velocity: velocity }
    }

    /// Whether contacts can move it.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// The change of velocity that an impulse gives.
    pub(crate) fn response(&self, impulse: Twist) -> Twist {
        Twist { linear: self.inverse_mass * impulse.linear, angular: self.inverse_inertia * impulse.angular }
    }
}

/// Names a contact from one step to the next, so that its impulse can be carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(pub u64);

/// Two bodies that touch, or soon may, at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Its identity over time.
    pub id: ContactId,
    /// The body that the normal leaves.
    pub body_a: usize,
    /// The body that the normal points to, and pushes.
    pub body_b: usize,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// From A's centre of mass to the contact point.
    pub arm_a: Vec3,
    /// From B's centre of mass to the contact point.
    pub arm_b: Vec3,
    /// Signed distance now, in m; negative is inside.
    pub gap: f64,
    /// Coulomb's friction coefficient.
    pub friction: f64,
    /// Newton's restitution coefficient, between 0 and 1; it acts where bodies that touch approach.
    pub restitution: f64,
}

/// Why bodies, contacts and joints do not make a system.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum SystemError {
    /// A contact or joint row names a body that is not there.
    #[error("{what} {index} names body {body}, but there are {bodies} bodies")]
    NoSuchBody {
        /// `contact` or `joint row`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The body it names.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// A body's mass or inertia is not positive and finite.
    #[error("body {body}: mass and inertia must be positive and finite, or the body made immovable")]
    BadMass {
        /// Which body.
        body: usize,
    },
    /// A number is NaN, infinite, or outside its range.
    #[error("{what} {index}: {quantity} is {value}, but must be {must}")]
    BadValue {
        /// `body`, `contact`, `joint row` or `system`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Which quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        must: &'static str,
    },
    /// The assembled numbers overflow.
    #[error("assembled problem: {0}")]
    Problem(#[from] ProblemError),
}

/// Bodies, contacts and joints over one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct System {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The contacts between them.
    pub contacts: Vec<Contact>,
    /// Equalities that joints impose on velocities.
    pub joints: Vec<JointRow>,
    /// Length of the step in s: a gap may be closed within it but not crossed.
    pub time_step: f64,
}

impl System {
    /// Assembles the local form.
    ///
    /// The law reads `u_N + gap / time_step >= 0` at the end of the step; for a contact that touches, approaches and has
    /// restitution it reads `u_N + e u_N(before) >= 0` (Newton's law of impact).
    pub fn assemble(&self) -> Result<Assembled<'_>, SystemError> {
        self.check()?;
        let frames: Vec<ContactFrame> = self.contacts.iter().map(ContactFrame::new).collect();
        let groups = joint_groups(self);
        let w = self.delassus(&frames, &groups);
        let joint_free =
            self.with_joint_impulses(&groups, self.bodies.iter().map(|b| b.free_velocity).collect()).0;
        let mut q = Vec::with_capacity(3 * self.contacts.len());
        for (contact, frame) in self.contacts.iter().zip(&frames) {
            let mut free = frame.relative_velocity(contact, &joint_free);
            free[0] += self.bias(contact, frame);
            q.extend(free);
        }
        let mu = self.contacts.iter().map(|c| c.friction).collect();
        let problem = ContactProblem::new(w, q, mu)?;
        Ok(Assembled { system: self, frames, groups, problem })
    }

    /// What is added to the free normal velocity so that the law reads `u_N >= 0`.
    fn bias(&self, contact: &Contact, frame: &ContactFrame) -> f64 {
        let now: Vec<Twist> = [contact.body_a, contact.body_b].map(|b| self.bodies[b].velocity).to_vec();
        let pair = Contact { body_a: 0, body_b: 1, ..*contact };
        let approach = frame.relative_velocity(&pair, &now)[0];
        if contact.gap <= 0.0 && approach < 0.0 && contact.restitution > 0.0 {
            contact.restitution * approach
        } else {
            contact.gap / self.time_step
        }
    }

    /// `W = H' M^-1 H - Y' S^-1 Y` with `Y = G M^-1 H` and `S = G M^-1 G'`.
    fn delassus(&self, frames: &[ContactFrame], groups: &[JointGroup]) -> BlockMatrix {
        let mut at_body: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        for (index, contact) in self.contacts.iter().enumerate() {
            for body in [contact.body_a, contact.body_b] {
                if self.bodies[body].is_movable() {
                    at_body[body].push(index);
                }
            }
        }
        let mut entries = Vec::new();
        for (body, contacts) in at_body.iter().enumerate() {
            for &k in contacts {
                let answers =
                    frames[k].impulses_on(&self.contacts[k], body).map(|i| self.bodies[body].response(i));
                for &l in contacts {
                    let directions = frames[l].impulses_on(&self.contacts[l], body);
                    let block: Block = std::array::from_fn(|at| work(directions[at / 3], answers[at % 3]));
                    entries.push((l, k, block));
                }
            }
        }
        for group in groups {
            entries.extend(group.corrections(self, frames));
        }
        BlockMatrix::from_blocks(self.contacts.len(), entries)
    }

    /// Velocities after the joint impulses that keep all joint rows, and those impulses, one a row.
    fn with_joint_impulses(
        &self,
        groups: &[JointGroup],
        mut velocities: Vec<Twist>,
    ) -> (Vec<Twist>, Vec<f64>) {
        let mut impulses = vec![0.0; self.joints.len()];
        for group in groups {
            group.enforce(self, &mut velocities, &mut impulses);
        }
        (velocities, impulses)
    }

    fn check(&self) -> Result<(), SystemError> {
        if !(self.time_step.is_finite() && self.time_step > 0.0) {
            let (value, must) = (self.time_step, "positive and finite");
            return Err(SystemError::BadValue {
                what: "system",
                index: 0,
                quantity: "time step",
                value,
                must,
            });
        }
        for (body, b) in self.bodies.iter().enumerate() {
            let inertia = b.inverse_inertia;
            let definite = inertia.x_axis.x > 0.0 && inertia.determinant() > 0.0;
            if !(b.inverse_mass.is_finite() && b.inverse_mass >= 0.0 && inertia.is_finite())
                || (if b.is_movable() { !definite } else { inertia != Mat3::ZERO })
            {
                return Err(SystemError::BadMass { body });
            }
            for twist in [b.velocity, b.free_velocity] {
                finite_vector("body", body, "velocity", twist.linear)?;
                finite_vector("body", body, "angular velocity", twist.angular)?;
            }
        }
        for (index, c) in self.contacts.iter().enumerate() {
            self.check_contact(index, c)?;
        }
        for (index, row) in self.joints.iter().enumerate() {
            row.check(index, self.bodies.len())?;
        }
        Ok(())
    }

    fn check_contact(&self, index: usize, c: &Contact) -> Result<(), SystemError> {
        let bodies = self.bodies.len();
        for body in [c.body_a, c.body_b] {
            if body >= bodies {
                return Err(SystemError::NoSuchBody { what: "contact", index, body, bodies });
            }
        }
        for (quantity, vector) in [("normal", c.normal), ("arm of A", c.arm_a), ("arm of B", c.arm_b)] {
            finite_vector("contact", index, quantity, vector)?;
        }
        let bad =
            |quantity, value, must| SystemError::BadValue { what: "contact", index, quantity, value, must };
        if (c.normal.length() - 1.0).abs() > UNIT_LENGTH_TOLERANCE {
            return Err(bad("length of the normal", c.normal.length(), "1"));
        }
        if !c.gap.is_finite() {
            return Err(bad("gap", c.gap, "finite"));
        }
        if !(c.friction.is_finite() && c.friction >= 0.0) {
            return Err(bad("friction", c.friction, "zero or positive, and finite"));
        }
        if !(0.0..=1.0).contains(&c.restitution) {
            return Err(bad("restitution", c.restitution, "between 0 and 1"));
        }
        Ok(())
    }
}

/// A normal may be this far from unit length: a few roundings of a normalisation.
const UNIT_LENGTH_TOLERANCE: f64 = 1e-9;

/// Refuses a vector that is not finite.
pub(crate) fn finite_vector(
    what: &'static str,
    index: usize,
    quantity: &'static str,
    vector: Vec3,
) -> Result<(), SystemError> {
    match vector.to_array().into_iter().find(|v| !v.is_finite()) {
        Some(value) => Err(SystemError::BadValue { what, index, quantity, value, must: "finite" }),
        None => Ok(()),
    }
}

/// The power of an impulse along a velocity.
pub(crate) fn work(impulse: Twist, velocity: Twist) -> f64 {
    impulse.linear.dot(velocity.linear) + impulse.angular.dot(velocity.angular)
}

/// Normal and tangents of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactFrame([Vec3; 3]);

impl ContactFrame {
    fn new(contact: &Contact) -> Self {
        let (t1, t2) = contact.normal.any_orthonormal_pair();
        Self([contact.normal, t1, t2])
    }

    /// What unit impulses along normal and tangents do to `body`, both roles added up.
    pub(crate) fn impulses_on(&self, contact: &Contact, body: usize) -> [Twist; 3] {
        self.0.map(|direction| {
            let mut twist = Twist::default();
            if body == contact.body_b {
                twist.linear += direction;
                twist.angular += contact.arm_b.cross(direction);
            }
            if body == contact.body_a {
                twist.linear -= direction;
                twist.angular -= contact.arm_a.cross(direction);
            }
            twist
        })
    }

    fn relative_velocity(&self, contact: &Contact, velocities: &[Twist]) -> [f64; 3] {
        let at = |twist: Twist, arm: Vec3| twist.linear + twist.angular.cross(arm);
        let relative =
            at(velocities[contact.body_b], contact.arm_b) - at(velocities[contact.body_a], contact.arm_a);
        self.0.map(|direction| direction.dot(relative))
    }
}

/// A system with its local form, and the way back from contact impulses to bodies.
#[derive(Clone, Debug)]
pub struct Assembled<'a> {
    system: &'a System,
    frames: Vec<ContactFrame>,
    groups: Vec<JointGroup>,
    problem: ContactProblem,
}

impl Assembled<'_> {
    /// The local form, in the order of the system's contacts.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// Velocities of all bodies at the end of the step under contact impulses `r`, and the joint rows' impulses.
    pub fn response(&self, r: &[f64]) -> (Vec<Twist>, Vec<f64>) {
        let mut velocities: Vec<Twist> = self.system.bodies.iter().map(|b| b.free_velocity).collect();
        for (index, contact) in self.system.contacts.iter().enumerate() {
            let impulse = triple(r, index);
            let both = [contact.body_a, contact.body_b];
            let distinct = if both[0] == both[1] { &both[..1] } else { &both[..] };
            for &body in distinct {
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

    /// Keeps the impulses of a solved step, by contact, to start the next one from.
    pub fn remember(&self, r: &[f64]) -> WarmStart {
        let impulses = self.world_impulses(r);
        WarmStart { impulses: self.system.contacts.iter().zip(impulses).map(|(c, i)| (c.id, i)).collect() }
    }

    /// The impulses remembered for this system's contacts, in local form; zero for new contacts.
    pub fn warm_start(&self, memory: &WarmStart) -> Vec<f64> {
        let mut r = Vec::with_capacity(3 * self.frames.len());
        for (contact, frame) in self.system.contacts.iter().zip(&self.frames) {
            let impulse = memory.impulses.get(&contact.id).copied().unwrap_or_default();
            r.extend(frame.0.map(|direction| direction.dot(impulse)));
        }
        r
    }
}

/// Contact impulses of the last step, by contact identity and in world axes (a contact's tangents may turn).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarmStart {
    impulses: BTreeMap<ContactId, Vec3>,
}
