//! How long a piece may be for straight paths to stand for the true ones.
//!
//! The path from one state to the next is straight for every point of a body. Over a large turn that is far
//! from the truth: at half a turn all points go through the centre, and after a whole one the body seems not
//! to have moved, so that a rotor would pass through what stands between its blades. The same holds where a
//! script goes somewhere and comes back. So pieces end where a script bends, and before a body has turned
//! far; and cages hold all of what turns.

use crate::body::{Body, BodyState, Role};
use crate::step::island::IslandNow;
use crate::step::tuning;
use crate::world::World;
use silvia_proximity::{RigidPath, ShapeKind, swept_box};
use silvia_solid::{Aabb, Vec3};

/// How much of the time left a piece may take at most, s.
pub(super) fn longest_piece(now: &IslandNow<'_>, left: f64) -> f64 {
    if now.island.pairs.is_empty() {
        return left;
    }
    let (time, end) = (now.time(), now.time() + left);
    let soonest = now.shortest_piece();
    let mut length = left;
    for (index, state) in now.states.iter().enumerate() {
        let body = now.body(index);
        if is_turned(body, state, length) {
            length = tuning::MOST_TURN / state.velocity.angular.length();
        }
        // Hands may turn what rests.
        while index < now.island.movable
            && body.is_in_hand()
            && length > soonest
            && is_turned(body, &now.free_end(index, length), length)
        {
            length = (0.5 * length).max(soonest);
        }
        if let Role::Scripted(script) = &body.role
            && let Some(bend) = script.bends(time + soonest, end).next()
        {
            length = length.min(bend - time);
        }
    }
    length
}

/// A box around a body on its free way between two states and times of the world, s, straight or not.
pub(super) fn box_around(
    world: &World,
    number: usize,
    [from, to]: [&BodyState; 2],
    [start, end]: [f64; 2],
) -> Aabb {
    let body = world.body(number as u32);
    let mut bounds = Aabb::EMPTY;
    let mut begin = (start, *from);
    let mut leg_to = |end: (f64, BodyState)| {
        let [(begins, from), (ends, to)] = [begin, end];
        begin = end;
        let [here, there] = [&from, &to].map(|state| world.pose_of_state(number, state));
        let path = RigidPath { from: here, to: there, about: body.inertia.centre };
        let straight = swept_box(&body.contact_body, &path);
        bounds = bounds.merged(box_with_turn(body, [&from, &to], ends - begins, straight));
    };
    if let Role::Scripted(script) = &body.role {
        script.bends(start, end).for_each(|time| leg_to((time, world.scripted_state(number, time))));
    }
    leg_to((end, *to));
    bounds
}

/// A box around a body that goes from one state to another in a time, s, straight or not: `straight`, and all
/// of what turns far.
pub(super) fn box_with_turn(body: &Body, states: [&BodyState; 2], time: f64, straight: Aabb) -> Aabb {
    if !states.iter().any(|state| is_turned(body, state, time)) {
        return straight;
    }
    let [from, to] = states.map(|state| state.centre);
    let radius = Vec3::splat(body.shape.reach() + body.inertia.centre.length());
    straight.merged(Aabb { min: from.min(to) - radius, max: from.max(to) + radius })
}

/// Whether a body turns too far in a time, s.
fn is_turned(body: &Body, state: &BodyState, length: f64) -> bool {
    let is_ball = body.shape.kind() == ShapeKind::Sphere && body.inertia.centre == Vec3::ZERO;
    !is_ball && state.velocity.angular.length() * length > tuning::MOST_TURN
}
