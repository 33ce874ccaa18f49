//! When two bodies in motion first touch (paper 1 §2.3; rigid motion beyond it).
//!
//! Along a fixed direction the gap between two pieces whose points move linearly is at least the straight
//! line between the gap at the start and that at the end of a span of time. Where bodies turn, a point at
//! distance ρ from the axis leaves the straight line by no more than ρ φ² / 8 over a span in which the body
//! turns by φ. So two placements of a pair of bounds tell until when they are free: to second order, for any
//! length of the span, without sampling. Pairs are opened in the order of that time; what turns too far for
//! its size is halved in time instead of in space.
//!
//! Pairs of triangles are decided exactly ([`crate::elementary`]) if all vertices move on straight lines,
//! else by the same bound, advancing from gap to gap.

mod advance;
mod body;
mod course;
mod exact;
mod motion;
mod moving;
mod rigid;
mod search;
pub(crate) mod shapes;
pub(crate) mod sweep;

pub(crate) use exact::Triangles;
pub use motion::{Motion, MotionError};
pub(crate) use moving::Travel;
pub use moving::{Deforming, Moving};

use crate::bounds::Bound;
use crate::collide::{Collision, Extent, collide};
use crate::containment::find_inside;
use crate::duo::Pair;
use crate::feature::Feature;
use crate::hierarchy::Hierarchy;
use crate::lanes::with_simd;
use crate::penetration::{Penetration, PenetrationOptions, penetration};
use crate::point::point_distance;
use course::Course;
use search::{Ended, ImpactSearch};
use silvia_solid::{Pose, TriangleId, Vec3};
use std::time::{Duration, Instant};

/// The interval, how near is too near, how much to find, and what it may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOptions {
    /// When the motions start and end, in any unit: times in the answer are in this interval.
    pub interval: [f64; 2],
    /// Bodies touch when they are no further apart than this, m.
    pub separation: f64,
    /// Of bodies that turn as rigid ones, or with a separation: what is nearer than this beyond it touches,
    /// m. Below [`ImpactOptions::LEAST_TOLERANCE`] of the size of the coordinates it counts as that. Vertices
    /// on straight lines need none.
    pub tolerance: f64,
    /// Also find what touches at most this long after the first touch, in the unit of the interval; infinite
    /// for all that touches at any time.
    pub band: f64,
    /// Stop after this time with what is known. Looked at every few microseconds, save where a static test of
    /// the bodies at the start or one round of the search for a depth is under way.
    pub deadline: Option<Duration>,
    /// Stop after opening this many nodes with what is known.
    pub max_visits: Option<u64>,
    /// Of bodies that overlap at the start: also find how deep, which can take longer than all the rest. With
    /// a deadline only as far as there is time: see [`Impact::is_complete`].
    pub depth: bool,
}

impl ImpactOptions {
    /// The least tolerance, as a fraction of the size of the coordinates: two orders above what rounding does
    /// to them.
    pub const LEAST_TOLERANCE: f64 = 1e-13;
}

impl Default for ImpactOptions {
    /// The first touch in the interval from 0 to 1, however long it takes.
    fn default() -> Self {
        ImpactOptions {
            interval: [0.0, 1.0],
            separation: 0.0,
            tolerance: 0.0,
            band: 0.0,
            deadline: None,
            max_visits: None,
            depth: false,
        }
    }
}

/// Options or motions that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// An interval that ends before it starts, has no length, or is not finite.
    #[error("the interval from {start} to {end} is not one: give two finite times, the earlier first")]
    Interval {
        /// As given.
        start: f64,
        /// As given.
        end: f64,
    },
    /// A negative or NaN length or time.
    #[error("the {name} must be a number of at least 0, not {given}")]
    NotPositive {
        /// Which one.
        name: &'static str,
        /// As given.
        given: f64,
    },
    /// Coordinates so large that their squares are not finite.
    #[error(
        "the bodies reach {reach:e} m from the origin, beyond what can be computed with: use smaller units"
    )]
    TooFar {
        /// How far their farthest point is from the origin, m.
        reach: f64,
    },
    /// One body turns rigidly and the other is bent by moving its vertices on straight lines.
    #[error(
        "one body turns as a rigid one and the other moves its vertices on straight lines: give both motions \
         as linear, or both as rigid"
    )]
    Mixed,
    /// A smooth shape cannot move its vertices on straight lines.
    #[error("a shape that turns cannot move its vertices on straight lines: give a rigid motion or a screw")]
    Bent,
    /// Shapes that both go on for ever, one of them turning: they touch wherever they are.
    #[error(
        "two half-spaces of which one turns meet far away at once: nothing can be said of their first touch"
    )]
    Unbounded,
}

/// What is known about the first touch of two moving bodies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Impact {
    /// What happens.
    pub outcome: Outcome,
    /// From the start until this time the bodies are certainly further apart than the separation; the start
    /// itself if they touch there.
    pub lower: f64,
    /// A time at which they certainly touch; `None` if they do not, or none has been found yet.
    pub upper: Option<f64>,
    /// What touches, the earliest first; all that touch within the band if the answer is complete. The first
    /// one's bracket begins at `lower`, or later if the outcome is [`Outcome::Spent`].
    pub contacts: Vec<ImpactContact>,
    /// How to take bodies apart that overlap at the start, if asked for.
    pub penetration: Option<Penetration>,
    /// Whether all that was asked for is there. `false` if the deadline or the budget was spent before: then
    /// there may be more contacts, more triangles that meet at the start, or a shorter way apart than the one
    /// given.
    pub is_complete: bool,
    /// How many nodes were opened.
    pub visits: u64,
    /// How many pairs of triangles were tested.
    pub triangle_tests: u64,
}

/// What happens in an interval.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// They do not touch.
    Free,
    /// They touch first between `lower` and `upper`.
    Impact,
    /// They touch at the start: so much is known without any motion. [`Collision::None`] if they only come
    /// nearer than the separation.
    AtStart(Collision),
    /// The deadline or the budget is spent: free until `lower`, not known further. `contacts` has what has
    /// been found to touch from then on, and lacks the rest.
    Spent,
}

/// Two features that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ImpactContact {
    /// They do not touch before this time.
    pub lower: f64,
    /// They touch at this time.
    pub upper: f64,
    /// Of the first and the second body.
    pub features: [Feature; 2],
    /// The triangles these are on.
    pub triangles: [TriangleId; 2],
    /// Where they touch, on the first and on the second body, m.
    pub points: [Vec3; 2],
    /// A unit vector from the first body to the second; zero where there is none, as between two vertices
    /// that do not move.
    pub normal: Vec3,
    /// Between the points, m: 0, or up to the separation and the tolerance.
    pub gap: f64,
}

/// When two moving bodies first touch. Never late: until [`Impact::lower`] they are free.
///
/// Vertices that move on straight lines are decided exactly, once they have been placed at the start and the
/// end; bodies that turn as rigid ones, and any with a separation, up to the tolerance. A solid is filled:
/// what lies inside it at the start touches it.
///
/// ```
/// use silvia_proximity::bounds::Obb;
/// use silvia_proximity::mesh::{Hierarchy, ImpactOptions, Motion, Moving, time_of_impact};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
/// let cube: Hierarchy<Obb> = Hierarchy::new(Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?);
/// let rest = Motion::still(Pose::IDENTITY);
/// let from = Pose::from_translation(Vec3::new(-5.0, 0.0, 0.0))?;
/// let flight = Motion::linear(from, Pose::from_translation(Vec3::new(5.0, 0.0, 0.0))?);
/// let options = ImpactOptions::default();
/// let impact = time_of_impact(&Moving::new(&cube, &rest), &Moving::new(&cube, &flight), &options)?;
/// assert!(impact.lower <= 0.4 && 0.4 <= impact.upper.unwrap());
/// assert_eq!(impact.contacts[0].normal, -Vec3::X);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact<B: Bound>(
    a: &Moving<'_, B>,
    b: &Moving<'_, B>,
    options: &ImpactOptions,
) -> Result<Impact, ImpactError> {
    options.check()?;
    let deadline = options.deadline.and_then(|d| Instant::now().checked_add(d));
    let (a, b) = (&a.travel(), &b.travel());
    let mut impact = touch_by(a, b, options, 1.0, deadline, (&[Pair::ROOTS], usize::MAX))?;
    if options.depth && matches!(&impact.outcome, Outcome::AtStart(collision) if collision.is_some()) {
        let is_whole;
        (impact.penetration, is_whole) = depth_at_start(a, b, deadline);
        impact.is_complete &= is_whole;
    }
    Ok(impact)
}

/// What touches first by the fraction `latest` of the interval, without depth: `Free` if that comes first.
/// Surfaces touch nowhere but under the pairs of bounds `from`. The options have been checked.
pub(crate) fn touch_by<B: Bound>(
    a: &Travel<'_, B>,
    b: &Travel<'_, B>,
    options: &ImpactOptions,
    latest: f64,
    deadline: Option<Instant>,
    (from, enough): (&[Pair], usize),
) -> Result<Impact, ImpactError> {
    let course = Course::new([a, b], options)?;
    Ok(match inside_at_start(a, b, options.interval[0]) {
        Some(impact) => impact,
        None => {
            let search = ImpactSearch::new(course, options, latest, deadline).until_enough(enough);
            first_touch(search, from, options)
        }
    })
}

/// How to take bodies apart that overlap at the start, and whether all was tried. With a deadline few ways
/// are tried first, and more if there is time for them; none if it has come.
fn depth_at_start<B: Bound>(
    a: &Travel<'_, B>,
    b: &Travel<'_, B>,
    deadline: Option<Instant>,
) -> (Option<Penetration>, bool) {
    let whole = PenetrationOptions::default();
    let poses = [a.motion.start, b.motion.start];
    // The options are in order.
    let depth = |options| penetration(a.start, &poses[0], b.start, &poses[1], &options).ok().flatten();
    let Some(deadline) = deadline else { return (depth(whole), true) };
    // Each round tries about ten times as much as the one before, and takes as much longer.
    let rounds = [
        PenetrationOptions { directions: 0, slides: 0, ..whole },
        PenetrationOptions { directions: whole.directions / 10, slides: 1, ..whole },
        whole,
    ];
    let mut best: Option<Penetration> = None;
    let mut next_takes = Duration::ZERO;
    for options in rounds {
        let start = Instant::now();
        if start + next_takes >= deadline {
            return (best, false);
        }
        // What tries more may still end worse.
        best = [best, depth(options)].into_iter().flatten().min_by(|p, q| p.depth.total_cmp(&q.depth));
        next_takes = 10 * start.elapsed();
    }
    (best, true)
}

/// The first touch of bodies that are not within each other at the start.
fn first_touch<B: Bound>(search: ImpactSearch<'_, B>, from: &[Pair], options: &ImpactOptions) -> Impact {
    let found = with_simd(
        #[inline(always)]
        || search.run(from),
    );
    let clock = Clock(options.interval);
    let [start, end] = options.interval;
    let mut contacts = found.contacts;
    contacts.iter_mut().for_each(|c| (c.lower, c.upper) = (clock.down(c.lower), clock.up(c.upper)));
    let upper = contacts.iter().map(|c| c.upper).min_by(f64::total_cmp);
    let (outcome, lower, upper) = match found.ended {
        Ended::AtStart(pairs) => {
            let collision = if pairs.is_empty() { Collision::None } else { Collision::Surfaces(pairs) };
            (Outcome::AtStart(collision), start, Some(start))
        }
        Ended::Spent(lower) => (Outcome::Spent, clock.down(lower), upper),
        Ended::Done => match contacts.first() {
            Some(first) => (Outcome::Impact, first.lower, upper),
            None => (Outcome::Free, end, None),
        },
    };
    Impact {
        outcome,
        lower,
        upper,
        contacts,
        penetration: None,
        is_complete: found.is_complete,
        visits: found.visits,
        triangle_tests: found.tests,
    }
}

/// If one body lies within the other at the start, away from its surface, says so.
fn inside_at_start<B: Bound>(a: &Travel<'_, B>, b: &Travel<'_, B>, start: f64) -> Option<Impact> {
    let (body_a, body_b) = (a.start, b.start);
    let b_in_a = a.motion.start.inverse().compose(&b.motion.start);
    let may_be = find_inside(body_a, body_b, &b_in_a.inverse()).is_some()
        || find_inside(body_b, body_a, &b_in_a).is_some();
    if !may_be {
        return None;
    }
    // Of bodies whose surfaces meet a point may be inside as well: the search tells where they meet.
    let collision = collide(body_a, &a.motion.start, body_b, &b.motion.start, Extent::Any);
    let is_inside = match collision {
        Collision::FirstInside => is_inside_for_sure(body_a, body_b, &b_in_a.inverse()),
        Collision::SecondInside => is_inside_for_sure(body_b, body_a, &b_in_a),
        Collision::None | Collision::Surfaces(_) => false,
    };
    is_inside.then_some(Impact {
        outcome: Outcome::AtStart(collision),
        lower: start,
        upper: Some(start),
        contacts: Vec::new(),
        penetration: None,
        is_complete: true,
        visits: 0,
        triangle_tests: 0,
    })
}

/// Whether a body that is inside another by a point of it is not just as near to it from outside as rounding
/// can tell: by the first corner that is farther from the surface. Of several pieces the others tell nothing.
fn is_inside_for_sure<B: Bound>(inner: &Hierarchy<B>, outer: &Hierarchy<B>, pose: &Pose) -> bool {
    /// What placing a point in the other's frame can do to its distance, as a fraction of the coordinates.
    const ROUNDING: f64 = 64.0 * f64::EPSILON;
    if inner.pieces.len() > 1 {
        return true;
    }
    let near = ROUNDING * (inner.magnitude + outer.magnitude + pose.translation().length());
    let corners = inner.triangles.iter().flat_map(|t| t.corners);
    let distances =
        corners.filter_map(|p| point_distance(outer, &Pose::IDENTITY, pose.transform_point(p)).ok());
    distances.map(|d| d.distance).find(|d| d.abs() > near).is_none_or(|d| d < 0.0)
}

/// Turns fractions of the interval into times.
struct Clock([f64; 2]);

impl Clock {
    /// A time certainly not after the fraction.
    fn down(&self, fraction: f64) -> f64 {
        self.at(fraction, -1.0)
    }

    /// A time certainly not before the fraction.
    fn up(&self, fraction: f64) -> f64 {
        self.at(fraction, 1.0)
    }

    fn at(&self, fraction: f64, side: f64) -> f64 {
        let [start, end] = self.0;
        if fraction <= 0.0 {
            return start;
        }
        if fraction >= 1.0 {
            return end;
        }
        let length = end - start;
        // Nothing is rounded where the interval is the unit one.
        let rounding =
            if [start, length] == [0.0, 1.0] { 0.0 } else { 2.0 * f64::EPSILON * (start.abs() + length) };
        (start + fraction * length + side * rounding).clamp(start, end)
    }
}

impl ImpactOptions {
    fn check(&self) -> Result<(), ImpactError> {
        let [start, end] = self.interval;
        // Also refuses an interval so long that its length is infinite.
        if !start.is_finite() || !(end - start).is_finite() || end <= start {
            return Err(ImpactError::Interval { start, end });
        }
        for (name, given, may_be_infinite) in [
            ("separation", self.separation, false),
            ("tolerance", self.tolerance, false),
            ("band", self.band, true),
        ] {
            if given.is_nan() || given < 0.0 || (given.is_infinite() && !may_be_infinite) {
                return Err(ImpactError::NotPositive { name, given });
            }
        }
        Ok(())
    }
}
