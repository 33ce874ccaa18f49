//! Following vertices that have moved, without building anew.

use super::{Child, Hierarchy, Surface};
use crate::bounds::Bound;
use crate::lanes::LANES;
use silvia_solid::{MoveError, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Why a body cannot follow its vertices.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RefitError {
    /// Points that the surface cannot have.
    #[error(transparent)]
    Points(#[from] MoveError),
    /// A [`ContactBody`](crate::ContactBody) without vertices, or of several parts.
    #[error("only a body that is one mesh can deform: this one is {what}")]
    NotOneMesh {
        /// What it is instead.
        what: &'static str,
    },
}

impl Surface {
    /// With its points moved.
    pub(crate) fn with_points(&self, points: &[Vec3]) -> Result<Surface, MoveError> {
        Ok(match self {
            Surface::Solid(solid) => Surface::Solid(solid.with_points(points)?),
            Surface::Soup(soup) => Surface::Soup(Arc::new(soup.with_points(points)?)),
        })
    }
}

impl<B: Bound> Hierarchy<B> {
    /// Moves the points of the surface, in its own frame, and fits all bounds to where they are now. On an
    /// error nothing has changed.
    ///
    /// A solid stays a solid, with an inside: [`Solid::with_points`](silvia_solid::Solid::with_points) says
    /// what it keeps, what follows the points, and what is refused. The tree keeps its shape, and turned
    /// boxes their axes, so it gets worse as the surface deforms or turns; build anew when queries slow down.
    ///
    /// ```
    /// use silvia_proximity::{Hierarchy, bounds::Obb, mesh::point_distance};
    /// use silvia_solid::{Pose, Solid, Vec3, primitives};
    /// let cube = Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?;
    /// let mut body: Hierarchy<Obb> = Hierarchy::new(cube.faceted());
    /// let longer = Vec3::new(1.0, 1.0, 3.0);
    /// body.refit(&cube.soup().points().iter().map(|p| *p * longer).collect::<Vec<Vec3>>())?;
    /// // Inside by half the width.
    /// assert_eq!(point_distance(&body, &Pose::IDENTITY, Vec3::Z)?.distance, -0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit(&mut self, points: &[Vec3]) -> Result<(), RefitError> {
        self.follow(self.surface.with_points(points)?);
        Ok(())
    }

    /// Fits everything to a surface that is this one with its points moved.
    pub(crate) fn follow(&mut self, surface: Surface) {
        self.surface = surface;
        let soup = self.surface.soup();
        for triangle in &mut self.triangles {
            triangle.corners = soup.corners(triangle.id as usize);
        }
        self.refit_node(0);
        self.measure();
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
