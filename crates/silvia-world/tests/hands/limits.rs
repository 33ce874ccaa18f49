//! A hand is no stronger than it says.

use super::{at, earthly, ground, run, weightless};
use seeded::Random;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, Hand};

/// By how much a hand may exceed its limits, as the guide says.
const SLACK: f64 = 1e-3;

#[test]
fn a_hand_far_from_its_target_accelerates_the_body_by_its_largest_force() {
    let mut world = weightless();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.5)).unwrap();
    let hand = Hand::new(1e4, 0.0).with_damping_ratio(0.0).with_most_force(2.0);
    let hand = world.take(ball, hand).unwrap();
    world.move_hand(hand, at(100.0, 0.0, 0.0)).unwrap();
    run(&mut world, 1e-3, 1.0);
    let speed = world.velocity(ball).unwrap().linear.x;
    assert!((speed / 4.0 - 1.0).abs() < 1e-3, "{speed}");
    let record = world.hand_record(hand).unwrap().unwrap();
    assert_eq!(record.is_limited, [true, false]);
}

#[test]
fn a_pressed_body_feels_the_largest_force_and_no_more() {
    let mut world = earthly();
    let ground = world.add(ground()).unwrap();
    let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(2.0);
    let cube = world.add(cube.at(at(0.0, 0.0, 0.05))).unwrap();
    let hand = world.take(cube, Hand::new(1e5, 100.0).with_most_force(7.0)).unwrap();
    world.move_hand(hand, at(0.0, 0.0, -1.0)).unwrap();
    run(&mut world, 1e-3, 0.1);
    let force = world.hand_record(hand).unwrap().unwrap().force;
    assert!((force + Vec3::Z * 7.0).length() < 7.0 * SLACK, "{force}");
    assert!((world.force_between(ground, cube).unwrap() + force).length() < 7.0 * SLACK);
}

#[test]
fn no_step_of_a_body_thrown_about_between_walls_exceeds_a_limit() {
    let mut limited = [0; 2];
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut world = earthly();
        world.add(ground()).unwrap();
        let wall = Shape::cuboid(Vec3::new(0.1, 1.0, 1.0)).unwrap();
        for x in [-0.25, 0.25] {
            world.add(BodyBuilder::fixed(wall.clone()).at(at(x, 0.0, 0.5))).unwrap();
        }
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(0.5);
        let cube = world.add(cube.at(at(0.0, 0.0, 0.1))).unwrap();
        let (most, torque) = (random.between(2.0, 30.0), random.between(0.1, 1.0));
        let hand = Hand::new(random.between(100.0, 1e5), random.between(1.0, 100.0))
            .with_most_force(most)
            .with_most_torque(torque)
            .with_grip(Pose::from_translation(random.vector(0.05)).unwrap());
        let hand = world.take(cube, hand).unwrap();
        for step in 0..200 {
            if step % 20 == 0 {
                let target = Pose::new(random.vector(0.4), random.rotation()).unwrap();
                world.move_hand(hand, target).unwrap();
            }
            let report = world.step(1e-3).unwrap();
            let [record] = report.hands[..] else { panic!("one hand") };
            assert!(record.force.length() <= most * (1.0 + SLACK), "{seed} {step}: {record:?} {most}");
            assert!(record.torque.length() <= torque * (1.0 + SLACK), "{seed} {step}: {record:?} {torque}");
            (0..2).for_each(|i| limited[i] += usize::from(record.is_limited[i]));
        }
    }
    assert!(limited[0] > 100 && limited[1] > 100, "{limited:?}");
}
