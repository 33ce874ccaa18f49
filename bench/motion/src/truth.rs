//! What is true: the equations of motion of one body that rolls without slipping on a surface that stands
//! still, integrated by small steps of the classical method of Runge and Kutta. Shares no code with any
//! engine.

use silvia::prelude::*;
use std::ops::{Add, Mul};

/// m/s²
pub(crate) const GRAVITY: f64 = 9.81;

/// Steps a second of the integration.
const STEPS: f64 = 1e5;

/// Of a body: rotation, angular velocity, velocity and place of the centre of mass, in the world's axes; or
/// how all of these change in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) rotation: Quat,
    pub(crate) angular: Vec3,
    pub(crate) linear: Vec3,
    pub(crate) centre: Vec3,
}

impl Add for State {
    type Output = State;

    fn add(self, other: State) -> State {
        State {
            rotation: self.rotation + other.rotation,
            angular: self.angular + other.angular,
            linear: self.linear + other.linear,
            centre: self.centre + other.centre,
        }
    }
}

impl Mul<State> for f64 {
    type Output = State;

    fn mul(self, state: State) -> State {
        State {
            rotation: state.rotation * self,
            angular: self * state.angular,
            linear: self * state.linear,
            centre: self * state.centre,
        }
    }
}

/// A body that rolls.
pub(crate) trait Rolling {
    /// By mass, along the axes of the body, m².
    fn inertia(&self) -> Mat3;

    /// From the centre of mass to the point of contact, m, and how that changes in time, in the world's axes.
    fn arm(&self, at: &State) -> (Vec3, Vec3);
}

/// The state of a body after a time, s.
pub(crate) fn after(body: &dyn Rolling, start: State, time: f64) -> State {
    let steps = (time * STEPS).ceil();
    let h = time / steps;
    let mut at = start;
    for _ in 0..steps as usize {
        let first = rate(body, &at);
        let second = rate(body, &(at + 0.5 * h * first));
        let third = rate(body, &(at + 0.5 * h * second));
        let fourth = rate(body, &(at + h * third));
        at = at + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth);
        at.rotation = at.rotation.normalize();
    }
    at
}

/// The velocity of the centre of a body that rolls, m/s.
pub(crate) fn rolling_velocity(body: &dyn Rolling, at: &State) -> Vec3 {
    -at.angular.cross(body.arm(at).0)
}

/// The equations of rolling: the momentum about the point of contact, which no force there changes. The
/// velocity of the centre is that of rolling, so that no slip can build up.
fn rate(body: &dyn Rolling, at: &State) -> State {
    let at = State { linear: rolling_velocity(body, at), ..*at };
    let (w, turn) = (at.angular, Mat3::from_quat(at.rotation));
    let (arm, arm_change) = body.arm(&at);
    let inertia = turn * body.inertia() * turn.transpose();
    let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    let about_contact = inertia + Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer;
    let of_turning = w.cross(arm_change);
    let torque = -w.cross(inertia * w) - arm.cross(of_turning - GRAVITY * Vec3::Z);
    let angular = about_contact.inverse() * torque;
    State {
        rotation: Quat::from_xyzw(w.x, w.y, w.z, 0.0) * at.rotation * 0.5,
        angular,
        linear: -angular.cross(arm) - of_turning,
        centre: at.linear,
    }
}
