//! Gauss-Seidel: each contact in turn is solved exactly with the others held.
//!
//! Contacts are coloured so that no two of one colour touch the same row of `W`; those of a colour do not see
//! each other's change, so they can be solved in any order or at once, and the result does not depend on the
//! number of threads. Best for large problems and loose tolerances; it converges slowly where masses differ
//! much.

use rayon::prelude::*;

use crate::certificate::{proven_by_contact, proven_by_growth};
use crate::cone::solve_alone;
use crate::matrix::{BlockMatrix, block_times, triple};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};
use crate::tuning::gauss_seidel as tuning;

/// Sweeps before giving up, unless the settings say otherwise.
const DEFAULT_SWEEPS: usize = 100_000;

/// The Gauss-Seidel solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct GaussSeidel;

impl Solver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn law(&self) -> Law {
        Law::Coulomb
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let mut progress = Progress::new(problem, settings, DEFAULT_SWEEPS);
        let mut r = starting_point(problem, start);
        let (otherwise, unanswered) = iterate(problem, &mut r, &mut progress);
        let mut report = progress.report(self.name(), otherwise);
        if let Some(contact) = unanswered {
            report.notes.push(format!(
                "contact {contact} closes but its block of W has no answer to a push: use `auto` or \
                 `proximal`"
            ));
        }
        report
    }
}

/// Sweeps until the progress says to stop, until no solution is proven, or until a contact has no answer;
/// says the outcome where it is not solved, and that contact.
fn iterate(problem: &ContactProblem, r: &mut [f64], progress: &mut Progress<'_>) -> (Outcome, Option<usize>) {
    let first = problem.velocities(r);
    progress.offer(r, &first);
    while !progress.solved() && !progress.exhausted() {
        let before = r.to_vec();
        if let Some(contact) = sweep_at_most(problem, r, progress, tuning::SWEEPS_BETWEEN_PROOFS) {
            let proven = proven_by_contact(problem, contact);
            return (proven.unwrap_or(Outcome::Inaccurate), Some(contact));
        }
        if let Some(proven) = proven_by_growth(problem, &before, r) {
            return (proven, None);
        }
    }
    (Outcome::OutOfBudget, None)
}

/// At most `most` sweeps, the last of which is measured; names a contact that has no answer.
pub(crate) fn sweep_at_most(
    problem: &ContactProblem,
    r: &mut [f64],
    progress: &mut Progress<'_>,
    most: usize,
) -> Option<usize> {
    let colours = colouring(problem.w());
    let mut done = 0;
    while done < most && !progress.solved() && !progress.exhausted() {
        if let Some(contact) = sweep(problem, &colours, r) {
            return Some(contact);
        }
        progress.iterations += 1;
        done += 1;
        if done % tuning::SWEEPS_BETWEEN_CHECKS == 0 || done == 1 || done == most || progress.exhausted() {
            let u = problem.velocities(r);
            progress.offer(r, &u);
        }
    }
    None
}

/// One pass over all contacts, colour by colour.
fn sweep(problem: &ContactProblem, colours: &[Vec<usize>], r: &mut [f64]) -> Option<usize> {
    for colour in colours {
        if colour.len() < tuning::PARALLEL_CONTACTS {
            for &contact in colour {
                match relax(problem, contact, r) {
                    Some(new) => r[3 * contact..3 * contact + 3].copy_from_slice(&new),
                    None => return Some(contact),
                }
            }
        } else {
            let held: &[f64] = r;
            let solved: Vec<_> = colour.par_iter().map(|&contact| relax(problem, contact, held)).collect();
            for (&contact, new) in colour.iter().zip(solved) {
                match new {
                    Some(new) => r[3 * contact..3 * contact + 3].copy_from_slice(&new),
                    None => return Some(contact),
                }
            }
        }
    }
    None
}

/// The exact impulse of one contact with the others held.
fn relax(problem: &ContactProblem, contact: usize, r: &[f64]) -> Option<[f64; 3]> {
    let w = problem.w();
    let diagonal = w.diagonal(contact);
    let total = w.row_times(contact, r);
    let own = block_times(diagonal, triple(r, contact));
    let q = triple(problem.q(), contact);
    let free = [total[0] - own[0] + q[0], total[1] - own[1] + q[1], total[2] - own[2] + q[2]];
    solve_alone(diagonal, free, problem.mu()[contact])
}

/// Groups of contacts of which no two share a block of `W`, by the greedy rule in contact order.
fn colouring(w: &BlockMatrix) -> Vec<Vec<usize>> {
    let mut colour_of = vec![usize::MAX; w.size()];
    let mut colours: Vec<Vec<usize>> = Vec::new();
    let mut taken_by = Vec::new();
    // A neighbour may be stored in one direction only (W need not be symmetric), so both are looked at.
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); w.size()];
    for row in 0..w.size() {
        for &column in w.row(row).0 {
            neighbours[row].push(column);
            neighbours[column].push(row);
        }
    }
    for contact in 0..w.size() {
        taken_by.resize(colours.len() + 1, usize::MAX);
        for &other in &neighbours[contact] {
            if colour_of[other] != usize::MAX {
                taken_by[colour_of[other]] = contact;
            }
        }
        let free = taken_by.iter().position(|&by| by != contact).unwrap_or(colours.len());
        if free == colours.len() {
            colours.push(Vec::new());
        }
        colour_of[contact] = free;
        colours[free].push(contact);
    }
    colours
}
