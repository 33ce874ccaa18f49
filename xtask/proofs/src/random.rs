//! Random input that depends on the seed and the trial's number alone.

use seeded::Random;

/// The generator of one trial.
pub(crate) fn of_trial(seed: u64, trial: u64) -> Random {
    Random::new(Random::new(seed).bits() ^ trial.wrapping_mul(0xd134_2543_de82_ef95))
}
