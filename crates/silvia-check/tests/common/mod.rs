//! What the tests share.
#![allow(dead_code, clippy::unwrap_used)]

use silvia_check::{Checker, Verdict};
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Soup, Vec3, primitives};

/// The depth of a second shape at a pose in the frame of the first.
pub(crate) fn depth_of(a: &Shape, b: &Shape, pose: &Pose) -> f64 {
    let mut checker = two(a, b);
    checker.state(0.0, &[Pose::IDENTITY, *pose]).unwrap();
    checker.verdict().depth()
}

/// The verdict on a first shape that stays and a second that goes from one pose to another.
pub(crate) fn motion(a: &Shape, b: &Shape, from: &Pose, to: &Pose) -> Verdict {
    let mut checker = two(a, b);
    checker.state(0.0, &[Pose::IDENTITY, *from]).unwrap();
    checker.state(1.0, &[Pose::IDENTITY, *to]).unwrap();
    checker.verdict()
}

pub(crate) fn two(a: &Shape, b: &Shape) -> Checker {
    Checker::new([("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())]).unwrap()
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

pub(crate) fn turned(axis: Vec3, angle: f64, at: Vec3) -> Pose {
    Pose::new(at, Quat::from_axis_angle(axis, angle)).unwrap()
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

pub(crate) fn knot() -> Soup {
    primitives::TorusKnot::TREFOIL.soup(96, 12).unwrap()
}
