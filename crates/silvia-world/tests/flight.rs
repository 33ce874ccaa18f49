//! Free flight of whole worlds, step by step.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Load, Role, Script, StepError, World, WorldSettings};

fn world(gravity: Vec3) -> World {
    World::new(WorldSettings::default().with_gravity(gravity)).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn spinning(world: &mut World, moments: Vec3, pose: Pose, velocity: Twist) -> BodyId {
    let inertia = Mat3::from_diagonal(moments);
    let body = BodyBuilder::free(Shape::sphere(0.5).unwrap()).mass_properties(2.0, Vec3::ZERO, inertia);
    world.add(body.at(pose).velocity(velocity)).unwrap()
}

/// Scene 9 of the validation scenes: its figures are given there.
#[test]
fn a_body_spun_about_its_middle_axis_flips_every_2_75308_s() {
    let mut world = world(Vec3::new(0.0, 0.0, -9.81));
    let velocity = Twist { linear: Vec3::ZERO, angular: Vec3::new(0.01, 10.0, 0.01) };
    let id = spinning(&mut world, Vec3::new(1.0, 2.0, 3.0), Pose::IDENTITY, velocity);
    let middle = |world: &World| {
        let state = world.body_state(id).unwrap();
        (state.rotation.conjugate() * state.velocity.angular).y
    };
    let mut flips = Vec::new();
    let mut before = middle(&world);
    for step in 0..12_000 {
        world.step(1e-3).unwrap();
        let after = middle(&world);
        if before * after < 0.0 {
            flips.push((f64::from(step) + before / (before - after)) * 1e-3);
        }
        before = after;
    }
    assert_eq!(flips.len(), 4);
    assert!(flips.windows(2).all(|two| (two[1] - two[0] - 2.75308).abs() < 1e-5), "{flips:?}");
    assert!((flips[2] - flips[0] - 5.50617).abs() < 1e-5, "{flips:?}");
}

#[test]
fn energy_and_both_momenta_are_kept() {
    let gravity = Vec3::new(1.0, -2.0, -9.0);
    let mut world = world(gravity);
    let velocity = Twist { linear: Vec3::new(1.0, 2.0, 3.0), angular: Vec3::new(4.0, -5.0, 6.0) };
    spinning(&mut world, Vec3::new(0.2, 0.3, 0.4), Pose::IDENTITY, velocity);
    spinning(&mut world, Vec3::new(0.5, 0.3, 0.4), at(100.0, 0.0, 0.0), velocity);
    let (energy, mass) = (world.energy().total(), world.mass());
    let (momentum, about) = (world.momentum(), world.angular_momentum(Vec3::ZERO));
    let centre = world.centre_of_mass().unwrap();
    for _ in 0..2000 {
        world.step(1e-3).unwrap();
    }
    let t = world.time();
    assert!((t - 2.0).abs() < 1e-12);
    assert_eq!(world.steps(), 2000);
    assert!((world.energy().total() / energy - 1.0).abs() < 1e-10);
    assert!((world.momentum() - momentum - mass * gravity * t).length() < 1e-10);
    // Gravity acts at the centre of all mass, which is thrown: its moment is m (c + v t/2) x g t.
    let moment = mass * (centre + 0.5 * t * momentum / mass).cross(gravity * t);
    assert!((world.angular_momentum(Vec3::ZERO) - about - moment).length() < 1e-9);
}

#[test]
fn a_snapshot_leads_to_the_same_bits_again_on_any_number_of_threads() {
    let make = || {
        let mut world = world(Vec3::new(0.0, 0.0, -9.81));
        for k in 0..40 {
            let x = f64::from(k);
            let pose = Pose::new(Vec3::new(3.0 * x, 0.0, 0.0), Quat::from_rotation_x(x)).unwrap();
            let angular = Vec3::new(x.sin(), x.cos(), 0.3) * 5.0;
            let velocity = Twist { linear: Vec3::new(0.0, x, 0.0), angular };
            let id = spinning(&mut world, Vec3::new(0.2, 0.3, 0.4), pose, velocity);
            let push = Load::force(Vec3::X).at(Vec3::Y).turning().over([(0.0, 0.0), (0.05, x)]);
            world.add_load(id, push.between(0.013, 0.07)).unwrap();
        }
        world
    };
    let run = |world: &mut World, steps: usize| {
        for _ in 0..steps {
            world.step(0.01).unwrap();
        }
        world.hash()
    };
    let mut first = make();
    run(&mut first, 5);
    let snapshot = first.snapshot();
    let expected = run(&mut first, 5);
    first.restore(&snapshot).unwrap();
    assert_eq!(run(&mut first, 5), expected);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| run(&mut make(), 10)), expected, "{threads} threads");
    }
}

#[test]
fn scripted_and_held_bodies_go_where_they_are_told() {
    let mut world = world(Vec3::new(0.0, 0.0, -9.81));
    let turn = Twist { linear: Vec3::X, angular: Vec3::Z };
    let conveyor = BodyBuilder::scripted(Shape::sphere(0.1).unwrap(), Script::Velocity(turn));
    let conveyor = world.add(conveyor.at(at(0.0, 5.0, 0.0))).unwrap();
    let stroke = Script::Poses(vec![(0.0, at(9.0, 0.0, 2.0)), (0.5, at(9.0, 0.0, 1.0))]);
    let press = world.add(BodyBuilder::scripted(Shape::sphere(0.1).unwrap(), stroke)).unwrap();
    let part = world.add(BodyBuilder::held(Shape::sphere(0.1).unwrap())).unwrap();
    world.set_hand(part, Twist { linear: Vec3::Y, angular: Vec3::X }).unwrap();
    for _ in 0..100 {
        world.step(0.01).unwrap();
    }
    let place = |world: &World, id| world.pose(id).unwrap().translation();
    assert!((place(&world, conveyor) - Vec3::new(1.0, 5.0, 0.0)).length() < 1e-13);
    assert_eq!(place(&world, press), Vec3::new(9.0, 0.0, 1.0));
    assert_eq!(world.velocity(press), Ok(Twist::default()));
    assert!((place(&world, part) - Vec3::Y).length() < 1e-13, "its weight is borne");
    // Let go it falls on, from the velocity of the hand.
    world.set_role(part, Role::Free).unwrap();
    world.step(0.01).unwrap();
    let velocity = world.velocity(part).unwrap();
    assert!((velocity.linear - Vec3::new(0.0, 1.0, -0.0981)).length() < 1e-13);
    assert!((velocity.angular - Vec3::X).length() < 1e-13);
}

#[test]
fn a_force_beyond_all_numbers_is_refused_and_changes_nothing() {
    let mut world = world(Vec3::ZERO);
    let id = world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).mass(1e-12)).unwrap();
    world.step(0.01).unwrap();
    let hash = world.hash();
    for load in [Load::force(Vec3::X * 1e300), Load::torque(Vec3::X * 1e300)] {
        let load = world.add_load(id, load).unwrap();
        let refused = world.step(0.01);
        assert!(matches!(refused, Err(StepError::OutOfRange { .. })), "{refused:?}");
        assert_eq!(world.hash(), hash);
        world.remove_load(load).unwrap();
    }
    world.step(0.01).unwrap();
}
