//! Whether one body lies within another, given that their surfaces do not meet.

use crate::bounds::Bound;
use crate::hierarchy::{Hierarchy, Surface};
use crate::point::point_distance;
use silvia_solid::Pose;

/// Whether some piece of `inner` lies within the solid `outer`; nothing lies within a soup. As the surfaces do not
/// meet, one point of each connected piece tells.
pub(crate) fn is_inside<B: Bound>(inner: &Hierarchy<B>, outer: &Hierarchy<B>, inner_in_outer: &Pose) -> bool {
    if !matches!(outer.surface, Surface::Solid(_)) {
        return false;
    }
    let is_in = |p: silvia_solid::Vec3| {
        let p = inner_in_outer.transform_point(p);
        p.cmpge(outer.bounds.min).all()
            && p.cmple(outer.bounds.max).all()
            && point_distance(outer, &Pose::IDENTITY, p).is_ok_and(|d| d.distance < 0.0)
    };
    inner.pieces().iter().any(|&p| is_in(p))
}
