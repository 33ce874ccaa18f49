//! Knots that fall on a bracket, a chain that is let go, a peg that falls over its hole.

use super::stage::{Stage, moving, pose, solid};
use seeded::Random;
use silvia::prelude::*;
use silvia::solid::parts::{PegAndHole, l_bracket};
use silvia::solid::primitives::{TorusKnot, torus};
use std::f64::consts::{FRAC_PI_2, PI};

/// Steps of a trial.
const STEPS: usize = 200;

/// Two knots of 0.4 m just above the foot of a bracket.
pub(super) fn knots_on_bracket(random: &mut Random) -> Result<Stage, String> {
    let bracket = solid(l_bracket(2.0, 1.5, 0.25, 2.0))?;
    let upright = pose(Vec3::ZERO, Quat::from_rotation_x(FRAC_PI_2))?;
    let knot =
        solid(TorusKnot::TREFOIL.soup_with_triangles(1000))?.scaled(0.065).map_err(|e| e.to_string())?;
    let mut bodies = vec![BodyBuilder::fixed(bracket).named("bracket").at(upright)];
    for number in 0..2 {
        let place =
            Vec3::new(random.between(-0.3, 0.3), random.between(-0.5, 0.5), -0.25 + 0.42 * f64::from(number));
        let velocity = moving(Vec3::new(random.between(-2.0, 2.0), 0.0, -2.0), random.vector(3.0));
        let place = pose(place, random.rotation())?;
        bodies.push(
            BodyBuilder::free(knot.clone()).named(format!("knot {number}")).at(place).velocity(velocity),
        );
    }
    Ok(Stage::new(random, STEPS, bodies))
}

/// Twenty links of 0.12 m, the first fixed, pulled nearly taut and let go.
pub(super) fn chain(random: &mut Random) -> Result<Stage, String> {
    let link = solid(torus(0.05, 0.01, 16, 8))?;
    let mut bodies = Vec::new();
    let pitch = 0.078;
    for number in 0..20 {
        let quarter = if number % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        // Edges lie where links meet, not vertices.
        let turn = Quat::from_rotation_z(quarter + random.between(-0.1, 0.1))
            * Quat::from_rotation_x(FRAC_PI_2)
            * Quat::from_rotation_z(PI / 16.0);
        let place = pose(Vec3::new(0.0, 0.0, -pitch * f64::from(number)), turn)?;
        let link = link.clone();
        let body = if number == 0 { BodyBuilder::fixed(link) } else { BodyBuilder::free(link) };
        bodies.push(body.named(format!("link {number}")).at(place));
    }
    Ok(Stage::new(random, STEPS, bodies))
}

/// A peg above its hole, off its middle and tilted.
pub(super) fn peg_over_hole(random: &mut Random) -> Result<Stage, String> {
    let facets = random.whole(6, 32) as usize;
    let fit =
        PegAndHole { facets, clearance: 10f64.powf(random.between(-4.5, -3.3)), ..PegAndHole::default() };
    let block = solid(fit.block())?;
    let peg = solid(fit.peg())?;
    let top = block.aabb(&Pose::IDENTITY).max.z;
    let aside = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0) * 2.0 * fit.clearance;
    let tilt = Quat::from_rotation_x(random.between(-0.03, 0.03))
        * Quat::from_rotation_y(random.between(-0.03, 0.03));
    let place = pose(Vec3::Z * (top + 0.5 * fit.length + 1e-3) + aside, tilt)?;
    let velocity = moving(-Vec3::Z * random.between(0.0, 0.5), Vec3::ZERO);
    let bodies = vec![
        BodyBuilder::fixed(block).named("block"),
        BodyBuilder::free(peg).named("peg").density(7850.0).at(place).velocity(velocity),
    ];
    Ok(Stage::new(random, STEPS, bodies))
}
