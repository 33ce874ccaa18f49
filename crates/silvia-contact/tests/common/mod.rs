//! What the tests share: an independent check of the law, and solvers to try.

#![allow(dead_code, reason = "each test file uses its part")]

use silvia_contact::solvers::{Admm, Auto, Fischer, GaussSeidel, Proximal};
use silvia_contact::{ContactProblem, Settings, Solver};

/// All solvers whose law is Coulomb's.
pub(crate) fn coulomb_solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Auto), Box::new(Proximal), Box::new(GaussSeidel), Box::new(Admm), Box::new(Fischer)]
}

pub(crate) fn to(tolerance: f64) -> Settings {
    Settings { tolerance, ..Settings::default() }
}

/// Largest violation of unilateral contact and Coulomb's law, written out condition by condition from the triplets of
/// `W`; shares no code with the solvers' residual.
pub(crate) fn law_violation(problem: &ContactProblem, r: &[f64]) -> f64 {
    let mut u = problem.q().to_vec();
    for (row, column, value) in problem.w().triplets() {
        u[row] += value * r[column];
    }
    let mut worst = 0.0_f64;
    for (contact, &mu) in problem.mu().iter().enumerate() {
        let at = 3 * contact;
        let (rn, un) = (r[at], u[at]);
        let friction = r[at + 1].hypot(r[at + 2]);
        let slip = u[at + 1].hypot(u[at + 2]);
        // Friction opposes slip at full strength: r_T . u_T = -mu r_N |u_T|; as a length, divided by the larger side.
        let power = (r[at + 1] * u[at + 1] + r[at + 2] * u[at + 2] + mu * rn * slip).abs();
        let slackness = power / (mu * rn).abs().max(slip).max(f64::MIN_POSITIVE);
        let violations = [-rn, -un, rn.min(un), friction - mu * rn, if mu > 0.0 { slackness } else { 0.0 }];
        worst = violations.into_iter().fold(worst, f64::max);
    }
    worst
}
