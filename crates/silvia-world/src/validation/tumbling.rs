//! Scene 9: a free body that spins about its middle axis.

use super::STEP;
use super::row::{Row, Rows};
use super::stage::{MOTION, Stage, ValidationError};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Vec3};

pub(super) const NAME: &str = "tumbling body";

/// Principal moments, kg m².
const MOMENTS: Vec3 = Vec3::new(1.0, 2.0, 3.0);

/// At the start, rad/s.
const SPIN: Vec3 = Vec3::new(0.01, 10.0, 0.01);

/// Between flips, s.
const FLIP: f64 = 2.75308;

/// What flight may lose of energy and momentum in two flips, relative.
const CONSERVED: f64 = 1e-9;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(spinning(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, body) = spinning(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    let energy = stage.world.energy().kinetic;
    let momentum = stage.world.angular_momentum(Vec3::ZERO);
    let mut flips = Vec::new();
    let mut before = spin_about_middle(&stage, body)?;
    while flips.len() < 3 {
        if stage.world.time() > 4.0 * FLIP {
            return Err(ValidationError::NeverHappened { what: "third flip" });
        }
        stage.step()?;
        let now = spin_about_middle(&stage, body)?;
        if before * now < 0.0 {
            // Where the line between two steps crosses zero.
            flips.push(stage.world.time() - STEP * now / (now - before));
        }
        before = now;
    }
    rows.relative("time between flips", "s", [FLIP, flips[1] - flips[0]], MOTION);
    rows.relative("full period", "s", [5.50617, flips[2] - flips[0]], MOTION);
    rows.relative("kinetic energy", "J", [energy, stage.world.energy().kinetic], CONSERVED);
    let turned = stage.world.angular_momentum(Vec3::ZERO).distance(momentum) / momentum.length();
    rows.absolute("change of angular momentum by all of it", "", [0.0, turned], CONSERVED);
    Ok(rows.done())
}

fn spin_about_middle(stage: &Stage, body: BodyId) -> Result<f64, ValidationError> {
    let rotation = stage.world.pose(body)?.rotation();
    Ok((rotation.conjugate() * stage.velocity(body)?.angular).y)
}

fn spinning(method: &str) -> Result<(Stage, BodyId), ValidationError> {
    let mut stage = Stage::without_gravity(method, 0.0, 0.0)?;
    let body = BodyBuilder::free(Shape::cuboid(Vec3::new(3.0, 2.0, 1.0))?)
        .mass_properties(1.0, Vec3::ZERO, Mat3::from_diagonal(MOMENTS))
        .velocity(Twist { linear: Vec3::ZERO, angular: SPIN });
    let body = stage.add(body)?;
    Ok((stage, body))
}
