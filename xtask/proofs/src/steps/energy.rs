//! Mechanical energy that must not grow.

use super::stage::said;
use silvia::prelude::*;
use silvia::world::{Budget, Energy};

/// Bodies are kept apart by a shell, and touching ones are opened to some shells before the first step: the
/// weight of all may be raised by so many of them in a step.
const RAISED_BY: f64 = 10.0;

/// What rounding may add to the energy of motion, as a fraction of it.
const ROUNDING: f64 = 1e-9;

/// How much energy a world has gained in its last step (s) beyond rounding and shells, as a fraction of the
/// work that gravity can do in a step. That much a method of first order is off where contacts change; says
/// what was wrong if it is more, or if it adds up over steps that all `was_exact`. The energies are those at
/// the start of all steps and before the last one.
pub(super) fn check(
    world: &World,
    ids: &[BodyId],
    was: [Energy; 2],
    (step, was_exact): (f64, bool),
) -> Result<f64, String> {
    let [start, before] = was;
    let settings = world.settings();
    let shell = shell(settings);
    let mut size = 0.0_f64;
    for &id in ids {
        if matches!(world.role(id).map_err(said)?, Role::Free) {
            size = size.max(2.0 * world.shape(id).map_err(said)?.reach());
        }
    }
    // J: of lifting all bodies by the size of the largest.
    let lifted = world.mass() * settings.gravity.length() * size;
    let allowed = RAISED_BY * shell * lifted + ROUNDING * before.kinetic;
    let after = world.energy();
    let gain = after.total() - before.total();
    let quicker = settings.gravity.length() * step;
    let speed = (2.0 * before.kinetic / world.mass()).sqrt();
    let work = world.mass() * quicker * (speed + quicker);
    let part = ((gain - allowed) / work).max(0.0);
    // Nor may it add up.
    let gained = after.total() - start.total();
    let adds_up = was_exact && gained > RAISED_BY * shell * lifted + ROUNDING * start.kinetic + work;
    if part <= 1.0 && !adds_up {
        return Ok(part);
    }
    Err(format!(
        "energy grew by {:.1e} of what lifts all bodies by their size, {:.0} times what is allowed and \
         {part:.1e} of gravity's work in a step (of motion {:+.1e} from {:.1e}, by gravity {:+.1e}; since \
         the start {:+.1e})",
        gain / lifted,
        gain / allowed,
        (after.kinetic - before.kinetic) / lifted,
        before.kinetic / lifted,
        (after.potential - before.potential) / lifted,
        (after.total() - start.total()) / lifted
    ))
}

/// The shell in use, as a fraction of the smaller body's size.
pub(super) fn shell(settings: &WorldSettings) -> f64 {
    if settings.interactive.is_some() { settings.shell.max(Budget::SHELL) } else { settings.shell }
}
