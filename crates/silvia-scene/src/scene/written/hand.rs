//! Hands with springs, and goals.

use super::Rotation;
use super::body::TimedPose;
use super::quantity::{
    Angle, Damping, Force, Length, Speed, Spin, Stiffness, Time, Torque, TurningDamping, TurningStiffness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number for all three axes, or one for each.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "one-or-three-{Q}")]
pub enum OneOrThree<Q> {
    /// The same along, or about, all axes.
    One(Q),
    /// Along, or about, x, y and z.
    Three([Q; 3]),
}

/// A hand that pulls a free body by springs and dampers towards where it wants it; contacts stop the body as
/// any other. Several may hold one body. The springs act at the grip, along and about the axes of where it is
/// wanted. Without `poses`, `path`, `velocity` and `spin` the body is wanted where it begins.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "hand-with-springs")]
pub struct WrittenHand {
    /// The name of the body that it holds, which is free.
    pub body: String,
    /// Stiffness of its springs: a number, or three along the axes; 0 where only a force is wanted.
    pub stiffness: OneOrThree<Stiffness>,
    /// Stiffness against turning: a number, or three about the axes; 0 where only a torque is wanted.
    pub turning_stiffness: OneOrThree<TurningStiffness>,
    /// Damping by its ratio to critical damping of the body held alone; 1 by default.
    pub damping_ratio: Option<f64>,
    /// Damping along the axes, in place of that ratio; together with `turning_damping`.
    pub damping: Option<OneOrThree<Damping>>,
    /// Damping about the axes; together with `damping`.
    pub turning_damping: Option<OneOrThree<TurningDamping>>,
    /// Where it grips in the body's frame, the centre of compliance; by default the origin.
    pub grip: Option<[Length; 3]>,
    /// How the axes of its springs are turned against those of the body's frame; not at all by default.
    pub grip_rotation: Option<Rotation>,
    /// The largest force of springs, dampers and push together; by default none.
    pub most_force: Option<Force>,
    /// The largest torque about the grip; by default none.
    pub most_torque: Option<Torque>,
    /// A force that it gives besides, along the axes of its springs.
    pub push: Option<[Force; 3]>,
    /// A torque that it gives besides, about the axes of its springs.
    pub twist: Option<[Torque; 3]>,
    /// Whether it bears the weight of the body; `true` by default.
    pub bears_weight: Option<bool>,
    /// The first and last time at which it pulls; by default always.
    pub between: Option<[Time; 2]>,
    /// Poses of the body's frame that it wants at given times, on straight lines in between; it stays at the
    /// first before, and at the last after.
    pub poses: Option<Vec<TimedPose>>,
    /// The same from a CSV file in the scene's folder or below: time, x, y, z, and if given the quaternion
    /// w, x, y, z, in the units of the scene.
    pub path: Option<String>,
    /// A constant velocity of the origin of the frame that it wants, from where the body begins.
    pub velocity: Option<[Speed; 3]>,
    /// A constant angular velocity that it wants, from how the body begins.
    pub spin: Option<[Spin; 3]>,
    /// A search besides: round and round, in the plane across the z axis of the wanted frame.
    pub spiral: Option<Spiral>,
    /// A search besides: a tilt whose direction goes round the z axis of the wanted frame, about the grip.
    pub wiggle: Option<Wiggle>,
}

/// Outwards on a spiral, and back.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "spiral")]
pub struct Spiral {
    /// How far out it goes, halfway through.
    pub radius: Length,
    /// Number of turns, out and back.
    pub turns: f64,
    /// When it begins and ends.
    pub between: [Time; 2],
}

/// A tilt that goes round.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "wiggle")]
pub struct Wiggle {
    /// The tilt; it grows in the first quarter of the time and dies away in the last.
    pub angle: Angle,
    /// How often its direction goes round.
    pub turns: f64,
    /// When it begins and ends.
    pub between: [Time; 2],
}

/// What a run is to reach: all that is said of a body, at one time. A run succeeds if each of its goals is
/// reached at some time, not necessarily the same.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "goal")]
pub struct WrittenGoal {
    /// The name of a body.
    pub body: String,
    /// Where `point` is to be; together with `within`.
    pub position: Option<[Length; 3]>,
    /// How far from `position` is near enough.
    pub within: Option<Length>,
    /// How the body is to be turned; together with `within_angle`.
    pub rotation: Option<Rotation>,
    /// By what angle the rotation may be off.
    pub within_angle: Option<Angle>,
    /// How far `point` is to be from `from`, along `along`.
    pub depth: Option<Length>,
    /// The direction in which depth is measured, of any length; down by default: [0, 0, -1].
    pub along: Option<[f64; 3]>,
    /// Where depth is measured from; by default the origin of the world.
    pub from: Option<[Length; 3]>,
    /// A point of the body, in its frame; by default the origin.
    pub point: Option<[Length; 3]>,
    /// No point of the body is to be faster.
    pub slower_than: Option<Speed>,
    /// The force with which its hands are to hold it, at least.
    pub force: Option<Force>,
    /// The torque with which its hands are to hold it, at least; about their grips.
    pub torque: Option<Torque>,
    /// The latest time; by default the end of the run.
    pub by: Option<Time>,
}
