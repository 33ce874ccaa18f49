//! A row of dominoes that a ball knocks over, as pictures and as a page: `cargo run --release --example dominoes [FOLDER]`.

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_scene::picture::{Artist, PictureOptions};
use silvia_scene::recording::{Frame, FrameImpact, Header, Recording};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, World, WorldSettings};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let recording = recorded(row()?)?;
    let artist = Artist::new(&recording)?;
    let options = PictureOptions::default();
    std::fs::write(folder.join("dominoes.png"), artist.at(0.6, &options)?.png()?)?;
    let small = PictureOptions { width: 480, height: 360, contacts: true, ..options };
    std::fs::write(folder.join("strip.png"), artist.strip(4, &small)?.png()?)?;
    std::fs::write(folder.join("dominoes.html"), silvia_scene::report::page(&recording)?)?;
    Ok(())
}

/// Twelve dominoes in a curve, and a ball that rolls towards the first.
fn row() -> Result<World, Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default())?;
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    world.add(BodyBuilder::fixed(ground).named("ground"))?;
    let stone = Shape::cuboid(Vec3::new(0.01, 0.05, 0.1))?;
    for i in 0..12 {
        let (along, turn) = (0.045 * f64::from(i), 0.06 * f64::from(i));
        let at = Vec3::new(along, 0.5 * along * turn, 0.05 + 1e-6);
        let pose = Pose::new(at, Quat::from_rotation_z(turn))?;
        world.add(BodyBuilder::free(stone.clone()).named(format!("stone {}", i + 1)).at(pose))?;
    }
    let push = Twist { linear: Vec3::X, angular: Vec3::ZERO };
    let ball = BodyBuilder::free(Shape::sphere(0.02)?).named("ball");
    world.add(ball.at(Pose::from_translation(Vec3::new(-0.15, 0.0, 0.08))?).velocity(push))?;
    Ok(world)
}

/// A second and a half, a frame every hundredth.
fn recorded(mut world: World) -> Result<Recording, Box<dyn Error>> {
    let ids: Vec<_> = world.ids().collect();
    let header = Header {
        title: "Dominoes".to_owned(),
        about: "A ball knocks over a row of stones.".to_owned(),
        method: world.response().name().to_owned(),
        step: 2e-3,
        until: 1.5,
        steps_a_frame: 5,
        gravity: world.settings().gravity,
        bodies: Header::bodies_of(&world)?,
        made_by: "the example `dominoes`".to_owned(),
        ..Header::default()
    };
    let mut frames = vec![Frame::of(&world)?];
    for _ in 0..150 {
        let (mut impacts, mut cost) = (Vec::new(), frames[0].cost);
        let start = std::time::Instant::now();
        for _ in 0..header.steps_a_frame {
            let report = world.step(header.step)?;
            cost.iterations += report.iterations as u32;
            cost.pieces = cost.pieces.max(report.pieces as u32);
            cost.smallest_gap = report.smallest_gap;
            for impact in &report.impacts {
                let place = |id| ids.binary_search(&id).unwrap_or(ids.len()) as u32;
                impacts.push(FrameImpact {
                    time: impact.time,
                    bodies: impact.bodies.map(place),
                    point: impact.point,
                    normal: impact.normal,
                    speed: impact.speed,
                    impulse: impact.impulse,
                });
            }
        }
        cost.wall_seconds = start.elapsed().as_secs_f64();
        frames.push(Frame { impacts, cost, ..Frame::of(&world)? });
    }
    Ok(Recording::in_memory(header, frames))
}
