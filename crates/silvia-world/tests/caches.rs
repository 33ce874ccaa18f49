//! What steps keep for the next ones to be quicker changes no bit: each step is made once more by a world
//! that knows nothing.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::primitives::{TorusKnot, torus};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use silvia_world::{BodyBuilder, BodyId, Material, Script, World, WorldSettings};
use std::f64::consts::{FRAC_PI_2, PI};

const STEP: f64 = 1e-3;

fn world() -> World {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    world
}

/// Makes steps of a world, and each of them anew without what the earlier ones have left; `change` comes
/// before each step. Both must have the same outcome, to the bit.
fn stepped(world: &mut World, steps: usize, mut change: impl FnMut(&mut World, usize)) {
    let empty = world.clone();
    for number in 0..steps {
        change(world, number);
        let mut fresh = empty.clone();
        fresh.restore(&world.snapshot()).unwrap();
        assert_eq!(fresh.hash(), world.hash(), "step {number}");
        assert_eq!(world.step(STEP), fresh.step(STEP), "step {number}");
        assert_eq!(fresh.hash(), world.hash(), "step {number}");
    }
}

fn put(world: &mut World, id: BodyId, at: Vec3, turn: Quat) {
    world.set_pose(id, Pose::new(at, turn).unwrap()).unwrap();
}

#[test]
fn a_chain_that_is_swung_and_pulled_has_the_same_bits_without_what_steps_keep() {
    let mut world = world();
    let link = Shape::solid(Solid::from_soup(&torus(0.05, 0.01, 12, 6).unwrap()).unwrap());
    let mut last = None;
    for number in 0..5 {
        let quarter = if number % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        let turn = Quat::from_rotation_z(quarter + 0.05)
            * Quat::from_rotation_x(FRAC_PI_2)
            * Quat::from_rotation_z(PI / 12.0);
        let at = Pose::new(Vec3::new(0.0, 0.0, 0.076 * f64::from(8 - number)), turn).unwrap();
        let body = if number == 0 {
            // It sways, slowly and then fast.
            let keys = [(0.0, 0.0), (0.03, 1e-5), (0.06, 0.03), (10.0, 0.03)];
            let keys = keys.map(|(time, x)| (time, at.moved(Vec3::X * x)));
            BodyBuilder::scripted(link.clone(), Script::Poses(keys.to_vec()))
        } else {
            BodyBuilder::free(link.clone()).density(7850.0)
        };
        last = Some(world.add(body.at(at)).unwrap());
    }
    let last = last.unwrap();
    stepped(&mut world, 90, |world, number| {
        if number == 70 {
            let spin = Twist { linear: Vec3::ZERO, angular: Vec3::new(200.0, 50.0, 0.0) };
            world.set_velocity(last, spin).unwrap();
        }
    });
}

#[test]
fn knots_that_fall_and_are_put_elsewhere_have_the_same_bits_without_what_steps_keep() {
    let mut world = world();
    let soup = TorusKnot::TREFOIL.soup_with_triangles(300).unwrap();
    let knot = Shape::solid(Solid::from_soup(&soup).unwrap()).scaled(0.02).unwrap();
    let material = Material::new("stuff", 0.5, 0.3);
    let material = world.add_material(material).unwrap();
    let places = [Vec3::new(0.0, 0.0, 0.08), Vec3::new(0.02, 0.01, 0.2), Vec3::new(-0.03, 0.02, 0.32)];
    let mut ids = Vec::new();
    for (number, &at) in places.iter().enumerate() {
        let turn = Quat::from_scaled_axis(Vec3::new(0.7, 0.3, 0.9) * (number as f64 + 1.0));
        let body = BodyBuilder::free(knot.clone()).density(1000.0).material(material);
        let fall = Twist { linear: Vec3::new(0.0, 0.0, -2.0 * number as f64), angular: Vec3::splat(3.0) };
        ids.push(world.add(body.at(Pose::new(at, turn).unwrap()).velocity(fall)).unwrap());
    }
    stepped(&mut world, 110, |world, number| match number {
        60 => put(world, ids[2], Vec3::new(0.3, 0.0, 0.3), Quat::from_rotation_x(1.0)),
        62 => put(world, ids[2], Vec3::new(0.01, 0.0, 0.3), Quat::from_rotation_x(2.0)),
        _ => {}
    });
}

#[test]
fn a_heap_of_boxes_has_the_same_bits_without_what_steps_keep() {
    let mut world = world();
    for number in 0..10 {
        let k = f64::from(number);
        let size = Vec3::new(0.1 + 0.01 * k, 0.12, 0.14 - 0.005 * k);
        let shape = match number % 3 {
            0 => Shape::cuboid(size).unwrap(),
            1 => Shape::sphere(0.06).unwrap(),
            _ => {
                let parts = [(-0.06, 0.1), (0.06, 0.08)].map(|(x, wide)| {
                    let at = Pose::from_translation(Vec3::X * x).unwrap();
                    (at, Shape::cuboid(Vec3::splat(wide)).unwrap())
                });
                Shape::compound(parts).unwrap()
            }
        };
        let at = Vec3::new(0.05 * (k % 2.0), 0.04 * (k % 3.0), 0.12 + 0.16 * k);
        let turn = Quat::from_scaled_axis(Vec3::new(0.3 * k, 0.2, 0.1 * k));
        let velocity = Twist { linear: Vec3::new(0.0, 0.0, -3.0), angular: Vec3::ZERO };
        let body = BodyBuilder::free(shape).density(500.0).at(Pose::new(at, turn).unwrap());
        world.add(body.velocity(velocity)).unwrap();
    }
    stepped(&mut world, 150, |_, _| {});
}

#[test]
fn flush_boxes_at_rest_and_pushed_have_the_same_bits_without_what_steps_keep() {
    let mut world = world();
    let material = Material::new("stuff", 0.4, 0.0);
    let material = world.add_material(material).unwrap();
    let mut last = None;
    for level in 0..5 {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(level))).unwrap();
        let body = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.2)).unwrap()).mass(1.0);
        last = Some(world.add(body.at(at).material(material)).unwrap());
    }
    let last = last.unwrap();
    stepped(&mut world, 80, |world, number| {
        if number == 60 {
            let push = Twist { linear: Vec3::new(0.05, 0.02, 0.0), angular: Vec3::ZERO };
            world.set_velocity(last, push).unwrap();
        }
    });
}
