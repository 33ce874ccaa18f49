//! What a body is: its shapes, its mass, its material, and what decides how it moves.

use crate::load::Load;
use crate::material::MaterialId;
use silvia_contact::Twist;
use silvia_proximity::{ContactBody, Groups, Shape};
use silvia_solid::{Mat3, Pose, Quat, Vec3};

/// Names a body of a world; never given to another one, even after the body is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) u32);

/// What decides how a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Nothing moves it.
    Fixed,
    /// It goes its own way, whatever it meets: a conveyor, a press.
    Scripted(Script),
    /// A hand sets its velocity at the start of each step, contacts change it: its mass stays (paper 1 §3). The hand bears
    /// its weight.
    Held(Twist),
    /// Forces and contacts move it.
    Free,
}

/// The way of a scripted body.
#[derive(Clone, Debug, PartialEq)]
pub enum Script {
    /// At a constant velocity, of the origin of its frame, from where it is.
    Velocity(Twist),
    /// Through poses at given times, s, in order; before the first and after the last it rests. Between two it moves on a
    /// straight line and turns at a constant rate.
    Poses(Vec<(f64, Pose)>),
}

/// Mass, centre of mass and inertia of a body in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// kg
    pub mass: f64,
    /// In the body's frame, m.
    pub centre: Vec3,
    /// About the centre, along the axes of the body's frame, kg m².
    pub inertia: Mat3,
    /// The three moments of inertia, kg m².
    pub(crate) moments: Vec3,
    /// Turns the axes of these moments onto the body's frame.
    pub(crate) axes: Quat,
}

/// A body of a world, all that does not change from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// In the body's frame; a compound where there are several.
    pub(crate) shape: Shape,
    pub(crate) contact_body: ContactBody,
    /// Of an immovable body: of no meaning save its centre.
    pub(crate) inertia: Inertia,
    pub(crate) material: MaterialId,
    pub(crate) groups: Groups,
    pub(crate) loads: Vec<Load>,
    /// Of the box around its shape, m: what its shell is a fraction of. Infinite for a half-space.
    pub(crate) size: f64,
}

impl Body {
    /// Whether contacts can move it.
    pub(crate) fn is_movable(&self) -> bool {
        matches!(self.role, Role::Held(_) | Role::Free)
    }
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Where its centre of mass is, m.
    pub centre: Vec3,
    /// From its frame to the world's.
    pub rotation: Quat,
    /// Of its centre of mass, m/s, and angular, rad/s; in world axes.
    pub velocity: Twist,
}
