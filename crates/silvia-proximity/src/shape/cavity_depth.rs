//! The shortest way back into a cavity, for a shape that is in its material.
//!
//! Moving the shape by `t` is moving the centre of the empty ball by `-t`. The ball holds a point of the
//! shape while its centre is within a ball around that point, smaller by the margin around it. So the
//! shortest way is the point nearest to the centre in the intersection of such balls. Those around a few
//! points of the shape give a lower bound; the point that is then farthest is added, until none is too far.
//! No more than three points hold the nearest place, so no more are kept.

use super::gjk::TOUCH;
use super::penetrate::Way;
use super::{Cavity, Shape};
use silvia_solid::{Pose, Vec3};

/// More rounds than any shape takes: flat-faced ones run out of corners, and near a curved one each round
/// squares what is left.
const MOST_ROUNDS: usize = 200;

/// How much smaller the ball is taken in which the shape ends, as a multiple of what counts as touching.
const SPARE: f64 = 8.0;

/// A place is in a ball that is so much larger, as a fraction of the coordinates.
const WITHIN: f64 = 16.0 * f64::EPSILON;

/// The centre must be within a radius of a point.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    around: Vec3,
    radius: f64,
}

/// The way for a bounded shape at a pose in the frame of a cavity; `None` if it is too large for that, or
/// unbounded.
pub(super) fn way_in(cavity: &Cavity, shape: &Shape, pose: &Pose) -> Option<Way> {
    let farthest = cavity.clearance(shape, pose)?.farthest;
    let size = cavity.radius + farthest.at.length() + farthest.margin;
    let lower = nearest_place(cavity.radius, shape, pose, size)?.length();
    let place = nearest_place(cavity.radius - SPARE * TOUCH * size, shape, pose, size)?;
    let direction = (-place).try_normalize().unwrap_or_else(|| -farthest.at.normalize_or(Vec3::X));
    Some(Way { lower: lower.min(place.length()), depth: place.length(), direction })
}

/// The place nearest to the origin for the centre of a ball that holds the shape.
fn nearest_place(radius: f64, shape: &Shape, pose: &Pose, size: f64) -> Option<Vec3> {
    let back = pose.inverse();
    let within = WITHIN * size;
    let mut holding: Vec<Allowed> = Vec::new();
    let mut place = Vec3::ZERO;
    for _ in 0..MOST_ROUNDS {
        let found = shape.farthest_from(back.transform_point(place))?;
        let next = Allowed { around: pose.transform_point(found.at), radius: radius - found.margin };
        if next.radius < 0.0 {
            return None;
        }
        let is_known = holding.iter().any(|known| known.around == next.around);
        if next.around.distance(place) <= next.radius + within || is_known {
            break;
        }
        holding.push(next);
        let (nearest, by) = nearest_in_all(&holding, within)?;
        // Rounding alone brings it nearer again.
        if nearest.length() <= place.length() {
            break;
        }
        place = nearest;
        holding = by;
    }
    Some(place)
}

/// The place nearest to the origin in all balls, of which there are up to four, and those that hold it.
fn nearest_in_all(balls: &[Allowed], within: f64) -> Option<(Vec3, Vec<Allowed>)> {
    let mut best: Option<(Vec3, Vec<Allowed>)> = None;
    let mut offer = |place: Vec3, by: &[Allowed]| {
        let is_in = |ball: &Allowed| place.distance(ball.around) <= ball.radius + within;
        let is_nearer = best.as_ref().is_none_or(|(p, _)| place.length_squared() < p.length_squared());
        if is_nearer && balls.iter().all(is_in) {
            best = Some((place, by.to_vec()));
        }
    };
    for (i, &a) in balls.iter().enumerate() {
        offer(a.around - a.radius * a.around.normalize_or(Vec3::X), &[a]);
        for (j, &b) in balls.iter().enumerate().skip(i + 1) {
            let Some((middle, radius, axis)) = circle(a, b, within) else { continue };
            let aside = (-middle).reject_from_normalized(axis);
            let aside = aside.try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
            offer(middle + radius * aside, &[a, b]);
            for &c in &balls[j + 1..] {
                for place in on_circle((middle, radius, axis), c, within).into_iter().flatten() {
                    offer(place, &[a, b, c]);
                }
            }
        }
    }
    best
}

/// Where the surfaces of two balls meet: middle, radius and axis of a circle.
fn circle(a: Allowed, b: Allowed, within: f64) -> Option<(Vec3, f64, Vec3)> {
    let way = b.around - a.around;
    let apart = way.length();
    let axis = way.try_normalize()?;
    let along = 0.5 * (apart + (a.radius - b.radius) * (a.radius + b.radius) / apart);
    let radius = root((a.radius - along) * (a.radius + along), within * a.radius)?;
    Some((a.around + along * axis, radius, axis))
}

/// Where a circle meets the surface of a ball.
fn on_circle((middle, radius, axis): (Vec3, f64, Vec3), ball: Allowed, within: f64) -> Option<[Vec3; 2]> {
    let way = ball.around - middle;
    let height = way.dot(axis);
    let aside = way - height * axis;
    let (apart, toward) = (aside.length(), aside.try_normalize()?);
    let seen = root((ball.radius - height) * (ball.radius + height), within * ball.radius)?;
    let along = 0.5 * (apart + (radius - seen) * (radius + seen) / apart);
    let across = root((radius - along) * (radius + along), within * radius)?;
    let across = across * axis.cross(toward);
    Some([1.0, -1.0].map(|side| middle + along * toward + side * across))
}

/// The root of a number that may be below zero by rounding.
fn root(square: f64, rounding: f64) -> Option<f64> {
    (square >= -rounding).then(|| square.max(0.0).sqrt())
}
