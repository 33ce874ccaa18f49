//! The signed gap of an ellipsoid and another convex shape: for contacts, which need the normal and the gap
//! to full digits where surfaces all but touch or are a little in each other.

use super::Shape;
use super::common_normal::widest_gap;
use super::core::{Class, Core, Rounded};
use super::gjk::{PlacedCore, closest};
use super::order::is_swapped;
use super::penetrate::penetration;
use silvia_solid::{Mat3, Pose, Vec3};

/// How far two shapes are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignedGap {
    /// m; negative if they overlap: then it is the shortest way out.
    pub(crate) gap: f64,
    /// From the first to the second, unit length.
    pub(crate) normal: Vec3,
    /// On the first and on the second shape, m; the gap lies between them, along the normal.
    pub(crate) points: [Vec3; 2],
}

/// Of two convex shapes of which at least one is an ellipsoid; `None` of all others. The same in either
/// order, to the last bit.
pub(crate) fn signed_gap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<SignedGap> {
    let is_ellipsoid = |shape: &Shape| matches!(shape, Shape::Ellipsoid(_));
    if !is_ellipsoid(a) && !is_ellipsoid(b) {
        return None;
    }
    if !is_ellipsoid(a) || is_ellipsoid(b) && is_swapped(a, pose_a, b, pose_b) {
        let SignedGap { gap, normal, points: [p, q] } = signed_gap(b, pose_b, a, pose_a)?;
        return Some(SignedGap { gap, normal: -normal, points: [q, p] });
    }
    let (b, pose_b) = sole_part(b, pose_b);
    let (Class::Rounded(of_a), Class::Rounded(of_b)) = (a.class(), b.class()) else { return None };
    let b_in_a = pose_a.inverse().compose(&pose_b);
    let cores = (PlacedCore::here(of_a.core), PlacedCore::at(of_b.core, &b_in_a));
    let near = closest(&cores.0, &cores.1, f64::INFINITY);
    let (gap, normal, p, q) = if near.upper > 0.0 && near.lower > 0.0 {
        let [p, q] = near.points;
        ((q - p).dot(near.direction), near.direction, p, q)
    } else {
        let about =
            way_out(&of_a, &of_b, &b_in_a).unwrap_or_else(|| direction_of_penetration(a, pose_a, b, &pose_b));
        let (gap, normal) = widest_gap(&cores.0, &cores.1, about);
        let p = cores.0.support(normal);
        (gap, normal, p, p + gap * normal)
    };
    let place = |p: Vec3| pose_a.transform_point(p);
    Some(SignedGap {
        gap: gap - of_b.margin,
        normal: pose_a.transform_vector(normal),
        points: [place(p), place(q - of_b.margin * normal)],
    })
}

/// The part of a compound of one.
fn sole_part<'a>(shape: &'a Shape, pose: &Pose) -> (&'a Shape, Pose) {
    match shape.as_compound().map(|compound| compound.parts()) {
        Some([only]) => (&only.shape, pose.compose(&only.pose)),
        Some(_) | None => (shape, *pose),
    }
}

/// About the way out of an ellipsoid, in its frame: the normal where the other core comes nearest to its
/// middle, seen so that it is a ball. `None` if the middle is inside the other.
fn way_out(ellipsoid: &Rounded<'_>, other: &Rounded<'_>, pose: &Pose) -> Option<Vec3> {
    let semi_axes = ellipsoid.core.support(Vec3::X).x * Vec3::X
        + ellipsoid.core.support(Vec3::Y).y * Vec3::Y
        + ellipsoid.core.support(Vec3::Z).z * Vec3::Z;
    let shrunk = Mat3::from_diagonal(semi_axes.recip()) * pose.matrix();
    let seen = PlacedCore::bent(other.core, shrunk, pose.translation() / semi_axes);
    let near = closest(&PlacedCore::here(Core::Points(&[Vec3::ZERO])), &seen, f64::INFINITY);
    if near.upper > 0.0 { (near.points[1] / semi_axes).try_normalize() } else { None }
}

/// The same by the search for the shortest translation.
fn direction_of_penetration(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec3 {
    let found = penetration(a, pose_a, b, pose_b).penetration();
    found.map_or(Vec3::Z, |found| pose_a.inverse().transform_vector(found.direction))
}
