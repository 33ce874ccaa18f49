//! Scene 12: a rocking block.

use super::row::{Row, Rows};
use super::stage::{GRAVITY, MOTION, Stage, ValidationError};
use crate::body::BodyId;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Vec3};

pub(super) const NAME: &str = "rocking block";

/// Of the block, m.
const SIZE: Vec3 = Vec3::new(0.5, 0.5, 1.5);

/// More than Housner's block needs not to slip.
const FRICTION: f64 = 1.0;

/// At the start, as a fraction of the tilt at which it would stand on its edge.
const TILT: f64 = 0.6;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(tilted(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, block) = tilted(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    // Times and angular velocities about y at the ends of all steps.
    let mut turning: Vec<[f64; 2]> = Vec::new();
    let impact = loop {
        if stage.world.time() > 5.0 {
            return Err(ValidationError::NeverHappened { what: "impact of the other edge" });
        }
        let report = stage.step()?;
        if let Some(impact) = report.impacts.first() {
            break impact.time;
        }
        turning.push([stage.world.time(), stage.velocity(block)?.angular.y]);
    };
    let before = extrapolated(turning.split_off(turning.len().saturating_sub(2)), impact);
    // Not the end of the step with the impact: it is made of two pieces.
    let mut turning = Vec::new();
    for _ in 0..2 {
        stage.step()?;
        turning.push([stage.world.time(), stage.velocity(block)?.angular.y]);
    }
    let after = extrapolated(turning, impact);

    let alpha = SIZE.x.atan2(SIZE.z);
    let radius = 0.5 * SIZE.x.hypot(SIZE.z);
    let fallen = ((1.0 - TILT) * alpha).cos() - alpha.cos();
    let speed = (1.5 * GRAVITY / radius * fallen).sqrt();
    rows.relative("angular speed before the impact", "rad/s", [speed, before.abs()], MOTION);
    let kept = 1.0 - 1.5 * alpha.sin().powi(2);
    rows.relative("angular speed after by that before", "", [kept, after / before], MOTION);
    Ok(rows.done())
}

/// Where the line through two points in time is at a time.
fn extrapolated(points: Vec<[f64; 2]>, time: f64) -> f64 {
    match points[..] {
        [[t0, x0], [t1, x1]] => x0 + (x1 - x0) / (t1 - t0) * (time - t0),
        _ => f64::NAN,
    }
}

/// A block on its edge along y through the origin, leaning over it.
fn tilted(method: &str) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, FRICTION, 0.0)?;
    stage.ground()?;
    let rotation = Quat::from_rotation_y(TILT * SIZE.x.atan2(SIZE.z));
    let edge = 0.5 * Vec3::new(SIZE.x, 0.0, -SIZE.z);
    let block = stage.free(Shape::cuboid(SIZE)?, Pose::new(-(rotation * edge), rotation)?)?;
    Ok((stage, block))
}
