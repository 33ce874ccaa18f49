//! Two shapes that are not both meshes, advanced from gap to gap: convex ones by the quadratic of the
//! [module](super::super), along the direction between their nearest points; the others by the distance over
//! the greatest speed at which any two points come nearer.

use super::super::advance::not_after;
use super::super::body::ANGLE_ROUNDING;
use super::super::rigid::Rigid;
use super::super::sweep::first_zero;
use super::super::{ImpactError, ImpactOptions};
use crate::shape::{Shape, ShapeDistance, collide, distance};
use silvia_solid::{Pose, Vec3};

/// Two shapes on their ways, or a piece of each.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) shapes: [&'a Shape; 2],
    pub(super) motions: [Rigid; 2],
    radii: [f64; 2],
    /// How fast any two points that matter come nearer at most, m over the interval.
    pub(super) speed: f64,
    /// Of the coordinates, m.
    pub(super) size: f64,
    pub(super) separation: f64,
    /// What is nearer than this beyond the separation touches, m.
    pub(super) tolerance: f64,
    /// What the distance and the supports may lack, m.
    pub(super) slack: f64,
}

/// How an advance ended; times are fractions of the interval.
pub(super) enum Advance {
    /// They touch at a time, to the tolerance, and not before.
    Touch(f64, ShapeDistance),
    /// They do not touch by the limit.
    Free,
    /// The budget is spent; free until a time.
    Spent(f64),
}

impl<'a> Pair<'a> {
    pub(super) fn new(
        pair: [(&'a Shape, Rigid); 2],
        options: &ImpactOptions,
    ) -> Result<Pair<'a>, ImpactError> {
        let (shapes, motions) = (pair.map(|p| p.0), pair.map(|p| p.1));
        let reaches = shapes.map(moved_reach);
        let mut radii = [0, 1].map(|i| motions[i].radius(reaches[i]));
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let mut size = 0.0;
        for (i, motion) in motions.iter().enumerate() {
            let ends = [0.0, 1.0].map(|t| motion.pose(t).translation().length());
            if let Shape::Cavity(cavity) = shapes[i] {
                size += cavity.radius();
            }
            size += finite(reaches[i]) + ends[0].max(ends[1]) + motion.swing();
        }
        // What goes on for ever and turns counts only as far out as the other one comes: seen from it, the
        // other moves.
        for i in 0..2 {
            if radii[i].is_infinite() {
                let [own, other] = [motions[i], motions[1 - i]];
                let between = [0.0, 1.0]
                    .map(|t| own.pivot(t).distance(other.start.translation() + t * other.turn.travel));
                radii[i] = between[0].max(between[1]) + other.swing() + reaches[1 - i];
            }
        }
        let apart = motions[1].turn.travel - motions[0].turn.travel;
        let speed = apart.length() + (0..2).map(|i| motions[i].turn.angle * radii[i]).sum::<f64>();
        const FARTHEST: f64 = 1e100;
        if size.is_nan() || size > FARTHEST || speed.is_nan() || speed > FARTHEST {
            return Err(if radii.contains(&f64::INFINITY) {
                ImpactError::Unbounded
            } else {
                ImpactError::TooFar { reach: size }
            });
        }
        /// What the distance of shapes is known to, as a fraction of the coordinates, and ten times as much.
        const KNOWN: f64 = 1e-12;
        let turned: f64 = (0..2).map(|i| ANGLE_ROUNDING * motions[i].turn.angle * radii[i]).sum();
        const LEAST_TOLERANCE: f64 = 1e-11;
        Ok(Pair {
            shapes,
            motions,
            radii,
            speed,
            size,
            separation: options.separation,
            tolerance: options.tolerance.max(LEAST_TOLERANCE * size + 8.0 * turned),
            slack: KNOWN * size + turned,
        })
    }

    /// Pieces of these shapes, at poses in their frames. What is known of the whole holds for them; what
    /// touches of the whole does so of some piece, however the distances are rounded.
    pub(super) fn of_pieces<'p>(&self, pieces: [(&'p Shape, Pose); 2]) -> Pair<'p> {
        Pair {
            shapes: pieces.map(|p| p.0),
            motions: [0, 1].map(|i| self.motions[i].carried(pieces[i].1)),
            radii: self.radii,
            tolerance: self.tolerance + 2.0 * self.slack,
            ..*self
        }
    }

    /// The first touch from `from` until `limit`, going from gap to gap; `is_spent` is asked before each.
    pub(super) fn advance(&self, from: f64, limit: f64, mut is_spent: impl FnMut() -> bool) -> Advance {
        let (mut time, mut step) = (from, 1.0);
        loop {
            if is_spent() {
                return Advance::Spent(time);
            }
            let near = self.near(time);
            if near.upper <= self.separation + self.tolerance {
                return Advance::Touch(time, near);
            }
            if time >= 1.0 || time > limit {
                return Advance::Free;
            }
            let end = (time + step).min(1.0);
            let normal = (near.points[1] - near.points[0]) / near.upper;
            // The shapes are certainly apart by the tolerance, which is more than the lower bound may lack.
            let sure = (near.lower - self.separation - self.slack) / self.speed;
            let gained = self.free_for(normal, time, end).max(sure);
            let next = not_after(time, gained);
            if gained >= end - time {
                time = end.max(next).min(1.0);
                step *= 4.0;
            } else if next > time {
                time = next;
                step = step.min(4.0 * gained);
            } else {
                // Times are too coarse for this speed to tell more.
                return Advance::Touch(time, near);
            }
        }
    }

    /// How near they are at a time.
    pub(super) fn near(&self, time: f64) -> ShapeDistance {
        let ([a, b], poses) = (self.shapes, self.poses(time));
        distance(a, &poses[0], b, &poses[1])
    }

    pub(super) fn poses(&self, time: f64) -> [Pose; 2] {
        self.motions.map(|m| m.pose(time))
    }

    /// For how long after `time` they are free, if not until `end`, by planes across a direction; 0 if these
    /// tell nothing.
    fn free_for(&self, normal: Vec3, time: f64, end: f64) -> f64 {
        if self.shapes.iter().any(|shape| matches!(shape, Shape::Cavity(_))) {
            return self.free_in_cavity_for(time, end);
        }
        let Some(normal) = self.direction(normal, time) else { return 0.0 };
        let margin = self.separation + self.slack;
        let gap = |t: f64| Some(self.height(1, -normal, t)? - self.height(0, normal, t)? - margin);
        let (Some(first), Some(last)) = (gap(time), gap(end)) else { return 0.0 };
        if first <= 0.0 {
            return 0.0;
        }
        let bend: f64 = (0..2)
            .map(|i| {
                let angle = self.motions[i].turn.angle * (end - time);
                let across = normal.cross(self.motions[i].turn.axis).length();
                0.125 * angle * angle * self.radii[i] * across * (1.0 + 1e-12)
            })
            .sum();
        let s = first_zero(first, last, bend);
        if s.is_infinite() { end - time } else { s * (end - time) }
    }

    /// The same with a cavity. Were the centre and the points of the other to go straight, the gap would be a
    /// concave function of time; what they leave their straight ways by is taken off.
    fn free_in_cavity_for(&self, time: f64, end: f64) -> f64 {
        let margin = self.separation + self.slack;
        let gap = |t: f64| Some(self.gap_in_cavity(t)? - margin);
        let (Some(first), Some(last)) = (gap(time), gap(end)) else { return 0.0 };
        if first <= 0.0 {
            return 0.0;
        }
        let bend: f64 = (0..2)
            .map(|i| {
                let angle = self.motions[i].turn.angle * (end - time);
                0.125 * angle * angle * self.radii[i] * (1.0 + 1e-12)
            })
            .sum();
        let s = first_zero(first, last, bend);
        if s.is_infinite() { end - time } else { s * (end - time) }
    }

    /// Negative where the other is in the material; `None` if that is unbounded.
    fn gap_in_cavity(&self, time: f64) -> Option<f64> {
        let ([a, b], poses) = (self.shapes, self.poses(time));
        let found = if let Shape::Cavity(cavity) = a {
            cavity.clearance(b, &poses[0].inverse().compose(&poses[1]))
        } else if let Shape::Cavity(cavity) = b {
            cavity.clearance(a, &poses[1].inverse().compose(&poses[0]))
        } else {
            None
        };
        found.map(|found| found.gap)
    }

    /// The direction to use: that across a half-space which does not turn, else the given one.
    fn direction(&self, normal: Vec3, time: f64) -> Option<Vec3> {
        for i in 0..2 {
            if let Shape::HalfSpace(space) = self.shapes[i] {
                let out = self.motions[i].pose(time).transform_vector(space.plane().normal);
                let out = if i == 0 { out } else { -out };
                return (self.motions[i].turn.angle == 0.0).then_some(out);
            }
        }
        Some(normal)
    }

    /// How far the extreme point of a shape in a direction is along the first shape's normal: of the first
    /// its highest, of the second its lowest point. `None` if that does not bound it.
    fn height(&self, i: usize, direction: Vec3, time: f64) -> Option<f64> {
        let pose = self.motions[i].pose(time);
        let sign = if i == 0 { 1.0 } else { -1.0 };
        match self.shapes[i] {
            Shape::HalfSpace(space) => {
                let plane = space.plane();
                let point = pose.transform_point(plane.normal * plane.offset);
                Some(sign * point.dot(direction))
            }
            Shape::Cavity(_) => None,
            shape @ (Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_)) => {
                let local = pose.rotation().conjugate() * direction;
                Some(sign * pose.transform_point(shape.support(local)?).dot(direction))
            }
        }
    }

    /// A time shortly after `time`, at which they are apart by `gap`, when they touch fully; none if they
    /// only graze.
    pub(super) fn touch_after(&self, time: f64, gap: f64) -> Option<f64> {
        if gap <= self.separation {
            return Some(time);
        }
        // Each look goes twice as far as the one before, the first as far as the greatest speed says.
        const LOOKS: i32 = 24;
        let first = (gap - self.separation + self.slack) / self.speed;
        let looks = (0..LOOKS).map(|i| time + first * f64::from(1u32 << i));
        looks.take_while(|&t| t <= 1.0).find(|&t| {
            let ([a, b], poses) = (self.shapes, self.poses(t));
            if self.separation == 0.0 {
                collide(a, &poses[0], b, &poses[1])
            } else {
                self.near(t).upper <= self.separation
            }
        })
    }
}

/// How far from its frame a shape has points whose motion matters, m. Of a cavity only its centre does: it
/// looks the same however it turns.
fn moved_reach(shape: &Shape) -> f64 {
    if let Shape::Cavity(_) = shape { 0.0 } else { shape.reach() }
}
