//! Where bodies are after a piece with contact forces.

use crate::body::BodyState;
use crate::response::{Answer, refill};
use crate::step::cages::drift;
use crate::step::contacts::Near;
use crate::step::island::Run;
use crate::step::room::Room;
use crate::threads::{CONTACTS, refill_each};
use silvia_contact::Twist;

/// A body whose contacts move it by less than this fraction of its least shell is not pushed: what solvers
/// leave.
const NO_PUSH: f64 = 1e-3;

impl Run<'_> {
    /// Puts in place of `ends` where bodies are after a piece with contact forces, of which the `slow`
    /// contacts took part. Those that nothing pushes fly on as if they were alone, whatever else happens in
    /// their island: a response method knows velocities only, and would let them fall too far and turn
    /// astray.
    pub(super) fn find_ends(
        &mut self,
        flight: &[BodyState],
        answer: &Answer,
        length: f64,
        (contacts, slow): (&[Near], &[usize]),
        ends: &mut Vec<BodyState>,
    ) {
        let Room { least_shells, flies, are_near, poses: [.., poses], .. } = &mut *self.room;
        let (mut least_shells, mut flies) = (std::mem::take(least_shells), std::mem::take(flies));
        let (mut poses, mut are_near) = (std::mem::take(poses), std::mem::take(are_near));
        refill(&mut least_shells, flight.iter().map(|_| f64::INFINITY));
        for pair in slow.iter().map(|&c| &self.pairs[contacts[c].pair]) {
            pair.bodies.into_iter().for_each(|i| least_shells[i] = least_shells[i].min(pair.shell));
        }
        let pushed = |i: usize| {
            let [with, without] = [answer.velocities[i], flight[i].velocity];
            let turned = self.body(i).size * (with.angular - without.angular).length();
            let moved = length * ((with.linear - without.linear).length() + turned);
            moved > NO_PUSH * least_shells[i]
        };
        refill(&mut flies, (0..flight.len()).map(|i| i < self.island.movable && !pushed(i)));
        loop {
            let end = |i: usize| match (i < self.island.movable, flies[i]) {
                (true, true) => BodyState { velocity: answer.velocities[i], ..flight[i] },
                (true, false) => self.moved(i, answer.velocities[i], length),
                _ => flight[i],
            };
            refill(ends, (0..flight.len()).map(end));
            // A contact that would be nearer than its shell for that goes as the method said.
            self.put_poses_in(ends, &mut poses);
            let flying = |c: usize| self.pairs[contacts[c].pair].bodies.into_iter().filter(|&i| flies[i]);
            let is_near = |at: usize| {
                let near = &contacts[slow[at]];
                let is_closed = || {
                    let state = self.state_at(near, &poses);
                    state.holds && state.gap < self.pairs[near.pair].shell
                };
                flying(slow[at]).next().is_some() && is_closed()
            };
            refill_each(&mut are_near, slow.len(), CONTACTS, is_near);
            let back: Vec<usize> =
                slow.iter().zip(&are_near).filter(|(_, is)| **is).flat_map(|(&c, _)| flying(c)).collect();
            if back.is_empty() {
                break;
            }
            back.into_iter().for_each(|i| flies[i] = false);
        }
        self.room.least_shells = least_shells;
        self.room.flies = flies;
        self.room.are_near = are_near;
        self.room.poses[2] = poses;
    }

    /// A body after a piece at a velocity: as a response method moves it.
    pub(super) fn moved(&self, index: usize, velocity: Twist, length: f64) -> BodyState {
        drift(&BodyState { velocity, ..self.states[index] }, length)
    }
}
