//! Random numbers from a seed (SplitMix64, Steele et al. 2014): the same on any machine.

use silvia_solid::{Quat, Vec3};
use std::f64::consts::TAU;

#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 to below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    pub(crate) fn between(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        low + (high - low) * Vec3::new(self.unit(), self.unit(), self.unit())
    }

    /// A unit vector, all directions alike.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let (z, around) = (2.0 * self.unit() - 1.0, TAU * self.unit());
        let (sin, cos) = around.sin_cos();
        let level = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(level * cos, level * sin, z)
    }

    /// All rotations alike (Shoemake 1992).
    pub(crate) fn rotation(&mut self) -> Quat {
        let (u, a, b) = (self.unit(), TAU * self.unit(), TAU * self.unit());
        let (one, other) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::from_xyzw(one * a.sin(), one * a.cos(), other * b.sin(), other * b.cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_rotations_favour_no_side() {
        let mut random = Random::new(7);
        let count = 20_000;
        let (mut sum, mut turned) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..count {
            sum += random.direction();
            turned += random.rotation() * Vec3::X;
        }
        // The mean of n unit vectors is about n^-1/2 long.
        assert!(sum.length() / f64::from(count) < 0.03 && turned.length() / f64::from(count) < 0.03);
    }
}
