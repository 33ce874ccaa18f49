//! Parts on one axis: a nut on its screw, a prism in its hole, gears in mesh at a symmetric pose.

use super::placing::{Placing, at, gap, turned};
use crate::steps::stage::{Stage, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::{Gear, PegAndHole, ScrewAndNut};
use std::f64::consts::{PI, TAU};

/// m
const UNIT: f64 = 0.015625;

/// A nut exactly on the axis of its screw, turned by a whole number of facets: on the thread, or dropped on
/// the tip.
pub(super) fn nut(random: &mut Random) -> Result<Stage, String> {
    let fit = ScrewAndNut {
        segments: random.pick(&[8, 12, 16]),
        rows: 1,
        radius: 0.5 * UNIT,
        pitch: 0.125 * UNIT,
        screw_turns: 6,
        nut_turns: 3,
        clearance: UNIT / random.pick(&[128.0, 256.0]),
        across: 1.5 * UNIT,
        head: 0.5 * UNIT,
    };
    let facets = random.whole(0, fit.segments as u64 - 1) as f64;
    let turn = facets / fit.segments as f64;
    let rotation = Quat::from_rotation_z(TAU * turn);
    let is_on = random.chance(0.5);
    let height =
        if is_on { fit.pitch * turn } else { fit.tip() - fit.nut_faces()[0] + gap(random, 8.0 * UNIT) };
    let mut placing = Placing::new();
    placing.fix("screw", &solid(fit.screw())?, at(Vec3::ZERO)?);
    placing.free("nut", &solid(fit.nut())?, turned(Vec3::Z * height, rotation)?);
    let spin = random.pick(&[0.0, 0.0, 16.0, -16.0]);
    placing.with_velocity(-Vec3::Z * random.pick(&[0.0, 0.25]), Vec3::Z * spin);
    placing.stage(random)
}

/// A prism exactly on the axis of a hole with as many facets, turned by a whole number of them: above the
/// hole, in it, or on its floor.
pub(super) fn prism_in_hole(random: &mut Random) -> Result<Stage, String> {
    let fit = PegAndHole {
        facets: random.pick(&[3, 4, 6, 8, 16]),
        radius: UNIT,
        clearance: UNIT / random.pick(&[64.0, 512.0]),
        length: 4.0 * UNIT,
        depth: 3.0 * UNIT,
        floor: random.pick(&[0.0, UNIT]),
        wall: UNIT,
    };
    let top = if fit.floor > 0.0 { fit.depth - 0.5 * fit.length } else { 0.5 * fit.depth };
    let above = top + 0.5 * fit.length + gap(random, 8.0 * UNIT);
    let height = random.pick(&[above, UNIT, 0.0]);
    let facets = random.whole(0, fit.facets as u64 - 1) as f64;
    let rotation = Quat::from_rotation_z(TAU * facets / fit.facets as f64);
    let mut placing = Placing::new();
    placing.fix("block", &solid(fit.block())?, at(Vec3::ZERO)?);
    placing.free("peg", &solid(fit.peg())?, turned(Vec3::Z * height, rotation)?);
    let spin = random.pick(&[0.0, 0.0, 0.0, 8.0]);
    placing.with_velocity(-Vec3::Z * random.pick(&[0.0, 0.5]), Vec3::Z * spin);
    placing.stage(random)
}

/// Two equal gears where a tooth of one is in the middle of a gap of the other: side by side, or one dropped
/// along its axis into the mesh, its lower face flush with the other's upper one or higher.
pub(super) fn gears(random: &mut Random) -> Result<Stage, String> {
    let teeth = random.pick(&[18, 20]);
    let gear = Gear {
        teeth,
        module: 0.125 * UNIT,
        backlash: UNIT / random.pick(&[256.0, 512.0]),
        width: 0.5 * UNIT,
        bore_radius: 0.25 * UNIT,
        flank_segments: random.pick(&[1, 2, 3]),
        ..Gear::default()
    };
    let wheel = solid(gear.soup())?;
    let half_a_tooth = Quat::from_rotation_z(PI / teeth as f64);
    let is_beside = random.chance(0.5);
    let height = if is_beside { 0.0 } else { gear.width + gap(random, 8.0 * UNIT) };
    let mut placing = Placing::new();
    if is_beside || random.chance(0.7) {
        placing.ground(-0.5 * gear.width)?;
    }
    placing.fix("first", &wheel, at(Vec3::ZERO)?);
    let place = Vec3::X * gear.centre_distance(&gear) + Vec3::Z * height;
    placing.free("second", &wheel, turned(place, half_a_tooth)?);
    let pushes = [Vec3::ZERO, -Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
    let spin = if is_beside { random.pick(&[0.0, 8.0]) } else { 0.0 };
    placing.with_velocity(0.125 * random.pick(&pushes), Vec3::Z * spin);
    placing.stage(random)
}
