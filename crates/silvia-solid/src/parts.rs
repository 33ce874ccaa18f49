//! Parts that fit together (pegs and holes, bolts and countersinks, dovetails, gears) and brackets.
//!
//! Like [primitives](crate::primitives), every function returns a closed, outward [`Soup`](crate::Soup), z
//! up, in metres. The two parts of a fit share a frame: at the same pose they are assembled, with the
//! clearance all around (a peg stands on the floor of its hole, if there is one). A clearance is the distance
//! between two facing flat faces, measured across them; zero means an exact fit. All other parts have the
//! centre of their bounding box at the origin.

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
