//! A scene to be stepped, and what its makers share.

use seeded::Random;
use silvia::prelude::*;

/// A scene to be stepped.
pub(crate) struct Stage {
    pub(crate) bodies: Vec<BodyBuilder>,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// Length of a step, s.
    pub(crate) step: f64,
    pub(crate) steps: usize,
    pub(crate) hand: Option<Hand>,
    pub(crate) spring: Option<SpringHand>,
    pub(crate) settings: WorldSettings,
    /// Whether mechanical energy may not grow in any step: nothing but gravity acts, and nothing rebounds.
    pub(crate) keeps_energy: bool,
    /// What was chosen, for those who look into a failure; empty if there is nothing to say.
    pub(crate) told: String,
}

/// A hand that holds a body and moves it one way after the other.
pub(crate) struct Hand {
    /// The number of the body.
    pub(crate) body: usize,
    /// Steps for which a velocity lasts.
    pub(crate) lasts: usize,
    /// The velocities; the last one goes on.
    pub(crate) velocities: Vec<Twist>,
}

/// A hand of springs whose target goes from pose to pose.
pub(crate) struct SpringHand {
    /// The number of the body.
    pub(crate) body: usize,
    pub(crate) hand: silvia::world::Hand,
    /// Where it is wanted at the end of each step; at the last one it stays.
    pub(crate) targets: Vec<Pose>,
}

impl Stage {
    /// Steps of 1 ms, with random friction and restitution.
    pub(crate) fn new(random: &mut Random, steps: usize, bodies: Vec<BodyBuilder>) -> Stage {
        let (friction, restitution) = (random.between(0.0, 0.6), random.between(0.0, 0.5));
        Stage {
            bodies,
            friction,
            restitution,
            step: 1e-3,
            steps,
            hand: None,
            spring: None,
            settings: WorldSettings::default(),
            keeps_energy: false,
            told: String::new(),
        }
    }

    /// With a hand that moves a body by velocities, each for so many steps.
    pub(crate) fn held(self, body: usize, lasts: usize, velocities: Vec<Twist>) -> Stage {
        Stage { hand: Some(Hand { body, lasts, velocities }), ..self }
    }
}

impl Hand {
    /// The velocity in a step.
    pub(crate) fn at(&self, step: usize) -> Twist {
        let last = self.velocities.len().saturating_sub(1);
        self.velocities.get((step / self.lasts.max(1)).min(last)).copied().unwrap_or_default()
    }
}

pub(crate) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(crate) fn solid(soup: Result<Soup, impl std::fmt::Display>) -> Result<Shape, String> {
    let soup = soup.map_err(said)?;
    Ok(Shape::solid(Solid::from_soup(&soup).map_err(said)?))
}

pub(crate) fn pose(at: Vec3, rotation: Quat) -> Result<Pose, String> {
    Pose::new(at, rotation).map_err(said)
}

pub(crate) fn moving(linear: Vec3, angular: Vec3) -> Twist {
    Twist { linear, angular }
}

/// The level ground, at z = 0.
pub(crate) fn ground() -> Result<BodyBuilder, String> {
    let below = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).map_err(said)?;
    Ok(BodyBuilder::fixed(below).named("ground"))
}

/// From 10 to this power to 10 to that.
pub(crate) fn power(random: &mut Random, low: f64, high: f64) -> f64 {
    10_f64.powf(random.between(low, high))
}
