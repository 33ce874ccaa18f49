//! Whether parts can be assembled, and how.
//!
//! [`assemble`] takes parts at their goal, the first of which stays where it is, and takes them apart: a part
//! that can leave the others leaves them, then the next. Reversed, that is a way to put them together. Two
//! methods look for the way of a part, both from the goal outwards:
//!
//! 1. **Pushes** (after Tian et al., *Assemble Them All*, 2022): a hand without a will of its own pushes and
//!    twists the part in a [`World`](silvia_world::World) without gravity and friction, and contacts guide
//!    it. So a nut screws itself off its thread. Where a push ends, all pushes are tried again.
//! 2. **Trees** (LaValle's rapidly exploring random trees, with retraction): placements drawn at random,
//!    moved out of contact by the shortest way where they overlap, joined by motions that an exact test has
//!    found free.
//!
//! A way that was found is proved: each leg of it is tested again, exactly: every vertex goes straight, and
//! nothing is touched. That no way was found proves nothing, but where parts overlap at their goal: then none
//! can be.
//!
//! ```
//! use silvia_fit::{Answer, FitOptions, Part, assemble};
//! use silvia_proximity::Shape;
//! use silvia_solid::{Pose, Solid, parts::PegAndHole};
//!
//! let fit = PegAndHole { facets: 6, ..PegAndHole::default() };
//! let part = |name: &str, soup| -> Result<Part, Box<dyn std::error::Error>> {
//!     Ok(Part::new(name, Shape::solid(Solid::from_soup(&soup)?), Pose::IDENTITY))
//! };
//! let parts = [part("block", fit.block()?)?, part("peg", fit.peg()?)?];
//! let Answer::Assembled(assembly) = assemble(&parts, &FitOptions::default(), |_| ())? else {
//!     return Err("a peg fits its hole".into());
//! };
//! // Out of the hole and back into it, along its axis.
//! let way = &assembly.moves[0].path;
//! assert!(way[0].translation().z.abs() > 0.03 && way[way.len() - 1].translation().length() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod assemble;
mod legs;
mod metric;
mod narrow;
mod options;
mod park;
mod part;
mod push;
mod pusher;
mod pushing;
mod random;
mod trees;

pub use answer::{Answer, Assembly, Blocked, Move, Narrow, Overlapping, Stop};
pub use assemble::assemble;
pub use options::{FitOptions, Method, Progress};
pub use park::Timeline;
pub use part::{FitError, Part};
pub use push::Push;
