//! Ellipsoids among each other and with bodies of other kinds: steps go through, and a judge that shares no
//! code with them finds no overlap.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_check::Checker;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Solid, Vec3, primitives};
use silvia_world::{BodyBuilder, BodyId, Material, World, WorldSettings};

fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    Shape::ellipsoid(Vec3::new(x, y, z)).unwrap()
}

/// A tray of triangles, on which things of many kinds fall.
fn shapes() -> Vec<Shape> {
    let tray = primitives::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap();
    let prism = Solid::from_soup(&primitives::prism(5, 0.05, 0.08).unwrap()).unwrap();
    vec![
        Shape::solid(Solid::from_soup(&tray).unwrap()),
        ellipsoid(0.1, 0.06, 0.04),
        ellipsoid(0.08, 0.08, 0.02),
        Shape::capsule(0.05, 0.1).unwrap(),
        ellipsoid(0.02, 0.02, 0.1),
        Shape::cuboid(Vec3::new(0.1, 0.08, 0.06)).unwrap(),
        ellipsoid(0.05, 0.07, 0.06),
        Shape::cuboid(Vec3::new(0.04, 0.1, 0.1)).unwrap(),
        ellipsoid(0.05, 0.05, 0.05),
        Shape::capsule(0.03, 0.06).unwrap(),
        ellipsoid(0.09, 0.03, 0.05),
        Shape::solid(prism),
        ellipsoid(0.06, 0.1, 0.03),
        Shape::sphere(0.04).unwrap(),
    ]
}

#[test]
fn a_heap_of_ellipsoids_and_others_never_overlaps() {
    for second_order in [false, true] {
        let settings = WorldSettings::default().with_second_order(second_order);
        let mut world = World::new(settings).unwrap();
        let material = Material::new("all", 0.4, 0.3);
        let material = world.add_material(material).unwrap();
        let shapes = shapes();
        for (i, shape) in shapes.iter().enumerate() {
            let builder = match i {
                0 => BodyBuilder::fixed(shape.clone()),
                _ => {
                    // In stacks of three or four, each turned another way.
                    let (column, level) = ((i - 1) % 4, (i - 1) / 4);
                    let at = 0.09 * Vec3::new((column % 2) as f64, (column / 2) as f64, 0.0)
                        + (0.2 + 0.22 * level as f64) * Vec3::Z;
                    let turn = Quat::from_scaled_axis(Vec3::new(0.7, 1.1, 0.4) * i as f64);
                    BodyBuilder::free(shape.clone())
                        .at(Pose::new(at * Vec3::new(2.0, 2.0, 1.0), turn).unwrap())
                }
            };
            world.add(builder.material(material)).unwrap();
        }
        let named = shapes.iter().enumerate().map(|(i, shape)| (format!("body {i}"), shape.clone()));
        let mut checker = Checker::new(named).unwrap();
        let ids: Vec<BodyId> = world.ids().collect();
        for (index, &id) in ids.iter().enumerate() {
            checker.centre(index, world.inertia(id).unwrap().centre).unwrap();
        }
        checker.state(0.0, world.poses()).unwrap();
        let before = world.energy().total();
        for _ in 0..200 {
            let mut poses = world.poses().to_vec();
            let from = world.time();
            let report = world.step(2.5e-3).unwrap();
            // Where a step went in pieces, each of them was certified.
            for (count, update) in report.way.iter().enumerate() {
                for (id, state) in update {
                    poses[id.index()] = world.pose_in(*id, state).unwrap();
                }
                let part = (count + 1) as f64 / (report.way.len() + 1) as f64;
                checker.state(from + part * (world.time() - from), &poses).unwrap();
            }
            checker.state(world.time(), world.poses()).unwrap();
            let verdict = checker.verdict();
            assert!(verdict.is_clean(0.0), "at {} s: {verdict:?}", world.time());
        }
        println!("second order {second_order}: {before} J, then {} J", world.energy().total());
        assert!(world.energy().total() < before);
    }
}
