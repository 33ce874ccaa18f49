//! Static and kinetic friction: what rests holds until it breaks loose, and then slides on less.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Load, Material, World, WorldSettings, response};
use std::sync::Arc;

/// m/s²
const G: f64 = 9.81;

/// Methods that know friction.
const METHODS: [&str; 3] = ["auto", "ncp", "lcp"];

const STATIC: f64 = 0.6;
const KINETIC: f64 = 0.4;

/// A block of 2 kg on a plane that leans by an angle, rad, in a frame in which the plane is level.
fn block(method: &str, lean: f64, speed: f64, second_order: bool) -> (World, BodyId) {
    let down = Quat::from_rotation_y(-lean) * (-G * Vec3::Z);
    let settings = WorldSettings::default().with_gravity(down).with_second_order(second_order);
    let response = Arc::from(response::by_name(method).unwrap());
    let mut world = World::with_response(settings, response).unwrap();
    let stuff = Material::new("stuff", KINETIC, 0.0).with_static_friction(STATIC);
    let stuff = world.add_material(stuff).unwrap();
    let plane = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(plane).material(stuff)).unwrap();
    let block = BodyBuilder::free(Shape::cuboid(Vec3::new(0.4, 0.4, 0.05)).unwrap()).mass(2.0);
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.025)).unwrap();
    let moves = Twist { linear: speed * Vec3::X, angular: Vec3::ZERO };
    let block = world.add(block.material(stuff).at(at).velocity(moves)).unwrap();
    (world, block)
}

fn way(world: &World, block: BodyId) -> f64 {
    world.pose(block).unwrap().translation().x
}

fn run(world: &mut World, step: f64, steps: usize) {
    for _ in 0..steps {
        assert!(world.step(step).unwrap().shortfalls.is_empty());
    }
}

#[test]
fn what_rests_holds_where_what_slides_goes_on() {
    // Between both angles of friction.
    let lean = 0.5_f64.atan();
    for method in METHODS {
        for second_order in [true, false] {
            let (mut world, resting) = block(method, lean, 0.0, second_order);
            run(&mut world, 2e-3, 1000);
            assert!(way(&world, resting).abs() < 1e-9, "{method}");

            let (mut world, sliding) = block(method, lean, 0.1, second_order);
            run(&mut world, 2e-3, 1000);
            let acceleration = G * (lean.sin() - KINETIC * lean.cos());
            let expected = 0.1 * 2.0 + 0.5 * acceleration * 2.0 * 2.0;
            let error = (way(&world, sliding) / expected - 1.0).abs();
            assert!(error < if second_order { 1e-6 } else { 2e-3 }, "{method}: {error:e}");
        }
    }
}

#[test]
fn a_growing_pull_breaks_loose_at_static_friction_and_goes_on_against_kinetic() {
    // 10 N/s
    let pull = Load::force(1000.0 * Vec3::X).over([(0.0, 0.0), (100.0, 1.0)]);
    let holds_until = STATIC * 2.0 * G / 10.0;
    for method in METHODS {
        let (mut world, block) = block(method, 0.0, 0.0, true);
        world.add_load(block, pull.clone()).unwrap();
        let steps = 1000;
        let step = holds_until / (steps as f64 - 0.5);
        run(&mut world, step, steps - 1);
        assert!(way(&world, block).abs() < 1e-9, "{method}: {}", way(&world, block));
        // From then on m v' = 10 t - KINETIC m G.
        let time = 0.5;
        let more = (time / step).round() as usize;
        run(&mut world, step, more);
        let after = (more as f64 - 0.5) * step;
        let expected = (STATIC - KINETIC) * G * after * after / 2.0 + 10.0 / 2.0 * after.powi(3) / 6.0;
        let error = (way(&world, block) / expected - 1.0).abs();
        // It breaks loose within a step, slips fast enough to be seen within the next, and has kinetic
        // friction from then on.
        assert!(error < 2.0 * (3.0 * step) / time, "{method}: {} for {expected}", way(&world, block));
    }
}

#[test]
fn what_slides_stops_by_kinetic_friction_and_stays() {
    for method in METHODS {
        let (mut world, block) = block(method, 0.0, 1.0, true);
        run(&mut world, 1e-3, 1000);
        let expected = 1.0 / (2.0 * KINETIC * G);
        assert!((way(&world, block) - expected).abs() < 2e-6, "{method}: {} {expected}", way(&world, block));
        let rested = way(&world, block);
        run(&mut world, 1e-3, 100);
        assert_eq!(way(&world, block), rested, "{method}");
    }
}
