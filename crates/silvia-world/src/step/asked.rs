//! What a response method is asked: the island as a task, and how well it is to be solved.

use crate::body::{BodyState, Role};
use crate::response::{Answer, TaskBody, TaskContact};
use crate::settings::Budget;
use crate::step::contacts::Near;
use crate::step::island::Run;
use crate::step::piece::mean_velocity;
use silvia_contact::{Outcome, Settings, Twist};
use silvia_solid::Vec3;

/// A piece below this fraction of the step is a short one, for which solvers may do this many times the work.
const SHORT: f64 = 0.1;
const PATIENCE: usize = 5;

/// Sweeps are doubled so often.
const MOST_DOUBLINGS: u32 = 3;

/// An answer with a larger residual is not used, whatever the solver calls it.
const LARGEST_RESIDUAL: f64 = 1e-6;

impl Run<'_> {
    /// How contact problems over a piece of a length are solved. Where pieces had to be cut short already,
    /// more work is better than still shorter ones.
    pub(crate) fn solver_settings(&self, length: f64) -> Settings {
        let (tolerance, most_iterations) = (self.tolerance(), self.most_iterations());
        let is_short = length < SHORT * self.length;
        let most = if is_short { PATIENCE * most_iterations } else { most_iterations };
        Settings { tolerance, max_iterations: Some(most), ..Settings::default() }
    }

    /// To what residual contact problems are solved.
    pub(crate) fn tolerance(&self) -> f64 {
        let tolerance = self.world.settings.tolerance;
        self.world.settings.interactive.map_or(tolerance, |_| tolerance.max(Budget::RESIDUAL))
    }

    /// Most iterations of a solver.
    pub(crate) fn most_iterations(&self) -> usize {
        let most = self.world.settings.most_iterations;
        self.world.settings.interactive.map_or(most, |budget| budget.iterations.min(most))
    }

    /// Most impacts of the island in a step.
    pub(crate) fn most_impacts(&self) -> usize {
        let most = self.world.settings.most_impacts;
        self.world.settings.interactive.map_or(most, |budget| budget.impacts.min(most))
    }

    /// Sweeps over the contacts of the island, if answers are to be quick; more of them where a piece was cut
    /// already. 0 if they are to be exact.
    pub(crate) fn sweeps(&self, cuts: u32) -> usize {
        match self.world.settings.interactive {
            Some(budget) if self.world.response.handles_sweeps() => {
                budget.iterations.max(1) << cuts.min(MOST_DOUBLINGS)
            }
            _ => 0,
        }
    }

    /// Whether an answer can be tried; of one that is not meant to be exact the certificate is the judge.
    pub(crate) fn is_usable(&self, answer: &Answer, is_exact: bool) -> bool {
        let finite = |t: &Twist| t.linear.is_finite() && t.angular.is_finite();
        let is_good = match answer.outcome {
            Outcome::Solved => true,
            Outcome::Inaccurate | Outcome::OutOfBudget if is_exact => answer.residual <= LARGEST_RESIDUAL,
            Outcome::Inaccurate | Outcome::OutOfBudget => answer.residual.is_finite(),
            Outcome::Unbounded | Outcome::NoSolution => false,
        };
        is_good && answer.velocities.iter().all(finite)
    }

    pub(super) fn task_body(&self, index: usize, flight: &BodyState, length: f64) -> TaskBody<'_> {
        let body = self.body(index);
        let state = &self.states[index];
        let is_movable = index < self.island.movable;
        let velocity = if is_movable { state.velocity } else { mean_velocity(state, flight, length) };
        TaskBody {
            shape: &body.contact_body,
            centre_in_body: body.inertia.centre,
            centre: state.centre,
            rotation: state.rotation,
            inertia: is_movable.then(|| (body.inertia.mass, body.inertia.in_world(state.rotation))),
            velocity,
            free_velocity: if is_movable { flight.velocity } else { velocity },
            scripted_end: matches!(body.role, Role::Fixed | Role::Scripted(_))
                .then(|| self.pose(index, flight)),
        }
    }

    /// A body as impacts see it: nothing moves while they last.
    pub(crate) fn task_body_at_rest(&self, index: usize) -> TaskBody<'_> {
        let state = self.states[index];
        let mut body = self.task_body(index, &state, 1.0);
        body.velocity = state.velocity;
        body.free_velocity = state.velocity;
        body.scripted_end = None;
        body
    }

    pub(crate) fn task_contact(&self, near: &Near, length: f64, guess: Option<&Vec3>) -> TaskContact {
        let pair = &self.pairs[near.pair];
        let numbers = pair.bodies.map(|i| self.island.bodies[i]);
        let key = (numbers, near.name);
        let known = || self.guesses.get(&key).or_else(|| self.world.state.memory.get(&key));
        let force = || known().copied().unwrap_or_default();
        TaskContact {
            bodies: pair.bodies,
            name: near.name,
            start: near.state,
            shell: pair.shell,
            friction: pair.friction,
            restitution: pair.restitution,
            is_kept: near.is_kept,
            guess: guess.copied().unwrap_or_else(|| length * force()),
        }
    }
}
