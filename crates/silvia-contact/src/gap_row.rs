//! The gap of a pair of features as a function of two poses, with its first derivatives.
//!
//! The gap is a least distance (of a point and a plane, of two lines), so that to first order the nearest
//! points may be taken as fixed in their bodies: `d gap = n . (dx_B - dx_A)`, at whatever gap, with `dx` the
//! motion of each body's point. The torque arm is `r x n` (errata, paper 1 §3).

use crate::attachment::Attachment;
use crate::contact::Contact;
use crate::node::Twist;
use silvia_proximity::ContactState;
use silvia_solid::Vec3;

/// A gap and how it changes as the bodies move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapRow {
    /// Signed distance, m.
    pub gap: f64,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// From each body's centre to its point, m.
    pub arms: [Vec3; 2],
}

impl GapRow {
    /// The row of a contact. `centres` are the points of the bodies that linear velocities belong to (m, in
    /// the frame of the contact).
    pub fn new(state: &ContactState, centres: [Vec3; 2]) -> Self {
        let arms = [state.points[0] - centres[0], state.points[1] - centres[1]];
        Self { gap: state.gap, normal: state.normal, arms }
    }

    /// How fast the gap opens, m/s.
    pub fn rate(&self, velocities: [Twist; 2]) -> f64 {
        let [a, b] = self.derivatives();
        a.linear.dot(velocities[0].linear)
            + a.angular.dot(velocities[0].angular)
            + b.linear.dot(velocities[1].linear)
            + b.angular.dot(velocities[1].angular)
    }

    /// The derivatives of the gap with respect to the displacement and rotation of each body. They are also
    /// the force and torque on each body of a unit contact force.
    pub fn derivatives(&self) -> [Twist; 2] {
        let push = |arm: Vec3, along: Vec3| Twist { linear: along, angular: arm.cross(along) };
        [push(self.arms[0], -self.normal), push(self.arms[1], self.normal)]
    }

    /// The row as a contact between two rigid or immovable nodes of a [`System`](crate::System).
    pub fn contact(&self, nodes: [usize; 2], friction: f64, restitution: f64) -> Contact {
        Contact {
            a: Attachment::rigid(nodes[0], self.arms[0]),
            b: Attachment::rigid(nodes[1], self.arms[1]),
            normal: self.normal,
            gap: self.gap,
            friction,
            restitution,
            slip: Vec3::ZERO,
        }
    }
}
