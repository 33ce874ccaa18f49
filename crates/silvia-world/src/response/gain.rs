//! Contact forces that create energy are no answer, whatever residual they have.
//!
//! A pair of features whose gap is negative where the step starts, because its lines pass each other outside
//! of the features, and positive where it ends, is pushed through by all of that within the step. So does a
//! fixpoint that has not settled push bodies anywhere. Contacts do work where they regain shells, and where
//! points that turn are taken for points that go straight: that is small and goes with the square of the
//! step. More is refused, so that a shorter step is tried.

use super::impact::slip;
use super::iterate::{Iterate, slack, target};
use super::scratch::{Work, refill};
use super::task::Task;
use silvia_contact::Twist;
use silvia_solid::Vec3;

/// Contacts may do work up to this fraction of the kinetic energy of the bodies that they push.
const OF_ENERGY: f64 = 1e-3;

/// Work up to this fraction of the energy that contacts turn over is none.
const OF_TURNED_OVER: f64 = 1e-3;

/// Whether impulses give the bodies that they push more energy, from their free velocities to those of an
/// iterate, than contacts can.
pub(super) fn creates_energy(task: &Task<'_>, at: &Iterate, impulses: &[Vec3], room: &mut Work) -> bool {
    let Work { free, is_pushed } = room;
    refill(free, task.bodies.iter().map(|b| b.free_velocity));
    refill(is_pushed, task.bodies.iter().map(|_| false));
    // What bodies that cannot be moved give, what it takes to regain shells, and what goes back and forth, J.
    let (mut given, mut regained, mut turned_over) = (0.0, 0.0, 0.0);
    for (k, &impulse) in impulses.iter().enumerate().filter(|(_, impulse)| **impulse != Vec3::ZERO) {
        let contact = &task.contacts[k];
        let arms = at.row(task, k).arms;
        for (side, &body) in contact.bodies.iter().enumerate() {
            is_pushed[body] = true;
            if task.bodies[body].inertia.is_none() {
                let at_point = free[body].linear + free[body].angular.cross(arms[side]);
                given += if side == 0 { impulse.dot(at_point) } else { -impulse.dot(at_point) };
            }
        }
        if contact.lacks_shell() {
            let missing = (target(task, k) - contact.start.gap.max(0.0)).max(0.0);
            regained += impulse.dot(at.states[k].normal).max(0.0) * missing / task.time_step;
        }
        if task.sweeps > 0 {
            // A quick answer is off by as much, one way or the other.
            regained += impulse.length() * slack(task, k);
        }
        let [before, after] = [&*free, &at.velocities].map(|velocities| slip(task, at, k, velocities));
        turned_over += 0.5 * impulse.length() * (before.length() + after.length());
    }
    let kinetic = |velocities: &[Twist]| -> f64 {
        let of_body = |body: usize| match task.bodies[body].inertia {
            Some((mass, inertia)) if is_pushed[body] => {
                let v = velocities[body];
                0.5 * (mass * v.linear.length_squared() + v.angular.dot(inertia * v.angular))
            }
            _ => 0.0,
        };
        (0..task.bodies.len()).map(of_body).sum()
    };
    let before = kinetic(free);
    let gain = kinetic(&at.velocities) - before - given;
    // What is no number is no answer either.
    gain.is_nan() || gain > regained + OF_ENERGY * before + OF_TURNED_OVER * turned_over
}
