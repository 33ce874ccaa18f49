//! Contact systems made by rule, for tests, benchmarks and examples: chains, stacks, grids, piles.

use silvia_solid::{Mat3, Vec3};

use crate::attachment::Attachment;
use crate::contact::Contact;
use crate::node::{Node, Twist};
use crate::system::System;

/// Length of a step in all samples, in s.
pub const TIME_STEP: f64 = 0.01;

/// Gravity in all samples, in m/s².
pub const GRAVITY: f64 = 9.81;

/// A hanging chain of `links` rings of 1 kg: each holds the next one at a single point, the first hangs from
/// a hook.
pub fn chain(links: usize, friction: f64) -> System {
    let mut system = grounded();
    for link in 0..links {
        let at = Vec3::new(0.0, 0.0, -(link as f64) - 0.5);
        let body = add_box(&mut system, 1.0, Vec3::new(0.2, 0.2, 1.0), Twist::default());
        // The upper ring (A) carries the lower one (B): the normal pushes B upwards, from A's low end to B's
        // high end.
        let upper = if link == 0 { 0 } else { body - 1 };
        let centre = if link == 0 { Vec3::ZERO } else { at + Vec3::Z };
        add_contact(&mut system, upper, centre, body, at, at + 0.5 * Vec3::Z, Vec3::Z, friction);
    }
    system
}

/// A stack of `boxes` unit boxes on the ground, four contacts an interface; the top one is `mass_ratio` times
/// as heavy as the lowest, with even steps of the logarithm between.
pub fn stack(boxes: usize, mass_ratio: f64, friction: f64) -> System {
    let mut system = grounded();
    for level in 0..boxes {
        let share = if boxes > 1 { level as f64 / (boxes - 1) as f64 } else { 0.0 };
        let at = Vec3::new(0.0, 0.0, level as f64 + 0.5);
        let body = add_box(&mut system, mass_ratio.powf(share), Vec3::ONE, Twist::default());
        let below = if level == 0 { (0, Vec3::ZERO) } else { (body - 1, at - Vec3::Z) };
        add_corners(&mut system, below, (body, at), Vec3::ONE, friction);
    }
    system
}

/// A wall of `rows` by `columns` bricks in running bond, each resting on the two below it.
pub fn grid(rows: usize, columns: usize, friction: f64) -> System {
    let size = Vec3::new(2.0, 1.0, 1.0);
    let mut system = grounded();
    let centre =
        |row: usize, column: usize| Vec3::new(2.0 * column as f64 + (row % 2) as f64, 0.0, row as f64 + 0.5);
    for row in 0..rows {
        for column in 0..columns {
            let at = centre(row, column);
            let body = add_box(&mut system, 1.0, size, Twist::default());
            if row == 0 {
                add_corners(&mut system, (0, Vec3::ZERO), (body, at), size, friction);
                continue;
            }
            for lower in 0..columns {
                let under = centre(row - 1, lower);
                if (under.x - at.x).abs() < 1.5 {
                    let overlap = Vec3::new(2.0 - (under.x - at.x).abs(), 1.0, 1.0);
                    let middle = Vec3::new(0.5 * (under.x + at.x), 0.0, at.z);
                    let lower_body = 1 + (row - 1) * columns + lower;
                    for corner in corners(overlap) {
                        let point = middle + corner;
                        add_contact(&mut system, lower_body, under, body, at, point, Vec3::Z, friction);
                    }
                }
            }
        }
    }
    system
}

/// What a random pile is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pile {
    /// Stones along each side of the square base.
    pub side: usize,
    /// Layers of stones.
    pub layers: usize,
    /// Most contacts between two neighbours.
    pub points: usize,
    /// Friction coefficient.
    pub friction: f64,
    /// Heaviest over lightest stone.
    pub mass_ratio: f64,
    /// Spread of the stones' velocities in m/s.
    pub agitation: f64,
}

/// A random pile: stones on a jittered lattice, neighbours touching at one or more points with uneven
/// normals. All random choices are made by `unit`, which gives numbers evenly spread over [0, 1).
pub fn pile(pile: &Pile, mut unit: impl FnMut() -> f64) -> System {
    let unit = &mut unit;
    let mut system = grounded();
    let index = |x: usize, y: usize, z: usize| 1 + x + pile.side * (y + pile.side * z);
    let mut centres = vec![Vec3::ZERO];
    for z in 0..pile.layers {
        for y in 0..pile.side {
            for x in 0..pile.side {
                let jitter = 0.15 * vector(unit);
                centres.push(Vec3::new(x as f64, y as f64, z as f64 + 0.5) + jitter);
                let velocity =
                    Twist { linear: pile.agitation * vector(unit), angular: pile.agitation * vector(unit) };
                let mass = pile.mass_ratio.powf(unit());
                add_box(&mut system, mass, Vec3::new(1.0, 0.8 + 0.4 * unit(), 0.8), velocity);
            }
        }
    }
    for z in 0..pile.layers {
        for y in 0..pile.side {
            for x in 0..pile.side {
                let upper = index(x, y, z);
                let mut neighbours = Vec::new();
                if x > 0 {
                    neighbours.push((index(x - 1, y, z), 0.6));
                }
                if y > 0 {
                    neighbours.push((index(x, y - 1, z), 0.6));
                }
                if z > 0 {
                    neighbours.push((index(x, y, z - 1), 1.0));
                } else {
                    neighbours.push((0, 1.0));
                }
                for (lower, chance) in neighbours {
                    if unit() < chance {
                        let count = 1 + (unit() * pile.points as f64) as usize;
                        add_rough_contacts(
                            &mut system,
                            &centres,
                            lower,
                            upper,
                            count.min(pile.points),
                            pile.friction,
                            unit,
                        );
                    }
                }
            }
        }
    }
    system
}

fn add_rough_contacts(
    system: &mut System,
    centres: &[Vec3],
    lower: usize,
    upper: usize,
    count: usize,
    friction: f64,
    unit: &mut impl FnMut() -> f64,
) {
    let (from, to) = (centres[lower], centres[upper]);
    let along = if lower == 0 { Vec3::Z } else { (to - from).normalize_or(Vec3::Z) };
    let middle = if lower == 0 { to - 0.5 * Vec3::Z } else { 0.5 * (from + to) };
    for _ in 0..count {
        let normal = (along + 0.3 * vector(unit)).normalize_or(along);
        let point = middle + 0.4 * vector(unit);
        add_contact(system, lower, from, upper, to, point, normal, friction);
    }
}

/// A copy of `system` in which every contact occurs `copies` times.
pub fn duplicated(system: &System, copies: usize) -> System {
    let mut more = System { contacts: Vec::new(), ..system.clone() };
    for contact in &system.contacts {
        more.contacts.extend(std::iter::repeat_n(*contact, copies));
    }
    more
}

/// A system with the immovable ground as node 0.
pub fn grounded() -> System {
    System { nodes: vec![Node::immovable(Twist::default())], time_step: TIME_STEP, ..System::default() }
}

/// Adds a box that falls from `velocity`, and returns the number of its node.
pub fn add_box(system: &mut System, mass: f64, size: Vec3, velocity: Twist) -> usize {
    let square = size * size;
    let inertia = Mat3::from_diagonal(Vec3::new(
        mass / 12.0 * (square.y + square.z),
        mass / 12.0 * (square.x + square.z),
        mass / 12.0 * (square.x + square.y),
    ));
    let fall = Vec3::new(0.0, 0.0, -GRAVITY * TIME_STEP);
    let free = Twist { linear: velocity.linear + fall, ..velocity };
    system.nodes.push(Node::rigid(mass, inertia, velocity, free));
    system.nodes.len() - 1
}

/// Adds a closed contact at `point` that pushes `upper` along `normal`.
#[allow(
    clippy::too_many_arguments,
    reason = "a contact is two bodies with their centres, a point and a normal"
)]
pub fn add_contact(
    system: &mut System,
    lower: usize,
    lower_centre: Vec3,
    upper: usize,
    upper_centre: Vec3,
    point: Vec3,
    normal: Vec3,
    friction: f64,
) {
    system.contacts.push(Contact {
        a: Attachment::rigid(lower, point - lower_centre),
        b: Attachment::rigid(upper, point - upper_centre),
        normal,
        gap: 0.0,
        friction,
        restitution: 0.0,
        slip: Vec3::ZERO,
    });
}

/// Adds contacts at the four lower corners of a box.
pub fn add_corners(
    system: &mut System,
    (lower, lower_centre): (usize, Vec3),
    (upper, at): (usize, Vec3),
    size: Vec3,
    friction: f64,
) {
    for corner in corners(size) {
        add_contact(system, lower, lower_centre, upper, at, at + corner, Vec3::Z, friction);
    }
}

fn corners(size: Vec3) -> [Vec3; 4] {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| size * Vec3::new(x, y, -0.5))
}

/// Each component in [-1, 1).
fn vector(unit: &mut impl FnMut() -> f64) -> Vec3 {
    let mut next = || 2.0 * unit() - 1.0;
    Vec3::new(next(), next(), next())
}
