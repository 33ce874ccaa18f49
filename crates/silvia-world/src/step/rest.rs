//! Bodies at rest stay where they are, to the bit, and cost next to nothing.
//!
//! Contact forces hold bodies to as many digits as solvers have. An island whose velocities are nothing but
//! what these leave is *at rest*: it stays where it is, and its velocities become zero. From there, and with
//! the same forces to start from, the next step comes to the same end. The island is *settled*: what came of
//! its last step is taken for the next, until something about it changes.
//!
//! Unlike [sleep](super::sleep), being settled changes no result: a step is a function of where it starts.

use crate::body::{Body, BodyState, Role};
use crate::state::Memory;
use crate::step::cages::Island;
use crate::step::find::Candidate;
use crate::step::island::IslandNow;
use crate::step::respond::{Attempt, Pushed};
use crate::step::tuning;
use crate::step::workspace::Slot;
use crate::world::World;
use silvia_contact::Twist;
use silvia_solid::Vec3;

/// A body that rests where it is.
pub(super) fn at_rest(state: &BodyState) -> BodyState {
    BodyState { velocity: Twist::default(), ..*state }
}

/// Whether an attempt is a whole step of an island at rest: contacts take all of the velocity that bodies
/// would gain by `flight`, to what solvers leave, and nothing moves otherwise.
pub(super) fn is_at_rest(
    now: &IslandNow<'_>,
    attempt: &Attempt<'_>,
    flight: &[BodyState],
    length: f64,
    candidates: &[Candidate],
) -> bool {
    let Some(Pushed { participants, answer, .. }) = attempt.pushed else { return false };
    let is_still = |index: usize| {
        let body = now.body(index);
        // At the rim, m/s.
        let speed = |v: Twist| v.linear.length() + body.size * v.angular.length();
        let [start, end, free] =
            [now.states[index], attempt.ends[index], flight[index]].map(|state| state.velocity);
        let gain = Twist { linear: free.linear - start.linear, angular: free.angular - start.angular };
        let still = tuning::STILL_OF_FREE * speed(gain);
        speed(start) <= still && speed(end) <= still
    };
    // What lacks its shell is yet to regain it.
    let has_shell = |(&c, impulse): (&usize, &Vec3)| {
        let shell = now.pairs[candidates[c].pair].shell;
        *impulse == Vec3::ZERO || candidates[c].state.gap >= (1.0 - tuning::LACKING) * shell
    };
    length == now.step
        && (0..now.states.len()).all(|index| may_rest(now.body(index), index < now.island.movable))
        && (0..now.island.movable).all(is_still)
        && participants.iter().zip(&answer.impulses).all(has_shell)
}

/// Whether nothing but contacts and gravity moves a body.
fn may_rest(body: &Body, is_movable: bool) -> bool {
    match &body.role {
        Role::Free => is_movable && body.loads.is_empty() && body.hands.is_empty(),
        Role::Fixed => !is_movable,
        Role::Held(_) | Role::Scripted(_) => false,
    }
}

/// Whether an island at rest, with these contact forces, N, starts its next step as it started this one.
pub(super) fn is_settled(now: &IslandNow<'_>, start: &[BodyState], forces: &Memory) -> bool {
    let memory = &now.world.state.memory;
    let of_pair = |numbers: [u32; 2]| memory.run(|(bodies, _)| bodies.cmp(&numbers)).len();
    let started_at = now.island.bodies.iter().map(|&body| &start[body as usize]);
    started_at.eq(now.states.iter())
        && now.pairs.iter().all(|pair| pair.lift == 0.0)
        && now.island.numbered_pairs().map(of_pair).sum::<usize>() == forces.len()
        && forces.iter().all(|(contact, force)| memory.get(contact) == Some(force))
}

impl Slot {
    /// Whether its island is settled for a step of a length, s, and nothing about it has changed since.
    /// `touched`: bodies that were changed from outside, ascending.
    pub(super) fn is_still_settled(
        &self,
        world: &World,
        start: &[BodyState],
        length: f64,
        touched: &[u32],
    ) -> bool {
        let Island { bodies, movable, .. } = &self.island;
        let is_same = |(index, &number): (usize, &u32)| {
            let body = world.bodies.get(number as usize).and_then(Option::as_ref);
            body.is_some_and(|body| may_rest(body, index < *movable))
                && start[number as usize] == self.states[index]
                && world.state.unchecked.binary_search(&number).is_err()
                && touched.binary_search(&number).is_err()
        };
        self.settled_for == Some(length) && bodies.iter().enumerate().all(is_same)
    }
}
