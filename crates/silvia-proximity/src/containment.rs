//! Whether one body lies within another, given that their surfaces do not meet.

use crate::bounds::Bound;
use crate::hierarchy::{Hierarchy, Surface};
use crate::point::point_distance;
use silvia_solid::{Pose, TriangleId, Vec3};

/// A point of some piece of `inner` that lies within the solid `outer`, in the frame of `outer`, and its
/// triangle; nothing lies within a soup. As the surfaces do not meet, one point of each connected piece
/// tells.
pub(crate) fn find_inside<B: Bound>(
    inner: &Hierarchy<B>,
    outer: &Hierarchy<B>,
    inner_in_outer: &Pose,
) -> Option<(Vec3, TriangleId)> {
    if !matches!(outer.surface, Surface::Solid(_)) {
        return None;
    }
    let is_in = |p: Vec3| {
        p.cmpge(outer.bounds.min).all()
            && p.cmple(outer.bounds.max).all()
            && point_distance(outer, &Pose::IDENTITY, p).is_ok_and(|d| d.distance < 0.0)
    };
    let placed = inner.pieces.iter().map(|&(p, triangle)| (inner_in_outer.transform_point(p), triangle));
    placed.into_iter().find(|&(p, _)| is_in(p))
}
