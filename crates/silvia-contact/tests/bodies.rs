//! Systems solved over bodies, against the law itself and the way over contacts.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{rigid, velocity_at};
use proptest::prelude::*;
use silvia_contact::solvers::Auto;
use silvia_contact::{
    Attachment, Contact, Node, Outcome, Settings, Solver, System, SystemSolver, Twist, residual, solve_system,
};
use silvia_solid::{Mat3, Vec3};

/// Boxes of 0.2 m on each other, each on four corners, pushed sideways.
fn stack(masses: &[f64], friction: f64, push: f64) -> System {
    let twist = |linear: Vec3| Twist { linear, angular: Vec3::ZERO };
    let mut system = System { time_step: 1e-2, ..System::default() };
    system.nodes.push(Node::immovable(twist(Vec3::ZERO)));
    for &mass in masses {
        let inertia = Mat3::from_diagonal(Vec3::splat(mass * 0.04 / 6.0));
        let free = twist(Vec3::new(push, 0.0, -0.0981));
        system.nodes.push(Node::rigid(mass, inertia, twist(Vec3::ZERO), free));
    }
    for level in 0..masses.len() {
        for corner in 0..4_u64 {
            let aside =
                Vec3::new(if corner % 2 == 0 { -0.1 } else { 0.1 }, if corner < 2 { -0.1 } else { 0.1 }, 0.0);
            system.contacts.push(Contact {
                a: Attachment::rigid(level, if level == 0 { aside } else { aside + 0.1 * Vec3::Z }),
                b: Attachment::rigid(level + 1, aside - 0.1 * Vec3::Z),
                normal: Vec3::Z,
                gap: 0.0,
                friction,
                restitution: 0.0,
                slip: Vec3::ZERO,
            });
        }
    }
    system
}

/// The same contact between nodes with greater numbers.
fn shifted(c: &Contact, by: usize) -> Contact {
    let [a, b] = [c.a, c.b].map(|at| {
        let (node, arm) = rigid(at);
        Attachment::rigid(node + by, arm)
    });
    Contact { a, b, ..*c }
}

/// The residual of impulses by the measure that all solvers share.
fn left(system: &System, impulses: &[Vec3]) -> f64 {
    let assembled = system.assemble().unwrap().measured_in_velocities();
    residual(assembled.problem(), &assembled.local_impulses(impulses))
}

#[test]
fn a_stack_bears_what_is_above_and_stands() {
    let system = stack(&[1.0; 10], 0.5, 0.0);
    let settings = Settings { tolerance: 1e-11, ..Settings::default() };
    let found = solve_system(&system, &[Vec3::ZERO; 40], 0.0, &settings).unwrap();
    assert_eq!(found.outcome, Outcome::Solved);
    for level in 0..10 {
        let sum: f64 = found.impulses[4 * level..4 * level + 4].iter().map(|i| i.z).sum();
        assert!((sum - (10 - level) as f64 * 0.0981).abs() < 1e-9, "level {level}: {sum}");
    }
    assert!(found.velocities.iter().all(|v| v.linear.length() < 1e-9 && v.angular.length() < 1e-8));
    // Near the answer one round gets what digits there are; from there nothing is left to do.
    let nearer = solve_system(&system, &found.impulses, 0.0, &settings).unwrap();
    assert!(nearer.iterations <= 1 && nearer.residual < 1e-12, "{nearer:?}");
    let again = solve_system(&system, &nearer.impulses, 0.0, &settings).unwrap();
    assert_eq!((again.iterations, again.outcome), (0, Outcome::Solved));
    assert_eq!(again.impulses, nearer.impulses);
}

#[test]
fn groups_that_do_not_touch_are_solved_as_if_alone() {
    let one = stack(&[1.0, 3.0], 0.3, 0.2);
    let settings = Settings { tolerance: 1e-11, ..Settings::default() };
    let alone = solve_system(&one, &[Vec3::ZERO; 8], 0.0, &settings).unwrap();
    let mut both = one.clone();
    both.nodes.extend(one.nodes.iter().copied());
    for c in &one.contacts {
        both.contacts.push(shifted(c, 3));
    }
    let found = solve_system(&both, &[Vec3::ZERO; 16], 0.0, &settings).unwrap();
    for at in 0..3 {
        for twin in [at, at + 3] {
            assert!((found.velocities[twin].linear - alone.velocities[at].linear).length() < 1e-9);
        }
    }
}

#[test]
fn bad_systems_are_refused() {
    let mut system = stack(&[1.0], 0.5, 0.0);
    system.contacts[2].gap = f64::NAN;
    assert!(solve_system(&system, &[Vec3::ZERO; 4], 0.0, &Settings::default()).is_err());
}

/// Multipliers end at a residual of 3e-7 here: the fallback over contacts has to take over.
#[test]
fn a_stack_of_unequal_masses_that_is_pushed_aside_is_solved() {
    let masses = [6.627288245683757, 8.254369897274529, 1.1291642421272938, 0.44880443605805914]
        .into_iter()
        .chain([7.975025964270403, 0.4120989711507574, 7.568564023669363])
        .collect::<Vec<f64>>();
    let system = stack(&masses, 0.2836400424052192, 0.06714828456863578);
    let settings = Settings { tolerance: 1e-10, ..Settings::default() };
    let found = solve_system(&system, &vec![Vec3::ZERO; 4 * masses.len()], 0.0, &settings).unwrap();
    assert!(found.residual <= 1e-8, "{found:?}");
    assert!(left(&system, &found.impulses) <= 2e-8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn answers_obey_the_law_by_the_common_measure(
        masses in prop::collection::vec(0.1..10.0_f64, 1..8),
        friction in prop_oneof![Just(0.0), 0.05..1.2_f64],
        push in -0.3..0.3_f64,
    ) {
        let system = stack(&masses, friction, push);
        let settings = Settings { tolerance: 1e-10, ..Settings::default() };
        let found = solve_system(&system, &vec![Vec3::ZERO; 4 * masses.len()], 0.0, &settings).unwrap();
        prop_assert!(found.residual <= 1e-8, "{found:?}");
        prop_assert!(left(&system, &found.impulses) <= 2e-8);
        // Velocities are those that the impulses lead to.
        let assembled = system.assemble().unwrap();
        let (velocities, _) = assembled.response(&assembled.local_impulses(&found.impulses));
        for (a, b) in velocities.iter().zip(&found.velocities) {
            prop_assert!((a.linear - b.linear).length() < 1e-9 && (a.angular - b.angular).length() < 1e-9);
        }
    }
}

/// What is asked of sweeps: impulses within their cones, and no contact that closes faster than allowed.
#[track_caller]
fn assert_swept(system: &System, slack: &[f64], most: usize) -> f64 {
    let mut solver = SystemSolver::default();
    let start = vec![Vec3::ZERO; system.contacts.len()];
    let found = solver.sweep(system, &start, slack, most).unwrap();
    assert_eq!(found.outcome, Outcome::Solved);
    for ((contact, impulse), closing) in system.contacts.iter().zip(&found.impulses).zip(slack) {
        let normal = impulse.dot(contact.normal);
        let tangent = (*impulse - normal * contact.normal).length();
        assert!(normal >= 0.0 && tangent <= contact.friction * normal * (1.0 + 1e-9) + 1e-15, "{impulse}");
        let [at_a, at_b] = [contact.a, contact.b].map(|at| velocity_at(at, &found.velocities));
        let opens = (at_b - at_a).dot(contact.normal);
        assert!(opens >= -closing * (1.0 + 1e-9) - 1e-12, "closes at {opens} m/s");
    }
    found.residual
}

#[test]
fn sweeps_stop_what_closes_and_stay_within_the_cones() {
    // Few contacts are solved as exactly as ever; more are swept.
    assert!(assert_swept(&stack(&[1.0; 4], 0.5, 0.02), &[1e-4; 16], 50) <= 1e-6);
    assert!(assert_swept(&stack(&[1.0; 30], 0.5, 0.02), &[1e-3; 120], 4000) <= 2e-2);
    // Too few sweeps for so high a stack: the way that costs more.
    assert!(assert_swept(&stack(&[1.0; 40], 0.5, 0.02), &[1e-4; 160], 4) <= 2e-2);
}

/// What is put on a stack is felt at its foot, and comes back: hundreds of levels take tens of thousands of
/// sweeps.
#[test]
fn sweeps_that_would_take_too_long_end_soon() {
    let system = stack(&[1.0; 200], 0.5, 0.0);
    let (start, slack) = (vec![Vec3::ZERO; system.contacts.len()], vec![1e-7; system.contacts.len()]);
    let mut solver = SystemSolver::default();
    let found = solver.sweep(&system, &start, &slack, 5000).unwrap();
    assert_eq!(found.outcome, Outcome::Solved);
    assert!(found.iterations < 1000, "{}", found.iterations);
}

#[test]
fn each_contact_closes_no_faster_than_it_may_itself() {
    let slack: Vec<f64> = (0..40).map(|k| if k % 7 == 0 { 1e-5 } else { 1e-4 }).collect();
    for most in [1, 10, 4000] {
        assert_swept(&stack(&[1.0; 10], 0.5, 0.02), &slack, most);
    }
}

#[test]
fn sweeps_give_the_same_bits_on_any_number_of_threads() {
    let mut system = stack(&[1.0; 30], 0.5, 0.05);
    let (nodes, contacts) = (system.nodes.clone(), system.contacts.clone());
    system.nodes.extend(nodes);
    system.contacts.extend(contacts.iter().map(|c| shifted(c, 31)));
    let start = vec![Vec3::ZERO; system.contacts.len()];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            SystemSolver::default().sweep(&system, &start, &vec![1e-3; start.len()], 30).unwrap().clone()
        })
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(4));
}

/// Impulses of an answer make of free velocities what it says, whichever way found them.
#[test]
fn impulses_and_velocities_of_an_answer_belong_together() {
    let masses: Vec<f64> = (0..12).map(|level| if level % 3 == 2 { 1000.0 } else { 1.0 }).collect();
    let free = Vec3::new(0.02, 0.0, -0.0981);
    let system = stack(&masses, 0.3, free.x);
    let off = |velocities: &[Twist], impulses: &[Vec3]| {
        let of_node = |node: usize| {
            let on_it = |(c, &impulse): (&Contact, &Vec3)| match [rigid(c.a).0, rigid(c.b).0] {
                [a, _] if a == node => -impulse,
                [_, b] if b == node => impulse,
                _ => Vec3::ZERO,
            };
            let sum: Vec3 = system.contacts.iter().zip(impulses).map(on_it).sum();
            (free + sum / masses[node - 1] - velocities[node].linear).length()
        };
        (1..=masses.len()).map(of_node).fold(0.0, f64::max)
    };
    let mut solver = SystemSolver::default();
    for (slack, most) in [1e-2, 1e-5, 1e-9].into_iter().flat_map(|s| [1, 4, 20, 200].map(|m| (s, m))) {
        let mut start = vec![Vec3::ZERO; system.contacts.len()];
        for round in 0..3 {
            let slacks = vec![slack; start.len()];
            let swept = solver.sweep(&system, &start, &slacks, most).unwrap();
            let far = off(&swept.velocities, &swept.impulses);
            assert!(far < 1e-9, "slack {slack}, {most} sweeps, round {round}: {far} m/s");
            start.clone_from(&swept.impulses);
        }
        let solved = solve_system(&system, &start, 0.0, &Settings::default()).unwrap();
        assert!(off(&solved.velocities, &solved.impulses) < 1e-9);
    }
}

/// Friction acts against the slip at the end and that besides, along their sum and of full size.
#[test]
fn friction_acts_against_the_sum_of_slips() {
    let start = Vec3::new(0.3, -0.4, 0.0);
    let falls = Twist { linear: start - 0.1 * Vec3::Z, angular: Vec3::ZERO };
    let nodes = vec![Node::immovable(Twist::default()), Node::point(2.0, start, falls.linear)];
    let besides = Vec3::new(0.5, 0.5, 7.0);
    let contact = Contact {
        a: Attachment::rigid(0, Vec3::ZERO),
        b: Attachment::point(1),
        normal: Vec3::Z,
        gap: 0.0,
        friction: 0.5,
        restitution: 0.0,
        slip: besides,
    };
    let system = System { nodes, contacts: vec![contact], time_step: 1e-2, ..System::default() };
    let settings = Settings { tolerance: 1e-12, ..Settings::default() };
    let report = solve_system(&system, &[], 0.0, &settings).unwrap();
    let (velocity, impulse) = (report.velocities[1].linear, report.impulses[0]);
    let slip = (velocity + besides).with_z(0.0);
    // It bears 2 kg at 0.1 m/s.
    assert!((impulse.z - 0.2).abs() < 1e-9, "{impulse}");
    let should = -0.5 * 0.2 * slip.normalize();
    assert!(impulse.with_z(0.0).distance(should) < 1e-8, "{impulse} against {slip}");
    // By the matrix over contacts, too.
    let assembled = system.assemble().unwrap();
    let solved = Auto.solve(assembled.problem(), None, &settings);
    let same = assembled.world_impulses(&solved.r)[0];
    assert!(same.distance(impulse) < 1e-8, "{same}, {impulse}");
}
