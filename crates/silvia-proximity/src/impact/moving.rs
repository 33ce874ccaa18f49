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
    pub fn new(start: Hierarchy<B>, end: Vec<Vec3>) -> Result<Deforming<B>, RefitError> {
        // Worked out once, for both.
        start.owners();
        let mut moved = start.clone();
        moved.refit(end)?;
        Ok(Deforming { start, end: moved })
    }

    /// Goes on from the end to further positions. The tree keeps its shape: make a new one when queries slow
    /// down.
    pub fn advance(&mut self, end: Vec<Vec3>) -> Result<(), RefitError> {
        let mut moved = self.end.clone();
        moved.refit(end)?;
        self.start = std::mem::replace(&mut self.end, moved);
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

    /// How it moves; a deforming mesh has its motion in its points.
    pub(super) fn motion(&self) -> Motion {
        match self {
            Moving::Body(_, motion) => *motion,
            Moving::Deforming(_) => Motion::still(Pose::IDENTITY),
        }
    }

    pub(super) fn start_pose(&self) -> Pose {
        self.motion().start()
    }

    pub(super) fn start_body(&self) -> &'a Hierarchy<B> {
        match self {
            Moving::Body(body, _) => body,
            Moving::Deforming(mesh) => &mesh.start,
        }
    }

    pub(super) fn end_body(&self) -> &'a Hierarchy<B> {
        match self {
            Moving::Body(body, _) => body,
            Moving::Deforming(mesh) => &mesh.end,
        }
    }
}
