//! Bodies placed exactly, and the whole scene moved after that.

use crate::steps::stage::{Stage, moving, said, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::primitives::{PrimitiveError, cuboid};
use silvia::world::Budget;
use std::f64::consts::FRAC_PI_2;

/// The share of trials that are interactive.
const INTERACTIVE: f64 = 0.25;

/// m/s²; a whole multiple of a power of two, unlike 9.81.
const GRAVITY: f64 = 10.0;

/// Maps x to y, y to z and z to x, to the bit.
pub(super) const THIRD_OF_A_TURN: Quat = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);

/// Maps z to -z and y to -y, to the bit.
pub(super) const UPSIDE_DOWN: Quat = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);

/// Bodies in the frame of their scene.
pub(super) struct Placing {
    parts: Vec<Part>,
    /// The direction of gravity.
    down: Vec3,
    /// What was chosen, for those who look into a failure.
    told: String,
}

struct Part {
    name: String,
    shape: Shape,
    at: Pose,
    velocity: Twist,
    is_free: bool,
}

impl Placing {
    /// Nothing yet; gravity goes down z.
    pub(super) fn new() -> Placing {
        Placing { parts: Vec::new(), down: -Vec3::Z, told: String::new() }
    }

    /// With gravity along another direction.
    pub(super) fn falling_along(self, down: Vec3) -> Placing {
        Placing { down: down.normalize(), ..self }
    }

    /// Notes what was chosen.
    pub(super) fn tell(&mut self, what: &str) {
        self.told += what;
        self.told += ", ";
    }

    /// A body that nothing moves.
    pub(super) fn fix(&mut self, name: &str, shape: &Shape, at: Pose) {
        self.put(name, shape, at, false);
    }

    /// A body that can move, at rest.
    pub(super) fn free(&mut self, name: &str, shape: &Shape, at: Pose) {
        self.put(name, shape, at, true);
    }

    fn put(&mut self, name: &str, shape: &Shape, at: Pose, is_free: bool) {
        let name = format!("{name} {}", self.parts.len());
        self.parts.push(Part { name, shape: shape.clone(), at, velocity: Twist::default(), is_free });
    }

    /// Lets the last body move.
    pub(super) fn with_velocity(&mut self, linear: Vec3, angular: Vec3) {
        if let Some(part) = self.parts.last_mut() {
            part.velocity = moving(linear, angular);
        }
    }

    /// The level ground at a height.
    pub(super) fn ground(&mut self, height: f64) -> Result<(), String> {
        let below = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).map_err(said)?;
        self.fix("ground", &below, at(Vec3::Z * height)?);
        Ok(())
    }

    /// The scene, moved as a whole, with friction, masses and steps by chance.
    pub(super) fn stage(self, random: &mut Random) -> Result<Stage, String> {
        let (moved, frame) = frame(random)?;
        let friction = random.pick(&[0.0, 0.3, 1.0]);
        let heavier = random.pick(&[1.0, 1.0, 1000.0]);
        // Which of every two bodies is the heavier one.
        let heavy = random.below(2);
        let step = random.pick(&[1e-3, 2e-3]);
        let steps = random.whole(30, 120) as usize;
        let budget = random.chance(INTERACTIVE).then(Budget::default);
        let gravity = frame.transform_vector(GRAVITY * self.down);
        let settings = WorldSettings::default().with_gravity(gravity).with_interactive(budget);
        let told = format!(
            "{}{moved}, {} steps of {} ms, friction {friction}, masses 1 : {heavier}",
            self.told,
            if settings.interactive.is_some() { "interactive" } else { "exact" },
            1e3 * step
        );
        let mut bodies = Vec::new();
        for (number, part) in self.parts.into_iter().enumerate() {
            let Part { name, shape, at, velocity, is_free } = part;
            let body = if is_free {
                let turned =
                    moving(frame.transform_vector(velocity.linear), frame.transform_vector(velocity.angular));
                let mass = if number % 2 == heavy { heavier } else { 1.0 };
                BodyBuilder::free(shape).mass(mass).velocity(turned)
            } else {
                BodyBuilder::fixed(shape)
            };
            bodies.push(body.named(name).at(frame.compose(&at)));
        }
        let stage = Stage::new(random, steps, bodies);
        Ok(Stage { friction, restitution: 0.0, step, settings, keeps_energy: true, told, ..stage })
    }
}

/// How the whole scene is moved: not at all, by motions that keep every bit or nearly, or by any.
fn frame(random: &mut Random) -> Result<(&'static str, Pose), String> {
    let power = |random: &mut Random| {
        let sign = random.pick(&[-1.0, 1.0]);
        sign * 2_f64.powi(random.whole(0, 10) as i32)
    };
    let axis = random.pick(&[Vec3::X, Vec3::Y, Vec3::Z]);
    Ok(match random.below(6) {
        0 => ("not moved", Pose::IDENTITY),
        1 => ("a quarter of a turn", turned(Vec3::ZERO, Quat::from_axis_angle(axis, FRAC_PI_2))?),
        2 => ("a third of a turn", turned(Vec3::ZERO, THIRD_OF_A_TURN)?),
        3 => ("shifted", at(Vec3::new(power(random), power(random), power(random)))?),
        4 => {
            let far = Vec3::new(power(random), power(random), power(random));
            ("shifted and upside down", turned(far, UPSIDE_DOWN)?)
        }
        _ => ("moved anyhow", turned(random.vector(10.0), random.rotation())?),
    })
}

/// What the engine takes a body with flat faces for; it treats each in a way of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Made {
    /// As a box, where it is one.
    Box,
    Convex,
    Mesh,
}

impl Made {
    pub(super) fn any(random: &mut Random) -> Made {
        random.pick(&[Made::Box, Made::Convex, Made::Mesh])
    }

    /// A box.
    pub(super) fn cuboid(self, size: Vec3) -> Result<Shape, String> {
        match self {
            Made::Box => Shape::cuboid(size).map_err(said),
            _ => self.body(cuboid(size)),
        }
    }

    /// A convex body.
    pub(super) fn body(self, soup: Result<Soup, PrimitiveError>) -> Result<Shape, String> {
        match self {
            Made::Mesh => solid(soup),
            _ => {
                let body = Solid::from_soup(&soup.map_err(said)?).map_err(said)?;
                Shape::convex(&body).map_err(said)
            }
        }
    }
}

pub(super) fn at(place: Vec3) -> Result<Pose, String> {
    Pose::from_translation(place).map_err(said)
}

pub(super) fn turned(place: Vec3, rotation: Quat) -> Result<Pose, String> {
    Pose::new(place, rotation).map_err(said)
}

/// The size that a scene is made of, m: a power of two.
pub(super) fn unit(random: &mut Random) -> f64 {
    random.pick(&[0.0625, 0.125, 1.0])
}

/// How far a body starts from what it falls on, m: mostly not at all, else a small power of two.
pub(super) fn gap(random: &mut Random, unit: f64) -> f64 {
    let power = random.pick(&[None, None, Some(-20), Some(-10), Some(-7)]);
    power.map_or(0.0, |power| unit * 2_f64.powi(power))
}

/// How far a turned box reaches below its middle, m.
pub(super) fn reach_below(size: Vec3, rotation: Quat) -> f64 {
    let turn = Mat3::from_quat(rotation);
    let heights = Vec3::new(turn.x_axis.z, turn.y_axis.z, turn.z_axis.z);
    0.5 * size.dot(heights.abs())
}
