//! Rough stones that fall on the ground and on each other.

use super::stage::{Stage, ground, moving, pose, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::RoughStone;

/// Steps of a trial.
const STEPS: usize = 150;

/// Two to four stones above each other. One trial in twelve has two of 20,000 triangles.
pub(super) fn dropped(random: &mut Random) -> Result<Stage, String> {
    let (triangles, stones) = if random.chance(1.0 / 12.0) {
        (20_000, 2)
    } else {
        (random.pick(&[1000, 1000, 2000, 5000]), random.whole(2, 4))
    };
    let mut bodies = vec![ground()?];
    for number in 0..stones {
        let stone = RoughStone { triangles, seed: random.bits(), ..RoughStone::default() };
        // No point is farther off than the mean radius and the roughness.
        let reach = stone.radius * (1.0 + stone.roughness);
        let height = reach * (1.05 + 2.05 * number as f64);
        let aside = random.vector(0.6 * stone.radius) * Vec3::new(1.0, 1.0, 0.0);
        let place = pose(aside + Vec3::Z * height, random.rotation())?;
        let velocity = moving(Vec3::new(0.0, 0.0, random.between(-2.0, -0.5)), random.vector(10.0));
        let stone = BodyBuilder::free(solid(stone.soup())?).named(format!("stone {number}"));
        bodies.push(stone.density(2600.0).at(place).velocity(velocity));
    }
    let step = random.pick(&[1e-3, 2e-3]);
    Ok(Stage { step, ..Stage::new(random, STEPS, bodies) })
}
