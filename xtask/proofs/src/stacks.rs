//! Stacks of boxes stand.

use seeded::Random;
use silvia::world::validation::stacks::{Stack, stands};

/// How long a random stack stands, s.
const WHILE: f64 = 1.0;

/// How long the known stacks stand, s.
const MINUTE: f64 = 60.0;

/// At each joint the weight above is over the support by this share of the width.
const BALANCE: f64 = 0.1;

/// One trial: a random stack of 2 to 12 boxes; the most that a box moved.
pub(crate) fn random(random: &mut Random) -> Result<f64, String> {
    let boxes = random.whole(2, 12) as usize;
    let mut each =
        |from: f64, to: f64| -> Vec<f64> { (0..boxes).map(|_| random.between(from, to)).collect() };
    let mut stack = Stack {
        // Up to a thousand times as heavy as another, in any order.
        masses: each(0.0, 3.0).into_iter().map(|power| 10_f64.powf(power)).collect(),
        widths: each(0.1, 0.4),
        heights: each(0.1, 0.3),
        offsets: each(-0.05, 0.05),
        friction: 0.5,
    };
    while !stack.is_balanced(BALANCE) {
        stack.offsets.iter_mut().for_each(|offset| *offset *= 0.5);
    }
    stands(&stack, WHILE).map_err(|error| format!("{error}: {stack:?}"))
}

/// The stacks that were asked for: ten and twenty equal boxes, and one with a thousand times the mass of
/// those below on top.
pub(crate) fn minute(_: &mut Random) -> Result<f64, String> {
    let mut heavy = Stack::equal(4);
    heavy.masses = vec![1.0, 1.0, 1.0, 1000.0];
    let mut worst = 0.0_f64;
    for stack in [Stack::equal(10), Stack::equal(20), heavy] {
        worst = worst.max(stands(&stack, MINUTE).map_err(|error| format!("{error}: {stack:?}"))?);
    }
    Ok(worst)
}
