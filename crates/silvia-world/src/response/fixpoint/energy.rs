//! Contact forces that create energy are no answer, whatever residual they have.
//!
//! A pair of features whose gap is negative where the step starts, because its lines pass each other outside
//! of the features, and positive where it ends, is pushed through by all of that within the step. So does a
//! fixpoint that has not settled push bodies anywhere. Contacts do work where they regain shells, and where
//! points that turn are taken for points that go straight: that is small and goes with the square of the
//! step. More is refused, so that a shorter step is tried.

use super::Demands;
use super::iterate::Iterate;
use crate::buffers::refill;
use crate::response::impact::slip;
use crate::response::tuning;
use silvia_contact::Twist;
use silvia_solid::Vec3;

/// Memory of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct EnergyScratch {
    free: Vec<Twist>,
    is_pushed: Vec<bool>,
}

/// Whether impulses give the bodies that they push more energy, from their free velocities to those of an
/// iterate, than contacts can.
/// A quick answer may also be off by how fast its contacts may close (`slack`, m/s), one way or the other.
pub(super) fn creates_energy(
    Demands { problem, targets }: Demands<'_>,
    at: &Iterate,
    impulses: &[Vec3],
    slack: Option<&[f64]>,
    EnergyScratch { free, is_pushed }: &mut EnergyScratch,
) -> bool {
    refill(free, problem.bodies.iter().map(|b| b.free_velocity));
    refill(is_pushed, problem.bodies.iter().map(|_| false));
    // What bodies that cannot be moved give, what it takes to regain shells, and what goes back and forth, J.
    let (mut given, mut regained, mut turned_over) = (0.0, 0.0, 0.0);
    for (k, &impulse) in impulses.iter().enumerate().filter(|(_, impulse)| **impulse != Vec3::ZERO) {
        let contact = &problem.contacts[k];
        let arms = at.row(problem, k).arms;
        for (side, &body) in contact.bodies.iter().enumerate() {
            is_pushed[body] = true;
            if problem.bodies[body].inertia.is_none() {
                let at_point = free[body].linear + free[body].angular.cross(arms[side]);
                given += if side == 0 { impulse.dot(at_point) } else { -impulse.dot(at_point) };
            }
        }
        if contact.lacks_shell() {
            let missing = (targets[k] - contact.start.gap.max(0.0)).max(0.0);
            regained += impulse.dot(at.states[k].normal).max(0.0) * missing / problem.time_step;
        }
        if let Some(slack) = slack {
            regained += impulse.length() * slack[k];
        }
        let [before, after] = [&*free, &at.velocities].map(|velocities| slip(problem, at, k, velocities));
        turned_over += 0.5 * impulse.length() * (before.length() + after.length());
    }
    let kinetic = |velocities: &[Twist]| -> f64 {
        let of_body = |body: usize| match is_pushed[body] {
            true => 0.5 * problem.bodies[body].square(velocities[body]).unwrap_or(0.0),
            false => 0.0,
        };
        (0..problem.bodies.len()).map(of_body).sum()
    };
    let before = kinetic(free);
    let gain = kinetic(&at.velocities) - before - given;
    // What is no number is no answer either.
    gain.is_nan() || gain > regained + tuning::NO_GAIN * before + tuning::NO_GAIN * turned_over
}
