//! The content of a scene file: one Rust type per table, one field per key. Their comments are the
//! descriptions in the JSON Schema and in the guide. Only the type of each value is checked here;
//! [`crate::scene::Scene`] checks the rest.

mod body;
mod fits;
mod hand;
mod head;
mod quantity;
mod shape;
mod units;

pub use body::{
    Colour, Grid, Hand, Inertia, Load, Placed, Ring, Role, Rotation, Row, Script, TimedPose, TimedVelocity,
    WrittenBody,
};
pub use fits::{Burr, CrossScrew, HexBolt, Key, Screw, SnapHook, Stone};
pub use hand::{OneOrThree, Spiral, Wiggle, WrittenGoal, WrittenHand};
pub use head::{
    Interactive, Law, Material, Record, Run, Solver, UnitTable, WrittenScene, WrittenView, WrittenWatch,
};
pub use quantity::{
    Acceleration, Angle, Damping, Density, Dimension, Force, Length, Mass, Moment, Powers, Quantity,
    QuantityError, Speed, Spin, Stiffness, Time, Torque, TurningDamping, TurningStiffness, dimension,
};
pub use shape::{
    Bolt, Box, Bracket, Capsule, Cavity, Cone, Cylinder, Dovetail, Ellipsoid, Gear, HalfSpace, Hull, Knot,
    Peg, Prism, Sphere, Torus, WrittenPart, WrittenShape,
};
pub use units::{PlainUnit, Units};
