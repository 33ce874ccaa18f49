//! The least distance that B must go in a given direction to come free of A: exact.
//!
//! Along a direction, each pair of triangles is in touch over an interval, and a point inside a solid stays
//! inside until its ray leaves it. The bodies are free exactly where no such interval is. So from any place
//! that is not free one can go on to the end of one interval that holds it, and the first free place reached
//! is the least.

use super::interval::last_touch;
use crate::bounds::Bound;
use crate::collide::{Collision, Extent, collide};
use crate::containment::find_inside;
use crate::hierarchy::Hierarchy;
use crate::point::NotFinite;
use crate::ray::{Ray, cast_ray};
use silvia_solid::{Pose, Vec3};

/// How far beyond the end of an interval a place is free, as a fraction of the size of the coordinates: what
/// rounding does to the place of a triangle, several times over.
const MARGIN: f64 = 64.0 * f64::EPSILON;

/// More steps than any direction needs unless the bodies have millions of triangles; a direction that needs
/// more is given up, never taken as free.
const MAX_STEPS: usize = 100_000;

/// Why a separation along a direction could not be found.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlongError {
    /// A NaN or infinite coordinate.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The direction is zero.
    #[error("the direction is zero: give it any other length")]
    NoDirection,
    /// Overlaps without end: the numbers are too far apart in size.
    #[error(
        "no free place was found in {steps} steps: bring the bodies nearer to the origin of their frames"
    )]
    NotFound {
        /// How many there were.
        steps: usize,
    },
}

/// How far B must move along a direction (of any length but zero) until it shares no point with A, m; 0 if
/// they share none now. The result is checked: with B there, [`collide`] finds nothing.
pub fn separation_along<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    direction: Vec3,
) -> Result<f64, AlongError> {
    if !direction.is_finite() {
        return Err(NotFinite { at: direction }.into());
    }
    let scale = direction.abs().max_element();
    if scale == 0.0 {
        return Err(AlongError::NoDirection);
    }
    let direction = (direction / scale).normalize();
    let mut sweep = Sweep::new(a, b, pose_a.inverse().compose(pose_b));
    let free = sweep.least(pose_a.inverse().transform_vector(direction), f64::INFINITY);
    free.ok_or(AlongError::NotFound { steps: MAX_STEPS })
}

/// Two bodies of which the second moves without turning. All in the frame of the first.
pub(crate) struct Sweep<'a, B: Bound> {
    pub(crate) a: &'a Hierarchy<B>,
    pub(crate) b: &'a Hierarchy<B>,
    pub(crate) b_in_a: Pose,
    /// How far beyond touch is free, m.
    pub(crate) margin: f64,
    /// Points of one body (0 for A, 1 for B) inside the other: where they come out bounds the separation from
    /// below.
    pub(crate) inner: Vec<(usize, Vec3)>,
}

impl<'a, B: Bound> Sweep<'a, B> {
    pub(crate) fn new(a: &'a Hierarchy<B>, b: &'a Hierarchy<B>, b_in_a: Pose) -> Sweep<'a, B> {
        let size = a.magnitude + b.magnitude + b_in_a.translation().abs().max_element();
        Sweep { a, b, b_in_a, margin: MARGIN * size, inner: Vec::new() }
    }

    /// Where B is when moved.
    pub(crate) fn moved(&self, by: Vec3) -> Pose {
        let at = self.b_in_a.translation() + by;
        Pose::new(at, self.b_in_a.rotation()).unwrap_or(self.b_in_a)
    }

    /// Whether the bodies share no point when B is moved.
    pub(crate) fn is_free(&self, by: Vec3) -> bool {
        collide(self.a, &Pose::IDENTITY, self.b, &self.moved(by), Extent::Any) == Collision::None
    }

    /// The least free place along a unit vector, unless it is beyond `limit`.
    pub(crate) fn least(&mut self, direction: Vec3, limit: f64) -> Option<f64> {
        let mut s = 0.0;
        for k in 0..self.inner.len() {
            let (of, p) = self.inner[k];
            if let Some(out) = self.way_out(p, of, direction) {
                s = f64::max(s, out);
                if s > limit {
                    // What rules out one direction is likely to rule out the next.
                    self.inner[..=k].rotate_right(1);
                    return None;
                }
            }
        }
        let mut push = self.margin;
        for _ in 0..MAX_STEPS {
            if s > limit {
                return None;
            }
            let Some(end) = self.end_of_overlap(direction, s) else { return Some(s) };
            if end > 0.0 {
                s += end + self.margin;
                push = self.margin;
            } else {
                s += push;
                push *= 2.0;
            }
        }
        None
    }

    /// How much further B can go from a place and still touch A; `None` if it is free there.
    fn end_of_overlap(&self, direction: Vec3, s: f64) -> Option<f64> {
        let pose = self.moved(s * direction);
        match collide(self.a, &Pose::IDENTITY, self.b, &pose, Extent::Any) {
            Collision::None => None,
            Collision::Surfaces(pairs) => {
                let end = |pair: &[silvia_solid::TriangleId; 2]| {
                    let corners = self.a.surface.soup().corners(pair[0].index());
                    let moving = self.b.surface.soup().corners(pair[1].index());
                    last_touch(&corners, &moving.map(|p| pose.transform_point(p)), direction)
                };
                Some(pairs.iter().map(end).fold(0.0, f64::max))
            }
            Collision::FirstInside => {
                let (p, _) = find_inside(self.a, self.b, &pose.inverse())?;
                let out = Ray {
                    origin: p,
                    direction: pose.inverse().transform_vector(-direction),
                    reach: f64::INFINITY,
                };
                Some(cast_ray(self.b, &Pose::IDENTITY, &out).ok().flatten().map_or(0.0, |hit| hit.parameter))
            }
            Collision::SecondInside => {
                let (p, _) = find_inside(self.b, self.a, &pose)?;
                let out = Ray { origin: p, direction, reach: f64::INFINITY };
                Some(cast_ray(self.a, &Pose::IDENTITY, &out).ok().flatten().map_or(0.0, |hit| hit.parameter))
            }
        }
    }

    /// How far B goes until a point of one body that is inside the other comes out.
    fn way_out(&self, p: Vec3, of: usize, direction: Vec3) -> Option<f64> {
        let (body, pose, direction) =
            if of == 0 { (self.b, self.b_in_a, -direction) } else { (self.a, Pose::IDENTITY, direction) };
        let ray = Ray { origin: p, direction, reach: f64::INFINITY };
        cast_ray(body, &pose, &ray).ok().flatten().map(|hit| hit.parameter)
    }
}
