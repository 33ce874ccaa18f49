//! Memory of an island's way through a step, kept for the next.

use crate::body::BodyState;
use crate::response::{Answer, Scratch, TaskBody, TaskContact};
use crate::state::ContactOf;
use crate::step::contacts::{Near, PairMemory, PairOf};
use silvia_proximity::{ContactState, PathCheck, RigidPath};
use silvia_solid::{Aabb, Pose, Vec3};

/// Memory of an island's way through a step, kept for the next, so that a steady step need not ask for any.
/// Lists are taken out, filled, and put back; what one of them holds in between means nothing.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// What searches for contacts left, in the order of the island's pairs: given before the step, and given
    /// back after it.
    pub(crate) memories: Vec<PairMemory>,
    pub(super) pairs: Vec<PairOf>,
    pub(super) impulses: Vec<(ContactOf, Vec3)>,
    pub(super) near: Vec<Near>,
    pub(super) ways: Vec<f64>,
    /// At the start of a piece, at its end if nothing touched, and at its end.
    pub(super) poses: [Vec<Pose>; 3],
    pub(super) flight: Vec<BodyState>,
    /// For what time `flight` is that of the bodies as they are now, s.
    pub(super) flown: Option<f64>,
    pub(super) arriving: Vec<BodyState>,
    pub(super) slow: Vec<usize>,
    /// Of contacts that do not touch: whether they collide, and whether they would be crossed if nothing
    /// pushed.
    pub(super) outlooks: Vec<Option<(bool, bool)>>,
    pub(super) task_bodies: Vec<TaskBody<'static>>,
    pub(super) task_contacts: Vec<TaskContact>,
    /// Of the response method, with all that its solver needs.
    pub(super) scratch: Scratch,
    pub(super) answer: Answer,
    pub(super) ends: Vec<BodyState>,
    pub(super) least_shells: Vec<f64>,
    pub(super) flies: Vec<bool>,
    pub(super) are_near: Vec<bool>,
    pub(super) paths: Vec<RigidPath>,
    pub(super) boxes: Vec<Aabb>,
    /// By pair: the gap of the nearest contact, m, and its normal; and what the certifier saw.
    pub(super) nearest: Vec<Option<(f64, Vec3)>>,
    pub(super) checks: Vec<Option<PathCheck>>,
    pub(super) is_as_answered: Vec<bool>,
    /// Of contacts at the end of a piece: what they bore, and how they lie where that is known.
    pub(super) outcomes: Vec<(Vec3, Option<ContactState>)>,
}

/// The memory of a list of bodies of a task, for one that lives longer. (A list that is turned into one of
/// the same size stays where it is.)
pub(super) fn emptied(mut bodies: Vec<TaskBody<'_>>) -> Vec<TaskBody<'static>> {
    bodies.clear();
    bodies.into_iter().map_while(|_| None).collect()
}
