//! What `auto` chooses, and what it says of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{beside, law_violation, to};
use seeded::Random;
use silvia_contact::samples::{Pile, pile};
use silvia_contact::solvers::Auto;
use silvia_contact::{ContactProblem, Outcome, Report, Settings, Solver, residual};

/// Contacts whose normals couple like springs in a row: full rank, but so slow for sweeps.
fn row(contacts: usize, mu: f64) -> ContactProblem {
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |row: usize, column: usize, value: f64| {
        rows.push(row);
        columns.push(column);
        values.push(value);
    };
    for c in 0..contacts {
        add(3 * c, 3 * c, 2.0);
        add(3 * c + 1, 3 * c + 1, 1.0);
        add(3 * c + 2, 3 * c + 2, 1.0);
        if c > 0 {
            add(3 * c, 3 * c - 3, -1.0);
            add(3 * c - 3, 3 * c, -1.0);
        }
    }
    let q = (0..3 * contacts).map(|at| if at % 3 == 0 { -1.0 } else { 0.1 }).collect();
    ContactProblem::from_triplets(&rows, &columns, &values, q, vec![mu; contacts]).unwrap()
}

fn said(report: &Report, what: &str) -> bool {
    report.notes.iter().any(|note| note.contains(what))
}

#[test]
fn the_method_that_answered_is_named() {
    let quick = Auto.solve(&row(1, 0.5), None, &to(1e-8));
    assert!(said(&quick, "answered by gauss-seidel"), "{:?}", quick.notes);
    // Full rank and few contacts: plain Newton. Too many for the rank to be found: proximal.
    let full_rank = Auto.solve(&row(25, 0.5), None, &to(1e-8));
    assert_eq!(full_rank.outcome, Outcome::Solved);
    assert!(said(&full_rank, "answered by fischer"), "{:?}", full_rank.notes);
    assert!(law_violation(&row(25, 0.5), &full_rank.r) < 1e-6);
    let large = Auto.solve(&row(60, 0.5), None, &to(1e-8));
    assert!(said(&large, "answered by proximal"), "{:?}", large.notes);
    // A loose tolerance needs no Newton method.
    let loose = Auto.solve(&row(25, 0.5), None, &to(0.3));
    assert!(said(&loose, "answered by gauss-seidel"), "{:?}", loose.notes);
}

#[test]
fn redundant_contacts_get_the_proximal_method() {
    let stones = Pile { side: 2, layers: 3, points: 3, friction: 0.3, mass_ratio: 1e4, agitation: 0.3 };
    let mut random = Random::new(1);
    let problem = pile(&stones, || random.unit()).assemble().unwrap().problem().clone();
    let report = Auto.solve(&problem, None, &to(1e-9));
    assert_eq!(report.outcome, Outcome::Solved);
    assert!(said(&report, "proximal"), "{:?}", report.notes);
}

#[test]
fn the_worst_island_is_the_outcome_of_the_whole() {
    // A contact that closes slowly, at 1e-10 of the others' speed, and that nothing can push.
    let crushed = ContactProblem::from_triplets(&[], &[], &[], vec![-1e-10, 0.0, 0.0], vec![0.5]).unwrap();
    for parts in [[crushed.clone(), row(25, 0.5)], [row(25, 0.5), crushed]] {
        let none = Auto.solve(&beside(&parts), None, &to(1e-14));
        assert_eq!(none.outcome, Outcome::NoSolution);
        // Out of iterations elsewhere is not worse than no solution here.
        let few = Settings { max_iterations: Some(3), ..to(1e-14) };
        assert_eq!(Auto.solve(&beside(&parts), None, &few).outcome, Outcome::NoSolution);
    }
    let both = Auto.solve(&beside(&[row(1, 0.5), row(25, 0.5)]), None, &to(1e-8));
    assert_eq!(both.outcome, Outcome::Solved);
    assert!(said(&both, "2 islands, answered by: fischer 1, gauss-seidel 1"), "{:?}", both.notes);
}

#[test]
fn the_trace_of_islands_is_that_of_the_whole() {
    let problem = beside(&[row(1, 0.5), row(25, 0.5), row(3, 0.0)]);
    let report = Auto.solve(&problem, None, &Settings { trace: true, ..to(1e-8) });
    let (first, last) = (report.trace.first().unwrap(), report.trace.last().unwrap());
    let unpushed = residual(&problem, &vec![0.0; problem.q().len()]);
    assert!((first.residual - unpushed).abs() < 1e-12, "{} {unpushed}", first.residual);
    assert!(last.residual < 1e-7 && last.iteration == report.iterations, "{last:?}");
    assert!(report.trace.windows(2).all(|pair| pair[0].seconds <= pair[1].seconds));
}
