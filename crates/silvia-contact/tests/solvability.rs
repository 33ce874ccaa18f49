//! No solver denies a solution that exists, and those that can prove that there is none do so soon.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{coulomb_solvers, law_violation, to};
use silvia_contact::samples::{add_box, add_contact, grounded};
use silvia_contact::solvers::{Auto, GaussSeidel, Lemke, NAMES, Proximal, by_name};
use silvia_contact::{ContactProblem, Node, Outcome, Solver, Twist};
use silvia_solid::Vec3;

fn denies(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::NoSolution | Outcome::Unbounded)
}

#[test]
fn a_heavy_normal_beside_light_tangents_is_solved() {
    for mu in [0.0, 0.5] {
        let at = [0, 1, 2];
        let values = [1e-12, 1.0, 1.0];
        let problem =
            ContactProblem::from_triplets(&at, &at, &values, vec![-1.0, 0.0, 0.0], vec![mu]).unwrap();
        for solver in [Box::new(Lemke::default()) as Box<dyn Solver>, Box::new(Auto), Box::new(GaussSeidel)] {
            let report = solver.solve(&problem, None, &to(1e-8));
            assert_eq!(report.outcome, Outcome::Solved, "{} with friction {mu}", solver.name());
            assert!((report.r[0] * 1e-12 - 1.0).abs() < 1e-7, "{}: {:?}", solver.name(), report.r);
        }
    }
}

#[test]
fn contacts_that_answer_only_together_are_solved() {
    // Normals act on each other alone: r_N = (1, 1) stops both.
    let (rows, columns) = ([0, 3, 1, 2, 4, 5], [3, 0, 1, 2, 4, 5]);
    let q = vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    let problem = ContactProblem::from_triplets(&rows, &columns, &[1.0; 6], q, vec![0.3; 2]).unwrap();
    for name in NAMES {
        let report = by_name(name).unwrap().solve(&problem, None, &to(1e-8));
        assert!(!denies(report.outcome), "{name} denies a solution: {:?}", report.outcome);
    }
    let report = Auto.solve(&problem, None, &to(1e-8));
    assert_eq!(report.outcome, Outcome::Solved, "{}", report.residual);
    assert!(law_violation(&problem, &report.r) < 1e-7);
}

/// A row of bodies between two walls; the walls close in at 1 m/s each, or move apart.
fn squeezed(bodies: usize, closing: bool, friction: f64) -> ContactProblem {
    let mut system = grounded();
    let speed = if closing { 1.0 } else { -1.0 };
    let moving = |linear| Node::immovable(Twist { linear, angular: Vec3::ZERO });
    system.nodes[0] = moving(speed * Vec3::X);
    for _ in 0..bodies {
        add_box(&mut system, 1.0, Vec3::ONE, Twist::default());
    }
    system.nodes.push(moving(-speed * Vec3::X));
    for body in 0..=bodies {
        let x = body as f64;
        for z in [-0.3, 0.4] {
            let point = Vec3::new(x - 0.5, 0.1, z);
            let (a, b) = (Vec3::X * (x - 1.0), Vec3::X * x);
            add_contact(&mut system, body, a, body + 1, b, point, Vec3::X, friction);
        }
    }
    system.assemble().unwrap().problem().clone()
}

#[test]
fn a_body_squeezed_between_closing_walls_is_proven_to_have_no_way_out() {
    for (bodies, friction) in [(1, 0.0), (1, 0.4), (3, 0.4)] {
        let problem = squeezed(bodies, true, friction);
        for name in NAMES {
            let report = by_name(name).unwrap().solve(&problem, None, &to(1e-8));
            assert_ne!(report.outcome, Outcome::Solved, "{name} with {bodies} bodies");
        }
        for solver in [Box::new(Auto) as Box<dyn Solver>, Box::new(GaussSeidel), Box::new(Proximal)] {
            let report = solver.solve(&problem, None, &to(1e-8));
            let name = solver.name();
            if name == "gauss-seidel" && friction > 0.0 {
                continue; // Its impulses grow along friction too, which proves nothing.
            }
            assert!(
                denies(report.outcome),
                "{name} with {bodies}, friction {friction}: {:?}",
                report.outcome
            );
            assert!(report.iterations < 3000, "{name} took {} iterations", report.iterations);
        }
        let apart = squeezed(bodies, false, friction);
        assert_eq!(Auto.solve(&apart, None, &to(1e-8)).outcome, Outcome::Solved);
    }
    let frictionless = squeezed(1, true, 0.0);
    assert_eq!(Lemke::default().solve(&frictionless, None, &to(1e-8)).outcome, Outcome::NoSolution);
}

#[test]
fn a_wedge_that_lets_the_body_escape_is_not_denied() {
    // Two contacts whose normals are nearly opposite: W_NN = [[1, -c], [-c, 1]].
    for angle in [0.1_f64, 0.01] {
        let c = angle.cos();
        let (rows, columns) = ([0, 0, 3, 3, 1, 2, 4, 5], [0, 3, 0, 3, 1, 2, 4, 5]);
        let values = [1.0, -c, -c, 1.0, 1.0, 1.0, 1.0, 1.0];
        let q = vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
        let problem = ContactProblem::from_triplets(&rows, &columns, &values, q, vec![0.0; 2]).unwrap();
        for solver in coulomb_solvers() {
            let report = solver.solve(&problem, None, &to(1e-8));
            assert!(!denies(report.outcome), "{}: {:?}", solver.name(), report.outcome);
        }
        let report = Auto.solve(&problem, None, &to(1e-8));
        assert_eq!(report.outcome, Outcome::Solved);
        assert!((report.r[0] * (1.0 - c) - 1.0).abs() < 1e-4, "{:?}", report.r);
    }
}
