//! Two gears in mesh, flat above the ground.

use super::stage::{Stage, ground, moving, pose, power, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::Gear;
use silvia::solid::primitives::prism;
use silvia::world::Script;
use std::f64::consts::PI;

/// Steps of a trial.
const STEPS: usize = 150;

/// Steel, kg/m³.
const STEEL: f64 = 7850.0;

/// How high the lower face of a wheel starts above the ground, m.
const LIFT: f64 = 5e-5;

/// A script turns one wheel, which drives the other: on a pin, or loose on the ground.
pub(super) fn driven(random: &mut Random) -> Result<Stage, String> {
    let pair = Pair::new(random)?;
    let turn = Script::Velocity(moving(Vec3::ZERO, Vec3::Z * random.between(-20.0, 20.0)));
    let mut bodies = vec![
        ground()?,
        BodyBuilder::scripted(pair.shapes[0].clone(), turn).named("driver").at(pair.places[0]),
        BodyBuilder::free(pair.shapes[1].clone()).named("driven").density(STEEL).at(pair.places[1]),
    ];
    if random.chance(0.7) {
        bodies.push(pair.pin(random, 1)?);
    }
    Ok(Stage::new(random, STEPS, bodies))
}

/// Both wheels are free; one spins, and moves towards the other.
pub(super) fn free(random: &mut Random) -> Result<Stage, String> {
    let pair = Pair::new(random)?;
    let velocity = moving(Vec3::X * random.between(0.0, 0.1), Vec3::Z * random.between(-40.0, 40.0));
    let mut bodies = vec![
        ground()?,
        BodyBuilder::free(pair.shapes[0].clone())
            .named("first")
            .density(STEEL)
            .at(pair.places[0])
            .velocity(velocity),
        BodyBuilder::free(pair.shapes[1].clone()).named("second").density(STEEL).at(pair.places[1]),
    ];
    if random.chance(0.5) {
        bodies.push(pair.pin(random, 0)?);
        bodies.push(pair.pin(random, 1)?);
    }
    Ok(Stage::new(random, STEPS, bodies))
}

/// Two wheels where they run on each other.
struct Pair {
    gears: [Gear; 2],
    shapes: [Shape; 2],
    places: [Pose; 2],
}

impl Pair {
    fn new(random: &mut Random) -> Result<Pair, String> {
        let like = Gear {
            backlash: power(random, -4.5, -3.7),
            flank_segments: random.pick(&[2, 3, 4]),
            ..Gear::default()
        };
        let mut wheel = || Gear { teeth: random.whole(18, 24) as usize, ..like };
        let gears = [wheel(), wheel()];
        let height = Vec3::Z * (0.5 * like.width + LIFT);
        // A gap of the second faces the tooth of the first.
        let half_a_tooth = if gears[1].teeth.is_multiple_of(2) { PI / gears[1].teeth as f64 } else { 0.0 };
        let away = Vec3::X * gears[0].centre_distance(&gears[1]);
        let places =
            [pose(height, Quat::IDENTITY)?, pose(height + away, Quat::from_rotation_z(half_a_tooth))?];
        Ok(Pair { gears, shapes: [solid(gears[0].soup())?, solid(gears[1].soup())?], places })
    }

    /// A fixed pin through the bore of a wheel, off the ground.
    fn pin(&self, random: &mut Random, number: usize) -> Result<BodyBuilder, String> {
        let gear = &self.gears[number];
        let clearance = power(random, -4.5, -3.7);
        // The bore has four sides a tooth, and the middles of its sides are nearest.
        let radius = gear.bore_radius * (PI / (4 * gear.teeth) as f64).cos() - clearance;
        let pin = solid(prism(24, radius, 3.0 * gear.width))?;
        let place = self.places[number].translation() + Vec3::Z * (gear.width + 1e-3);
        Ok(BodyBuilder::fixed(pin).named(format!("pin {number}")).at(pose(place, Quat::IDENTITY)?))
    }
}
