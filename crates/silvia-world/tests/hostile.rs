//! Worlds that mean harm: overlaps, masses and speeds far apart, walls that things are pulled through. No
//! NaN, no penetration, an honest outcome. Penetration is judged by the checker, which shares no code with
//! the stepper.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_check::Checker;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3, primitives};
use silvia_world::{
    BodyBuilder, BodyId, Budget, Material, MaterialId, Script, StepError, World, WorldSettings,
};

const STEP: f64 = 1e-3;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cube(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

fn floor() -> BodyBuilder {
    BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()).named("floor")
}

fn moving(linear: Vec3) -> Twist {
    Twist { linear, angular: Vec3::ZERO }
}

fn material(world: &mut World, friction: f64, restitution: f64) -> MaterialId {
    world.add_material(Material::new("stuff", friction, restitution)).unwrap()
}

/// Makes steps under the checker's eyes; the first that is refused, if one is.
fn run(world: &mut World, steps: usize) -> Option<StepError> {
    let ids: Vec<BodyId> = world.ids().collect();
    let shapes: Vec<(String, Shape)> = ids
        .iter()
        .map(|&id| (world.name(id).unwrap().to_owned(), world.shape(id).unwrap().clone()))
        .collect();
    let mut checker = Checker::new(shapes).unwrap();
    let mut error = None;
    for number in 0..steps {
        let before = world.hash();
        let poses_before: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
        let report = match world.step(STEP) {
            Ok(report) => report,
            Err(refused) => {
                assert_eq!(world.hash(), before, "a step that fails must change nothing");
                error = Some(refused);
                break;
            }
        };
        assert!(report.smallest_gap > 0.0 && !report.residual.is_nan());
        for (index, &id) in ids.iter().enumerate() {
            checker.centre(index, world.inertia(id).unwrap().centre).unwrap();
            let state = world.body_state(id).unwrap();
            let velocity = state.velocity;
            assert!(state.centre.is_finite() && state.rotation.is_finite(), "step {number}: {state:?}");
            assert!(velocity.linear.is_finite() && velocity.angular.is_finite(), "step {number}: {state:?}");
        }
        let poses: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
        // Where a step went in pieces, the straight line between its ends is not the way that was certified.
        if report.way.is_empty() {
            checker.state(world.time(), &poses).unwrap();
        } else {
            let mut on_the_way = poses_before;
            for (count, update) in report.way.iter().enumerate() {
                for (id, state) in update {
                    let index = ids.iter().position(|other| other == id).unwrap();
                    on_the_way[index] = world.pose_in(*id, state).unwrap();
                }
                let share = (count + 1) as f64 / (report.way.len() + 1) as f64;
                checker.state(world.time() - STEP * (1.0 - share), &on_the_way).unwrap();
            }
            checker.state(world.time(), &poses).unwrap();
        }
        assert!(checker.verdict().is_clean(1e-9), "step {number}: {:?}", checker.verdict());
    }
    error
}

#[test]
fn bodies_that_overlap_at_the_start_are_refused_by_name_and_depth_and_separated_on_request() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    world.add(floor()).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("lower").at(at(0.0, 0.0, 0.6))).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("upper").at(at(0.0, 0.0, 1.5))).unwrap();
    let before = world.hash();
    match world.step(STEP) {
        Err(StepError::Overlap { a, b, depth }) => {
            assert_eq!([a.as_str(), b.as_str()], ["lower", "upper"]);
            assert!((depth - 0.1).abs() < 1e-9, "{depth}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.hash(), before);
    assert_eq!(world.separate().unwrap(), 1);
    assert_eq!(run(&mut world, 50), None);
}

#[test]
fn one_body_inside_another_is_refused() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    world.add(BodyBuilder::fixed(cube(4.0, 4.0, 4.0)).named("block")).unwrap();
    world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).named("pearl")).unwrap();
    assert!(matches!(world.step(STEP), Err(StepError::Overlap { .. })));
}

#[test]
fn a_grain_beside_and_under_a_mountain_neither_breaks_nor_is_passed_through() {
    for upside_down in [false, true] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let stuff = material(&mut world, 0.4, 0.0);
        world.add(floor().material(stuff)).unwrap();
        let (grain, mountain) = if upside_down { (0.05, 0.6) } else { (1.15, 0.5) };
        let light = BodyBuilder::free(cube(0.1, 0.1, 0.1)).named("grain").mass(1e-12).at(at(0.0, 0.0, grain));
        let heavy =
            BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("mountain").mass(1e12).at(at(0.0, 0.0, mountain));
        world.add(light.material(stuff)).unwrap();
        world.add(heavy.material(stuff)).unwrap();
        // Either outcome is honest; what must not be is a step that is made and is wrong.
        if let Some(error) = run(&mut world, 100) {
            assert!(matches!(error, StepError::Stuck { .. }), "{error}");
        }
    }
}

#[test]
fn bullets_at_ten_kilometres_a_second_do_not_pass_thin_sheets() {
    let mesh = Shape::solid(Solid::from_soup(&primitives::sphere(0.005, 2).unwrap()).unwrap());
    for (bullet, restitution) in [
        (Shape::sphere(0.005).unwrap(), 0.5),
        (mesh.clone(), 0.5),
        (mesh, 0.0),
        (cube(0.01, 0.01, 0.01), 0.0),
    ] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let stuff = material(&mut world, 0.3, restitution);
        world.add(BodyBuilder::fixed(cube(0.001, 2.0, 2.0)).named("sheet").material(stuff)).unwrap();
        let velocity = Twist { linear: Vec3::new(1e4, 3.0, 0.0), angular: Vec3::new(20.0, 300.0, -70.0) };
        let bullet = BodyBuilder::free(bullet).named("bullet").density(8000.0).at(at(-12.3, 0.0, 0.1));
        let bullet = world.add(bullet.velocity(velocity).material(stuff)).unwrap();
        assert_eq!(run(&mut world, 4), None);
        assert!(world.pose(bullet).unwrap().translation().x < -0.0005);
    }
}

#[test]
fn under_a_million_metres_per_second_squared_a_box_lies_still() {
    let gravity = Vec3::new(0.0, 0.0, -1e6);
    let mut world = World::new(WorldSettings::default().with_gravity(gravity)).unwrap();
    world.add(floor()).unwrap();
    let id = world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).at(at(0.0, 0.0, 0.5))).unwrap();
    assert_eq!(run(&mut world, 100), None);
    let place = world.pose(id).unwrap().translation();
    assert!(place.distance(Vec3::new(0.0, 0.0, 0.5)) < 1e-7, "{place}");
}

#[test]
fn a_held_body_that_is_yanked_through_a_wall_stays_on_its_side() {
    for speed in [1.0, 30.0, 1e3, 1e5] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let stuff = material(&mut world, 0.3, 0.5);
        world.add(BodyBuilder::fixed(cube(0.01, 2.0, 2.0)).named("wall").material(stuff)).unwrap();
        let hand =
            BodyBuilder::held(cube(0.1, 0.1, 0.1)).named("part").at(at(-0.2, 0.0, 0.0)).material(stuff);
        let id = world.add(hand).unwrap();
        world.set_hand(id, moving(Vec3::new(speed, 0.2, 0.1))).unwrap();
        let error = run(&mut world, 50);
        // A hundred metres a step into the wall may be refused, and is then known to be stuck.
        let may_be_stuck = speed > 1e4 && matches!(error, Some(StepError::Stuck { .. }));
        assert!(error.is_none() || may_be_stuck, "{speed}: {error:?}");
        let place = world.pose(id).unwrap().translation();
        assert!(place.x < -0.055, "{speed}: {place}");
        if speed > 20.0 {
            assert!(place.x > -0.056, "{speed}: it should lie against the wall, not at {place}");
        }
    }
}

#[test]
fn a_press_that_crushes_a_box_is_stuck_and_the_world_stays_as_it_was() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    world.add(floor()).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("box").at(at(0.0, 0.0, 0.5))).unwrap();
    let down = Script::Velocity(moving(Vec3::new(0.0, 0.0, -1.0)));
    world
        .add(BodyBuilder::scripted(cube(2.0, 2.0, 0.2), down).named("press").at(at(0.0, 0.0, 1.15)))
        .unwrap();
    match run(&mut world, 100) {
        Some(StepError::Stuck { bodies, .. }) => assert_eq!(bodies, ["`box`"]),
        other => panic!("{other:?}"),
    }
}

/// Of the upper two prisms a pair of edges is crossed by 13 mm where the step starts, though they are apart:
/// one is before the other side of the corner.
#[test]
fn what_is_before_one_side_of_a_corner_is_not_pushed_through_it() {
    let places = [
        (
            8,
            [0.0, 0.0, 0.046823749710463713],
            [0.7069979579816619, 0.01242793348519625, -0.2808710424474218, 0.6489305751723726],
        ),
        (
            3,
            [0.0027065928672346, -0.004002471469021, 0.11846163032005534],
            [0.6979342699324601, 0.09415147713259756, -0.4358185317381632, -0.5604332802405524],
        ),
        (
            3,
            [-0.0007410877853344, -0.0006412469918965, 0.22369968849086785],
            [0.18217884301671655, 0.5214405185625972, -0.5545189300081228, 0.6224302459078503],
        ),
    ];
    let velocities = [
        Twist { linear: Vec3::new(0.062, -0.04, 0.014), angular: Vec3::new(0.3, 0.72, 0.73) },
        Twist { linear: Vec3::new(-0.077, 0.022, 0.199), angular: Vec3::new(-2.99, -7.21, 0.73) },
        Twist { linear: Vec3::new(-0.02, -0.062, -1.469), angular: Vec3::new(2.84, 11.59, 0.115) },
    ];
    for interactive in [None, Some(Budget::default())] {
        let settings = WorldSettings::default().with_interactive(interactive).with_shell(1e-4);
        let mut world = World::new(settings).unwrap();
        let stuff = material(&mut world, 0.5, 0.0);
        world.add(floor().material(stuff)).unwrap();
        for ((sides, place, turn), velocity) in places.into_iter().zip(velocities) {
            let prism = Solid::from_soup(&primitives::prism(sides, 0.05, 0.1).unwrap()).unwrap();
            let pose = Pose::new(Vec3::from_array(place), Quat::from_array(turn).normalize()).unwrap();
            let body = BodyBuilder::free(Shape::convex(&prism).unwrap()).density(1000.0).at(pose);
            world.add(body.velocity(velocity).material(stuff)).unwrap();
        }
        for _ in 0..20 {
            let report = world.step(2.0 * STEP).unwrap();
            assert!(report.smallest_gap > 0.0, "{}", report.smallest_gap);
        }
        assert!(world.energy().kinetic < 1.0, "{:?}", world.energy());
    }
}

#[test]
fn a_step_of_no_time_or_of_nan_is_refused() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(world.step(length), Err(StepError::Length { .. })), "{length}");
    }
}

#[test]
fn a_method_without_friction_refuses_bodies_that_have_it_by_name() {
    let response = silvia_world::response::by_name("bilateral").unwrap();
    let mut world = World::with_response(WorldSettings::default(), response.into()).unwrap();
    world.add(floor()).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("box").at(at(0.0, 0.0, 0.5))).unwrap();
    let error = world.step(STEP).unwrap_err();
    assert!(matches!(error, StepError::Friction { method: "bilateral", .. }), "{error}");
}

#[test]
fn no_validation_scene_penetrates_under_any_method() {
    for scene in silvia_world::validation::SCENES {
        for method in scene.methods {
            let mut world = (scene.open)(method).unwrap();
            assert_eq!(run(&mut world, 60), None, "{} under {method}", scene.name);
        }
    }
}

#[test]
fn a_world_tells_its_contacts_and_forgets_none_over_a_snapshot() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    world.add(floor()).unwrap();
    world.add(BodyBuilder::free(cube(1.0, 1.0, 1.0)).named("box").mass(2.0).at(at(0.0, 0.0, 0.5))).unwrap();
    assert!(world.contacts().is_empty());
    for _ in 0..20 {
        world.step(STEP).unwrap();
    }
    let weight: f64 = world.contacts().iter().map(|contact| contact.force.z).sum();
    assert!((weight / (2.0 * 9.81) - 1.0).abs() < 1e-6, "{weight}");
    let snapshot = world.snapshot();
    let told = world.contacts().to_vec();
    world.step(STEP).unwrap();
    world.restore(&snapshot).unwrap();
    assert_eq!(world.contacts(), told);
}
