//! Which vertices and edges of a body can touch something, by the triangles that own them.

use super::{Hierarchy, Surface};
use crate::bounds::Bound;
use crate::feature::Feature;
use crate::within::{owned_edge, owned_vertex};
use silvia_solid::{EdgeClass, EdgeId, VertexId};

/// What a triangle owns that can touch: vertices that stick out, at its corners, and convex edges, along its
/// sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touching {
    corners: [u32; 3],
    sides: [u32; 3],
}

/// No feature has this number.
const NONE: u32 = u32::MAX;

impl Touching {
    /// The vertex at a corner, if it can touch a face.
    #[inline(always)]
    pub(crate) fn corner(&self, k: usize) -> Option<Feature> {
        let number = self.corners[k];
        (number != NONE).then_some(Feature::Vertex(number))
    }

    /// The edge along a side, if it can touch an edge.
    #[inline(always)]
    pub(crate) fn side(&self, k: usize) -> Option<Feature> {
        let number = self.sides[k];
        (number != NONE).then_some(Feature::Edge(number))
    }
}

impl<B: Bound> Hierarchy<B> {
    /// For each triangle, by its number, what of it can touch.
    pub(crate) fn touching(&self) -> &[Touching] {
        let of_triangle = |triangle: u32| Touching {
            corners: [0, 1, 2].map(|k| touching_vertex(&self.surface, triangle, k).unwrap_or(NONE)),
            sides: [0, 1, 2].map(|k| touching_edge(&self.surface, triangle, k).unwrap_or(NONE)),
        };
        let count = self.surface.soup().triangles().len() as u32;
        self.touching.get_or_init(|| (0..count).map(of_triangle).collect())
    }
}

fn touching_vertex(surface: &Surface, triangle: u32, corner: usize) -> Option<u32> {
    match (surface, owned_vertex(surface, triangle, corner)?) {
        (Surface::Solid(solid), Feature::Vertex(id)) => solid.is_extremal(VertexId(id)).then_some(id),
        (Surface::Soup(_), Feature::Vertex(id)) => Some(id),
        _ => None,
    }
}

fn touching_edge(surface: &Surface, triangle: u32, side: usize) -> Option<u32> {
    match (surface, owned_edge(surface, triangle, side)?) {
        (Surface::Solid(solid), Feature::Edge(id)) => {
            (solid.edge(EdgeId(id)).class == EdgeClass::Convex).then_some(id)
        }
        (Surface::Soup(_), Feature::Edge(id)) => Some(id),
        _ => None,
    }
}
