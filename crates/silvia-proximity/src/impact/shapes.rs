//! When two shapes of any kind, in rigid motion, first touch.
//!
//! Two meshes go the way of their hierarchies. Every other pair is advanced from gap to gap on the distance of the shapes:
//! convex ones by the quadratic of the [module](super), along the direction between their nearest points; the others by the
//! distance over the greatest speed at which any two points come nearer.

use super::advance::not_after;
use super::body::ANGLE_ROUNDING;
use super::motion::Motion;
use super::rigid::Rigid;
use super::sweep::first_zero;
use super::{Clock, ImpactError, ImpactOptions, Moving, Outcome, touch_by};
use crate::feature::Feature;
use crate::shape::{Shape, ShapeDistance, collide, distance};
use silvia_solid::{Pose, Vec3};
use std::time::Instant;

/// What is known about the first touch of two moving shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeImpact {
    /// What happens.
    pub outcome: ShapeOutcome,
    /// From the start until this time the shapes are certainly further apart than the separation.
    pub lower: f64,
    /// A time at which they touch, to the tolerance; `None` if they do not, or it is not known.
    pub upper: Option<f64>,
    /// Where they touch first.
    pub contact: Option<ShapeContact>,
}

/// What happens to two shapes in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeOutcome {
    /// They do not touch.
    Free,
    /// They touch first between `lower` and `upper`.
    Impact,
    /// They touch at the start.
    AtStart,
    /// The deadline or the budget is spent: free until `lower`, not known further.
    Spent,
}

/// Where two shapes touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeContact {
    /// On the first and on the second shape, m.
    pub points: [Vec3; 2],
    /// A unit vector from the first shape to the second; zero if they overlap.
    pub normal: Vec3,
    /// The features that touch, numbered as in [`ShapeDistance`](crate::shape::ShapeDistance).
    pub features: [Option<Feature>; 2],
    /// Of compounds, the numbers of the parts; else 0.
    pub parts: [u32; 2],
    /// Between the points, m.
    pub gap: f64,
}

/// When two shapes in rigid motion first touch, to within the tolerance: of pairs that are not both meshes at least
/// 1e-11 of the size of the coordinates, to which their distance is known. Never late. Neither the band nor the depth is
/// looked at; of the budget, a visit is a measured distance, or an opened node of two meshes.
///
/// ```
/// use silvia_proximity::shape::{Shape, ShapeOutcome, time_of_impact};
/// use silvia_proximity::{ImpactOptions, Motion};
/// use silvia_solid::{Plane, Pose, Vec3};
/// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
/// let ball = Shape::sphere(0.5)?;
/// let rest = Motion::still(Pose::IDENTITY);
/// let fall = Motion::rigid(Pose::from_translation(Vec3::Z * 2.5)?, Pose::from_translation(Vec3::Z * -1.5)?);
/// let impact = time_of_impact(&ground, &rest, &ball, &fall, &ImpactOptions::default())?;
/// assert_eq!(impact.outcome, ShapeOutcome::Impact);
/// assert!(impact.lower <= 0.5 && impact.lower > 0.5 - 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    options: &ImpactOptions,
) -> Result<ShapeImpact, ImpactError> {
    options.check()?;
    let mut search = Search {
        options,
        deadline: options.deadline.and_then(|d| Instant::now().checked_add(d)),
        measured: 0,
        best: Found { lower: 1.0, upper: None, contact: None },
        spent: None,
    };
    let motions = [Rigid::new(motion_a)?, Rigid::new(motion_b)?];
    for (i, part_a) in parts(a).into_iter().enumerate() {
        for (j, part_b) in parts(b).into_iter().enumerate() {
            let pair = [(part_a.0, motions[0].carried(part_a.1)), (part_b.0, motions[1].carried(part_b.1))];
            search.look(pair, [i as u32, j as u32])?;
        }
    }
    Ok(search.answer())
}

struct Search<'a> {
    options: &'a ImpactOptions,
    deadline: Option<Instant>,
    measured: u64,
    /// The earliest touch so far.
    best: Found,
    /// The least time until which a pair is free that was given up.
    spent: Option<f64>,
}

/// A touch, as fractions of the interval.
struct Found {
    lower: f64,
    upper: Option<f64>,
    contact: Option<ShapeContact>,
}

impl Search<'_> {
    /// Looks for an earlier touch of two parts that are no compounds.
    fn look(&mut self, pair: [(&Shape, Rigid); 2], parts: [u32; 2]) -> Result<(), ImpactError> {
        if self.is_spent() {
            self.give_up(0.0);
            return Ok(());
        }
        if let [(Shape::Solid(a) | Shape::Soup(a), _), (Shape::Solid(b) | Shape::Soup(b), _)] = &pair {
            let max_visits = self.options.max_visits.map(|most| most - self.measured);
            let options = ImpactOptions { interval: [0.0, 1.0], band: 0.0, max_visits, ..*self.options };
            let [motion_a, motion_b] = [pair[0].1.motion(), pair[1].1.motion()];
            let impact = touch_by(
                &Moving::new(a.hierarchy(), &motion_a),
                &Moving::new(b.hierarchy(), &motion_b),
                &options,
                self.best.lower,
                self.deadline,
            )?;
            self.measured += impact.visits;
            if impact.outcome == Outcome::Spent {
                self.give_up(impact.lower);
            }
            let contact = impact.contacts.first().map(|c| ShapeContact {
                points: c.points,
                normal: c.normal,
                features: c.features.map(Some),
                parts,
                gap: c.gap,
            });
            if impact.outcome != Outcome::Free && impact.outcome != Outcome::Spent {
                self.keep(Found { lower: impact.lower, upper: impact.upper, contact });
            }
            return Ok(());
        }
        self.advance(&Pair::new(pair, self.options)?, parts);
        Ok(())
    }

    /// Goes from gap to gap.
    fn advance(&mut self, pair: &Pair<'_>, parts: [u32; 2]) {
        let (mut time, mut step) = (0.0, 1.0);
        loop {
            if self.is_spent() {
                return self.give_up(time);
            }
            self.measured += 1;
            let poses = pair.motions.map(|m| m.pose(time));
            let [a, b] = pair.shapes;
            let near = distance(a, &poses[0], b, &poses[1]);
            if near.upper <= pair.separation + pair.tolerance {
                return self.keep(pair.found(time, &near, parts));
            }
            if time >= 1.0 || time > self.best.lower {
                return;
            }
            let end = (time + step).min(1.0);
            let normal = (near.points[1] - near.points[0]) / near.upper;
            // The shapes are certainly apart by the tolerance, which is more than the lower bound may lack.
            let sure = (near.lower - pair.separation - pair.slack) / pair.speed;
            let gained = pair.free_for(normal, time, end).max(sure);
            let next = not_after(time, gained);
            if gained >= end - time {
                time = end.max(next).min(1.0);
                step *= 4.0;
            } else if next > time {
                time = next;
                step = step.min(4.0 * gained);
            } else {
                // Times are too coarse for this speed to tell more.
                return self.keep(pair.found(time, &near, parts));
            }
        }
    }

    fn keep(&mut self, found: Found) {
        if self.best.upper.is_none() || found.lower < self.best.lower {
            self.best = found;
        }
    }

    fn give_up(&mut self, lower: f64) {
        self.spent = Some(self.spent.map_or(lower, |l| l.min(lower)));
    }

    fn is_spent(&self) -> bool {
        self.options.max_visits.is_some_and(|most| self.measured >= most)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn answer(self) -> ShapeImpact {
        let clock = Clock(self.options.interval);
        let [start, end] = self.options.interval;
        let Found { lower, upper, contact } = self.best;
        let spent = self.spent.filter(|&s| upper.is_none() || s < lower);
        let (outcome, lower, upper) = match (spent, upper) {
            (_, Some(0.0)) => (ShapeOutcome::AtStart, start, Some(start)),
            (Some(spent), upper) => (ShapeOutcome::Spent, clock.down(spent), upper.map(|u| clock.up(u))),
            (None, Some(upper)) => (ShapeOutcome::Impact, clock.down(lower), Some(clock.up(upper))),
            (None, None) => (ShapeOutcome::Free, end, None),
        };
        ShapeImpact { outcome, lower, upper, contact }
    }
}

/// Two shapes that are not both meshes, on their ways.
struct Pair<'a> {
    shapes: [&'a Shape; 2],
    motions: [Rigid; 2],
    radii: [f64; 2],
    /// How fast any two points that matter come nearer at most, m over the interval.
    speed: f64,
    separation: f64,
    tolerance: f64,
    /// What the distance and the supports may lack, m.
    slack: f64,
}

impl<'a> Pair<'a> {
    fn new(pair: [(&'a Shape, Rigid); 2], options: &ImpactOptions) -> Result<Pair<'a>, ImpactError> {
        let (shapes, motions) = (pair.map(|p| p.0), pair.map(|p| p.1));
        let reaches = shapes.map(Shape::reach);
        let mut radii = [0, 1].map(|i| motions[i].radius(reaches[i]));
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let mut size = 0.0;
        for (i, motion) in motions.iter().enumerate() {
            let ends = [0.0, 1.0].map(|t| motion.pose(t).translation().length());
            size += finite(reaches[i]) + ends[0].max(ends[1]) + motion.swing();
        }
        // What goes on for ever and turns counts only as far out as the other one comes: seen from it, the other moves.
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
            separation: options.separation,
            tolerance: options.tolerance.max(LEAST_TOLERANCE * size + 8.0 * turned),
            slack: KNOWN * size + turned,
        })
    }

    /// The touch at `time`, at which the nearest points of two parts are known.
    fn found(&self, time: f64, near: &ShapeDistance, parts: [u32; 2]) -> Found {
        let normal = (near.points[1] - near.points[0]).normalize_or_zero();
        let contact = ShapeContact {
            points: near.points,
            normal: if near.upper > 0.0 { normal } else { Vec3::ZERO },
            features: near.features,
            parts,
            gap: near.upper,
        };
        let upper = self.touch_after(time, near.upper).unwrap_or(time);
        Found { lower: time, upper: Some(upper), contact: Some(contact) }
    }

    /// For how long after `time` they are free, if not until `end`, by planes across a direction; 0 if these tell nothing.
    fn free_for(&self, normal: Vec3, time: f64, end: f64) -> f64 {
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

    /// How far the extreme point of a shape in a direction is along the first shape's normal: of the first its highest, of
    /// the second its lowest point. `None` if that does not bound it.
    fn height(&self, i: usize, direction: Vec3, time: f64) -> Option<f64> {
        let pose = self.motions[i].pose(time);
        let sign = if i == 0 { 1.0 } else { -1.0 };
        match self.shapes[i] {
            Shape::HalfSpace(space) => {
                let plane = space.plane();
                let point = pose.transform_point(plane.normal * plane.offset);
                Some(sign * point.dot(direction))
            }
            shape => {
                let local = pose.rotation().conjugate() * direction;
                Some(sign * pose.transform_point(shape.support(local)?).dot(direction))
            }
        }
    }

    /// A time shortly after `time`, at which they are apart by `gap`, when they touch fully; none if they only graze.
    fn touch_after(&self, time: f64, gap: f64) -> Option<f64> {
        if gap <= self.separation {
            return Some(time);
        }
        // Each look goes twice as far as the one before, the first as far as the greatest speed says.
        const LOOKS: i32 = 24;
        let first = (gap - self.separation + self.slack) / self.speed;
        let looks = (0..LOOKS).map(|i| time + first * f64::from(1u32 << i));
        looks.take_while(|&t| t <= 1.0).find(|&t| {
            let poses = self.motions.map(|m| m.pose(t));
            let [a, b] = self.shapes;
            if self.separation == 0.0 {
                collide(a, &poses[0], b, &poses[1])
            } else {
                distance(a, &poses[0], b, &poses[1]).upper <= self.separation
            }
        })
    }
}

/// The parts of a compound and their poses; of any other shape, itself.
fn parts(shape: &Shape) -> Vec<(&Shape, Pose)> {
    match shape {
        Shape::Compound(compound) => compound
            .parts()
            .iter()
            .flat_map(|part| {
                let inner = parts(&part.shape);
                inner.into_iter().map(|(shape, pose)| (shape, part.pose.compose(&pose)))
            })
            .collect(),
        _ => vec![(shape, Pose::IDENTITY)],
    }
}
