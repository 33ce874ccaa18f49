//! Parts that are fitted, against thresholds and forces of statics.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod countersink;
mod jamming;
mod nut;
mod peg;

use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};
use silvia_world::{World, WorldSettings, response};
use std::sync::Arc;

/// A world with gravity or without, under a method.
fn world(gravity: Vec3, method: &str) -> World {
    let mut world = World::new(WorldSettings::default().with_gravity(gravity)).unwrap();
    world.set_response(Arc::from(response::by_name(method).unwrap()));
    world
}

fn solid(soup: Result<Soup, silvia_solid::primitives::PrimitiveError>) -> Solid {
    Solid::from_soup(&soup.unwrap()).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Vec3::new(x, y, z), Quat::IDENTITY).unwrap()
}
