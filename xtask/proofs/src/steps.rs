//! Certified steps of bodies that are not convex, held against a checker that shares no code with the
//! stepper.
//!
//! Each trial is one of three scenes at a random place, with random friction and restitution. States go to
//! the checker at the end of each piece of a step: between those, vertices go on straight lines.

use seeded::Random;
use silvia::check::Checker;
use silvia::prelude::*;
use silvia::solid::parts::{PegAndHole, l_bracket};
use silvia::solid::primitives::{TorusKnot, torus};
use std::f64::consts::{FRAC_PI_2, PI};

/// Steps of a trial, of 1 ms each.
const STEPS: usize = 200;

/// Nothing may be deeper in anything than this fraction of the smaller part's size.
const DEEPEST: f64 = 1e-9;

/// One trial: the deepest penetration, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let mut world = World::new(WorldSettings::default()).map_err(|e| e.to_string())?;
    let material = Material {
        name: "steel".to_owned(),
        friction: random.between(0.0, 0.6),
        restitution: random.between(0.0, 0.5),
    };
    let material = world.add_material(material).map_err(|e| e.to_string())?;
    let bodies = match random.whole(0, 2) {
        0 => knots_on_bracket(random),
        1 => chain(random),
        _ => peg_over_hole(random),
    }?;
    let mut ids = Vec::new();
    for body in bodies {
        ids.push(world.add(body.material(material)).map_err(|e| e.to_string())?);
    }
    watched(&mut world, &ids)
}

/// Makes the steps under the eyes of the checker.
fn watched(world: &mut World, ids: &[BodyId]) -> Result<f64, String> {
    let said = |e: &dyn std::fmt::Display| e.to_string();
    let mut shapes = Vec::new();
    for &id in ids {
        let name = world.name(id).map_err(|e| said(&e))?.to_owned();
        shapes.push((name, world.shape(id).map_err(|e| said(&e))?.clone()));
    }
    let mut checker = Checker::new(shapes).map_err(|e| said(&e))?;
    let mut poses = poses(world, ids)?;
    for (index, &id) in ids.iter().enumerate() {
        let centre = world.inertia(id).map_err(|e| said(&e))?.centre;
        checker.centre(index, centre).map_err(|e| said(&e))?;
    }
    let mut clock = 0.0;
    for number in 0..STEPS {
        let report = world.step(1e-3).map_err(|e| format!("step {number}: {e}"))?;
        for update in &report.way {
            for (id, state) in update {
                let at = ids.iter().position(|other| other == id).ok_or("a body that is not there")?;
                poses[at] = world.pose_in(*id, state).map_err(|e| said(&e))?;
            }
            clock += 1.0;
            checker.state(clock, &poses).map_err(|e| said(&e))?;
        }
        poses = self::poses(world, ids)?;
        clock += 1.0;
        checker.state(clock, &poses).map_err(|e| said(&e))?;
        let verdict = checker.verdict();
        if !verdict.is_clean(DEEPEST) {
            return Err(format!("step {number}: {verdict:?}"));
        }
    }
    Ok(checker.verdict().fraction())
}

fn poses(world: &World, ids: &[BodyId]) -> Result<Vec<Pose>, String> {
    ids.iter().map(|&id| world.pose(id).map_err(|e| e.to_string())).collect()
}

fn solid(soup: Result<Soup, impl std::fmt::Display>) -> Result<Shape, String> {
    let soup = soup.map_err(|e| e.to_string())?;
    Ok(Shape::solid(Solid::from_soup(&soup).map_err(|e| e.to_string())?))
}

fn pose(at: Vec3, rotation: Quat) -> Result<Pose, String> {
    Pose::new(at, rotation).map_err(|e| e.to_string())
}

/// A random rotation.
fn turned(random: &mut Random) -> Quat {
    let q = Quat::from_xyzw(
        random.between(-1.0, 1.0),
        random.between(-1.0, 1.0),
        random.between(-1.0, 1.0),
        random.between(-1.0, 1.0),
    );
    if q.length() > 0.1 { q.normalize() } else { Quat::IDENTITY }
}

/// Two knots of 0.4 m just above the foot of a bracket.
fn knots_on_bracket(random: &mut Random) -> Result<Vec<BodyBuilder>, String> {
    let bracket = solid(l_bracket(2.0, 1.5, 0.25, 2.0))?;
    let upright = pose(Vec3::ZERO, Quat::from_rotation_x(FRAC_PI_2))?;
    let knot =
        solid(TorusKnot::TREFOIL.soup_with_triangles(1000))?.scaled(0.065).map_err(|e| e.to_string())?;
    let mut bodies = vec![BodyBuilder::fixed(bracket).named("bracket").at(upright)];
    for number in 0..2 {
        let place =
            Vec3::new(random.between(-0.3, 0.3), random.between(-0.5, 0.5), -0.25 + 0.42 * f64::from(number));
        let velocity =
            Twist { linear: Vec3::new(random.between(-2.0, 2.0), 0.0, -2.0), angular: random.vector(3.0) };
        let place = pose(place, turned(random))?;
        bodies.push(
            BodyBuilder::free(knot.clone()).named(format!("knot {number}")).at(place).velocity(velocity),
        );
    }
    Ok(bodies)
}

/// Twenty links of 0.12 m, the first fixed, pulled nearly taut and let go.
fn chain(random: &mut Random) -> Result<Vec<BodyBuilder>, String> {
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
    Ok(bodies)
}

/// A peg above its hole, off its middle and tilted.
fn peg_over_hole(random: &mut Random) -> Result<Vec<BodyBuilder>, String> {
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
    let velocity = Twist { linear: Vec3::new(0.0, 0.0, -random.between(0.0, 0.5)), angular: Vec3::ZERO };
    Ok(vec![
        BodyBuilder::fixed(block).named("block"),
        BodyBuilder::free(peg).named("peg").density(7850.0).at(place).velocity(velocity),
    ])
}
