//! Halving the step: the error falls to a quarter, in free flight and in contact.

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Load, Material, World, WorldSettings, response};
use std::f64::consts::TAU;
use std::sync::Arc;

fn world(gravity: f64, friction: f64) -> (World, silvia_world::MaterialId) {
    world_of(WorldSettings::default(), gravity, friction)
}

fn world_of(settings: WorldSettings, gravity: f64, friction: f64) -> (World, silvia_world::MaterialId) {
    let settings = settings.with_gravity(Vec3::new(0.0, 0.0, -gravity));
    let mut world = World::with_response(settings, Arc::from(response::by_name("auto").unwrap())).unwrap();
    let material = world.add_material(Material::new("m", friction, 0.0)).unwrap();
    (world, material)
}

fn run(world: &mut World, seconds: f64, steps: usize) {
    for _ in 0..steps {
        world.step(seconds / steps as f64).unwrap();
    }
}

/// By what power of the step errors fall, between each and the next of half the step.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

/// A body with a thruster that turns with it, and a torque.
fn flown(steps: usize) -> (Vec3, Quat) {
    let (mut world, _) = world(9.81, 0.0);
    let spin = Twist { linear: Vec3::new(1.0, 2.0, 3.0), angular: Vec3::new(3.0, 4.0, 1.0) };
    let body = BodyBuilder::free(Shape::cuboid(Vec3::new(0.3, 0.2, 0.1)).unwrap())
        .mass_properties(1.0, Vec3::ZERO, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0)))
        .velocity(spin);
    let body = world.add(body).unwrap();
    world.add_load(body, Load::force(5.0 * Vec3::X).at(Vec3::new(0.0, 0.3, 0.0)).turning()).unwrap();
    world.add_load(body, Load::torque(2.0 * Vec3::Z).over([(0.0, 0.0), (1.0, 1.0)])).unwrap();
    run(&mut world, 1.0, steps);
    let pose = world.pose(body).unwrap();
    (pose.translation(), pose.rotation())
}

#[test]
fn free_flight_is_of_second_order() {
    let (place, rotation) = flown(1 << 14);
    let error = |steps: usize| {
        let (p, r) = flown(steps);
        p.distance(place) + r.angle_between(rotation)
    };
    let errors: Vec<f64> = [25, 50, 100, 200].into_iter().map(error).collect();
    assert!(errors[3] > 1e-9, "too exact to tell: {errors:?}");
    for order in orders(&errors) {
        assert!((1.9..4.5).contains(&order), "{errors:?}");
    }
}

/// How far from its end a ball is that goes round a quarter of a circle, on smooth ground, drawn towards the
/// middle.
fn circling_error(steps: usize, second_order: bool) -> f64 {
    let settings = WorldSettings::default().with_second_order(second_order);
    let (mut world, material) = world_of(settings, 9.81, 0.0);
    ground(&mut world, material);
    // One turn in a second on a circle of 1 m: the force turns with the body, which turns as fast as it goes
    // round.
    let shape = Shape::sphere(0.1).unwrap();
    let start = Twist { linear: TAU * Vec3::Y, angular: TAU * Vec3::Z };
    let ball =
        BodyBuilder::free(shape).mass(1.0).at(Pose::from_translation(Vec3::new(1.0, 0.0, 0.1)).unwrap());
    let ball: BodyId = world.add(ball.velocity(start).material(material)).unwrap();
    world.add_load(ball, Load::force(-TAU * TAU * Vec3::X).turning()).unwrap();
    run(&mut world, 0.25, steps);
    let at = world.pose(ball).unwrap().translation();
    at.with_z(0.0).distance(Vec3::Y)
}

#[test]
fn circling_on_the_ground_is_of_second_order() {
    let errors: Vec<f64> =
        [250, 500, 1000, 2000].into_iter().map(|steps| circling_error(steps, true)).collect();
    for order in orders(&errors) {
        assert!((1.9..2.2).contains(&order), "{errors:?}");
    }
}

#[test]
fn circling_on_the_ground_is_of_first_order_if_that_is_chosen() {
    let errors: Vec<f64> =
        [250, 500, 1000, 2000].into_iter().map(|steps| circling_error(steps, false)).collect();
    for order in orders(&errors) {
        assert!((0.8..1.3).contains(&order), "{errors:?}");
    }
}

fn ground(world: &mut World, material: silvia_world::MaterialId) {
    let shape = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(shape).material(material)).unwrap();
}
