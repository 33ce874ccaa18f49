//! Bodies that rest, slide, roll and turn on each other at the gap that a world keeps: free, at little work.

use super::{at, body, floor, ground, path};
use silvia_proximity::shape::Shape;
use silvia_proximity::{ContactBody, Path, PathCheck, check_path};
use silvia_solid::{Pose, Quat, Vec3};
use std::f64::consts::FRAC_PI_2;

/// m
const GAP: f64 = 1e-9;

/// How far bodies go in a step, m.
const STEP: f64 = 1e-3;

/// The same scene somewhere else and tilted, so that boxes along the axes tell nothing.
fn free(thing: &ContactBody, path: &Path, other: &Shape) -> PathCheck {
    let tilt =
        Pose::new(Vec3::new(3.0, -2.0, 1.0), Quat::from_scaled_axis(Vec3::new(0.4, 0.3, 0.2))).unwrap();
    let path = Path { from: tilt.compose(&path.from), to: tilt.compose(&path.to), about: path.about };
    let check = check_path(&body(other), &Path::still(tilt), thing, &path);
    assert!(check.is_free(), "{check:?}");
    check
}

/// What rolls, slides or turns, with its height over the plane it is on.
fn movers() -> Vec<(&'static str, Shape, Path)> {
    let lying = Quat::from_rotation_y(FRAC_PI_2);
    let mut all = Vec::new();
    let mut add = |name, shape: Shape, height: f64, from: Quat, to: Quat| {
        let z = height + GAP;
        let from = Pose::new(Vec3::new(0.0, 0.0, z), from).unwrap();
        let to = Pose::new(Vec3::new(0.3 * STEP, STEP, z), to).unwrap();
        all.push((name, shape, path(from, to)));
    };
    let roll = Quat::from_rotation_x(-STEP / 0.25);
    let spin = Quat::from_rotation_z(0.02);
    add("a ball rolls", Shape::sphere(0.25).unwrap(), 0.25, Quat::IDENTITY, roll);
    add("a can rolls", Shape::cylinder(0.25, 0.8).unwrap(), 0.25, lying, roll * lying);
    add("a can turns as it lies", Shape::cylinder(0.25, 0.8).unwrap(), 0.25, lying, spin * lying);
    add("a can turns as it stands", Shape::cylinder(0.25, 0.8).unwrap(), 0.4, Quat::IDENTITY, spin);
    add("a capsule slides", Shape::capsule(0.1, 0.8).unwrap(), 0.1, lying, lying);
    add("a capsule turns", Shape::capsule(0.1, 0.8).unwrap(), 0.1, lying, spin * lying);
    add("a cone slides", Shape::cone(0.3, 0.6).unwrap(), 0.3, Quat::IDENTITY, Quat::IDENTITY);
    add(
        "a box slides",
        Shape::cuboid(Vec3::new(0.3, 0.4, 0.5)).unwrap(),
        0.25,
        Quat::IDENTITY,
        Quat::IDENTITY,
    );
    add("a box turns", Shape::cuboid(Vec3::new(0.3, 0.4, 0.5)).unwrap(), 0.25, Quat::IDENTITY, spin);
    all
}

#[test]
fn on_a_half_space_a_step_takes_a_few_looks() {
    for (name, shape, path) in movers() {
        let check = free(&body(&shape), &path, &ground());
        eprintln!("{name}: {}", check.work);
        assert!(check.work <= 16, "{name}: {check:?}");
    }
}

#[test]
fn on_a_mesh_of_many_triangles_only_those_beneath_are_looked_at() {
    // 10,082 triangles of 3 cm.
    let floor = floor(1.0, 71);
    for (name, shape, path) in movers() {
        let check = free(&body(&shape), &path, &floor);
        eprintln!("{name}: {}", check.work);
    }
}

#[test]
fn a_ball_on_a_ball_that_is_carried_along_is_free() {
    let ball = body(&Shape::sphere(0.03).unwrap());
    let gap = 3e-11;
    for far in [0.0, 1e3] {
        let place = |x: f64, z: f64| at(far + x, far, far + z);
        let lower = path(place(0.0, 0.0), place(1e-3, 2e-4));
        let upper = path(place(0.0, 0.06 + gap), place(1e-3, 0.06 + gap + 2e-4));
        let check = check_path(&ball, &lower, &ball, &upper);
        // 1e3 m away, places are known to 1e-13 m.
        assert!(check.is_free(), "{check:?}");
    }
}
