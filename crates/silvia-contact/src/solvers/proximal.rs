//! `fischer` inside a proximal point loop, for the redundant contacts that rigid scenes always have.
//!
//! The first attempt lets the proximal centre follow each Newton iterate, with a weight in proportion to what
//! is left of the function: a regularised Newton method, fast also where impulses are not unique. Where that
//! stalls (Coulomb's law is not monotone, so Newton's method may), the weight is raised until the inner
//! problem, `W + alpha`, is tame enough to be solved; its solution is the next centre, and the weight comes
//! down again with every success.

use crate::certificate::proven_by_growth;
use crate::fischer_newton::{Ending, FischerNewton, Proximity, Run};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};
use crate::tuning::{fischer::FIRST_SMOOTHING, proximal as tuning};

/// Newton iterations in all before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 3000;

/// The proximal Fischer-Newton solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proximal;

impl Solver for Proximal {
    fn name(&self) -> &'static str {
        "proximal"
    }

    fn law(&self) -> Law {
        Law::Coulomb
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let mut progress = Progress::new(problem, settings, DEFAULT_ITERATIONS);
        let r = starting_point(problem, start);
        let u = problem.velocities(&r);
        progress.offer(&r, &u);
        let ending = iterate(problem, &r, &mut progress);
        let otherwise = match ending {
            Ending::Exhausted => Outcome::OutOfBudget,
            Ending::Proven(outcome) => outcome,
            Ending::Reached | Ending::Stalled => Outcome::Inaccurate,
        };
        progress.report(self.name(), otherwise)
    }
}

/// Runs the method from `start`.
pub(crate) fn iterate(problem: &ContactProblem, start: &[f64], progress: &mut Progress<'_>) -> Ending {
    let (scaled, factors) = problem.equilibrated();
    let Some(mut newton) = FischerNewton::new(problem, &scaled, &factors) else { return Ending::Stalled };
    let mut r = equilibrated(start, &factors);
    let following = Run {
        smoothing: FIRST_SMOOTHING.min(newton.error(&r)),
        proximal: Proximity::Following,
        most_iterations: tuning::FOLLOWING_ITERATIONS,
        goal: 0.0,
    };
    let ending = newton.run(&mut r, &following, progress);
    if ending != Ending::Stalled {
        return ending;
    }
    proximal_loop(problem, &mut newton, &factors, progress)
}

fn proximal_loop(
    problem: &ContactProblem,
    newton: &mut FischerNewton<'_>,
    factors: &[f64],
    progress: &mut Progress<'_>,
) -> Ending {
    let original =
        |r: &[f64]| -> Vec<f64> { r.iter().enumerate().map(|(at, r)| r * factors[at / 3]).collect() };
    let mut centre = equilibrated(&progress.best, factors);
    let mut alpha = tuning::FIRST_WEIGHT;
    while (tuning::WEIGHT_RANGE.0..=tuning::WEIGHT_RANGE.1).contains(&alpha) {
        let mut r = centre.clone();
        let outer = newton.error(&centre);
        let inner = Run {
            smoothing: FIRST_SMOOTHING.min(outer),
            proximal: Proximity::Fixed { alpha, centre: &centre },
            most_iterations: tuning::INNER_ITERATIONS,
            goal: tuning::INNER_SHARE * outer.min(1.0),
        };
        match newton.run(&mut r, &inner, progress) {
            ending @ (Ending::Exhausted | Ending::Proven(_)) => return ending,
            Ending::Reached if progress.solved() => return Ending::Reached,
            Ending::Reached => {
                // Where there is no solution, centres run away along a direction that proves it.
                if let Some(proven) = proven_by_growth(problem, &original(&centre), &original(&r)) {
                    return Ending::Proven(proven);
                }
                centre = r;
                alpha = (alpha * tuning::WEIGHT_SHRINK).max(tuning::WEIGHT_RANGE.0);
            }
            Ending::Stalled => alpha *= tuning::WEIGHT_GROWTH,
        }
    }
    Ending::Stalled
}

fn equilibrated(r: &[f64], factors: &[f64]) -> Vec<f64> {
    r.iter().enumerate().map(|(at, r)| r / factors[at / 3]).collect()
}
