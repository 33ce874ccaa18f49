//! How far impulses are from solving a problem: the same measure for every solver whose law is Coulomb's.

use crate::cone::natural_map;
use crate::matrix::triple;
use crate::problem::ContactProblem;

/// The natural map's norm with rho = 1, as Siconos defines it, divided by the problem's scale `|q|`.
///
/// A problem [measured in velocities](ContactProblem::measured_in_velocities) takes each contact's impulses
/// times its own answer to them. The residual is infinite where `r` holds a NaN or an infinity, so that a
/// comparison with a tolerance always fails there.
pub fn residual(problem: &ContactProblem, r: &[f64]) -> f64 {
    residual_at(problem, r, &problem.velocities(r))
}

/// The [residual](residual()) for velocities `u = W r + q` that are known already.
pub fn residual_at(problem: &ContactProblem, r: &[f64], u: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (contact, &mu) in problem.mu().iter().enumerate() {
        let answer = problem.answer(contact);
        let f = natural_map(triple(r, contact).map(|r| answer * r), triple(u, contact), mu);
        sum += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    }
    let relative = sum.sqrt() / problem.scale();
    if relative.is_finite() { relative } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_contact(q: [f64; 3], mu: f64) -> ContactProblem {
        ContactProblem::from_triplets(&[0, 1, 2], &[0, 1, 2], &[1.0; 3], q.to_vec(), vec![mu]).unwrap()
    }

    #[test]
    fn opening_sticking_and_sliding_solutions_have_no_residual() {
        assert_eq!(residual(&unit_contact([1.0, 2.0, 0.0], 0.5), &[0.0; 3]), 0.0);
        assert_eq!(residual(&unit_contact([-1.0, 0.25, 0.0], 0.5), &[1.0, -0.25, 0.0]), 0.0);
        assert_eq!(residual(&unit_contact([-1.0, 2.0, 0.0], 0.5), &[1.0, -0.5, 0.0]), 0.0);
    }

    #[test]
    fn a_wrong_answer_shows_by_hand_computed_amount() {
        // r = 0, u = q = (-3, 0, 4), mu = 0: the map is -P(-u) = (-3, 0, 0) and |q| = 5.
        assert_eq!(residual(&unit_contact([-3.0, 0.0, 4.0], 0.0), &[0.0; 3]), 0.6);
    }

    #[test]
    fn not_a_number_is_an_infinite_residual() {
        assert_eq!(residual(&unit_contact([-1.0, 0.0, 0.0], 0.5), &[f64::NAN, 0.0, 0.0]), f64::INFINITY);
    }
}
