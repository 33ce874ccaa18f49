//! Solving an island for its true gaps, which are nonlinear functions of the contact impulses (papers 1 §3
//! and 2 §2.1), without friction.
//!
//! `sigma(f)`: impulses `f` along the normals of an iterate give velocities, and these the poses at the end;
//! `delta(sigma(f))` are the gaps there. Their derivative by an impulse is `N'J' dt M^-1 J N`, primes for
//! what is at the end.

use super::iterate::Iterate;
use super::{Demands, Inner, Linearised, Solution, SolverScratch, are_in_range};
use crate::response::problem::IslandProblem;
use silvia_contact::{GapFunction, GapReport, Outcome, Settings, Twist};
use silvia_solid::Vec3;

/// Gaps are solved for to this fraction of the least shell, which is some thousandth of what iterates may
/// differ by.
const GOAL: f64 = 1e-4;

/// Gaps that are right to this fraction of the least shell will do.
const GOOD_ENOUGH: f64 = 1e-2;

/// The islands of a fixpoint as gap functions.
pub(in crate::response) struct ByGaps<S> {
    /// Solves one, from impulses; an iteration is one of Newton's.
    pub(in crate::response) solve: S,
}

impl<S: Fn(&dyn GapFunction, &[f64], &Settings) -> GapReport> Inner for ByGaps<S> {
    fn solve(
        &self,
        at: &Linearised<'_>,
        start: &[Vec3],
        settings: &Settings,
        _: &mut SolverScratch,
    ) -> Solution {
        let gaps = TrueGaps::new(at.demands, at.iterate, at.taken);
        let problem = at.demands.problem;
        let along = |(&k, impulse): (&usize, &Vec3)| impulse.dot(at.iterate.states[k].normal).max(0.0);
        let start: Vec<f64> = at.taken.iter().zip(start).map(along).collect();
        let free = gaps.gaps(&vec![0.0; gaps.contacts()]).iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        let shell = at.taken.iter().map(|&k| problem.contacts[k].shell).fold(f64::INFINITY, f64::min);
        let tolerance = if free > 0.0 { (GOAL * shell / free).min(1.0) } else { settings.tolerance };
        let report = (self.solve)(&gaps, &start, &Settings { tolerance, ..settings.clone() });
        let is_good = report.residual * free <= GOOD_ENOUGH * shell;
        let impulse = |(&k, &f): (&usize, &f64)| f * at.iterate.states[k].normal;
        Solution {
            velocities: gaps.velocities(&report.f),
            impulses: at.taken.iter().zip(&report.f).map(impulse).collect(),
            outcome: if is_good { Outcome::Solved } else { report.outcome },
            residual: report.residual,
            iterations: report.iterations,
            notes: Vec::new(),
        }
    }
}

/// The gaps of some contacts above their targets, at the end of the step, as functions of the normal
/// impulses.
pub(super) struct TrueGaps<'a> {
    demands: Demands<'a>,
    taken: &'a [usize],
    /// What a unit impulse at each contact changes of the velocities of its two bodies.
    answers: Vec<[Twist; 2]>,
}

impl<'a> TrueGaps<'a> {
    /// With impulses that act as they would at an iterate.
    fn new(demands: Demands<'a>, at: &Iterate, taken: &'a [usize]) -> TrueGaps<'a> {
        let problem = demands.problem;
        let mobilities: Vec<_> = problem.bodies.iter().map(|body| body.mobility()).collect();
        let answers = taken.iter().map(|&k| {
            let [on_a, on_b] = at.row(problem, k).derivatives();
            let [a, b] = problem.contacts[k].bodies;
            [mobilities[a].change(on_a), mobilities[b].change(on_b)]
        });
        TrueGaps { demands, taken, answers: answers.collect() }
    }

    fn problem(&self) -> &'a IslandProblem<'a> {
        self.demands.problem
    }

    /// Of all bodies at the end of the step.
    fn velocities(&self, f: &[f64]) -> Vec<Twist> {
        let mut velocities: Vec<Twist> = self.problem().bodies.iter().map(|b| b.free_velocity).collect();
        for ((&k, answers), &f) in self.taken.iter().zip(&self.answers).zip(f) {
            for (body, answer) in self.problem().contacts[k].bodies.into_iter().zip(answers) {
                velocities[body].linear += f * answer.linear;
                velocities[body].angular += f * answer.angular;
            }
        }
        velocities
    }
}

impl GapFunction for TrueGaps<'_> {
    fn contacts(&self) -> usize {
        self.taken.len()
    }

    fn gaps(&self, f: &[f64]) -> Vec<f64> {
        let velocities = self.velocities(f);
        if !are_in_range(self.problem(), &velocities) {
            // No answer: solvers take it for that and try smaller forces.
            return Vec::new();
        }
        let poses = self.problem().poses_after(&velocities);
        self.taken.iter().map(|&k| self.problem().state_at(k, &poses).gap - self.demands.targets[k]).collect()
    }

    fn jacobian(&self, f: &[f64]) -> Vec<f64> {
        let velocities = self.velocities(f);
        if !are_in_range(self.problem(), &velocities) {
            return Vec::new();
        }
        let end = Iterate::after(self.problem(), &velocities);
        let size = self.taken.len();
        let mut jacobian = vec![0.0; size * size];
        for (i, &k) in self.taken.iter().enumerate() {
            let bodies = self.problem().contacts[k].bodies;
            let derivatives = end.row(self.problem(), k).derivatives();
            for (j, &l) in self.taken.iter().enumerate() {
                for (body, by) in bodies.into_iter().zip(&derivatives) {
                    for (other, answer) in self.problem().contacts[l].bodies.into_iter().zip(&self.answers[j])
                    {
                        if body == other {
                            let rate = by.linear.dot(answer.linear) + by.angular.dot(answer.angular);
                            jacobian[i * size + j] += self.problem().time_step * rate;
                        }
                    }
                }
            }
        }
        jacobian
    }
}
