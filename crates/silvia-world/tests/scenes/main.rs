//! Whole worlds of parts that are hard on the stepper. Scenes with known answers are in tests/validation.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, Material, World, WorldSettings, response};
use std::sync::Arc;

mod rough;

fn world(method: &str) -> World {
    World::with_response(WorldSettings::default(), Arc::from(response::by_name(method).unwrap())).unwrap()
}

fn material(world: &mut World, friction: f64, restitution: f64) -> silvia_world::MaterialId {
    world.add_material(Material { name: "m".into(), friction, restitution }).unwrap()
}
