//! Random input that depends on the seed and the trial's number alone.

use silvia::solid::Vec3;

/// The SplitMix64 generator (Steele, Lea and Flood 2014).
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// The generator of one trial.
    pub(crate) fn new(seed: u64, trial: u64) -> Random {
        let mut mixed = Random { state: seed };
        let seed = mixed.bits();
        Random { state: seed ^ trial.wrapping_mul(0xd134_2543_de82_ef95) }
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly spread over `low..high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A whole number in `low..=high`.
    pub(crate) fn whole(&mut self, low: u64, high: u64) -> u64 {
        low + self.bits() % (high - low + 1)
    }

    /// A point of the cube of this half width around the origin.
    pub(crate) fn in_cube(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }
}
