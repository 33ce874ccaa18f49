//! What makes steps quicker changes nothing that it should not: profiling, sleep, the interactive setting.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_check::Checker;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Budget, Material, Stage, StepReport, World, WorldSettings};

const STEP: f64 = 1e-3;

/// Boxes on each other, 0.2 m wide.
fn stack(boxes: usize, settings: WorldSettings) -> (World, Vec<BodyId>) {
    let mut world = World::new(settings).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    let cube = Shape::cuboid(Vec3::splat(0.2)).unwrap();
    let add = |level: usize| {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + 0.2 * level as f64)).unwrap();
        world.add(BodyBuilder::free(cube.clone()).mass(1.0).at(at)).unwrap()
    };
    let ids = (0..boxes).map(add).collect();
    (world, ids)
}

fn stepped(world: &mut World, steps: usize) -> StepReport {
    let mut last = StepReport::default();
    for _ in 0..steps {
        last = world.step(STEP).unwrap();
    }
    last
}

fn sleepy() -> WorldSettings {
    WorldSettings::default().with_sleep_after(20)
}

#[test]
fn profiling_changes_no_bit_and_tells_of_every_stage() {
    let (mut plain, _) = stack(3, WorldSettings::default());
    let mut profiled = plain.clone();
    profiled.set_profiling(true);
    // Later on the stack is at rest, and its step is not made again.
    assert_eq!(stepped(&mut plain, 3).profile, None);
    let profile = stepped(&mut profiled, 3).profile.unwrap();
    assert_eq!(plain.hash(), profiled.hash());
    for (stage, cost) in profile.costs() {
        assert!(cost.seconds >= 0.0, "{}", stage.as_str());
        // The first guess may be the answer, so that nothing is left to be solved.
        assert!(cost.count > 0 || stage == Stage::Solve, "{}", stage.as_str());
    }
    profiled.set_profiling(false);
    assert_eq!(stepped(&mut profiled, 1).profile, None);
}

#[test]
fn a_stack_at_rest_sleeps_where_it_would_have_stood() {
    let (mut sleeping, ids) = stack(4, sleepy());
    let (mut waking, _) = stack(4, WorldSettings::default());
    let report = stepped(&mut sleeping, 300);
    let awake = stepped(&mut waking, 300);
    assert_eq!((report.asleep, awake.asleep), (4, 0));
    for &id in &ids {
        let (a, b) = (sleeping.body_state(id).unwrap(), waking.body_state(id).unwrap());
        assert!(a.centre.distance(b.centre) <= 0.2 * 1e-9, "{a:?} {b:?}");
    }
    // What it weighs is still told: each joint bears what is above.
    let on_ground: f64 =
        report.contacts.iter().filter(|c| c.bodies[1] == ids[0]).map(|c| c.force.dot(c.normal)).sum();
    assert!((on_ground - 4.0 * 9.81).abs() < 1e-6, "{on_ground}");
}

#[test]
fn sleepers_wake_when_something_comes_and_when_the_world_is_changed() {
    let (mut world, ids) = stack(2, sleepy());
    let at = Pose::from_translation(Vec3::new(-0.3, 0.0, 0.3)).unwrap();
    assert_eq!(stepped(&mut world, 100).asleep, 2);
    let before = world.body_state(ids[1]).unwrap().centre;
    let velocity = Twist { linear: Vec3::X * 2.0, angular: Vec3::ZERO };
    world.add(BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(1.0).at(at).velocity(velocity)).unwrap();
    // Adding a body wakes all; then they fall asleep again before the ball comes, or not: either way they are
    // pushed.
    let least = (0..200).map(|_| world.step(STEP).unwrap().asleep).min();
    assert_eq!(least, Some(0));
    assert!(world.body_state(ids[1]).unwrap().centre.x > before.x + 1e-3);

    let (mut world, ids) = stack(2, sleepy());
    assert_eq!(stepped(&mut world, 100).asleep, 2);
    world.set_velocity(ids[1], Twist { linear: Vec3::Z, angular: Vec3::ZERO }).unwrap();
    assert_eq!(stepped(&mut world, 1).asleep, 0);
    assert!(world.body_state(ids[1]).unwrap().velocity.linear.z > 0.9);
}

#[test]
fn sleep_is_part_of_a_snapshot() {
    let (mut world, _) = stack(2, sleepy());
    stepped(&mut world, 15);
    let then = world.snapshot();
    stepped(&mut world, 100);
    let hash = world.hash();
    world.restore(&then).unwrap();
    assert_eq!(stepped(&mut world, 100).asleep, 2);
    assert_eq!(world.hash(), hash);
}

/// Boxes that fall into each other, with rebound.
fn shower(settings: WorldSettings) -> World {
    let mut world = World::new(settings).unwrap();
    let rubber = Material::new("rubber", 0.4, 0.5);
    let rubber = world.add_material(rubber).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(rubber)).unwrap();
    let cube = Shape::cuboid(Vec3::new(0.2, 0.15, 0.1)).unwrap();
    for number in 0..12 {
        let turn = Quat::from_rotation_x(0.7 * f64::from(number)) * Quat::from_rotation_y(0.4);
        let (x, y) = (f64::from(number % 2), f64::from(number / 2 % 2));
        let at = Vec3::new(0.28 * x, 0.28 * y, 0.3 + 0.28 * f64::from(number / 4) + 0.05 * x);
        let body = BodyBuilder::free(cube.clone()).at(Pose::new(at, turn).unwrap()).material(rubber);
        let velocity = Twist { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::ZERO };
        world.add(body.velocity(velocity)).unwrap();
    }
    world
}

/// Steps a world, with all its ways looked at by a judge of its own; all reports.
fn judged(world: &mut World, steps: usize, length: f64) -> Vec<StepReport> {
    let ids: Vec<BodyId> = world.ids().collect();
    let shapes = ids.iter().map(|&id| (world.name(id).unwrap().to_owned(), world.shape(id).unwrap().clone()));
    let mut checker = Checker::new(shapes.collect::<Vec<_>>()).unwrap();
    let mut clock = 0.0;
    let mut reports = Vec::new();
    for _ in 0..steps {
        let mut poses: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
        let report = world.step(length).unwrap();
        for (index, &id) in ids.iter().enumerate() {
            checker.centre(index, world.inertia(id).unwrap().centre).unwrap();
        }
        for update in &report.way {
            for (id, state) in update {
                let at = ids.iter().position(|other| other == id).unwrap();
                poses[at] = world.pose_in(*id, state).unwrap();
            }
            clock += 1.0;
            checker.state(clock, &poses).unwrap();
        }
        clock += 1.0;
        let poses: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
        checker.state(clock, &poses).unwrap();
        reports.push(report);
    }
    assert!(checker.verdict().is_clean(1e-12), "{:?}", checker.verdict());
    reports
}

fn interactive() -> WorldSettings {
    WorldSettings::default().with_interactive(Some(Budget::default()))
}

#[test]
fn an_interactive_world_gives_up_rebounds_but_never_lets_bodies_through() {
    let mut world = shower(interactive());
    let traded: usize = judged(&mut world, 400, STEP).iter().map(|report| report.traded.impacts).sum();
    assert!(traded > 0, "with one impact a step, some must have been given up");
}

/// What sweeps leave of velocities is regained within the shells: no work that would be refused, and nothing
/// that adds up.
#[test]
fn an_interactive_stack_stands_still_and_costs_no_cuts() {
    let settings = interactive().with_shell(1e-4);
    let (mut world, ids) = stack(10, settings);
    for _ in 0..400 {
        let report = world.step(2.0 * STEP).unwrap();
        assert_eq!((report.cuts, report.pieces), (0, 1), "at {} s", report.time);
    }
    for (level, &id) in ids.iter().enumerate() {
        let at = world.pose(id).unwrap().translation();
        let meant = Vec3::new(0.0, 0.0, 0.1 + 0.2 * level as f64);
        assert!(at.distance(meant) < 2e-3, "{level}: {at}");
    }
}

/// Bricks of 0.2 m in courses, a millimetre apart, and a block that hits them.
fn wall(settings: WorldSettings) -> World {
    let mut world = World::new(settings).unwrap();
    let stone = Material::new("stone", 0.5, 0.0);
    let stone = world.add_material(stone).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(stone)).unwrap();
    let brick = Shape::cuboid(Vec3::new(0.2, 0.1, 0.1)).unwrap();
    for number in 0..30 {
        let (course, along) = (number / 6, f64::from(number % 6) + 0.5 * f64::from((number / 6) % 2));
        let at = Vec3::new(0.201 * along, 0.0, 0.1 * (f64::from(course) + 0.5));
        let body = BodyBuilder::free(brick.clone()).density(2000.0).material(stone);
        world.add(body.at(Pose::from_translation(at).unwrap())).unwrap();
    }
    let block = Shape::cuboid(Vec3::splat(0.2)).unwrap();
    let block = BodyBuilder::free(block).mass(20.0).material(stone);
    let velocity = Twist { linear: Vec3::new(0.0, 10.0, 0.0), angular: Vec3::ZERO };
    let at = Pose::new(Vec3::new(0.6, -0.3, 0.25), Quat::from_rotation_x(0.3)).unwrap();
    world.add(block.at(at).velocity(velocity)).unwrap();
    world
}

#[test]
fn an_interactive_wall_is_hit_and_nothing_passes_through_anything() {
    let mut world = wall(interactive());
    let before = world.energy();
    let reports = judged(&mut world, 60, 2e-3);
    let after = world.energy();
    assert!(after.kinetic + after.potential <= (before.kinetic + before.potential) * (1.0 + 1e-3));
    assert!(after.kinetic < 0.9 * before.kinetic, "the block has hit nothing: {after:?}");
    // Over a hundred contacts, which are swept: what that gives up is told.
    assert!(reports.iter().map(|report| report.traded.forces).sum::<usize>() > 0);
    let gap = reports.iter().map(|report| report.smallest_gap).fold(f64::INFINITY, f64::min);
    assert!(gap > 0.0, "{gap}");
}

#[test]
fn an_interactive_world_has_the_same_bits_on_any_number_of_threads() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = wall(interactive());
            (0..40).for_each(|_| drop(world.step(2e-3).unwrap()));
            world.hash()
        })
    };
    let one = hash(1);
    assert_eq!([one; 2], [hash(2), hash(4)]);
}

#[test]
fn a_world_that_is_not_interactive_gives_up_nothing() {
    let mut world = shower(WorldSettings::default());
    for _ in 0..150 {
        let report = world.step(STEP).unwrap();
        assert_eq!((report.traded.impacts, report.traded.forces), (0, 0));
    }
}
