//! The distance fixpoint of paper 2 §2.2, around any way to solve an island that is linearised.
//!
//! The gap at the end of the step is a nonlinear function of the velocities there. At an iterate `u'` that
//! leads to `s'` it is replaced by its linearisation, `delta(s') + dt N'J'(u - u')`; the contact problem with
//! these gaps gives the next iterate. Where iterates no longer move, the *true* gaps at the end obey the law:
//! none is below its shell, and impulses act only where one is closed. The first iterate is the start of the
//! step (`u' = 0`), not the end of free motion, where bodies may be through and beside each other, so that
//! the contacts that hold them apart now would not be found.
//!
//! Two drivers run it: [`exact`], which wants the law to hold to a hundredth of a shell, and [`quick`], which
//! is content if no gap is crossed. They share the linearisation ([`iterate`]), the choice of the contacts
//! that take part ([`participation`]) and the refusal of answers that create energy ([`energy`]).

mod accuracy;
mod by_gaps;
mod by_problem;
mod by_system;
mod energy;
mod exact;
pub(super) mod iterate;
mod participation;
mod quick;

pub(super) use by_gaps::ByGaps;
pub(super) use by_problem::ByProblem;
pub(super) use by_system::BySystem;
pub(super) use exact::fixpoint;
pub(crate) use quick::Aim;
pub(super) use quick::quick_fixpoint;

use super::problem::{Answer, IslandProblem, Mobility};
use super::tuning;
use crate::buffers::refill;
use crate::profile::{Stage, timed};
use energy::{EnergyScratch, creates_energy};
use iterate::{Iterate, Selection};
use participation::Participation;
use silvia_contact::{Outcome, Settings, System, SystemSolver, Twist};
use silvia_solid::Vec3;

/// A way to solve a linearised island.
pub(in crate::response) trait Inner {
    /// Solves for the contacts that take part, starting from one impulse for each of them.
    fn solve(
        &self,
        at: &Linearised<'_>,
        start: &[Vec3],
        settings: &Settings,
        scratch: &mut SolverScratch,
    ) -> Solution;
}

/// An island linearised at an iterate.
pub(in crate::response) struct Linearised<'a> {
    /// What is asked of the island.
    pub(in crate::response) demands: Demands<'a>,
    /// Where it is linearised.
    pub(in crate::response) iterate: &'a Iterate,
    /// The contacts that take part, ascending; numbered as in the problem.
    pub(in crate::response) taken: &'a [usize],
    /// A velocity that moves no gap by anything that matters, m/s.
    pub(in crate::response) still: f64,
    /// Whether bodies at rest are to stay there: a solver then goes on to more digits.
    pub(in crate::response) may_rest: bool,
}

/// An island, and the least gap that each of its contacts is to have at the end, m.
#[derive(Clone, Copy)]
pub(in crate::response) struct Demands<'a> {
    pub(in crate::response) problem: &'a IslandProblem<'a>,
    pub(in crate::response) targets: &'a [f64],
}

/// The answer of a way to solve a linearised island.
pub(in crate::response) struct Solution {
    /// The velocities of all bodies at the end.
    pub(in crate::response) velocities: Vec<Twist>,
    /// The impulses on the second bodies of the contacts that take part, N s.
    pub(in crate::response) impulses: Vec<Vec3>,
    /// How the solver ended.
    pub(in crate::response) outcome: Outcome,
    /// By the solver's own law.
    pub(in crate::response) residual: f64,
    /// Iterations of the solver.
    pub(in crate::response) iterations: usize,
    /// What a user should know.
    notes: Vec<String>,
}

/// Memory of the fixpoint, kept from answer to answer.
#[derive(Debug, Default)]
pub(super) struct FixpointScratch {
    /// Where the fixpoint is, and where it goes next.
    pub(in crate::response) iterates: [Iterate; 2],
    participations: Vec<Participation>,
    /// The least gap of each contact at the end, m.
    pub(in crate::response) targets: Vec<f64>,
    /// How fast each contact may close in a quick answer, m/s.
    slack: Vec<f64>,
    pub(in crate::response) selection: Selection,
    /// Impulses to start from.
    pub(in crate::response) start: Vec<Vec3>,
    mobilities: Vec<Mobility>,
    pub(in crate::response) solver: SolverScratch,
    energy: EnergyScratch,
}

/// Memory of what solves a linearised island.
#[derive(Clone, Debug, Default)]
pub(in crate::response) struct SolverScratch {
    system: System,
    pub(in crate::response) solver: SystemSolver,
    slack: Vec<f64>,
}

impl FixpointScratch {
    /// Prepares the first round: targets, the first iterate, and who takes part there. `impulses` become
    /// those of the last step.
    pub(in crate::response) fn begin(
        &mut self,
        problem: &IslandProblem<'_>,
        impulses: &mut Vec<Vec3>,
        target: impl Fn(&IslandProblem<'_>, usize) -> f64,
    ) {
        let contacts = 0..problem.contacts.len();
        refill(&mut self.targets, contacts.clone().map(|k| target(problem, k)));
        let [at, _] = &mut self.iterates;
        match problem.nearby {
            Some(velocities) => at.put_after(problem, velocities),
            None => at.put_at_start(problem),
        }
        refill(impulses, problem.contacts.iter().map(|c| c.guess));
        refill(&mut self.participations, contacts.map(|k| Participation::new(problem, at, k)));
        refill(&mut self.mobilities, problem.bodies.iter().map(|body| body.mobility()));
    }

    /// Selects the contacts of a round: those that take part, without those that others imply; and the
    /// impulses to start from.
    pub(in crate::response) fn select(&mut self, problem: &IslandProblem<'_>, impulses: &[Vec3]) {
        let FixpointScratch { iterates: [at, _], participations, targets, selection, start, .. } = self;
        let demands = Demands { problem, targets };
        refill(&mut selection.by_bodies, (0..participations.len()).filter(|&k| participations[k].is_taken));
        let leave_out = || at.leave_out_implied(demands, impulses, selection);
        timed(problem.watch, Stage::Assemble, |()| 0, leave_out);
        at.put_start(problem, impulses, selection, start);
    }

    /// The work of a round: contacts looked at, and solved for.
    pub(in crate::response) fn work(&self, solution: &Solution) -> usize {
        self.participations.len() + solution.iterations * self.selection.left.len()
    }

    /// Moves on to the iterate that a solution leads to. `impulses` become those of the solution.
    fn advance(&mut self, problem: &IslandProblem<'_>, solution: &Solution, impulses: &mut [Vec3]) {
        impulses.fill(Vec3::ZERO);
        for (&k, &impulse) in self.selection.left.iter().zip(&solution.impulses) {
            impulses[k] = impulse;
        }
        let [_, next] = &mut self.iterates;
        let contacts = self.participations.len();
        let put = || next.put_after(problem, &solution.velocities);
        timed(problem.watch, Stage::Integrate, |()| contacts, put);
    }
}

/// Ends the fixpoint at one of its two iterates: hands it over to the answer, whose residual becomes infinite
/// if its impulses create energy; whether they do.
fn finish(
    scratch: &mut FixpointScratch,
    problem: &IslandProblem<'_>,
    iterate: usize,
    is_quick: bool,
    answer: &mut Answer,
) -> bool {
    let FixpointScratch { iterates, targets, slack, energy, .. } = scratch;
    let demands = Demands { problem, targets };
    let slack = is_quick.then_some(&slack[..]);
    let is_absurd = creates_energy(demands, &iterates[iterate], &answer.impulses, slack, energy);
    if is_absurd {
        answer.residual = f64::INFINITY;
    }
    iterates[iterate].give(answer);
    is_absurd
}

/// Whether velocities are numbers to compute with.
pub(super) fn are_in_range(problem: &IslandProblem<'_>, velocities: &[Twist]) -> bool {
    let fits = |v: Vec3| v.is_finite() && v.abs().max_element() <= tuning::FASTEST;
    velocities.len() == problem.bodies.len() && velocities.iter().all(|v| fits(v.linear) && fits(v.angular))
}

/// The answer where there are no velocities to compute with.
fn out_of_range(problem: &IslandProblem<'_>, solution: Solution, (rounds, work): (usize, usize)) -> Answer {
    let outcome = if solution.outcome == Outcome::Solved { Outcome::Inaccurate } else { solution.outcome };
    let mut notes = solution.notes;
    if !solution.velocities.is_empty() {
        notes.push("velocities ran out of the range of numbers".to_owned());
    }
    let residual = solution.residual;
    Answer { outcome, residual, iterations: rounds, work, ..Answer::unsolved(problem, notes) }
}

/// What of a gap is rounding of where the bodies are, m.
fn rounding(problem: &IslandProblem<'_>, at: &Iterate, contact: usize) -> f64 {
    const UNITS: f64 = 16.0;
    let largest = |v: Vec3| v.abs().max_element();
    let [a, b] = problem.contacts[contact].bodies;
    let bodies = largest(at.poses[a].translation()).max(largest(at.poses[b].translation()));
    UNITS * f64::EPSILON * bodies.max(largest(at.states[contact].points[0]))
}
