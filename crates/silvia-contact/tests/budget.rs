//! Time and iterations that are allowed are kept to.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::to;
use seeded::Random;
use silvia_contact::samples::{Pile, pile};
use silvia_contact::solvers::{Auto, NAMES, by_name};
use silvia_contact::{ContactProblem, Outcome, Settings, Solver};
use std::time::Duration;

fn hard_pile() -> ContactProblem {
    let stones = Pile { side: 2, layers: 3, points: 3, friction: 0.6, mass_ratio: 1e3, agitation: 1.0 };
    let mut random = Random::new(4);
    pile(&stones, || random.unit()).assemble().unwrap().problem().clone()
}

#[test]
fn no_time_at_all_is_out_of_budget_for_every_solver() {
    let settings = Settings { budget: Some(Duration::ZERO), ..to(1e-8) };
    for name in NAMES {
        let report = by_name(name).unwrap().solve(&hard_pile(), None, &settings);
        assert_eq!(report.outcome, Outcome::OutOfBudget, "{name}");
        assert!(report.iterations <= 1, "{name} did {} iterations", report.iterations);
        assert!(report.r.iter().all(|v| v.is_finite()));
    }
}

#[test]
fn a_time_beyond_the_clock_is_no_limit() {
    let settings = Settings { budget: Some(Duration::MAX), ..to(1e-8) };
    assert_eq!(Auto.solve(&hard_pile(), None, &settings).outcome, Outcome::Solved);
}

/// Many contacts that do not touch each other, each of which would take one sweep.
fn apart(contacts: usize) -> ContactProblem {
    let mut random = Random::new(9);
    let at: Vec<usize> = (0..3 * contacts).collect();
    let q: Vec<f64> = (0..3 * contacts).map(|_| -random.unit()).collect();
    ContactProblem::from_triplets(&at, &at, &vec![1.0; 3 * contacts], q, vec![0.5; contacts]).unwrap()
}

#[test]
fn islands_share_one_deadline_and_have_their_own_iterations() {
    let none = Settings { budget: Some(Duration::ZERO), ..to(1e-8) };
    let report = Auto.solve(&apart(500), None, &none);
    assert_eq!((report.outcome, report.iterations), (Outcome::OutOfBudget, 0));
    // One iteration for each island is enough, though there are 500 islands.
    let one = Settings { max_iterations: Some(1), ..to(1e-8) };
    let report = Auto.solve(&apart(500), None, &one);
    assert_eq!((report.outcome, report.iterations), (Outcome::Solved, 500));
}
