//! A piece of a step that is free: where it leaves bodies and contacts.

use crate::body::BodyId;
use crate::report::ContactRecord;
use crate::response::refill;
use crate::step::contacts::{Near, TOUCH};
use crate::step::island::Run;
use crate::step::piece::Attempt;
use silvia_solid::Vec3;

impl Run<'_> {
    /// Takes a piece.
    pub(super) fn accept(&mut self, attempt: Attempt, length: f64, left: f64, contacts: &[Near]) {
        let mut poses = std::mem::take(&mut self.room.poses[2]);
        self.put_poses_in(&attempt.ends, &mut poses);
        let mut outcomes = std::mem::take(&mut self.room.outcomes);
        refill(&mut outcomes, contacts.iter().map(|_| (Vec3::ZERO, None)));
        if let Some((slow, answer)) = &attempt.answer {
            // Bodies that nothing pushes fly on: all others are where the method saw them, to the bit.
            let mut is_as_answered = std::mem::take(&mut self.room.is_as_answered);
            let is_moved = |i: usize| attempt.ends[i] == self.moved(i, answer.velocities[i], length);
            let movable = self.island.movable;
            refill(&mut is_as_answered, (0..attempt.ends.len()).map(|i| i >= movable || is_moved(i)));
            for ((&c, &impulse), &state) in slow.iter().zip(&answer.impulses).zip(&answer.states) {
                let is_known = self.pairs[contacts[c].pair].bodies.iter().all(|&i| is_as_answered[i]);
                outcomes[c] = (impulse, is_known.then_some(state));
            }
            self.room.is_as_answered = is_as_answered;
            self.ran.residual = self.ran.residual.max(answer.residual);
            if self.world.settings.interactive.is_some() && answer.residual > self.world.settings.tolerance {
                self.ran.traded.forces += 1;
            }
            answer.notes.iter().for_each(|note| self.note(note));
        }
        if self.world.settings.interactive.is_some() {
            self.ran.traded.impacts += attempt.unimpacted;
        }
        self.ran.contacts.clear();
        self.ran.smallest_gap = f64::INFINITY;
        for (near, &(impulse, end)) in contacts.iter().zip(&outcomes) {
            let pair = &self.pairs[near.pair];
            let end = end.unwrap_or_else(|| self.state_at(near, &poses));
            let numbers = pair.bodies.map(|i| self.island.bodies[i]);
            let is_closed = end.holds && end.gap <= TOUCH * pair.shell;
            if impulse != Vec3::ZERO {
                self.impulses.push(((numbers, near.name), impulse));
            }
            if end.holds {
                self.ran.smallest_gap = self.ran.smallest_gap.min(end.gap);
            }
            if is_closed || impulse != Vec3::ZERO {
                self.ran.contacts.push(ContactRecord {
                    bodies: numbers.map(BodyId),
                    name: near.name,
                    points: end.points,
                    normal: end.normal,
                    gap: end.gap,
                    force: Vec3::ZERO,
                });
            }
        }
        self.states.clone_from(&attempt.ends);
        self.take_back(attempt);
        self.room.poses[2] = poses;
        self.room.outcomes = outcomes;
        let placed = self.island.bodies.iter().map(|&body| BodyId(body)).zip(self.states.iter().copied());
        self.ran.way.extend(placed);
        self.done = if length == left { self.length } else { self.done + length };
    }

    /// Keeps the memory of an attempt for the next.
    pub(super) fn take_back(&mut self, attempt: Attempt) {
        match attempt.answer {
            Some((slow, answer)) => {
                (self.room.ends, self.room.slow, self.room.answer) = (attempt.ends, slow, answer);
            }
            None => self.room.flight = attempt.ends,
        }
    }
}
