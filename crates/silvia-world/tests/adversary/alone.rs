//! What touches nothing moves as if it were alone, whatever else happens in its island.

use crate::{at, ball, cube, floor, going, turning, weightless};
use silvia_solid::{Mat3, Vec3};
use silvia_world::{BodyBuilder, BodyId, World, WorldSettings};

const STEP: f64 = 1e-2;

#[test]
fn a_ball_thrown_up_beside_a_block_that_rests_flies_as_by_formula() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    world.add(floor()).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("block").at(at(0.0, 0.0, 0.5))).unwrap();
    let thrown = BodyBuilder::free(ball(0.2)).at(at(0.75, 0.0, 0.3)).velocity(going(Vec3::Z * 5.0));
    let thrown = world.add(thrown).unwrap();
    let shared = (0..20).filter(|_| world.step(STEP).unwrap().islands == 1).count();
    assert!(shared > 10, "{shared}: they are to be in one island at first");
    let time = world.time();
    let height = 0.3 + 5.0 * time - 0.5 * 9.81 * time * time;
    let error = world.pose(thrown).unwrap().translation().z - height;
    assert!(error.abs() < 1e-12, "{error}");
}

/// The energy of a body that only turns, J.
fn spin_energy(world: &World, id: BodyId) -> f64 {
    let state = world.body_state(id).unwrap();
    let axes = Mat3::from_quat(state.rotation);
    let inertia = axes * world.inertia(id).unwrap().inertia * axes.transpose();
    0.5 * state.velocity.angular.dot(inertia * state.velocity.angular)
}

#[test]
fn a_tumbling_plate_keeps_its_energy_beside_a_block_that_is_pressed_against_a_wall() {
    let mut world = weightless();
    world.add(BodyBuilder::fixed(cube(0.1, 3.0, 3.0)).at(at(-0.55, 0.0, 0.0))).unwrap();
    let pressed = world.add(BodyBuilder::held(cube(1.0, 1.0, 1.0))).unwrap();
    world.set_hand(pressed, going(Vec3::X * -20.0)).unwrap();
    let plate = BodyBuilder::free(cube(0.2, 0.5, 1.0)).at(at(1.12, 0.0, 0.0));
    let plate = world.add(plate.velocity(turning(Vec3::new(0.1, 8.0, 0.1)))).unwrap();
    let energy = spin_energy(&world, plate);
    let mut shared = 0;
    for _ in 0..500 {
        shared += usize::from(world.step(STEP).unwrap().islands == 1);
    }
    assert!(shared > 100, "{shared}: they are to be in one island now and then");
    let change = spin_energy(&world, plate) / energy - 1.0;
    assert!(change.abs() < 1e-9, "{change}");
}
