//! Rough stones: irregular closed surfaces of any number of triangles.

use crate::primitives::{PrimitiveError, below, length, sphere};
use crate::{Soup, Vec3};
use std::f64::consts::TAU;

/// An irregular stone: a sphere whose points are moved in and out by waves in random directions. It is
/// star-shaped about the origin, so it never runs into itself, but not convex.
///
/// ```
/// use silvia_solid::{Solid, parts::RoughStone};
/// let stone = RoughStone { triangles: 2000, seed: 7, ..RoughStone::default() };
/// assert!(!Solid::from_soup(&stone.soup()?)?.is_convex());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoughStone {
    /// Mean radius, m.
    pub radius: f64,
    /// The most that a point is off the mean radius, as a fraction of it; below 1.
    pub roughness: f64,
    /// Approximate number of triangles; at least 20.
    pub triangles: usize,
    /// Stones of different seeds differ.
    pub seed: u64,
}

impl Default for RoughStone {
    /// A stone of 0.1 m with 5000 triangles.
    fn default() -> Self {
        RoughStone { radius: 0.05, roughness: 0.3, triangles: 5000, seed: 1 }
    }
}

/// Waves of the coarsest kind, in radians over the radius of the sphere.
const COARSEST: f64 = 2.0;
/// Each kind of wave is so many times finer and lower than the one before.
const FINER: f64 = 1.8;
/// Kinds of waves, and waves of each kind.
const WAVES: [usize; 2] = [6, 4];

impl RoughStone {
    /// The stone as a soup.
    pub fn soup(&self) -> Result<Soup, PrimitiveError> {
        length("radius", self.radius)?;
        if self.roughness != 0.0 {
            length("roughness", self.roughness)?;
        }
        below("roughness", self.roughness, 1.0, "where the surface would reach the centre")?;
        let frequency = ((self.triangles as f64 / 20.0).sqrt().round() as usize).max(1);
        let ball = sphere(1.0, frequency)?;
        let waves = self.waves();
        let moved = |p: &Vec3| {
            let height: f64 = waves.iter().map(|(k, phase, height)| height * (k.dot(*p) + phase).sin()).sum();
            *p * (self.radius * (1.0 + height))
        };
        Ok(Soup::new(ball.points().iter().map(moved).collect(), ball.triangles().to_vec())?)
    }

    /// Wave vector, phase and height of each wave; all heights together are the roughness.
    fn waves(&self) -> Vec<(Vec3, f64, f64)> {
        let mut random = SplitMix64(self.seed);
        let [kinds, each] = WAVES;
        let mut waves = Vec::with_capacity(kinds * each);
        let mut total = 0.0;
        for kind in 0..kinds {
            let finer = FINER.powi(kind as i32);
            for _ in 0..each {
                let (z, turn) = (2.0 * random.unit() - 1.0, TAU * random.unit());
                let level = (1.0 - z * z).max(0.0).sqrt();
                let direction = Vec3::new(level * turn.cos(), level * turn.sin(), z);
                total += 1.0 / finer;
                waves.push((direction * COARSEST * finer, TAU * random.unit(), 1.0 / finer));
            }
        }
        waves.iter_mut().for_each(|wave| wave.2 *= self.roughness / total);
        waves
    }
}

/// The published generator SplitMix64, so that a seed gives the same stone everywhere.
struct SplitMix64(u64);

impl SplitMix64 {
    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}
