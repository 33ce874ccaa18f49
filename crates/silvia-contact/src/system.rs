//! The contact problem in global form: bodies, contacts and joint rows, as a world knows them.
//!
//! With `M` the masses, `H'` the contact directions and `G` the joint rows, velocities after the step are `v
//! = v_free + M^-1 (H r + G' lambda)`. Joints are kept exactly by eliminating `lambda`, which leaves the
//! local form `u = W r + q` (papers 1 and 2; the torque arm is `r x n`, see the errata).

use silvia_solid::{Mat3, Vec3};
use thiserror::Error;

use crate::assembled::Assembled;
use crate::joints::{JointGroup, JointRow, joint_groups};
use crate::matrix::{Block, BlockMatrix};
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
    pub(crate) inverse_mass: f64,
    pub(crate) inverse_inertia: Mat3,
    velocity: Twist,
    pub(crate) free_velocity: Twist,
}

impl Body {
    /// A body that contacts can move: mass in kg, inertia about the centre of mass in world axes in kg m²,
    /// velocity now, and velocity at the end of the step if nothing touched it.
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

    /// Mass and inertia, as what impulses and torques are for unit velocities and angular velocities.
    pub(crate) fn mass_block(&self) -> [[f64; 6]; 6] {
        block(1.0 / self.inverse_mass, self.inverse_inertia.inverse())
    }

    /// The inverse of [`Body::mass_block`].
    pub(crate) fn inverse_block(&self) -> [[f64; 6]; 6] {
        block(self.inverse_mass, self.inverse_inertia)
    }

    /// The change of velocity that an impulse gives.
    pub(crate) fn response(&self, impulse: Twist) -> Twist {
        Twist { linear: self.inverse_mass * impulse.linear, angular: self.inverse_inertia * impulse.angular }
    }
}

fn block(mass: f64, inertia: Mat3) -> [[f64; 6]; 6] {
    let mut block = [[0.0; 6]; 6];
    for i in 0..3 {
        block[i][i] = mass;
        for j in 0..3 {
            block[3 + i][3 + j] = inertia.col(j)[i];
        }
    }
    block
}

/// Two bodies that touch, or soon may, at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
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
    /// A contact is between a body and itself.
    #[error(
        "contact {contact} is between body {body} and itself: a rigid body cannot push itself, leave it out"
    )]
    SameBody {
        /// Which contact.
        contact: usize,
        /// The body named twice.
        body: usize,
    },
    /// Joint rows ask for velocities that no impulses give.
    #[error(
        "joint row {row} and those connected with it contradict each other: {left:.1e} of what they ask for \
         cannot be met; check their targets"
    )]
    ContradictoryJoints {
        /// The first of the rows.
        row: usize,
        /// The largest unmet share.
        left: f64,
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
    /// The law reads `u_N + gap / time_step >= 0` at the end of the step; for a contact that touches,
    /// approaches and has restitution it reads `u_N + e u_N(before) >= 0` (Newton's law of impact).
    pub fn assemble(&self) -> Result<Assembled<'_>, SystemError> {
        self.check()?;
        let frames: Vec<ContactFrame> = self.contacts.iter().map(ContactFrame::new).collect();
        let groups = joint_groups(self);
        let w = self.delassus(&frames, &groups);
        let mut joint_free: Vec<Twist> = self.bodies.iter().map(|b| b.free_velocity).collect();
        let mut impulses = vec![0.0; self.joints.len()];
        for group in &groups {
            let (left, row) = group.enforce(self, &mut joint_free, &mut impulses);
            if left > JOINT_TOLERANCE {
                return Err(SystemError::ContradictoryJoints { row, left });
            }
        }
        let mut q = Vec::with_capacity(3 * self.contacts.len());
        for (contact, frame) in self.contacts.iter().zip(&frames) {
            let mut free = frame.relative_velocity(contact, &joint_free);
            free[0] += self.bias(contact, frame);
            q.extend(free);
        }
        let mu = self.contacts.iter().map(|c| c.friction).collect();
        let problem = ContactProblem::new(w, q, mu)?;
        Ok(Assembled::new(self, frames, groups, problem))
    }

    /// What is added to the free normal velocity so that the law reads `u_N >= 0`.
    pub(crate) fn bias(&self, contact: &Contact, frame: &ContactFrame) -> f64 {
        let now = [contact.body_a, contact.body_b].map(|b| self.bodies[b].velocity);
        let pair = Contact { body_a: 0, body_b: 1, ..*contact };
        let approach = frame.relative_velocity(&pair, &now)[0];
        if contact.gap <= TOUCHING_GAP && approach < 0.0 && contact.restitution > 0.0 {
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
    pub(crate) fn with_joint_impulses(
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

    pub(crate) fn check(&self) -> Result<(), SystemError> {
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
            if !(b.inverse_mass.is_finite() && b.inverse_mass >= 0.0 && inertia.is_finite())
                || (if b.is_movable() { !is_positive_definite(inertia) } else { inertia != Mat3::ZERO })
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
        if c.body_a == c.body_b {
            return Err(SystemError::SameBody { contact: index, body: c.body_a });
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

/// Contacts with gaps up to this, in m, touch, and bounce where they have restitution: a nanometre is what
/// rounding makes of a distance between parts of some metres.
const TOUCHING_GAP: f64 = 1e-9;

/// Joint rows hold where no more than this share of what they ask for is left: rounding, of rows that repeat
/// each other.
const JOINT_TOLERANCE: f64 = 1e-6;

/// An inertia may be asymmetric by this share of its largest entry: a few roundings of a rotation and an
/// inverse.
const INERTIA_ASYMMETRY: f64 = 1e-9;

/// Whether a matrix is symmetric, up to rounding, with positive leading minors.
fn is_positive_definite(m: Mat3) -> bool {
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = m.to_cols_array_2d();
    let largest = m.to_cols_array().into_iter().fold(0.0_f64, |l, v| l.max(v.abs()));
    let asymmetry = (xy - yx).abs().max((xz - zx).abs()).max((yz - zy).abs());
    asymmetry <= INERTIA_ASYMMETRY * largest
        && xx > 0.0
        && yy > 0.0
        && zz > 0.0
        && xx * yy - xy * yx > 0.0
        && m.determinant() > 0.0
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
pub(crate) struct ContactFrame(pub(crate) [Vec3; 3]);

impl ContactFrame {
    pub(crate) fn new(contact: &Contact) -> Self {
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

    pub(crate) fn relative_velocity(&self, contact: &Contact, velocities: &[Twist]) -> [f64; 3] {
        let at = |twist: Twist, arm: Vec3| twist.linear + twist.angular.cross(arm);
        let relative =
            at(velocities[contact.body_b], contact.arm_b) - at(velocities[contact.body_a], contact.arm_a);
        self.0.map(|direction| direction.dot(relative))
    }
}
