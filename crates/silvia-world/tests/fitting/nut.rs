//! A nut on an M20 bolt runs down under its weight if friction is below the tangent of the lead angle times
//! the cosine of half the angle of the thread.

use super::{at, solid, world};
use silvia_contact::Twist;
use silvia_solid::Vec3;
use silvia_solid::parts::{HexBoltAndNut, MetricSize, ThreadFit};
use silvia_world::{BodyBuilder, Material};
use std::f64::consts::TAU;

/// `P / (pi d2)` for M20x2.5, `d2` = 18.376 mm, times cos 30 degrees. Where along the flanks they touch is
/// open: from the minor to the major diameter, this goes from 0.0399 to 0.0345.
const LIMIT: f64 = 0.0375;
/// m
const PITCH: f64 = 2.5e-3;

fn fit() -> HexBoltAndNut {
    // 20 um of clearance across the flanks; facets without a common divisor.
    HexBoltAndNut {
        size: MetricSize::M20,
        length: 22e-3,
        fit: ThreadFit::Clearance(20e-6),
        segments: 64,
        nut_segments: 67,
        rows: 1,
    }
}

/// A nut with a friction and a spin at the start, rad/s. How far it has turned, rad, and come along z, m,
/// and its angular velocity, rad/s, every 10 ms from 10 ms on, when it is on its flanks.
fn run(friction: f64, spin: f64, tens: usize, method: &str) -> Vec<[f64; 3]> {
    let fit = fit();
    let mut world = world(-9.81 * Vec3::Z, method);
    let steel = world.add_material(Material::new("steel", friction, 0.0)).unwrap();
    world.add(BodyBuilder::fixed(solid(fit.bolt())).named("bolt").material(steel)).unwrap();
    // A micrometre above its flanks.
    let play = 20e-6 / 30_f64.to_radians().cos();
    let velocity = Twist { linear: spin * PITCH / TAU * Vec3::Z, angular: spin * Vec3::Z };
    let nut = BodyBuilder::free(solid(fit.nut())).named("nut").density(7850.0).material(steel);
    let nut = world.add(nut.at(at(0.0, 0.0, -play + 1e-6)).velocity(velocity)).unwrap();
    let tens = (0..tens).map(|_| {
        for _ in 0..10 {
            world.step(1e-3).unwrap();
        }
        let (pose, velocity) = (world.pose(nut).unwrap(), world.velocity(nut).unwrap());
        let turn = 2.0 * pose.rotation().z.atan2(pose.rotation().w);
        [turn, pose.translation().z, velocity.angular.z]
    });
    tens.collect()
}

/// Its angular acceleration while it turns by more than a facet, and how far it moves along z in a radian.
fn speeds_up(friction: f64, method: &str) -> [f64; 2] {
    let found = run(friction, -2.0, 6, method);
    let [first, last] = [found[0], found[5]];
    [(last[2] - first[2]) / 0.05, (last[1] - first[1]) / (last[0] - first[0])]
}

#[test]
fn a_nut_with_little_friction_gains_speed_as_on_a_screw_and_moves_by_the_pitch_in_a_turn() {
    let nut = solid(fit().nut());
    let mass = nut.mass();
    let gyration = mass.inertia.z_axis.z / mass.volume;
    let friction = 0.02;
    // m g P / 2 pi against friction at a radius, on flanks that lean by 30 degrees, by the inertia of the
    // turn and of the way. The radius is between the minor and the major one.
    let [least, most] = [10e-3, 8.647e-3].map(|radius| {
        let torque = PITCH / TAU - friction * radius / 30_f64.to_radians().cos();
        9.81 * torque / (gyration + (PITCH / TAU).powi(2))
    });
    for method in ["auto", "ncp", "lcp"] {
        let [found, a_radian] = speeds_up(friction, method);
        assert!((a_radian / (PITCH / TAU) - 1.0).abs() < 0.005, "{method}: {a_radian}");
        assert!(-found > least && -found < most, "{method}: {found}, {least} to {most}");
    }
}

#[test]
fn a_nut_at_rest_begins_to_run_below_the_limit_of_friction_and_stays_above() {
    let [below, above] = [LIMIT - 0.003, LIMIT + 0.003].map(|friction| run(friction, 0.0, 10, "auto"));
    assert!(below[9][0] < -2e-3 && below[9][2] < below[4][2], "{below:?}");
    // What landing a micrometre below gave it is soon gone.
    assert!((above[9][0] - above[4][0]).abs() < 1e-9 && above[9][2].abs() < 1e-9, "{above:?}");
}
