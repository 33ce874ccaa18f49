//! A judge of recorded motion: do bodies penetrate each other at any state, or pass through each other
//! between two?
//!
//! Whoever makes motion (a world, another engine, a file) is checked by code that it does not use itself:
//! this crate takes the bare data of [`Shape`](silvia_proximity::Shape) and the exact predicates of
//! `silvia-solid`, and none of the queries of `silvia-proximity`. It is made to be plain, not to be fast.
//!
//! # What depth is
//! Let `s(x)` be how far a point is below the surface of a body, m: positive inside, negative outside. The
//! **depth** of two bodies is the greatest `s_a(x) + s_b(x)` of any point that both have in common. Two balls
//! or two parallel faces that overlap by `d` have depth `d`, and so has a corner that is `d` below a face.
//! Two convex edges that cross have somewhat less than the shortest translation that parts them, never more.
//! Of meshes it is looked for where one surface is inside the other, and at a point well within each. What
//! has no inside (points, segments, triangles, soups) has `s ≤ 0`; where two such surfaces cross, the depth
//! is how far an edge reaches through: the least of how far its two ends are from the other's plane.
//!
//! # What a crossing is
//! Between two states, vertices of flat-faced bodies go on straight lines. Where one body of a pair is smooth
//! (or a half-space), both move rigidly: the centre ([`Checker::centre`]) on a straight line, turning at a
//! constant rate. A pair crosses if at any time in between it overlaps by more than [`TOUCHING`] of the
//! smaller one's size, or passes to the other side. That it does not is proven: by planes that move with the
//! bodies and keep them apart, over spans of time that are halved until one is found. What could not be
//! decided is counted.
//!
//! # Limits
//! - Depths are right to about 1e-10 of the size, or to 1e-6 of themselves if that is more. Of surfaces that
//!   all but coincide, and of meshes deep in each other, the depth is that of the deepest point found within
//!   a budget: never too large.
//! - Surfaces without thickness that touch at a state and go on to the other side after it are not seen to
//!   cross; whatever has a volume overlaps then, and is.
//! - Two half-spaces are not looked at, nor are parts of one body among themselves.
//!
//! ```
//! use silvia_check::Checker;
//! use silvia_proximity::Shape;
//! use silvia_solid::{Pose, Vec3};
//!
//! let sheet = Shape::cuboid(Vec3::new(1.0, 1.0, 1e-3))?;
//! let bullet = Shape::sphere(0.01)?;
//! let mut checker = Checker::new([("sheet".to_owned(), sheet), ("bullet".to_owned(), bullet)])?;
//! let at = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z));
//! checker.state(0.0, &[Pose::IDENTITY, at(0.5)?])?;
//! checker.state(1e-3, &[Pose::IDENTITY, at(-0.5)?])?;
//!
//! let verdict = checker.verdict();
//! assert_eq!(verdict.depth(), 0.0); // apart at both states
//! assert_eq!(verdict.crossings[0].names, ["sheet", "bullet"]); // but not between them
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axes;
mod body;
mod checker;
mod crossing;
mod depth;
mod error;
mod largest;
mod mesh;
mod mesh_depth;
mod moving;
mod nearest;
mod pair;
mod piece;
mod refine;
mod signed;
mod tree;
mod verdict;

pub use checker::Checker;
pub use crossing::TOUCHING;
pub use error::CheckError;
pub use verdict::{Crossing, Penetration, Verdict};
