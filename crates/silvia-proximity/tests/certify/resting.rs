//! Bodies that rest, slide, roll and turn on each other at the gap that a world keeps: free, at little work.

use super::{at, body, floor, ground, path};
use silvia_proximity::shape::Shape;
use silvia_proximity::{ContactBody, PathCheck, RigidPath, check_path};
use silvia_solid::{Pose, Quat, Vec3};
use std::f64::consts::FRAC_PI_2;

/// m
const GAP: f64 = 1e-9;

/// How far bodies go in a step, m.
const STEP: f64 = 1e-3;

/// The same scene somewhere else and tilted, so that boxes along the axes tell nothing.
fn free(thing: &ContactBody, path: &RigidPath, other: &Shape) -> PathCheck {
    let tilt =
        Pose::new(Vec3::new(3.0, -2.0, 1.0), Quat::from_scaled_axis(Vec3::new(0.4, 0.3, 0.2))).unwrap();
    let path = RigidPath { from: tilt.compose(&path.from), to: tilt.compose(&path.to), about: path.about };
    let check = check_path(&body(other), &RigidPath::still(tilt), thing, &path);
    assert!(check.is_free(), "{check:?}");
    check
}

/// What rolls, slides or turns, with its height over the plane it is on.
fn movers() -> Vec<(&'static str, Shape, RigidPath)> {
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
        assert!(check.work <= 16, "{name}: {check:?}");
    }
}

#[test]
fn on_a_mesh_of_many_triangles_only_those_beneath_are_looked_at() {
    // 10,082 triangles of 3 cm.
    let floor = floor(1.0, 71);
    for (name, shape, path) in movers() {
        let check = free(&body(&shape), &path, &floor);
        // Of the mesh, with its nodes: what is beneath the rim, the base or the line of touch, and of a ball
        // next to nothing.
        let most = if matches!(shape, Shape::Sphere(_)) { 40 } else { 1500 };
        assert!(check.work <= most, "{name}: {check:?}");
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

#[test]
fn a_floor_of_two_large_triangles_carries_small_things() {
    let floor = floor(50.0, 1);
    let gap = 3e-11;
    let lying = Quat::from_rotation_y(FRAC_PI_2);
    let things = [
        (Shape::sphere(0.03).unwrap(), 0.03, Quat::IDENTITY),
        (Shape::cylinder(0.03, 0.1).unwrap(), 0.05, Quat::IDENTITY),
        (Shape::cylinder(0.03, 0.1).unwrap(), 0.03, lying),
        (Shape::cone(0.03, 0.1).unwrap(), 0.05, Quat::IDENTITY),
        (Shape::ellipsoid(Vec3::new(0.03, 0.02, 0.05)).unwrap(), 0.05, Quat::IDENTITY),
        (Shape::capsule(0.03, 0.1).unwrap(), 0.03, lying),
    ];
    for (shape, height, rotation) in things {
        let place = |x: f64| Pose::new(Vec3::new(x, 0.3, height + gap), rotation).unwrap();
        // Across the edge between the triangles.
        let check = free(&body(&shape), &path(place(0.2995), place(0.3005)), &floor);
        assert!(check.work < 20, "{check:?}");
    }
}

#[test]
fn what_tips_over_its_rim_does_not_dip_below_it() {
    // A can and a box tip by 0.6 degrees about a point of the rim, or an edge, that stays where it is.
    let turn = Quat::from_rotation_y(0.01);
    let foot = Vec3::new(0.25, 0.0, -0.4);
    let start = at(0.0, 0.0, 0.4 + GAP);
    let end = Pose::new(start.translation() + foot - turn * foot, turn).unwrap();
    for shape in [Shape::cylinder(0.25, 0.8).unwrap(), Shape::cuboid(Vec3::new(0.5, 0.5, 0.8)).unwrap()] {
        for below in [ground(), floor(1.0, 20)] {
            free(&body(&shape), &path(start, end), &below);
            // And on, and back.
            free(&body(&shape), &path(end, start), &below);
        }
    }
}

#[test]
fn round_things_that_slide_on_round_things_take_a_few_looks() {
    let lying = Quat::from_rotation_y(FRAC_PI_2);
    let along = |shape: Shape| (body(&shape), lying);
    let things = [
        along(Shape::capsule(0.1, 0.8).unwrap()),
        along(Shape::cylinder(0.1, 0.8).unwrap()),
        (body(&Shape::sphere(0.1).unwrap()), Quat::IDENTITY),
    ];
    let (gap, angle) = (1e-9, 1e-4);
    for (lower, below) in &things {
        for (upper, above) in &things {
            // Around what is below, by so little that the corner cut, 0.2 m times the angle squared over 2,
            // is less than the gap; and turning.
            let place = |angle: f64| {
                let (s, c) = angle.sin_cos();
                let turn = Quat::from_rotation_x(-3.0 * angle) * *above;
                Pose::new((0.2 + gap) * Vec3::new(0.0, s, c), turn).unwrap()
            };
            let slide = path(place(-0.5 * angle), place(0.5 * angle));
            let still = RigidPath::still(Pose::new(Vec3::ZERO, *below).unwrap());
            let check = check_path(lower, &still, upper, &slide);
            assert!(check.is_free() && check.work <= 8, "{lower:?} {upper:?} {check:?}");
        }
    }
}
