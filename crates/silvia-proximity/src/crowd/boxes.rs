//! Boxes around objects.

use super::Crowd;
use crate::shape::Shape;
use silvia_solid::{Aabb, Pose, Vec3};

/// A box around a shape, wide enough for what rounding does to a pair query. Where a half-space goes on for ever, the box
/// does so far as there are objects.
pub(super) fn bounds(shape: &Shape, pose: &Pose) -> Aabb {
    // As a fraction of the coordinates.
    const ROUNDING: f64 = 32.0 * f64::EPSILON;
    let Aabb { min, max } = shape.aabb(pose);
    let (min, max) = (min.max(Vec3::splat(-Crowd::LIMIT)), max.min(Vec3::splat(Crowd::LIMIT)));
    let own = if shape.reach().is_finite() { shape.reach() } else { 0.0 };
    let slack = Vec3::splat(ROUNDING * (own + pose.translation().abs().max_element()));
    Aabb { min: min - slack, max: max + slack }
}

/// Whether a shape can be there.
pub(super) fn is_within_limit(shape: &Shape, pose: &Pose) -> bool {
    let at = pose.translation();
    let reach = if shape.reach().is_finite() { shape.reach() } else { 0.0 };
    // Not so for NaN either.
    at.abs().max_element() + reach <= Crowd::LIMIT && pose.rotation().is_finite()
}
