//! Steps that cannot be made as the law of contact asks for: none ends in a dead end.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_check::Checker;
use silvia_contact::{Settings, Twist};
use silvia_proximity::{ContactBody, Shape};
use silvia_solid::parts::PegAndHole;
use silvia_solid::primitives::cuboid;
use silvia_solid::{Plane, Pose, Quat, Solid, Soup, Vec3};
use silvia_world::response::{Answer, Guarantee, IslandProblem, Response, Scratch};
use silvia_world::{
    BodyBuilder, BodyId, Budget, Material, OnStuck, Script, ShortfallKind, StepError, StuckReason, World,
    WorldSettings,
};
use std::sync::Arc;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn block(size: Vec3) -> Shape {
    Shape::cuboid(size).unwrap()
}

/// A box on the ground under a press that comes down and goes up again.
fn press(on_stuck: OnStuck) -> (World, [BodyId; 2]) {
    let mut world = World::new(WorldSettings::default().with_on_stuck(on_stuck)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    let lying = world.add(BodyBuilder::free(block(Vec3::ONE)).named("box").at(at(0.0, 0.0, 0.5))).unwrap();
    let down_and_up =
        Script::Poses(vec![(0.0, at(0.0, 0.0, 1.12)), (0.1, at(0.0, 0.0, 1.02)), (0.2, at(0.0, 0.0, 1.15))]);
    let press = BodyBuilder::scripted(block(Vec3::new(2.0, 2.0, 0.2)), down_and_up).named("press");
    let press = world.add(press.at(at(0.0, 0.0, 1.12))).unwrap();
    (world, [lying, press])
}

#[test]
fn a_script_into_what_cannot_yield_names_both_and_the_remedy() {
    let (mut world, _) = press(OnStuck::End);
    let error = loop {
        let before = world.hash();
        if let Err(error) = world.step(1e-3) {
            assert_eq!(world.hash(), before);
            break error;
        }
        assert!(world.time() < 0.1, "the press went through");
    };
    let told = error.to_string();
    let StepError::Stuck { time, reason: StuckReason::Prescribed { mover, blocked, at, by }, .. } = error
    else {
        panic!("{error}")
    };
    assert_eq!([mover.as_str(), blocked.as_str()], ["press", "box"]);
    let by = by.expect("the ground is in the way of the box");
    assert_eq!(by.bodies, ["box", "ground"]);
    assert!(by.at.z.abs() < 2e-3, "{}", by.at);
    assert!((time - 0.02).abs() < 2e-3, "{time}");
    assert!((at.z - 1.0).abs() < 2e-3, "{at}");
    assert!(told.contains("on_stuck = \"hold\""), "{told}");
}

#[test]
fn a_script_that_is_held_goes_on_once_its_way_is_free() {
    let (mut world, [lying, press]) = press(OnStuck::Hold);
    let mut held = 0;
    while world.time() < 0.2 {
        let report = world.step(1e-3).unwrap();
        let is_hold =
            |kind: &ShortfallKind| matches!(kind, ShortfallKind::Hold { bodies } if bodies == &["press"]);
        held += usize::from(report.shortfalls.iter().any(|shortfall| is_hold(&shortfall.kind)));
        let gap =
            world.pose(press).unwrap().translation().z - 0.1 - world.pose(lying).unwrap().translation().z;
        assert!(gap > 0.5, "{gap} at {}", world.time());
    }
    // From 0.02 s until the script is above the box again.
    assert!((120..=160).contains(&held), "{held}");
    let end = world.pose(press).unwrap().translation().z;
    assert!((end - 1.15).abs() < 1e-9, "{end}");
}

/// A method that never finds forces.
struct Helpless;

impl Response for Helpless {
    fn name(&self) -> &'static str {
        "helpless"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::NonPenetrating
    }

    fn respond(&self, problem: &IslandProblem<'_>, _: &Settings, _: &mut Scratch, answer: &mut Answer) {
        *answer = Answer::unsolved(problem, Vec::new());
        answer.residual = f64::INFINITY;
    }
}

#[test]
fn without_any_forces_bodies_fall_land_and_lie_by_the_nearest_motion() {
    let mut world = World::with_response(WorldSettings::default(), Arc::new(Helpless)).unwrap();
    let stuff = Material::new("stuff", 0.4, 0.0);
    let stuff = world.add_material(stuff).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground").material(stuff)).unwrap();
    let add = |world: &mut World, number: u32| {
        let turn = Quat::from_rotation_z(0.3 * f64::from(number));
        let place = Pose::new(Vec3::Z * (0.06 + 0.13 * f64::from(number)), turn).unwrap();
        let body = BodyBuilder::free(block(Vec3::splat(0.1))).density(1000.0).material(stuff);
        world.add(body.named(format!("box {number}")).at(place)).unwrap()
    };
    let boxes: Vec<BodyId> = (0..4).map(|number| add(&mut world, number)).collect();
    let mut shortfalls = 0;
    for _ in 0..300 {
        let before = world.energy().total();
        let report = world.step(1e-3).unwrap();
        for shortfall in &report.shortfalls {
            shortfalls += 1;
            assert_eq!(shortfall.kind, ShortfallKind::NearestMotion, "{shortfall}");
            let meeting = shortfall.reason.meeting().unwrap();
            let names = || world.ids().map(|id| world.name(id).unwrap());
            assert!(meeting.bodies.iter().all(|body| names().any(|name| name == body)), "{meeting:?}");
            // Of the box below the contact: it lies between the ground and the top of the highest.
            assert!(meeting.at.z > -1e-6 && meeting.at.z < 0.5 && meeting.at.x.abs() < 0.1, "{meeting:?}");
            assert!(shortfall.energy > -1e-9, "{shortfall} creates {} J", -shortfall.energy);
        }
        assert!(world.energy().total() <= before + 1e-9, "at {} s", world.time());
        assert!(report.smallest_gap > 0.0);
    }
    assert!(shortfalls > 100, "{shortfalls}");
    for (number, &id) in boxes.iter().enumerate() {
        let height = world.pose(id).unwrap().translation().z;
        assert!((height - 0.05 - 0.1 * number as f64).abs() < 1e-6, "box {number} at {height} m");
        assert!(world.velocity(id).unwrap().linear.length() < 1e-6);
    }
}

#[test]
fn a_peg_that_jams_stays_where_it_is() {
    // Friction wedges it: no contact can regain what it lacks of its shell.
    let fit = PegAndHole { facets: 12, clearance: 1e-4, ..PegAndHole::default() };
    let solid = |soup: &Soup| Shape::solid(Solid::from_soup(soup).unwrap());
    let (hole, peg) = (solid(&fit.block().unwrap()), solid(&fit.peg().unwrap()));
    let top = hole.aabb(&Pose::IDENTITY).max.z;
    for (number, tilt) in [
        Quat::from_rotation_x(0.02),
        Quat::from_rotation_y(-0.02),
        Quat::from_rotation_x(0.02) * Quat::from_rotation_y(0.013),
        Quat::IDENTITY,
    ]
    .into_iter()
    .enumerate()
    {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let steel = Material::new("steel", 0.5, 0.2);
        let steel = world.add_material(steel).unwrap();
        let hole_id = world.add(BodyBuilder::fixed(hole.clone()).named("hole").material(steel)).unwrap();
        let over = Pose::new(Vec3::new(1e-4, -5e-5, top + 0.5 * fit.length + 1e-3), tilt).unwrap();
        let down = Twist { linear: Vec3::new(0.0, 0.0, -0.3), angular: Vec3::ZERO };
        let body = BodyBuilder::free(peg.clone()).named("peg").density(7850.0).at(over).velocity(down);
        let peg_id = world.add(body.material(steel)).unwrap();
        let mut checker =
            Checker::new(vec![("hole".to_owned(), hole.clone()), ("peg".to_owned(), peg.clone())]).unwrap();
        checker.centre(1, world.inertia(peg_id).unwrap().centre).unwrap();
        let mut clock = 0.0;
        for step in 0..60 {
            let report = world.step(1e-3).unwrap_or_else(|error| panic!("peg {number} step {step}: {error}"));
            for update in &report.way {
                if let Some((_, state)) = update.iter().find(|(id, _)| *id == peg_id) {
                    clock += 1.0;
                    checker.state(clock, &[Pose::IDENTITY, world.pose_in(peg_id, state).unwrap()]).unwrap();
                }
            }
            clock += 1.0;
            checker.state(clock, &[world.pose(hole_id).unwrap(), world.pose(peg_id).unwrap()]).unwrap();
        }
        assert!(checker.verdict().is_clean(1e-9), "{:?}", checker.verdict());
    }
}

/// A cuboid whose faces are flat only to single precision, as files have them.
fn rough_box(size: Vec3, turn: Quat) -> Solid {
    let soup = cuboid(size).unwrap();
    let single = |x: f64| f64::from(x as f32);
    let round = |p: &Vec3| {
        let there = turn * *p + Vec3::new(0.3, 0.7, -0.2);
        Vec3::new(single(there.x), single(there.y), single(there.z))
    };
    let points = soup.points().iter().map(round).collect();
    Solid::from_soup(&Soup::new(points, soup.triangles().to_vec()).unwrap()).unwrap()
}

#[test]
fn faces_that_are_flat_to_single_precision_are_kept_apart_by_more_than_that() {
    let turn = Quat::from_rotation_x(0.4) * Quat::from_rotation_z(1.1);
    let stone = Shape::solid(rough_box(Vec3::new(0.2, 0.1, 0.05), turn));
    let flatness = ContactBody::new(&stone).flatness();
    assert!(flatness > 1e-10 && flatness < 1e-6, "{flatness}");
    assert_eq!(ContactBody::new(&block(Vec3::ONE)).flatness(), 0.0);
    let mut world = World::new(WorldSettings::default()).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground)).unwrap();
    // Turned back, so that they lie flat on each other.
    let back = |z: f64| {
        let rotation = turn.inverse();
        Pose::new(Vec3::new(0.0, 0.0, z) - rotation * Vec3::new(0.3, 0.7, -0.2), rotation).unwrap()
    };
    for level in 0..4 {
        world.add(BodyBuilder::free(stone.clone()).at(back(0.025 + 0.0501 * f64::from(level)))).unwrap();
    }
    for _ in 0..100 {
        let report = world.step(2e-3).unwrap();
        assert!(report.shortfalls.is_empty(), "{:?}", report.shortfalls);
        let gaps = report.contacts.iter().filter(|c| c.bodies[0].index() > 0).map(|c| c.gap);
        gaps.for_each(|gap| assert!(gap > 2.0 * flatness, "{gap}"));
    }
}

/// One after the other joins, for as long as that is not too much work: no body stops for it.
#[test]
fn a_hit_that_runs_through_a_row_of_bodies_is_not_lost() {
    let settings = WorldSettings::default().with_gravity(Vec3::ZERO).with_interactive(Budget::default());
    let mut world = World::with_response(settings, Arc::new(Helpless)).unwrap();
    let stuff = Material::new("stuff", 0.0, 0.0);
    let stuff = world.add_material(stuff).unwrap();
    let count = 40;
    for number in 0..count {
        let place = at(0.101 * f64::from(number), 0.0, 0.0);
        let body = BodyBuilder::free(block(Vec3::splat(0.1))).density(1000.0).material(stuff).at(place);
        let speed = if number == 0 { 100.0 } else { 0.0 };
        let velocity = Twist { linear: Vec3::new(speed, 0.0, 0.0), angular: Vec3::ZERO };
        world.add(body.velocity(velocity).named(format!("box {number}"))).unwrap();
    }
    let momentum = |world: &World| world.ids().map(|id| world.velocity(id).unwrap().linear.x).sum::<f64>();
    for _ in 0..5 {
        let before = world.energy().total();
        let report = world.step(1e-2).unwrap();
        assert!(report.smallest_gap > 0.0);
        assert!((momentum(&world) - 100.0).abs() < 1e-6, "{} at {} s", momentum(&world), world.time());
        assert!(world.energy().total() <= before * (1.0 + 1e-9), "at {} s", world.time());
    }
}

/// Three boxes in a row, and one that a script moves towards them and turns. Squares of their masses are
/// infinite: hardly any forces or nearest motions are found.
fn row_of_heavy_boxes() -> (World, Vec<BodyId>) {
    let mut world = World::new(WorldSettings::default().with_gravity(Vec3::ZERO)).unwrap();
    let shape = || block(Vec3::splat(0.2));
    let heavy =
        |x: f64| BodyBuilder::free(shape()).mass(1e200).named(format!("box at {x}")).at(at(x, 0.0, 0.0));
    let mut row: Vec<BodyId> = [0.25, 0.46, 0.67].map(|x| world.add(heavy(x)).unwrap()).into();
    let ahead = Script::Velocity(Twist { linear: Vec3::X, angular: 0.5 * Vec3::Z });
    row.insert(0, world.add(BodyBuilder::scripted(shape(), ahead).named("pusher")).unwrap());
    (world, row)
}

#[test]
fn what_no_motion_is_found_for_is_carried_by_the_script_that_pushes_it() {
    let (mut world, row) = row_of_heavy_boxes();
    let bodies = row.iter().map(|&id| (world.name(id).unwrap().to_owned(), world.shape(id).unwrap().clone()));
    let mut checker = Checker::new(bodies).unwrap();
    let mut most = 0;
    for step in 0..100 {
        let report = world.step(1e-3).unwrap();
        let poses: Vec<Pose> = row.iter().map(|&id| world.pose(id).unwrap()).collect();
        checker.state(f64::from(step), &poses).unwrap();
        for shortfall in &report.shortfalls {
            let ShortfallKind::Rest { carried, .. } = &shortfall.kind else { continue };
            most = most.max(carried.len());
            let told = shortfall.to_string();
            assert!(told.contains("carried along by what a script moves: box at"), "{told}");
        }
    }
    assert_eq!(most, 3);
    assert!(world.pose(row[3]).unwrap().translation().x > 0.69);
    assert!(checker.verdict().is_clean(1e-9), "{:?}", checker.verdict());
}

#[test]
fn what_is_carried_into_a_wall_stops_the_script_that_carries_it() {
    let (mut world, row) = row_of_heavy_boxes();
    let wall = block(Vec3::new(0.1, 1.0, 1.0));
    world.add(BodyBuilder::fixed(wall).named("wall").at(at(0.84, 0.0, 0.0))).unwrap();
    let error = loop {
        let before = world.hash();
        if let Err(error) = world.step(1e-3) {
            assert_eq!(world.hash(), before);
            break error;
        }
        assert!(world.time() < 0.1, "the boxes went through the wall");
    };
    let StepError::Stuck { reason: StuckReason::Prescribed { mover, blocked, by, .. }, .. } = &error else {
        panic!("{error}")
    };
    // From the script to what stops it: the box that it pushes, the last of the row, and the wall.
    let by = by.as_ref().expect("the wall is in the way");
    let told = [mover.as_str(), blocked, &by.bodies[0], &by.bodies[1]];
    assert_eq!(told, ["pusher", "box at 0.25", "box at 0.67", "wall"]);
    assert!((by.at.x - 0.79).abs() < 2e-2, "{}", by.at);
    assert!(world.pose(row[3]).unwrap().translation().x > 0.68);
}
