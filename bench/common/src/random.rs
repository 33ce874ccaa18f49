//! Random work that is the same in every run.

use seeded::Random;

/// Above 0, at most 1.
pub fn positive(random: &mut Random) -> f64 {
    random.unit() + f64::EPSILON / 2.0
}

/// Normally distributed (Box and Muller).
pub fn normal(random: &mut Random) -> f64 {
    let (radius, angle) = ((-2.0 * positive(random).ln()).sqrt(), std::f64::consts::TAU * positive(random));
    radius * angle.cos()
}
