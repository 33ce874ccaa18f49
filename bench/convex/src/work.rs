//! The work that both sides do: round polyhedra, and two of them rotating past each other.

use silvia::proximity::Convex;
use silvia::solid::{Pose, Quat, Solid, Vec3, primitives};
use std::error::Error;
use std::f64::consts::TAU;

/// How often an icosahedron's edges are divided: 12, 42, 162, 642 and 2562 vertices.
pub(crate) const FREQUENCIES: [usize; 5] = [1, 2, 4, 8, 16];

/// How far the bodies turn between two queries, degrees: high, middle and low coherence.
pub(crate) const STEPS: [f64; 3] = [0.1, 1.0, 10.0];

/// A subdivided icosahedron of radius 1 m.
pub(crate) fn round(frequency: usize) -> Result<Convex, Box<dyn Error>> {
    Ok(Convex::new(&Solid::from_soup(&primitives::sphere(1.0, frequency)?)?)?)
}

/// Two bodies of radius 1 m rotating past each other, each about its own axis, the second also around the
/// first at a gap between a tenth and 1 m.
pub(crate) fn motion(step: f64, count: usize) -> Result<Vec<[Pose; 2]>, Box<dyn Error>> {
    let axes = [Vec3::new(1.0, 2.0, 3.0).normalize(), Vec3::new(-2.0, 1.0, 1.0).normalize()];
    let pose = |i: usize| {
        let turn = step.to_radians() * i as f64;
        let around = 0.31 * turn;
        let away = 2.55 + 0.45 * (0.17 * turn).sin();
        let at = away * Vec3::new(around.cos(), around.sin() * 0.8, around.sin() * 0.6);
        let angle = |speed: f64| (speed * turn) % TAU;
        Ok([
            Pose::new(Vec3::ZERO, Quat::from_axis_angle(axes[0], angle(1.0)))?,
            Pose::new(at, Quat::from_axis_angle(axes[1], angle(0.73)))?,
        ])
    };
    (0..count).map(pose).collect()
}
