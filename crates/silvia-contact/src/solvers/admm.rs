//! Alternating directions (ADMM): a linear solve with `W + rho`, then a projection on the friction cones, in
//! turn.
//!
//! The matrix is factorised once for each `rho`, and `rho` changes seldom: it begins at the geometric mean of
//! the largest and the smallest eigenvalue of `W` plus a small shift (the spectral penalty of Carpentier
//! 2024; the shift because redundant contacts make the smallest zero) and is corrected where the two
//! residuals fall out of balance, at iterations that become ever rarer. De Saxcé's term follows the last
//! velocities. Good for tolerances of 1e-4 to 1e-6.

use crate::cone::project;
use crate::linalg::Lu;
use crate::matrix::{BlockMatrix, norm, triple};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};
use crate::tuning::admm as tuning;

/// Iterations before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 20_000;

/// The ADMM solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Admm;

impl Solver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn law(&self) -> Law {
        Law::Coulomb
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let mut progress = Progress::new(problem, settings, DEFAULT_ITERATIONS);
        let first = starting_point(problem, start);
        // A start that solves the problem already needs no iteration.
        let u = problem.velocities(&first);
        progress.offer(&first, &u);
        let factorised = iterate(problem, &first, &mut progress);
        let otherwise = if factorised { Outcome::OutOfBudget } else { Outcome::Inaccurate };
        progress.report(self.name(), otherwise)
    }
}

/// Iterates until solved or exhausted; false where `W + rho` could not be factorised.
pub(crate) fn iterate(problem: &ContactProblem, start: &[f64], progress: &mut Progress<'_>) -> bool {
    let (scaled, factors) = problem.equilibrated();
    let size = start.len();
    let Some(mut lu) = Lu::prepare(scaled.w()) else { return false };
    let largest = largest_eigenvalue(scaled.w());
    let Some(smallest) = smallest_eigenvalue(scaled.w(), tuning::SHIFT_SHARE * largest, &mut lu) else {
        return false;
    };
    let mut rho = (largest * smallest).sqrt();
    if !lu.factor(&shifted(scaled.w(), rho)) {
        return false;
    }
    // z: impulses in the cones; y: minus De Saxcé's velocities.
    let mut z: Vec<f64> = start.iter().enumerate().map(|(at, r)| r / factors[at / 3]).collect();
    let mut y: Vec<f64> = scaled.velocities(&z).iter().map(|u| -u).collect();
    let mut done = 0;
    let mut correction = tuning::FIRST_CORRECTION;
    let mut r = vec![0.0; size];
    while !progress.solved() && !progress.exhausted() {
        progress.iterations += 1;
        done += 1;
        for contact in 0..scaled.contacts() {
            let lift = scaled.mu()[contact] * y[3 * contact + 1].hypot(y[3 * contact + 2]);
            for at in 3 * contact..3 * contact + 3 {
                let saxce = if at == 3 * contact { lift } else { 0.0 };
                r[at] = rho * z[at] - y[at] - scaled.q()[at] - saxce;
            }
        }
        if !lu.solve(&mut r) {
            return false;
        }
        let mut primal = 0.0;
        let mut dual = 0.0;
        for contact in 0..scaled.contacts() {
            let (ri, zi, yi) = (triple(&r, contact), triple(&z, contact), triple(&y, contact));
            let relaxed: [f64; 3] =
                std::array::from_fn(|k| tuning::RELAXATION * ri[k] + (1.0 - tuning::RELAXATION) * zi[k]);
            let aim = std::array::from_fn(|k| relaxed[k] + yi[k] / rho);
            let new = project(aim, scaled.mu()[contact]);
            for k in 0..3 {
                let at = 3 * contact + k;
                y[at] += rho * (relaxed[k] - new[k]);
                primal += (ri[k] - new[k]).powi(2);
                dual += (rho * (new[k] - zi[k])).powi(2);
                z[at] = new[k];
            }
        }
        let answer: Vec<f64> = z.iter().enumerate().map(|(at, z)| z * factors[at / 3]).collect();
        let u = problem.velocities(&answer);
        progress.offer(&answer, &u);
        if done == correction {
            correction *= tuning::CORRECTION_SPACING;
            let ratio = (primal.sqrt() * largest.max(rho)) / dual.sqrt().max(f64::MIN_POSITIVE);
            if !(1.0 / tuning::BALANCE..=tuning::BALANCE).contains(&ratio) && ratio.is_finite() {
                rho *= ratio.sqrt().clamp(1.0 / tuning::LARGEST_CORRECTION, tuning::LARGEST_CORRECTION);
                if !lu.factor(&shifted(scaled.w(), rho)) {
                    return false;
                }
            }
        }
    }
    true
}

/// `w + rho I`.
fn shifted(w: &BlockMatrix, rho: f64) -> BlockMatrix {
    let mut sum = w.clone();
    for row in 0..w.size() {
        let at = w.diagonal_block(row);
        for diagonal in [0, 4, 8] {
            sum.blocks_mut()[at][diagonal] += rho;
        }
    }
    sum
}

/// The largest eigenvalue of a positive semidefinite matrix; 1 where it is zero.
fn largest_eigenvalue(w: &BlockMatrix) -> f64 {
    let grown = power_method(w.size(), |x| {
        let mut y = vec![0.0; x.len()];
        w.multiply(x, &mut y);
        x.copy_from_slice(&y);
        true
    });
    grown.unwrap_or(1.0)
}

/// The smallest eigenvalue of `w + shift`, for `w` positive semidefinite, by the power method on its inverse;
/// `None` where it cannot be factorised.
fn smallest_eigenvalue(w: &BlockMatrix, shift: f64, lu: &mut Lu) -> Option<f64> {
    if !lu.factor(&shifted(w, shift)) {
        return None;
    }
    // Rounding may take a singular matrix below the shift, but not its eigenvalues.
    power_method(w.size(), |x| lu.solve(x)).map(|inverse| (1.0 / inverse).max(shift))
}

/// The largest eigenvalue of the map `apply` (in place; false where it fails), from a fixed uneven start with
/// both signs; `None` where it fails or maps to zero.
fn power_method(contacts: usize, mut apply: impl FnMut(&mut [f64]) -> bool) -> Option<f64> {
    let mut x: Vec<f64> = (0..3 * contacts).map(|at| ((at * 7919) % 101) as f64 / 101.0 - 0.4).collect();
    let mut value = None;
    for _ in 0..tuning::POWER_ROUNDS {
        let length = norm(&x);
        for x in &mut x {
            *x /= length;
        }
        if !apply(&mut x) {
            return None;
        }
        value = Some(norm(&x)).filter(|v| v.is_finite() && *v > 0.0);
        value?;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_the_spectrum_are_found() {
        let diagonal: Vec<f64> = vec![4.0, 1.0, 0.5, 2.0, 0.02, 0.7];
        let blocks = (0..2).map(|c| {
            let mut block = [0.0; 9];
            for k in 0..3 {
                block[4 * k] = diagonal[3 * c + k];
            }
            (c, c, block)
        });
        let w = BlockMatrix::from_blocks(2, blocks);
        assert!((largest_eigenvalue(&w) / 4.0 - 1.0).abs() < 0.01);
        let mut lu = Lu::prepare(&w).unwrap();
        let smallest = smallest_eigenvalue(&w, 1e-4, &mut lu).unwrap();
        assert!((smallest / 0.0201 - 1.0).abs() < 0.01, "{smallest}");
    }

    #[test]
    fn the_penalty_is_corrected_however_many_iterations_went_before() {
        let system = crate::samples::stack(4, 10.0, 0.5);
        let problem = system.assemble().unwrap().problem().clone();
        let settings = Settings { tolerance: 1e-5, ..Settings::default() };
        let iterations_from = |before: usize| {
            let mut progress = Progress::new(&problem, &settings, DEFAULT_ITERATIONS);
            progress.iterations = before;
            assert!(iterate(&problem, &vec![0.0; problem.q().len()], &mut progress));
            (progress.iterations - before, progress.best)
        };
        let alone = iterations_from(0);
        assert!(alone.0 > tuning::CORRECTION_SPACING * tuning::FIRST_CORRECTION);
        // An uneven number of iterations before, as other methods leave it.
        let after = iterations_from(13);
        assert_eq!(alone, after);
    }
}
