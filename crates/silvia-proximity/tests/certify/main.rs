//! Whether steps are free: closed forms, bodies that rest on each other, and paths against oracles that share
//! no code with the check.

#![allow(clippy::unwrap_used)]

mod cached;
mod closed;
#[path = "../common/mod.rs"]
mod common;
mod deforming;
mod deforming_cases;
mod front;
mod itself;
mod paths;
mod resting;

use silvia_proximity::shape::Shape;
use silvia_proximity::{ContactBody, RigidPath};
use silvia_solid::{Plane, Pose, Soup, Vec3};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn path(from: Pose, to: Pose) -> RigidPath {
    RigidPath { from, to, about: Vec3::ZERO }
}

fn body(shape: &Shape) -> ContactBody {
    ContactBody::new(shape)
}

fn ground() -> Shape {
    Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()
}

/// A square from -size to size in the plane z = 0, of twice `across` squared triangles.
fn floor(size: f64, across: u32) -> Shape {
    let line = across + 1;
    let place = |k: u32| size * (2.0 * f64::from(k) / f64::from(across) - 1.0);
    let points = (0..line * line).map(|k| Vec3::new(place(k % line), place(k / line), 0.0)).collect();
    let square = |k: u32| {
        let p = k / across * line + k % across;
        [[p, p + 1, p + line + 1], [p, p + line + 1, p + line]]
    };
    let triangles = (0..across * across).flat_map(square).collect();
    Shape::soup(Soup::new(points, triangles).unwrap())
}
