//! Scene 4: a bouncing ball.

use super::row::{Row, Rows};
use super::stage::{FORCE, GRAVITY, MOTION, Stage, ValidationError, at, pressure};
use crate::body::BodyId;
use crate::world::World;
use silvia_proximity::Shape;

pub(super) const NAME: &str = "bouncing ball";

const RESTITUTION: f64 = 0.5;

/// Above the ground at the start, m.
const HEIGHT: f64 = 1.0;

/// Of the ball, m.
const RADIUS: f64 = 0.1;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(dropped(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, ball) = dropped(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    let mut impacts = Vec::new();
    let mut last = stage.step()?;
    while stage.world.time() < 2.0 {
        last = stage.step()?;
        impacts.extend(last.impacts.iter().map(|impact| (impact.time, impact.speed)));
    }
    let first = (2.0 * HEIGHT / GRAVITY).sqrt();
    let e = RESTITUTION;
    let expected = [
        ("time of the first impact", first),
        ("time of the second impact", first * (1.0 + 2.0 * e)),
        ("time of the third impact", first * (1.0 + 2.0 * e + 2.0 * e * e)),
    ];
    for ((quantity, time), &(got, _)) in expected.into_iter().zip(&impacts) {
        rows.relative(quantity, "s", [time, got], MOTION);
    }
    let (Some(&(end, _)), Some(&(_, second))) = (impacts.last(), impacts.get(1)) else {
        return Err(ValidationError::NeverHappened { what: "second impact" });
    };
    rows.relative("speed at the second impact", "m/s", [e * GRAVITY * first, second], MOTION);
    // The last impacts follow each other within less than a step.
    rows.relative("time of rest", "s", [first * (1.0 + e) / (1.0 - e), end], MOTION);
    rows.absolute("speed at 2 s", "m/s", [0.0, stage.velocity(ball)?.linear.length()], 1e-9);
    rows.relative("force at 2 s", "N", [GRAVITY, pressure(&last)], FORCE);
    Ok(rows.done())
}

fn dropped(method: &str) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::new(method, 0.0, RESTITUTION)?;
    stage.ground()?;
    let ball = stage.free(Shape::sphere(RADIUS)?, at(0.0, 0.0, HEIGHT + RADIUS)?)?;
    Ok((stage, ball))
}
