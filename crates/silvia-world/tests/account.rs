//! The accounts of energy and momentum, of steps and of runs: against closed forms.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, BodyId, Load, Material, RunAccount, Script, World, WorldSettings};

/// m/s²
const G: f64 = 9.81;

/// A world of one material, on the ground.
fn on_ground(friction: f64, restitution: f64) -> World {
    let mut world = World::new(WorldSettings::default().with_second_order(true)).unwrap();
    let all = world.add_material(Material::new("all", friction, restitution)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(all)).unwrap();
    world
}

fn add(world: &mut World, body: BodyBuilder, at: Vec3) -> BodyId {
    let all = world.material_id("all").unwrap();
    world.add(body.material(all).at(Pose::from_translation(at).unwrap())).unwrap()
}

fn block() -> BodyBuilder {
    BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.2, 0.1)).unwrap()).mass(2.0)
}

fn run(world: &mut World, step: f64, steps: usize) -> RunAccount {
    let mut account = RunAccount::begin(world);
    for _ in 0..steps {
        let report = world.step(step).unwrap();
        account.add(world, &report);
    }
    account
}

#[test]
fn a_sliding_block_gives_its_energy_to_friction_and_its_momentum_to_the_ground() {
    let mut world = on_ground(0.5, 0.0);
    add(&mut world, block().velocity(Twist { linear: 2.0 * Vec3::X, angular: Vec3::ZERO }), 0.05 * Vec3::Z);
    let steps = 1000;
    let account = run(&mut world, 1e-3, steps);
    println!("{account:?}");
    let kinetic = 0.5 * 2.0 * 4.0;
    assert!((account.energy.friction - kinetic).abs() < 1e-4 * kinetic);
    assert!(account.energy_error().abs() < 1e-4);
    let weight = 2.0 * G * 1e-3 * steps as f64;
    let given = Vec3::new(-4.0, 0.0, weight);
    assert!(account.momentum.contacts.distance(given) < 1e-6, "{:?}", account.momentum);
    assert!((account.momentum.gravity + weight * Vec3::Z).length() < 1e-9);
    assert!(account.momentum_error() < 1e-9);
}

#[test]
fn a_bounce_and_a_collision_in_the_air_keep_their_accounts() {
    let mut world = on_ground(0.0, 0.5);
    let ball = || BodyBuilder::free(Shape::sphere(0.1).unwrap()).mass(1.0);
    add(&mut world, ball(), Vec3::new(0.0, 0.0, 1.1));
    // These two meet each other before they meet the ground.
    for side in [-1.0, 1.0] {
        let velocity = Twist { linear: -side * Vec3::X, angular: Vec3::ZERO };
        add(&mut world, ball().velocity(velocity), Vec3::new(2.0 + 0.3 * side, 0.0, 3.0));
    }
    let account = run(&mut world, 1e-3, 600);
    println!("{account:?}");
    // The first falls by 1 m, the two lose three quarters of 1/2 J each.
    assert!((account.energy.impacts - 0.75 * (G + 1.0)).abs() < 1e-6);
    assert!(account.energy_error().abs() < 1e-9 && account.momentum_error() < 1e-9);
    let bounce = 1.5 * (2.0 * G).sqrt();
    assert!((account.momentum.contacts - bounce * Vec3::Z).length() < 1e-6, "{:?}", account.momentum);
}

#[test]
fn what_rests_has_no_error_though_nothing_flows() {
    let mut world = on_ground(0.5, 0.0);
    for level in 0..5 {
        add(&mut world, block(), Vec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(level)));
    }
    let account = run(&mut world, 1e-3, 200);
    println!("{account:?}, {}", account.energy_error());
    assert!(account.energy_error().abs() < 1e-4 && account.momentum_error() < 1e-9);
    let nothing = World::new(WorldSettings::default()).unwrap();
    assert_eq!(RunAccount::begin(&nothing).energy_error(), 0.0);
    assert_eq!(RunAccount::begin(&nothing).momentum_error(), 0.0);
}

#[test]
fn loads_and_scripts_are_told_apart() {
    let mut world = on_ground(0.0, 0.0);
    let pulled = add(&mut world, block(), 0.05 * Vec3::Z);
    world.add_load(pulled, Load::force(3.0 * Vec3::X).between(0.1, 0.5)).unwrap();
    let account = run(&mut world, 1e-3, 700);
    println!("{account:?}");
    assert!((account.momentum.loads - 1.2 * Vec3::X).length() < 1e-9);
    assert!((account.energy.loads - 1.2 * 1.2 / 4.0).abs() < 1e-6);
    assert!(account.momentum_error() < 1e-9 && account.energy_error().abs() < 1e-6);

    let mut world = on_ground(0.0, 0.0);
    add(&mut world, block(), 0.05 * Vec3::Z);
    let push = Script::Velocity(Twist { linear: 0.5 * Vec3::X, angular: Vec3::ZERO });
    let pusher = BodyBuilder::scripted(Shape::cuboid(Vec3::splat(0.1)).unwrap(), push);
    add(&mut world, pusher, Vec3::new(-0.25, 0.0, 0.06));
    let account = run(&mut world, 1e-3, 700);
    println!("{account:?}");
    // It hits the block without a rebound and then goes on with it.
    assert!((account.energy.kinetic - 0.25).abs() < 1e-6 && account.energy_error().abs() < 1e-6);
    assert!((account.energy.driven - 0.5).abs() < 1e-6 && (account.energy.impacts - 0.25).abs() < 1e-6);
    assert!((account.momentum.change - Vec3::X).length() < 1e-6 && account.momentum_error() < 1e-9);
}
