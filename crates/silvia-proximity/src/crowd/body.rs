//! What an object is made of: everything about it that depends on its kind.

use super::Crowd;
use crate::bounds::Obb;
use crate::hierarchy::{Hierarchy, Surface};
use silvia_solid::{Aabb, Pose, Solid, Soup, Vec3};
use std::sync::Arc;

/// Triangles with their hierarchy.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) hierarchy: Arc<Hierarchy<Obb>>,
}

impl From<Solid> for Body {
    fn from(solid: Solid) -> Body {
        Body { hierarchy: Arc::new(Hierarchy::new(solid)) }
    }
}

impl From<Soup> for Body {
    fn from(soup: Soup) -> Body {
        Body { hierarchy: Arc::new(Hierarchy::new(Surface::from(soup))) }
    }
}

impl From<Arc<Hierarchy<Obb>>> for Body {
    fn from(hierarchy: Arc<Hierarchy<Obb>>) -> Body {
        Body { hierarchy }
    }
}

impl Body {
    /// Whether it can be there; else the pose again.
    pub(super) fn check(&self, pose: &Pose) -> Result<(), Pose> {
        let bounds = self.bounds(pose);
        // Not so for NaN either.
        if bounds.magnitude() <= Crowd::LIMIT { Ok(()) } else { Err(*pose) }
    }

    /// A box around it, wide enough for what rounding does to a pair query.
    pub(super) fn bounds(&self, pose: &Pose) -> Aabb {
        // As a fraction of the coordinates.
        const ROUNDING: f64 = 32.0 * f64::EPSILON;
        let own = self.hierarchy.bounds();
        let turn = pose.matrix();
        let middle = pose.transform_point(own.center());
        let half = 0.5 * own.size();
        let half = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let slack = ROUNDING * (own.magnitude() + pose.translation().abs().max_element());
        let half = half + Vec3::splat(slack);
        Aabb { min: middle - half, max: middle + half }
    }
}
