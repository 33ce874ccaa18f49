//! Newton's method on the Fischer function of forces and true distances (papers 1 §3.2 and 2 §2.1).

use super::Fischer;
use crate::fischer_function::{fischer_scalar, fischer_scalar_derivatives};
use crate::gap::{GapFunction, GapReport, gap_scale, usable};
use crate::linalg::DenseLu;
use crate::matrix::norm;
use crate::solver::{Outcome, Settings};

/// Iterations before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 200;
/// Weight added to the Jacobian per unit of what is left of the function, so that redundant contacts do no
/// harm.
const REGULARISATION: f64 = 1e-6;
/// Share of the promised decrease that a step must bring.
const SUFFICIENT_DECREASE: f64 = 1e-3;
/// Halvings of a step before the method gives up.
const MOST_HALVINGS: usize = 30;
/// First smoothing as a share of the scale, and what it shrinks by.
const SMOOTHING: (f64, f64) = (0.1, 0.1);

impl Fischer {
    /// Solves `gaps(f) >= 0` complementary to `f >= 0` for a nonlinear gap function, from forces `start`.
    pub fn solve_gaps(&self, gap: &dyn GapFunction, start: Option<&[f64]>, settings: &Settings) -> GapReport {
        let size = gap.contacts();
        let mut search = Search::new(gap);
        let mut f = start.filter(|f| usable(f, size)).map_or_else(|| vec![0.0; size], <[f64]>::to_vec);
        let most = settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS);
        let deadline = settings.deadline();
        let mut iterations = 0;
        let outcome = loop {
            let gaps = gap.gaps(&f);
            if !usable(&gaps, size) {
                break Outcome::Inaccurate;
            }
            if search.violation(&f, &gaps) <= settings.tolerance {
                break Outcome::Solved;
            }
            if iterations >= most || deadline.has_passed() {
                break Outcome::OutOfBudget;
            }
            iterations += 1;
            if !search.step(&mut f, &gaps) {
                break Outcome::Inaccurate;
            }
        };
        GapReport::new(gap, outcome, f, iterations, |f, gaps| search.violation(f, gaps))
    }
}

struct Search<'a> {
    gap: &'a dyn GapFunction,
    /// Largest gap without forces, in m.
    scale: f64,
    /// Gap per unit of force, a typical diagonal entry of the Jacobian: makes forces and gaps comparable.
    compliance: f64,
    eps: f64,
}

impl<'a> Search<'a> {
    fn new(gap: &'a dyn GapFunction) -> Self {
        let size = gap.contacts();
        let jacobian = gap.jacobian(&vec![0.0; size]);
        let trace: f64 = (0..size).filter_map(|c| jacobian.get(c * size + c)).map(|v| v.abs()).sum();
        let compliance = if trace > 0.0 && trace.is_finite() { trace / size as f64 } else { 1.0 };
        let scale = gap_scale(gap);
        Self { gap, scale, compliance, eps: SMOOTHING.0 * scale }
    }

    /// Largest violation `|min(compliance f, gap)|`, relative.
    fn violation(&self, f: &[f64], gaps: &[f64]) -> f64 {
        let worst = f.iter().zip(gaps).map(|(f, g)| (self.compliance * f).min(*g).abs()).fold(0.0, f64::max);
        worst / self.scale
    }

    fn value(&self, f: &[f64], gaps: &[f64]) -> Vec<f64> {
        f.iter().zip(gaps).map(|(f, g)| fischer_scalar(self.compliance * f, *g, self.eps)).collect()
    }

    /// One Newton step with line search; false where none helps.
    fn step(&mut self, f: &mut Vec<f64>, gaps: &[f64]) -> bool {
        let size = f.len();
        let jacobian = self.gap.jacobian(f);
        if !usable(&jacobian, size * size) {
            return false;
        }
        let value = self.value(f, gaps);
        let before = norm(&value);
        let shift = REGULARISATION * self.compliance * (before / self.scale).min(1.0);
        let slopes: Vec<(f64, f64)> = f
            .iter()
            .zip(gaps)
            .map(|(f, g)| fischer_scalar_derivatives(self.compliance * f, *g, self.eps))
            .collect();
        let mut lu = DenseLu::of(size, |i, j| {
            let (by_f, by_gap) = slopes[i];
            let own = if i == j { self.compliance * by_f + by_gap * shift } else { 0.0 };
            by_gap * jacobian[i * size + j] + own
        });
        let mut step: Vec<f64> = value.iter().map(|v| -v).collect();
        lu.solve(&mut step);
        if !usable(&step, size) {
            return false;
        }
        let mut length = 1.0;
        for _ in 0..MOST_HALVINGS {
            let moved: Vec<f64> = f.iter().zip(&step).map(|(f, d)| f + length * d).collect();
            let new_gaps = self.gap.gaps(&moved);
            if usable(&new_gaps, size) {
                let after = norm(&self.value(&moved, &new_gaps));
                if after <= (1.0 - SUFFICIENT_DECREASE * length) * before {
                    *f = moved;
                    self.tighten(after);
                    return true;
                }
            }
            length *= 0.5;
        }
        // No decrease at this smoothing: a sharper function may still lead on.
        let sharper = SMOOTHING.1 * self.eps;
        let can_sharpen = self.eps > f64::EPSILON * self.scale;
        self.eps = sharper;
        can_sharpen
    }

    fn tighten(&mut self, value: f64) {
        if value <= self.eps * (self.gap.contacts() as f64).sqrt() {
            self.eps = (SMOOTHING.1 * self.eps).min(SMOOTHING.1 * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body lifted by its force off ground that curves up towards it: height `-0.5 + f`, ground `f² / 4`.
    struct Curved;

    impl GapFunction for Curved {
        fn contacts(&self) -> usize {
            1
        }
        fn gaps(&self, f: &[f64]) -> Vec<f64> {
            vec![-0.5 + f[0] - 0.25 * f[0] * f[0]]
        }
        fn jacobian(&self, f: &[f64]) -> Vec<f64> {
            vec![1.0 - 0.5 * f[0]]
        }
    }

    #[test]
    fn the_true_gap_is_closed_not_its_linearisation() {
        let report = Fischer.solve_gaps(&Curved, None, &Settings::default());
        assert_eq!(report.outcome, Outcome::Solved);
        // -0.5 + f - f²/4 = 0 at f = 2 - sqrt 2; the linearisation would stop at 0.5.
        assert!((report.f[0] - (2.0 - 2.0_f64.sqrt())).abs() < 1e-7, "{report:?}");
    }

    #[test]
    fn bilateral_finds_the_same_force_on_one_contact() {
        let report = crate::solvers::Bilateral.solve_gaps(&Curved, None, &Settings::default());
        assert_eq!(report.outcome, Outcome::Solved);
        assert!((report.f[0] - (2.0 - 2.0_f64.sqrt())).abs() < 1e-7, "{report:?}");
    }

    /// A gap function that answers with nonsense.
    struct Broken;

    impl GapFunction for Broken {
        fn contacts(&self) -> usize {
            2
        }
        fn gaps(&self, _: &[f64]) -> Vec<f64> {
            vec![f64::NAN, -1.0]
        }
        fn jacobian(&self, _: &[f64]) -> Vec<f64> {
            vec![f64::NAN; 4]
        }
    }

    #[test]
    fn nonsense_from_the_caller_is_an_honest_failure() {
        for report in [
            Fischer.solve_gaps(&Broken, None, &Settings::default()),
            crate::solvers::Bilateral.solve_gaps(&Broken, None, &Settings::default()),
        ] {
            assert_eq!(report.outcome, Outcome::Inaccurate);
            assert!(report.f.iter().all(|f| f.is_finite()));
            assert!(report.gaps.is_empty() && report.residual == f64::INFINITY, "never NaN: {report:?}");
        }
    }

    #[test]
    fn no_time_is_out_of_budget() {
        let settings = Settings { budget: Some(std::time::Duration::ZERO), ..Settings::default() };
        for report in [
            Fischer.solve_gaps(&Curved, None, &settings),
            crate::solvers::Bilateral.solve_gaps(&Curved, None, &settings),
        ] {
            assert_eq!((report.outcome, report.iterations), (Outcome::OutOfBudget, 0));
        }
    }

    /// Two contacts that help each other on curved ground, and a third that they press towards the ground but
    /// not onto it.
    struct CurvedThree;

    impl GapFunction for CurvedThree {
        fn contacts(&self) -> usize {
            3
        }
        fn gaps(&self, f: &[f64]) -> Vec<f64> {
            vec![
                -0.5 + f[0] + 0.3 * f[1] - 0.1 * f[0] * f[0],
                -0.4 + f[1] + 0.3 * f[0] - 0.1 * f[1] * f[1],
                0.2 + f[2] - 0.1 * f[0] * f[1],
            ]
        }
        fn jacobian(&self, f: &[f64]) -> Vec<f64> {
            vec![1.0 - 0.2 * f[0], 0.3, 0.0, 0.3, 1.0 - 0.2 * f[1], 0.0, -0.1 * f[1], -0.1 * f[0], 1.0]
        }
    }

    #[test]
    fn several_true_gaps_are_complementary_to_their_forces() {
        for report in [
            Fischer.solve_gaps(&CurvedThree, None, &Settings::default()),
            crate::solvers::Bilateral.solve_gaps(&CurvedThree, None, &Settings::default()),
        ] {
            assert_eq!(report.outcome, Outcome::Solved);
            let gaps = CurvedThree.gaps(&report.f);
            for (f, gap) in report.f.iter().zip(gaps) {
                assert!(*f > -1e-7 && gap > -1e-7 && f.min(gap) < 1e-7, "{report:?}");
            }
            assert!(report.f[0] > 0.1 && report.f[1] > 0.1 && report.f[2].abs() < 1e-7);
        }
    }
}
