//! Solids without concave edges.

use super::ShapeError;
use silvia_solid::{Solid, Vec3};
use std::sync::Arc;

/// A convex solid. A face that is flat within the solid's tolerance may be dented by as much; it is taken as filled.
#[derive(Clone, Debug)]
pub struct ConvexSolid {
    solid: Solid,
    /// The vertices that stick out.
    extreme: Arc<[Vec3]>,
}

impl ConvexSolid {
    pub(super) fn new(solid: Solid) -> Result<ConvexSolid, ShapeError> {
        if !solid.is_convex() {
            return Err(ShapeError::SolidNotConvex);
        }
        let extreme = solid.vertices().filter(|&v| solid.is_extremal(v)).map(|v| solid.point(v)).collect();
        Ok(ConvexSolid { solid, extreme })
    }

    /// With its faces, edges and vertices.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// A vertex that is farthest in a direction.
    pub(super) fn support(&self, direction: Vec3) -> Vec3 {
        super::core::farthest(&self.extreme, direction)
    }
}
