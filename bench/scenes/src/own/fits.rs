//! Parts in close fit, and stones.

use super::{Made, Stage, at, solid};
use silvia::prelude::*;
use silvia::solid::parts::{Gear, KeyAndPocket, RoughStone, ScrewAndNut};
use std::f64::consts::{PI, TAU};

/// kg/m³
const STEEL: f64 = 7850.0;
const STONE: f64 = 2600.0;

/// An M16 nut on its screw, 40,000 triangles with 0.1 mm of clearance, that a hand turns at 10 rad/s along
/// the thread; pressed down by the hand as well, or exactly along the thread, where it touches nothing.
pub(super) fn nut_turned(is_pressed: bool) -> Made {
    let fit = ScrewAndNut { segments: 128, rows: 2, ..ScrewAndNut::default() };
    let mut stage = Stage::new(0.1)?;
    stage.add(BodyBuilder::fixed(solid(&fit.screw()?)?).named("screw"))?;
    let nut = stage.add(BodyBuilder::held(solid(&fit.nut()?)?).named("nut").density(STEEL))?;
    let turn = 10.0;
    let press = if is_pressed { 0.02 } else { 0.0 };
    let linear = Vec3::Z * (fit.pitch * turn / TAU - press);
    stage.hold(nut, Twist { linear, angular: Vec3::Z * turn });
    Ok(stage.run(1e-3, 50))
}

/// A screw that sinks through its fixed nut by its weight, without friction; 5,000 triangles.
pub(super) fn screw_sinks(step: f64, steps: usize) -> Made {
    let fit = ScrewAndNut::default();
    let mut stage = Stage::new(0.0)?;
    stage.add(BodyBuilder::fixed(solid(&fit.nut()?)?).named("nut"))?;
    stage.add(BodyBuilder::free(solid(&fit.screw()?)?).named("screw").density(STEEL))?;
    Ok(stage.run(step, steps))
}

/// A nut of 1,300 triangles that falls on the end of its screw, tilted by two degrees.
pub(super) fn nut_dropped() -> Made {
    let fit = ScrewAndNut::default();
    let mut stage = Stage::new(0.2)?;
    stage.add(BodyBuilder::fixed(solid(&fit.screw()?)?).named("screw"))?;
    let tilt = 2_f64.to_radians();
    let height = fit.tip() - fit.nut_faces()[0] + fit.across * tilt + 1e-3;
    let place = Pose::new(Vec3::Z * height, Quat::from_rotation_x(tilt))?;
    stage.add(BodyBuilder::free(solid(&fit.nut()?)?).named("nut").density(STEEL).at(place))?;
    Ok(stage.run(1e-3, 150))
}

/// Two gears in mesh on the ground, 65,000 triangles, one turned by a script at 10 rad/s.
pub(super) fn gears() -> Made {
    let gear = Gear { flank_segments: 200, ..Gear::default() };
    let mut stage = Stage::new(0.1)?;
    stage.add_ground()?;
    let wheel = solid(&gear.soup()?)?;
    let height = Vec3::Z * (0.5 * gear.width + 5e-5);
    let turn = Twist { linear: Vec3::ZERO, angular: Vec3::Z * 10.0 };
    stage
        .add(BodyBuilder::scripted(wheel.clone(), Script::Velocity(turn)).named("driver").at(at(height)?))?;
    // A gap of the second faces the tooth of the first.
    let half_a_tooth = Quat::from_rotation_z(PI / gear.teeth as f64);
    let beside = Pose::new(height + Vec3::X * gear.centre_distance(&gear), half_a_tooth)?;
    stage.add(BodyBuilder::free(wheel).named("driven").density(STEEL).at(beside))?;
    Ok(stage.run(1e-3, 50))
}

/// Five stones of 100,000 triangles each that land on the ground: four beside each other, one on top.
pub(super) fn stones(step: f64, steps: usize) -> Made {
    let mut stage = Stage::new(0.5)?;
    stage.add_ground()?;
    for number in 0..5 {
        let stone = RoughStone { triangles: 100_000, seed: 10 + number, ..RoughStone::default() };
        let soup = stone.soup()?;
        let reach = stone.radius * (1.0 + stone.roughness);
        let beside = |i: u64| if i == 0 { -reach } else { reach };
        let place = match number {
            4 => Vec3::Z * (3.2 * reach),
            // Just above the ground.
            _ => Vec3::new(beside(number % 2), beside(number / 2), 5e-4 - soup.bounds().min.z),
        };
        let down = Twist { linear: Vec3::Z * -0.5, angular: Vec3::ZERO };
        let body = BodyBuilder::free(solid(&soup)?).named(format!("stone {number}")).density(STONE);
        stage.add(body.at(at(place)?).velocity(down))?;
    }
    Ok(stage.run(step, steps))
}

/// A rectangular peg that falls into its chamfered pocket, tilted by one degree about its own x axis.
pub(super) fn key(step: f64, steps: usize) -> Made {
    let fit = KeyAndPocket::default();
    let mut stage = Stage::new(0.2)?;
    stage.add(BodyBuilder::fixed(solid(&fit.block()?)?).named("block"))?;
    let tilt = 1_f64.to_radians();
    let half = 0.5 * (fit.length * tilt.cos() + fit.sides[1] * tilt.sin());
    let place = Pose::new(Vec3::Z * (0.5 * fit.depth + half + 1e-3), Quat::from_rotation_x(tilt))?;
    stage.add(BodyBuilder::free(solid(&fit.key()?)?).named("key").density(STEEL).at(place))?;
    Ok(stage.run(step, steps))
}
