//! Compliant methods: bodies may overlap, whatever their shapes, and steps say by how much.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::{Outcome, Settings, Twist};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::response::{Answer, Auto, Guarantee, IslandProblem, Response, Scratch};
use silvia_world::{BodyBuilder, ShortfallKind, StepError, StuckReason, World, WorldSettings};
use std::sync::Arc;

/// A spring at every contact that is closed, and a damper along its normal.
struct Spring {
    /// N/m
    stiffness: f64,
    /// N s/m
    damping: f64,
    /// What is added to every impulse: 0 unless it is to be spoilt.
    spoilt_by: f64,
}

impl Response for Spring {
    fn name(&self) -> &'static str {
        "spring"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Compliant
    }

    fn respond(&self, problem: &IslandProblem<'_>, _: &Settings, _: &mut Scratch, answer: &mut Answer) {
        *answer = Answer::free(problem);
        for (k, contact) in problem.contacts.iter().enumerate() {
            let start = &contact.start;
            if !(start.holds && start.gap < 0.0) {
                continue;
            }
            let velocity = |side: usize| {
                let body = &problem.bodies[contact.bodies[side]];
                body.velocity.linear + body.velocity.angular.cross(start.points[side] - body.centre)
            };
            let rate = (velocity(1) - velocity(0)).dot(start.normal);
            let force = (-self.stiffness * start.gap - self.damping * rate).max(0.0);
            answer.push(problem, k, problem.time_step * force * start.normal);
            answer.impulses[k] += Vec3::splat(self.spoilt_by);
        }
        answer.outcome = Outcome::Solved;
    }
}

fn soft(stiffness: f64, settings: WorldSettings) -> World {
    let spring = Spring { stiffness, damping: 0.02 * stiffness, spoilt_by: 0.0 };
    World::with_response(settings, Arc::new(spring)).unwrap()
}

fn at(z: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap()
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::splat(0.2)).unwrap()
}

#[test]
fn a_cube_and_a_ball_that_start_deep_in_a_block_are_pushed_out_of_it() {
    for (shape, below) in [(cube(), 0.1), (Shape::sphere(0.1).unwrap(), 0.1)] {
        let mut world = soft(2e4, WorldSettings::default());
        let block = Shape::cuboid(Vec3::new(1.0, 1.0, 0.4)).unwrap();
        world.add(BodyBuilder::fixed(block).at(at(-0.2))).unwrap();
        // Three tenths of its height are in the block.
        let body = world.add(BodyBuilder::free(shape).mass(1.0).at(at(below - 0.06))).unwrap();
        let first = world.step(1e-4).unwrap();
        assert!((first.overlap.unwrap().depth - 0.06).abs() < 1e-3, "{:?}", first.overlap);
        for _ in 0..20_000 {
            world.step(1e-4).unwrap();
        }
        let height = world.pose(body).unwrap().translation().z;
        // It rests where the springs bear its weight: less than half a millimetre deep.
        assert!(height > below - 5e-4 && height < below, "{height}");
        let overlap = world.step(1e-4).unwrap().overlap.unwrap();
        assert!((overlap.depth - (below - height)).abs() < 1e-6, "{overlap:?}");
    }
}

#[test]
fn nothing_sleeps_where_overlaps_are_measured() {
    let mut world = soft(2e4, WorldSettings::default().with_sleep_after(5));
    world
        .add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()))
        .unwrap();
    let cube_id = world.add(BodyBuilder::free(cube()).mass(1.0).at(at(0.1))).unwrap();
    let mut last = world.step(1e-3).unwrap();
    for _ in 0..2000 {
        last = world.step(1e-3).unwrap();
    }
    assert_eq!(last.asleep, 0);
    assert!(last.overlap.is_some());
    // A block put into it is noticed at once, and pushes it away.
    let late = world.add(BodyBuilder::fixed(cube()).named("late").at(at(0.25))).unwrap();
    let overlap = world.step(1e-4).unwrap().overlap.unwrap();
    assert!(overlap.bodies.contains(&late) && overlap.depth > 0.03, "{overlap:?}");
    assert!(world.velocity(cube_id).unwrap().linear.z < -0.1);
}

#[test]
fn what_a_compliant_method_leaves_is_refused_by_name_under_a_certified_one() {
    let mut world = soft(1e3, WorldSettings::default());
    world
        .add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()))
        .unwrap();
    world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).mass(1.0).named("ball").at(at(0.09))).unwrap();
    world.step(1e-3).unwrap();
    let overlapping = world.snapshot();
    world.set_response(Arc::new(Auto));
    for _ in 0..2 {
        let refused = world.step(1e-3).unwrap_err();
        assert!(matches!(&refused, StepError::Overlap { b, .. } if b == "ball"), "{refused}");
        world.restore(&overlapping).unwrap();
    }
    world.separate().unwrap();
    assert_eq!(world.step(1e-3).unwrap().overlap, None);
}

#[test]
fn momentum_is_kept_between_free_bodies() {
    let mut world = soft(1e4, WorldSettings::default().with_gravity(Vec3::ZERO));
    let towards = |x: f64| Twist { linear: Vec3::new(x, 0.0, 0.0), angular: Vec3::new(0.0, 0.3, x) };
    for (x, mass) in [(-0.101, 1.0), (0.101, 3.0)] {
        let place = Pose::from_translation(Vec3::new(x, 0.01, 0.02 * mass)).unwrap();
        world.add(BodyBuilder::free(cube()).mass(mass).at(place).velocity(towards(-10.0 * x))).unwrap();
    }
    let (linear, angular) = (world.momentum(), world.angular_momentum(Vec3::ZERO));
    let mut deepest = 0.0_f64;
    for _ in 0..1000 {
        deepest = deepest.max(world.step(1e-4).unwrap().overlap.map_or(0.0, |overlap| overlap.depth));
    }
    assert!(deepest > 1e-3, "they met: {deepest}");
    assert!((world.momentum() - linear).length() < 1e-10);
    // Impulses act where bodies are at the start of a step: angular momentum is kept to first order.
    assert!((world.angular_momentum(Vec3::ZERO) - angular).length() < 1e-3);
}

#[test]
fn forces_that_are_no_numbers_and_answers_of_another_length_are_refused() {
    struct Short;
    impl Response for Short {
        fn name(&self) -> &'static str {
            "short"
        }
        fn guarantee(&self) -> Guarantee {
            Guarantee::NonPenetrating
        }
        fn respond(&self, _: &IslandProblem<'_>, _: &Settings, _: &mut Scratch, answer: &mut Answer) {
            *answer = Answer { outcome: Outcome::Solved, ..Answer::default() };
        }
    }
    let spoilt = Spring { stiffness: 1e3, damping: 0.0, spoilt_by: f64::NAN };
    let methods: [Arc<dyn Response>; 2] = [Arc::new(spoilt), Arc::new(Short)];
    for method in methods {
        let mut world = World::with_response(WorldSettings::default(), method).unwrap();
        let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
        world.add(BodyBuilder::fixed(ground)).unwrap();
        let z = if world.response().guarantee() == Guarantee::Compliant { 0.09 } else { 0.1 };
        world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).at(at(z))).unwrap();
        let before = world.hash();
        match world.response().guarantee() {
            Guarantee::Compliant => {
                let refused = world.step(1e-3).unwrap_err();
                assert!(matches!(refused, StepError::Stuck { .. }), "{refused}");
                assert_eq!(world.hash(), before);
            }
            // Where nothing may overlap, bodies go on without forces, and the report says so.
            _ => {
                let report = world.step(1e-3).unwrap();
                let [shortfall] = &report.shortfalls[..] else { panic!("{:?}", report.shortfalls) };
                assert!(matches!(shortfall.reason, StuckReason::NoForces { .. }), "{shortfall}");
                assert_eq!(shortfall.kind, ShortfallKind::NearestMotion);
            }
        }
    }
}
