//! Parts in close fit, in a hand of springs whose target goes anywhere.

use crate::steps::Scene;
use crate::steps::nuts::{fit, on_screw};
use crate::steps::stage::{SpringHand, Stage, pose, power, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::{CountersunkBolt, PegAndHole};
use silvia::world::Hand;
use std::f64::consts::PI;

/// All kinds. Trial `n` is of kind `n` modulo their number: one that is added or removed renumbers the
/// trials.
pub(crate) const SCENES: &[Scene] = &[
    Scene { name: "bolt-in-hand", make: bolt },
    Scene { name: "peg-in-hand", make: peg },
    Scene { name: "nut-in-hand", make: nut },
];

/// Steps of a trial.
const STEPS: usize = 150;

/// Steel, kg/m³.
const STEEL: f64 = 7850.0;

/// The fastest that a target goes, m/s.
const FASTEST: f64 = 10.0;

fn bolt(random: &mut Random) -> Result<Stage, String> {
    let segments = random.pick(&[8, 16, 24]);
    let fit =
        CountersunkBolt { segments, clearance: power(random, -5.0, -3.7), ..CountersunkBolt::default() };
    let block = BodyBuilder::fixed(solid(fit.block())?).named("block");
    // In its seat with room to move, or above the hole.
    let height = if random.chance(0.5) { 1e-3 } else { fit.length + 1e-3 };
    let bolt = BodyBuilder::free(solid(fit.bolt())?).named("bolt").density(STEEL);
    in_hand(random, block, bolt, (pose(Vec3::Z * height, Quat::IDENTITY)?, fit.length))
}

fn peg(random: &mut Random) -> Result<Stage, String> {
    let facets = random.pick(&[8, 16, 64]);
    let fit = PegAndHole { facets, clearance: power(random, -5.0, -3.7), ..PegAndHole::default() };
    let block = BodyBuilder::fixed(solid(fit.block())?).named("block");
    // In the middle of the through hole, or above it.
    let above = 0.5 * (fit.length + fit.depth) + 1e-3;
    let height = if random.chance(0.5) { 0.0 } else { above };
    let peg = BodyBuilder::free(solid(fit.peg())?).named("peg").density(STEEL);
    in_hand(random, block, peg, (pose(Vec3::Z * height, Quat::IDENTITY)?, fit.length))
}

fn nut(random: &mut Random) -> Result<Stage, String> {
    let fit = fit(random);
    let (screw, place) = on_screw(random, &fit)?;
    let nut = BodyBuilder::free(solid(fit.nut())?).named("nut").density(STEEL);
    in_hand(random, screw, nut, (place, fit.across))
}

/// The second of two bodies in a hand, from where it is placed; it has a size, m.
fn in_hand(
    random: &mut Random,
    fixed: BodyBuilder,
    held: BodyBuilder,
    (place, size): (Pose, f64),
) -> Result<Stage, String> {
    let stiffness = power(random, 1.0, 6.0);
    let grip = pose(random.vector(0.5 * size), random.rotation())?;
    let mut hand = Hand::new(stiffness, stiffness * size * size * power(random, -2.0, 1.0)).with_grip(grip);
    if random.chance(0.5) {
        let force = power(random, -1.0, 3.0);
        hand = hand.with_most_force(force).with_most_torque(force * size);
    }
    hand = hand.with_damping_ratio(random.pick(&[0.0, 0.3, 1.0, 3.0]));
    let start = place.compose(&grip);
    let targets = targets(random, start, size)?;
    let told = format!("stiffness {stiffness:.3e} N/m, {} targets", targets.len());
    let step = random.pick(&[5e-4, 1e-3, 2e-3]);
    let stage = Stage::new(random, STEPS, vec![fixed, held.at(place)]);
    Ok(Stage { step, told, spring: Some(SpringHand { body: 1, hand, targets }), ..stage })
}

/// Where the hand wants its grip at the end of each step: jumps between places about the start, a jerky way,
/// or straight ways at some speed.
fn targets(random: &mut Random, start: Pose, size: f64) -> Result<Vec<Pose>, String> {
    let reach = size * power(random, -1.0, 1.0);
    let turn = if random.chance(0.3) { PI } else { 0.2 };
    let place = |random: &mut Random| {
        let by = random.direction() * random.between(-turn, turn);
        pose(start.translation() + random.vector(reach), Quat::from_scaled_axis(by) * start.rotation())
    };
    let jumps = random.chance(0.4);
    let speed = power(random, -2.0, FASTEST.log10());
    let (mut all, mut from) = (Vec::with_capacity(STEPS), start);
    while all.len() < STEPS {
        let to = place(random)?;
        let lasts = match jumps {
            true => random.whole(1, 30) as usize,
            // A step of 1 ms: at 2 ms it goes half as fast.
            false => ((to.translation() - from.translation()).length() / (speed * 1e-3)).ceil() as usize,
        };
        for part in 1..=lasts.clamp(1, STEPS) {
            let share = if jumps { 1.0 } else { part as f64 / lasts.max(1) as f64 };
            let at = from.translation().lerp(to.translation(), share);
            all.push(pose(at, from.rotation().slerp(to.rotation(), share))?);
        }
        from = to;
    }
    all.truncate(STEPS);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::SCENES;
    use crate::steps::tests::start_clean;

    #[test]
    fn every_scene_is_made_without_overlaps() {
        start_clean(SCENES, 12);
    }
}
