//! How long a piece may be for straight ways to be a likeness of the true ones.
//!
//! The way from one state to the next is straight for every point of a body. Over a turn that is no likeness:
//! at half a turn all points go through the middle, and after a whole one the body seems not to have moved,
//! so that a rotor would pass through what stands between its blades. Nor is it where a script goes somewhere
//! and comes back. So pieces end where a script bends, and before a body has turned far; and cages hold all
//! of what turns.

use crate::body::{Body, BodyState, Role};
use crate::step::island::Run;
use crate::world::World;
use silvia_proximity::{RigidPath, ShapeKind, swept_box};
use silvia_solid::{Aabb, Vec3};

/// No body that may meet another turns by more than this in one piece, rad: no point is then farther from its
/// true way than an eighth of its distance from the middle.
const MOST_TURN: f64 = 1.0;

impl Run<'_> {
    /// How much of the time left a piece may take at most, s.
    pub(super) fn at_once(&self, left: f64) -> f64 {
        if self.island.pairs.is_empty() {
            return left;
        }
        let (now, end) = (self.time(), self.time() + left);
        let soonest = self.world.settings.shortest_cut * self.length;
        let mut length = left;
        for (index, state) in self.states.iter().enumerate() {
            let body = self.body(index);
            if is_turned(body, state, length) {
                length = MOST_TURN / state.velocity.angular.length();
            }
            if let Role::Scripted(script) = &body.role
                && let Some(bend) = script.bends(now + soonest, end).next()
            {
                length = length.min(bend - now);
            }
        }
        length
    }
}

/// Around a body on its free way from one state to another within a time of the world, s, straight or not.
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
        bounds = bounds.merged(swept_box(&body.contact_body, &path));
        if [&from, &to].iter().any(|state| is_turned(body, state, ends - begins)) {
            let radius = Vec3::splat(body.shape.reach() + body.inertia.centre.length());
            bounds = bounds.merged(Aabb {
                min: from.centre.min(to.centre) - radius,
                max: from.centre.max(to.centre) + radius,
            });
        }
    };
    if let Role::Scripted(script) = &body.role {
        script.bends(start, end).for_each(|time| leg_to((time, world.scripted_state(number, time))));
    }
    leg_to((end, *to));
    bounds
}

/// Whether a body turns too far in a time, s.
fn is_turned(body: &Body, state: &BodyState, length: f64) -> bool {
    let is_ball = body.shape.kind() == ShapeKind::Sphere && body.inertia.centre == Vec3::ZERO;
    !is_ball && state.velocity.angular.length() * length > MOST_TURN
}
