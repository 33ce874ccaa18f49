//! Steps whose length an accuracy chooses: against closed forms, and to the same bits on any number of
//! threads and after a restart.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rayon::ThreadPoolBuilder;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{AdaptiveStepper, BodyBuilder, BodyId, Material, Script, StepError, World, WorldSettings};

/// m/s²
const G: f64 = 9.81;
/// s
const LONGEST: f64 = 1e-2;

fn with_ground(friction: f64, restitution: f64, second_order: bool) -> World {
    let mut world = World::new(WorldSettings::default().with_second_order(second_order)).unwrap();
    let all = world.add_material(Material::new("all", friction, restitution)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(all)).unwrap();
    world
}

fn add(world: &mut World, shape: Shape, at: Pose, velocity: Twist) -> BodyId {
    let all = world.material_id("all").unwrap();
    world.add(BodyBuilder::free(shape).mass(1.0).material(all).at(at).velocity(velocity)).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// Advances by a time, s; the number of steps that were kept.
fn run(world: &mut World, stepper: &mut AdaptiveStepper, time: f64) -> u64 {
    let (steps, from) = ((time / LONGEST).round() as u64, world.steps());
    for step in 0..steps {
        let mut told = 0;
        stepper.advance(world, LONGEST, |_, _| told += 1).unwrap();
        assert!(told >= 2 && told % 2 == 0);
        let expected = LONGEST * (step + 1) as f64;
        assert!((world.time() - expected).abs() < 1e-12, "outputs are hit: {} {expected}", world.time());
    }
    world.steps() - from
}

/// A disk that rolls round a circle, tilted from the vertical, at a rate, rad/s; its size, m, and its centre
/// from the middle of the circle.
fn rolling(world: &mut World, tilt: f64, rate: f64) -> (BodyId, f64, Vec3) {
    let (radius, thickness) = (0.0125, 0.002);
    let k = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    let down = -(Vec3::Z - k.z * k).normalize();
    let arm = -0.5 * thickness * k + radius * down;
    let (across, along) = (radius * radius / 4.0 + thickness * thickness / 12.0, radius * radius / 2.0);
    let motion = |spin: f64| {
        let w = rate * Vec3::Z + spin * k;
        let v = -w.cross(arm);
        (w, v, v.y / rate * Vec3::X)
    };
    let unbalance = |spin: f64| {
        let (w, _, from_middle) = motion(spin);
        let momentum = across * (w - w.dot(k) * k) + along * w.dot(k) * k;
        let force = G * Vec3::Z - rate * rate * from_middle;
        (rate * Vec3::Z.cross(momentum) - arm.cross(force)).y
    };
    let spin = -unbalance(0.0) / (unbalance(1.0) - unbalance(0.0));
    let (angular, linear, from_middle) = motion(spin);
    let pose = Pose::new(from_middle - Vec3::Z * arm.z, Quat::from_rotation_y(tilt)).unwrap();
    let body = add(world, Shape::cylinder(radius, thickness).unwrap(), pose, Twist { linear, angular });
    (body, (8.0 * radius * radius + thickness * thickness).sqrt(), from_middle)
}

#[test]
fn free_flight_takes_the_longest_steps_at_any_accuracy() {
    let mut world = with_ground(0.5, 0.0, true);
    let spin = Twist { linear: Vec3::X, angular: 3.0 * Vec3::Y };
    add(&mut world, Shape::sphere(0.1).unwrap(), at(0.0, 0.0, 9.0), spin);
    let mut stepper = AdaptiveStepper::new(AdaptiveStepper::FINEST).unwrap();
    assert_eq!(run(&mut world, &mut stepper, 1.0), 200);
    assert!(stepper.told().estimated < 1e-11 && stepper.told().rejected == 0, "{:?}", stepper.told());
}

#[test]
fn a_rolling_coin_is_as_near_to_its_closed_form_as_was_asked_for() {
    let (tilt, rate, time) = (70_f64.to_radians(), 6.0, 0.5);
    let mut steps_before = 0;
    for accuracy in [1e-1, 1e-2, 1e-3] {
        let mut world = with_ground(0.9, 0.0, true);
        let (coin, size, from) = rolling(&mut world, tilt, rate);
        let mut stepper = AdaptiveStepper::new(accuracy).unwrap();
        let steps = run(&mut world, &mut stepper, time);
        let place = world.pose(coin).unwrap().translation().with_z(0.0);
        let error = place.distance(Quat::from_rotation_z(time * rate) * from) / size;
        println!("{accuracy}: {error:e} after {steps} steps, {:?}", stepper.told());
        assert!(error < accuracy * time, "{accuracy}: {error:e}");
        assert!(stepper.told().estimated < accuracy * time && stepper.told().missed == 0);
        assert!(steps > 2 * steps_before && stepper.told().longest < 0.5001 * LONGEST);
        steps_before = steps;
    }
    // Of second order: a thirtieth of the error takes some 5.5 times the steps.
    assert!(steps_before < 40_000, "{steps_before}");
}

#[test]
fn a_block_slides_to_a_stop_as_exactly_as_was_asked_for_also_to_first_order() {
    let (speed, friction) = (2.0, 0.5);
    let way = speed * speed / (2.0 * friction * G);
    let size = Vec3::new(0.2, 0.2, 0.1);
    for second_order in [false, true] {
        for accuracy in [1e-2, 1e-3] {
            let mut world = with_ground(friction, 0.0, second_order);
            let slide = Twist { linear: speed * Vec3::X, angular: Vec3::ZERO };
            let block = add(&mut world, Shape::cuboid(size).unwrap(), at(0.0, 0.0, 0.05), slide);
            let mut stepper = AdaptiveStepper::new(accuracy).unwrap();
            let steps = run(&mut world, &mut stepper, 0.6);
            let error = (world.pose(block).unwrap().translation().x - way).abs() / size.length();
            println!("{second_order} {accuracy}: {error:e} after {steps} steps, {:?}", stepper.told());
            assert!(error < 0.6 * accuracy, "{second_order} {accuracy}: {error:e}");
            assert!(world.velocity(block).unwrap().linear.length() < 1e-12);
        }
    }
}

#[test]
fn impacts_do_not_keep_steps_short() {
    let mut world = with_ground(0.3, 0.5, true);
    let ball = add(&mut world, Shape::sphere(0.1).unwrap(), at(0.0, 0.0, 1.1), Twist::default());
    let mut stepper = AdaptiveStepper::new(1e-4).unwrap();
    // Through its first three bounces: each flight takes half as long as the one before.
    let steps = run(&mut world, &mut stepper, 1.2);
    println!("{steps} steps, {:?}", stepper.told());
    let fall = (2.0 / G).sqrt();
    let third = fall + 2.0 * fall * 0.5 + 2.0 * fall * 0.25;
    let (flown, speed) = (1.2 - third, 0.125 * (2.0 * G).sqrt());
    let height = 0.1 + speed * flown - 0.5 * G * flown * flown;
    let error = (world.pose(ball).unwrap().translation().z - height).abs();
    assert!(error < 1e-4 * 1.2 * 0.35, "{error:e}");
    assert!(steps < 400, "{steps}");
}

#[test]
fn what_is_no_accuracy_is_refused_with_what_is_one() {
    for bad in [0.0, -1e-3, f64::NAN, 2.0, 1e-12] {
        let told = AdaptiveStepper::new(bad).unwrap_err().to_string();
        assert!(told.contains("give one from 1e-9 to 1"), "{told}");
    }
    let mut world = with_ground(0.5, 0.0, true);
    let mut stepper = AdaptiveStepper::new(1e-3).unwrap();
    assert!(stepper.advance(&mut world, -1.0, |_, _| ()).is_err());
}

/// Boxes that fall onto each other.
fn pile() -> World {
    let mut world = with_ground(0.5, 0.3, true);
    for level in 0..4 {
        let level = f64::from(level);
        let turned = Quat::from_rotation_x(0.2 + level) * Quat::from_rotation_y(0.4 * level);
        let pose = Pose::new(Vec3::new(0.02 * level, 0.0, 0.2 + 0.25 * level), turned).unwrap();
        add(&mut world, Shape::cuboid(Vec3::new(0.2, 0.15, 0.1)).unwrap(), pose, Twist::default());
    }
    world
}

#[test]
fn steps_are_the_same_on_any_number_of_threads_and_after_a_restart() {
    let asked = || AdaptiveStepper::new(1e-1).unwrap();
    let mut expected = None;
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut world, mut stepper) = (pile(), asked());
        pool.install(|| run(&mut world, &mut stepper, 0.6));
        let found = (world.hash(), stepper);
        assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{threads} threads");
    }
    let (hash, whole) = expected.unwrap();
    println!("{:?}", whole.told());
    assert!(whole.told().rejected > 0);
    // Stopped half way, and taken up in another world.
    let (mut world, mut stepper) = (pile(), asked());
    run(&mut world, &mut stepper, 0.3);
    let mut other = pile();
    other.restore(&world.snapshot()).unwrap();
    let mut again = asked().resumed(stepper.next(), *stepper.told());
    for _ in 0..30 {
        again.advance(&mut other, LONGEST, |_, _| ()).unwrap();
    }
    assert_eq!((other.hash(), again), (hash, whole));
}

/// A remainder that is no multiple of the shortest step by a rounding was tried again without end.
#[test]
fn a_press_that_is_blocked_at_once_ends_the_run() {
    let mut world = with_ground(0.5, 0.0, true);
    add(&mut world, Shape::cuboid(Vec3::splat(0.2)).unwrap(), at(0.0, 0.0, 0.1), Twist::default());
    let down = vec![(0.5, at(0.0, 0.0, 0.3)), (1.0, at(0.0, 0.0, 0.1))];
    let press = BodyBuilder::scripted(Shape::cuboid(Vec3::splat(0.2)).unwrap(), Script::Poses(down));
    world.add(press).unwrap();
    let mut stepper = AdaptiveStepper::new(1e-2).unwrap();
    let stuck = (0..1000).find_map(|_| stepper.advance(&mut world, 1e-3, |_, _| ()).err());
    assert!(matches!(stuck, Some(StepError::Stuck { .. })), "{stuck:?}");
    assert!((world.time() - 0.5).abs() < 1e-3, "at {} s", world.time());
}
