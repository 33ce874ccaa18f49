//! The default: islands apart and at once, Gauss-Seidel while it is quick, then the proximal Newton method.
//!
//! For each island: some Gauss-Seidel sweeps, on as long as their rate promises the *tolerance* soon; else a
//! Newton method. Which one goes by *size* and *rank*: small islands whose `W` has full rank have one answer,
//! which plain Fischer-Newton finds; all others are taken for redundant, as rigid scenes are, and get the
//! proximal method. Where that stalls, more sweeps carry the impulses elsewhere and it is tried again; ADMM
//! is the last resort. The notes of the report say which method answered and each fallback. All decisions are
//! by counts and residuals, so the same input gives the same bits on any machine of a kind and any number of
//! threads.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{admm, fischer, gauss_seidel, proximal};
use crate::certificate::{proven_by_contact, proven_by_growth};
use crate::fischer_newton::Ending;
use crate::islands::{island_problems, islands};
use crate::linalg::eigenvalues_exceed;
use crate::problem::ContactProblem;
use crate::solver::{Deadline, Law, Outcome, Progress, Report, Settings, Solver, TracePoint, starting_point};
use crate::tuning::{auto as tuning, factorisation::DENSE_ROWS};

/// The default solver over contacts: use it unless there is a reason for another.
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
            let mut report = solve_island(problem, &first, settings, deadline);
            report.notes.push(format!("answered by {}", report.method));
            report.method = self.name();
            return report;
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
        joined(problem, &groups, &parts, &reports, settings)
    }
}

/// Solves contacts that all act on each other; the method of the report is the one that answered.
fn solve_island(problem: &ContactProblem, start: &[f64], settings: &Settings, deadline: Deadline) -> Report {
    let mut progress = Progress::until(deadline, problem, settings, tuning::DEFAULT_ITERATIONS);
    let mut r = start.to_vec();
    let mut notes = Vec::new();
    let mut method = "gauss-seidel";
    let mut proven = sweep_while_promising(problem, &mut r, &mut progress, settings.tolerance);
    if !progress.solved() && !progress.exhausted() && proven.is_none() && has_one_answer(problem) {
        method = "fischer";
        fischer::iterate(problem, start, tuning::FISCHER_ITERATIONS, &mut progress);
        if !progress.solved() {
            notes.push(format!("fischer stalled at {:.1e}; fell back to proximal", progress.best_residual));
        }
    }
    for attempt in 0..tuning::ATTEMPTS {
        if progress.solved() || progress.exhausted() || proven.is_some() {
            break;
        }
        // Newton's method likes to come from the middle of the cones (zero impulses and much smoothing)
        // better than from their boundary, where sweeps leave it: so first cold, then from the best answer.
        let mut from = start.to_vec();
        method = "proximal";
        if attempt > 0 {
            notes.push(format!(
                "proximal stalled at {:.1e}; sweeping before attempt {}",
                progress.best_residual,
                attempt + 1
            ));
            r.copy_from_slice(&progress.best);
            let most = tuning::SWEEPS_BETWEEN_ATTEMPTS << (attempt - 1);
            gauss_seidel::sweep_at_most(problem, &mut r, &mut progress, most);
            if progress.solved() {
                method = "gauss-seidel";
                break;
            }
            from.copy_from_slice(&progress.best);
        }
        if let Ending::Proven(outcome) = proximal::iterate(problem, &from, &mut progress) {
            proven = Some(outcome);
        }
    }
    if !progress.solved() && !progress.exhausted() && proven.is_none() {
        notes.push(format!("proximal stalled at {:.1e}; fell back to admm", progress.best_residual));
        method = "admm";
        let best = progress.best.clone();
        admm::iterate(problem, &best, &mut progress);
    }
    let unproven = if progress.exhausted() { Outcome::OutOfBudget } else { Outcome::Inaccurate };
    let otherwise = proven.unwrap_or(unproven);
    let mut report = progress.report(method, otherwise);
    report.notes.extend(notes);
    report
}

/// Whether `W` is small enough for its rank to be found cheaply, and that is full: impulses are then unique,
/// but for what friction leaves open.
fn has_one_answer(problem: &ContactProblem) -> bool {
    3 * problem.contacts() <= DENSE_ROWS
        && eigenvalues_exceed(problem.equilibrated().0.w(), tuning::LEAST_EIGENVALUE)
}

/// Gauss-Seidel as long as it promises to be done soon and every contact has an answer alone; what is proven
/// meanwhile.
fn sweep_while_promising(
    problem: &ContactProblem,
    r: &mut [f64],
    progress: &mut Progress<'_>,
    tolerance: f64,
) -> Option<Outcome> {
    let mut before = f64::INFINITY;
    loop {
        let start = r.to_vec();
        if let Some(contact) = gauss_seidel::sweep_at_most(problem, r, progress, tuning::SWEEPS_PER_JUDGEMENT)
        {
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
            let rate = (now / before).ln() / tuning::SWEEPS_PER_JUDGEMENT as f64;
            let needed = (tolerance / now).ln() / rate;
            if rate >= 0.0 || needed.is_nan() || needed > tuning::PROMISING_SWEEPS {
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
    parts: &[ContactProblem],
    reports: &[Report],
    settings: &Settings,
) -> Report {
    let mut progress = Progress::new(problem, settings, usize::MAX);
    let mut r = vec![0.0; problem.q().len()];
    let mut notes = Vec::new();
    let mut worst = Outcome::Inaccurate;
    let mut answered: BTreeMap<&str, usize> = BTreeMap::new();
    for (contacts, report) in groups.iter().zip(reports) {
        for (at, &c) in contacts.iter().enumerate() {
            r[3 * c..3 * c + 3].copy_from_slice(&report.r[3 * at..3 * at + 3]);
        }
        progress.iterations += report.iterations;
        notes.extend(report.notes.iter().map(|note| format!("island of contact {}: {note}", contacts[0])));
        if report.outcome.severity() > worst.severity() {
            worst = report.outcome;
        }
        *answered.entry(report.method).or_default() += 1;
    }
    let u = problem.velocities(&r);
    progress.offer(&r, &u);
    let mut joined = progress.report("auto", worst);
    if worst.denies() {
        // However small its share of the whole, an island without a solution leaves the whole without one.
        joined.outcome = worst;
    }
    let counts: Vec<String> = answered.iter().map(|(method, count)| format!("{method} {count}")).collect();
    notes.push(format!("{} islands, answered by: {}", groups.len(), counts.join(", ")));
    joined.notes.extend(notes);
    joined.trace = merged_trace(problem, parts, reports);
    joined
}

/// The residual of the whole over time, from those of the islands: squares add up, each by its scale.
fn merged_trace(problem: &ContactProblem, parts: &[ContactProblem], reports: &[Report]) -> Vec<TracePoint> {
    let mut events: Vec<(usize, TracePoint)> = Vec::new();
    for (island, report) in reports.iter().enumerate() {
        events.extend(report.trace.iter().map(|&point| (island, point)));
    }
    events.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    // Before its first measurement an island stands at zero impulses, which is what it measures first.
    let zero = |report: &Report| TracePoint { seconds: 0.0, iteration: 0, ..report.trace[0] };
    let mut last: Vec<TracePoint> = reports.iter().filter(|r| !r.trace.is_empty()).map(zero).collect();
    if last.len() != reports.len() {
        return Vec::new();
    }
    let square = |island: usize, residual: f64| (residual * parts[island].scale() / problem.scale()).powi(2);
    let mut sum: f64 = last.iter().enumerate().map(|(island, point)| square(island, point.residual)).sum();
    let mut iteration = 0;
    events
        .into_iter()
        .map(|(island, point)| {
            sum += square(island, point.residual) - square(island, last[island].residual);
            iteration += point.iteration - last[island].iteration;
            last[island] = point;
            TracePoint { seconds: point.seconds, iteration, residual: sum.max(0.0).sqrt() }
        })
        .collect()
}
