//! The account of a step's linear momentum: what gravity, loads and contacts with bodies that are not free
//! gave the free ones. Contacts among free bodies give nothing. What is left over is the error of the step:
//! all of what was made because no forces were found.

use crate::account::MomentumAccount;
use crate::body::{BodyState, Role};
use crate::report::ImpactRecord;
use crate::state::Memory;
use crate::step::island::IslandNow;
use silvia_solid::Vec3;

impl MomentumAccount {
    /// Puts down what loads give over a piece of a length, s, after which free flight would put bodies to
    /// `flight`.
    pub(super) fn put_loads(&mut self, now: &IslandNow<'_>, flight: &[BodyState], length: f64) {
        let gravity = length * now.world.outside().gravity;
        for (index, (from, to)) in now.states.iter().zip(flight).enumerate().take(now.island.movable) {
            let body = now.body(index);
            if is_free(now, now.island.bodies[index]) && !body.loads.is_empty() {
                let alone = body.is_in_hand().then(|| now.alone(index, length));
                let to = alone.as_ref().unwrap_or(to);
                self.loads += body.inertia.mass * (to.velocity.linear - from.velocity.linear - gravity);
            }
        }
    }

    /// Closes the account of an island's step: `start` is where all bodies of the world were before it,
    /// `forces` are the mean ones over the step, N.
    pub(super) fn close(
        &mut self,
        now: &IslandNow<'_>,
        start: &[BodyState],
        forces: &Memory,
        impacts: &[ImpactRecord],
    ) {
        for (index, state) in now.states[..now.island.movable].iter().enumerate() {
            let number = now.island.bodies[index];
            if is_free(now, number) {
                let mass = now.body(index).inertia.mass;
                self.change += mass * (state.velocity.linear - start[number as usize].velocity.linear);
                self.gravity += mass * now.step * now.world.outside().gravity;
            }
        }
        for ((bodies, _), &force) in forces.iter() {
            self.contacts += given(now, *bodies, now.step * force);
        }
        for impact in impacts {
            self.contacts += given(now, impact.bodies.map(|id| id.number), impact.impulse);
        }
        if !now.world.settings.level.has_inertia() {
            return;
        }
        self.numerical = self.change - self.gravity - self.loads - self.contacts;
    }
}

/// What an impulse on the second of two bodies gives to the free ones, N s.
fn given(now: &IslandNow<'_>, bodies: [u32; 2], impulse: Vec3) -> Vec3 {
    match bodies.map(|number| is_free(now, number)) {
        [true, false] => -impulse,
        [false, true] => impulse,
        _ => Vec3::ZERO,
    }
}

fn is_free(now: &IslandNow<'_>, number: u32) -> bool {
    matches!(now.world.body(number).role, Role::Free)
}
