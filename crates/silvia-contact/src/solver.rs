//! What all solvers have in common: the law they solve, their settings, and how they report.

use std::time::{Duration, Instant};

use crate::problem::ContactProblem;
use crate::residual::residual_at;

/// A method that finds contact impulses.
pub trait Solver: Send + Sync {
    /// The name by which people choose it.
    fn name(&self) -> &'static str;

    /// The law that its answers obey.
    fn law(&self) -> Law;

    /// Solves `problem`, beginning at the impulses `start` where given (a warm start, of three values a
    /// contact).
    ///
    /// Never panics and never returns NaN. Where it cannot solve the problem, the outcome says so and the
    /// impulses are the best it found.
    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report;
}

/// The law that a solver's answers obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Unilateral contact and Coulomb's law on the velocities at the end of the step.
    Coulomb,
    /// The same with the friction cone replaced by a pyramid of this many facets.
    CoulombPyramid {
        /// Number of facets of the pyramid.
        facets: usize,
    },
    /// Contacts neither open nor pull: gaps of all contacts that push are closed, the others released (paper
    /// 1 §3.1).
    BilateralWithRelease,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The residual is at or below the tolerance, and no contact approaches by more than ten times that.
    #[default]
    Solved,
    /// No further progress was possible; the residual says how good the answer is.
    Inaccurate,
    /// Impulses grow without bound: it was proved that a solution, if any, has impulses at least 1e10 times
    /// those that stop a single contact, too large to compute with.
    Unbounded,
    /// It was proved, and the proof checked, that no impulses satisfy the law.
    NoSolution,
    /// The iterations or the time allowed were used up.
    OutOfBudget,
}

impl Outcome {
    /// From good to bad: of several islands the worst outcome is that of the whole.
    pub(crate) fn severity(self) -> u8 {
        match self {
            Self::Solved => 0,
            Self::Inaccurate => 1,
            Self::OutOfBudget => 2,
            Self::Unbounded => 3,
            Self::NoSolution => 4,
        }
    }

    /// Whether it was shown that there is no usable solution.
    pub(crate) fn denies(self) -> bool {
        matches!(self, Self::Unbounded | Self::NoSolution)
    }

    /// The outcome as one word, for print.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Inaccurate => "inaccurate",
            Self::Unbounded => "unbounded",
            Self::NoSolution => "no-solution",
            Self::OutOfBudget => "out-of-budget",
        }
    }
}

/// When a solver stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Residual at which a problem counts as solved, relative to `|q|`.
    pub tolerance: f64,
    /// Most iterations, whatever one iteration is to the solver; `None` leaves it to the solver. Where a
    /// solver takes islands apart (`auto`), this is for each of them.
    pub max_iterations: Option<usize>,
    /// Longest wall-clock time for the whole problem, all islands together; a solver looks at the clock
    /// between iterations. Results then depend on the machine, so a world never sets it.
    pub budget: Option<Duration>,
    /// Record the residual over time in [`Report::trace`].
    pub trace: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: None, budget: None, trace: false }
    }
}

impl Settings {
    /// When time is up for a solve that begins now.
    pub(crate) fn deadline(&self) -> Deadline {
        // A time beyond the clock's range is no limit.
        let began = Instant::now();
        Deadline { began, end: self.budget.and_then(|budget| began.checked_add(budget)) }
    }
}

/// When a solve began, and the moment at which it must end, if any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    began: Instant,
    end: Option<Instant>,
}

impl Deadline {
    pub(crate) fn has_passed(self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// The answer of a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The solver that gave the answer.
    pub method: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// Contact impulses, three a contact.
    pub r: Vec<f64>,
    /// Velocities `W r + q`, three a contact.
    pub u: Vec<f64>,
    /// How far the answer is from the solver's law: for Coulomb's the natural map relative to `|q|`
    /// ([`residual`](crate::residual()), the same for all solvers of that law).
    pub residual: f64,
    /// Iterations done, whatever one is to the solver.
    pub iterations: usize,
    /// Warnings about the input and fallbacks taken, for people to read.
    pub notes: Vec<String>,
    /// Residual over time, if [`Settings::trace`] asks for it.
    pub trace: Vec<TracePoint>,
}

/// One point of a convergence plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracePoint {
    /// Seconds since the solver began.
    pub seconds: f64,
    /// Iterations so far.
    pub iteration: usize,
    /// Relative residual then.
    pub residual: f64,
}

/// Counts iterations, watches the clock, and keeps the best answer seen.
pub(crate) struct Progress<'a> {
    problem: &'a ContactProblem,
    settings: &'a Settings,
    deadline: Deadline,
    most_iterations: usize,
    pub(crate) iterations: usize,
    pub(crate) best: Vec<f64>,
    pub(crate) best_residual: f64,
    last_residual: f64,
    trace: Vec<TracePoint>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(
        problem: &'a ContactProblem,
        settings: &'a Settings,
        default_iterations: usize,
    ) -> Self {
        Self::until(settings.deadline(), problem, settings, default_iterations)
    }

    /// The same with a deadline that several solves share.
    pub(crate) fn until(
        deadline: Deadline,
        problem: &'a ContactProblem,
        settings: &'a Settings,
        default_iterations: usize,
    ) -> Self {
        let most_iterations = settings.max_iterations.unwrap_or(default_iterations);
        let best = vec![0.0; 3 * problem.contacts()];
        let mut progress = Self {
            problem,
            settings,
            deadline,
            most_iterations,
            iterations: 0,
            best_residual: f64::INFINITY,
            last_residual: f64::INFINITY,
            best: best.clone(),
            trace: Vec::new(),
        };
        let zero_velocities = problem.q().to_vec();
        progress.offer(&best, &zero_velocities);
        progress
    }

    /// Measures an answer, keeps it if it is the best, and says its residual.
    pub(crate) fn offer(&mut self, r: &[f64], u: &[f64]) -> f64 {
        let residual = residual_at(self.problem, r, u);
        let measure = residual.max(approach(self.problem, u) / APPROACH_FACTOR);
        self.last_residual = measure;
        if measure < self.best_residual {
            self.best_residual = measure;
            self.best.copy_from_slice(r);
        }
        if self.settings.trace {
            let seconds = self.deadline.began.elapsed().as_secs_f64();
            self.trace.push(TracePoint { seconds, iteration: self.iterations, residual });
        }
        measure
    }

    /// The residual of the last answer offered.
    pub(crate) fn last_residual(&self) -> f64 {
        self.last_residual
    }

    /// Whether the best answer so far is good enough.
    pub(crate) fn solved(&self) -> bool {
        self.best_residual <= self.settings.tolerance
    }

    /// Whether iterations or time have run out.
    pub(crate) fn exhausted(&self) -> bool {
        self.iterations >= self.most_iterations || self.deadline.has_passed()
    }

    /// The report on the best answer; `otherwise` is the outcome where it is not good enough.
    pub(crate) fn report(self, method: &'static str, otherwise: Outcome) -> Report {
        let u = self.problem.velocities(&self.best);
        let outcome = if self.solved() { Outcome::Solved } else { otherwise };
        Report {
            method,
            outcome,
            residual: residual_at(self.problem, &self.best, &u),
            r: self.best,
            u,
            iterations: self.iterations,
            notes: self.problem.warnings(),
            trace: self.trace,
        }
    }
}

/// An answer must also keep contacts from approaching, to so many times the tolerance. With friction up to
/// about 5 the natural map sees to that; with much larger friction it hardly sees an approach (it divides it
/// by `mu`).
pub(crate) const APPROACH_FACTOR: f64 = 10.0;

/// Norm of the approaching normal velocities, relative to the problem's scale.
fn approach(problem: &ContactProblem, u: &[f64]) -> f64 {
    let sum: f64 = u.chunks_exact(3).map(|u| u[0].min(0.0)).map(|v| v * v).sum();
    let relative = sum.sqrt() / problem.scale();
    if relative.is_finite() { relative } else { f64::INFINITY }
}

/// `start` where it is usable (right length, finite), else zeros.
pub(crate) fn starting_point(problem: &ContactProblem, start: Option<&[f64]>) -> Vec<f64> {
    match start {
        Some(r) if r.len() == problem.q().len() && r.iter().all(|v| v.is_finite()) => r.to_vec(),
        _ => vec![0.0; problem.q().len()],
    }
}
