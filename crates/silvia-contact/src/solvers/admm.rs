//! Alternating directions (ADMM): a linear solve with `W + rho`, then a projection on the friction cones, in turn.
//!
//! The matrix is factorised once for each `rho`, and `rho` changes seldom: it begins at the geometric mean of the largest
//! and the smallest significant eigenvalue of `W` (the spectral penalty of Carpentier 2024) and is corrected where the
//! two residuals fall out of balance, at iterations that become ever rarer. De Saxcé's term follows the last velocities.
//! Good for tolerances of 1e-4 to 1e-6.

use crate::cone::project;
use crate::linalg::Lu;
use crate::matrix::{BlockMatrix, norm, triple};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};

/// Iterations before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 20_000;
/// Rounds of the power method for the largest eigenvalue: two digits suffice.
const POWER_ROUNDS: usize = 20;
/// What the smallest significant eigenvalue is taken to be, as a share of the largest: redundant contacts make the true
/// one zero.
const LEAST_EIGENVALUE_SHARE: f64 = 1e-4;
/// Residuals further apart than this factor are out of balance.
const BALANCE: f64 = 5.0;
/// The first iteration at which `rho` may change; the next are each this factor later.
const FIRST_CORRECTION: usize = 10;
/// Over-relaxation, which shortens the zigzag; below 2 for convergence.
const RELAXATION: f64 = 1.6;

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
        let factorised = iterate(problem, &first, &mut progress);
        let otherwise = if factorised { Outcome::OutOfBudget } else { Outcome::Inaccurate };
        progress.report(self.name(), otherwise)
    }
}

/// Iterates until solved or exhausted; false where `W + rho` could not be factorised.
pub(crate) fn iterate(problem: &ContactProblem, start: &[f64], progress: &mut Progress<'_>) -> bool {
    let (scaled, factors) = problem.equilibrated();
    let size = start.len();
    let largest = largest_eigenvalue(scaled.w());
    let mut rho = largest * LEAST_EIGENVALUE_SHARE.sqrt();
    let Some(mut lu) = Lu::prepare(scaled.w()) else { return false };
    if !lu.factor(&shifted(scaled.w(), rho)) {
        return false;
    }
    // z: impulses in the cones; y: minus De Saxcé's velocities.
    let mut z: Vec<f64> = start.iter().enumerate().map(|(at, r)| r / factors[at / 3]).collect();
    let mut y: Vec<f64> = scaled.velocities(&z).iter().map(|u| -u).collect();
    let mut correction = FIRST_CORRECTION;
    let mut r = vec![0.0; size];
    while !progress.solved() && !progress.exhausted() {
        progress.iterations += 1;
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
            let relaxed: [f64; 3] = std::array::from_fn(|k| RELAXATION * ri[k] + (1.0 - RELAXATION) * zi[k]);
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
        if progress.iterations == correction {
            correction *= 2;
            let ratio = (primal.sqrt() * largest.max(rho)) / dual.sqrt().max(f64::MIN_POSITIVE);
            if !(1.0 / BALANCE..=BALANCE).contains(&ratio) && ratio.is_finite() {
                rho *= ratio.sqrt().clamp(0.1, 10.0);
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

/// The largest eigenvalue of a positive semidefinite matrix, by the power method from a fixed uneven start.
fn largest_eigenvalue(w: &BlockMatrix) -> f64 {
    let mut x: Vec<f64> =
        (0..3 * w.size()).map(|at| 1.0 + 0.37 * ((at * 7919) % 101) as f64 / 101.0).collect();
    let mut y = vec![0.0; x.len()];
    let mut value = 1.0;
    for _ in 0..POWER_ROUNDS {
        let length = norm(&x);
        if length == 0.0 {
            return 1.0;
        }
        for x in &mut x {
            *x /= length;
        }
        w.multiply(&x, &mut y);
        value = norm(&y);
        std::mem::swap(&mut x, &mut y);
    }
    if value > 0.0 { value } else { 1.0 }
}
