//! A recording to try things on.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses some of it")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_scene::recording::{AccountRow, Frame, FrameImpact, Header, Recording};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, Material, RunAccount, World, WorldSettings};

/// A ball that bounces, a box that slides and a capsule that falls over, on the ground: half a second, a
/// frame every 10 ms.
pub(crate) fn sample() -> Recording {
    let mut world = sample_world();
    let ids: Vec<_> = world.ids().collect();
    let header = Header {
        title: "Sample".to_owned(),
        about: "A ball, a box and a capsule.".to_owned(),
        method: world.response().name().to_owned(),
        step: 2e-3,
        until: 0.5,
        steps_a_frame: 5,
        gravity: world.settings().gravity,
        bodies: Header::bodies_of(&world).unwrap(),
        made_by: "silvia test".to_owned(),
        ..Header::default()
    };
    let mut frames = vec![Frame::of(&world).unwrap()];
    let mut account = RunAccount::begin(&world);
    let mut accounts = vec![AccountRow { account, ..AccountRow::default() }];
    for _ in 0..50 {
        let mut impacts = Vec::new();
        let mut cost = frames[0].cost;
        for _ in 0..5 {
            let report = world.step(header.step).unwrap();
            account.add(&world, &report);
            cost.wall_seconds += 1e-4;
            cost.iterations += report.iterations as u32;
            cost.pieces = cost.pieces.max(report.pieces as u32);
            cost.smallest_gap = report.smallest_gap;
            impacts.extend(report.impacts.iter().map(|impact| FrameImpact {
                time: impact.time,
                bodies: impact.bodies.map(|id| ids.binary_search(&id).unwrap() as u32),
                point: impact.point,
                normal: impact.normal,
                speed: impact.speed,
                impulse: impact.impulse,
            }));
        }
        frames.push(Frame { impacts, cost, ..Frame::of(&world).unwrap() });
        accounts.push(AccountRow {
            step: world.steps(),
            time: world.time(),
            account,
            ..AccountRow::default()
        });
    }
    Recording::in_memory(header, frames).with_accounts(accounts)
}

/// As [`sample`] begins.
pub(crate) fn sample_world() -> World {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let rubber = Material::new("rubber", 0.6, 0.8);
    let rubber = world.add_material(rubber).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    let ball = BodyBuilder::free(Shape::sphere(0.05).unwrap()).named("ball").material(rubber);
    world.add(ball.at(at(0.0, 0.0, 0.3))).unwrap();
    let push = Twist { linear: Vec3::new(1.0, 0.0, 0.0), angular: Vec3::ZERO };
    let block = BodyBuilder::free(Shape::cuboid(Vec3::new(0.1, 0.08, 0.06)).unwrap()).named("block");
    world.add(block.at(at(-0.3, 0.2, 0.03 + 1e-6)).velocity(push)).unwrap();
    let leaning = Pose::new(Vec3::new(0.3, -0.2, 0.16), Quat::from_rotation_y(0.3)).unwrap();
    let post = BodyBuilder::free(Shape::capsule(0.03, 0.2).unwrap()).named("post");
    world.add(post.at(leaning)).unwrap();
    world
}

/// One frame of bodies that stand where they are put, in these colours. Half-spaces are fixed, all else is
/// free; nothing is simulated.
pub(crate) fn still(bodies: &[(Shape, Vec3, [u8; 3])]) -> Recording {
    let mut world = World::new(WorldSettings::default()).unwrap();
    for (shape, at, _) in bodies {
        let body = if matches!(shape, Shape::HalfSpace(_)) {
            BodyBuilder::fixed(shape.clone())
        } else {
            BodyBuilder::free(shape.clone())
        };
        world.add(body.at(Pose::from_translation(*at).unwrap())).unwrap();
    }
    let mut header = Header {
        bodies: Header::bodies_of(&world).unwrap(),
        gravity: world.settings().gravity,
        ..Header::default()
    };
    header.bodies.iter_mut().zip(bodies).for_each(|(body, (_, _, colour))| body.colour = *colour);
    Recording::in_memory(header, vec![Frame::of(&world).unwrap()])
}
