//! Parts that fit exactly: with no clearance at all on some of their sides.

use super::placing::{Made, Placing, THIRD_OF_A_TURN, at, gap, turned, unit};
use crate::steps::stage::{Stage, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::primitives::{cuboid, extrusion};

/// A box exactly between two walls: on the ground, or on its way through.
pub(super) fn between_walls(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let wall = made.cuboid(Vec3::new(unit, 4.0 * unit, 4.0 * unit))?;
    let mut placing = Placing::new();
    placing.tell(&format!("{made:?}"));
    for side in [-1.0, 1.0] {
        placing.fix("wall", &wall, at(Vec3::X * side * unit)?);
    }
    if random.chance(0.5) {
        placing.ground(-2.0 * unit)?;
    }
    // On the ground if there is one, halfway, its top flush with those of the walls, or on the mouth.
    let height = unit * random.pick(&[-1.5, -1.5, 0.0, 1.5, 2.5]);
    placing.free("box", &made.cuboid(Vec3::splat(unit))?, at(Vec3::Z * height)?);
    placing.with_velocity(unit * random.pick(&[Vec3::ZERO, Vec3::Y, -Vec3::Z]), Vec3::ZERO);
    placing.stage(random)
}

/// A rectangular peg exactly as wide as its hole along x, with room along y, above the hole or in it.
pub(super) fn peg_without_clearance(random: &mut Random) -> Result<Stage, String> {
    let unit = unit(random);
    let room = unit * random.pick(&[0.0009765625, 0.03125, 0.25]);
    let ring = |x: f64, y: f64| vec![[-x, -y], [x, -y], [x, y], [-x, y]];
    let hole = ring(unit, 0.5 * unit + room);
    let block = solid(extrusion(&ring(2.0 * unit, 2.0 * unit), &[hole], 2.0 * unit))?;
    let peg = solid(cuboid(Vec3::new(2.0, 1.0, 4.0) * unit))?;
    let mut placing = Placing::new();
    placing.fix("block", &block, at(Vec3::ZERO)?);
    // It starts above the hole, its lower end flush with the mouth or higher, or within.
    let height = if random.chance(0.5) { 3.0 * unit + gap(random, unit) } else { unit };
    // Along y it is in the middle, or flush as well.
    let aside = Vec3::Y * random.pick(&[0.0, room]);
    placing.free("peg", &peg, at(aside + Vec3::Z * height)?);
    placing.stage(random)
}

/// A dovetail of 45 degrees without any clearance, or with some where it is not flush; gravity acts along the
/// groove, across it, into it or out of it.
pub(super) fn flush_dovetail(random: &mut Random) -> Result<Stage, String> {
    let unit = unit(random);
    // How much wider than the tail the groove is, and how much deeper.
    let room = unit * random.pick(&[0.0, 0.0009765625, 0.03125]);
    let deeper = unit * random.pick(&[0.0, 0.03125]);
    // From one unit wide at its neck to two, half a unit high.
    let tail = [
        [-2.0, -1.0],
        [2.0, -1.0],
        [2.0, 0.0],
        [0.5, 0.0],
        [1.0, 0.5],
        [-1.0, 0.5],
        [-0.5, 0.0],
        [-2.0, 0.0],
    ];
    let tail = tail.map(|point: [f64; 2]| point.map(|x| x * unit));
    let (half, depth) = (0.5 * unit + room, 0.5 * unit + deeper);
    let (side, top) = (2.0 * unit, 2.0 * unit);
    let socket = [
        [-side, 0.0],
        [-half, 0.0],
        [-half - depth, depth],
        [half + depth, depth],
        [half, 0.0],
        [side, 0.0],
        [side, top],
        [-side, top],
    ];
    let down = random.pick(&[-Vec3::Z, Vec3::Z, Vec3::X, Vec3::Y, -Vec3::Y]);
    let mut placing = Placing::new().falling_along(THIRD_OF_A_TURN * down);
    // Along the groove they are flush, or half in.
    let along = unit * random.pick(&[0.0, 1.0]);
    // With room, one of the flanks is still flush.
    let aside = room * random.pick(&[-1.0, 0.0, 1.0]);
    let place = |place: Vec3| turned(THIRD_OF_A_TURN * place, THIRD_OF_A_TURN);
    placing.tell(&format!("room {room} beside and {deeper} above"));
    placing.fix("socket", &solid(extrusion(&socket, &[], 2.0 * unit))?, place(Vec3::ZERO)?);
    let tail = solid(extrusion(&tail, &[], 2.0 * unit))?;
    placing.free("tail", &tail, place(Vec3::new(aside, 0.0, along))?);
    placing.stage(random)
}

/// A cube in a corner of three fixed boxes, flush with all of them; gravity presses it on one, two or three
/// of them, or along them. A second cube may lie flush beside it.
pub(super) fn in_a_corner(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let wall = made.cuboid(Vec3::splat(4.0 * unit))?;
    let cube = made.cuboid(Vec3::splat(unit))?;
    let down = random.pick(&[-Vec3::Z, -Vec3::ONE, -Vec3::X - Vec3::Z, Vec3::X, -Vec3::X, Vec3::X - Vec3::Z]);
    let mut placing = Placing::new().falling_along(down);
    // The corner is the origin; the walls meet there edge along edge.
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let place = 2.0 * unit * (Vec3::ONE - 2.0 * axis);
        placing.fix("wall", &wall, at(place)?);
    }
    let middle = 0.5 * unit * Vec3::ONE;
    placing.free("cube", &cube, at(middle)?);
    placing.with_velocity(unit * random.pick(&[Vec3::ZERO, -Vec3::ONE, Vec3::Y]), Vec3::ZERO);
    if random.chance(0.5) {
        let beside = unit * random.pick(&[Vec3::X, Vec3::Z, Vec3::X + Vec3::Y, Vec3::new(0.5, 0.0, 1.0)]);
        placing.free("cube", &cube, at(middle + beside)?);
    }
    placing.stage(random)
}
