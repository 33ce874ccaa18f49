//! Hands: springs and dampers that pull a body towards where it is wanted.
//!
//! A *virtual coupling* (Colgate, Stanley and Brown, 1995): between a point of the body, the *grip*, and
//! where the grip is wanted act springs and dampers in six directions, up to a largest force and torque.
//! The body stays free, with its mass; contacts stop it as they stop any other, and what the hand then feels
//! is how far it is held back, times the stiffness.
//!
//! Spring and damper are taken at the end of a piece, by its velocity `u` ([`pull`]): backward Euler, which
//! never adds energy, however stiff the springs and long the step. In `u` they are linear, so that they are
//! part of the mass matrix of the body (Baraff and Witkin 1998), and contact forces are found with them.

mod bytes;
mod pull;

pub(crate) use pull::{Hold, Shares, Span, hold, pulls};

use crate::script::{Anchor, Script, ScriptError};
use silvia_contact::Twist;
use silvia_solid::{Pose, Remedy, Vec3};
use thiserror::Error;

/// Names a hand of a world; never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandId(pub(crate) u32);

impl From<HandId> for u32 {
    /// Its number: how many bodies had been taken in hand before.
    fn from(id: HandId) -> u32 {
        id.0
    }
}

impl From<u32> for HandId {
    fn from(number: u32) -> HandId {
        HandId(number)
    }
}

/// A hand that pulls a body: springs and dampers between a point of the body and where that is wanted.
///
/// [`World::take`](crate::World::take) lets it hold a free body, [`World::release`](crate::World::release)
/// lets go. Several hands may hold bodies, or one.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_solid::{Pose, Vec3};
/// use silvia_world::{BodyBuilder, Hand, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// let ball = world.add(BodyBuilder::free(Shape::sphere(0.05)?).mass(0.3))?;
/// // 200 N/m along the axes of the world, 1 N m/rad about them, at most 5 N.
/// let hand = world.take(ball, Hand::new(200.0, 1.0).with_most_force(5.0))?;
/// world.move_hand(hand, Pose::from_translation(Vec3::new(0.1, 0.0, 0.0))?)?;
/// for _ in 0..1000 {
///     world.step(1e-3)?;
/// }
/// assert!((world.pose(ball)?.translation().x - 0.1).abs() < 1e-6);
/// world.release(hand)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// In the body's frame.
    grip: Pose,
    /// N/m and N m/rad, along and about the axes of the target.
    stiffness: Twist,
    damping: Damping,
    /// N and N m.
    most: [f64; 2],
    /// N and N m, along and about the axes of the target.
    push: Twist,
    bears_weight: bool,
    /// Where the body's frame is wanted; by default where it was taken.
    target: Option<Script>,
    anchor: Anchor,
    /// When it begins and ends to pull, s.
    between: [f64; 2],
}

/// Of dampers beside springs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damping {
    /// Of critical damping of the body held alone, in each direction.
    Ratio(f64),
    /// N s/m and N m s/rad.
    Given(Twist),
}

/// Why a hand was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum HandError {
    /// A number that is negative, NaN or infinite.
    Number {
        /// "stiffness", "damping" and so on.
        what: &'static str,
        /// As given.
        given: f64,
    },
    /// An end that is not after the beginning.
    Window {
        /// When it was to begin to pull, s.
        from: f64,
        /// When it was to end, s.
        to: f64,
    },
    /// A way of the target that is none.
    Target(ScriptError),
}

impl Remedy for HandError {
    fn what(&self) -> String {
        match self {
            HandError::Number { what, given } => format!("the {what} of the hand is {given}"),
            HandError::Window { from, to } => format!("the hand pulls from {from} s to {to} s"),
            HandError::Target(error) => error.what(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            HandError::Number { what: "push", .. } => "it must be finite".to_owned(),
            HandError::Number { .. } => "it must be 0 or more, and finite".to_owned(),
            HandError::Window { .. } => "give an end after the beginning".to_owned(),
            HandError::Target(error) => error.remedy(),
        }
    }
}

impl Hand {
    /// A hand of equal stiffness in all directions, N/m, and about all axes, N m/rad. It grips the origin of
    /// the body's frame, is critically damped, bears the weight, and is as strong as it takes.
    pub fn new(stiffness: f64, turning_stiffness: f64) -> Hand {
        Hand {
            grip: Pose::IDENTITY,
            stiffness: Twist { linear: Vec3::splat(stiffness), angular: Vec3::splat(turning_stiffness) },
            damping: Damping::Ratio(1.0),
            most: [f64::INFINITY; 2],
            push: Twist::default(),
            bears_weight: true,
            target: None,
            anchor: Anchor { time: 0.0, pose: Pose::IDENTITY },
            between: [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// Another stiffness along each axis of the target, N/m, and about it, N m/rad. Where it is 0 nothing
    /// pulls, and the hand gives the force of [`Hand::with_push`] instead of a place.
    #[must_use]
    pub fn with_stiffness(mut self, stiffness: Twist) -> Hand {
        self.stiffness = stiffness;
        self
    }

    /// Dampers along the axes of the target, N s/m and N m s/rad, in place of those of a ratio.
    #[must_use]
    pub fn with_damping(mut self, damping: Twist) -> Hand {
        self.damping = Damping::Given(damping);
        self
    }

    /// Dampers by their ratio to critical damping of the body held alone: 1 by default; below that the body
    /// swings.
    #[must_use]
    pub fn with_damping_ratio(mut self, ratio: f64) -> Hand {
        self.damping = Damping::Ratio(ratio);
        self
    }

    /// Where it grips, the centre of compliance, and the axes of its springs there: in the body's frame.
    #[must_use]
    pub fn with_grip(mut self, grip: Pose) -> Hand {
        self.grip = grip;
        self
    }

    /// The largest force of its springs and dampers together with its push, N.
    #[must_use]
    pub fn with_most_force(mut self, force: f64) -> Hand {
        self.most[0] = force;
        self
    }

    /// The largest torque of the same about the grip, N m.
    #[must_use]
    pub fn with_most_torque(mut self, torque: f64) -> Hand {
        self.most[1] = torque;
        self
    }

    /// A force, N, and a torque, N m, that it gives besides, along and about the axes of the target.
    #[must_use]
    pub fn with_push(mut self, push: Twist) -> Hand {
        self.push = push;
        self
    }

    /// Whether it bears the weight of the body (the default), by a force at its centre of mass that is not
    /// part of the force told of the hand.
    #[must_use]
    pub fn with_weight(mut self, bears_weight: bool) -> Hand {
        self.bears_weight = bears_weight;
        self
    }

    /// The way that the body's frame is wanted to go; by default it is wanted where it was taken. A script of
    /// constant velocity begins there, too.
    #[must_use]
    pub fn with_target(mut self, target: Script) -> Hand {
        self.target = Some(target);
        self
    }

    /// When it begins and ends to pull, s: always by default. A step in which it does is one as a whole.
    #[must_use]
    pub fn between(mut self, from: f64, to: f64) -> Hand {
        self.between = [from, to];
        self
    }

    /// Where it grips, in the body's frame.
    pub fn grip(&self) -> Pose {
        self.grip
    }

    /// N/m and N m/rad, along and about the axes of the target.
    pub fn stiffness(&self) -> Twist {
        self.stiffness
    }

    /// Whether it bears the weight of the body.
    pub fn bears_weight(&self) -> bool {
        self.bears_weight
    }

    /// Its push, N and N m.
    pub fn push(&self) -> Twist {
        self.push
    }

    /// Whether it pulls at a time, s.
    pub(crate) fn acts_at(&self, time: f64) -> bool {
        let [from, to] = self.between;
        from <= time && time <= to
    }

    /// Where it wants the body's frame at a time, s.
    pub(crate) fn target_at(&self, time: f64, later: f64) -> Pose {
        self.target.as_ref().map_or(self.anchor.pose, |script| script.after(&self.anchor, time, later).0)
    }

    /// Wants the body elsewhere from a time on, s: on a way from where the target is then.
    pub(crate) fn go(&mut self, target: Option<Script>, anchor: Anchor) {
        (self.target, self.anchor) = (target, anchor);
    }

    pub(crate) fn set_push(&mut self, push: Twist) {
        self.push = push;
    }

    /// Whether it takes the body from where it is.
    pub(crate) fn anchor_at(&mut self, anchor: Anchor) {
        self.anchor = anchor;
    }

    pub(crate) fn check(&self) -> Result<(), HandError> {
        let parts = |twist: Twist| twist.linear.to_array().into_iter().chain(twist.angular.to_array());
        let refuse = |what, given| Err(HandError::Number { what, given });
        if let Some(given) = parts(self.stiffness).find(|k| !(*k >= 0.0 && k.is_finite())) {
            return refuse("stiffness", given);
        }
        let dampers = match self.damping {
            Damping::Ratio(ratio) => Twist { linear: Vec3::splat(ratio), angular: Vec3::ZERO },
            Damping::Given(damping) => damping,
        };
        if let Some(given) = parts(dampers).find(|d| !(*d >= 0.0 && d.is_finite())) {
            return refuse("damping", given);
        }
        if let Some(given) = parts(self.push).find(|push| !push.is_finite()) {
            return refuse("push", given);
        }
        for (what, given) in [("largest force", self.most[0]), ("largest torque", self.most[1])] {
            if given.is_nan() || given < 0.0 {
                return refuse(what, given);
            }
        }
        let [from, to] = self.between;
        if from.is_nan() || to.is_nan() || from >= to {
            return Err(HandError::Window { from, to });
        }
        self.target.as_ref().map_or(Ok(()), Script::check).map_err(HandError::Target)
    }
}

/// What a hand did over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandRecord {
    /// Which hand.
    pub hand: HandId,
    /// The body that it holds.
    pub body: crate::BodyId,
    /// Its mean force on the body, N, along the axes of the world; without what bears the weight.
    pub force: Vec3,
    /// Its mean torque about the grip, N m, along the axes of the world.
    pub torque: Vec3,
    /// Where the grip was at the end, m.
    pub at: Vec3,
    /// Whether its largest force, and its largest torque, limited it.
    pub is_limited: [bool; 2],
}

#[cfg(test)]
mod tests;
