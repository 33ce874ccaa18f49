//! Scene 1: a block on a slope.

use super::row::{Row, Rows};
use super::stage::{
    FORCE, GRAVITY, MOTION, Stage, THRESHOLD, ValidationError, on_slope, pressure, threshold,
};
use crate::body::BodyId;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

pub(super) const NAME: &str = "slope";

/// Of the block, m: small, so that the gap to the ground (1e-9 of it) is small as well.
const SIZE: Vec3 = Vec3::new(0.2, 0.2, 0.1);

const FRICTION: f64 = 0.5;

/// A block that stays may move by this in 10 s, m.
const STILL: f64 = 1e-9;

/// What stays does not go faster than this after a while, m/s; what slides only just is faster by far.
const CREEP: f64 = 1e-7;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(block_on_slope(method, 30.0, FRICTION)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, block) = block_on_slope(method, 30.0, FRICTION)?;
    let mut rows = Rows::new(NAME, stage.method);
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let start = stage.place(block)?;
    let report = stage.run(2.0)?;
    let acceleration = GRAVITY * (sin - FRICTION * cos);
    rows.relative("way in 2 s at 30°", "m", [1.3143, stage.place(block)?.distance(start)], MOTION);
    let speed = stage.velocity(block)?.linear.length();
    rows.relative("acceleration at 30°", "m/s²", [acceleration, speed / 2.0], MOTION);
    rows.relative("normal force at 30°", "N", [GRAVITY * cos, pressure(&report)], FORCE);

    let needed = 30_f64.to_radians().tan();
    let holding = threshold(needed, "friction at which the block begins to hold", |friction| {
        let (mut stage, block) = block_on_slope(method, 30.0, friction)?;
        stage.run(0.05)?;
        Ok(stage.velocity(block)?.linear.length() < CREEP)
    })?;
    rows.relative("least friction that holds at 30°", "", [needed, holding], THRESHOLD);

    let (mut stage, block) = block_on_slope(method, 25.0, FRICTION)?;
    let start = stage.place(block)?;
    let report = stage.run(10.0)?;
    rows.absolute("way in 10 s at 25°", "m", [0.0, stage.place(block)?.distance(start)], STILL);
    let (sin, cos) = 25_f64.to_radians().sin_cos();
    rows.relative("normal force at 25°", "N", [GRAVITY * cos, pressure(&report)], FORCE);
    let along = report.contacts.iter().map(|contact| contact.force).sum::<Vec3>();
    let friction = along.reject_from(on_slope(25_f64.to_radians(), 0.0, 1.0)?.translation());
    rows.relative("friction force at 25°", "N", [GRAVITY * sin, friction.length()], FORCE);
    Ok(rows.done())
}

/// A block of 1 kg that touches a slope of an angle in degrees.
fn block_on_slope(method: &str, degrees: f64, friction: f64) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, friction, 0.0)?;
    let angle = degrees.to_radians();
    stage.slope(angle)?;
    let block = stage.free(Shape::cuboid(SIZE)?, on_slope(angle, 0.0, 0.5 * SIZE.z)?)?;
    Ok((stage, block))
}
