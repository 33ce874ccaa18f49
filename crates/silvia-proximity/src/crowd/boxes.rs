//! Boxes around objects.

use super::Crowd;
use crate::shape::Shape;
use silvia_solid::{Aabb, Pose, Vec3};

/// A box around a shape that is within the limit, wide enough for what rounding does to a pair query. Where a
/// half-space goes on for ever, the box does so as far as there are objects.
pub(super) fn bounds(shape: &Shape, pose: &Pose) -> Aabb {
    // As a fraction of the coordinates.
    const ROUNDING: f64 = 32.0 * f64::EPSILON;
    let Aabb { min, max } = shape.aabb(pose);
    // Both corners: a half-space may end beyond the limit, where nothing else is.
    let limit = Vec3::splat(Crowd::LIMIT);
    let (min, max) = (min.clamp(-limit, limit), max.clamp(-limit, limit));
    let slack = Vec3::splat(ROUNDING * (extent(shape) + pose.translation().abs().max_element()));
    Aabb { min: min - slack, max: max + slack }
}

/// Whether a shape can be there.
pub(super) fn is_within_limit(shape: &Shape, pose: &Pose) -> bool {
    // Not so for NaN, nor where a reach overflows.
    pose.translation().abs().max_element() + extent(shape) <= Crowd::LIMIT && pose.rotation().is_finite()
}

/// No point of the shape is farther than this from the origin of its frame, m; of a half-space, its plane
/// counts, of a cavity its surface.
fn extent(shape: &Shape) -> f64 {
    match shape {
        Shape::HalfSpace(half_space) => half_space.plane().offset.abs(),
        Shape::Cavity(cavity) => cavity.radius(),
        Shape::Compound(compound) => compound
            .parts()
            .iter()
            .map(|part| part.pose.translation().length() + extent(&part.shape))
            .fold(0.0, f64::max),
        bounded @ (Shape::Point(_)
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
        | Shape::Soup(_)) => bounded.reach(),
    }
}
