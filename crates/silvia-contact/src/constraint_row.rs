//! Constraint rows: one equality or inequality on velocities each, as joints, drives and limits impose them.

use silvia_solid::Vec3;

use crate::attachment::Attachment;
use crate::node::Twist;
use crate::system::{System, SystemError, finite_vector};

/// What a row demands of its velocity at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowLaw {
    /// `velocity = target`, with an impulse of any sign: a joint, or a drive.
    Bilateral {
        /// The velocity, m/s or rad/s; a joint that has drifted asks for the velocity that undoes it.
        target: f64,
    },
    /// `velocity >= bound`, with an impulse that is not negative, and zero where the velocity is greater: the
    /// end stop of a joint, a rope, a contact without friction.
    Limit {
        /// The least velocity, m/s or rad/s: minus the play that is left, divided by the time step.
        bound: f64,
    },
}

/// One end of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowEnd {
    /// Where it acts.
    pub at: Attachment,
    /// What multiplies the velocity of the attachment; also the force of a unit impulse there.
    pub force: Vec3,
    /// What multiplies the angular velocity of the node; also the torque of a unit impulse. Zero unless the
    /// attachment is [rigid](Attachment::Rigid), since nothing turns a point.
    pub torque: Vec3,
}

/// A constraint with one component: the sum of what its ends make of their velocities obeys a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// What the sum must be.
    pub law: RowLaw,
    /// The first end.
    pub a: RowEnd,
    /// The second end; none where the row holds a node in space.
    pub b: Option<RowEnd>,
}

impl ConstraintRow {
    /// The row of the velocity at which `b` moves away from `a` along `direction`.
    pub fn along(a: Attachment, b: Attachment, direction: Vec3, law: RowLaw) -> Self {
        let end = |at: Attachment, force: Vec3| RowEnd { at, force, torque: Vec3::ZERO };
        Self { law, a: end(a, -direction), b: Some(end(b, direction)) }
    }

    /// The row of the angular velocity of rigid node `b` relative to `a`, about `axis`.
    pub fn about(node_a: usize, node_b: usize, axis: Vec3, law: RowLaw) -> Self {
        let end = |node: usize, torque: Vec3| RowEnd {
            at: Attachment::rigid(node, Vec3::ZERO),
            force: Vec3::ZERO,
            torque,
        };
        Self { law, a: end(node_a, -axis), b: Some(end(node_b, axis)) }
    }

    /// The three rows that keep two attachments together: a ball joint, or a molecule that is stuck to a
    /// body.
    pub fn ball(a: Attachment, b: Attachment) -> [Self; 3] {
        let law = RowLaw::Bilateral { target: 0.0 };
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Self::along(a, b, axis, law))
    }

    /// The row that forbids relative rotation about `axis`.
    pub fn no_rotation(node_a: usize, node_b: usize, axis: Vec3) -> Self {
        Self::about(node_a, node_b, axis, RowLaw::Bilateral { target: 0.0 })
    }

    /// Whether the row is a [limit](RowLaw::Limit).
    pub fn is_limit(&self) -> bool {
        match self.law {
            RowLaw::Limit { .. } => true,
            RowLaw::Bilateral { .. } => false,
        }
    }

    /// What the velocity is compared with: the target or the bound.
    pub(crate) fn aim(&self) -> f64 {
        match self.law {
            RowLaw::Bilateral { target } => target,
            RowLaw::Limit { bound } => bound,
        }
    }

    /// What multiplies the velocities of each node; also the impulses on it of a unit impulse. Each node
    /// once.
    pub(crate) fn terms(&self) -> Vec<(usize, Twist)> {
        let mut nodes: Vec<usize> = Vec::with_capacity(2);
        self.for_each_node(|node| {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        });
        let of_node = |node: usize| {
            let mut sum = Twist::default();
            for end in self.ends() {
                if let Some(push) = end.at.push_on(node, end.force) {
                    sum.linear += push.linear;
                    sum.angular += push.angular + end.torque;
                }
            }
            (node, sum)
        };
        nodes.into_iter().map(of_node).collect()
    }

    pub(crate) fn for_each_node(&self, mut visit: impl FnMut(usize)) {
        self.ends().for_each(|end| end.at.for_each_node(&mut visit));
    }

    /// The same on nodes with other numbers.
    pub(crate) fn renumbered(&self, number: impl Fn(usize) -> usize) -> Self {
        let end = |end: RowEnd| RowEnd { at: end.at.renumbered(&number), ..end };
        Self { law: self.law, a: end(self.a), b: self.b.map(end) }
    }

    fn ends(&self) -> impl Iterator<Item = RowEnd> {
        std::iter::once(self.a).chain(self.b)
    }

    pub(crate) fn check(&self, index: usize, system: &System) -> Result<(), SystemError> {
        const WHAT: &str = "row";
        for end in self.ends() {
            end.at.check(WHAT, index, system)?;
            finite_vector(WHAT, index, "force", end.force)?;
            finite_vector(WHAT, index, "torque", end.torque)?;
            if end.torque != Vec3::ZERO && !matches!(end.at, Attachment::Rigid { .. }) {
                let mut node = 0;
                end.at.for_each_node(|n| node = n);
                let must = "rigid: nothing turns a point, set the row's torque to zero";
                return Err(SystemError::WrongNode { what: WHAT, index, node, must });
            }
        }
        if !self.aim().is_finite() {
            let quantity = if self.is_limit() { "bound" } else { "target" };
            let (value, must) = (self.aim(), "finite");
            return Err(SystemError::BadValue { what: WHAT, index, quantity, value, must });
        }
        Ok(())
    }
}
