//! The default: islands apart and at once, Gauss-Seidel while it is quick, then the proximal Newton method.
//!
//! For each island: some Gauss-Seidel sweeps, on as long as their rate promises the tolerance soon; else the proximal
//! method from where they got. Where that stalls, more sweeps carry the impulses elsewhere and it is tried again; ADMM
//! is the last resort. Each fallback is noted in the report. All decisions are by counts and residuals, so the same
//! input gives the same bits on any machine of a kind and any number of threads.

use rayon::prelude::*;

use super::{admm, gauss_seidel, proximal};
use crate::certificate::{proven_by_contact, proven_by_growth};
use crate::islands::{island_problems, islands};
use crate::newton::Ending;
use crate::problem::ContactProblem;
use crate::solver::{Deadline, Law, Outcome, Progress, Report, Settings, Solver, starting_point};

/// Gauss-Seidel sweeps before its rate is first judged, and between judgements.
const SWEEPS_PER_JUDGEMENT: usize = 12;
/// Sweeps go on while their rate promises the tolerance within this many.
const PROMISING_SWEEPS: f64 = 120.0;
/// Sweeps between two attempts of the proximal method.
const SWEEPS_BETWEEN_ATTEMPTS: usize = 1500;
/// Attempts of the proximal method.
const ATTEMPTS: usize = 3;
/// All iterations of an island together before giving up, unless the settings say otherwise.
const DEFAULT_ITERATIONS: usize = 60_000;

/// The solver to use when there is no reason for another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Solver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn law(&self) -> Law {
        Law::Coulomb
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let groups = islands(problem.w());
        let first = starting_point(problem, start);
        let deadline = settings.deadline();
        if groups.len() <= 1 {
            return solve_island(problem, &first, settings, deadline);
        }
        let parts = island_problems(problem, &groups);
        let reports: Vec<Report> = parts
            .par_iter()
            .zip(&groups)
            .map(|(part, contacts)| {
                let start: Vec<f64> =
                    contacts.iter().flat_map(|&c| first[3 * c..3 * c + 3].iter().copied()).collect();
                solve_island(part, &start, settings, deadline)
            })
            .collect();
        joined(problem, &groups, reports, settings)
    }
}

/// Solves contacts that all act on each other.
fn solve_island(problem: &ContactProblem, start: &[f64], settings: &Settings, deadline: Deadline) -> Report {
    let mut progress = Progress::until(deadline, problem, settings, DEFAULT_ITERATIONS);
    let mut r = start.to_vec();
    let mut notes = Vec::new();
    let mut proven = sweep_while_promising(problem, &mut r, &mut progress, settings.tolerance);
    for attempt in 0..ATTEMPTS {
        if progress.solved() || progress.exhausted() || proven.is_some() {
            break;
        }
        // Newton's method likes to come from the middle of the cones (zero impulses and much smoothing) better than from
        // their boundary, where sweeps leave it: so first cold, then from the best answer.
        let mut from = start.to_vec();
        if attempt > 0 {
            notes.push(format!(
                "proximal stalled at {:.1e}; sweeping before attempt {}",
                progress.best_residual,
                attempt + 1
            ));
            r.copy_from_slice(&progress.best);
            let most = SWEEPS_BETWEEN_ATTEMPTS << (attempt - 1);
            gauss_seidel::sweep_at_most(problem, &mut r, &mut progress, most);
            from.copy_from_slice(&progress.best);
        }
        if let Ending::Proven(outcome) = proximal::iterate(problem, &from, &mut progress) {
            proven = Some(outcome);
        }
    }
    if !progress.solved() && !progress.exhausted() && proven.is_none() {
        notes.push(format!("proximal stalled at {:.1e}; fell back to admm", progress.best_residual));
        let best = progress.best.clone();
        admm::iterate(problem, &best, &mut progress);
    }
    let unproven = if progress.exhausted() { Outcome::OutOfBudget } else { Outcome::Inaccurate };
    let otherwise = proven.unwrap_or(unproven);
    let mut report = progress.report("auto", otherwise);
    report.notes.extend(notes);
    report
}

/// Gauss-Seidel as long as it promises to be done soon and every contact has an answer alone; what is proven meanwhile.
fn sweep_while_promising(
    problem: &ContactProblem,
    r: &mut [f64],
    progress: &mut Progress<'_>,
    tolerance: f64,
) -> Option<Outcome> {
    let mut before = f64::INFINITY;
    loop {
        let start = r.to_vec();
        if let Some(contact) = gauss_seidel::sweep_at_most(problem, r, progress, SWEEPS_PER_JUDGEMENT) {
            return proven_by_contact(problem, contact);
        }
        if progress.solved() || progress.exhausted() {
            return None;
        }
        if let Some(proven) = proven_by_growth(problem, &start, r) {
            return Some(proven);
        }
        let now = progress.last_residual();
        if before.is_finite() {
            let rate = (now / before).ln() / SWEEPS_PER_JUDGEMENT as f64;
            let needed = (tolerance / now).ln() / rate;
            if rate >= 0.0 || needed.is_nan() || needed > PROMISING_SWEEPS {
                return None;
            }
        }
        before = now;
    }
}

/// One report for the whole from those of its islands.
fn joined(
    problem: &ContactProblem,
    groups: &[Vec<usize>],
    reports: Vec<Report>,
    settings: &Settings,
) -> Report {
    let mut progress = Progress::new(problem, settings, usize::MAX);
    let mut r = vec![0.0; problem.q().len()];
    let mut notes = Vec::new();
    let mut worst = Outcome::Inaccurate;
    for (contacts, report) in groups.iter().zip(&reports) {
        for (at, &c) in contacts.iter().enumerate() {
            r[3 * c..3 * c + 3].copy_from_slice(&report.r[3 * at..3 * at + 3]);
        }
        progress.iterations += report.iterations;
        notes.extend(report.notes.iter().map(|note| format!("island of contact {}: {note}", contacts[0])));
        if matches!(report.outcome, Outcome::NoSolution | Outcome::OutOfBudget) {
            worst = report.outcome;
        }
    }
    let u = problem.velocities(&r);
    progress.offer(&r, &u);
    let mut joined = progress.report("auto", worst);
    joined.notes.extend(notes);
    joined
}
