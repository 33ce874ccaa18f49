//! Parts that go together: pegs and holes, bolts and countersinks, dovetails, gears; and brackets to put
//! things on.
//!
//! Like [primitives](crate::primitives), every function gives a closed, outward [`Soup`](crate::Soup), z up,
//! in metres. The two parts of a fit are made in one frame: with both at the same pose they are assembled,
//! with the clearance all around (a peg stands on the floor of its hole, if that has one). A clearance is the
//! distance between two facing flat faces, measured across them; zero is a part that fits exactly. The other
//! solids stand with the middle of their bounding box at the origin.

mod bolt;
mod bore;
mod brackets;
mod dovetail;
mod gear;
mod peg;

pub use bolt::CountersunkBolt;
pub use brackets::{l_bracket, t_bracket};
pub use dovetail::Dovetail;
pub use gear::Gear;
pub use peg::PegAndHole;

#[cfg(test)]
mod tests;
