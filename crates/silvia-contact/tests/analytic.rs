//! Cases whose answer is known by hand, under every solver that claims them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{coulomb_solvers, law_violation, rigid, to};
use silvia_contact::samples::{
    GRAVITY, TIME_STEP, add_box, add_contact, add_corners, duplicated, grounded, stack,
};
use silvia_contact::solvers::{Auto, Bilateral, Lemke, Proximal};
use silvia_contact::{ContactProblem, Outcome, Solver, System, Twist};
use silvia_solid::Vec3;

/// Weight of 1 kg over a step, in N s.
const WEIGHT: f64 = GRAVITY * TIME_STEP;

fn unit_contact(q: [f64; 3], mu: f64) -> ContactProblem {
    let (at, values) = ([0, 1, 2], [1.0; 3]);
    ContactProblem::from_triplets(&at, &at, &values, q.to_vec(), vec![mu]).unwrap()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= tolerance, "{what}: found {found:?}, expected {expected:?}");
}

/// Sum of the normal impulses of a range of contacts.
fn normal_sum(r: &[f64], contacts: std::ops::Range<usize>) -> f64 {
    contacts.map(|c| r[3 * c]).sum()
}

#[test]
fn one_contact_sticks_slides_or_opens() {
    let cases = [
        ("sticks", [-1.0, 0.25, -0.1], 0.5, [1.0, -0.25, 0.1]),
        ("slides", [-1.0, 3.0, 4.0], 0.5, [1.0, -0.3, -0.4]),
        ("opens", [0.5, 3.0, 4.0], 0.5, [0.0, 0.0, 0.0]),
        ("has no friction", [-2.0, 1.0, 0.0], 0.0, [2.0, 0.0, 0.0]),
        ("sticks under large friction", [-0.1, 3.0, 4.0], 100.0, [0.1, -3.0, -4.0]),
        ("sticks under very large friction", [-1e-3, 3.0, 4.0], 1e6, [1e-3, -3.0, -4.0]),
    ];
    for solver in coulomb_solvers() {
        for (what, q, mu, expected) in cases {
            let report = solver.solve(&unit_contact(q, mu), None, &to(1e-9));
            let label = format!("{} where it {what}", solver.name());
            // De Saxcé's term, mu |u_T|, then dwarfs all else: the methods that solve for all contacts at
            // once may fail, but must say so.
            let may_fail = mu > 1e3 && !["auto", "gauss-seidel"].contains(&solver.name());
            if may_fail && report.outcome != Outcome::Solved {
                continue;
            }
            assert_eq!(report.outcome, Outcome::Solved, "{label}");
            assert_close(&report.r, &expected, 1e-7, &label);
        }
    }
}

#[test]
fn a_sliding_block_on_four_corners_is_braked_by_mu_m_g() {
    let mut system = grounded();
    let at = Vec3::new(0.0, 0.0, 0.25);
    let size = Vec3::new(2.0, 1.0, 0.5);
    let velocity = Twist { linear: Vec3::new(3.0, 4.0, 0.0), angular: Vec3::ZERO };
    let block = add_box(&mut system, 2.0, size, velocity);
    add_corners(&mut system, (0, Vec3::ZERO), (block, at), size, 0.1);
    let assembled = system.assemble().unwrap();
    for solver in coulomb_solvers() {
        let report = solver.solve(assembled.problem(), None, &to(1e-10));
        if solver.name() == "fischer" && report.outcome != Outcome::Solved {
            continue; // Four corners are redundant; plain Fischer-Newton may say so.
        }
        assert_eq!(report.outcome, Outcome::Solved, "{}: {}", solver.name(), report.residual);
        assert_close(&[normal_sum(&report.r, 0..4)], &[2.0 * WEIGHT], 1e-8, solver.name());
        let (velocities, _) = assembled.response(&report.r);
        let slowed = 1.0 - 0.1 * WEIGHT / 5.0;
        let expected = Vec3::new(3.0 * slowed, 4.0 * slowed, 0.0);
        assert!(
            (velocities[block].linear - expected).length() < 1e-7,
            "{}: {:?}",
            solver.name(),
            velocities[block]
        );
    }
}

#[test]
fn a_table_with_an_uneven_load_balances_force_and_moments() {
    // Four legs around a centre of mass that is off by (0.3, -0.1).
    let mut system = grounded();
    let centre = Vec3::new(0.3, -0.1, 1.0);
    let table = add_box(&mut system, 10.0, Vec3::new(2.0, 2.0, 0.2), Twist::default());
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        add_contact(&mut system, 0, Vec3::ZERO, table, centre, Vec3::new(x, y, 0.0), Vec3::Z, 0.6);
    }
    let assembled = system.assemble().unwrap();
    for solver in [Box::new(Auto) as Box<dyn Solver>, Box::new(Proximal)] {
        let report = solver.solve(assembled.problem(), None, &to(1e-10));
        assert_eq!(report.outcome, Outcome::Solved);
        let impulses = assembled.world_impulses(&report.r);
        let total: Vec3 = impulses.iter().copied().sum();
        let moment: Vec3 = system.contacts.iter().zip(&impulses).map(|(c, &i)| rigid(c.b).1.cross(i)).sum();
        assert!((total - Vec3::new(0.0, 0.0, 10.0 * WEIGHT)).length() < 1e-8, "{total}");
        assert!(moment.length() < 1e-8, "{moment}");
    }
}

#[test]
fn every_interface_of_a_stack_carries_what_is_above() {
    for mass_ratio in [1.0, 1e2, 1e4] {
        let boxes = 8;
        let system = stack(boxes, mass_ratio, 0.5);
        let assembled = system.assemble().unwrap();
        let report = Auto.solve(assembled.problem(), None, &to(1e-10));
        assert_eq!(report.outcome, Outcome::Solved, "ratio {mass_ratio}: {}", report.residual);
        for level in 0..boxes {
            let above: f64 = (level..boxes).map(|l| mass_ratio.powf(l as f64 / (boxes - 1) as f64)).sum();
            let carried = normal_sum(&report.r, 4 * level..4 * level + 4);
            assert!(
                (carried / (above * WEIGHT) - 1.0).abs() < 1e-5,
                "ratio {mass_ratio}, level {level}: {carried}"
            );
        }
        let (velocities, _) = assembled.response(&report.r);
        assert!(velocities.iter().all(|v| v.linear.length() < 1e-6), "nothing sinks or drifts");
    }
}

#[test]
fn copies_of_contacts_change_nothing_but_who_carries_what() {
    let single = stack(3, 10.0, 0.3);
    let reference = single.assemble().unwrap();
    let expected = reference.response(&Auto.solve(reference.problem(), None, &to(1e-10)).r).0;
    for copies in [2, 4, 8, 16] {
        let system = duplicated(&single, copies);
        let assembled = system.assemble().unwrap();
        for solver in [Box::new(Auto) as Box<dyn Solver>, Box::new(Proximal)] {
            let report = solver.solve(assembled.problem(), None, &to(1e-10));
            assert_eq!(report.outcome, Outcome::Solved, "{copies} copies by {}", solver.name());
            assert!(law_violation(assembled.problem(), &report.r) < 1e-8);
            for (found, expected) in assembled.response(&report.r).0.iter().zip(&expected) {
                assert!((found.linear - expected.linear).length() < 1e-8);
            }
        }
    }
}

#[test]
fn frictionless_solvers_agree_on_a_stack() {
    let system = stack(4, 5.0, 0.0);
    let assembled = system.assemble().unwrap();
    let solvers: [Box<dyn Solver>; 3] = [Box::new(Lemke::default()), Box::new(Bilateral), Box::new(Auto)];
    for solver in solvers {
        let report = solver.solve(assembled.problem(), None, &to(1e-9));
        assert_eq!(report.outcome, Outcome::Solved, "{} {}", solver.name(), report.residual);
        assert!(law_violation(assembled.problem(), &report.r) < 1e-7, "{}", solver.name());
    }
}

#[test]
fn lemke_with_many_facets_nears_the_cone() {
    let problem = unit_contact([-1.0, 3.0, 4.0], 0.5);
    let mut last = f64::INFINITY;
    for facets in [4, 8, 32] {
        let report = Lemke::new(facets).solve(&problem, None, &to(1e-10));
        assert_eq!(report.outcome, Outcome::Solved);
        let miss = (report.r[1] + 0.3).hypot(report.r[2] + 0.4);
        assert!(miss <= last + 1e-12, "{facets} facets miss by {miss}");
        last = miss;
    }
    assert!(last < 0.05);
}

#[test]
fn an_impossible_push_is_reported_not_answered() {
    // The contact closes but nothing can move: W is zero.
    let problem = ContactProblem::from_triplets(&[], &[], &[], vec![-1.0, 0.0, 0.0], vec![0.5]).unwrap();
    for solver in coulomb_solvers() {
        let report = solver.solve(&problem, None, &to(1e-8));
        assert_ne!(report.outcome, Outcome::Solved, "{}", solver.name());
        assert!(report.r.iter().all(|v| v.is_finite()), "{}", solver.name());
    }
    assert_eq!(Auto.solve(&problem, None, &to(1e-8)).outcome, Outcome::NoSolution);
    let frictionless = ContactProblem::from_triplets(&[], &[], &[], vec![-1.0, 0.0, 0.0], vec![0.0]).unwrap();
    assert_eq!(Lemke::default().solve(&frictionless, None, &to(1e-8)).outcome, Outcome::NoSolution);
}

#[test]
fn restitution_returns_the_approach_speed_and_a_gap_may_be_closed() {
    let mut system = grounded();
    let falling = Twist { linear: Vec3::new(0.0, 0.0, -2.0), angular: Vec3::ZERO };
    let ball = add_box(&mut system, 1.0, Vec3::ONE, falling);
    add_contact(&mut system, 0, Vec3::ZERO, ball, Vec3::Z * 0.5, Vec3::ZERO, Vec3::Z, 0.0);
    let speed_after = |restitution: f64, gap: f64| {
        let mut changed: System = system.clone();
        changed.contacts[0].restitution = restitution;
        changed.contacts[0].gap = gap;
        let assembled = changed.assemble().unwrap();
        let report = Auto.solve(assembled.problem(), None, &to(1e-12));
        assembled.response(&report.r).0[ball].linear.z
    };
    assert!((speed_after(0.5, 0.0) - 1.0).abs() < 1e-9);
    assert!(speed_after(0.0, 0.0).abs() < 1e-9);
    // A gap of 1 cm over a step of 10 ms allows 1 m/s of approach.
    assert!((speed_after(0.5, 0.01) + 1.0).abs() < 1e-9);
}

#[test]
fn no_contacts_is_a_solved_problem() {
    let problem = ContactProblem::from_triplets(&[], &[], &[], Vec::new(), Vec::new()).unwrap();
    for name in silvia_contact::solvers::NAMES {
        let report = silvia_contact::solvers::by_name(name).unwrap().solve(&problem, None, &to(1e-8));
        assert_eq!((report.outcome, report.r.len()), (Outcome::Solved, 0), "{name}");
    }
}
