//! One piece of a step: free flight if that is free, else contact forces; certified, or shorter.

use crate::body::BodyState;
use crate::profile::{Stage, timed};
use crate::response::{Answer, Task, refill};
use crate::state::ContactOf;
use crate::step::contacts::{Near, TOUCH, rate};
use crate::step::island::{Ended, Run};
use crate::step::room::{Room, emptied};
use crate::threads::{BODIES, CONTACTS, refill_each};
use silvia_contact::Twist;
use silvia_proximity::{RigidPath, shape_contact_at, swept_box};
use silvia_solid::{Aabb, Pose, Vec3};

/// Pairs of features join the contacts this often within a piece, then it is cut.
const MOST_GROWTHS: usize = 6;

/// Where contact forces are not found, a piece is cut to this fraction.
const UNSOLVED: f64 = 0.25;

/// A fast contact is let come to within this many shells, then it collides: in the middle of those between
/// which it touches.
const AIM: f64 = 1.5;

/// A piece that was tried.
pub(super) struct Attempt {
    pub(super) ends: Vec<BodyState>,
    /// Which contacts took part, and what the method said; `None` in free flight.
    pub(super) answer: Option<(Vec<usize>, Answer)>,
    /// Contacts that close as fast as an impact and are taken for slow ones.
    pub(super) unimpacted: usize,
}

/// What an attempt leaves for the next of the same length.
#[derive(Default)]
struct Known {
    /// By contact; of those that have joined since there is none.
    impulses: Vec<Vec3>,
    /// Velocities that lead to nearly the same end.
    velocities: Option<Vec<Twist>>,
}

impl Known {
    fn from(attempt: &Attempt, contacts: usize, refused: &Refused) -> Known {
        let Some((slow, answer)) = &attempt.answer else { return Known::default() };
        let mut impulses = vec![Vec3::ZERO; contacts];
        slow.iter().zip(&answer.impulses).for_each(|(&c, &impulse)| impulses[c] = impulse);
        match refused {
            // What was let go is crossed by little.
            Refused::Again | Refused::Kept(_) => {
                Known { impulses, velocities: Some(answer.velocities.clone()) }
            }
            // Where something else was crossed, bodies are beyond it: no place to start from.
            Refused::Grown(_) => Known { impulses, velocities: None },
            Refused::UntilImpact(_) | Refused::Cut(..) => Known::default(),
        }
    }
}

/// What free flight would do to contacts.
struct Slow {
    /// Those that do not collide.
    contacts: Vec<usize>,
    /// Whether one of them would be crossed.
    must_push: bool,
    /// As in [`Attempt`].
    unimpacted: usize,
}

/// Why a piece that was tried is not taken.
pub(super) enum Refused {
    /// Shorter, s: a fast contact closes by then.
    UntilImpact(f64),
    /// Shorter, s, because of what the words say.
    Cut(f64, String),
    /// Once more: a pair is kept farther apart now.
    Again,
    /// Once more, with these contacts insisted on: they were let go and crossed.
    Kept(Vec<usize>),
    /// Once more with these.
    Grown(Vec<Near>),
}

impl Run<'_> {
    /// Advances by as much of what is left as can be had at once.
    pub(crate) fn piece(&mut self, contacts: &mut Vec<Near>) -> Result<(), Ended> {
        let left = self.length - self.done;
        let mut length = self.at_once(left);
        let (mut growths, mut cuts) = (0, 0);
        let mut known = Known::default();
        loop {
            let refused = match self.attempt(length, contacts, &known, self.sweeps(cuts)) {
                Ok(attempt) => match self.looked_at(&attempt, length, contacts, growths < MOST_GROWTHS)? {
                    None => {
                        let watch = self.watch;
                        let accept = || self.accept(attempt, length, left, contacts);
                        timed(watch, Stage::Integrate, |()| contacts.len(), accept);
                        return Ok(());
                    }
                    Some(refused) => {
                        known = Known::from(&attempt, contacts.len(), &refused);
                        self.take_back(attempt);
                        refused
                    }
                },
                Err(refused) => {
                    known = Known::default();
                    refused
                }
            };
            match refused {
                Refused::UntilImpact(shorter) => length = shorter,
                Refused::Cut(shorter, why) => {
                    self.ran.cuts += 1;
                    cuts += 1;
                    length = shorter;
                    if length < self.world.settings.shortest_cut * self.length {
                        return Err(self.stuck(why));
                    }
                }
                Refused::Again => {}
                Refused::Kept(those) => {
                    those.into_iter().for_each(|contact| contacts[contact].is_kept = true)
                }
                Refused::Grown(new) => {
                    growths += 1;
                    self.ran.certificate.grown += new.len();
                    contacts.extend(new);
                }
            }
        }
    }

    /// Where bodies are after a piece of a length.
    fn attempt(
        &mut self,
        length: f64,
        contacts: &[Near],
        known: &Known,
        sweeps: usize,
    ) -> Result<Attempt, Refused> {
        let watch = self.watch;
        timed(watch, Stage::Predict, |&flights| flights, || self.fly(length));
        let flight = std::mem::take(&mut self.room.flight);
        let Slow { contacts: slow, must_push, unimpacted } = timed(
            self.watch,
            Stage::Integrate,
            |_| contacts.len(),
            || self.slow_contacts(&flight, length, contacts),
        );
        if !must_push {
            self.room.slow = slow;
            return Ok(Attempt { ends: flight, answer: None, unimpacted });
        }
        let answer = self.answer(&flight, length, contacts, &slow, (known, sweeps));
        self.ran.iterations += answer.iterations;
        let attempt = if self.is_usable(&answer, sweeps == 0) {
            let mut ends = std::mem::take(&mut self.room.ends);
            self.find_ends(&flight, &answer, length, (contacts, &slow), &mut ends);
            Ok(Attempt { ends, answer: Some((slow, answer)), unimpacted })
        } else {
            let why = format!(
                "the contact forces were not found ({}, residual {:.1e})",
                answer.outcome.as_str(),
                answer.residual
            );
            (self.room.slow, self.room.answer) = (slow, answer);
            Err(Refused::Cut(UNSOLVED * length, why))
        };
        self.room.flight = flight;
        attempt
    }

    /// What the response method says to a piece with these contacts.
    fn answer(
        &mut self,
        flight: &[BodyState],
        length: f64,
        contacts: &[Near],
        slow: &[usize],
        (known, sweeps): (&Known, usize),
    ) -> Answer {
        let Room { task_bodies, task_contacts, scratch, answer, .. } = &mut *self.room;
        let (mut bodies, mut of_task) = (std::mem::take(task_bodies), std::mem::take(task_contacts));
        let (mut scratch, mut answer) = (std::mem::take(scratch), std::mem::take(answer));
        timed(
            self.watch,
            Stage::Assemble,
            |()| 0,
            || {
                refill(&mut bodies, (0..self.states.len()).map(|i| self.task_body(i, &flight[i], length)));
                refill(
                    &mut of_task,
                    slow.iter().map(|&c| self.task_contact(&contacts[c], length, known.impulses.get(c))),
                );
            },
        );
        let task = Task {
            bodies,
            contacts: of_task,
            near: known.velocities.as_deref(),
            time_step: length,
            sweeps,
            watch: self.watch,
        };
        let settings = self.solver_settings(length);
        self.world.response.respond_into(&task, &settings, &mut scratch, &mut answer);
        let (bodies, contacts) = (emptied(task.bodies), task.contacts);
        self.room.task_bodies = bodies;
        self.room.task_contacts = contacts;
        self.room.scratch = scratch;
        answer
    }

    /// Which contacts do not collide within the piece, and whether one of them would be crossed in free
    /// flight.
    fn slow_contacts(&mut self, flight: &[BodyState], length: f64, contacts: &[Near]) -> Slow {
        let mut poses = std::mem::take(&mut self.room.poses[1]);
        self.put_poses_in(flight, &mut poses);
        let mut arriving = std::mem::take(&mut self.room.arriving);
        self.put_arriving(flight, length, &mut arriving);
        let mut slow = std::mem::take(&mut self.room.slow);
        let mut outlooks = std::mem::take(&mut self.room.outlooks);
        slow.clear();
        let mut must_push = false;
        let mut unimpacted = 0;
        let may_rebound = self.rebounds < self.most_impacts();
        let touches = |near: &Near| near.state.gap <= TOUCH * self.pairs[near.pair].shell;
        // Whether it collides, and whether it would be crossed. What touches does not collide.
        let outlook = |index: usize| {
            let near = &contacts[index];
            let pair = &self.pairs[near.pair];
            let end = self.state_at(near, &poses);
            let after = rate(&end, pair.bodies.map(|i| &arriving[i]));
            let is_crossed = end.gap < pair.shell && (end.holds || near.state.holds);
            (self.closes_fast(near, end.gap, after, length), is_crossed)
        };
        let of_untouched = |index: usize| (!touches(&contacts[index])).then(|| outlook(index));
        refill_each(&mut outlooks, contacts.len(), CONTACTS, of_untouched);
        for (index, outlook) in outlooks.iter().enumerate() {
            if let Some((is_fast, is_crossed)) = *outlook {
                if is_fast && may_rebound {
                    continue;
                }
                unimpacted += usize::from(is_fast);
                must_push |= is_crossed;
            }
            slow.push(index);
        }
        // Where those that touch will be matters only if nothing else must be pushed.
        must_push = must_push || (0..contacts.len()).any(|i| outlooks[i].is_none() && outlook(i).1);
        self.room.outlooks = outlooks;
        self.room.poses[1] = poses;
        self.room.arriving = arriving;
        Slow { contacts: slow, must_push, unimpacted }
    }

    /// Bodies at the end of a free piece with the velocities at which they get there: a script that bends
    /// there tells those at which it goes on.
    fn put_arriving(&self, flight: &[BodyState], length: f64, arriving: &mut Vec<BodyState>) {
        refill(arriving, flight.iter().copied());
        for (index, end) in arriving.iter_mut().enumerate().skip(self.island.movable) {
            end.velocity = mean_velocity(&self.states[index], end, length);
        }
    }

    /// Whether a contact closes within the piece, and faster than the speed of an impact when it does. Its
    /// gap is taken to change at a constant acceleration.
    fn closes_fast(&self, near: &Near, end_gap: f64, end_rate: f64, length: f64) -> bool {
        let pair = &self.pairs[near.pair];
        if near.state.gap <= TOUCH * pair.shell || end_gap >= pair.shell {
            return false;
        }
        let acceleration = (end_rate - near.rate) / length;
        let closing = closing_time(near.state.gap - pair.shell, near.rate, acceleration).min(length);
        -(near.rate + acceleration * closing) > pair.impact_speed
    }

    /// What is wrong with an attempt, if anything is; as a stage.
    fn looked_at(
        &mut self,
        attempt: &Attempt,
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        let pairs = self.pairs.len();
        timed(self.watch, Stage::Certify, |_| pairs, || self.look(attempt, length, contacts, may_grow))
    }

    /// What is wrong with an attempt, if anything is.
    fn look(
        &mut self,
        attempt: &Attempt,
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        for (index, end) in attempt.ends.iter().enumerate() {
            if !(end.centre.is_finite() && end.rotation.is_finite()) {
                let why = format!("`{}` would move beyond all bounds", self.body(index).name);
                return Ok(Some(Refused::Cut(0.5 * length, why)));
            }
        }
        let Room { poses: [start, _, end], paths, boxes, .. } = &mut *self.room;
        let (mut start, mut end) = (std::mem::take(start), std::mem::take(end));
        let (mut paths, mut boxes) = (std::mem::take(paths), std::mem::take(boxes));
        self.put_poses_in(&attempt.ends, &mut end);
        if let Some(shorter) = self.until_impact(attempt, &end, length, contacts) {
            return Ok(Some(Refused::UntilImpact(shorter)));
        }
        self.put_poses_in(&self.states, &mut start);
        let about = |i: usize| self.body(i).inertia.centre;
        refill(&mut paths, (0..end.len()).map(|i| RigidPath { from: start[i], to: end[i], about: about(i) }));
        let swept = |i: usize| swept_box(&self.body(i).contact_body, &paths[i]);
        refill_each(&mut boxes, paths.len(), BODIES, swept);
        let escaped: Vec<(u32, Aabb)> = (0..boxes.len())
            .filter(|&i| self.island.cages[i].merged(boxes[i]) != self.island.cages[i])
            .map(|i| (self.island.bodies[i], boxes[i]))
            .collect();
        if !escaped.is_empty() {
            return Err(Ended::Escaped { boxes: escaped, forces: self.forces(attempt, length, contacts) });
        }
        let certified = self.certify(&paths, &boxes, length, contacts, may_grow);
        (self.room.poses[0], self.room.poses[2]) = (start, end);
        (self.room.paths, self.room.boxes) = (paths, boxes);
        certified
    }

    /// The contact forces of an attempt, N.
    fn forces(&self, attempt: &Attempt, length: f64, contacts: &[Near]) -> Vec<(ContactOf, Vec3)> {
        let Some((slow, answer)) = &attempt.answer else { return Vec::new() };
        let force = |(&c, &impulse): (&usize, &Vec3)| {
            let near = &contacts[c];
            let numbers = self.pairs[near.pair].bodies.map(|i| self.island.bodies[i]);
            ((numbers, near.name), impulse / length)
        };
        slow.iter().zip(&answer.impulses).map(force).collect()
    }

    /// When the first of the fast contacts closes, if one does within the piece, s.
    fn until_impact(&self, attempt: &Attempt, poses: &[Pose], length: f64, contacts: &[Near]) -> Option<f64> {
        let took_part = |index: usize| match &attempt.answer {
            Some((slow, _)) => slow.binary_search(&index).is_ok(),
            None => false,
        };
        let mut shortest: Option<f64> = None;
        for (_, near) in contacts.iter().enumerate().filter(|&(index, _)| !took_part(index)) {
            let pair = &self.pairs[near.pair];
            let end = self.state_at(near, poses);
            if end.gap >= pair.shell || near.state.gap <= TOUCH * pair.shell {
                continue;
            }
            // A parabola through the gap at both ends with the rate at the start.
            let aim = AIM * pair.shell;
            let acceleration = 2.0 * (end.gap - near.state.gap - near.rate * length) / (length * length);
            let closing = closing_time(near.state.gap - aim, near.rate, acceleration);
            // A vertex onto which a body rolls over holds once it touches, and not before. Where nothing is
            // to touch after all, the piece is shorter than it need be, and no more.
            let holds = || near.state.holds || end.holds || self.holds_at(near, attempt, closing / length);
            if closing > 0.0 && closing < length && holds() {
                shortest = Some(shortest.map_or(closing, |s| s.min(closing)));
            }
        }
        shortest
    }

    /// Whether a contact holds part of the way.
    fn holds_at(&self, near: &Near, attempt: &Attempt, fraction: f64) -> bool {
        let [a, b] = self.pairs[near.pair].bodies;
        let poses = [a, b].map(|i| self.pose(i, &between(&self.states[i], &attempt.ends[i], fraction)));
        let (of_a, of_b) = (&self.body(a).contact_body, &self.body(b).contact_body);
        shape_contact_at(of_a, &poses[0], of_b, &poses[1], &near.name).holds
    }
}

/// When a gap that is `gap` from closing, opens at a rate and is accelerated is first closed, s; infinite if
/// never.
fn closing_time(gap: f64, rate: f64, acceleration: f64) -> f64 {
    if gap <= 0.0 {
        return 0.0;
    }
    // gap + rate t + acceleration t² / 2 = 0, in the form that loses no digits.
    let square = rate * rate - 2.0 * acceleration * gap;
    if square < 0.0 {
        return f64::INFINITY;
    }
    let slope = -rate + square.sqrt();
    if slope > 0.0 { 2.0 * gap / slope } else { f64::INFINITY }
}

/// The constant velocity that takes a body from one state to another.
pub(super) fn mean_velocity(from: &BodyState, to: &BodyState, length: f64) -> Twist {
    let mut turn = to.rotation * from.rotation.conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    Twist { linear: (to.centre - from.centre) / length, angular: turn.to_scaled_axis() / length }
}

/// A state part of the way from one to another.
fn between(from: &BodyState, to: &BodyState, fraction: f64) -> BodyState {
    BodyState {
        centre: from.centre.lerp(to.centre, fraction),
        rotation: from.rotation.slerp(to.rotation, fraction).normalize(),
        velocity: to.velocity,
    }
}
