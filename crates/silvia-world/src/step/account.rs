//! The account of a step's energy: what loads, scripts and hands gave, what friction and impacts took, and
//! what of the change of energy none of them explains. That is the error of the step.
//!
//! Only what physics knows is put down. Friction takes its impulse times the slip of the way made. Where a
//! contact is closed at both ends of a piece, its normal does no work: what it does by lifting bodies off
//! each other, or by a shell regained, is error. Where bodies land without a rebound, the normal impulse
//! takes what it takes times the mean of the velocities before and after. Motion that was made because no
//! forces were found is not explained at all.

use crate::body::{BodyState, Role};
use crate::flight::angular_momentum;
use crate::kinematics::mean_velocity;
use crate::report::EnergyAccount;
use crate::step::find::Candidate;
use crate::step::island::IslandNow;
use crate::step::respond::{Attempt, Pushed};
use crate::step::tuning;
use crate::world::Energy;
use silvia_contact::Twist;
use silvia_proximity::ContactState;
use silvia_solid::Vec3;

impl EnergyAccount {
    /// Puts down a piece of a length, s, before it is accepted.
    pub(super) fn put_piece(
        &mut self,
        now: &IslandNow<'_>,
        attempt: &Attempt<'_>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
    ) {
        for (index, state) in now.states[..now.island.movable].iter().enumerate() {
            self.loads += work_of_loads(now, index, [state, &flight[index], &attempt.ends[index]], length);
        }
        self.put_hands(now, attempt.ends, length);
        let Some(Pushed { participants, impulses, answer }) = attempt.pushed else { return };
        for (at, (&c, &impulse)) in participants.iter().zip(impulses).enumerate() {
            if let Some(end) = answer.states.get(at)
                && impulse != Vec3::ZERO
            {
                self.put_contact(now, attempt.ends, (&candidates[c], end), impulse, length);
            }
        }
    }

    /// Puts down what a contact does over a piece.
    fn put_contact(
        &mut self,
        now: &IslandNow<'_>,
        ends: &[BodyState],
        (candidate, end): (&Candidate, &ContactState),
        impulse: Vec3,
        length: f64,
    ) {
        let pair = &now.pairs[candidate.pair];
        let lasts = candidate.state.holds && candidate.state.gap <= tuning::TOUCH * pair.shell;
        let from = middle(&candidate.state);
        let to = middle(end);
        // Of the point of each body, the mean over the way, and that of the velocities at both ends.
        let velocities = pair.bodies.map(|body| {
            let [start, after] = [&now.states[body], &ends[body]];
            let of = |v: Twist, arm: Vec3| v.linear + v.angular.cross(arm);
            let arms = [from - start.centre, to - after.centre];
            let is_movable = body < now.island.movable;
            let mean = of(mean_velocity(start, after, length), 0.5 * (arms[0] + arms[1]));
            let of_ends = match is_movable {
                true => 0.5 * (of(start.velocity, arms[0]) + of(after.velocity, arms[1])),
                false => mean,
            };
            [mean, of_ends]
        });
        let [a, b] = velocities.map(|[mean, of_ends]| if lasts { mean } else { of_ends });
        // The impulse acts in the middle of the way.
        let direction = match (candidate.state.normal + end.normal).try_normalize() {
            Some(middle) if lasts => middle,
            _ => end.normal,
        };
        let normal = impulse.dot(direction);
        let across = impulse - normal * direction;
        self.friction -= across.dot(b - a);
        if !lasts {
            self.impacts -= normal * (b - a).dot(direction);
        }
        for (side, (velocity, sign)) in [(a, -1.0), (b, 1.0)].into_iter().enumerate() {
            let is_movable = pair.bodies[side] < now.island.movable;
            if !is_movable || matches!(now.body(pair.bodies[side]).role, Role::Held(_)) {
                // What a script or a hand does against the contact.
                self.driven -= sign * impulse.dot(velocity);
            }
        }
    }

    /// Puts down an impact that changed velocities from those `before`.
    pub(super) fn put_impact(&mut self, now: &IslandNow<'_>, before: &[Twist], driven: f64) {
        let kinetic = |index: usize, velocity: Twist| {
            let state = BodyState { velocity, ..now.states[index] };
            Energy::of(now.body(index), &state, Vec3::ZERO).kinetic
        };
        let gained: f64 = (0..now.island.movable)
            .map(|index| kinetic(index, now.states[index].velocity) - kinetic(index, before[index]))
            .sum();
        self.driven += driven;
        self.impacts += driven - gained;
    }

    /// Closes the account of an island's step: `start` is where all bodies of the world were before it.
    pub(super) fn close(&mut self, now: &IslandNow<'_>, start: &[BodyState]) {
        let start = |index: usize| &start[now.island.bodies[index] as usize];
        self.close_between(now, start, now.states);
    }

    /// The energy that a piece of a length, s, gains without a reason, J. What lifts bodies off each other
    /// does is known, and sinks back.
    pub(super) fn gain_of_piece(
        now: &IslandNow<'_>,
        attempt: &Attempt<'_>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
    ) -> f64 {
        let mut account = EnergyAccount::default();
        account.put_piece(now, attempt, flight, length, candidates);
        account.close_between(now, |index| &now.states[index], attempt.ends);
        let Some(Pushed { participants, impulses, answer }) = attempt.pushed else { return 0.0 };
        let lifted = |((&c, impulse), end): ((&usize, &Vec3), &ContactState)| {
            let opened = end.gap - candidates[c].state.gap;
            impulse.dot(end.normal) * (opened / length).max(0.0)
        };
        let lifted: f64 = participants.iter().zip(impulses).zip(&answer.states).map(lifted).sum();
        account.numerical - lifted
    }

    fn close_between<'a>(
        &mut self,
        now: &IslandNow<'_>,
        start: impl Fn(usize) -> &'a BodyState,
        ends: &[BodyState],
    ) {
        let gravity = now.world.outside().gravity;
        for (index, end) in ends[..now.island.movable].iter().enumerate() {
            let body = now.body(index);
            let [before, after] = [start(index), end].map(|state| Energy::of(body, state, gravity));
            self.kinetic += after.kinetic - before.kinetic;
            self.potential += after.potential - before.potential;
            if matches!(body.role, Role::Held(_)) {
                self.driven += after.total() - before.total();
            }
        }
        if !now.world.settings.level.has_inertia() {
            return;
        }
        let explained = self.loads + self.driven - self.friction - self.impacts;
        self.numerical = self.kinetic + self.potential - explained;
    }
}

/// The work of the loads on a body that starts in one state, would fly to a second, and ends in a third, J:
/// their impulse times the mean velocity.
fn work_of_loads(
    now: &IslandNow<'_>,
    index: usize,
    [start, flight, end]: [&BodyState; 3],
    length: f64,
) -> f64 {
    let body = now.body(index);
    if body.loads.is_empty() || matches!(body.role, Role::Held(_)) {
        return 0.0;
    }
    let alone = body.is_in_hand().then(|| now.alone(index, length));
    let flight = alone.as_ref().unwrap_or(flight);
    if (flight.centre, flight.rotation, flight.velocity) == (end.centre, end.rotation, end.velocity) {
        let of = |state: &BodyState| Energy::of(body, state, now.world.outside().gravity).total();
        return of(end) - of(start);
    }
    let mean = mean_velocity(start, end, length);
    let momentum = |s: &BodyState| angular_momentum(&body.inertia, s.rotation, s.velocity.angular);
    let gained = flight.velocity.linear - start.velocity.linear - length * now.world.outside().gravity;
    body.inertia.mass * gained.dot(mean.linear) + (momentum(flight) - momentum(start)).dot(mean.angular)
}

fn middle(state: &ContactState) -> Vec3 {
    state.points[0].midpoint(state.points[1])
}
