//! A nut on its screw, and one that falls on the screw's end.

use super::stage::{Stage, moving, pose, power, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::ScrewAndNut;
use std::f64::consts::TAU;

/// Steps of a trial.
const STEPS: usize = 150;

/// Steel, kg/m³.
const STEEL: f64 = 7850.0;

/// A nut that a hand turns along the thread. In every other trial the hand also pushes and twists it.
pub(super) fn turned_by_hand(random: &mut Random) -> Result<Stage, String> {
    let fit = fit(random);
    let (screw, place) = on_screw(random, &fit)?;
    let nut = BodyBuilder::held(solid(fit.nut())?).named("nut").density(STEEL).at(place);
    let is_true = random.chance(0.5);
    let velocities = (0..6)
        .map(|_| {
            let turn = random.between(-30.0, 30.0);
            let along = Vec3::Z * fit.pitch * turn / TAU;
            if is_true {
                return moving(along, Vec3::Z * turn);
            }
            let astray = random.between(0.5, 1.5);
            let push = random.vector(1.0) * Vec3::new(0.05, 0.05, 0.01);
            let twist = random.vector(1.0) * Vec3::new(3.0, 3.0, 0.0);
            moving(astray * along + push, Vec3::Z * turn + twist)
        })
        .collect();
    Ok(Stage::new(random, STEPS, vec![screw, nut]).held(1, 25, velocities))
}

/// A free nut on the thread, sent off in any direction with a spin.
pub(super) fn pushed(random: &mut Random) -> Result<Stage, String> {
    let fit = fit(random);
    let (screw, place) = on_screw(random, &fit)?;
    let velocity = moving(random.vector(0.3), random.vector(1.0) * Vec3::new(10.0, 10.0, 40.0));
    let nut = BodyBuilder::free(solid(fit.nut())?).named("nut").density(STEEL).at(place).velocity(velocity);
    Ok(Stage::new(random, STEPS, vec![screw, nut]))
}

/// A nut that falls on the end of the screw: exactly aligned, or tilted and beside the axis.
pub(super) fn dropped(random: &mut Random) -> Result<Stage, String> {
    let fit = fit(random);
    let screw = BodyBuilder::fixed(solid(fit.screw())?).named("screw");
    let is_aligned = random.chance(0.4);
    let tilt = if is_aligned { 0.0 } else { random.between(-0.1, 0.1) };
    let aside = if is_aligned { Vec3::ZERO } else { random.vector(5e-4) * Vec3::new(1.0, 1.0, 0.0) };
    let turn = Quat::from_rotation_z(if is_aligned { 0.0 } else { random.between(0.0, TAU) })
        * Quat::from_rotation_x(tilt);
    // The nut turns about the origin of its frame: its lower face may come down by half of its width.
    let height = fit.tip() - fit.nut_faces()[0] + fit.across * tilt.abs() + random.between(0.5e-3, 3e-3);
    let place = pose(aside + Vec3::Z * height, turn)?;
    let spin = if is_aligned { Vec3::ZERO } else { random.vector(5.0) };
    let nut = BodyBuilder::free(solid(fit.nut())?)
        .named("nut")
        .density(STEEL)
        .at(place)
        .velocity(moving(-Vec3::Z * random.between(0.0, 0.3), spin));
    Ok(Stage::new(random, STEPS, vec![screw, nut]))
}

/// Mostly coarse: one in twelve has some 10,000 triangles.
pub(crate) fn fit(random: &mut Random) -> ScrewAndNut {
    let (segments, rows) =
        if random.chance(1.0 / 12.0) { (64, 2) } else { (random.pick(&[12, 16, 24, 32]), 1) };
    let clearance = power(random, -4.5, -3.7);
    ScrewAndNut { segments, rows, clearance, screw_turns: 8, nut_turns: 3, ..ScrewAndNut::default() }
}

/// The fixed screw, and where a nut is on it that has been turned by up to half a turn.
pub(crate) fn on_screw(random: &mut Random, fit: &ScrewAndNut) -> Result<(BodyBuilder, Pose), String> {
    let turn = if random.chance(0.3) { 0.0 } else { random.between(-0.5, 0.5) };
    let place = pose(Vec3::Z * fit.pitch * turn, Quat::from_rotation_z(TAU * turn))?;
    Ok((BodyBuilder::fixed(solid(fit.screw())?).named("screw"), place))
}
