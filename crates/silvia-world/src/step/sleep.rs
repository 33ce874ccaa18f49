//! Bodies at rest sleep, and wake.
//!
//! A body rests while it moves by less than a billionth of its size in a second. An island whose bodies have
//! all rested for as many steps as the settings say is asleep: it is left as it is, with the forces of its
//! last step, until its cage meets that of a body that does not rest, or the world is changed from outside.
//! Compared with a world in which nothing sleeps, bodies are off by what they would have moved.

use crate::body::{BodyId, BodyState, Role};
use crate::error::WorldError;
use crate::response::Guarantee;
use crate::state::State;
use crate::step::cages::Island;
use crate::step::tuning;
use crate::world::World;

impl World {
    /// Wakes all bodies that sleep.
    pub fn wake(&mut self) {
        self.state.rest.clear();
        self.workspace.unsettle();
    }

    /// Whether the last step left a body asleep.
    pub fn is_asleep(&self, id: BodyId) -> Result<bool, WorldError> {
        self.get(id)?;
        Ok(self.state.asleep.binary_search(&id.number).is_ok())
    }

    /// Wakes a body. What it touches wakes with it, as an island sleeps only if all of its bodies do.
    pub(crate) fn wake_body(&mut self, number: u32) {
        self.workspace.unsettle_body(number);
        if let Some(steps) = self.state.rest.get_mut(number as usize) {
            *steps = 0;
        }
    }

    /// Wakes a body, and what touched it: it may be about to leave.
    pub(crate) fn wake_around(&mut self, number: u32) {
        self.wake_body(number);
        if self.state.rest.is_empty() {
            return;
        }
        let State { memory, contacts, rest, .. } = &mut self.state;
        let forces = memory.keys().map(|(pair, _)| *pair);
        let touching = contacts.iter().map(|contact| contact.bodies.map(|id| id.number));
        for pair in forces.chain(touching).filter(|pair| pair.contains(&number)) {
            for other in pair {
                if let Some(steps) = rest.get_mut(other as usize) {
                    *steps = 0;
                }
            }
        }
    }

    /// Whether a body has rested for so long that it sleeps where all that it touches does.
    pub(crate) fn is_drowsy(&self, number: u32) -> bool {
        let after = self.settings.sleep_after;
        let body = self.body(number);
        after > 0
            && self.state.rest.get(number as usize).is_some_and(|&steps| steps >= after)
            && matches!(body.role, Role::Free)
            && body.loads.is_empty()
            && body.hands.is_empty()
    }
}

/// Whether all bodies of an island sleep. None does in a step before which one of them was placed from
/// outside, nor under a compliant method: overlaps are measured in every step.
pub(super) fn is_asleep(world: &World, island: &Island) -> bool {
    let (movable, others) = island.bodies.split_at(island.movable);
    let is_unchecked = |body: &u32| world.state.unchecked.binary_search(body).is_ok();
    world.response.guarantee() == Guarantee::NonPenetrating
        && !island.bodies.iter().any(is_unchecked)
        && movable.iter().all(|&body| world.is_drowsy(body))
        && others.iter().all(|&body| matches!(world.body(body).role, Role::Fixed))
}

/// For how many steps each body has rested, after a step; of none, if nothing sleeps.
pub(super) fn rested(world: &World, after: &[BodyState]) -> impl Iterator<Item = u32> {
    let rest = |(number, state): (usize, &BodyState)| {
        let before = world.state.rest.get(number).copied().unwrap_or(0);
        let does_rest = world.bodies[number].as_ref().is_some_and(|body| {
            state.velocity.linear.length() <= tuning::REST * body.size
                && state.velocity.angular.length() <= tuning::REST
        });
        if does_rest { before.saturating_add(1) } else { 0 }
    };
    let counted = if world.settings.sleep_after == 0 { 0 } else { after.len() };
    after[..counted].iter().enumerate().map(rest)
}
