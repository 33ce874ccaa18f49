//! The corners of a body's convex hull: all of the body that can come to a plane first.

use super::{Hierarchy, Surface};
use crate::bounds::Bound;
use silvia_solid::Vec3;
use silvia_solid::hull::convex_hull;
use std::sync::Arc;

/// More corners than this are found quicker by the hierarchy.
const MOST_CORNERS: usize = 256;

/// A vertex of a body that is a corner of its hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullCorner {
    pub(crate) vertex: u32,
    pub(crate) at: Vec3,
    /// A triangle that has it, by its position among those of the leaves, and which of its corners it is.
    pub(crate) triangle: u32,
    pub(crate) corner: u8,
}

impl<B: Bound> Hierarchy<B> {
    /// All corners of the hull of a solid, in the order of its vertices; `None` if they are many. While the
    /// solid moves as a whole it is in front of a plane if and only if they are: the hull is exact.
    pub(crate) fn hull_corners(&self) -> Option<&[HullCorner]> {
        self.hull_corners.get_or_init(|| self.find_hull_corners().map(Arc::from)).as_deref()
    }

    fn find_hull_corners(&self) -> Option<Vec<HullCorner>> {
        let Surface::Solid(solid) = &self.surface else { return None };
        let soup = solid.soup();
        let hull = convex_hull(soup.points()).ok()?;
        if hull.sources.len() > MOST_CORNERS {
            return None;
        }
        let mut corners = vec![None; soup.points().len()];
        for (triangle, leaf) in self.triangles.iter().enumerate() {
            for (corner, &vertex) in soup.triangles()[leaf.id as usize].iter().enumerate() {
                let at = leaf.corners[corner];
                let found = HullCorner { vertex, at, triangle: triangle as u32, corner: corner as u8 };
                corners[vertex as usize].get_or_insert(found);
            }
        }
        // Every vertex of a solid is a corner of a triangle.
        hull.sources.iter().map(|&vertex| corners[vertex as usize]).collect()
    }
}
