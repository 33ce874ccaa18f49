//! Bodies at rest stay where they are, to the bit, until something changes.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::primitives::torus;
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use silvia_world::{
    BodyBuilder, BodyId, BodyState, Load, Material, PairLaw, Role, StepReport, World, WorldSettings,
};
use std::f64::consts::{FRAC_PI_2, PI};

const STEP: f64 = 1e-3;

/// An empty world with ground whose normal leans by an angle, rad, and friction everywhere.
fn ground(lean: f64, friction: f64) -> World {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let material = world.add_material(Material::new("all", friction, 0.0)).unwrap();
    let normal = Quat::from_rotation_y(lean) * Vec3::Z;
    let ground = Shape::half_space(Plane { normal, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground").material(material)).unwrap();
    world
}

fn add(world: &mut World, shape: Shape, at: Pose) -> BodyId {
    let material = world.material_id("all").unwrap();
    world.add(BodyBuilder::free(shape).density(1000.0).at(at).material(material)).unwrap()
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::splat(0.2)).unwrap()
}

fn stack(boxes: usize) -> (World, Vec<BodyId>) {
    let mut world = ground(0.0, 0.5);
    let at = |level: usize| Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.2 * level as f64)).unwrap();
    let ids = (0..boxes).map(|level| add(&mut world, cube(), at(level))).collect();
    (world, ids)
}

/// A cube that lies on a slope.
fn on_slope(lean: f64, friction: f64) -> (World, BodyId) {
    let mut world = ground(lean, friction);
    let turn = Quat::from_rotation_y(lean);
    let id = add(&mut world, cube(), Pose::new(turn * Vec3::new(0.0, 0.0, 0.1), turn).unwrap());
    (world, id)
}

/// Rings that hang in each other.
fn chain() -> (World, Vec<BodyId>) {
    let mut world = ground(0.0, 0.5);
    let link = Shape::solid(Solid::from_soup(&torus(0.05, 0.01, 16, 8).unwrap()).unwrap());
    let mut ids = Vec::new();
    for number in 0..4 {
        let quarter = if number % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        let turn = Quat::from_rotation_z(quarter + 0.05)
            * Quat::from_rotation_x(FRAC_PI_2)
            * Quat::from_rotation_z(PI / 16.0);
        let at = Pose::new(Vec3::new(0.0, 0.0, 0.078 * (6 - number) as f64), turn).unwrap();
        let id = add(&mut world, link.clone(), at);
        if number == 0 {
            world.set_role(id, Role::Fixed).unwrap();
        } else {
            ids.push(id);
        }
    }
    (world, ids)
}

fn stepped(world: &mut World, steps: usize) -> StepReport {
    (0..steps).map(|_| world.step(STEP).unwrap()).last().unwrap_or_default()
}

fn states(world: &World, ids: &[BodyId]) -> Vec<BodyState> {
    ids.iter().map(|&id| world.body_state(id).unwrap()).collect()
}

#[test]
fn bodies_at_rest_do_not_move_by_a_bit() {
    let (slope, on_it) = on_slope(0.3, 0.5);
    for (mut world, ids) in [stack(10), chain(), (slope, vec![on_it])] {
        let report = stepped(&mut world, 400);
        assert_eq!(report.resting, ids.len());
        let before = states(&world, &ids);
        assert!(before.iter().all(|state| state.velocity == Twist::default()));
        let later = stepped(&mut world, 1000);
        assert_eq!(states(&world, &ids), before);
        assert_eq!(later.contacts, report.contacts);
    }
}

#[test]
fn what_is_at_rest_is_held_by_its_weight() {
    let (mut world, ids) = stack(10);
    let report = stepped(&mut world, 100);
    for (level, &id) in ids.iter().enumerate() {
        let below = report.contacts.iter().filter(|contact| contact.bodies[1] == id);
        let force: f64 = below.map(|contact| contact.force.z).sum();
        let weight = 8.0 * 9.81 * (10 - level) as f64;
        assert!((force - weight).abs() < 1e-7 * weight, "{level}: {force} N for {weight} N");
    }
}

/// A clone knows nothing of earlier steps but the state, and makes each in full.
#[test]
fn a_step_that_is_not_made_again_has_the_bits_of_one_that_is() {
    let (slope, on_it) = on_slope(0.3, 0.5);
    for (mut world, ids) in [stack(3), chain(), (slope, vec![on_it])] {
        for step in 0..150 {
            let mut other = world.clone();
            let made = other.step(STEP).unwrap();
            let report = world.step(STEP).unwrap();
            assert_eq!(world.hash(), other.hash(), "step {step}");
            assert_eq!(report, made, "step {step}");
        }
        assert_eq!(stepped(&mut world, 1).resting, ids.len());
    }
}

/// Changes something about a body, or about its world.
type Change = fn(&mut World, BodyId);

#[test]
fn what_changes_from_outside_is_felt_at_once() {
    let changes: [(&str, Change); 8] = [
        ("friction", |world, _| {
            let all = world.material_id("all").unwrap();
            world.set_pair_law(all, all, PairLaw::new(0.0, 0.0)).unwrap();
        }),
        ("material", |world, id| {
            let ice = Material::new("ice", 0.0, 0.0);
            let ice = world.add_material(ice).unwrap();
            world.set_material(id, ice).unwrap();
        }),
        ("gravity", |world, _| {
            let mut settings = world.settings().clone();
            settings.gravity = Vec3::new(9.0, 0.0, -9.0);
            world.set_settings(settings).unwrap();
        }),
        ("load", |world, id| {
            world.add_load(id, Load::force(Vec3::X * 100.0)).unwrap();
        }),
        ("velocity", |world, id| {
            world.set_velocity(id, Twist { linear: Vec3::X, angular: Vec3::ZERO }).unwrap();
        }),
        ("hand", |world, id| {
            let velocity = Twist { linear: Vec3::Z, angular: Vec3::ZERO };
            world.set_role(id, Role::Held(velocity)).unwrap();
        }),
        ("ground away", |world, _| {
            let ground = world.body_id("ground").unwrap();
            world.remove(ground).unwrap();
        }),
        ("ground off", |world, _| {
            let ground = world.body_id("ground").unwrap();
            world.set_active(ground, false).unwrap();
        }),
    ];
    for (what, change) in changes {
        let (mut world, id) = on_slope(0.3, 0.5);
        assert_eq!(stepped(&mut world, 300).resting, 1, "{what}");
        let before = world.body_state(id).unwrap();
        change(&mut world, id);
        let mut other = world.clone();
        world.step(STEP).unwrap();
        other.step(STEP).unwrap();
        let after = world.body_state(id).unwrap();
        assert_eq!(after, other.body_state(id).unwrap(), "{what}");
        assert!(after.centre.distance(before.centre) > 1e-7, "{what}: {after:?}");
    }
}

#[test]
fn what_is_hit_moves() {
    let (mut world, ids) = stack(3);
    assert_eq!(stepped(&mut world, 100).resting, 3);
    let at = Pose::from_translation(Vec3::new(-0.4, 0.0, 0.5)).unwrap();
    let ball = add(&mut world, Shape::sphere(0.05).unwrap(), at);
    world.set_velocity(ball, Twist { linear: Vec3::X * 5.0, angular: Vec3::ZERO }).unwrap();
    let before = states(&world, &ids);
    stepped(&mut world, 100);
    let after = states(&world, &ids);
    assert!(after[2].centre.distance(before[2].centre) > 1e-3, "{after:?}");
}

/// On a slope that is a millionth steeper than friction can hold: 4e-6 m/s² from the first step on.
#[test]
fn what_hardly_slides_does_not_stick() {
    let lean = 0.3_f64;
    let (mut world, id) = on_slope(lean, lean.tan() * (1.0 - 1e-6));
    let start = world.body_state(id).unwrap().centre;
    stepped(&mut world, 2000);
    let way = world.body_state(id).unwrap().centre.distance(start);
    let expected = 0.5 * 9.81 * (1e-6 * lean.sin()) * 2.0 * 2.0;
    assert!((way / expected - 1.0).abs() < 0.05, "{way} m, expected {expected} m");
}
