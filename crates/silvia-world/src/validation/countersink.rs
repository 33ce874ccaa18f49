//! Scene 17: a bolt over a countersunk hole.

use super::row::{Row, Rows};
use super::stage::{Stage, THRESHOLD, ValidationError, at, threshold};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::hand::Hand;
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::parts::CountersunkBolt;
use silvia_solid::{Quat, Solid, Vec3};
use std::f64::consts::PI;

pub(super) const NAME: &str = "countersink";

/// Sides of bolt and hole.
const SEGMENTS: usize = 24;

/// How far beside the hole the bolt is, m.
const ASIDE: f64 = 1.5e-3;

/// What presses it down besides its weight, N.
const PRESS: f64 = 5.0;

/// Against tilting, N m/rad: the torque of the contact tilts it by less than a thousandth.
const UPRIGHT: f64 = 100.0;

/// What stays is not faster than this after 50 ms, m/s; what slides is in its seat by then, or faster by far.
const CREEP: f64 = 1e-6;

/// What slides has come down by this, m.
const SUNK: f64 = 1e-4;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(bolt_beside_hole(method, 0.5)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (stage, _) = bolt_beside_hole(method, 0.5)?;
    let mut rows = Rows::new(NAME, stage.method);
    let slope = slope(&part());
    let holding = threshold(slope, "friction at which the bolt begins to hold", |friction| {
        let (mut stage, bolt) = bolt_beside_hole(method, friction)?;
        let start = stage.place(bolt)?.z;
        stage.run(0.05)?;
        let is_still = stage.velocity(bolt)?.linear.length() < CREEP;
        Ok(is_still && start - stage.place(bolt)?.z < SUNK)
    })?;
    rows.relative("least friction that holds on a wall of 45°", "", [slope, holding], THRESHOLD);
    Ok(rows.done())
}

fn part() -> CountersunkBolt {
    CountersunkBolt { segments: SEGMENTS, ..CountersunkBolt::default() }
}

/// Of a facet of the wall against the level: a little steeper than the cone.
fn slope(part: &CountersunkBolt) -> f64 {
    part.head_height / ((part.head_radius - part.shank_radius) * (PI / SEGMENTS as f64).cos())
}

/// A bolt of steel, held upright by a hand that presses it down, a micrometre above the wall of its hole.
fn bolt_beside_hole(method: &str, friction: f64) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, friction, 0.0)?;
    let part = part();
    stage.fixed(Shape::solid(Solid::from_soup(&part.block()?)?), at(0.0, 0.0, 0.0)?)?;
    // Aside towards the middle of a facet, so that the way is straight down that. The lower edge of the shank
    // touches the wall where the hole is as wide as the shank and the way aside.
    let to_side = (PI / SEGMENTS as f64).cos();
    let slope = slope(&part);
    let mouth = part.head_radius * to_side + part.clearance * slope.hypot(1.0) / slope;
    let touch = (part.shank_radius * to_side + ASIDE - mouth) * slope;
    let aside = Quat::from_rotation_z(PI / SEGMENTS as f64) * (ASIDE * Vec3::X);
    let place = at(aside.x, aside.y, touch + part.length + 1e-6)?;
    let bolt = Shape::solid(Solid::from_soup(&part.bolt()?)?);
    let bolt = stage.add(BodyBuilder::free(bolt).density(7850.0).at(place))?;
    let upright = Twist { linear: Vec3::ZERO, angular: Vec3::splat(UPRIGHT) };
    let push = Twist { linear: -PRESS * Vec3::Z, angular: Vec3::ZERO };
    stage.world.take(bolt, Hand::new(0.0, 0.0).with_stiffness(upright).with_push(push))?;
    Ok((stage, bolt))
}
