//! Hands take, let go and take again; they are kept in snapshots; threads change no bit.

use super::{at, earthly, ground, run};
use seeded::Random;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, Hand, HandId, Role, Script, Snapshot, World, WorldError};

#[test]
fn a_body_that_is_let_go_falls_and_can_be_taken_again() {
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap())).unwrap();
    let first = world.take(ball, Hand::new(1000.0, 1.0)).unwrap();
    run(&mut world, 1e-3, 0.1);
    assert!(world.pose(ball).unwrap().translation().length() < 1e-12);
    world.release(first).unwrap();
    run(&mut world, 1e-3, 0.1);
    assert!((world.velocity(ball).unwrap().linear.z + 0.981).abs() < 1e-9);
    let second = world.take(ball, Hand::new(1000.0, 1.0)).unwrap();
    assert_ne!(first, second);
    let where_taken = world.pose(ball).unwrap().translation();
    run(&mut world, 1e-3, 3.0);
    assert!(world.pose(ball).unwrap().translation().distance(where_taken) < 1e-6);
    assert!(matches!(world.release(first), Err(WorldError::NoSuchHand { .. })));
    assert!(world.hand_record(first).is_err());
}

#[test]
fn a_hand_pulls_within_its_time_alone() {
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap())).unwrap();
    let hand = world.take(ball, Hand::new(1000.0, 1.0).between(0.0, 0.1)).unwrap();
    run(&mut world, 1e-3, 0.1);
    assert!(world.pose(ball).unwrap().translation().length() < 1e-12);
    assert!(world.hand_record(hand).unwrap().is_some());
    run(&mut world, 1e-3, 0.1);
    assert!((world.velocity(ball).unwrap().linear.z + 0.981).abs() < 1e-9);
    assert_eq!(world.hand_record(hand).unwrap(), None);
    let refused = world.take(ball, Hand::new(1.0, 1.0).between(2.0, 1.0)).unwrap_err().to_string();
    assert!(refused.contains("from 2 s to 1 s"), "{refused}");
}

#[test]
fn a_hand_lets_go_of_what_is_no_longer_free_and_takes_nothing_else() {
    let mut world = earthly();
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap())).unwrap();
    let hand = world.take(ball, Hand::new(1000.0, 1.0)).unwrap();
    world.set_role(ball, Role::Fixed).unwrap();
    assert!(matches!(world.hand(hand), Err(WorldError::NoSuchHand { .. })));
    let refused = world.take(ball, Hand::new(1.0, 1.0)).unwrap_err().to_string();
    assert!(refused.contains("not free"), "{refused}");
    world.set_role(ball, Role::Free).unwrap();
    for (hand, word) in [
        (Hand::new(-1.0, 0.0), "stiffness"),
        (Hand::new(1.0, f64::NAN), "stiffness"),
        (Hand::new(1.0, 1.0).with_damping_ratio(-1.0), "damping"),
        (Hand::new(1.0, 1.0).with_most_force(-1.0), "largest force"),
        (Hand::new(1.0, 1.0).with_most_torque(f64::NAN), "largest torque"),
        (Hand::new(1.0, 1.0).with_target(Script::Poses(Vec::new())), "poses"),
    ] {
        let refused = world.take(ball, hand).unwrap_err().to_string();
        assert!(refused.contains(word), "{refused}");
    }
    assert_eq!(world.hands().count(), 0);
}

#[test]
fn a_sleeping_body_wakes_when_it_is_taken_and_does_not_sleep_in_hand() {
    let mut world = World::new(silvia_world::WorldSettings::default().with_sleep_after(5)).unwrap();
    world.add(ground()).unwrap();
    let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap());
    let cube = world.add(cube.at(at(0.0, 0.0, 0.05))).unwrap();
    run(&mut world, 1e-2, 0.5);
    assert_eq!(world.step(1e-2).unwrap().asleep, 1);
    let hand = world.take(cube, Hand::new(1000.0, 100.0)).unwrap();
    run(&mut world, 1e-2, 0.5);
    assert_eq!(world.step(1e-2).unwrap().asleep, 0);
    world.move_hand(hand, at(0.0, 0.0, 0.2)).unwrap();
    run(&mut world, 1e-2, 1.0);
    assert!((world.pose(cube).unwrap().translation().z - 0.2).abs() < 1e-3);
}

/// Boxes thrown about by hands that press them on each other and on the ground.
fn busy() -> World {
    let mut random = Random::new(5);
    let mut world = earthly();
    world.add(ground()).unwrap();
    for k in 0..6 {
        let x = 0.15 * f64::from(k);
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(0.5);
        let cube = world.add(cube.at(at(x, 0.0, 0.06))).unwrap();
        let mut hand = Hand::new(random.between(100.0, 1e4), random.between(1.0, 100.0))
            .with_most_force(30.0)
            .with_grip(Pose::new(random.vector(0.05), random.rotation()).unwrap());
        if k % 2 == 0 {
            let way = Twist { linear: random.vector(0.5), angular: random.vector(1.0) };
            hand = hand.with_target(Script::Velocity(way));
        } else {
            let poses = [0.1, 0.3].map(|time| (time, at(x + 0.05, 0.02, 0.04)));
            hand = hand.with_target(Script::Poses(poses.to_vec())).with_weight(false);
        }
        world.take(cube, hand).unwrap();
        if k == 3 {
            world.take(cube, Hand::new(500.0, 0.0).with_most_force(10.0)).unwrap();
        }
    }
    world
}

fn records(world: &World) -> Vec<[u64; 6]> {
    let hands: Vec<HandId> = world.hands().map(|(hand, _, _)| hand).collect();
    let record = |hand: &HandId| {
        let record = world.hand_record(*hand).unwrap().unwrap();
        let [fx, fy, fz] = record.force.to_array();
        let [tx, ty, tz] = record.torque.to_array();
        [fx, fy, fz, tx, ty, tz].map(f64::to_bits)
    };
    hands.iter().map(record).collect()
}

#[test]
fn the_number_of_threads_changes_no_bit_of_hands() {
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = busy();
            run(&mut world, 2e-3, 0.4);
            (world.hash(), records(&world))
        })
    };
    let one = of(1);
    assert_eq!(one.1.len(), 7);
    assert!(of(2) == one && of(4) == one);
}

#[test]
fn a_snapshot_of_hands_goes_on_to_the_same_bits_from_bytes_too() {
    let mut world = busy();
    run(&mut world, 2e-3, 0.2);
    let snapshot = world.snapshot();
    let before = records(&world);
    run(&mut world, 2e-3, 0.2);
    let expected = (world.hash(), records(&world));
    for snapshot in [snapshot.clone(), Snapshot::from_bytes(&snapshot.to_bytes()).unwrap()] {
        world.restore(&snapshot).unwrap();
        assert_eq!(records(&world), before);
        run(&mut world, 2e-3, 0.2);
        assert_eq!((world.hash(), records(&world)), expected);
        // A world that never had these hands.
        let mut other = busy();
        let hands: Vec<HandId> = other.hands().map(|(hand, _, _)| hand).collect();
        hands.into_iter().for_each(|hand| drop(other.release(hand).unwrap()));
        other.restore(&snapshot).unwrap();
        run(&mut other, 2e-3, 0.2);
        assert_eq!((other.hash(), records(&other)), expected);
    }
}
