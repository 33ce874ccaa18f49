//! Solids that lie flush on each other: what is left of their contacts holds them in balance, and rubs as the
//! guide says.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::primitives::extrusion;
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use silvia_world::{BodyBuilder, BodyId, Material, MaterialId, Stage, World, WorldSettings};
use std::f64::consts::TAU;

const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

/// A world with a ground whose normal is turned about y, rad.
fn world(friction: f64, slope: f64) -> (World, MaterialId) {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let material = world.add_material(Material::new("all", friction, 0.0)).unwrap();
    let plane = Plane { normal: Quat::from_rotation_y(slope) * Vec3::Z, offset: 0.0 };
    let ground = Shape::half_space(plane).unwrap();
    world.add(BodyBuilder::fixed(ground).material(material)).unwrap();
    (world, material)
}

/// Adds a body of 1 kg, placed on the ground as it is before it is turned by the slope.
fn add(world: &mut World, material: MaterialId, shape: &Shape, at: Vec3, slope: f64) -> BodyId {
    let turn = Quat::from_rotation_y(slope);
    let body = BodyBuilder::free(shape.clone()).mass(1.0).material(material);
    world.add(body.at(Pose::new(turn * at, turn).unwrap())).unwrap()
}

fn prism(outer: &[[f64; 2]], holes: &[Vec<[f64; 2]>], height: f64) -> Shape {
    Shape::solid(Solid::from_soup(&extrusion(outer, holes, height).unwrap()).unwrap())
}

/// Makes steps, and asserts that all bodies stay where they are, in balance by the forces of the contacts,
/// none of which pulls or rubs more than it may. No more than `most` candidates are looked at in the last
/// step.
fn assert_at_rest(world: &mut World, bodies: &[BodyId], friction: f64, most: usize) {
    let before: Vec<Pose> = bodies.iter().map(|&id| world.pose(id).unwrap()).collect();
    for _ in 0..59 {
        world.step(STEP).unwrap();
    }
    world.set_profiling(true);
    let report = world.step(STEP).unwrap();
    let mut costs = report.profile.as_ref().unwrap().costs();
    let (_, cost) = costs.find(|(stage, _)| *stage == Stage::Contacts).unwrap();
    assert!(cost.count <= most as u64, "{} candidates", cost.count);
    for (&id, before) in bodies.iter().zip(before) {
        let pose = world.pose(id).unwrap();
        let moved = pose.translation().distance(before.translation());
        assert!(moved < 1e-8, "a body has moved by {moved} m");
        let centre = pose.transform_point(world.inertia(id).unwrap().centre);
        let (mut force, mut torque) = (Vec3::new(0.0, 0.0, -GRAVITY), Vec3::ZERO);
        for contact in world.contacts() {
            let [a, b] = contact.bodies;
            let sign = if b == id { 1.0 } else { -1.0 };
            if a == id || b == id {
                let at = contact.points[0].midpoint(contact.points[1]);
                force += sign * contact.force;
                torque += (at - centre).cross(sign * contact.force);
            }
        }
        assert!(force.length() < 1e-6 && torque.length() < 1e-7, "{force} N, {torque} N m");
    }
    for contact in world.contacts() {
        let normal = contact.force.dot(contact.normal);
        let across = (contact.force - normal * contact.normal).length();
        assert!(normal >= 0.0 && across <= friction * normal + 1e-9, "{across} N across, {normal} N");
    }
}

#[test]
fn cubes_on_cubes_are_held_at_four_corners_each_also_on_a_slope() {
    let cube = Shape::cuboid(Vec3::splat(0.2)).unwrap();
    for slope in [0.0, 0.2] {
        let (mut world, material) = world(0.5, slope);
        let at = |level: u32| Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(level));
        let bodies: Vec<BodyId> =
            (0..3).map(|level| add(&mut world, material, &cube, at(level), slope)).collect();
        assert_at_rest(&mut world, &bodies, 0.5, 12);
    }
}

#[test]
fn bricks_that_overlap_by_half_are_in_balance() {
    let brick = Shape::cuboid(Vec3::new(0.2, 0.1, 0.1)).unwrap();
    let (mut world, material) = world(0.5, 0.0);
    let places = [[0.0, 0.05], [0.201, 0.05], [0.402, 0.05], [0.1005, 0.15], [0.3015, 0.15], [0.201, 0.25]];
    let bodies: Vec<BodyId> =
        places.iter().map(|&[x, z]| add(&mut world, material, &brick, Vec3::new(x, 0.0, z), 0.0)).collect();
    // Four each of three bricks on the ground and of six pairs.
    assert_at_rest(&mut world, &bodies, 0.5, 36);
}

#[test]
fn angles_and_frames_on_their_like_are_in_balance() {
    let angle = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.3], [0.0, 0.3]];
    let square = |half: f64| [[-half, -half], [half, -half], [half, half], [-half, half]];
    let hole = vec![[-0.05, -0.05], [-0.05, 0.05], [0.05, 0.05], [0.05, -0.05]];
    let shapes = [prism(&angle, &[], 0.1), prism(&square(0.1), &[hole], 0.1)];
    for (shape, corners) in shapes.iter().zip([6, 8]) {
        let (mut world, material) = world(0.5, 0.0);
        let at = |level: u32| Vec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(level));
        let bodies: Vec<BodyId> =
            (0..4).map(|level| add(&mut world, material, shape, at(level), 0.0)).collect();
        assert_at_rest(&mut world, &bodies, 0.5, 4 * corners);
    }
}

#[test]
fn a_star_of_a_thousand_corners_lies_on_those_of_its_hull() {
    // Ten spikes; every tip is one corner.
    let corner = |k: u32| {
        let (turn, radius) = (TAU * f64::from(k) / 1000.0, 0.05 + 0.0005 * f64::from((k % 100).abs_diff(50)));
        [radius * turn.cos(), radius * turn.sin()]
    };
    let star = prism(&(0..1000).map(corner).collect::<Vec<_>>(), &[], 0.02);
    // On the ground itself, and on a slab.
    let (mut on_ground, material) = world(0.3, 0.1);
    let body = add(&mut on_ground, material, &star, Vec3::Z * 0.0100000001, 0.1);
    assert_at_rest(&mut on_ground, &[body], 0.3, 20);
    let (mut on_slab, material) = world(0.3, 0.1);
    let slab = prism(&[[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]], &[], 0.02);
    let low = add(&mut on_slab, material, &slab, Vec3::Z * 0.0100000001, 0.1);
    let high = add(&mut on_slab, material, &star, Vec3::Z * 0.0300000002, 0.1);
    assert_at_rest(&mut on_slab, &[low, high], 0.3, 24);
}

#[test]
fn a_box_put_across_another_and_pushed_off_it_is_never_let_through() {
    // Corners lie on corners at first, and then no more.
    let cube = Shape::cuboid(Vec3::splat(0.2)).unwrap();
    let (mut world, material) = world(0.2, 0.0);
    let low = add(&mut world, material, &cube, Vec3::new(0.0, 0.0, 0.1), 0.0);
    let high = add(&mut world, material, &cube, Vec3::new(0.0, 0.0, 0.3), 0.0);
    for _ in 0..20 {
        world.step(STEP).unwrap();
    }
    let push = Twist { linear: Vec3::new(0.3, 0.2, 0.0), angular: Vec3::new(0.0, 0.0, 1.0) };
    world.set_velocity(high, push).unwrap();
    for _ in 0..100 {
        let report = world.step(STEP).unwrap();
        assert!(report.smallest_gap > 0.0 && report.shortfalls.is_empty());
    }
    // It has slid on, level.
    let [low, high] = [low, high].map(|id| world.pose(id).unwrap());
    assert!(high.translation().x > 0.01 && (high.translation().z - low.translation().z - 0.2).abs() < 1e-8);
}

/// The second moment of a regular polygon about its middle by its area, m², and its area, m²: `corners` of
/// them, at a radius, m.
fn polygon(corners: usize, radius: f64) -> (f64, f64) {
    let n = corners as f64;
    let square = 0.5 * radius * radius * (1.0 - 2.0 / 3.0 * (TAU / 2.0 / n).sin().powi(2));
    (square, 0.5 * n * radius * radius * (TAU / n).sin())
}

#[test]
fn a_plate_that_spins_is_braked_as_a_ring_at_its_corners() {
    let (corners, radius, inner, friction) = (24, 0.1, 0.06, 0.3);
    let round = |radius: f64, sense: f64| -> Vec<[f64; 2]> {
        let angle = |k: usize| sense * TAU * k as f64 / corners as f64;
        (0..corners).map(|k| [radius * angle(k).cos(), radius * angle(k).sin()]).collect()
    };
    let plates = [vec![], vec![round(inner, -1.0)]];
    for holes in plates {
        let plate = prism(&round(radius, 1.0), &holes, 0.02);
        let ((square, area), (of_hole, without)) = (polygon(corners, radius), polygon(corners, inner));
        // Of 1 kg.
        let inertia = match holes.is_empty() {
            true => square,
            false => (square * area - of_hole * without) / (area - without),
        };
        // On the ground, and on a table that is a solid itself.
        for height in [0.0, 0.1] {
            let (mut world, material) = world(friction, 0.0);
            if height > 0.0 {
                let table = Shape::cuboid(Vec3::new(1.0, 1.0, height)).unwrap();
                let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5 * height)).unwrap();
                world.add(BodyBuilder::fixed(table).material(material).at(at)).unwrap();
            }
            let spin = Twist { linear: Vec3::ZERO, angular: Vec3::Z * 5.0 };
            let id = add(&mut world, material, &plate, Vec3::new(0.0, 0.0, height + 0.01), 0.0);
            world.step(STEP).unwrap();
            world.set_velocity(id, spin).unwrap();
            for _ in 0..50 {
                world.step(STEP).unwrap();
            }
            let braked = (5.0 - world.velocity(id).unwrap().angular.z) / (50.0 * STEP) * inertia;
            let ring = friction * GRAVITY * radius;
            assert!((braked / ring - 1.0).abs() < 1e-4, "{braked} N m, not {ring} N m");
        }
    }
}
