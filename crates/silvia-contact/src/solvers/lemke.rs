//! Contact problems as linear complementarity problems, solved by Lemke's method (paper 2 §2.2, papers 3 and
//! 4's survey).
//!
//! Friction is that of a pyramid in place of the cone (Stewart and Trinkle 1996, Anitescu and Potra 1997):
//! the tangential impulse is a sum of `beta_j` along `facets` directions, with `sum beta <= mu r_N`, and
//! `lambda` stands for the speed of slip. The pyramid lies inside the cone. Frictionless contacts add one
//! unknown each, the others `facets + 2`.
//!
//! The pyramid touches the cone along its facets' directions only. Turned ([`Lemke::turned`]), each contact's
//! has one of them against the slip that the last answer leads to, or, where it sticks, along the friction
//! that holds it; solved again until nothing turns any more, the friction of sliding contacts is that of the
//! cone.

use crate::lcp::lemke;
use crate::matrix::{Block, block_times};
use crate::problem::ContactProblem;
use crate::residual::residual;
use crate::solver::{Law, Outcome, Report, Settings, Solver, starting_point};

/// Lemke's method, with friction by a pyramid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemke {
    facets: usize,
    is_turned: bool,
}

impl Lemke {
    /// Friction by a pyramid with this many facets, at least 3.
    pub fn new(facets: usize) -> Self {
        Self { facets: facets.max(3), is_turned: false }
    }

    /// The same with one facet of each pyramid turned against the slip, at first against the slip at the
    /// start.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { is_turned: true, ..self }
    }
}

impl Default for Lemke {
    /// Eight facets: directions are off by at most 22.5 degrees, friction by at most 8 %.
    fn default() -> Self {
        Self::new(8)
    }
}

/// A contact that slips slower than this, relative to the problem's velocities, sticks.
const STICKING: f64 = 1e-9;

/// Most solves of a problem while its pyramids turn. Where they do not settle, the best answer is taken.
const MOST_TURNS: usize = 24;

/// What is turned at least of what is left to turn.
const LEAST_SHARE: f64 = 0.05;

/// Most unknowns that are tried: with these the dense tableau takes some ten seconds, and eight times that
/// with twice as many.
const MOST_UNKNOWNS: usize = 1500;

impl Solver for Lemke {
    fn name(&self) -> &'static str {
        "lemke"
    }

    fn law(&self) -> Law {
        Law::CoulombPyramid { facets: self.facets }
    }

    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        if !self.is_turned || problem.is_frictionless() {
            return self.solve_with(problem, &vec![0.0; problem.contacts()], settings);
        }
        let first = directions_against_slip(problem, &starting_point(problem, start));
        let mut turns: Vec<Turn> = first.iter().map(|&angle| Turn::new(angle)).collect();
        let mut best = self.solve_with(problem, &first, settings);
        let mut best_error = residual(problem, &best.r);
        let mut r = best.r.clone();
        for _ in 1..MOST_TURNS {
            if best_error <= settings.tolerance || best.outcome == Outcome::OutOfBudget {
                break;
            }
            let wanted = directions_against_slip(problem, &r);
            turns.iter_mut().zip(wanted).for_each(|(turn, angle)| turn.towards(angle));
            let angles: Vec<f64> = turns.iter().map(|turn| turn.angle).collect();
            let report = self.solve_with(problem, &angles, settings);
            let error = residual(problem, &report.r);
            r.copy_from_slice(&report.r);
            let pivots = best.iterations + report.iterations;
            if error < best_error && report.outcome.severity() <= best.outcome.severity() {
                (best, best_error) = (report, error);
            }
            best.iterations = pivots;
        }
        best
    }
}

impl Lemke {
    /// Solves with pyramids whose first directions are at these angles from the first tangents.
    fn solve_with(&self, problem: &ContactProblem, first: &[f64], settings: &Settings) -> Report {
        let (scaled, factors) = problem.equilibrated();
        let unknowns = unknowns(&scaled, self.facets, first);
        let mut notes = problem.warnings();
        let mut r = vec![0.0; problem.q().len()];
        if unknowns.len() > MOST_UNKNOWNS {
            notes.push(format!("{} unknowns are too many for a dense tableau: use `auto`", unknowns.len()));
            let residual = residual(problem, &r);
            let (u, method, outcome) = (problem.velocities(&r), self.name(), Outcome::OutOfBudget);
            return Report { method, outcome, r, u, residual, iterations: 0, notes, trace: Vec::new() };
        }
        let (m, q) = complementarity_form(&scaled, &unknowns);
        let found = lemke(&m, &q, settings);
        for (unknown, z) in unknowns.iter().zip(&found.z) {
            if let Kind::Push(direction) = unknown.kind {
                for (k, d) in direction.into_iter().enumerate() {
                    r[3 * unknown.contact + k] += z * d * factors[unknown.contact];
                }
            }
        }
        let coulomb = residual(problem, &r);
        let (outcome, residual) = match found.outcome {
            // Without friction the laws are one, and so is the measure.
            Outcome::Solved | Outcome::Inaccurate if problem.is_frictionless() => {
                let solved = coulomb <= settings.tolerance;
                (if solved { Outcome::Solved } else { Outcome::Inaccurate }, coulomb)
            }
            other => (other, if problem.is_frictionless() { coulomb } else { found.residual }),
        };
        notes.push(format!("residual by Coulomb's law: {coulomb:.1e}"));
        Report {
            method: self.name(),
            outcome,
            u: problem.velocities(&r),
            r,
            residual,
            iterations: found.pivots,
            notes,
            trace: Vec::new(),
        }
    }
}

/// The direction of a pyramid on its way to where friction points.
struct Turn {
    angle: f64,
    /// What was left to turn the last time, and what share of it was turned.
    last: Option<(f64, f64)>,
}

impl Turn {
    fn new(angle: f64) -> Self {
        Self { angle, last: None }
    }

    /// Turns towards an angle. Friction turns the slip that it is to be turned against, so that turning all
    /// the way may go to and fro: the share is that by which the last two turns would have met (Aitken).
    fn towards(&mut self, wanted: f64) {
        use std::f64::consts::TAU;
        let left = wanted - self.angle;
        let left = left - TAU * (left / TAU).round();
        let share = match self.last {
            Some((before, share)) if before != left => {
                (share * before / (before - left)).clamp(LEAST_SHARE, 1.0)
            }
            _ => 1.0,
        };
        self.angle += share * left;
        self.last = Some((left, share));
    }
}

/// One unknown of the complementarity problem.
struct Unknown {
    contact: usize,
    kind: Kind,
}

enum Kind {
    /// An impulse along a direction of the contact's frame.
    Push([f64; 3]),
    /// The slip speed of a contact with friction.
    Slip,
}

/// Where friction points under impulses `r`, one angle a contact from the first tangent, rad: against the
/// slip, or along the tangential impulse of one that sticks.
fn directions_against_slip(problem: &ContactProblem, r: &[f64]) -> Vec<f64> {
    let u = problem.velocities(r);
    let angle = |(u, r): (&[f64], &[f64])| {
        if u[1].hypot(u[2]) > STICKING * problem.scale() { (-u[2]).atan2(-u[1]) } else { r[2].atan2(r[1]) }
    };
    u.chunks_exact(3).zip(r.chunks_exact(3)).map(angle).collect()
}

/// The unknowns; `first` is the angle of the first facet's direction of each contact.
fn unknowns(problem: &ContactProblem, facets: usize, first: &[f64]) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for (contact, &mu) in problem.mu().iter().enumerate() {
        unknowns.push(Unknown { contact, kind: Kind::Push([1.0, 0.0, 0.0]) });
        if mu > 0.0 {
            for facet in 0..facets {
                let angle = first[contact] + std::f64::consts::TAU * facet as f64 / facets as f64;
                unknowns.push(Unknown { contact, kind: Kind::Push([0.0, angle.cos(), angle.sin()]) });
            }
            unknowns.push(Unknown { contact, kind: Kind::Slip });
        }
    }
    unknowns
}

/// The matrix (row by row) and vector of the complementarity problem.
fn complementarity_form(problem: &ContactProblem, unknowns: &[Unknown]) -> (Vec<f64>, Vec<f64>) {
    let size = unknowns.len();
    let mut m = vec![0.0; size * size];
    let mut q = vec![0.0; size];
    for (i, row) in unknowns.iter().enumerate() {
        for (j, column) in unknowns.iter().enumerate() {
            m[i * size + j] = match (&row.kind, &column.kind) {
                (Kind::Push(a), Kind::Push(b)) => {
                    problem.w().get(row.contact, column.contact).map_or(0.0, |block| coupling(block, *a, *b))
                }
                // The facets' velocities are raised by the slip speed.
                (Kind::Push(a), Kind::Slip) if row.contact == column.contact && a[0] == 0.0 => 1.0,
                // mu r_N - sum beta >= 0.
                (Kind::Slip, Kind::Push(b)) if row.contact == column.contact => {
                    if b[0] == 1.0 {
                        problem.mu()[row.contact]
                    } else {
                        -1.0
                    }
                }
                _ => 0.0,
            };
        }
        if let Kind::Push(a) = row.kind {
            q[i] = (0..3).map(|k| a[k] * problem.q()[3 * row.contact + k]).sum();
        }
    }
    (m, q)
}

fn coupling(block: &Block, a: [f64; 3], b: [f64; 3]) -> f64 {
    let answer = block_times(block, b);
    a[0] * answer[0] + a[1] * answer[1] + a[2] * answer[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_against_the_slip_the_pyramid_gives_the_cone_s_friction() {
        // Slip in a direction between those of the facets.
        let (size, angle) = (2.0, 0.3_f64);
        let q = vec![-1.0, size * angle.cos(), size * angle.sin()];
        let at = [0, 1, 2];
        let problem = ContactProblem::from_triplets(&at, &at, &[1.0; 3], q, vec![0.5]).unwrap();
        let plain = Lemke::default().solve(&problem, Some(&[0.0; 3]), &Settings::default());
        assert!(residual(&problem, &plain.r) > 1e-2, "the plain pyramid is off");
        let turned = Lemke::default().turned().solve(&problem, Some(&[0.0; 3]), &Settings::default());
        assert!(residual(&problem, &turned.r) < 1e-12, "{:?}", turned.r);
        // From its own answer it stays.
        let again = Lemke::default().turned().solve(&problem, Some(&turned.r), &Settings::default());
        assert!(again.r.iter().zip(&turned.r).all(|(a, b)| (a - b).abs() < 1e-14), "{:?}", again.r);
    }
}
