//! Solids: topology (vertices, edges, faces) on geometry (points, lines, planes).
//!
//! A [`Soup`] is triangles as they come, from a file or a program. A `Solid` is a soup that has been found
//! closed, manifold and outward, with all its adjacencies; it is immutable and cheap to share. Everything here is
//! in SI units, in `f64`, and knows nothing of motion.
//!
//! This crate reads top to bottom like this: [`Soup`] → `check` (what is wrong with it) → `repair` (what you ask
//! to be done about it) → `Solid` → `mass`. `primitives` and `files` make soups; `hull`, `cut` and
//! friends make new ones from old.

mod math;
mod pose;
pub mod primitives;
mod soup;
#[cfg(test)]
mod testing;
mod transform;
pub mod triangulate;

pub use math::{Aabb, Mat3, Plane, Quat, Vec3};
pub use pose::{Pose, PoseError};
pub use soup::{Soup, SoupError};
pub use transform::TransformError;
