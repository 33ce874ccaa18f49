//! Gaps as a function of contact forces, for methods that solve for the true distance and not its
//! linearisation.
//!
//! Papers 1 and 2 ask that the distances *at the end of the step* be complementary to the forces:
//! `delta(sigma(f)) >= 0`, `f >= 0`, `f . delta = 0`, where `sigma(f)` is the configuration that the forces
//! lead to and `delta` its distances, both nonlinear. Here the caller supplies `f -> delta(sigma(f))` with
//! its Jacobian.

use crate::problem::ContactProblem;
use crate::solver::Outcome;

/// Gaps at the end of the step as a function of the normal forces (or impulses) at the contacts.
pub trait GapFunction {
    /// How many contacts there are.
    fn contacts(&self) -> usize;

    /// The gaps under forces `f`, one a contact.
    fn gaps(&self, f: &[f64]) -> Vec<f64>;

    /// The derivatives of the gaps by the forces, row by row: entry `i * contacts + j` is that of gap `i` by
    /// force `j`.
    fn jacobian(&self, f: &[f64]) -> Vec<f64>;
}

/// The answer to a gap function.
#[derive(Clone, Debug, PartialEq)]
pub struct GapReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Normal forces, one a contact.
    pub f: Vec<f64>,
    /// The gaps that they lead to; empty where the gap function did not answer with as many finite gaps.
    pub gaps: Vec<f64>,
    /// Largest violation of the law, relative to the largest gap without forces; infinite where it cannot be
    /// told.
    pub residual: f64,
    /// Newton iterations done.
    pub iterations: usize,
}

impl GapReport {
    /// A report on forces `f`, whose `violation` (of forces and gaps, relative) is asked for where the gaps
    /// are sound.
    pub(crate) fn new(
        gap: &dyn GapFunction,
        outcome: Outcome,
        f: Vec<f64>,
        iterations: usize,
        violation: impl Fn(&[f64], &[f64]) -> f64,
    ) -> Self {
        let gaps = gap.gaps(&f);
        if !usable(&gaps, f.len()) {
            let (outcome, gaps, residual) = (Outcome::Inaccurate, Vec::new(), f64::INFINITY);
            return Self { outcome, f, gaps, residual, iterations };
        }
        let residual = violation(&f, &gaps);
        let residual = if residual.is_finite() { residual } else { f64::INFINITY };
        Self { outcome, f, gaps, residual, iterations }
    }
}

/// The normal part of a contact problem as a gap function: `gap = W_NN f + q_N`, friction left out.
#[derive(Clone, Debug)]
pub struct LinearGap<'a> {
    problem: &'a ContactProblem,
}

impl<'a> LinearGap<'a> {
    /// The gap function of a problem.
    pub fn new(problem: &'a ContactProblem) -> Self {
        Self { problem }
    }
}

impl GapFunction for LinearGap<'_> {
    fn contacts(&self) -> usize {
        self.problem.contacts()
    }

    fn gaps(&self, f: &[f64]) -> Vec<f64> {
        (0..self.contacts())
            .map(|row| {
                let (columns, blocks) = self.problem.w().row(row);
                let pushed: f64 = columns.iter().zip(blocks).map(|(&c, b)| b[0] * f[c]).sum();
                pushed + self.problem.q()[3 * row]
            })
            .collect()
    }

    fn jacobian(&self, _: &[f64]) -> Vec<f64> {
        let size = self.contacts();
        let mut jacobian = vec![0.0; size * size];
        for row in 0..size {
            let (columns, blocks) = self.problem.w().row(row);
            for (&column, block) in columns.iter().zip(blocks) {
                jacobian[row * size + column] = block[0];
            }
        }
        jacobian
    }
}

/// What residuals of a gap function are divided by: its largest gap without forces, or 1 where that is zero.
pub(crate) fn gap_scale(gap: &dyn GapFunction) -> f64 {
    let largest = gap.gaps(&vec![0.0; gap.contacts()]).iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    if largest > 0.0 && largest.is_finite() { largest } else { 1.0 }
}

/// Whether what a gap function answered can be computed with.
pub(crate) fn usable(values: &[f64], expected: usize) -> bool {
    values.len() == expected && values.iter().all(|v| v.is_finite())
}
