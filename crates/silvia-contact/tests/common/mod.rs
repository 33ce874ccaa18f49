//! What the tests share: an independent check of the law, and solvers to try.

#![allow(dead_code, reason = "each test file uses its part")]

use silvia_contact::solvers::{Admm, Auto, Fischer, GaussSeidel, Proximal};
use silvia_contact::{Attachment, ContactProblem, Settings, Solver, Twist};
use silvia_solid::Vec3;

/// All solvers whose law is Coulomb's.
pub(crate) fn coulomb_solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Auto), Box::new(Proximal), Box::new(GaussSeidel), Box::new(Admm), Box::new(Fischer)]
}

pub(crate) fn to(tolerance: f64) -> Settings {
    Settings { tolerance, ..Settings::default() }
}

/// Node and arm of a rigid attachment.
#[track_caller]
pub(crate) fn rigid(at: Attachment) -> (usize, Vec3) {
    match at {
        Attachment::Rigid { node, arm } => (node, arm),
        other => panic!("not rigid: {other:?}"),
    }
}

/// The velocity of a rigid attachment.
#[track_caller]
pub(crate) fn velocity_at(at: Attachment, velocities: &[Twist]) -> Vec3 {
    let (node, arm) = rigid(at);
    velocities[node].linear + velocities[node].angular.cross(arm)
}

/// Largest violation of unilateral contact and Coulomb's law, written out condition by condition from the
/// triplets of `W`; shares no code with the solvers' residual.
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
        // Friction opposes slip at full strength: r_T . u_T = -mu r_N |u_T|; as a length, divided by the
        // larger side.
        let power = (r[at + 1] * u[at + 1] + r[at + 2] * u[at + 2] + mu * rn * slip).abs();
        let slackness = power / (mu * rn).abs().max(slip).max(f64::MIN_POSITIVE);
        let violations = [-rn, -un, rn.min(un), friction - mu * rn, if mu > 0.0 { slackness } else { 0.0 }];
        worst = violations.into_iter().fold(worst, f64::max);
    }
    worst
}

/// The natural map's norm over that of `q`, from its definition: distance of `r` from the projection of `r -
/// u - mu |u_T| n` on the cone, which is found by looking for the closest point of each of its parts. Shares
/// no code with the crate's.
pub(crate) fn natural_residual(problem: &ContactProblem, r: &[f64]) -> f64 {
    let mut u = problem.q().to_vec();
    for (row, column, value) in problem.w().triplets() {
        u[row] += value * r[column];
    }
    let mut sum = 0.0;
    for (contact, &mu) in problem.mu().iter().enumerate() {
        let (r, u) = (&r[3 * contact..3 * contact + 3], &u[3 * contact..3 * contact + 3]);
        let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
        let z = [r[0] - u[0] - mu * slip, r[1] - u[1], r[2] - u[2]];
        let tangent = (z[1] * z[1] + z[2] * z[2]).sqrt();
        let closest = if tangent <= mu * z[0] {
            z
        } else {
            // On the ray (1, mu t) of the cone's surface below z, or at the apex.
            let t = if tangent > 0.0 { [z[1] / tangent, z[2] / tangent] } else { [1.0, 0.0] };
            let along = ((z[0] + mu * tangent) / (1.0 + mu * mu)).max(0.0);
            [along, along * mu * t[0], along * mu * t[1]]
        };
        sum += (0..3).map(|k| (r[k] - closest[k]).powi(2)).sum::<f64>();
    }
    let length = problem.q().iter().map(|q| q * q).sum::<f64>().sqrt();
    sum.sqrt() / if length > 0.0 { length } else { 1.0 }
}

/// Problems side by side.
pub(crate) fn beside(parts: &[ContactProblem]) -> ContactProblem {
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (mut q, mut mu) = (Vec::new(), Vec::new());
    for part in parts {
        for (row, column, value) in part.w().triplets() {
            rows.push(q.len() + row);
            columns.push(q.len() + column);
            values.push(value);
        }
        q.extend(part.q());
        mu.extend(part.mu());
    }
    ContactProblem::from_triplets(&rows, &columns, &values, q, mu).unwrap()
}
