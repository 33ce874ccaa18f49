//! Balls and rollers at symmetric places: in lattices, on corners, edges and seams.

use super::placing::{Made, Placing, THIRD_OF_A_TURN, at, gap, turned, unit};
use crate::steps::stage::{Stage, said, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::primitives::{cone, cylinder};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, SQRT_2};

/// Equal balls that touch exactly: a cube of balls, a pyramid on four, a tower, or a row with a ball over
/// each of its gaps.
pub(super) fn lattice(random: &mut Random) -> Result<Stage, String> {
    let radius = 0.5 * unit(random);
    let ball = Shape::sphere(radius).map_err(said)?;
    let side = 2.0 * radius;
    let square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    // In diameters, from the middle of the first ball.
    let mut places: Vec<Vec3> = Vec::new();
    let kind = random.below(4);
    match kind {
        0 => {
            for z in [0.0, 1.0] {
                places.extend(square.map(|[x, y]| Vec3::new(x, y, z)));
            }
        }
        1 => {
            places.extend(square.map(|[x, y]| Vec3::new(x, y, 0.0)));
            places.push(Vec3::new(0.5, 0.5, FRAC_1_SQRT_2));
        }
        2 => places.extend([0.0, 1.0, 2.0, 3.0].map(|z| Vec3::Z * z)),
        _ => {
            places.extend([0.0, 1.0, 2.0].map(|x| Vec3::X * x));
            places.extend([0.5, 1.5].map(|x| Vec3::new(x, 0.0, 0.75_f64.sqrt())));
        }
    }
    let mut placing = Placing::new();
    placing.tell(["a cube", "a pyramid", "a tower", "a row"][kind]);
    placing.ground(0.0)?;
    let height = Vec3::Z * (radius + gap(random, radius));
    for place in places {
        placing.free("ball", &ball, at(side * place + height)?);
    }
    placing.stage(random)
}

/// A ball whose middle is exactly over a corner, an edge, a seam of two flush boxes, the point where four
/// meet, or a tip.
pub(super) fn ball_on_feature(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let cube = made.cuboid(Vec3::splat(2.0 * unit))?;
    let mut placing = Placing::new();
    // The feature is at the origin, on top.
    let kind = random.below(5);
    placing.tell(["on a corner", "on an edge", "on a seam", "where four meet", "on a tip"][kind]);
    placing.tell(&format!("{made:?}"));
    let places: &[[f64; 2]] = match kind {
        0 => &[[1.0, 1.0]],
        1 => &[[1.0, 0.0]],
        2 => &[[1.0, 0.0], [-1.0, 0.0]],
        3 => &[[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]],
        _ => &[],
    };
    for &[x, y] in places {
        placing.fix("cube", &cube, at(unit * Vec3::new(x, y, -1.0))?);
    }
    if places.is_empty() {
        placing.fix("tip", &made.body(cone(unit, unit, 4))?, at(-0.5 * unit * Vec3::Z)?);
    }
    let radius = unit * random.pick(&[0.5, 1.0, 4.0]);
    let ball = Shape::sphere(radius).map_err(said)?;
    let height = Vec3::Z * (radius + gap(random, unit));
    placing.free("ball", &ball, at(height)?);
    if random.chance(0.3) {
        placing.free("ball", &ball, at(height + 2.0 * radius * Vec3::Z)?);
    } else {
        let push = random.pick(&[Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::Y]);
        placing.with_velocity(unit * push, Vec3::ZERO);
    }
    placing.stage(random)
}

/// A cylinder exactly on an edge, along it, across it or at half a right angle; on two edges; or standing
/// with its rim over one.
pub(super) fn roller(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let cube = made.cuboid(Vec3::splat(2.0 * unit))?;
    let length = unit * random.pick(&[1.0, 2.0, 4.0]);
    let is_round = random.chance(0.5);
    let roller = match is_round {
        true => Shape::cylinder(unit, length).map_err(said)?,
        false => solid(cylinder(unit, length, 8))?,
    };
    let mut placing = Placing::new();
    let kind = random.below(5);
    placing.tell(["along", "across", "askew", "on two edges", "standing"][kind]);
    placing.tell(if is_round { "round" } else { "octagonal" });
    placing.tell(&format!("on {made:?}"));
    // An upper edge of the first cube is the y axis.
    placing.fix("cube", &cube, at(unit * Vec3::new(1.0, 0.0, -1.0))?);
    let lies_along_y = Quat::from_rotation_x(FRAC_PI_2);
    let (aside, height, rotation) = match kind {
        0 => (0.0, unit, lies_along_y),
        1 => (0.0, unit, THIRD_OF_A_TURN),
        2 => (0.0, unit, Quat::from_rotation_z(FRAC_PI_4) * THIRD_OF_A_TURN),
        // Between two edges: at a right angle from its middle where it is round, and no deeper if it is not.
        3 => {
            let apart = unit * SQRT_2;
            placing.fix("cube", &cube, at(unit * Vec3::new(-1.0, 0.0, -1.0) - Vec3::X * apart)?);
            (-0.5 * apart, unit * FRAC_1_SQRT_2, lies_along_y)
        }
        _ => (random.pick(&[0.0, -unit]), 0.5 * length, Quat::IDENTITY),
    };
    let place = Vec3::X * aside + Vec3::Z * (height + gap(random, unit));
    placing.free("roller", &roller, turned(place, rotation)?);
    placing.stage(random)
}
