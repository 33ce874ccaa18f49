//! Mechanisms too large for exact elimination, solved over bodies, against the elimination itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::to;
use proptest::prelude::*;
use seeded::Random;
use silvia_contact::samples::{GRAVITY, TIME_STEP, add_box, grounded};
use silvia_contact::solvers::Auto;
use silvia_contact::{
    Attachment, ConstraintRow, Contact, Node, Outcome, RowLaw, Solver, System, SystemError, SystemReport,
    SystemSolver, Twist, solve_system,
};
use silvia_solid::Vec3;

fn touching(a: Attachment, b: Attachment, normal: Vec3, friction: f64) -> Contact {
    Contact { a, b, normal, gap: 0.0, friction, restitution: 0.0, slip: Vec3::ZERO }
}

/// A chain of bars of 1 m, joined end to end along x; every second one has a foot on the ground at its
/// middle. The first bar is held where `is_held`, and each gets a velocity of its own.
fn chain(bars: usize, is_held: bool, friction: f64, seed: u64) -> System {
    let mut random = Random::new(seed);
    let mut system = grounded();
    let half = Vec3::new(0.5, 0.0, 0.0);
    for k in 0..bars {
        let velocity = Twist { linear: 0.1 * random.vector(1.0), angular: 0.1 * random.vector(1.0) };
        let node = add_box(&mut system, 1.0 + random.unit(), Vec3::new(1.0, 0.1, 0.1), velocity);
        let middle = Vec3::new(k as f64, 0.0, 0.05);
        let left = Attachment::rigid(node, -half);
        if k > 0 {
            system.rows.extend(ConstraintRow::ball(Attachment::rigid(node - 1, half), left));
        } else if is_held {
            system.rows.extend(ConstraintRow::ball(Attachment::rigid(0, middle - half), left));
        }
        if k % 2 == 0 {
            let down = Vec3::new(0.0, 0.0, -0.05);
            let floor = Attachment::rigid(0, middle + down);
            system.contacts.push(touching(floor, Attachment::rigid(node, down), Vec3::Z, friction));
        }
    }
    system
}

/// A net of particles of 10 g, held at its corners: neighbours may come nearer but not part, as by threads. A
/// ball of 1 kg falls on a triangle of it.
fn net(side: usize) -> System {
    let mut system = System { time_step: TIME_STEP, ..System::default() };
    let fall = Vec3::new(0.0, 0.0, -GRAVITY * TIME_STEP);
    let at = |k: usize| Vec3::new((k % side) as f64, (k / side) as f64, 0.0);
    for k in 0..side * side {
        let is_corner = [0, side - 1].contains(&(k % side)) && [0, side - 1].contains(&(k / side));
        let held = Node::immovable(Twist::default());
        system.nodes.push(if is_corner { held } else { Node::point(0.01, Vec3::ZERO, fall) });
    }
    for k in 0..side * side {
        let right = (k % side + 1 < side).then_some(k + 1);
        let up = (k / side + 1 < side).then_some(k + side);
        for other in right.into_iter().chain(up) {
            // The net hangs through a little, so that threads pull upwards too.
            let hang = Vec3::new(0.0, 0.0, 0.02 * (k % 3) as f64 - 0.01 * (other % 5) as f64);
            let direction = (at(k) - at(other) + hang).normalize();
            let [a, b] = [other, k].map(|node| match system.nodes[node].is_movable() {
                true => Attachment::point(node),
                false => Attachment::rigid(node, Vec3::ZERO),
            });
            // The distance may not grow: minus its rate is not negative.
            system.rows.push(ConstraintRow::along(b, a, direction, RowLaw::Limit { bound: 0.0 }));
        }
    }
    let ball = add_box(&mut system, 1.0, Vec3::splat(0.5), Twist { linear: -Vec3::Z, angular: Vec3::ZERO });
    let middle = side * (side / 2) + side / 2;
    let carried = Attachment::carried([middle, middle + 1, middle + side], [0.4, 0.35, 0.25]);
    let foot = Attachment::rigid(ball, Vec3::new(0.05, 0.1, -0.25));
    system.contacts.push(touching(carried, foot, Vec3::Z, 0.4));
    system
}

/// A ring of bars joined by hinges: a closed loop, whose rows repeat each other, on feet.
fn ring(bars: usize) -> System {
    let mut system = grounded();
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / bars as f64;
    let corner = |k: usize| 3.0 * Vec3::new(angle(k).cos(), angle(k).sin(), 0.0);
    let centre = |k: usize| 0.5 * (corner(k) + corner(k + 1));
    for _ in 0..bars {
        add_box(&mut system, 1.0, Vec3::splat(0.5), Twist::default());
    }
    for k in 0..bars {
        let (this, next) = (1 + k, 1 + (k + 1) % bars);
        let joint = corner(k + 1);
        let a = Attachment::rigid(this, joint - centre(k));
        let b = Attachment::rigid(next, joint - centre((k + 1) % bars));
        system.rows.extend(ConstraintRow::ball(a, b));
        for axis in [Vec3::X, Vec3::Y] {
            system.rows.push(ConstraintRow::no_rotation(this, next, axis));
        }
        let foot = Attachment::rigid(this, Vec3::new(0.0, 0.0, -0.25));
        system.contacts.push(touching(Attachment::rigid(0, centre(k)), foot, Vec3::Z, 0.5));
    }
    system
}

fn far(a: &[Twist], b: &[Twist]) -> f64 {
    let away =
        |(a, b): (&Twist, &Twist)| (a.linear - b.linear).length().max((a.angular - b.angular).length());
    a.iter().zip(b).map(away).fold(0.0, f64::max)
}

/// Solves over bodies and by elimination, and compares velocities; both must say that it is solved.
#[track_caller]
fn assert_agrees(system: &System, tolerance: f64) -> SystemReport {
    let report = solve_system(system, &[], 0.0, &to(1e-10)).unwrap();
    assert_eq!(report.outcome, Outcome::Solved, "{} {:?}", report.residual, report.notes);
    assert!(report.notes.is_empty(), "over bodies, not by the fallback: {:?}", report.notes);
    let assembled = system.assemble().unwrap().measured_in_velocities();
    let expected = Auto.solve(assembled.problem(), None, &to(1e-10));
    assert_eq!(expected.outcome, Outcome::Solved);
    let (velocities, _) = assembled.response(&expected.r);
    let away = far(&report.velocities, &velocities);
    assert!(away < tolerance, "{away} after {} iterations", report.iterations);
    report
}

#[test]
fn long_chains_on_the_ground_move_as_elimination_says() {
    for (bars, is_held, friction, seed) in [(40, true, 0.0, 1), (40, false, 0.5, 2), (60, true, 0.8, 3)] {
        let system = chain(bars, is_held, friction, seed);
        let report = assert_agrees(&system, 1e-6);
        // Joints hold to the tolerance.
        for row in system.rows.chunks_exact(3) {
            let velocity = |at: Attachment| match at {
                Attachment::Rigid { node, arm } => {
                    report.velocities[node].linear + report.velocities[node].angular.cross(arm)
                }
                other => panic!("{other:?}"),
            };
            let parts = velocity(row[0].b.unwrap().at) - velocity(row[0].a.at);
            assert!(parts.length() < 1e-7, "{parts}");
        }
    }
}

#[test]
fn a_net_of_threads_catches_a_ball() {
    let system = net(8);
    let report = assert_agrees(&system, 1e-5);
    assert!(report.row_impulses.iter().all(|&i| i >= -1e-9), "threads pull, they do not push");
    assert!(report.impulses[0].z > 0.0);
}

#[test]
fn a_closed_ring_of_hinges_stands_on_its_feet() {
    let system = ring(20);
    let report = assert_agrees(&system, 1e-6);
    let carried: f64 = report.impulses.iter().map(|i| i.z).sum();
    assert!((carried - 20.0 * GRAVITY * TIME_STEP).abs() < 1e-7, "{carried}");
}

#[test]
fn quick_answers_and_threads_work_on_mechanisms_too() {
    let system = chain(40, true, 0.5, 7);
    let exact = solve_system(&system, &[], 0.0, &to(1e-10)).unwrap();
    let slack = vec![1e-4; system.contacts.len()];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| SystemSolver::default().sweep(&system, &[], &slack, 50).unwrap().clone())
    };
    let quick = on(1);
    assert_eq!(quick.outcome, Outcome::Solved);
    let away = far(&quick.velocities, &exact.velocities);
    assert!(away < 1e-4, "{away}");
    assert_eq!(quick, on(2));
    assert_eq!(quick, on(4));
}

#[test]
fn an_answer_is_a_start_from_which_nothing_is_left_to_do_but_joints() {
    let system = chain(40, false, 0.5, 5);
    let mut solver = SystemSolver::default();
    let cold = solver.solve(&system, &[], 0.0, &to(1e-9)).unwrap().clone();
    let warm = solver.solve(&system, &cold.impulses, 0.0, &to(1e-9)).unwrap();
    assert_eq!(warm.outcome, Outcome::Solved);
    assert!(warm.iterations <= cold.iterations, "{} {}", warm.iterations, cold.iterations);
    assert!(far(&warm.velocities, &cold.velocities) < 1e-6);
}

#[test]
fn large_mechanisms_that_contradict_themselves_are_refused() {
    let mut system = chain(40, true, 0.5, 9);
    let mut other = system.rows[60];
    other.law = RowLaw::Bilateral { target: 1.0 };
    system.rows.push(other);
    let error = solve_system(&system, &[], 0.0, &to(1e-9)).unwrap_err();
    assert!(matches!(error, SystemError::ContradictoryRows { row: 0, .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn chains_of_any_length_and_friction_move_as_elimination_says(
        bars in 25..70_usize, is_held: bool, friction in 0.0..1.0_f64, seed: u64,
    ) {
        assert_agrees(&chain(bars, is_held, friction, seed), 1e-5);
    }
}
