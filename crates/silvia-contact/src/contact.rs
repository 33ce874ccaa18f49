//! Contacts: two attachments that touch, or soon may.

use silvia_solid::Vec3;

use crate::attachment::Attachment;
use crate::node::Twist;
use crate::system::{System, SystemError, finite_vector};

/// Two attachments that touch, or soon may, with unilateral contact and Coulomb friction between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The side that the normal leaves.
    pub a: Attachment,
    /// The side that the normal points to, and pushes.
    pub b: Attachment,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// Signed distance now, in m; negative is inside.
    pub gap: f64,
    /// Coulomb's friction coefficient.
    pub friction: f64,
    /// Newton's restitution coefficient, between 0 and 1; it acts where sides that touch approach.
    pub restitution: f64,
    /// Added to the slip of B on A at the end of the step, m/s: friction acts against the sum. The slip at
    /// the start, for friction against the mean slip; zero, for friction against the slip at the end. What
    /// of it is along the normal does not count.
    pub slip: Vec3,
}

impl Contact {
    /// Nodes and arms of the two sides, where each side has one node.
    #[inline]
    pub(crate) fn pair(&self) -> Option<[(usize, Vec3); 2]> {
        Some([self.a.single()?, self.b.single()?])
    }

    /// The nodes that take part, each once, side A first.
    pub(crate) fn nodes(&self) -> Vec<usize> {
        let mut nodes = Vec::with_capacity(2);
        for side in [&self.a, &self.b] {
            side.for_each_node(|node| {
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            });
        }
        nodes
    }

    pub(crate) fn check(&self, index: usize, system: &System) -> Result<(), SystemError> {
        self.a.check("contact", index, system)?;
        self.b.check("contact", index, system)?;
        if let Some([(node, _), (other, _)]) = self.pair()
            && node == other
        {
            return Err(SystemError::SameNode { contact: index, node });
        }
        finite_vector("contact", index, "normal", self.normal)?;
        finite_vector("contact", index, "slip", self.slip)?;
        let bad =
            |quantity, value, must| SystemError::BadValue { what: "contact", index, quantity, value, must };
        if (self.normal.length() - 1.0).abs() > UNIT_LENGTH_TOLERANCE {
            return Err(bad("length of the normal", self.normal.length(), "1"));
        }
        if !self.gap.is_finite() {
            return Err(bad("gap", self.gap, "finite"));
        }
        if !(self.friction.is_finite() && self.friction >= 0.0) {
            return Err(bad("friction", self.friction, "zero or positive, and finite"));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(bad("restitution", self.restitution, "between 0 and 1"));
        }
        Ok(())
    }
}

/// A normal may be this far from unit length: a few roundings of a normalisation.
const UNIT_LENGTH_TOLERANCE: f64 = 1e-9;

/// Normal and tangents of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactFrame(pub(crate) [Vec3; 3]);

impl ContactFrame {
    pub(crate) fn new(contact: &Contact) -> Self {
        let (t1, t2) = contact.normal.any_orthonormal_pair();
        Self([contact.normal, t1, t2])
    }

    /// What unit impulses along normal and tangents do to `node`, both roles added up.
    #[inline]
    pub(crate) fn impulses_on(&self, contact: &Contact, node: usize) -> [Twist; 3] {
        self.0.map(|direction| {
            let mut twist = Twist::default();
            if let Some(push) = contact.b.push_on(node, direction) {
                twist.linear += push.linear;
                twist.angular += push.angular;
            }
            if let Some(push) = contact.a.push_on(node, direction) {
                twist.linear -= push.linear;
                twist.angular -= push.angular;
            }
            twist
        })
    }

    /// The same for both sides of a contact of two different nodes, with their arms; sides A and B.
    #[inline]
    pub(crate) fn impulses_on_pair(&self, [arm_a, arm_b]: [Vec3; 2]) -> [[Twist; 3]; 2] {
        // Counted from zero, so that no component becomes a negative zero.
        let zero = Vec3::ZERO;
        let on_a = |d: Vec3| Twist { linear: zero - d, angular: zero - arm_a.cross(d) };
        let on_b = |d: Vec3| Twist { linear: zero + d, angular: zero + arm_b.cross(d) };
        [self.0.map(on_a), self.0.map(on_b)]
    }

    /// The velocity of side B as side A sees it, along normal and tangents; with the velocities `of` nodes.
    #[inline]
    pub(crate) fn relative_velocity(&self, contact: &Contact, of: impl Fn(usize) -> Twist) -> [f64; 3] {
        let relative = contact.b.velocity(&of) - contact.a.velocity(&of);
        self.0.map(|direction| direction.dot(relative))
    }
}
