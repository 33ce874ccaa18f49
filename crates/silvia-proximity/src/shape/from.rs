//! Triangles as shapes.

use super::{Mesh, Shape};
use crate::bounds::Obb;
use crate::hierarchy::{Hierarchy, Surface};
use silvia_solid::{Solid, Soup};
use std::sync::Arc;

impl From<Solid> for Shape {
    fn from(solid: Solid) -> Shape {
        Shape::solid(solid)
    }
}

impl From<Soup> for Shape {
    fn from(soup: Soup) -> Shape {
        Shape::soup(soup)
    }
}

impl From<Arc<Hierarchy<Obb>>> for Shape {
    /// Shares a hierarchy that is there already.
    fn from(hierarchy: Arc<Hierarchy<Obb>>) -> Shape {
        match hierarchy.surface() {
            Surface::Solid(_) => Shape::Solid(Mesh { hierarchy }),
            Surface::Soup(_) => Shape::Soup(Mesh { hierarchy }),
        }
    }
}
