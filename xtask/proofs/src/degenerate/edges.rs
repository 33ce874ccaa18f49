//! Bodies that stand on an edge or a corner, lie on two parallel edges, or touch ridge on ridge.

use super::placing::{Made, Placing, THIRD_OF_A_TURN, UPSIDE_DOWN, at, gap, reach_below, turned, unit};
use crate::steps::stage::Stage;
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::primitives::{cone, prism};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// A body on an edge or a corner exactly below its centre of mass, on the ground or on a plate.
pub(super) fn balanced(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let mut placing = Placing::new();
    if random.chance(0.5) {
        placing.ground(0.0)?;
    } else {
        let plate = Vec3::new(8.0, 8.0, 1.0) * unit;
        placing.fix("plate", &made.cuboid(plate)?, at(-0.5 * unit * Vec3::Z)?);
    }
    let cube = Vec3::splat(unit);
    let kind = random.below(4);
    placing.tell(["box on an edge", "cube on a corner", "bar on an edge", "pyramid on its tip"][kind]);
    placing.tell(&format!("{made:?}"));
    let (shape, rotation, below) = match kind {
        0 => {
            let size = random.pick(&[cube, unit * Vec3::new(4.0, 1.0, 1.0)]);
            let rotation = Quat::from_rotation_x(FRAC_PI_4);
            (made.cuboid(size)?, rotation, reach_below(size, rotation))
        }
        1 => {
            let rotation = Quat::from_rotation_arc(Vec3::ONE.normalize(), -Vec3::Z);
            (made.cuboid(cube)?, rotation, reach_below(cube, rotation))
        }
        // These stand on an edge or a corner to the last bit.
        2 => (diamond(made, unit, 2.0 * unit)?, THIRD_OF_A_TURN, unit),
        _ => (made.body(cone(unit, unit, 4))?, UPSIDE_DOWN, 0.5 * unit),
    };
    let height = below + gap(random, unit);
    placing.free("balanced", &shape, turned(Vec3::Z * height, rotation)?);
    if random.chance(0.25) {
        placing.with_velocity(unit * random.pick(&[Vec3::X, Vec3::Y]), Vec3::ZERO);
    }
    placing.stage(random)
}

/// A body that lies symmetrically on the edges of two blocks: a bar with an edge down, or a flat one.
pub(super) fn on_two_edges(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    // Half the distance of the edges.
    let apart = unit * random.pick(&[0.25, 0.5, 0.75]);
    let block = made.cuboid(Vec3::splat(2.0 * unit))?;
    let mut placing = Placing::new();
    for side in [-1.0, 1.0] {
        placing.fix("block", &block, at(Vec3::new(0.0, side * (apart + unit), -unit))?);
    }
    let height = gap(random, unit);
    if random.chance(0.75) {
        // The bar is as long as the blocks, or shorter, or longer.
        let length = unit * random.pick(&[1.0, 2.0, 4.0]);
        let place = Vec3::Z * (unit - apart + height);
        placing.free("bar", &diamond(made, unit, length)?, turned(place, THIRD_OF_A_TURN)?);
    } else {
        // It just reaches the edges: its own lie on them.
        let size = Vec3::new(unit, 2.0 * apart, unit);
        placing.free("beam", &made.cuboid(size)?, at(Vec3::Z * (0.5 * unit + height))?);
    }
    placing.stage(random)
}

/// Two bars edge on edge: parallel and coincident, or crossed at 45 or 90 degrees; the lower one is fixed or
/// lies between two blocks.
pub(super) fn ridge_on_ridge(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let mut placing = Placing::new();
    let lower = diamond(made, unit, unit * random.pick(&[2.0, 4.0]))?;
    let upper = diamond(made, unit, unit * random.pick(&[2.0, 4.0]))?;
    let place = turned(Vec3::ZERO, THIRD_OF_A_TURN)?;
    if random.chance(0.6) {
        placing.fix("lower", &lower, place);
    } else {
        let block = made.cuboid(Vec3::splat(2.0 * unit))?;
        for side in [-1.0, 1.0] {
            placing.fix("block", &block, at(Vec3::new(0.0, side * 1.5, -1.5) * unit)?);
        }
        placing.free("lower", &lower, place);
    }
    let angle = random.pick(&[0.0, 0.0, FRAC_PI_2, FRAC_PI_4]);
    let crossed = if angle == 0.0 { THIRD_OF_A_TURN } else { Quat::from_rotation_z(angle) * THIRD_OF_A_TURN };
    // Their middles are above each other, or the ends meet corner on corner.
    let aside = if angle == 0.0 { Vec3::X * unit * random.pick(&[0.0, 1.0, 2.0]) } else { Vec3::ZERO };
    let height = 2.0 * unit + gap(random, unit);
    placing.free("upper", &upper, turned(aside + Vec3::Z * height, crossed)?);
    placing.stage(random)
}

/// A square bar along z with its edges on the axes of x and y: turned by a third of a turn, it lies along x
/// with an edge down, to the last bit.
fn diamond(made: Made, radius: f64, length: f64) -> Result<Shape, String> {
    made.body(prism(4, radius, length))
}
