//! Forces of hands agree with statics, and do not depend on the step.

use super::{at, earthly, ground, run};
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::parts::CountersunkBolt;
use silvia_solid::{Pose, Solid, Vec3};
use silvia_world::{BodyBuilder, BodyId, Budget, Hand, Material, World, WorldSettings, response};
use std::sync::Arc;

#[test]
fn a_hand_carries_the_weight_that_it_does_not_bear_by_the_stretch_of_its_spring() {
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3)).unwrap();
    let hand = world.take(ball, Hand::new(200.0, 1.0).with_weight(false)).unwrap();
    run(&mut world, 1e-3, 2.0);
    let record = world.hand_record(hand).unwrap().unwrap();
    assert!((record.force - Vec3::Z * 0.3 * 9.81).length() < 1e-6, "{record:?}");
    let z = world.pose(ball).unwrap().translation().z;
    assert!((z + 0.3 * 9.81 / 200.0).abs() < 1e-8, "{z}");
    assert_eq!(record.body, ball);
    assert!((record.at.z - z).abs() < 1e-15);
}

#[test]
fn a_hand_that_bears_the_weight_leaves_the_body_where_it_is() {
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3)).unwrap();
    let hand = world.take(ball, Hand::new(200.0, 1.0)).unwrap();
    run(&mut world, 1e-2, 1.0);
    assert!(world.pose(ball).unwrap().translation().length() < 1e-14);
    assert!(world.hand_record(hand).unwrap().unwrap().force.length() < 1e-12);
}

#[test]
fn two_hands_share_the_weight_of_a_beam_by_the_lever() {
    let mut world = earthly();
    let beam = BodyBuilder::free(Shape::cuboid(Vec3::new(1.0, 0.1, 0.1)).unwrap()).mass(4.0);
    let beam = world.add(beam).unwrap();
    let grip = |x: f64| Hand::new(1e5, 0.0).with_grip(at(x, 0.0, 0.0)).with_weight(false);
    // One at the end, one a quarter of the length from the middle.
    let hands = [-0.5, 0.25].map(|x| world.take(beam, grip(x)).unwrap());
    run(&mut world, 1e-3, 2.0);
    let forces = hands.map(|hand| world.hand_record(hand).unwrap().unwrap().force.z);
    let weight = 4.0 * 9.81;
    for (force, share) in forces.into_iter().zip([1.0 / 3.0, 2.0 / 3.0]) {
        assert!((force / weight - share).abs() < 1e-4, "{forces:?}");
    }
}

/// A bolt in its countersunk hole, pressed down by a hand of 2000 N/m that wants it 5 mm deeper, and pushed
/// to the side: after a while, with the force of the hand and that of the seat.
fn pressed_bolt(step: f64) -> (World, BodyId, [Vec3; 2]) {
    let fit = CountersunkBolt { segments: 12, ..CountersunkBolt::default() };
    let solid = |soup| Solid::from_soup(&soup).unwrap();
    let mut world = earthly();
    let steel = world.add_material(Material::new("steel", 0.2, 0.0)).unwrap();
    let block = BodyBuilder::fixed(solid(fit.block().unwrap())).named("block").material(steel);
    let block = world.add(block).unwrap();
    let bolt = solid(fit.bolt().unwrap());
    let bolt = BodyBuilder::free(bolt).density(7850.0).material(steel).at(at(0.0, 0.0, 1e-3));
    let bolt = world.add(bolt).unwrap();
    let push = Twist { linear: Vec3::X, angular: Vec3::ZERO };
    let hand = world.take(bolt, Hand::new(2000.0, 1.0).with_push(push)).unwrap();
    world.move_hand(hand, at(0.0, 0.0, -5e-3)).unwrap();
    run(&mut world, step, 0.2);
    let force = world.hand_record(hand).unwrap().unwrap().force;
    let seat = world.force_between(block, bolt).unwrap();
    (world, bolt, [force, seat])
}

#[test]
fn the_force_on_a_seated_bolt_is_that_of_the_spring_at_any_step() {
    let mut forces = Vec::new();
    for step in [2e-3, 1e-3, 0.5e-3] {
        let (world, bolt, [hand, seat]) = pressed_bolt(step);
        // The hand bears the weight: what it presses with, the seat gives back.
        assert!((hand + seat).length() < 1e-3 * hand.length(), "{step}: {hand} {seat}");
        let z = world.pose(bolt).unwrap().translation().z;
        let spring = 2000.0 * (-5e-3 - z);
        assert!((hand.z / spring - 1.0).abs() < 1e-2, "{step}: {} {spring}", hand.z);
        forces.push(hand);
    }
    for pair in forces.windows(2) {
        assert!(pair[0].distance(pair[1]) < 0.01 * pair[0].length(), "{forces:?}");
    }
}

#[test]
fn a_block_is_pressed_on_the_ground_by_the_stiffness_times_the_depth_at_any_step() {
    for step in [2e-3, 1e-3, 0.5e-3] {
        let mut world = earthly();
        let ground = world.add(ground()).unwrap();
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(2.0);
        let cube = world.add(cube.at(at(0.0, 0.0, 0.05))).unwrap();
        let hand = world.take(cube, Hand::new(1000.0, 100.0)).unwrap();
        world.move_hand(hand, at(0.0, 0.0, 0.04)).unwrap();
        run(&mut world, step, 0.2);
        let record = world.hand_record(hand).unwrap().unwrap();
        assert!((record.force + Vec3::Z * 10.0).length() < 1e-5, "{step}: {record:?}");
        let back = world.force_between(ground, cube).unwrap();
        assert!((back - Vec3::Z * 10.0).length() < 1e-5, "{step}: {back}");
    }
}

#[test]
fn a_twist_while_pressing_turns_a_body_where_nothing_wants_an_angle() {
    // Pressed with 10 N and twisted with 0.05 N m on a ground with friction 0.5: the ring of contact is
    // at most 0.05 m · sqrt 2 off, so that friction holds 0.3 N m and more. Without friction it turns.
    for (friction, turns) in [(0.5, false), (0.0, true)] {
        let mut world = earthly();
        let material = world.add_material(Material::new("m", friction, 0.0)).unwrap();
        world.add(ground().material(material)).unwrap();
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(2.0);
        let cube = world.add(cube.at(at(0.0, 0.0, 0.05)).material(material)).unwrap();
        let stiffness = Twist { linear: Vec3::new(1000.0, 1000.0, 0.0), angular: Vec3::new(10.0, 10.0, 0.0) };
        let push = Twist { linear: Vec3::Z * -10.0, angular: Vec3::Z * 0.05 };
        let hand = Hand::new(0.0, 0.0).with_stiffness(stiffness).with_push(push);
        let hand = world.take(cube, hand).unwrap();
        run(&mut world, 1e-3, 0.3);
        let record = world.hand_record(hand).unwrap().unwrap();
        assert!((record.force.z + 10.0).abs() < 1e-9 && (record.torque.z - 0.05).abs() < 1e-9, "{record:?}");
        let turn = world.pose(cube).unwrap().rotation();
        let angle = 2.0 * turn.z.atan2(turn.w);
        // I = m a² / 6, from rest at a constant torque.
        let expected = 0.5 * 0.05 / (2.0 * 0.01 / 6.0) * 0.3 * 0.3;
        match turns {
            true => assert!((angle / expected - 1.0).abs() < 0.01, "{angle} {expected}"),
            false => assert!(angle.abs() < 1e-6, "{angle}"),
        }
    }
}

#[test]
fn a_target_that_moves_is_followed_without_lag_by_a_damped_hand() {
    // The damper acts on the velocity against the target's: at a constant one nothing is left to pull.
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3)).unwrap();
    let way = vec![(0.0, Pose::IDENTITY), (2.0, at(1.0, 0.0, 0.0))];
    let hand = Hand::new(500.0, 1.0).with_target(silvia_world::Script::Poses(way));
    let hand = world.take(ball, hand).unwrap();
    run(&mut world, 1e-3, 1.0);
    assert!((world.pose(ball).unwrap().translation().x - 0.5).abs() < 1e-9);
    assert!(world.hand_record(hand).unwrap().unwrap().force.length() < 1e-6);
}

#[test]
fn every_method_and_interactive_worlds_know_hands() {
    let settings = WorldSettings::default();
    let interactive = settings.clone().with_interactive(Some(Budget::default()));
    let methods = response::NAMES.iter().map(|&name| (name, settings.clone()));
    for (method, settings) in methods.chain([("auto", interactive)]) {
        let is_quick = settings.interactive.is_some();
        let mut world = World::new(settings).unwrap();
        world.set_response(Arc::from(response::by_name(method).unwrap()));
        let ice = world.add_material(Material::new("ice", 0.0, 0.0)).unwrap();
        let ground = world.add(ground().material(ice)).unwrap();
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(2.0).material(ice);
        let cube = world.add(cube.at(at(0.0, 0.0, 0.05))).unwrap();
        // Gripped at a corner, so that the spring turns the cube as well as it pulls it.
        let grip = at(0.05, 0.05, -0.05);
        let hand = world.take(cube, Hand::new(1000.0, 100.0).with_grip(grip)).unwrap();
        world.move_hand(hand, at(0.0, 0.0, 0.04)).unwrap();
        run(&mut world, 1e-3, 0.2);
        let record = world.hand_record(hand).unwrap().unwrap();
        let slack = if is_quick { 1e-2 } else { 1e-4 };
        assert!((record.force + Vec3::Z * 10.0).length() < slack, "{method} {is_quick}: {record:?}");
        let back = world.force_between(ground, cube).unwrap();
        assert!((back - Vec3::Z * 10.0).length() < slack, "{method} {is_quick}: {back}");
    }
}
