//! Worlds made to find a certified step that is wrong.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod alone;
mod energy;
mod judge;
mod likeness;
mod random;
mod worlds;

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, World, WorldSettings};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cube(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn floor() -> BodyBuilder {
    BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()).named("floor")
}

fn weightless() -> World {
    World::new(WorldSettings::default().with_gravity(Vec3::ZERO)).unwrap()
}

fn going(linear: Vec3) -> Twist {
    Twist { linear, angular: Vec3::ZERO }
}

fn turning(angular: Vec3) -> Twist {
    Twist { linear: Vec3::ZERO, angular }
}
