//! Equal cubes whose corners, edges and faces coincide.

use super::placing::{Made, Placing, at, gap, reach_below, turned, unit};
use crate::steps::stage::Stage;
use seeded::Random;
use silvia::prelude::*;
use std::f64::consts::FRAC_PI_4;

/// Towers of cubes: corners on corners, shifted by half, or in a bond like bricks.
pub(super) fn stacked(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let cube = made.cuboid(Vec3::splat(unit))?;
    let mut placing = Placing::new();
    placing.ground(0.0)?;
    let levels = random.whole(2, 4);
    let is_bond = random.chance(0.4);
    let shift = random.pick(&[Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y]) * 0.5 * unit;
    let falls = gap(random, unit);
    for level in 0..levels {
        let height = Vec3::Z * ((level as f64 + 0.5) * unit + level as f64 * falls);
        let is_shifted = level % 2 == 1;
        // A row of a bond is flush, and one brick shorter where it is shifted.
        let bricks = if !is_bond { 1 } else { 3 - u64::from(is_shifted) };
        for brick in 0..bricks {
            let along = if is_bond {
                Vec3::X * unit * (brick as f64 + if is_shifted { 0.5 } else { 0.0 })
            } else if is_shifted {
                shift
            } else {
                Vec3::ZERO
            };
            placing.free("cube", &cube, at(height + along)?);
        }
    }
    placing.stage(random)
}

/// A cube over a fixed or free one whose lower edge or corner meets the upper one of the other.
pub(super) fn cube_on_cube(random: &mut Random) -> Result<Stage, String> {
    let (unit, made) = (unit(random), Made::any(random));
    let size = Vec3::splat(unit);
    let cube = made.cuboid(size)?;
    let mut placing = Placing::new();
    placing.ground(0.0)?;
    let below = at(0.5 * unit * Vec3::Z)?;
    if random.chance(0.5) {
        placing.fix("lower", &cube, below);
    } else {
        placing.free("lower", &cube, below);
    }
    let (edge_down, corner_down) =
        (Quat::from_rotation_y(FRAC_PI_4), Quat::from_rotation_arc(Vec3::ONE.normalize(), -Vec3::Z));
    let half = 0.5 * unit;
    let kind = random.below(7);
    let kinds = [
        "flush edges",
        "flush corners",
        "edge on edge",
        "edge on corner",
        "corner on edge",
        "corner on corner",
        "turned on the spot",
    ];
    placing.tell(kinds[kind]);
    placing.tell(&format!("{made:?}"));
    let (aside, rotation) = match kind {
        // Flush: edge along edge, corner on corner. If it falls, it slides along a face or an edge.
        0 => (Vec3::X * unit, Quat::IDENTITY),
        1 => (Vec3::new(unit, unit, 0.0), Quat::IDENTITY),
        // An edge or a corner on an edge or a corner.
        2 => (Vec3::X * half, edge_down),
        3 => (Vec3::new(half, half, 0.0), edge_down),
        4 => (Vec3::X * half, corner_down),
        5 => (Vec3::new(half, half, 0.0), corner_down),
        // Turned on the spot: eight edges cross.
        _ => (Vec3::ZERO, Quat::from_rotation_z(FRAC_PI_4)),
    };
    let height = unit + reach_below(size, rotation) + gap(random, unit);
    placing.free("upper", &cube, turned(aside + Vec3::Z * height, rotation)?);
    placing.stage(random)
}
