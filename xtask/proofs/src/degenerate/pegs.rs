//! A rectangular peg that falls into its chamfered pocket, tilted about exactly one or two of its own axes.

use super::placing::{Placing, at, gap, reach_below, turned};
use crate::steps::stage::{Stage, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::KeyAndPocket;

/// m
const UNIT: f64 = 0.015625;

/// A peg over the middle of its pocket, or exactly beside it by the clearance or the chamfer.
pub(super) fn tilted(random: &mut Random) -> Result<Stage, String> {
    let fit = KeyAndPocket {
        sides: random.pick(&[[2.0 * UNIT, UNIT], [UNIT, UNIT]]),
        length: 4.0 * UNIT,
        clearance: UNIT * random.pick(&[0.03125, 0.0078125, 0.001953125]),
        chamfer: UNIT * random.pick(&[0.125, 0.0625]),
        depth: 3.0 * UNIT,
        floor: random.pick(&[0.0, UNIT]),
        wall: UNIT,
    };
    let top = if fit.floor > 0.0 { fit.depth - 0.5 * fit.length } else { 0.5 * fit.depth };
    let tilt = random.pick(&[0.0_f64, 1.0, 2.0, 5.0]).to_radians();
    let (about_x, about_y) = (Quat::from_rotation_x(tilt), Quat::from_rotation_y(tilt));
    let rotation = random.pick(&[about_x, about_y, about_x * about_y]);
    let size = Vec3::new(fit.sides[0], fit.sides[1], fit.length);
    let side = random.pick(&[Vec3::X, Vec3::Y, Vec3::X + Vec3::Y]);
    let aside = side * random.pick(&[0.0, 0.0, fit.clearance, fit.chamfer, fit.chamfer + fit.clearance]);
    let height = top + reach_below(size, rotation) + gap(random, 8.0 * UNIT);

    let mut placing = Placing::new();
    placing.fix("block", &solid(fit.block())?, at(Vec3::ZERO)?);
    placing.free("peg", &solid(fit.key())?, turned(aside + Vec3::Z * height, rotation)?);
    placing.with_velocity(-Vec3::Z * random.pick(&[0.0, 0.5, 1.0]), Vec3::ZERO);
    placing.stage(random)
}
