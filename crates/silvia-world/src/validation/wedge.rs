//! Scene 16: a block on a wedge that is free to slide.

use super::row::{Row, Rows};
use super::stage::{FORCE, GRAVITY, MOTION, Stage, ValidationError, on_slope};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_proximity::Shape;
use silvia_solid::primitives::extrusion;
use silvia_solid::{Pose, Quat, Solid, Vec3};
use std::f64::consts::FRAC_PI_2;

pub(super) const NAME: &str = "free wedge";

/// Mass of the wedge, kg.
const OF_WEDGE: f64 = 3.0;

/// Mass of the block, kg.
const OF_BLOCK: f64 = 1.0;

/// Of its slope, degrees.
const ANGLE: f64 = 30.0;

/// Of the wedge, m.
const LENGTH: f64 = 2.0;

/// Of the wedge, m.
const WIDTH: f64 = 0.5;

/// How long the scene runs, s.
const TIME: f64 = 0.4;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(on_wedge(method)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (mut stage, [wedge, block]) = on_wedge(method)?;
    let mut rows = Rows::new(NAME, stage.method);
    let (sin, cos) = ANGLE.to_radians().sin_cos();
    let last = stage.run(TIME)?;
    let away = OF_BLOCK * GRAVITY * sin * cos / (OF_WEDGE + OF_BLOCK * sin * sin);
    let speed = -stage.velocity(wedge)?.linear.x;
    rows.relative("acceleration of the wedge", "m/s²", [away, speed / TIME], MOTION);
    let down = (OF_WEDGE + OF_BLOCK) * GRAVITY * sin / (OF_WEDGE + OF_BLOCK * sin * sin);
    let sliding = (stage.velocity(block)?.linear - stage.velocity(wedge)?.linear).length();
    rows.relative("acceleration of the block along it", "m/s²", [down, sliding / TIME], MOTION);
    let between = last.contacts.iter().filter(|c| c.bodies == [wedge, block]);
    let force = between.map(|contact| contact.force.dot(contact.normal)).sum();
    rows.relative("force between them", "N", [OF_WEDGE * away / sin, force], FORCE);
    let scale = OF_BLOCK * stage.velocity(block)?.linear.length();
    rows.absolute("momentum along x by that of the block", "", [0.0, stage.world.momentum().x / scale], 1e-9);
    Ok(rows.done())
}

/// A wedge that falls towards +x, and a block at its upper part.
fn on_wedge(method: &str) -> Result<(Stage, [BodyId; 2]), ValidationError> {
    let mut stage = Stage::new(method, 0.0, 0.0)?;
    stage.ground()?;
    let angle = ANGLE.to_radians();
    let side = [[0.0, 0.0], [LENGTH, 0.0], [0.0, LENGTH * angle.tan()]];
    let solid = Solid::from_soup(&extrusion(&side, &[], WIDTH)?)?;
    // The profile is drawn in the plane of x and y: stand it up.
    let upright = Pose::new(Vec3::ZERO, Quat::from_rotation_x(FRAC_PI_2))?;
    let wedge = stage.add(BodyBuilder::free(Shape::solid(solid)).mass(OF_WEDGE).at(upright))?;
    let size = Vec3::new(0.2, 0.2, 0.1);
    let on = on_slope(angle, 0.3, 0.5 * size.z)?;
    let middle = stage.world.inertia(wedge)?.centre.z;
    let top = Vec3::new(0.0, -middle, LENGTH * angle.tan());
    let pose = Pose::new(on.translation() + top, on.rotation())?;
    let block = stage.add(BodyBuilder::free(Shape::cuboid(size)?).mass(OF_BLOCK).at(pose))?;
    Ok((stage, [wedge, block]))
}
