//! Random numbers for tests, proofs and comparisons: the same from a seed, on every machine.
//!
//! No library crate depends on this one but for its tests.

use glam::{DQuat, DVec3};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::SplitMix64;

/// The SplitMix64 generator (Steele, Lea and Flood 2014), with the distributions that we need. None of them
/// uses a function whose rounding depends on the platform.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// Seeds that differ in any bit give unrelated numbers.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix64::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In [low, high), but for rounding.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number from 0 to `count` - 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: u64, high: u64) -> u64 {
        low + self.bits() % (high - low + 1)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A point of the cube of this half width around the origin.
    pub fn vector(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    /// A unit vector; every direction is as likely as any other.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            // Outside the ball, corners would be more likely; near the centre, rounding shows.
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// A unit quaternion; every rotation is as likely as any other.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let v = self.vector(1.0).extend(self.between(-1.0, 1.0));
            if (0.1..1.0).contains(&v.length()) {
                return DQuat::from_vec4(v.normalize());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 100_000;

    #[test]
    fn the_bits_are_those_of_the_published_generator() {
        // https://xoshiro.di.unimi.it/splitmix64.c
        let mut random = Random::new(1_477_776_061_723_855_037);
        let expected = [1_985_237_415_132_408_290, 2_979_275_885_539_914_483, 13_511_426_838_097_143_398];
        assert_eq!([(); 3].map(|()| random.bits()), expected);
    }

    #[test]
    fn numbers_fill_their_range_evenly_and_stay_in_it() {
        let mut random = Random::new(1);
        let mut tenths = [0_usize; 10];
        for _ in 0..COUNT {
            let x = random.between(-3.0, 2.0);
            assert!((-3.0..2.0).contains(&x));
            tenths[(2.0 * (x + 3.0)) as usize] += 1;
            assert!((5..=7).contains(&random.whole(5, 7)) && random.below(3) < 3);
            assert!(random.vector(2.0).abs().max_element() <= 2.0);
        }
        // Five standard deviations are 474.
        assert!(tenths.iter().all(|&n| n.abs_diff(COUNT / 10) < 474), "{tenths:?}");
    }

    /// The mean of v v' is the identity by the number of dimensions if no direction is preferred.
    #[test]
    fn directions_and_rotations_prefer_no_axis() {
        let mut random = Random::new(2);
        let (mut means, mut squares) = ([0.0; 7], [0.0; 7]);
        for _ in 0..COUNT {
            let (direction, rotation) = (random.direction().to_array(), random.rotation().to_array());
            for (i, x) in direction.into_iter().chain(rotation).enumerate() {
                means[i] += x / COUNT as f64;
                squares[i] += x * x / COUNT as f64;
            }
        }
        // Five standard deviations of a mean are at most 0.0092.
        assert!(means.iter().all(|mean| mean.abs() < 0.0092), "{means:?}");
        for (i, square) in squares.iter().enumerate() {
            let expected = if i < 3 { 1.0 / 3.0 } else { 0.25 };
            assert!((square - expected).abs() < 0.005, "{squares:?}");
        }
    }
}
