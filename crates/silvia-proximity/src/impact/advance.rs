//! Pairs of triangles that turn, or that must keep a separation: advancing from gap to gap, never past a
//! touch.
//!
//! At each time the closest points give a direction; along it the gap is bounded over a step to a later time
//! from its values at both (see the [module](super)). The length of the step follows what the last one
//! gained, so that the steps shrink quadratically towards a touch and grow again behind a near miss.

use super::ImpactContact;
use super::body::Body;
use super::course::Course;
use super::sweep::first_zero;
use crate::bounds::Bound;
use crate::feature::Feature;
use crate::triangle::{TrianglePair, triangle_distance};
use silvia_solid::{TriangleId, Vec3};
use std::time::Instant;

/// A triangle of each body, as their positions in the leaves.
pub(super) struct Approach<'c, 'a, B: Bound> {
    course: &'c Course<'a, B>,
    triangles: [usize; 2],
    /// How far each turns from its axis at most, m.
    radii: [f64; 2],
    /// The axes in the common frame.
    axes: [Vec3; 2],
    /// How fast any two points come nearer at most, m over the interval.
    speed: f64,
}

impl<'c, 'a, B: Bound> Approach<'c, 'a, B> {
    #[inline(always)]
    pub(super) fn new(course: &'c Course<'a, B>, triangles: [usize; 2]) -> Approach<'c, 'a, B> {
        let [a, b] = &course.bodies;
        let bodies = [(a, triangles[0]), (b, triangles[1])];
        let radii = bodies.map(|(body, t)| {
            if body.axis.angle() == 0.0 {
                return 0.0;
            }
            body.start.triangles[t].corners.iter().map(|&p| body.axis.distance(p)).fold(0.0, f64::max)
        });
        let axes = bodies.map(|(body, _)| body.motion.start.matrix() * body.axis.direction());
        // Turning bodies: the ways of the pivots, and the turning. Others: the ways of the corners.
        let travel = |body: &Body<'_, B>, t: usize| match body.motion.turn {
            Some(turn) if body.axis.angle() > 0.0 => turn.travel.length(),
            _ => {
                let [from, to] = body.corners_at_ends(t);
                (0..3).map(|k| from[k].distance(to[k])).fold(0.0, f64::max)
            }
        };
        let speed = travel(a, triangles[0])
            + travel(b, triangles[1])
            + radii[0] * a.axis.angle()
            + radii[1] * b.axis.angle();
        Approach { course, triangles, radii, axes, speed }
    }

    /// The first touch from `from` until `to`, or until `limit` if that is earlier: then there may be one
    /// later. `Err` if the deadline came first.
    #[inline(always)]
    pub(super) fn first_touch(
        &self,
        from: f64,
        to: f64,
        limit: f64,
        watch: &mut Watch,
    ) -> Result<Option<ImpactContact>, Late> {
        let reach = self.course.separation + self.course.tolerance;
        let (mut time, mut step) = (from, to - from);
        loop {
            if watch.is_over(1) {
                return Err(Late);
            }
            let corners = self.corners(time);
            let pair = triangle_distance(&corners[0], &corners[1]);
            let distance = pair.distance_squared.sqrt();
            if distance <= reach {
                return Ok(Some(self.contact(time, &pair, distance)));
            }
            if time >= to || time > limit {
                return Ok(None);
            }
            let normal = (pair.points[1] - pair.points[0]) / distance;
            let end = (time + step).min(to);
            // What any direction gives, however far rounding has put it from the best.
            let sure = (distance - self.course.separation - self.course.slack) / self.speed;
            let gained = self.free_for(&corners, normal, time, end).max(sure);
            let next = not_after(time, gained);
            if gained >= end - time {
                time = end.max(next).min(to);
                step *= 4.0;
            } else if next > time {
                time = next;
                step = step.min(4.0 * gained);
            } else {
                // Times are too coarse for this speed to tell more.
                return Ok(Some(self.contact(time, &pair, distance)));
            }
        }
    }

    /// For how long after `time` they are free, along a unit vector, if not until `end`.
    #[inline(always)]
    fn free_for(&self, corners: &[[Vec3; 3]; 2], normal: Vec3, time: f64, end: f64) -> f64 {
        let margin = self.course.separation + self.course.slack;
        let first = gap(corners, normal) - margin;
        if first <= 0.0 {
            return 0.0;
        }
        let last = gap(&self.corners(end), normal) - margin;
        let bend = (0..2)
            .map(|i| {
                self.course.bodies[i].axis.bend(end - time)
                    * self.radii[i]
                    * normal.cross(self.axes[i]).length()
            })
            .sum::<f64>();
        // The cross product is right to rounding.
        let s = first_zero(first, last, bend * (1.0 + 1e-12));
        if s.is_infinite() { end - time } else { s * (end - time) }
    }

    /// They touch at `time` to within the tolerance. Looks a little further for a time at which they do so
    /// fully.
    #[cold]
    fn contact(&self, time: f64, pair: &TrianglePair, distance: f64) -> ImpactContact {
        let separation = self.course.separation;
        let mut upper = time;
        if distance > separation {
            // The first look goes as far as the closing speed says, each further one four times as far. The
            // speed is that of the last moments before: so near to each other the direction between the
            // triangles is mostly rounding.
            const LOOKS: i32 = 8;
            const LAST_MOMENTS: f64 = 1e-7;
            let last = LAST_MOMENTS.min(time);
            let before = self.corners(time - last);
            let closing = triangle_distance(&before[0], &before[1]).distance_squared.sqrt() - distance;
            let needed = (distance - separation + self.course.slack) / closing * last;
            if last > 0.0 && closing > 0.0 && needed.is_finite() {
                let later = (0..LOOKS).map(|i| time + needed * 4.0f64.powi(i)).take_while(|&t| t <= 1.0);
                upper = later
                    .into_iter()
                    .find(|&t| {
                        let corners = self.corners(t);
                        let pair = triangle_distance(&corners[0], &corners[1]);
                        // It may be a neighbour that goes on where this one touches with its border.
                        pair.distance_squared.sqrt() <= separation || self.course.touches_at(t)
                    })
                    .unwrap_or(time);
            }
        }
        let [a, b] = &self.course.bodies;
        let ids = [a.start.triangles[self.triangles[0]].id, b.start.triangles[self.triangles[1]].id];
        let surfaces = [&a.start.surface, &b.start.surface];
        ImpactContact {
            lower: time,
            upper,
            features: [0, 1].map(|i| Feature::of(surfaces[i], ids[i], pair.features[i])),
            triangles: ids.map(TriangleId),
            points: pair.points,
            normal: (pair.points[1] - pair.points[0]).normalize_or_zero(),
            gap: distance,
        }
    }

    #[inline(always)]
    fn corners(&self, time: f64) -> [[Vec3; 3]; 2] {
        let [a, b] = &self.course.bodies;
        [a.corners_at(time, self.triangles[0]), b.corners_at(time, self.triangles[1])]
    }
}

/// The deadline has come.
pub(super) struct Late;

/// Looks at the clock from time to time.
pub(super) struct Watch {
    deadline: Option<Instant>,
    /// How much work to do until the next look.
    until_look: u64,
}

impl Watch {
    pub(super) fn new(deadline: Option<Instant>) -> Watch {
        Watch { deadline, until_look: 0 }
    }

    /// Whether the deadline has come, given what has been done since the last call: nodes opened, triangles
    /// tested, steps.
    #[inline(always)]
    pub(super) fn is_over(&mut self, work: u64) -> bool {
        /// Some microseconds of work.
        const BETWEEN_LOOKS: u64 = 32;
        let Some(deadline) = self.deadline else { return false };
        if let Some(left) = self.until_look.checked_sub(work) {
            self.until_look = left;
            return false;
        }
        let is_over = Instant::now() >= deadline;
        // Once over, over at every further look.
        self.until_look = if is_over { 0 } else { BETWEEN_LOOKS };
        is_over
    }
}

/// A time at most `gained` after another, rounded down; the other itself or an earlier one if rounding leaves
/// nothing.
#[inline(always)]
pub(super) fn not_after(time: f64, gained: f64) -> f64 {
    (time + gained * (1.0 - 4.0 * f64::EPSILON)).next_down()
}

/// How far the second triangle is beyond the first along a direction, m.
#[inline(always)]
fn gap(corners: &[[Vec3; 3]; 2], normal: Vec3) -> f64 {
    let heights = corners.map(|c| c.map(|p| p.dot(normal)));
    let above = heights[0].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    heights[1].iter().copied().fold(f64::INFINITY, f64::min) - above
}
