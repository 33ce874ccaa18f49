//! Following vertices that have moved, without building anew.

use super::{Child, Hierarchy, Surface};
use crate::bounds::Bound;
use crate::lanes::LANES;
use silvia_solid::{Soup, SoupError, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Why a hierarchy cannot follow.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RefitError {
    /// Another number of points than before.
    #[error("the hierarchy has {expected} points, but {given} were given: moving vertices keep their number")]
    Count {
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// Points that make no soup.
    #[error(transparent)]
    Points(#[from] SoupError),
}

impl<B: Bound> Hierarchy<B> {
    /// Moves the points of the surface, in its own frame, and fits all bounds to where they are now. The tree
    /// keeps its shape, so it gets worse as the surface deforms; build anew when queries slow down. A solid
    /// becomes a soup: whether it is still one is not checked here.
    pub fn refit(&mut self, points: Vec<Vec3>) -> Result<(), RefitError> {
        let old = self.surface.soup();
        if points.len() != old.points().len() {
            return Err(RefitError::Count { expected: old.points().len(), given: points.len() });
        }
        let soup = Soup::new(points, old.triangles().to_vec())?;
        for triangle in &mut self.triangles {
            triangle.corners = soup.corners(triangle.id as usize);
        }
        self.surface = Surface::Soup(Arc::new(soup));
        self.refit_node(0);
        self.measure();
        Ok(())
    }

    /// Fits the bounds of a node and of all below; returns the positions of its triangles.
    fn refit_node(&mut self, node: usize) -> Range<usize> {
        let mut all: Option<Range<usize>> = None;
        let mut bounds: [B; LANES] = std::array::from_fn(|lane| B::unpack(&self.nodes[node].pack, lane));
        for (lane, bound) in bounds.iter_mut().enumerate() {
            let child = self.nodes[node].child[lane];
            if child == Child::NONE {
                continue;
            }
            let range = if child.is_leaf() {
                let start = self.leaf_start[child.index()] as usize;
                start..self.leaf_start[child.index() + 1] as usize
            } else {
                self.refit_node(child.index())
            };
            *bound = bound.refit(self.triangles[range.clone()].iter().map(|t| &t.corners));
            self.nodes[node].size[lane] = bound.size() as f32;
            all = Some(all.map_or(range.clone(), |r| r.start..range.end));
        }
        self.nodes[node].pack = B::pack(bounds.each_ref());
        all.unwrap_or(0..0)
    }
}
