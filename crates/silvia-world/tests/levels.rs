//! Levels of mechanics: each knows what it says, and no more.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Hand, Level, Load, Material, World, WorldSettings};
use std::f64::consts::FRAC_PI_6;

const STEP: f64 = 1e-3;

fn world(level: Level) -> World {
    World::new(WorldSettings::default().with_level(level)).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn floor(world: &mut World, friction: f64) {
    let material = world.add_material(Material::new("floor", friction, 0.8)).unwrap();
    let half_space = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(half_space).material(material)).unwrap();
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::splat(0.1)).unwrap()
}

fn place(world: &World, body: BodyId) -> Vec3 {
    world.pose(body).unwrap().translation()
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(STEP).unwrap();
    }
}

#[test]
fn names_are_those_of_scene_files() {
    let all = [Level::NonPenetration, Level::QuasiStatic, Level::Dynamics, Level::Impacts];
    for (name, level) in Level::NAMES.into_iter().zip(all) {
        assert_eq!(Level::by_name(name), Some(level));
    }
    assert_eq!(Level::by_name("statics"), None);
    assert_eq!(Level::default(), Level::Impacts);
    assert!(all.is_sorted());
}

#[test]
fn without_forces_nothing_moves_that_nothing_pushes() {
    let mut world = world(Level::NonPenetration);
    let floating = BodyBuilder::free(cube()).at(at(0.0, 0.0, 1.0)).mass(2.0);
    let floating = world.add(floating.velocity(Twist { linear: Vec3::X, angular: Vec3::Z })).unwrap();
    world.add_load(floating, Load::force(Vec3::new(5.0, 0.0, 0.0))).unwrap();
    run(&mut world, 10);
    assert_eq!(world.pose(floating).unwrap(), at(0.0, 0.0, 1.0));
    assert_eq!(world.energy().potential, 0.0);
}

/// What a hand moves takes what is in its way along, to the nanometre, and lets go of it at once.
#[test]
fn without_forces_what_is_pushed_goes_along_and_stops_where_the_pusher_stops() {
    let mut world = world(Level::NonPenetration);
    floor(&mut world, 0.5);
    let [pusher, pushed] = [0.0, 0.11].map(|x| at(x, 0.0, 0.05));
    let pusher = world.add(BodyBuilder::held(cube()).at(pusher).mass(1.0)).unwrap();
    let pushed = world.add(BodyBuilder::free(cube()).at(pushed).mass(10.0)).unwrap();
    world.set_hand(pusher, Twist { linear: 0.1 * Vec3::X, angular: Vec3::ZERO }).unwrap();
    run(&mut world, 300);
    // The hand's velocity is what is wanted, and the mass of what it pushes holds it back: 1 kg of 11.
    let gap = place(&world, pushed).x - place(&world, pusher).x - 0.1;
    assert!((0.0..1e-8).contains(&gap), "{gap:e}");
    let went = place(&world, pushed).x;
    assert!(went > 0.11, "{went}");
    world.set_hand(pusher, Twist::default()).unwrap();
    run(&mut world, 10);
    assert!((place(&world, pushed).x - went).abs() < 1e-12);
}

/// A ball that is moved down onto a slope goes along it: of the velocity wanted, the part along the slope is
/// left, however rough that is.
#[test]
fn without_forces_a_body_slides_along_what_is_in_its_way() {
    let mut world = world(Level::NonPenetration);
    let normal = Quat::from_rotation_y(FRAC_PI_6) * Vec3::Z;
    let rough = world.add_material(Material::new("rough", 2.0, 0.0)).unwrap();
    let slope = Shape::half_space(Plane { normal, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(slope).material(rough)).unwrap();
    let start = 0.05 * normal;
    let ball = BodyBuilder::held(Shape::sphere(0.05).unwrap()).mass(1.0).material(rough);
    let ball = world.add(ball.at(Pose::from_translation(start).unwrap())).unwrap();
    let wanted = Vec3::new(0.0, 0.02, -0.1);
    world.set_hand(ball, Twist { linear: wanted, angular: Vec3::ZERO }).unwrap();
    run(&mut world, 100);
    let along = wanted - wanted.dot(normal) * normal;
    let off = place(&world, ball) - start - 0.1 * along;
    assert!(off.length() < 1e-8, "{off}");
}

/// The angle at which a block begins to slide is that of friction; below it stays to the bit.
#[test]
fn quasi_statics_knows_friction_and_balance() {
    let slid = |friction: f64| {
        let mut world = world(Level::QuasiStatic);
        let lean = Quat::from_rotation_y(FRAC_PI_6);
        let material = world.add_material(Material::new("slope", friction, 0.0)).unwrap();
        let slope = Shape::half_space(Plane { normal: lean * Vec3::Z, offset: 0.0 }).unwrap();
        world.add(BodyBuilder::fixed(slope).material(material)).unwrap();
        let pose = Pose::new(lean * Vec3::new(0.0, 0.0, 0.05), lean).unwrap();
        let block = world.add(BodyBuilder::free(cube()).at(pose).mass(1.0).material(material)).unwrap();
        run(&mut world, 20);
        let settled = place(&world, block);
        run(&mut world, 100);
        (lean.conjugate() * (place(&world, block) - settled)).x
    };
    let threshold = FRAC_PI_6.tan();
    assert_eq!(slid(1.01 * threshold), 0.0);
    let below = slid(0.99 * threshold);
    assert!(below > 0.0, "{below}");
    // Each step begins at rest: 100 times the way of the first.
    let first = 0.5 * 9.81 * STEP * STEP * (FRAC_PI_6.sin() - 0.99 * threshold * FRAC_PI_6.cos());
    assert!(below > 90.0 * first && below < 210.0 * first, "{below:e} {first:e}");
}

/// A hand's spring carries a weight as in dynamics, without swinging, and a push that ends leaves no speed.
#[test]
fn quasi_statics_keeps_no_speed() {
    let mut world = world(Level::QuasiStatic);
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3)).unwrap();
    let hand = world.take(ball, Hand::new(2000.0, 1.0).with_weight(false)).unwrap();
    let mut last = 0.0;
    for _ in 0..20_000 {
        world.step(STEP).unwrap();
        let z = place(&world, ball).z;
        assert!(z <= last, "it never swings back");
        last = z;
    }
    assert!((last + 0.3 * 9.81 / 2000.0).abs() < 1e-8, "{last}");
    let force = world.hand_record(hand).unwrap().unwrap().force;
    assert!((force - Vec3::Z * 0.3 * 9.81).length() < 1e-5, "{force}");

    let mut world =
        World::new(WorldSettings::default().with_level(Level::QuasiStatic).with_gravity(Vec3::ZERO)).unwrap();
    let free = world.add(BodyBuilder::free(cube()).mass(1.0)).unwrap();
    let load = world.add_load(free, Load::force(3.0 * Vec3::X)).unwrap();
    run(&mut world, 50);
    let went = place(&world, free).x;
    // Half of 3 N / 1 kg times the square of each step.
    assert!((went - 50.0 * 1.5 * STEP * STEP).abs() < 1e-15, "{went:e}");
    world.remove_load(load).unwrap();
    run(&mut world, 50);
    assert_eq!(place(&world, free).x, went);
}

#[test]
fn only_the_level_of_impacts_rebounds() {
    let height = |level: Level| {
        let mut world = world(level);
        floor(&mut world, 0.0);
        let ball = BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(1.0).at(at(0.0, 0.0, 0.15));
        let bouncy = world.add_material(Material::new("bouncy", 0.0, 0.8)).unwrap();
        let ball = world.add(ball.material(bouncy)).unwrap();
        run(&mut world, 160);
        let mut highest: f64 = 0.0;
        for _ in 0..200 {
            world.step(STEP).unwrap();
            highest = highest.max(place(&world, ball).z - 0.05);
        }
        highest
    };
    let rebounds = height(Level::Impacts);
    assert!((rebounds - 0.64 * 0.1).abs() < 1e-3, "{rebounds}");
    let lands = height(Level::Dynamics);
    assert!((0.0..1e-6).contains(&lands), "{lands:e}");
}

/// Levels without inertia keep no account of energy, and say nothing was lost; those with it do.
#[test]
fn accounts_are_kept_where_there_is_inertia() {
    for (level, keeps) in [(Level::QuasiStatic, false), (Level::Dynamics, true)] {
        let mut world = world(level);
        world.add(BodyBuilder::free(cube()).mass(1.0)).unwrap();
        let report = world.step(STEP).unwrap();
        assert!(report.energy.numerical.abs() < 1e-15);
        assert_eq!(report.momentum.numerical, Vec3::ZERO);
        assert!(report.energy.potential < 0.0);
        let report = world.step(STEP).unwrap();
        assert_eq!(report.energy.kinetic > 1e-6, keeps, "{level:?} {}", report.energy.kinetic);
    }
}
