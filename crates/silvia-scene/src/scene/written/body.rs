//! Bodies, and what moves them.

use super::WrittenShape;
use super::quantity::{Angle, Density, Force, Length, Mass, Moment, Speed, Spin, Time, Torque};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body, or a row, grid or ring of equal ones.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "body")]
pub struct WrittenBody {
    /// No two bodies have the same; the kind of its shape with a number if nothing is said. Copies have a
    /// number after it: `box 1`, `box 2`.
    pub name: Option<String>,
    /// What it is.
    #[serde(flatten)]
    pub shape: WrittenShape,
    /// What decides how it moves; `free` if nothing is said, `scripted` with a `script`, `held` with a
    /// `hand`.
    pub role: Option<Role>,
    /// Where its frame is; at the origin if nothing is said.
    pub position: Option<[Length; 3]>,
    /// How its frame is turned; not at all if nothing is said.
    pub rotation: Option<Rotation>,
    /// The same all over the body; 1000 kg/m³ if neither this nor `mass` nor `inertia` is given.
    pub density: Option<Density>,
    /// Spread evenly over the body's volume.
    pub mass: Option<Mass>,
    /// Mass, centre of mass and moments of inertia, whatever the shape says.
    pub inertia: Option<Inertia>,
    /// Of its centre of mass, at the beginning, along the axes of the world. For bodies that are free or
    /// held.
    pub velocity: Option<[Speed; 3]>,
    /// Angular velocity at the beginning, along the axes of the world. For bodies that are free or held.
    pub spin: Option<[Spin; 3]>,
    /// The name of a material; `default` if nothing is said.
    pub material: Option<String>,
    /// In pictures: `#rrggbb` or three numbers from 0 to 255.
    pub colour: Option<Colour>,
    /// Names of groups that it is in; it is in all if nothing is said.
    pub groups: Option<Vec<String>>,
    /// Names of groups whose bodies it touches, if they touch it too; it touches all if nothing is said.
    pub meets: Option<Vec<String>>,
    /// Whether it touches anything at all; `true` if nothing is said.
    pub active: Option<bool>,
    /// Forces and torques on it. They act while it is free.
    pub load: Vec<Load>,
    /// Where it goes, whatever it meets.
    pub script: Option<Script>,
    /// How the hand moves that holds it.
    pub hand: Option<Hand>,
    /// Copies of it, each moved on from the one before.
    pub row: Option<Row>,
    /// Copies of it along x, y and z.
    pub grid: Option<Grid>,
    /// Copies of it, each turned on about an axis from the one before.
    pub ring: Option<Ring>,
}

/// What decides how a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "role")]
pub enum Role {
    /// Forces and contacts move it.
    Free,
    /// Nothing moves it.
    Fixed,
    /// A hand moves it, but contacts stop it or let it slide.
    Held,
    /// It goes its own way, whatever it meets.
    Scripted,
}

/// How something is turned: an `axis` with an `angle`, or angles about `x`, `y` and `z`, or a `quaternion`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "rotation")]
pub struct Rotation {
    /// To turn about, of any length; together with `angle`.
    pub axis: Option<[f64; 3]>,
    /// By how much to turn about `axis`, counter-clockwise as seen from its tip.
    pub angle: Option<Angle>,
    /// Turns about the x axis of the world, before those about y and z.
    pub x: Option<Angle>,
    /// Turns about the y axis of the world, after x and before z.
    pub y: Option<Angle>,
    /// Turns about the z axis of the world, after those about x and y.
    pub z: Option<Angle>,
    /// A quaternion of length 1, the real part first: w, x, y, z.
    pub quaternion: Option<[f64; 4]>,
}

/// A shape at a place, of a compound.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "placed")]
pub struct Placed {
    /// What it is.
    #[serde(flatten)]
    pub shape: WrittenShape,
    /// Where its frame is in that of the whole; at the origin if nothing is said.
    pub position: Option<[Length; 3]>,
    /// How its frame is turned in that of the whole; not at all if nothing is said.
    pub rotation: Option<Rotation>,
}

/// Mass, centre of mass and moments of inertia.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "inertia")]
pub struct Inertia {
    /// Above 0.
    pub mass: Mass,
    /// Centre of mass in the body's frame; its origin if nothing is said.
    pub centre: Option<[Length; 3]>,
    /// About axes through the centre of mass, parallel to x, y and z of the body's frame: xx, yy, zz.
    pub moments: [Moment; 3],
    /// Off the diagonal of the matrix of inertia: xy, xz, yz; 0 if nothing is said.
    pub products: Option<[Moment; 3]>,
}

/// In pictures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "colour")]
pub enum Colour {
    /// `#rrggbb`, as in web pages.
    Hex(String),
    /// Red, green and blue from 0 to 255.
    Rgb([u8; 3]),
}

/// A force or a torque on a body: give one of both.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "load")]
pub struct Load {
    /// Along the axes of the world.
    pub force: Option<[Force; 3]>,
    /// Along the axes of the world.
    pub torque: Option<[Torque; 3]>,
    /// Where the force acts, in the body's frame; at its centre of mass if nothing is said.
    pub at: Option<[Length; 3]>,
    /// Whether its axes are those of the body and turn with it; `false` if nothing is said.
    pub turning: Option<bool>,
    /// It acts from the first time to the second; always if nothing is said.
    pub between: Option<[Time; 2]>,
    /// Multiplied by a factor over time: pairs of a time and a factor, linear between them, constant before
    /// the first and after the last.
    pub table: Option<Vec<(Time, f64)>>,
}

/// Where a scripted body goes: a constant velocity, or poses.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "script")]
pub struct Script {
    /// Of the origin of its frame, along the axes of the world, from `position` on.
    pub velocity: Option<[Speed; 3]>,
    /// Angular velocity, along the axes of the world, from `rotation` on.
    pub spin: Option<[Spin; 3]>,
    /// Through these; before the first and after the last it rests. The body has no `position` and `rotation`
    /// of its own then.
    pub poses: Option<Vec<TimedPose>>,
}

/// How a hand moves: velocities from certain times on, or poses to be at. Contacts may keep the body from
/// getting there.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "hand")]
pub struct Hand {
    /// Each from its time on; before the first the hand does not move.
    pub velocities: Option<Vec<TimedVelocity>>,
    /// The way from each to the next is made at a constant velocity of the centre of mass and a constant
    /// angular one; outside their times the hand does not move. The body begins at the first and has no
    /// `position` and `rotation` of its own.
    pub poses: Option<Vec<TimedPose>>,
}

/// Where a frame is at a time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "timed-pose")]
pub struct TimedPose {
    /// Later than the one before.
    pub time: Time,
    /// At the origin if nothing is said.
    pub position: Option<[Length; 3]>,
    /// Not at all if nothing is said.
    pub rotation: Option<Rotation>,
}

/// How a hand moves from a time on.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "timed-velocity")]
pub struct TimedVelocity {
    /// Later than the one before.
    pub time: Time,
    /// Of the body's centre of mass, along the axes of the world; 0 if nothing is said.
    pub velocity: Option<[Speed; 3]>,
    /// Angular velocity, along the axes of the world; 0 if nothing is said.
    pub spin: Option<[Spin; 3]>,
}

/// Copies, each moved on from the one before.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "row")]
pub struct Row {
    /// How many bodies there are in all.
    pub count: usize,
    /// From one to the next.
    pub by: [Length; 3],
}

/// Copies along x, y and z.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "grid")]
pub struct Grid {
    /// How many there are along x, y and z. They are numbered along x first.
    pub counts: [usize; 3],
    /// From one to the next along x, y and z.
    pub by: [Length; 3],
}

/// Copies, each turned on about an axis from the one before, its velocity with it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "ring")]
pub struct Ring {
    /// How many bodies there are in all.
    pub count: usize,
    /// By how much to turn from one to the next; a whole turn divided by `count` if nothing is said.
    pub angle: Option<Angle>,
    /// Of any length; along z if nothing is said.
    pub axis: Option<[f64; 3]>,
    /// A point of the axis; the origin if nothing is said.
    pub centre: Option<[Length; 3]>,
}
