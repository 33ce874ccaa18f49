//! The scenes. Sizes are of things on a bench: parts of 0.1 to 0.2 m.

use crate::scene::{Form, Part, Scene};
use bench_common::{Random, normal, positive};
use silvia::prelude::*;
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// What the scenes are called.
pub(crate) const NAMES: [&str; 6] = ["stack", "wall", "pile-300", "pile-1000", "knots", "chain"];

type Made = Result<Scene, Box<dyn Error>>;

/// A scene by its name; a small one of the same kind for `--quick`.
pub(crate) fn named(name: &str, quick: bool) -> Made {
    match (name, quick) {
        ("stack", false) => stack(10, 500),
        ("stack", true) => stack(10, 100),
        ("wall", false) => wall(20, 15, 400),
        ("wall", true) => wall(6, 5, 100),
        ("pile-300", false) => pile("pile-300", 300, 600, 400),
        ("pile-300", true) => pile("pile-300", 30, 200, 150),
        ("pile-1000", false) => pile("pile-1000", 1000, 700, 500),
        ("pile-1000", true) => pile("pile-1000", 60, 200, 150),
        ("knots", false) => knots(200, 1000, 400, 300),
        ("knots", true) => knots(8, 1000, 100, 75),
        ("chain", false) => chain(100, 500),
        ("chain", true) => chain(10, 100),
        _ => Err(format!("there is no scene `{name}`: there are {}", NAMES.join(", ")).into()),
    }
}

/// Cubes of 0.2 m exactly on each other, which must not move.
pub(crate) fn stack(boxes: usize, steps: usize) -> Made {
    let mut parts = vec![Part::fixed(Form::HalfSpace, Pose::IDENTITY)];
    parts.extend(tower(boxes, Vec3::ZERO)?);
    Ok(Scene {
        name: "stack",
        title: format!("Stack of {boxes} cubes"),
        parts,
        steps,
        windows: ["first half", "second half"],
        second: steps / 2,
    })
}

/// Stacks of ten cubes apart from each other, all at rest.
pub(crate) fn stacks(boxes: usize, steps: usize) -> Made {
    const HIGH: usize = 10;
    let count = boxes.div_ceil(HIGH);
    let edge = (count as f64).sqrt().ceil() as usize;
    let mut parts = vec![Part::fixed(Form::HalfSpace, Pose::IDENTITY)];
    for i in 0..count {
        let foot = Vec3::new((i % edge) as f64, (i / edge) as f64, 0.0);
        parts.extend(tower(HIGH.min(boxes - HIGH * i), foot)?);
    }
    let title = format!("{count} stacks");
    Ok(Scene {
        name: "stacks",
        title,
        parts,
        steps,
        windows: ["first half", "second half"],
        second: steps / 2,
    })
}

fn tower(boxes: usize, foot: Vec3) -> Result<Vec<Part>, Box<dyn Error>> {
    const SIDE: f64 = 0.2;
    let cube = |level: usize| {
        let pose = Pose::from_translation(foot + Vec3::Z * SIDE * (level as f64 + 0.5))?;
        Ok(Part::free(Form::Box(Vec3::splat(SIDE)), pose))
    };
    (0..boxes).map(cube).collect()
}

/// Bricks exactly on each other, each row shifted by a quarter of a brick, and a ball that flies at their
/// middle.
pub(crate) fn wall(along: usize, rows: usize, steps: usize) -> Made {
    let brick = Vec3::new(0.2, 0.1, 0.1);
    /// Between the ends of neighbours, m.
    const JOINT: f64 = 1e-3;
    const SPEED: f64 = 10.0;
    const RADIUS: f64 = 0.15;
    let mut parts = vec![Part::fixed(Form::HalfSpace, Pose::IDENTITY)];
    for row in 0..rows {
        let shift = if row % 2 == 0 { 0.0 } else { 0.25 * brick.x };
        for i in 0..along {
            let x = (i as f64 - 0.5 * (along as f64 - 1.0)) * (brick.x + JOINT) + shift;
            let at = Vec3::new(x, 0.0, brick.z * (row as f64 + 0.5));
            parts.push(Part::free(Form::Box(brick), Pose::from_translation(at)?));
        }
    }
    // It hits the wall a quarter of the way through.
    let flight = SPEED * 0.25 * steps as f64 * crate::scene::STEP;
    let height = 0.5 * brick.z * rows as f64;
    let at = Vec3::new(0.05, -0.5 * brick.y - RADIUS - flight, height.max(RADIUS + 0.01));
    let ball = Part::free(Form::Ball(RADIUS), Pose::from_translation(at)?);
    parts.push(ball.moving(Vec3::Y * SPEED));
    Ok(Scene {
        name: "wall",
        title: format!("Wall of {} bricks hit by a ball", along * rows),
        parts,
        steps,
        windows: ["before the ball", "after"],
        second: steps / 4,
    })
}

/// Convex parts let fall from a lattice into a bin about as high as it is wide.
pub(crate) fn pile(name: &'static str, count: usize, steps: usize, second: usize) -> Made {
    let edge = (count as f64).cbrt().round() as usize;
    let title = format!("Pile of {count} convex parts");
    Ok(Scene { name, title, parts: heap(count, edge)?, steps, windows: ["falling", "settled"], second })
}

/// Convex parts let fall from a lattice of five layers, so that what happens does not depend on how many
/// there are.
pub(crate) fn bed(count: usize, steps: usize) -> Made {
    const LAYERS: f64 = 5.0;
    let edge = (count as f64 / LAYERS).sqrt().ceil() as usize;
    let title = format!("Pile of {count} convex parts");
    let windows = ["falling", "meeting"];
    Ok(Scene { name: "bed", title, parts: heap(count, edge)?, steps, windows, second: steps / 2 })
}

/// Convex parts of three kinds, turned at random, in a lattice of so many cells along each side, and a bin
/// around them.
fn heap(count: usize, edge: usize) -> Result<Vec<Part>, Box<dyn Error>> {
    /// Between the middles of neighbours in the lattice, m: no part is wider.
    const CELL: f64 = 0.16;
    let mut random = Random::new(11);
    let mut parts = bin(0.5 * CELL * edge as f64)?;
    for i in 0..count {
        let form = match i % 3 {
            0 => {
                let points: Vec<Vec3> = (0..20).map(|_| direction(&mut random)).collect();
                Form::hull_within(&points, 0.075)?
            }
            1 => {
                let sides = 3 + (positive(&mut random) * 5.99) as usize;
                Form::hull(primitives::prism(sides, 0.05, 0.1)?.points())?
            }
            _ => Form::Box(Vec3::new(0.12, 0.08, 0.06) * (0.7 + 0.3 * positive(&mut random))),
        };
        parts.push(Part::free(form, Pose::new(cell(i, edge) * CELL, turn(&mut random))?));
    }
    Ok(parts)
}

/// Trefoil knots of 0.2 m, turned at random, let fall from a lattice into a bin.
pub(crate) fn knots(count: usize, triangles: usize, steps: usize, second: usize) -> Made {
    const CELL: f64 = 0.21;
    /// The knot of unit scale is 6.6 m wide.
    const SCALE: f64 = 0.03;
    let unit = primitives::TorusKnot::TREFOIL.soup_with_triangles(triangles)?;
    let points = unit.points().iter().map(|&p| p * SCALE).collect();
    let form = Form::mesh(&Soup::new(points, unit.triangles().to_vec())?)?;
    let mut random = Random::new(13);
    let edge = (count as f64).cbrt().round() as usize;
    let mut parts = bin(0.5 * CELL * edge as f64)?;
    for i in 0..count {
        parts.push(Part::free(form.clone(), Pose::new(cell(i, edge) * CELL, turn(&mut random))?));
    }
    let title = format!("{count} knots of {} triangles in a bin", unit.triangles().len());
    Ok(Scene { name: "knots", title, parts, steps, windows: ["falling", "settled"], second })
}

/// Links that hang from a fixed one, a little apart at the start.
pub(crate) fn chain(links: usize, steps: usize) -> Made {
    const RING: f64 = 0.05;
    const TUBE: f64 = 0.01;
    const ALONG: usize = 24;
    /// Of the next link, m: 1 mm less than taut.
    const PITCH: f64 = 2.0 * (RING - TUBE) - 1e-3;
    let form = Form::mesh(&primitives::torus(RING, TUBE, ALONG, 10)?)?;
    let mut random = Random::new(17);
    let mut parts = Vec::new();
    for i in 0..links {
        let quarter = if i % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        let rotation = Quat::from_rotation_z(quarter + 0.1 * (positive(&mut random) - 0.5))
            * Quat::from_rotation_x(FRAC_PI_2)
            * Quat::from_rotation_z(PI / ALONG as f64);
        let pose = Pose::new(Vec3::Z * (PITCH * (links - i) as f64), rotation)?;
        let make = if i == 0 { Part::fixed } else { Part::free };
        parts.push(make(form.clone(), pose));
    }
    let title = format!("Chain of {links} links");
    Ok(Scene {
        name: "chain",
        title,
        parts,
        steps,
        windows: ["first half", "second half"],
        second: steps / 2,
    })
}

/// A floor and four walls without end, whose insides are so far from the middle, m.
fn bin(half: f64) -> Result<Vec<Part>, Box<dyn Error>> {
    let mut parts = vec![Part::fixed(Form::HalfSpace, Pose::IDENTITY)];
    for side in 0..4 {
        let around = Quat::from_rotation_z(FRAC_PI_2 * side as f64);
        let inward = around * Quat::from_rotation_y(-FRAC_PI_2);
        parts.push(Part::fixed(Form::HalfSpace, Pose::new(around * Vec3::X * half, inward)?));
    }
    Ok(parts)
}

/// The cell of the i-th body, in layers around the axis of the bin from the floor upwards.
fn cell(i: usize, edge: usize) -> Vec3 {
    let middle = 0.5 * (edge as f64 - 1.0);
    let (x, y, z) = (i % edge, i / edge % edge, i / edge / edge);
    Vec3::new(x as f64 - middle, y as f64 - middle, z as f64 + 0.5)
}

/// Any direction alike.
fn direction(random: &mut Random) -> Vec3 {
    let (z, angle) = (2.0 * positive(random) - 1.0, TAU * positive(random));
    let across = (1.0 - z * z).max(0.0).sqrt();
    Vec3::new(across * angle.cos(), across * angle.sin(), z)
}

/// Any rotation alike.
fn turn(random: &mut Random) -> Quat {
    let q = Quat::from_xyzw(normal(random), normal(random), normal(random), normal(random));
    if q.length() > 1e-3 { q.normalize() } else { Quat::IDENTITY }
}
