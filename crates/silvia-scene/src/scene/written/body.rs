//! Bodies and their motion.

use super::WrittenShape;
use super::quantity::{Angle, Density, Force, Length, Mass, Moment, Speed, Spin, Time, Torque};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body, or a row, grid or ring of equal bodies.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "body")]
pub struct WrittenBody {
    /// Unique name; by default the kind of its shape with a number. Copies have a number after it: `box 1`,
    /// `box 2`.
    pub name: Option<String>,
    /// Its shape.
    #[serde(flatten)]
    pub shape: WrittenShape,
    /// How the body moves: by default `scripted` with a `script`, `held` with a `hand`, otherwise `free`.
    pub role: Option<Role>,
    /// Position of its frame; by default the origin.
    pub position: Option<[Length; 3]>,
    /// Rotation of its frame; none by default.
    pub rotation: Option<Rotation>,
    /// Uniform density; 1000 kg/m³ if neither this nor `mass` nor `inertia` is given.
    pub density: Option<Density>,
    /// Mass, spread evenly over the body's volume.
    pub mass: Option<Mass>,
    /// Mass, centre of mass and moments of inertia, in place of those of the shape.
    pub inertia: Option<Inertia>,
    /// Initial velocity of the centre of mass, along the axes of the world. For free and held bodies.
    pub velocity: Option<[Speed; 3]>,
    /// Initial angular velocity, along the axes of the world. For free and held bodies.
    pub spin: Option<[Spin; 3]>,
    /// Name of a material; `default` if none is given.
    pub material: Option<String>,
    /// Colour in pictures: `#rrggbb` or three numbers from 0 to 255.
    pub colour: Option<Colour>,
    /// Names of the groups it belongs to; by default all.
    pub groups: Option<Vec<String>>,
    /// Names of the groups it collides with, if they collide with it too; by default all.
    pub meets: Option<Vec<String>>,
    /// Whether it collides with anything at all; `true` by default.
    pub active: Option<bool>,
    /// Forces and torques on it. They act while it is free.
    pub load: Vec<Load>,
    /// Its prescribed motion, whatever it meets.
    pub script: Option<Script>,
    /// The motion of the hand that holds it.
    pub hand: Option<Hand>,
    /// Copies, each shifted from the one before.
    pub row: Option<Row>,
    /// Copies along x, y and z.
    pub grid: Option<Grid>,
    /// Copies, each turned about an axis from the one before.
    pub ring: Option<Ring>,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "role")]
pub enum Role {
    /// Forces and contacts move it.
    Free,
    /// It never moves.
    Fixed,
    /// A hand moves it, but contacts stop it or let it slide.
    Held,
    /// It follows a prescribed motion, whatever it meets.
    Scripted,
}

/// A rotation: an `axis` with an `angle`, or angles about `x`, `y` and `z`, or a `quaternion`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "rotation")]
pub struct Rotation {
    /// Axis of rotation, of any length; together with `angle`.
    pub axis: Option<[f64; 3]>,
    /// Angle about `axis`, counter-clockwise seen from its tip.
    pub angle: Option<Angle>,
    /// Angle about the x axis of the world, applied before y and z.
    pub x: Option<Angle>,
    /// Angle about the y axis of the world, applied after x and before z.
    pub y: Option<Angle>,
    /// Angle about the z axis of the world, applied after x and y.
    pub z: Option<Angle>,
    /// A quaternion of length 1, the real part first: w, x, y, z.
    pub quaternion: Option<[f64; 4]>,
}

/// A shape of a compound, at its place.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "placed")]
pub struct Placed {
    /// Its shape.
    #[serde(flatten)]
    pub shape: WrittenShape,
    /// Position of its frame in the compound's frame; by default the origin.
    pub position: Option<[Length; 3]>,
    /// Rotation of its frame in the compound's frame; none by default.
    pub rotation: Option<Rotation>,
}

/// Mass, centre of mass and moments of inertia.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "inertia")]
pub struct Inertia {
    /// Mass, above 0.
    pub mass: Mass,
    /// Centre of mass in the body's frame; by default the origin.
    pub centre: Option<[Length; 3]>,
    /// Moments of inertia about axes through the centre of mass, parallel to x, y and z of the body's frame:
    /// xx, yy, zz.
    pub moments: [Moment; 3],
    /// Off-diagonal entries of the inertia matrix: xy, xz, yz; 0 by default.
    pub products: Option<[Moment; 3]>,
}

/// A colour in pictures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "colour")]
pub enum Colour {
    /// `#rrggbb`, as in web pages.
    Hex(String),
    /// Red, green and blue from 0 to 255.
    Rgb([u8; 3]),
}

/// A force or a torque on a body: give one of the two.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "load")]
pub struct Load {
    /// Force, along the axes of the world.
    pub force: Option<[Force; 3]>,
    /// Torque, along the axes of the world.
    pub torque: Option<[Torque; 3]>,
    /// Where the force acts, in the body's frame; by default its centre of mass.
    pub at: Option<[Length; 3]>,
    /// Whether its axes are those of the body and turn with it; `false` by default.
    pub turning: Option<bool>,
    /// The first and last time at which it acts; by default always.
    pub between: Option<[Time; 2]>,
    /// A factor over time, as pairs of a time and a factor: linear in between, constant before the first and
    /// after the last.
    pub table: Option<Vec<(Time, f64)>>,
}

/// The motion of a scripted body: a constant velocity, or poses.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "script")]
pub struct Script {
    /// Velocity of the origin of its frame, along the axes of the world, starting at `position`.
    pub velocity: Option<[Speed; 3]>,
    /// Angular velocity, along the axes of the world, starting at `rotation`.
    pub spin: Option<[Spin; 3]>,
    /// Poses to pass through; it rests before the first and after the last. The body then has no `position`
    /// and `rotation` of its own.
    pub poses: Option<Vec<TimedPose>>,
}

/// The motion of a hand: velocities from given times on, or poses to reach. Contacts may keep the body from
/// getting there.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "hand")]
pub struct Hand {
    /// Velocities, each from its time on; before the first the hand does not move.
    pub velocities: Option<Vec<TimedVelocity>>,
    /// Poses to reach, each from the one before at a constant velocity of the centre of mass and a constant
    /// angular velocity; outside their times the hand does not move. The body begins at the first pose and
    /// has no `position` and `rotation` of its own.
    pub poses: Option<Vec<TimedPose>>,
}

/// The pose of a frame at a time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "timed-pose")]
pub struct TimedPose {
    /// Time, later than the one before.
    pub time: Time,
    /// Position; by default the origin.
    pub position: Option<[Length; 3]>,
    /// Rotation; none by default.
    pub rotation: Option<Rotation>,
}

/// The velocity of a hand from a time on.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "timed-velocity")]
pub struct TimedVelocity {
    /// Time, later than the one before.
    pub time: Time,
    /// Velocity of the body's centre of mass, along the axes of the world; 0 by default.
    pub velocity: Option<[Speed; 3]>,
    /// Angular velocity, along the axes of the world; 0 by default.
    pub spin: Option<[Spin; 3]>,
}

/// Copies, each shifted from the one before.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "row")]
pub struct Row {
    /// Total number of bodies.
    pub count: usize,
    /// Shift from one to the next.
    pub by: [Length; 3],
}

/// Copies along x, y and z.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "grid")]
pub struct Grid {
    /// Number of bodies along x, y and z. They are numbered along x first.
    pub counts: [usize; 3],
    /// Spacing along x, y and z.
    pub by: [Length; 3],
}

/// Copies, each turned about an axis from the one before, together with its velocity.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "ring")]
pub struct Ring {
    /// Total number of bodies.
    pub count: usize,
    /// Angle from one to the next; by default a full turn divided by `count`.
    pub angle: Option<Angle>,
    /// Axis of rotation, of any length; z by default.
    pub axis: Option<[f64; 3]>,
    /// A point on the axis; by default the origin.
    pub centre: Option<[Length; 3]>,
}
