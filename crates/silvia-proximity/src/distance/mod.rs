//! The distance of two bodies, by branch and bound over their hierarchies (paper 1 §2.4).
//!
//! A pair of bounds is opened as long as it may hold something nearer than the nearest pair of triangles so
//! far. *Greedy* goes into the nearest child first; *best first* always opens the pair with the least bound,
//! which opens fewest but must keep them sorted. Either can be stopped at any moment: all pairs not yet
//! opened together bound the distance from below.

mod buckets;
mod cache;
mod frontier;
mod search;

pub use cache::DistanceCache;

use crate::bounds::Bound;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::hierarchy::Hierarchy;
use crate::lanes::with_simd;
use frontier::{BestFirst, Greedy};
use search::DistanceSearch;
use silvia_solid::{Pose, TriangleId, Vec3};
use std::time::{Duration, Instant};

/// Which pair of bounds to open next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Depth first, the nearest child first.
    Greedy,
    /// The pair with the least lower bound, or one very near it.
    #[default]
    BestFirst,
}

/// How precise the distance must be, and what it may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// Which pair to open next.
    pub strategy: Strategy,
    /// Stop when the upper bound exceeds the lower by no more than this fraction of itself.
    pub relative_tolerance: f64,
    /// Stop when the upper bound exceeds the lower by no more than this, m.
    pub absolute_tolerance: f64,
    /// Stop when the distance is known to be at least this, m. The lower bound then reaches it.
    pub cutoff: f64,
    /// Stop after this time with the bounds reached so far.
    pub deadline: Option<Duration>,
    /// Stop after opening this many nodes, with the bounds reached so far.
    pub max_visits: Option<u64>,
}

impl Default for DistanceOptions {
    /// The exact distance, however long it takes.
    fn default() -> Self {
        DistanceOptions {
            strategy: Strategy::default(),
            relative_tolerance: 0.0,
            absolute_tolerance: 0.0,
            cutoff: f64::INFINITY,
            deadline: None,
            max_visits: None,
        }
    }
}

/// Why options for a distance are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DistanceError {
    /// A negative or NaN tolerance or cut-off.
    #[error("the {name} must be a number of at least 0, not {given}")]
    NotPositive {
        /// Which one.
        name: &'static str,
        /// As given.
        given: f64,
    },
}

/// What is known about the distance of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// The distance is at least this, m.
    pub lower: f64,
    /// The distance is at most this, m: it is the distance of the witness.
    pub upper: f64,
    /// Whether the bounds are equal, so that the distance is known to rounding. It is 0 if the bodies share a
    /// point.
    pub exact: bool,
    /// The nearest points found. If one body is inside the other, both are the same point of the inner body's
    /// surface.
    pub witness: Witness,
    /// How many nodes were opened.
    pub visits: u64,
    /// How many pairs of triangles were measured.
    pub triangle_tests: u64,
}

/// A near pair of points, one on each body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Witness {
    /// On the first and the second body, in the frame in which the poses were given, m.
    pub points: [Vec3; 2],
    /// The triangles they lie on.
    pub triangles: [TriangleId; 2],
    /// The features they lie on.
    pub features: [Feature; 2],
}

/// The distance of two bodies.
///
/// A solid is filled: the distance of a solid inside another is 0. A soup is its triangles alone.
///
/// ```
/// use silvia_proximity::bounds::Obb;
/// use silvia_proximity::mesh::{DistanceOptions, Hierarchy, distance};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
/// let ball = Solid::from_soup(&primitives::sphere(1.0, 20)?)?;
/// let ball: Hierarchy<Obb> = Hierarchy::new(ball);
/// let aside = Pose::from_translation(Vec3::new(3.0, 0.0, 0.0))?;
/// let answer = distance(&ball, &Pose::IDENTITY, &ball, &aside, &DistanceOptions::default())?;
/// assert!(answer.exact && (answer.upper - 1.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    options: &DistanceOptions,
) -> Result<Distance, DistanceError> {
    options.check()?;
    let start = Instant::now();
    let duo = Duo::new(a, pose_a, b, pose_b);
    // One arm a strategy, so that each is compiled for its own frontier.
    let answer = with_simd(
        #[inline(always)]
        || match options.strategy {
            Strategy::Greedy => DistanceSearch::new(&duo, options, |_, _| Greedy::default(), start).run(),
            Strategy::BestFirst => DistanceSearch::new(&duo, options, BestFirst::between, start).run(),
        },
    );
    Ok(answer)
}

impl DistanceOptions {
    pub(crate) fn check(&self) -> Result<(), DistanceError> {
        for (name, given) in [
            ("relative tolerance", self.relative_tolerance),
            ("absolute tolerance", self.absolute_tolerance),
            ("cut-off", self.cutoff),
        ] {
            if given.is_nan() || given < 0.0 {
                return Err(DistanceError::NotPositive { name, given });
            }
        }
        Ok(())
    }
}
