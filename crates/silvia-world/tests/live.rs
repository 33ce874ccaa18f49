//! A world that changes while it runs: bodies come, go, are moved and woken, and nothing else notices.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use seeded::Random;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, BodyId, Role, StepError, World, WorldError, WorldSettings};

const STEP: f64 = 2e-3;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::splat(0.2)).unwrap()
}

fn grounded(settings: WorldSettings) -> World {
    let mut world = World::new(settings).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    world
}

/// So many stacks of three cubes, a metre apart.
fn stacks(settings: WorldSettings, count: usize) -> (World, Vec<[BodyId; 3]>) {
    let mut world = grounded(settings);
    let mut stack = |number: usize| {
        [0, 1, 2].map(|level| {
            let place = at(number as f64, 0.0, 0.1 + 0.2 * f64::from(level));
            world.add(BodyBuilder::free(cube()).at(place)).unwrap()
        })
    };
    let ids = (0..count).map(&mut stack).collect();
    (world, ids)
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| drop(world.step(STEP).unwrap()));
}

fn asleep(world: &mut World) -> usize {
    world.step(STEP).unwrap().asleep
}

#[test]
fn a_stale_id_is_refused_even_if_its_number_names_another_body() {
    let mut world = grounded(WorldSettings::default());
    let old = world.add(BodyBuilder::free(cube()).named("old").at(at(0.0, 0.0, 1.0))).unwrap();
    world.remove(old).unwrap();
    let new = world.add(BodyBuilder::free(cube()).named("new").at(at(0.0, 0.0, 2.0))).unwrap();
    assert_eq!(new.index(), old.index());
    assert_ne!(new, old);
    assert_eq!(world.name(new).unwrap(), "new");
    assert_eq!(world.name(old), Err(WorldError::NoSuchBody { id: old }));
    assert_eq!(world.set_pose(old, Pose::IDENTITY), Err(WorldError::NoSuchBody { id: old }));
    assert!(world.remove(old).is_err());
    assert_eq!(BodyId::from(u64::from(old)), old);
    assert_eq!(world.ids().filter(|&id| id == new).count(), 1);
    for bits in [u64::from(old), 77, u64::MAX] {
        assert!(world.pose(BodyId::from(bits)).is_err(), "{bits}");
    }
}

#[test]
fn what_is_remembered_of_a_removed_body_is_not_that_of_the_next_with_its_number() {
    let settle = |world: &mut World| {
        let wide = BodyBuilder::free(Shape::cuboid(Vec3::new(0.6, 0.6, 0.2)).unwrap());
        let id = world.add(wide.named("wide").at(at(0.0, 0.0, 0.1))).unwrap();
        steps(world, 20);
        world.remove(id).unwrap();
    };
    let drop_ball = |world: &mut World| {
        let ball = BodyBuilder::free(Shape::sphere(0.1).unwrap()).named("ball").at(at(0.0, 0.0, 0.15));
        let id = world.add(ball).unwrap();
        (0..100)
            .map(|_| {
                world.step(STEP).unwrap();
                world.body_state(id).unwrap()
            })
            .collect::<Vec<_>>()
    };
    let mut used = grounded(WorldSettings::default());
    settle(&mut used);
    let mut fresh = grounded(WorldSettings::default());
    assert_eq!(drop_ball(&mut used), drop_ball(&mut fresh));
}

#[test]
fn waking_one_body_wakes_what_it_touches_and_nothing_else() {
    let (mut world, ids) = stacks(WorldSettings::default().with_sleep_after(10), 4);
    steps(&mut world, 40);
    assert_eq!(asleep(&mut world), 12);
    let still = Twist::default();
    world.set_velocity(ids[1][2], still).unwrap();
    assert_eq!(asleep(&mut world), 9);
    steps(&mut world, 40);
    assert_eq!(asleep(&mut world), 12);
    world.wake();
    assert_eq!(asleep(&mut world), 0);
}

#[test]
fn what_stood_on_a_removed_body_falls_though_it_slept() {
    let (mut world, ids) = stacks(WorldSettings::default().with_sleep_after(10), 3);
    steps(&mut world, 40);
    assert_eq!(asleep(&mut world), 9);
    let others = |world: &World| {
        [ids[0], ids[2]].concat().into_iter().map(|id| world.pose(id).unwrap()).collect::<Vec<_>>()
    };
    let before = others(&world);
    world.remove(ids[1][0]).unwrap();
    steps(&mut world, 400);
    assert!((world.pose(ids[1][1]).unwrap().translation().z - 0.1).abs() < 1e-6);
    assert!((world.pose(ids[1][2]).unwrap().translation().z - 0.3).abs() < 1e-6);
    assert_eq!(others(&world), before);
}

#[test]
fn bodies_that_sleep_wake_when_they_are_nailed_let_go_or_switched_off() {
    let sleeping = || {
        let (mut world, ids) = stacks(WorldSettings::default().with_sleep_after(10), 2);
        steps(&mut world, 40);
        assert_eq!(asleep(&mut world), 6);
        (world, ids)
    };
    // Without its middle the top falls through where that was.
    let (mut world, ids) = sleeping();
    world.set_active(ids[0][1], false).unwrap();
    steps(&mut world, 100);
    assert!(world.pose(ids[0][2]).unwrap().translation().z < 0.49);
    // A nailed body holds what is on it, and lets it fall once it is let go and its support is gone.
    let (mut world, ids) = sleeping();
    world.set_role(ids[0][1], Role::Fixed).unwrap();
    world.remove(ids[0][0]).unwrap();
    steps(&mut world, 50);
    assert!((world.pose(ids[0][2]).unwrap().translation().z - 0.5).abs() < 1e-6);
    world.set_role(ids[0][1], Role::Free).unwrap();
    steps(&mut world, 400);
    assert!((world.pose(ids[0][2]).unwrap().translation().z - 0.3).abs() < 1e-6);
}

#[test]
fn a_body_set_exactly_on_others_is_opened_and_bodies_elsewhere_do_not_notice() {
    let (mut world, ids) = stacks(WorldSettings::default(), 3);
    steps(&mut world, 20);
    let mut undisturbed = world.clone();
    let top = world.pose(ids[0][2]).unwrap().translation();
    world.add(BodyBuilder::free(cube()).named("late").at(at(top.x, top.y, top.z + 0.2))).unwrap();
    for _ in 0..20 {
        world.step(STEP).unwrap();
        undisturbed.step(STEP).unwrap();
    }
    for id in [ids[1], ids[2]].concat() {
        assert_eq!(world.body_state(id).unwrap(), undisturbed.body_state(id).unwrap());
    }
    assert!(world.distance(ids[0][2], world.body_id("late").unwrap()).unwrap().lower > 0.0);
}

#[test]
fn a_body_set_into_another_is_refused_by_name_and_the_world_goes_on_without_it() {
    let (mut world, _) = stacks(WorldSettings::default(), 2);
    steps(&mut world, 5);
    let bad = world.add(BodyBuilder::free(cube()).named("bad").at(at(1.0, 0.0, 0.15))).unwrap();
    let before = world.hash();
    let refused = world.step(STEP).unwrap_err();
    assert!(matches!(&refused, StepError::Overlap { a, b, .. } if a == "bad" || b == "bad"), "{refused}");
    assert_eq!(world.hash(), before);
    world.remove(bad).unwrap();
    steps(&mut world, 5);
}

#[test]
fn slices_tell_what_each_body_tells_whatever_was_done_to_the_world() {
    let mirrors = |world: &World| {
        for id in world.ids() {
            assert_eq!(world.poses()[id.index()], world.pose(id).unwrap());
            assert_eq!(world.velocities()[id.index()], world.velocity(id).unwrap());
            let state = world.body_state(id).unwrap();
            assert_eq!(world.poses()[id.index()], world.pose_in(id, &state).unwrap());
            assert_eq!(world.velocities()[id.index()], state.velocity);
        }
    };
    let (mut world, ids) = stacks(WorldSettings::default(), 2);
    mirrors(&world);
    let then = world.snapshot();
    steps(&mut world, 3);
    mirrors(&world);
    world.set_pose(ids[0][2], at(0.0, 3.0, 1.0)).unwrap();
    world.set_velocity(ids[0][1], Twist { linear: Vec3::X, angular: Vec3::Z }).unwrap();
    world.set_role(ids[1][0], Role::Fixed).unwrap();
    mirrors(&world);
    world.restore(&then).unwrap();
    mirrors(&world);
    world.set_pose(ids[0][0], at(0.0, 0.0, 0.05)).unwrap();
    world.separate().unwrap();
    mirrors(&world);
}

/// Bodies come, go and are thrown about at random: steps go on, nothing overlaps, and a world that was
/// restored half way goes on to the same bits.
#[test]
fn a_world_in_which_bodies_come_and_go_stays_free_of_overlaps() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let mut world = grounded(WorldSettings::default().with_sleep_after(5));
        let mut there: Vec<BodyId> = Vec::new();
        for turn in 0..60 {
            match random.below(4) {
                0 if !there.is_empty() => {
                    let gone = there.swap_remove(random.below(there.len()));
                    world.remove(gone).unwrap();
                }
                1 if !there.is_empty() => {
                    let id = there[random.below(there.len())];
                    let linear = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 1.0);
                    world.set_velocity(id, Twist { linear, angular: linear }).unwrap();
                }
                _ => {
                    // High enough to be free of all others.
                    let top = there.iter().map(|&id| world.pose(id).unwrap().translation().z);
                    let z = 0.3 + top.fold(0.0, f64::max);
                    let place = at(random.between(-0.3, 0.3), random.between(-0.3, 0.3), z);
                    let shape = if random.below(2) == 0 { cube() } else { Shape::sphere(0.1).unwrap() };
                    let body = BodyBuilder::free(shape).named(format!("{seed} {turn}")).at(place);
                    there.push(world.add(body).unwrap());
                }
            }
            steps(&mut world, 10);
            if let Some(clearance) = world.smallest_clearance() {
                assert!(clearance.distance.lower > 0.0, "seed {seed}, turn {turn}");
            }
        }
        let then = world.snapshot();
        steps(&mut world, 10);
        let hash = world.hash();
        world.restore(&then).unwrap();
        steps(&mut world, 10);
        assert_eq!(world.hash(), hash, "seed {seed}");
    }
}

#[test]
fn preparing_a_world_changes_no_result() {
    let gear = |at: Vec3| {
        let soup = silvia_solid::primitives::torus(0.1, 0.03, 24, 12).unwrap();
        let ring = Shape::solid(silvia_solid::Solid::from_soup(&soup).unwrap());
        BodyBuilder::free(ring).density(1000.0).at(Pose::from_translation(at).unwrap())
    };
    let mut world = World::new(WorldSettings::default()).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    // They touch exactly.
    for level in 0..3 {
        world.add(gear(Vec3::new(0.0, 0.0, 0.03 + 0.06 * f64::from(level)))).unwrap();
    }
    let mut prepared = world.clone();
    prepared.prepare().unwrap();
    prepared.prepare().unwrap();
    let hash = prepared.hash();
    prepared.rehearse(1e-3);
    assert_eq!(prepared.hash(), hash);
    for step in 0..30 {
        let (plain, quicker) = (world.step(1e-3).unwrap(), prepared.step(1e-3).unwrap());
        assert_eq!(world.hash(), prepared.hash(), "step {step}");
        assert_eq!(plain.contacts, quicker.contacts, "step {step}");
    }
}

/// A cube's face and a rim point far behind it made a contact that "holds"; opening it moved the cylinder by
/// two metres.
#[test]
fn a_cylinder_that_touches_an_edge_is_not_thrown_where_gaps_are_opened() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let cube = Shape::cuboid(Vec3::splat(2.0)).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    world.add(BodyBuilder::fixed(cube).at(at(1.0, 0.0, -1.0))).unwrap();
    let along_y = silvia_solid::Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let lying = Pose::new(Vec3::new(0.0, 0.0, 1.0), along_y).unwrap();
    let roller = world.add(BodyBuilder::free(Shape::cylinder(1.0, 2.0).unwrap()).at(lying)).unwrap();
    world.prepare().unwrap();
    let moved = world.pose(roller).unwrap().translation().distance(lying.translation());
    assert!(moved < 1e-7, "{moved} m");
}
