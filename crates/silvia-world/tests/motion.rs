//! True motion while bodies touch: against closed forms, of second order in the step, with the energy that
//! friction leaves.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, EnergyAccount, Material, World, WorldSettings, response};
use std::sync::Arc;

/// m/s²
const G: f64 = 9.81;

/// Methods that know friction.
const METHODS: [&str; 3] = ["auto", "ncp", "lcp"];

/// A world of one material.
fn empty(method: &str, friction: f64, restitution: f64) -> World {
    let response = Arc::from(response::by_name(method).unwrap());
    let settings = WorldSettings::default().with_second_order(true);
    let mut world = World::with_response(settings, response).unwrap();
    world.add_material(Material::new("all", friction, restitution)).unwrap();
    world
}

fn with_ground(method: &str, friction: f64) -> World {
    let mut world = empty(method, friction, 0.0);
    add_ground(&mut world);
    world
}

fn add_ground(world: &mut World) {
    let material = world.material_id("all").unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(material)).unwrap();
}

fn add(world: &mut World, shape: Shape, at: Pose, velocity: Twist) -> BodyId {
    let material = world.material_id("all").unwrap();
    world.add(BodyBuilder::free(shape).mass(1.0).material(material).at(at).velocity(velocity)).unwrap()
}

fn place(world: &World, body: BodyId) -> Vec3 {
    world.pose(body).unwrap().translation()
}

/// The axis of a disk.
fn axis(world: &World, body: BodyId) -> Vec3 {
    world.pose(body).unwrap().rotation() * Vec3::Z
}

/// What came of a run.
struct Ran {
    /// Of all steps.
    energy: EnergyAccount,
    /// At the start, J.
    before: f64,
    /// Impacts after the first step.
    impacts: usize,
}

fn run(world: &mut World, step: f64, steps: usize) -> Ran {
    let mut ran = Ran { energy: EnergyAccount::default(), before: world.energy().total(), impacts: 0 };
    for number in 0..steps {
        let report = world.step(step).unwrap();
        assert!(report.shortfalls.is_empty(), "{:?}", report.shortfalls);
        ran.energy.add(&report.energy);
        ran.impacts += if number > 0 { report.impacts.len() } else { 0 };
    }
    ran
}

/// By what power of the step errors fall, between each and the next of half the step.
#[track_caller]
fn assert_second_order(errors: &[f64], about: &str) {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{about}: errors {errors:?}, orders {orders:.2?}");
    assert!(orders.iter().all(|&order| order >= 1.9), "{about}: errors {errors:?}, orders {orders:?}");
}

/// The disk of `scenes/disk.toml`.
fn disk_of_the_scene(method: &str) -> World {
    let mut world = with_ground(method, 0.6);
    let at = Pose::new(Vec3::new(0.0, 0.0, 0.021349), Quat::from_rotation_x(30_f64.to_radians())).unwrap();
    let spin = Twist { linear: Vec3::ZERO, angular: Vec3::new(0.0, 18.83, 12.98) };
    add(&mut world, Shape::cylinder(0.0375, 0.006).unwrap(), at, spin);
    world
}

/// A coin spun on a table, nearly upright.
fn spun_coin(method: &str) -> World {
    let mut world = with_ground(method, 0.3);
    let (radius, thickness, tilt) = (0.0125, 0.002, 80_f64.to_radians());
    let height = radius * tilt.sin() + 0.5 * thickness * tilt.cos() + 1e-7;
    let at = Pose::new(height * Vec3::Z, Quat::from_rotation_x(tilt)).unwrap();
    let spin = Twist { linear: Vec3::ZERO, angular: 40.0 * Vec3::Z };
    add(&mut world, Shape::cylinder(radius, thickness).unwrap(), at, spin);
    world
}

#[test]
fn coins_and_disks_roll_for_seconds_without_impacts_and_keep_their_energy() {
    for method in METHODS {
        for (name, open) in
            [("disk", disk_of_the_scene as fn(&str) -> World), ("coin", spun_coin as fn(&str) -> World)]
        {
            for (step, most) in [(2e-3, 1e-3), (1e-3, 1e-4)] {
                let mut world = open(method);
                let ran = run(&mut world, step, (3.0 / step) as usize);
                let lost = ran.energy.numerical.abs() / ran.before;
                println!("{name} under {method} in steps of {step} s: {lost:.2e}, {:?}", ran.energy);
                assert!(lost <= most, "{name} under {method} in steps of {step} s: {lost:e}");
                // Friction stops what slips at the start.
                assert!(ran.energy.friction <= 3e-3 * ran.before, "{:?}", ran.energy);
                assert_eq!(ran.impacts, 0, "{name} under {method} in steps of {step} s");
            }
        }
    }
}

/// A disk that rolls round a circle, its axis tilted by an angle from the vertical, and goes round at a rate,
/// rad/s; and its centre from the middle of the circle.
fn rolling(world: &mut World, (radius, thickness): (f64, f64), tilt: f64, rate: f64) -> (BodyId, Vec3) {
    let k = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    let down = -(Vec3::Z - k.z * k).normalize();
    let arm = -0.5 * thickness * k + radius * down;
    // Moments by mass.
    let (across, along) = (radius * radius / 4.0 + thickness * thickness / 12.0, radius * radius / 2.0);
    let motion = |spin: f64| {
        let w = rate * Vec3::Z + spin * k;
        let v = -w.cross(arm);
        (w, v, v.y / rate * Vec3::X)
    };
    // What the angular momentum changes by, less the torque of the contact force: linear in the spin.
    let unbalance = |spin: f64| {
        let (w, _, from_middle) = motion(spin);
        let momentum = across * (w - w.dot(k) * k) + along * w.dot(k) * k;
        let force = G * Vec3::Z - rate * rate * from_middle;
        (rate * Vec3::Z.cross(momentum) - arm.cross(force)).y
    };
    let spin = -unbalance(0.0) / (unbalance(1.0) - unbalance(0.0));
    let (angular, linear, from_middle) = motion(spin);
    let at = Pose::new(from_middle - Vec3::Z * arm.z, Quat::from_rotation_y(tilt)).unwrap();
    let shape = Shape::cylinder(radius, thickness).unwrap();
    (add(world, shape, at, Twist { linear, angular }), from_middle)
}

#[test]
fn a_coin_rolls_round_a_circle_to_second_order() {
    let (tilt, rate, time) = (70_f64.to_radians(), 6.0, 0.5);
    for method in METHODS {
        let error = |steps: usize| {
            let mut world = with_ground(method, 0.9);
            let (coin, from) = rolling(&mut world, (0.0125, 0.002), tilt, rate);
            let ran = run(&mut world, time / steps as f64, steps);
            assert_eq!(ran.impacts, 0);
            let leant = (axis(&world, coin).z.acos() - tilt).abs();
            let off = place(&world, coin).with_z(0.0).distance(Quat::from_rotation_z(time * rate) * from);
            [off, leant, ran.energy.numerical.abs() / ran.before]
        };
        let errors = [125, 250, 500, 1000].map(error);
        for (what, number) in [("place", 0), ("tilt", 1), ("energy", 2)] {
            assert_second_order(&errors.map(|error| error[number]), &format!("{what} under {method}"));
        }
    }
}

/// The rate at which a disk rolls on the spot (references/contact.md, scene 8), rad/s.
fn rate_on_the_spot((a, h): (f64, f64), tilt: f64) -> f64 {
    let t = tilt.tan();
    let inertia = a * a / 4.0 + h * h / 12.0 - a * h / 4.0 * t;
    (G * (a - 0.5 * h * t) / (inertia * tilt.sin())).sqrt()
}

#[test]
fn a_disk_that_rolls_on_the_spot_keeps_its_tilt_and_its_rate() {
    for method in METHODS {
        for degrees in [30_f64, 10.0, 3.0, 1.0] {
            let (tilt, size) = (degrees.to_radians(), (0.0375, if degrees > 5.0 { 0.006 } else { 0.001 }));
            let rate = rate_on_the_spot(size, tilt);
            let error = |part: f64| {
                let mut world = with_ground(method, 0.9);
                let (disk, from) = rolling(&mut world, size, tilt, rate);
                assert!(from.length() < 1e-9, "it is not on the spot: {from}");
                let steps = (60.0 / part) as usize;
                let ran = run(&mut world, part / rate, steps);
                assert_eq!(ran.impacts, 0);
                let k = axis(&world, disk);
                let round = Quat::from_rotation_z(-part * steps as f64) * k;
                let [leant, ahead] = [k.z.acos() - tilt, round.y.atan2(round.x)];
                let lost = ran.energy.numerical.abs() / ran.before;
                assert!(lost <= 20.0 * part.powi(2) / 1e3, "{lost:e} lost");
                [leant.abs() / tilt, ahead.abs()]
            };
            let errors = [0.1, 0.05, 0.025].map(error);
            for (what, number) in [("tilt", 0), ("rate", 1)] {
                let about = format!("{what} at {degrees} degrees under {method}");
                assert_second_order(&errors.map(|error| error[number]), &about);
            }
        }
    }
}

/// Where and when a cylinder that rolls down on a fixed one leaves it, with friction: by small steps of the
/// equations of motion. rad, s
fn leaves_by_theory(reach: f64, radius: f64, start: f64, friction: f64) -> (f64, f64) {
    let step = 1e-6;
    let (mut angle, mut rate, mut time, mut slips) = (start, 0.0, 0.0, false);
    loop {
        let pressure = G * angle.cos() - reach * rate * rate;
        if pressure <= 0.0 {
            return (angle, time);
        }
        slips |= G * angle.sin() / 3.0 > friction * pressure;
        let rub = if slips { friction * pressure } else { G * angle.sin() / 3.0 };
        rate += step * (G * angle.sin() - rub) / reach;
        angle += step * rate;
        time += step;
        assert!(time < 10.0, "{radius}");
    }
}

#[test]
fn a_cylinder_rolls_on_a_fixed_one_slips_and_leaves_it() {
    let (fixed, radius, start) = (0.5, 0.1, 0.1_f64);
    let reach = fixed + radius;
    for friction in [0.3, 0.5] {
        let step = 2e-3;
        let mut world = empty("auto", friction, 0.0);
        let lying = Quat::from_rotation_x(90_f64.to_radians());
        let material = world.material_id("all").unwrap();
        let below = Shape::cylinder(fixed, 1.0).unwrap();
        let below = BodyBuilder::fixed(below).at(Pose::new(Vec3::ZERO, lying).unwrap());
        world.add(below.material(material)).unwrap();
        let at = Pose::new(reach * Vec3::new(start.sin(), 0.0, start.cos()), lying).unwrap();
        let body = add(&mut world, Shape::cylinder(radius, 0.2).unwrap(), at, Twist::default());
        let angle = |world: &World| place(world, body).x.atan2(place(world, body).z);
        let mut energy = EnergyAccount::default();
        let (mut impacts, mut before) = (0, 0.0);
        let left = loop {
            before = if before == 0.0 { world.energy().total() } else { before };
            let report = world.step(step).unwrap();
            energy.add(&report.energy);
            impacts += report.impacts.len();
            if report.contacts.iter().all(|contact| contact.force.length() < 1e-9) {
                break angle(&world);
            }
        };
        let (theory, time) = leaves_by_theory(reach, radius, start, friction);
        println!("friction {friction}: {} for {}, {energy:?}", left.to_degrees(), theory.to_degrees());
        assert_eq!(impacts, 0);
        assert!((world.time() - time).abs() <= 2.0 * step, "at {} s, not {time} s", world.time());
        assert!((left - theory).abs() < 1e-2, "at {left}, not {theory}");
        // What flows is the energy of the fall.
        assert!(energy.numerical.abs() < 1e-3 * energy.potential.abs(), "{energy:?}");
    }
}

#[test]
fn a_block_slides_to_a_stop_to_second_order() {
    let (speed, friction) = (2.0, 0.5);
    let way = speed * speed / (2.0 * friction * G);
    for method in METHODS {
        for step in [7.3e-3, 3.1e-3, 1.7e-3, 0.9e-3] {
            let mut world = with_ground(method, friction);
            let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)).unwrap();
            let slide = Twist { linear: speed * Vec3::X, angular: Vec3::ZERO };
            let block = add(&mut world, Shape::cuboid(Vec3::new(0.2, 0.2, 0.1)).unwrap(), at, slide);
            let ran = run(&mut world, step, (0.5 / step) as usize);
            let off = (place(&world, block).x - way).abs();
            assert!(world.velocity(block).unwrap().linear.length() < 1e-12);
            // It slides all but the last step, and stops within that.
            assert!(off <= friction * G * step * step / 8.0 + 1e-9, "{off:e} in steps of {step} s");
            let all = 0.5 * speed * speed;
            assert!((ran.energy.friction - all).abs() < 1e-2 * step * all, "{:?}", ran.energy);
        }
    }
}

#[test]
fn the_account_of_a_bounce_says_what_the_impact_took() {
    let mut world = empty("auto", 0.3, 0.5);
    add_ground(&mut world);
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1)).unwrap();
    add(&mut world, Shape::sphere(0.1).unwrap(), at, Twist::default());
    let ran = run(&mut world, 1e-3, 700);
    // It hits once, at what it falls by 1 m.
    assert!((ran.energy.impacts - 0.75 * G).abs() < 1e-6 * G, "{:?}", ran.energy);
    assert!(ran.energy.numerical.abs() < 1e-9 * G, "{:?}", ran.energy);
    let sum = ran.energy.kinetic + ran.energy.potential;
    assert!((sum - (world.energy().total() - ran.before)).abs() < 1e-9);
}

#[test]
fn the_account_of_what_rests_is_empty() {
    let mut world = with_ground("auto", 0.5);
    for level in 0..5 {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(level))).unwrap();
        add(&mut world, Shape::cuboid(Vec3::splat(0.2)).unwrap(), at, Twist::default());
    }
    run(&mut world, 1e-3, 10);
    let ran = run(&mut world, 1e-3, 100);
    assert_eq!(ran.energy, EnergyAccount::default());
}
