//! Newton's method on the Fischer function (papers 1 §3.2 and 2 §2.1), over Coulomb's second-order cones.

use crate::fischer_newton::{Ending, FischerNewton, Proximity, Run};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};
use crate::tuning::fischer as tuning;

/// Iterations before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 200;

/// The Fischer-Newton solver, as the papers have it: quick where contacts are not redundant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fischer;

impl Solver for Fischer {
    fn name(&self) -> &'static str {
        "fischer"
    }

    fn law(&self) -> Law {
        Law::Coulomb
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let mut progress = Progress::new(problem, settings, DEFAULT_ITERATIONS);
        let r = starting_point(problem, start);
        // A start that solves the problem already must not be left for a smoothed function.
        let u = problem.velocities(&r);
        progress.offer(&r, &u);
        let ending = iterate(problem, &r, usize::MAX, &mut progress);
        let otherwise = if ending == Ending::Exhausted { Outcome::OutOfBudget } else { Outcome::Inaccurate };
        progress.report(self.name(), otherwise)
    }
}

/// At most `most` Newton iterations from `start`.
pub(crate) fn iterate(
    problem: &ContactProblem,
    start: &[f64],
    most: usize,
    progress: &mut Progress<'_>,
) -> Ending {
    let (scaled, factors) = problem.equilibrated();
    let mut r: Vec<f64> = start.iter().enumerate().map(|(at, r)| r / factors[at / 3]).collect();
    let run = Run {
        smoothing: tuning::FIRST_SMOOTHING,
        proximal: Proximity::Absent,
        most_iterations: most,
        goal: 0.0,
    };
    match FischerNewton::new(problem, &scaled, &factors) {
        Some(mut newton) => newton.run(&mut r, &run, progress),
        None => Ending::Stalled,
    }
}
