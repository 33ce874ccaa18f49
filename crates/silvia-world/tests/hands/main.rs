//! Hands that hold bodies by springs, against closed forms, statics and accounts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod contact;
mod keeping;
mod likeness;
mod limits;
mod oscillator;
mod passive;
mod peg;
mod statics;

use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, World, WorldSettings};

/// A world without gravity.
fn weightless() -> World {
    World::new(WorldSettings::default().with_gravity(Vec3::ZERO)).unwrap()
}

fn earthly() -> World {
    World::new(WorldSettings::default()).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn ground() -> BodyBuilder {
    BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()).named("ground")
}

/// Steps of a length in s until a time has passed.
fn run(world: &mut World, step: f64, time: f64) {
    for _ in 0..(time / step).round() as usize {
        world.step(step).unwrap();
    }
}
