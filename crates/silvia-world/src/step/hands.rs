//! Hands over a piece: what they did, and whether they would have had to be stronger than they are.

use crate::account::MomentumAccount;
use crate::body::{BodyId, BodyState};
use crate::hand::{HandId, HandRecord, pulls};
use crate::kinematics::mean_velocity;
use crate::report::EnergyAccount;
use crate::step::island::IslandNow;
use crate::step::tuning;
use silvia_solid::Vec3;

/// The hands that would have exceeded their largest force or torque over a piece of a length, s, with the
/// shares of their springs by which they do not. Contacts stop bodies within a piece, so that this is not
/// known before.
pub(super) fn exceeded(now: &IslandNow<'_>, ends: &[BodyState], length: f64) -> Vec<(HandId, [f64; 2])> {
    let of_body = |index: usize| {
        let held = Some(now.body(index)).filter(|body| body.is_in_hand());
        let span = now.span(length);
        held.into_iter().flat_map(move |body| {
            let pulls = pulls(body, &now.states[index], span, &now.shares);
            pulls.filter_map(move |pull| {
                Some((pull.id, pull.weaker(ends[index].velocity, tuning::OVER_LIMIT)?))
            })
        })
    };
    (0..now.island.movable).flat_map(of_body).collect()
}

/// Adds up what hands do over a piece of a length, s, at whose end bodies are in given states: in `records`
/// as impulses, N s and N m s.
pub(super) fn put_hands(
    now: &IslandNow<'_>,
    ends: &[BodyState],
    length: f64,
    records: &mut Vec<HandRecord>,
    momentum: &mut MomentumAccount,
) {
    for (index, end) in ends[..now.island.movable].iter().enumerate() {
        let body = now.body(index);
        if !body.is_in_hand() {
            continue;
        }
        let id: BodyId = now.world.id(now.island.bodies[index]);
        for pull in pulls(body, &now.states[index], now.span(length), &now.shares) {
            let force = pull.force_told(end.velocity);
            let at = end.centre + end.rotation * (now.states[index].rotation.conjugate() * pull.arm());
            let [force, torque] = [force.linear, force.angular].map(|mean| length * mean);
            match records.iter_mut().find(|record| record.hand == pull.id) {
                Some(record) => {
                    record.force += force;
                    record.torque += torque;
                    record.at = at;
                    let more = pull.is_limited();
                    (0..2).for_each(|i| record.is_limited[i] |= more[i]);
                }
                None => records.push(HandRecord {
                    hand: pull.id,
                    body: id,
                    force,
                    torque,
                    at,
                    is_limited: pull.is_limited(),
                }),
            }
            momentum.loads += force;
        }
        momentum.loads += weight_borne(now, index, length);
    }
}

impl EnergyAccount {
    /// Puts down the work of hands over a piece of a length, s.
    pub(super) fn put_hands(&mut self, now: &IslandNow<'_>, ends: &[BodyState], length: f64) {
        for (index, end) in ends[..now.island.movable].iter().enumerate() {
            let body = now.body(index);
            if !body.is_in_hand() {
                continue;
            }
            let start = &now.states[index];
            let mean = mean_velocity(start, end, length);
            for pull in pulls(body, start, now.span(length), &now.shares) {
                let (force, way) = (pull.force_told(end.velocity), pull.way(mean));
                self.driven += force.linear.dot(way.linear) + force.angular.dot(way.angular);
            }
            self.driven += weight_borne(now, index, length).dot(mean.linear);
        }
    }
}

/// The impulse by which hands bear the weight of a body over a time, s.
fn weight_borne(now: &IslandNow<'_>, index: usize, length: f64) -> Vec3 {
    let body = now.body(index);
    let mut pulls = pulls(body, &now.states[index], now.span(length), &now.shares);
    let is_borne = pulls.any(|pull| pull.bears_weight);
    if is_borne { -length * body.inertia.mass * now.world.outside().gravity } else { Vec3::ZERO }
}
