//! Validation scenes (references/contact.md).
#![allow(missing_docs)]
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Material, World, WorldSettings, response};
use std::sync::Arc;

mod rough;

const G: f64 = 9.81;

fn world(method: &str) -> World {
    World::with_response(WorldSettings::default(), Arc::from(response::by_name(method).unwrap())).unwrap()
}

fn ground() -> Shape {
    Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn material(world: &mut World, friction: f64, restitution: f64) -> silvia_world::MaterialId {
    world.add_material(Material { name: "m".into(), friction, restitution }).unwrap()
}

#[test]
fn a_ball_bounces() {
    let mut w = world("auto");
    let m = material(&mut w, 0.0, 0.5);
    w.add(BodyBuilder::fixed(ground()).named("ground").material(m)).unwrap();
    let ball = w
        .add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).named("ball").at(at(0.0, 0.0, 1.1)).material(m))
        .unwrap();
    let mut times = vec![];
    for _ in 0..1600 {
        let report = w.step(1e-3).unwrap();
        for i in &report.impacts {
            times.push((i.time, i.speed));
        }
    }
    println!("{times:?}");
    println!("{:?} {:?}", w.pose(ball).unwrap(), w.velocity(ball).unwrap());
    assert!((times[0].0 - 0.4515).abs() < 1e-4 * 5.0);
}

fn slope(method: &str, angle: f64, mu: f64, seconds: f64) -> (f64, f64, f64) {
    let mut w = world(method);
    let m = material(&mut w, mu, 0.0);
    let rotation = Quat::from_rotation_y(angle);
    let normal = rotation * Vec3::Z;
    w.add(
        BodyBuilder::fixed(Shape::half_space(Plane { normal, offset: 0.0 }).unwrap())
            .named("ground")
            .material(m),
    )
    .unwrap();
    let pose = Pose::new(normal * 0.25, rotation).unwrap();
    let block = w
        .add(
            BodyBuilder::free(Shape::cuboid(Vec3::new(1.0, 1.0, 0.5)).unwrap())
                .named("block")
                .at(pose)
                .material(m),
        )
        .unwrap();
    let mut force = 0.0;
    let start = w.pose(block).unwrap().translation();
    for _ in 0..(seconds * 1000.0).round() as usize {
        let r = w.step(1e-3).unwrap();
        force = r.contacts.iter().map(|c| c.force.dot(c.normal)).sum();
    }
    let end = w.pose(block).unwrap().translation();
    let mass = w.inertia(block).unwrap().mass;
    (
        (end - start).dot(rotation * Vec3::X),
        force / (mass * G * angle.cos()) - 1.0,
        w.velocity(block).unwrap().angular.length(),
    )
}

#[test]
fn a_block_slides_on_a_slope() {
    for method in ["auto", "ncp", "lcp"] {
        let t = std::time::Instant::now();
        println!("{method} {:?} {:?}", slope(method, 30f64.to_radians(), 0.5, 2.0), t.elapsed());
        let t = std::time::Instant::now();
        println!("{method} {:?} {:?}", slope(method, 25f64.to_radians(), 0.5, 2.0), t.elapsed());
    }
}

#[test]
fn a_stack_stands() {
    let mut w = world("auto");
    let m = material(&mut w, 0.5, 0.0);
    w.add(BodyBuilder::fixed(ground()).named("ground").material(m)).unwrap();
    let ids: Vec<BodyId> = (0..10)
        .map(|i| {
            w.add(
                BodyBuilder::free(Shape::cuboid(Vec3::ONE).unwrap())
                    .at(at(0.0, 0.0, 0.5 + i as f64))
                    .material(m),
            )
            .unwrap()
        })
        .collect();
    let t = std::time::Instant::now();
    for k in 0..300 {
        let r = w.step(1e-3).unwrap();
        if k % 50 == 0 {
            println!(
                "{} contacts, it {}, pieces {}, cuts {}, gap {:.3e}, res {:.1e}, forces {:?}",
                r.contacts.len(),
                r.iterations,
                r.pieces,
                r.cuts,
                r.smallest_gap,
                r.residual,
                r.notes
            );
        }
    }
    println!("{:?}", t.elapsed());
    for id in ids {
        let p = w.pose(id).unwrap();
        println!("{:?} {:?}", p.translation(), w.velocity(id).unwrap().linear);
    }
    let _ = Twist::default();
}
