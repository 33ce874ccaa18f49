//! Scene 2: how far a block slides.

use super::STEP;
use super::row::{Row, Rows};
use super::stage::{FORCE, GRAVITY, MOTION, Stage, ValidationError, along_x, at, pressure};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

pub(super) const NAME: &str = "stopping distance";

const FRICTION: f64 = 0.2;

/// At the start, m/s. The error of a way is about half a step at this speed: a fast block makes it small
/// beside the way.
const SPEED: f64 = 4.0;

/// Slower than this it has stopped, m/s.
const STOPPED: f64 = 1e-9;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(sliding(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, block) = sliding(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    let deceleration = FRICTION * GRAVITY;
    let needed = SPEED / deceleration;
    let half = (0.5 * needed / STEP).round() * STEP;
    let report = stage.run(half)?;
    let slowed = (SPEED - stage.velocity(block)?.linear.x) / half;
    rows.relative("deceleration", "m/s²", [deceleration, slowed], MOTION);
    rows.relative("normal force", "N", [GRAVITY, pressure(&report)], FORCE);
    let friction: f64 = report.contacts.iter().map(|contact| contact.force.x).sum();
    rows.relative("friction force", "N", [FRICTION * GRAVITY, friction.abs()], FORCE);
    while stage.velocity(block)?.linear.length() > STOPPED {
        if stage.world.time() > 2.0 * needed {
            return Err(ValidationError::NeverHappened { what: "stop" });
        }
        stage.step()?;
    }
    rows.relative("time to stop", "s", [needed, stage.world.time()], MOTION);
    let way = SPEED * SPEED / (2.0 * deceleration);
    rows.relative("way to stop", "m", [way, stage.place(block)?.x], MOTION);
    Ok(rows.done())
}

fn sliding(method: &str) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, FRICTION, 0.0)?;
    stage.ground()?;
    let size = Vec3::new(0.2, 0.2, 0.1);
    let block = BodyBuilder::free(Shape::cuboid(size)?).mass(1.0).at(at(0.0, 0.0, 0.5 * size.z)?);
    let block = stage.add(block.velocity(along_x(SPEED)))?;
    Ok((stage, block))
}
