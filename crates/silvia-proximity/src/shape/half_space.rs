//! Half-spaces against everything: by the point that is farthest against their normal.

use super::HalfSpace;
use super::gjk::TOUCH;
use super::near::NearestPoints;
use crate::feature::Feature;
use silvia_solid::{Plane, Pose, Vec3};

/// Planes of opposite half-spaces within this angle are taken as parallel, rad: else they would meet no
/// nearer than 1e12 times the gap between them.
const PARALLEL: f64 = 1e-12;

/// A half-space and a bounded shape at a pose in its frame; the answer is in that frame. `support` gives the
/// point of the shape, in the shape's own frame, that is farthest in a direction, and its feature.
pub(super) fn nearest(
    half_space: &HalfSpace,
    support: impl Fn(Vec3) -> (Vec3, Feature),
    pose: &Pose,
) -> NearestPoints {
    let Plane { normal, offset } = half_space.plane;
    let (p, feature) = support(pose.rotation().conjugate() * -normal);
    let p = pose.transform_point(p);
    let gap = normal.dot(p) - offset;
    if gap <= TOUCH * (p.length() + offset.abs()) {
        return NearestPoints::shared(p);
    }
    NearestPoints {
        lower: gap,
        upper: gap,
        points: [p - gap * normal, p],
        features: [Some(Feature::Face(0)), Some(feature)],
        parts: [0; 2],
    }
}

/// Two half-spaces. They meet, unless they are opposite.
pub(super) fn nearest_two(a: &HalfSpace, b: &HalfSpace, b_in_a: &Pose) -> NearestPoints {
    let (p, q) = (a.plane, placed(b, b_in_a));
    let sum = p.normal + q.normal;
    if let Some(gap) = opposite_gap(&p, &q)
        && gap > TOUCH * (p.offset.abs() + q.offset.abs())
    {
        let on_a = p.offset * p.normal;
        return NearestPoints {
            lower: gap,
            upper: gap,
            points: [on_a, on_a + gap * p.normal],
            features: [Some(Feature::Face(0)); 2],
            parts: [0; 2],
        };
    }
    // Far enough against both normals a point is in both; if they are opposite, any between the planes.
    let height = 0.5 * sum.length_squared();
    let deep = (-p.offset).max(-q.offset).max(0.0);
    let shared = if height > PARALLEL * PARALLEL {
        -(deep / height) * sum
    } else {
        0.5 * (p.offset - q.offset) * p.normal
    };
    NearestPoints::shared(shared)
}

/// The gap between two half-spaces that look away from each other, m; negative where they overlap. None if
/// they do not.
pub(super) fn opposite_gap(p: &Plane, q: &Plane) -> Option<f64> {
    ((p.normal + q.normal).length() <= PARALLEL).then(|| -(p.offset + q.offset))
}

/// The plane of a half-space at a pose.
pub(super) fn placed(half_space: &HalfSpace, pose: &Pose) -> Plane {
    let normal = pose.transform_vector(half_space.plane.normal);
    Plane { normal, offset: half_space.plane.offset + normal.dot(pose.translation()) }
}
