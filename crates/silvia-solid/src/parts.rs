//! Parts that fit together (pegs and holes, bolts and countersinks, nuts and screws, screws and
//! screwdrivers, keys, dovetails, snap hooks, gears, the three pieces of a puzzle), brackets and stones.
//!
//! Like [primitives](crate::primitives), every function returns a closed, outward [`Soup`](crate::Soup), z
//! up, in metres. The parts of a fit share a frame: at the same pose they are assembled, with the
//! clearance all around (a peg stands on the floor of its hole, if there is one). A clearance is the distance
//! between two facing flat faces, measured across them; zero means an exact fit. All other parts have the
//! centre of their bounding box at the origin.

mod bolt;
mod bore;
mod brackets;
mod burr;
mod dovetail;
mod gear;
mod key;
mod metric;
mod peg;
mod recess;
mod screw;
mod snap;
mod stone;
mod thread;

pub use bolt::CountersunkBolt;
pub use brackets::{l_bracket, t_bracket};
pub use burr::CrossKeys;
pub use dovetail::Dovetail;
pub use gear::Gear;
pub use key::KeyAndPocket;
pub use metric::{HexBoltAndNut, MetricSize, ThreadFit, UnknownSize};
pub use peg::PegAndHole;
pub use recess::CrossRecess;
pub use screw::ScrewAndNut;
pub use snap::SnapHook;
pub use stone::RoughStone;

#[cfg(test)]
mod tests;
