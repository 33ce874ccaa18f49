//! What a user asks after a step: what began and ended, who presses whom, and how hard.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{
    BodyBuilder, BodyId, Load, Material, Snapshot, StepEvent, World, WorldError, WorldSettings,
};

/// s
const STEP: f64 = 1e-3;
/// m/s²
const G: f64 = 9.81;

fn grounded(settings: WorldSettings) -> (World, BodyId) {
    let mut world = World::new(settings).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let ground = world.add(BodyBuilder::fixed(ground).named("ground")).unwrap();
    (world, ground)
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// The events of some steps, each with the number of its step.
fn events(world: &mut World, steps: usize) -> Vec<(usize, StepEvent)> {
    let of_step = |step| world.step(STEP).unwrap().events.into_iter().map(move |event| (step, event));
    (0..steps).flat_map(of_step).collect()
}

#[test]
fn a_ball_that_lands_and_is_lifted_touches_once_and_parts_once() {
    let (mut world, ground) = grounded(WorldSettings::default());
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).at(at(0.0, 0.15))).unwrap();
    let bodies = [ground, ball];
    // 0.05 m are fallen through in 0.101 s.
    assert_eq!(events(&mut world, 300), [(100, StepEvent::Touched { bodies })]);
    assert_eq!(world.contacts_between(ball, ground).unwrap().len(), 1);
    world.set_velocity(ball, Twist { linear: Vec3::Z, angular: Vec3::ZERO }).unwrap();
    assert_eq!(events(&mut world, 100), [(0, StepEvent::Parted { bodies })]);
    assert!(world.contacts_between(ball, ground).unwrap().is_empty());
}

#[test]
fn a_ball_that_rebounds_touches_and_parts_in_one_step() {
    let (mut world, ground) = grounded(WorldSettings::default());
    let rubber = Material::new("rubber", 0.5, 0.8);
    let rubber = world.add_material(rubber).unwrap();
    let ball = BodyBuilder::free(Shape::sphere(0.1).unwrap()).at(at(0.0, 0.15)).material(rubber);
    let bodies = [ground, world.add(ball).unwrap()];
    let expected = [(100, StepEvent::Touched { bodies }), (100, StepEvent::Parted { bodies })];
    assert_eq!(events(&mut world, 150), expected);
}

#[test]
fn bodies_fall_asleep_and_wake_in_order_and_a_snapshot_tells_neither_again() {
    let (mut world, _) = grounded(WorldSettings::default().with_sleep_after(10));
    let cube = || BodyBuilder::free(Shape::cuboid(Vec3::splat(0.2)).unwrap());
    let ids = [3.0, 1.0, 2.0].map(|x| world.add(cube().at(at(x, 0.1))).unwrap());
    let told = events(&mut world, 40);
    let slept: Vec<StepEvent> = ids.iter().map(|&body| StepEvent::Slept { body }).collect();
    let last = told.iter().filter(|(_, event)| matches!(event, StepEvent::Slept { .. }));
    assert_eq!(last.map(|(_, event)| *event).collect::<Vec<_>>(), slept);
    assert!(ids.iter().all(|&id| world.is_asleep(id).unwrap()));

    let kept = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
    world.wake();
    let woke: Vec<(usize, StepEvent)> = ids.iter().map(|&body| (0, StepEvent::Woke { body })).collect();
    assert_eq!(events(&mut world, 1), woke);
    assert!(!world.is_asleep(ids[0]).unwrap());
    world.restore(&kept).unwrap();
    assert_eq!(events(&mut world, 5), []);
    // What was taken out says nothing any more.
    world.remove(ids[1]).unwrap();
    let all: Vec<StepEvent> = events(&mut world, 5).into_iter().map(|(_, event)| event).collect();
    assert!(all.iter().all(|event| !event.bodies().contains(&ids[1])), "{all:?}");
}

#[test]
fn the_net_force_on_a_sliding_and_turning_body_is_what_changes_its_momentum() {
    let (mut world, ground) = grounded(WorldSettings::default());
    // A ball that slides and begins to roll: friction changes its velocity and its spin.
    let ball = BodyBuilder::free(Shape::sphere(0.1).unwrap()).mass(3.0).at(at(0.0, 0.1));
    let ball = world.add(ball.velocity(Twist { linear: 2.0 * Vec3::X, angular: Vec3::ZERO })).unwrap();
    world.step(STEP).unwrap();
    for _ in 0..50 {
        let before = world.velocity(ball).unwrap();
        let report = world.step(STEP).unwrap();
        assert!(report.impacts.is_empty());
        let after = world.velocity(ball).unwrap();
        let net = world.net_force(ball).unwrap();
        let expected = 3.0 * ((after.linear - before.linear) / STEP + G * Vec3::Z);
        assert!((net.force - expected).length() < 1e-9, "{net:?} {expected}");
        let inertia = 0.4 * 3.0 * 0.01;
        let expected = inertia * (after.angular - before.angular) / STEP;
        assert!((net.torque - expected).length() < 1e-6, "{net:?} {expected}");
        let on_ground = world.net_force(ground).unwrap();
        assert_eq!(on_ground.force, -net.force, "action and reaction");
    }
    assert!((world.net_force(ball).unwrap().force.x + 0.5 * 3.0 * G).abs() < 1e-6, "it still slides");
}

#[test]
fn a_plank_on_two_supports_is_held_against_a_load_at_one_end() {
    let (mut world, _) = grounded(WorldSettings::default());
    let support = || Shape::cylinder(0.05, 0.4).unwrap();
    let across = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let mut fixed = |x: f64| {
        let pose = Pose::new(Vec3::new(x, 0.0, 0.5), across).unwrap();
        world.add(BodyBuilder::fixed(support()).at(pose)).unwrap()
    };
    let [left, right] = [-0.8, 0.8].map(&mut fixed);
    let plank = BodyBuilder::free(Shape::cuboid(Vec3::new(2.0, 0.2, 0.1)).unwrap()).mass(4.0);
    let plank = world.add(plank.at(at(0.0, 0.6))).unwrap();
    world.add_load(plank, Load::force(-20.0 * Vec3::Z).at(Vec3::new(0.4, 0.0, 0.0))).unwrap();
    events(&mut world, 20);
    let net = world.net_force(plank).unwrap();
    assert!((net.force - (4.0 * G + 20.0) * Vec3::Z).length() < 1e-6, "{net:?}");
    // The load turns it by -20 N at 0.4 m; the supports turn it back.
    assert!((net.torque - (-20.0 * 0.4) * Vec3::Y).length() < 1e-5, "{net:?}");
    let up = |support: BodyId| -> f64 {
        world.contacts_between(support, plank).unwrap().iter().map(|c| c.force_on(plank).z).sum()
    };
    // By moments about the other support.
    let (of_left, of_right) = (2.0 * G + 20.0 * 0.4 / 1.6, 2.0 * G + 20.0 * 1.2 / 1.6);
    assert!((up(left) - of_left).abs() < 1e-4 && (up(right) - of_right).abs() < 1e-4);
    let contact = world.contacts_between(plank, left).unwrap()[0];
    assert_eq!(contact.force_on(left), -contact.force_on(plank));
    assert_eq!(contact.force_on(right), Vec3::ZERO);
}

#[test]
fn the_force_between_a_tumbling_box_and_its_table_is_all_the_force_on_the_box() {
    let mut parted = 0;
    for throw in 0..8 {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let table = Shape::cuboid(Vec3::new(8.0, 2.0, 0.1)).unwrap();
        let table = world.add(BodyBuilder::fixed(table).at(at(0.0, -0.05))).unwrap();
        // It rolls over its edges, as a die does: it lands on one, and leaves the one that bore it.
        let tilted = Quat::from_rotation_y(0.1 * f64::from(throw)) * Quat::from_rotation_x(0.02);
        let pose = Pose::new(Vec3::new(-3.0, 0.0, 0.16), tilted).unwrap();
        let block = BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.3, 0.2)).unwrap()).mass(2.0).at(pose);
        let thrown = Twist { linear: Vec3::new(2.0, 0.1, 0.0), angular: Vec3::new(0.5, 15.0, 0.3) };
        let block = world.add(block.velocity(thrown)).unwrap();
        for step in 0..200 {
            world.step(5e-3).unwrap();
            let net = world.net_force(block).unwrap().force;
            let of_table = world.force_between(table, block).unwrap();
            assert!((of_table - net).length() <= 1e-12 * net.length(), "step {step}: {of_table} {net}");
            assert_eq!(world.force_between(block, table).unwrap(), -of_table, "action and reaction");
            let contacts = world.contacts_between(table, block).unwrap();
            let at_the_end = contacts.iter().fold(Vec3::ZERO, |sum, contact| sum + contact.force_on(block));
            parted += usize::from((at_the_end - net).length() > 1e-3 * net.length());
        }
    }
    assert!(parted > 0, "no contact parted within a step, so that nothing was tested");
}

#[test]
fn bodies_that_are_not_there_have_no_contacts_or_forces() {
    let (mut world, ground) = grounded(WorldSettings::default());
    let ball = world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).at(at(0.0, 0.1))).unwrap();
    assert_eq!(world.net_force(ball).unwrap(), Default::default());
    world.step(STEP).unwrap();
    assert!(matches!(world.contacts_between(ball, ball), Err(WorldError::SameBody { .. })));
    assert!(matches!(world.force_between(ball, ball), Err(WorldError::SameBody { .. })));
    world.remove(ball).unwrap();
    let gone = WorldError::NoSuchBody { id: ball };
    assert_eq!(world.contacts_between(ground, ball).unwrap_err(), gone);
    assert_eq!(world.force_between(ground, ball).unwrap_err(), gone);
    assert_eq!(world.net_force(ball).unwrap_err(), gone);
    assert_eq!(world.is_asleep(ball).unwrap_err(), gone);
    assert_eq!(world.net_force(ground).unwrap(), Default::default());
}
