//! A dovetail in its groove, a bolt in its countersink, a rectangular peg that falls into its pocket.

use super::stage::{Stage, moving, pose, power, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::{CountersunkBolt, Dovetail, KeyAndPocket};

/// Steps of a trial.
const STEPS: usize = 200;

/// Steel, kg/m³.
const STEEL: f64 = 7850.0;

/// A rail in its groove: a hand pushes it along and across and twists it, or it is free and was given a push.
pub(super) fn dovetail(random: &mut Random) -> Result<Stage, String> {
    let fit = Dovetail { clearance: power(random, -5.0, -3.5), ..Dovetail::default() };
    let socket = BodyBuilder::fixed(solid(fit.socket())?).named("socket");
    let tail = solid(fit.tail())?;
    // In one trial of four it is pushed exactly along the groove.
    let askew = if random.chance(0.25) { 0.0 } else { 1.0 };
    let is_held = random.chance(0.5);
    let mut push = || {
        let along = Vec3::Z * random.between(-0.3, 0.3);
        moving(along + askew * random.vector(0.1), askew * random.vector(3.0))
    };
    if is_held {
        let velocities = (0..8).map(|_| push()).collect();
        let tail = BodyBuilder::held(tail).named("tail").density(STEEL);
        return Ok(Stage::new(random, STEPS, vec![socket, tail]).held(1, 25, velocities));
    }
    let tail = BodyBuilder::free(tail).named("tail").density(STEEL).velocity(push());
    Ok(Stage::new(random, STEPS, vec![socket, tail]))
}

/// A countersunk bolt that falls into its hole while it spins: from above, or with its shank in the hole.
pub(super) fn countersink(random: &mut Random) -> Result<Stage, String> {
    let segments = random.pick(&[8, 16, 24, 48]);
    let fit =
        CountersunkBolt { segments, clearance: power(random, -4.5, -3.7), ..CountersunkBolt::default() };
    let block = BodyBuilder::fixed(solid(fit.block())?).named("block");
    let is_above = random.chance(0.5);
    let is_aligned = random.chance(0.3);
    let height = if is_above { fit.length + 1e-3 } else { random.between(2e-3, 10e-3) };
    let (lean, shift) = if is_above { (0.03, 1e-4) } else { (0.1 * fit.clearance / fit.length, 0.0) };
    let lean = if is_aligned { 0.0 } else { lean };
    let tilt = Quat::from_rotation_x(random.between(-lean, lean))
        * Quat::from_rotation_y(random.between(-lean, lean));
    let aside = if is_aligned { Vec3::ZERO } else { random.vector(shift) * Vec3::new(1.0, 1.0, 0.0) };
    let spin = Vec3::Z * random.between(-50.0, 50.0);
    let bolt = BodyBuilder::free(solid(fit.bolt())?)
        .named("bolt")
        .density(STEEL)
        .at(pose(aside + Vec3::Z * height, tilt)?)
        .velocity(moving(-Vec3::Z * random.between(0.0, 0.3), if is_aligned { Vec3::ZERO } else { spin }));
    Ok(Stage::new(random, STEPS, vec![block, bolt]))
}

/// A rectangular peg that falls into its pocket, tilted about exactly one of its own axes or not at all, in
/// steps of 1 and of 2 ms.
pub(super) fn key(random: &mut Random) -> Result<Stage, String> {
    let fit = KeyAndPocket {
        clearance: random.pick(&[0.02e-3, 0.05e-3, 0.1e-3, 0.2e-3]),
        ..KeyAndPocket::default()
    };
    let block = BodyBuilder::fixed(solid(fit.block())?).named("block");
    let tilt = random.pick(&[0.0_f64, 0.5, 1.0, 2.0]).to_radians();
    let is_about_x = random.chance(0.5);
    let (turn, side) = match is_about_x {
        true => (Quat::from_rotation_x(tilt), fit.sides[1]),
        false => (Quat::from_rotation_y(tilt), fit.sides[0]),
    };
    // The lowest edge is this far above the block.
    let above = random.pick(&[0.5e-3, 2e-3]);
    let half = 0.5 * (fit.length * tilt.cos() + side * tilt.sin());
    let place = pose(Vec3::Z * (0.5 * fit.depth + above + half), turn)?;
    let step = random.pick(&[1e-3, 2e-3]);
    let is_smooth = random.chance(0.3);
    let peg = BodyBuilder::free(solid(fit.key())?).named("key").density(STEEL).at(place);
    let stage = Stage::new(random, STEPS, vec![block, peg]);
    if is_smooth {
        return Ok(Stage { friction: 0.0, restitution: 0.0, step, ..stage });
    }
    Ok(Stage { step, ..stage })
}
