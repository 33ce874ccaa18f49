//! Scene 5: friction is the same in all directions.

use super::row::{Row, Rows};
use super::stage::{GRAVITY, MOTION, Stage, ValidationError, at};
use crate::body::BodyId;
use crate::load::Load;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

pub(super) const NAME: &str = "push";

const FRICTION: f64 = 0.5;

/// N, on 1 kg.
const PUSH: f64 = 8.0;

/// Directions of the push, degrees from x: along the sides, diagonally, and between.
const DIRECTIONS: [f64; 6] = [0.0, 17.0, 45.0, 71.3, 135.0, 260.0];

/// How far the motion may be off the push, as a fraction of the speed.
const ISOTROPY: f64 = 1e-6;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(pushed(method, DIRECTIONS[1])?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let mut rows = Rows::new(NAME, Stage::new(method, 0.0, 0.0)?.method);
    let expected = PUSH - FRICTION * GRAVITY;
    let (mut off, mut turning, mut worst) = (0.0_f64, 0.0_f64, expected);
    for direction in DIRECTIONS {
        let (mut stage, block) = pushed(method, direction)?;
        stage.run(0.3)?;
        let velocity = stage.velocity(block)?;
        let along = Vec3::new(direction.to_radians().cos(), direction.to_radians().sin(), 0.0);
        let speed = velocity.linear.dot(along);
        off = off.max(velocity.linear.reject_from(along).length() / speed);
        turning = turning.max(velocity.angular.length());
        if (speed / 0.3 - expected).abs() >= f64::abs(worst - expected) {
            worst = speed / 0.3;
        }
    }
    rows.relative("acceleration, worst of six directions", "m/s²", [expected, worst], MOTION);
    rows.absolute("speed across the push by that along it, worst", "", [0.0, off], ISOTROPY);
    rows.absolute("angular velocity, worst", "rad/s", [0.0, turning], ISOTROPY);
    Ok(rows.done())
}

/// A box pushed through its centre of mass.
fn pushed(method: &str, degrees: f64) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, FRICTION, 0.0)?;
    stage.ground()?;
    let size = Vec3::new(0.2, 0.2, 0.1);
    let block = stage.free(Shape::cuboid(size)?, at(0.0, 0.0, 0.5 * size.z)?)?;
    let (sin, cos) = degrees.to_radians().sin_cos();
    stage.world.add_load(block, Load::force(PUSH * Vec3::new(cos, sin, 0.0)))?;
    Ok((stage, block))
}
