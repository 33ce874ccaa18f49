//! Scene 19: a break at billiards.

use super::row::{Row, Rows};
use super::stage::{Stage, ValidationError, along_x, at};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

pub(super) const NAME: &str = "billiards break";

/// Of a ball, m.
const RADIUS: f64 = 0.03;

/// Rows of the rack.
const RACK: usize = 5;

/// Of the cue ball, m/s.
const SPEED: f64 = 5.0;

/// How far ahead of the rack the cue ball starts, m.
const RUN_UP: f64 = 0.2;

/// Between neighbours in a loose rack, m.
const LOOSE: f64 = 1e-4;

/// How long the scene runs, s.
const TIME: f64 = 0.5;

/// Energy, momentum and symmetry may be off by this, relative: what solvers leave.
const SOLVED: f64 = 1e-8;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(racked(method)?.stage.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let Table { mut stage, balls, mirror } = racked(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    let energy = stage.world.energy().kinetic;
    let momentum = stage.world.momentum();
    let (mut of_energy, mut of_momentum, mut of_places, mut of_speeds) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut impacts = 0;
    while stage.world.time() < TIME {
        impacts += stage.step()?.impacts.len();
        of_energy = of_energy.max((stage.world.energy().kinetic / energy - 1.0).abs());
        of_momentum = of_momentum.max(stage.world.momentum().distance(momentum) / momentum.length());
        for &[left, right] in &mirror {
            let (a, b) = (stage.world.body_state(balls[left])?, stage.world.body_state(balls[right])?);
            let mirrored = |v: Vec3| v.with_y(-v.y);
            of_places = of_places.max(a.centre.distance(mirrored(b.centre)) / RADIUS);
            let apart = a.velocity.linear.distance(mirrored(b.velocity.linear));
            of_speeds = of_speeds.max(apart / SPEED);
        }
    }
    if impacts == 0 {
        return Err(ValidationError::NeverHappened { what: "impact" });
    }
    rows.absolute("change of energy by all of it, worst", "", [0.0, of_energy], SOLVED);
    rows.absolute("change of momentum by all of it, worst", "", [0.0, of_momentum], SOLVED);
    rows.absolute("places off the mirror by the radius, worst", "", [0.0, of_places], SOLVED);
    rows.absolute("velocities off the mirror by the first, worst", "", [0.0, of_speeds], SOLVED);
    Ok(rows.done())
}

struct Table {
    stage: Stage,
    balls: Vec<BodyId>,
    /// Which ball mirrors which in the plane y = 0; itself if it lies in it.
    mirror: Vec<[usize; 2]>,
}

/// A triangle of balls with its tip towards a ball that comes along x. They touch each other; but for
/// `bilateral`, which cannot take back contacts that it has released, they are loose, so that few meet at
/// once.
fn racked(method: &str) -> Result<Table, ValidationError> {
    let mut stage = Stage::without_gravity(method, 0.0, 1.0)?;
    let ball = || Ok::<_, ValidationError>(BodyBuilder::free(Shape::sphere(RADIUS)?).mass(0.17));
    let cue = ball()?.at(at(-RUN_UP - 2.0 * RADIUS, 0.0, 0.0)?).velocity(along_x(SPEED));
    let mut balls = vec![stage.add(cue)?];
    let mut mirror = vec![[0, 0]];
    let spacing = if stage.method == "bilateral" { RADIUS + 0.5 * LOOSE } else { RADIUS };
    for row in 0..RACK {
        let first = balls.len();
        for place in 0..=row {
            let (x, y) = (row as f64 * 3_f64.sqrt() * spacing, (2.0 * place as f64 - row as f64) * spacing);
            mirror.push([first + place, first + row - place]);
            balls.push(stage.add(ball()?.at(at(x, y, 0.0)?))?);
        }
    }
    Ok(Table { stage, balls, mirror })
}
