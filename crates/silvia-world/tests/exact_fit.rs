//! Bodies that fit others without any clearance, and round ones that balance.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use silvia_check::Checker;
use silvia_proximity::Shape;
use silvia_solid::primitives::{cuboid, extrusion};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use silvia_world::{
    BodyBuilder, BodyId, Budget, Material, Script, Snapshot, StepError, World, WorldSettings,
};

const STEP: f64 = 1e-3;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn ring(x: f64) -> Vec<[f64; 2]> {
    vec![[-x, -x], [x, -x], [x, x], [-x, x]]
}

/// A peg in a square hole of its own width, turned anyhow so that nothing is level; the peg is wider than the
/// hole by `more` on each side.
fn peg_in_hole(more: f64) -> (World, BodyId) {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let block = extrusion(&ring(0.3), &[ring(0.1)], 0.2).unwrap();
    let peg = cuboid(Vec3::new(0.2 + 2.0 * more, 0.2 + 2.0 * more, 0.3)).unwrap();
    let pose = Pose::new(Vec3::new(0.3, -0.2, 0.7), Quat::from_rotation_y(0.3)).unwrap();
    let solid = |soup| Shape::solid(Solid::from_soup(&soup).unwrap());
    world.add(BodyBuilder::fixed(solid(block)).named("block").at(pose)).unwrap();
    let peg = world.add(BodyBuilder::free(solid(peg)).named("peg").at(pose)).unwrap();
    (world, peg)
}

/// Makes some steps under the eyes of the checker.
fn watched(world: &mut World, steps: usize) {
    world.prepare().unwrap();
    let ids: Vec<BodyId> = world.ids().collect();
    let shapes = ids.iter().map(|&id| (world.name(id).unwrap().to_owned(), world.shape(id).unwrap().clone()));
    let mut checker = Checker::new(shapes).unwrap();
    let poses = |world: &World| -> Vec<Pose> { ids.iter().map(|&id| world.pose(id).unwrap()).collect() };
    checker.start(0.0, &poses(world)).unwrap();
    for _ in 0..steps {
        world.step(STEP).unwrap();
        checker.state(world.time(), &poses(world)).unwrap();
    }
    let verdict = checker.verdict();
    assert!(verdict.is_clean(0.0), "{verdict:?}");
}

#[test]
fn a_peg_as_wide_as_its_hole_is_drawn_in_and_slides_out() {
    let (mut world, peg) = peg_in_hole(0.0);
    watched(&mut world, 150);
    let inset = world.inset(peg).unwrap();
    assert!(inset > 0.0 && inset < 5e-9, "{inset}");
    // Down the hole, which leans by 0.3 rad.
    let fallen = 0.5 * 9.81 * 0.15_f64.powi(2) * 0.3_f64.cos();
    let axis = Quat::from_rotation_y(0.3) * Vec3::Z;
    let moved = world.pose(peg).unwrap().translation() - Vec3::new(0.3, -0.2, 0.7);
    let leans = Material::default().friction * 0.3_f64.sin() / 0.3_f64.cos();
    assert!((moved.dot(axis) + fallen * (1.0 - leans)).abs() < 0.02 * fallen, "{moved}, {fallen}");
    assert!(moved.cross(axis).length() < 1e-8, "{moved}");
}

#[test]
fn a_peg_that_is_truly_too_wide_is_refused_and_stays_whole() {
    let (mut world, peg) = peg_in_hole(1e-7);
    for _ in 0..2 {
        let refused = world.step(STEP).unwrap_err();
        assert!(matches!(refused, StepError::Overlap { .. }), "{refused}");
        assert_eq!(world.inset(peg).unwrap(), 0.0);
    }
}

#[test]
fn a_box_between_what_is_fixed_and_what_a_script_holds_starts() {
    for is_interactive in [false, true] {
        let mut settings = WorldSettings::default();
        if is_interactive {
            settings = settings.with_interactive(Budget::default());
        }
        let mut world = World::new(settings).unwrap();
        let cube = Shape::cuboid(Vec3::splat(0.1)).unwrap();
        world.add(BodyBuilder::fixed(cube.clone()).at(at(-0.1, 0.0, 0.0))).unwrap();
        let still = Script::Velocity(Default::default());
        world.add(BodyBuilder::scripted(cube.clone(), still).at(at(0.2, 0.0, 0.0))).unwrap();
        let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: -0.05 }).unwrap();
        world.add(BodyBuilder::fixed(ground)).unwrap();
        // Two of them, each without room.
        for x in [0.0, 0.1] {
            world.add(BodyBuilder::free(cube.clone()).at(at(x, 0.0, 0.0))).unwrap();
        }
        watched(&mut world, 20);
    }
}

#[test]
fn a_body_is_drawn_in_for_the_largest_of_its_neighbours() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let cube = |size: f64| Shape::cuboid(Vec3::splat(size)).unwrap();
    // Shells go by the smaller body of a pair: that of the post is a tenth of that of the block.
    world.add(BodyBuilder::fixed(cube(1e-3)).named("post").at(at(-5.5e-3, 0.0, 0.0))).unwrap();
    world.add(BodyBuilder::fixed(cube(1.0)).named("block").at(at(0.505, 0.0, 0.0))).unwrap();
    let key = world.add(BodyBuilder::free(cube(0.01)).named("key")).unwrap();
    world.prepare().unwrap();
    let shell = 1e-9 * 0.01 * 3_f64.sqrt();
    assert!(world.inset(key).unwrap() > 2.9 * shell, "{}", world.inset(key).unwrap());
    assert!(world.distance_between("key", "block").unwrap().lower > shell);
    watched(&mut world, 20);
}

#[test]
fn what_was_drawn_in_comes_back_with_a_snapshot_to_the_same_bits() {
    let (mut world, peg) = peg_in_hole(0.0);
    let before = world.snapshot();
    world.step(STEP).unwrap();
    let bytes = world.snapshot().to_bytes();
    let mut other = peg_in_hole(0.0).0;
    other.restore(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!((other.hash(), other.inset(peg)), (world.hash(), world.inset(peg)));
    for world in [&mut world, &mut other] {
        for _ in 0..5 {
            world.step(STEP).unwrap();
        }
    }
    assert_eq!(other.hash(), world.hash());
    other.restore(&before).unwrap();
    assert_eq!(other.inset(peg).unwrap(), 0.0);
}

#[test]
fn a_can_that_stands_on_an_edge_or_lies_between_two_stays_there() {
    let unit = 0.25;
    let cube = Shape::cuboid(Vec3::splat(2.0 * unit)).unwrap();
    let apart = unit * std::f64::consts::SQRT_2;
    let lying = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for length in [unit, 2.0 * unit] {
        let can = Shape::cylinder(unit, length).unwrap();
        let standing = at(0.0, 0.0, 0.5 * length);
        let lying = Pose::new(Vec3::new(-0.5 * apart, 0.0, 0.5 * apart), lying).unwrap();
        for pose in [standing, lying] {
            let mut world = World::new(WorldSettings::default()).unwrap();
            // An edge of the first is the y axis, and one of the second is beside it.
            world.add(BodyBuilder::fixed(cube.clone()).at(at(unit, 0.0, -unit))).unwrap();
            world.add(BodyBuilder::fixed(cube.clone()).at(at(-unit - apart, 0.0, -unit))).unwrap();
            let can = world.add(BodyBuilder::free(can.clone()).at(pose)).unwrap();
            for _ in 0..50 {
                world.step(STEP).unwrap();
            }
            let way = world.pose(can).unwrap().translation() - pose.translation();
            assert!(way.length() < 1e-8, "{length} at {pose:?}: {way}");
        }
    }
}
