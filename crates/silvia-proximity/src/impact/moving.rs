//! Bodies on their way.

use super::motion::Motion;
use crate::bounds::Bound;
use crate::hierarchy::{Hierarchy, RefitError};
use silvia_solid::{Pose, Vec3};

/// A mesh whose vertices go, each on a straight line, from one set of positions to another.
#[derive(Clone, Debug)]
pub struct Deforming<B: Bound> {
    pub(super) start: Hierarchy<B>,
    pub(super) end: Hierarchy<B>,
}

impl<B: Bound> Deforming<B> {
    /// From where the hierarchy has them to `end`, as many points in the same order.
    pub fn new(start: Hierarchy<B>, end: &[Vec3]) -> Result<Deforming<B>, RefitError> {
        // Worked out once, for both.
        start.owners();
        let mut moved = start.clone();
        moved.refit(end)?;
        Ok(Deforming { start, end: moved })
    }

    /// Goes on from the end to further positions; on an error nothing has changed. The tree keeps its shape:
    /// make a new one when queries slow down.
    pub fn advance(&mut self, end: &[Vec3]) -> Result<(), RefitError> {
        self.start.refit(end)?;
        std::mem::swap(&mut self.start, &mut self.end);
        Ok(())
    }

    /// As it is at the start.
    pub fn start(&self) -> &Hierarchy<B> {
        &self.start
    }

    /// As it is at the end.
    pub fn end(&self) -> &Hierarchy<B> {
        &self.end
    }
}

/// A body and how it moves, for [`time_of_impact`](crate::mesh::time_of_impact).
#[derive(Clone, Copy, Debug)]
pub enum Moving<'a, B: Bound> {
    /// Of fixed form (though [`Motion::linear`] bends it on the way).
    Body(&'a Hierarchy<B>, Motion),
    /// Changing its form.
    Deforming(&'a Deforming<B>),
}

impl<'a, B: Bound> Moving<'a, B> {
    /// A body of fixed form.
    pub fn new(body: &'a Hierarchy<B>, motion: &Motion) -> Moving<'a, B> {
        Moving::Body(body, *motion)
    }

    /// Where it is at both ends.
    pub(crate) fn travel(&self) -> Travel<'a, B> {
        match self {
            Moving::Body(body, motion) => Travel { start: body, end: body, motion: *motion },
            Moving::Deforming(mesh) => {
                Travel { start: &mesh.start, end: &mesh.end, motion: Motion::still(Pose::IDENTITY) }
            }
        }
    }
}

/// Where a body is at both ends of an interval, and how it goes from the one to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Travel<'a, B: Bound> {
    pub(crate) start: &'a Hierarchy<B>,
    /// The same, or its refit.
    pub(crate) end: &'a Hierarchy<B>,
    /// Of its frame: of one that deforms, what is not in its points.
    pub(crate) motion: Motion,
}
