//! A judge of recorded motion: do bodies penetrate each other at any state, or pass through each other
//! between two states?
//!
//! The checker shares no code with the engine whose motion it judges (a world, another engine, a file). It
//! uses only the data of [`Shape`](silvia_proximity::Shape) and the exact predicates of `silvia-solid`, and
//! none of the queries of `silvia-proximity`. It is built to be simple, not fast.
//!
//! # What depth is
//! Let `s(x)` be the signed depth of a point below the surface of a body, m: positive inside, negative
//! outside. The **depth** of two bodies is the greatest `s_a(x) + s_b(x)` over the points they have in
//! common. Two balls or two parallel faces that overlap by `d` have depth `d`, and so does a corner that is
//! `d` below a face. For two convex edges that cross, the depth is somewhat less than the shortest separating
//! translation, never more. For meshes it is searched where one surface is inside the other, and at a point
//! well inside each. Shapes without an inside (points, segments, triangles, soups) have `s ≤ 0`. Where two
//! such surfaces cross, the depth is how far an edge reaches through: the smaller distance of its two ends
//! from the other's plane.
//!
//! # What a crossing is
//! Between two states, points of bodies move on straight lines: vertices, the middles of balls and
//! cavities, the ends of axes. Cylinders, cones and capsules keep their radius meanwhile. A half-space
//! moves rigidly: its centre ([`Checker::centre`]) on a straight line, turning at a constant rate. A pair
//! crosses if at any time in between it overlaps by more than [`TOUCHING`] of the smaller body's size, or
//! one body passes through the other. The checker proves that a pair does not cross: it finds separating
//! planes that move with the bodies, over spans of time that it halves until it finds one. Undecided cases
//! are counted.
//!
//! # Limits
//! - Depths are accurate to about 1e-10 of the size, or to 1e-6 of themselves if that is more. For surfaces
//!   that nearly coincide, and for meshes deep inside each other, the depth is that of the deepest point
//!   found within a budget: never too large.
//! - Surfaces without thickness that touch at a state and then go on to the other side are not seen to cross.
//!   Bodies with volume overlap then, and are seen.
//! - Two half-spaces are not checked against each other, nor are parts of the same body.
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
mod cavity;
mod checker;
mod crossing;
mod depth;
mod ellipsoid;
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
