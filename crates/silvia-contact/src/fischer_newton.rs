//! Newton's method on the smoothed Fischer function of a whole problem, with a line search.
//!
//! The unknowns are the impulses; `u = W r + q + alpha (r - centre)` with an optional proximal term. One
//! iteration solves `(A + B (W + alpha)) dr = -phi`, where `A` and `B` hold the derivatives of each contact's
//! function.

use crate::fischer_function::{Linearisation, fischer, fischer_linearised};
use crate::linalg::Lu;
use crate::matrix::{BlockMatrix, block_product, norm, triple};
use crate::problem::ContactProblem;
use crate::solver::{Outcome, Progress};
use crate::tuning::fischer as tuning;

/// How a run of iterations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The goal was reached.
    Reached,
    /// Steps became too short to go on, or the linear system had no solution.
    Stalled,
    /// Iterations or time ran out.
    Exhausted,
    /// It was shown that there is no solution, or none with impulses that can be computed with.
    Proven(Outcome),
}

/// What a run aims at and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// First smoothing, as a share of the typical velocity.
    pub(crate) smoothing: f64,
    /// How the proximal term is chosen.
    pub(crate) proximal: Proximity<'a>,
    /// Most iterations of this run.
    pub(crate) most_iterations: usize,
    /// Stop when the function, per contact and relative to the typical velocity, is this small; the
    /// progress's own tolerance stops it too.
    pub(crate) goal: f64,
}

/// The proximal term of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Proximity<'a> {
    /// None.
    Absent,
    /// Centred anew at each iterate, in proportion to the function: Newton's method with a regularised
    /// Jacobian.
    Following,
    /// `alpha (r - centre)` held over the run.
    Fixed {
        /// Weight, relative to the diagonal of the equilibrated `W`.
        alpha: f64,
        /// Where the term vanishes.
        centre: &'a [f64],
    },
}

/// The least smoothing, as a share of the typical velocity: rounding.
const LEAST_SMOOTHING: f64 = 1e-14;

/// Newton's method on one equilibrated problem, with its memory.
pub(crate) struct FischerNewton<'a> {
    problem: &'a ContactProblem,
    /// Scaling factors of the equilibration, to go back to the original problem.
    factors: &'a [f64],
    original: &'a ContactProblem,
    jacobian: BlockMatrix,
    lu: Lu,
    parts: Vec<Linearisation>,
    /// Root mean square of the equilibrated `q`: the typical velocity.
    typical: f64,
}

impl<'a> FischerNewton<'a> {
    /// Prepares for `problem`, the equilibrated form of `original`; `None` where memory does not suffice.
    pub(crate) fn new(
        original: &'a ContactProblem,
        problem: &'a ContactProblem,
        factors: &'a [f64],
    ) -> Option<Self> {
        let mean_square = norm(problem.q()) / (problem.q().len() as f64).max(1.0).sqrt();
        Some(Self {
            problem,
            factors,
            original,
            jacobian: problem.w().clone(),
            lu: Lu::prepare(problem.w())?,
            parts: Vec::with_capacity(problem.contacts()),
            typical: if mean_square > 0.0 { mean_square } else { 1.0 },
        })
    }

    /// Iterates from `r` (equilibrated), which ends as the last iterate.
    pub(crate) fn run(&mut self, r: &mut [f64], run: &Run<'_>, progress: &mut Progress<'_>) -> Ending {
        let root_contacts = (self.problem.contacts() as f64).sqrt();
        let mut eps = run.smoothing * self.typical;
        let mut short_steps = 0;
        let mut done = 0;
        loop {
            if progress.solved() {
                return Ending::Reached;
            }
            if progress.exhausted() || done >= run.most_iterations {
                return if progress.exhausted() { Ending::Exhausted } else { Ending::Stalled };
            }
            progress.iterations += 1;
            done += 1;
            let u = self.velocities(r, run.proximal);
            let Some(step) = self.step(r, &u, eps, run.proximal) else { return Ending::Stalled };
            self.offer(r, progress);
            let value = step.value / root_contacts;
            if eps <= run.goal * self.typical && value <= run.goal * self.typical {
                return Ending::Reached;
            }
            if value <= eps {
                let shrunk = if step.length == 1.0 {
                    (tuning::FAST_SHRINK * eps).min(tuning::FAST_SHRINK * value)
                } else {
                    tuning::SLOW_SHRINK * eps
                };
                eps = shrunk.max(LEAST_SMOOTHING * self.typical);
            }
            short_steps = if step.length < tuning::SHORT_STEP { short_steps + 1 } else { 0 };
            if short_steps >= tuning::MOST_SHORT_STEPS {
                return Ending::Stalled;
            }
        }
    }

    /// Norm of the function without smoothing or proximal term, per contact and relative to the typical
    /// velocity.
    pub(crate) fn error(&self, r: &[f64]) -> f64 {
        let u = self.problem.velocities(r);
        let mut sum = 0.0;
        for (contact, &mu) in self.problem.mu().iter().enumerate() {
            sum +=
                fischer(triple(r, contact), triple(&u, contact), mu, 0.0).iter().map(|v| v * v).sum::<f64>();
        }
        (sum / self.problem.contacts() as f64).sqrt() / self.typical
    }

    fn velocities(&self, r: &[f64], proximal: Proximity<'_>) -> Vec<f64> {
        let mut u = self.problem.velocities(r);
        if let Proximity::Fixed { alpha, centre } = proximal {
            for ((u, r), c) in u.iter_mut().zip(r).zip(centre) {
                *u += alpha * (r - c);
            }
        }
        u
    }

    /// One Newton step with line search; `None` where the linear system has no finite solution.
    fn step(&mut self, r: &mut [f64], u: &[f64], eps: f64, proximal: Proximity<'_>) -> Option<Step> {
        let problem = self.problem;
        self.parts.clear();
        for (contact, &mu) in problem.mu().iter().enumerate() {
            self.parts.push(fischer_linearised(triple(r, contact), triple(u, contact), mu, eps));
        }
        let mut dr: Vec<f64> = self.parts.iter().flat_map(|part| part.value.map(|v| -v)).collect();
        let before = norm(&dr);
        let alpha = match proximal {
            Proximity::Absent => 0.0,
            Proximity::Fixed { alpha, .. } => alpha,
            Proximity::Following => {
                let relative = before / (self.typical * (problem.contacts() as f64).sqrt());
                (tuning::FOLLOWING_WEIGHT * relative)
                    .clamp(tuning::FOLLOWING_RANGE.0, tuning::FOLLOWING_RANGE.1)
            }
        };
        self.fill_jacobian(alpha);
        if !self.lu.factor(&self.jacobian) || !self.lu.solve(&mut dr) {
            return None;
        }
        let mut du = vec![0.0; dr.len()];
        problem.w().multiply(&dr, &mut du);
        if let Proximity::Fixed { alpha, .. } = proximal {
            for (du, dr) in du.iter_mut().zip(&dr) {
                *du += alpha * dr;
            }
        }
        let mut length = 1.0;
        let mut best = Step { value: f64::INFINITY, length };
        for _ in 0..=tuning::MOST_HALVINGS {
            let value = self.value_along(r, &dr, u, &du, length, eps);
            if value < best.value {
                best = Step { value, length };
            }
            if value <= (1.0 - tuning::SUFFICIENT_DECREASE * length) * before {
                break;
            }
            length *= 0.5;
        }
        if !best.value.is_finite() {
            return None;
        }
        for (r, d) in r.iter_mut().zip(&dr) {
            *r += best.length * d;
        }
        Some(best)
    }

    fn fill_jacobian(&mut self, alpha: f64) {
        let w = self.problem.w();
        for (contact, part) in self.parts.iter().enumerate() {
            let first = w.first_block(contact);
            let blocks = w.row(contact).1;
            for (to, block) in self.jacobian.blocks_mut()[first..first + blocks.len()].iter_mut().zip(blocks)
            {
                *to = block_product(&part.by_u, block);
            }
            let diagonal = &mut self.jacobian.blocks_mut()[w.diagonal_block(contact)];
            for ((entry, by_r), by_u) in diagonal.iter_mut().zip(&part.by_r).zip(&part.by_u) {
                *entry += by_r + alpha * by_u;
            }
        }
    }

    fn value_along(&self, r: &[f64], dr: &[f64], u: &[f64], du: &[f64], length: f64, eps: f64) -> f64 {
        let mut sum = 0.0;
        for (contact, &mu) in self.problem.mu().iter().enumerate() {
            let moved = |x: &[f64], d: &[f64]| {
                let (x, d) = (triple(x, contact), triple(d, contact));
                [x[0] + length * d[0], x[1] + length * d[1], x[2] + length * d[2]]
            };
            let value = fischer(moved(r, dr), moved(u, du), mu, eps);
            sum += value[0] * value[0] + value[1] * value[1] + value[2] * value[2];
        }
        sum.sqrt()
    }

    /// Measures the iterate on the original problem.
    fn offer(&self, r: &[f64], progress: &mut Progress<'_>) -> f64 {
        let original: Vec<f64> = r.iter().enumerate().map(|(at, v)| v * self.factors[at / 3]).collect();
        let u = self.original.velocities(&original);
        progress.offer(&original, &u)
    }
}

/// A step taken.
#[derive(Clone, Copy)]
struct Step {
    /// Norm of the function after it.
    value: f64,
    /// Share of the full Newton step.
    length: f64,
}
