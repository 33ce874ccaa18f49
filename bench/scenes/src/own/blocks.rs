//! Towers and walls of blocks, as meshes of 12 triangles, that something hits or pushes.

use super::{Made, Stage, at, solid};
use silvia::prelude::*;
use silvia::solid::primitives::{cuboid, sphere};

/// Of blocks and of what hits them, kg/m³.
const WOOD: f64 = 600.0;
const BRICK: f64 = 2000.0;
const IRON: f64 = 7850.0;

/// A tower of 18 levels of three blocks. A scripted pusher moves the middle one of level ten out, at 0.2 m/s.
pub(super) fn jenga() -> Made {
    let size = Vec3::new(0.075, 0.025, 0.015);
    // Between neighbours of a level, m.
    let joint = 2e-4;
    let mut stage = Stage::new(0.3)?;
    stage.add_ground()?;
    let block = solid(&cuboid(size)?)?;
    for level in 0..18 {
        let turn = if level % 2 == 0 { Quat::IDENTITY } else { Quat::from_rotation_z(90_f64.to_radians()) };
        for place in 0..3 {
            let along = Vec3::Y * (f64::from(place) - 1.0) * (size.y + joint);
            let height = Vec3::Z * size.z * (f64::from(level) + 0.5);
            let body = BodyBuilder::free(block.clone()).named(format!("block {level}-{place}")).density(WOOD);
            stage.add(body.at(Pose::new(turn * along + height, turn)?))?;
        }
    }
    // Level ten lies along x.
    let pusher = solid(&cuboid(Vec3::new(0.02, 0.01, 0.008))?)?;
    let beside = Vec3::new(-0.5 * size.x - 0.01 - 1e-3, 0.0, size.z * 10.5);
    let push = Twist { linear: Vec3::X * 0.2, angular: Vec3::ZERO };
    stage.add(BodyBuilder::scripted(pusher, Script::Velocity(push)).named("pusher").at(at(beside)?))?;
    Ok(stage.run(2e-3, 150))
}

/// A wall of 20 x 15 bricks that a ball hits at 10 m/s after 20 steps.
pub(super) fn wall() -> Made {
    let brick = Vec3::new(0.2, 0.1, 0.1);
    let joint = 1e-3;
    let mut stage = Stage::new(0.5)?;
    stage.add_ground()?;
    let shape = solid(&cuboid(brick)?)?;
    for row in 0..15 {
        let shift = if row % 2 == 0 { 0.0 } else { 0.25 * brick.x };
        for i in 0..20 {
            let x = (f64::from(i) - 9.5) * (brick.x + joint) + shift;
            let place = at(Vec3::new(x, 0.0, brick.z * (f64::from(row) + 0.5)))?;
            let name = format!("brick {row}-{i}");
            stage.add(BodyBuilder::free(shape.clone()).named(name).density(BRICK).at(place))?;
        }
    }
    let (step, speed, radius) = (2e-3, 10.0, 0.15);
    let away = 0.5 * brick.y + radius + 20.0 * step * speed;
    let ball = BodyBuilder::free(solid(&sphere(radius, 8)?)?).named("ball").density(BRICK);
    let velocity = Twist { linear: Vec3::Y * speed, angular: Vec3::ZERO };
    stage.add(ball.at(at(Vec3::new(0.0, -away, 0.75))?).velocity(velocity))?;
    Ok(stage.run(step, 100))
}

/// A block of 5 x 5 x 23 boxes that an iron ball of 0.6 m hits at 8 m/s after 10 steps.
pub(super) fn wrecking() -> Made {
    let side = 0.2;
    let joint = 0.01;
    let mut stage = Stage::new(0.5)?;
    stage.add_ground()?;
    let shape = solid(&cuboid(Vec3::splat(side))?)?;
    for level in 0..23 {
        for i in 0..25 {
            let (x, y) = (f64::from(i % 5) - 2.0, f64::from(i / 5) - 2.0);
            let place = Vec3::new(x * (side + joint), y * (side + joint), side * (f64::from(level) + 0.5));
            let name = format!("box {level}-{i}");
            stage.add(BodyBuilder::free(shape.clone()).named(name).density(WOOD).at(at(place)?))?;
        }
    }
    let (step, speed, radius) = (5e-3, 8.0, 0.3);
    let away = 2.5 * side + 2.0 * joint + radius + 10.0 * step * speed;
    let ball = BodyBuilder::free(solid(&sphere(radius, 8)?)?).named("ball").density(IRON);
    let velocity = Twist { linear: Vec3::Y * speed, angular: Vec3::ZERO };
    stage.add(ball.at(at(Vec3::new(0.0, -away, 1.5))?).velocity(velocity))?;
    Ok(stage.run(step, 60))
}
