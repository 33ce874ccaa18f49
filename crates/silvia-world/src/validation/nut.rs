//! Scene 18: a nut on a bolt.

use super::row::{Row, Rows};
use super::stage::{Stage, ValidationError, at};
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::parts::{HexBoltAndNut, MetricSize, ThreadFit};
use silvia_solid::{Solid, Vec3};
use std::f64::consts::{FRAC_PI_6, TAU};

pub(super) const NAME: &str = "nut";

/// Sides of the bolt; those of the nut have no common divisor with it, so that facets do not nest.
const SEGMENTS: usize = 64;

/// Between the flanks, m.
const CLEARANCE: f64 = 20e-6;

/// Pitch diameter of M20, m (ISO 724).
const PITCH_DIAMETER: f64 = 18.376e-3;

/// By how much friction may be off where the nut locks: flanks touch somewhere from the minor to the major
/// diameter, of which the limit is 0.0399 and 0.0345.
const FLANKS: f64 = 0.003;

/// Distance along the axis over the angle is compared to this: facets let the nut rise and fall a little.
const FACETS: f64 = 5e-3;

/// At the start, rad/s: over several facets in the time of a run.
const SPIN: f64 = -2.0;

pub(super) fn open(method: &str) -> Result<World, ValidationError> {
    Ok(turning(method, 0.02)?.0.world)
}

pub(super) fn run(method: &str) -> Result<Vec<Row>, ValidationError> {
    let (stage, _) = turning(method, 0.02)?;
    let mut rows = Rows::new(NAME, stage.method);
    let pitch = MetricSize::M20.pitch();
    let limit = pitch / (std::f64::consts::PI * PITCH_DIAMETER) * FRAC_PI_6.cos();
    let [below, above] = [limit - FLANKS, limit + FLANKS];
    let (slower, faster) = (speeds_up(method, above)?[0], speeds_up(method, below)?[0]);
    // Where it neither gains nor loses speed. It turns with the axis downwards.
    let locks = below + (above - below) * faster / (faster - slower);
    rows.absolute("least friction that holds", "", [limit, locks], FLANKS);
    let [_, a_radian] = speeds_up(method, 0.02)?;
    rows.relative("way along the axis in a turn", "m", [pitch, a_radian * TAU], FACETS);
    Ok(rows.done())
}

/// Angular acceleration over 50 ms, rad/s², and the way along the axis in a radian, m.
fn speeds_up(method: &str, friction: f64) -> Result<[f64; 2], ValidationError> {
    let (mut stage, nut) = turning(method, friction)?;
    let now = |stage: &Stage| -> Result<[f64; 3], ValidationError> {
        let rotation = stage.world.pose(nut)?.rotation();
        let turn = 2.0 * rotation.z.atan2(rotation.w);
        Ok([turn, stage.place(nut)?.z, stage.velocity(nut)?.angular.z])
    };
    // Until it is on its flanks.
    stage.run(0.01)?;
    let first = now(&stage)?;
    stage.run(0.05)?;
    let last = now(&stage)?;
    Ok([(last[2] - first[2]) / 0.05, (last[1] - first[1]) / (last[0] - first[0])])
}

/// A nut that turns on an M20 bolt, a micrometre above its flanks.
fn turning(method: &str, friction: f64) -> Result<(Stage, BodyId), ValidationError> {
    let part = HexBoltAndNut {
        size: MetricSize::M20,
        length: 22e-3,
        fit: ThreadFit::Clearance(CLEARANCE),
        segments: SEGMENTS,
        nut_segments: HexBoltAndNut::coprime_above(SEGMENTS),
        rows: 1,
    };
    let mut stage = Stage::new(method, friction, 0.0)?;
    stage.fixed(Shape::solid(Solid::from_soup(&part.bolt()?)?), at(0.0, 0.0, 0.0)?)?;
    let along = SPIN * part.size.pitch() / TAU * Vec3::Z;
    let velocity = Twist { linear: along, angular: SPIN * Vec3::Z };
    let nut = Shape::solid(Solid::from_soup(&part.nut()?)?);
    let place = at(0.0, 0.0, 1e-6 - CLEARANCE / FRAC_PI_6.cos())?;
    let nut = stage.add(BodyBuilder::free(nut).density(7850.0).at(place).velocity(velocity))?;
    Ok((stage, nut))
}
