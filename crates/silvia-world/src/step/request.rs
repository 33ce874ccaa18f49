//! What is asked of solvers: how exactly, and with how much work.

use crate::response::{Answer, QuickResponse};
use crate::settings::Budget;
use crate::step::island::IslandNow;
use crate::step::tuning;
use silvia_contact::{Outcome, Settings, Twist};

/// Whether an answer is to be exact or quick.
#[derive(Clone, Copy)]
pub(super) enum Effort<'a> {
    /// To the tolerance of the settings.
    Exact,
    /// The same, but contacts need not regain what they lack of their shells.
    Relaxed,
    /// As near to that as it can be had: shorter pieces did not help.
    AsExactAsCanBe,
    /// By the work of at most so many sweeps over the contacts.
    Quick { method: &'a dyn QuickResponse, sweeps: usize },
    /// No forces are asked for, but the motion nearest to free flight that crosses no contact.
    NearestMotion,
}

impl<'a> IslandNow<'a> {
    /// Interactive worlds want quick answers, if the method has them. Others want exact ones, until there
    /// were none so often (`unsolved`).
    pub(super) fn effort(&self, unsolved: usize) -> Effort<'a> {
        match (self.world.settings.interactive, self.world.response.quick()) {
            (Some(budget), Some(method)) => Effort::Quick { method, sweeps: budget.iterations.max(1) },
            _ if unsolved >= tuning::MOST_UNSOLVED => Effort::AsExactAsCanBe,
            _ if unsolved > 0 => Effort::Relaxed,
            _ => Effort::Exact,
        }
    }

    /// Attempts of the island in a step that may fail. After them it gives way.
    pub(super) fn most_attempts(&self) -> usize {
        match self.world.settings.interactive {
            Some(_) => tuning::QUICK_ATTEMPTS,
            None => tuning::MOST_ATTEMPTS,
        }
    }

    /// Whether the island may rebound once more in this step.
    pub(super) fn may_rebound(&self) -> bool {
        self.rebounds < self.most_impacts()
    }

    /// Most impacts of the island in a step.
    pub(super) fn most_impacts(&self) -> usize {
        let most = self.world.settings.most_impacts;
        self.world.settings.interactive.map_or(most, |budget| budget.impacts.min(most))
    }

    /// The residual to which contact problems are solved.
    fn tolerance(&self) -> f64 {
        let tolerance = self.world.settings.tolerance;
        self.world.settings.interactive.map_or(tolerance, |_| tolerance.max(Budget::RESIDUAL))
    }

    /// Most iterations of a solver.
    fn most_iterations(&self) -> usize {
        let most = self.world.settings.most_iterations;
        self.world.settings.interactive.map_or(most, |budget| budget.iterations.min(most))
    }
}

/// How contact problems are solved.
pub(super) fn solver_settings(now: &IslandNow<'_>) -> Settings {
    let most = now.most_iterations();
    Settings { tolerance: now.tolerance(), max_iterations: Some(most), ..Settings::default() }
}

/// How impacts are solved.
pub(super) fn impact_settings(now: &IslandNow<'_>) -> Settings {
    let tolerance = match now.world.settings.interactive {
        Some(_) => now.tolerance(),
        None => now.tolerance().min(tuning::IMPACT_TOLERANCE),
    };
    Settings { tolerance, ..solver_settings(now) }
}

/// Whether an answer to a problem of so many bodies and contacts is good enough to be tried. The certificate
/// judges it in any case; of a quick answer it is the only judge.
pub(super) fn can_be_tried(answer: &Answer, effort: Effort<'_>, bodies: usize, contacts: usize) -> bool {
    let is_complete = answer.velocities.len() == bodies && answer.impulses.len() == contacts;
    let is_finite = |t: &Twist| t.linear.is_finite() && t.angular.is_finite();
    let is_good = match (answer.outcome, effort) {
        (Outcome::Solved, _) => true,
        (Outcome::Inaccurate | Outcome::OutOfBudget, Effort::Exact | Effort::Relaxed) => {
            answer.residual <= tuning::LARGEST_RESIDUAL
        }
        (Outcome::Inaccurate | Outcome::OutOfBudget, Effort::AsExactAsCanBe | Effort::Quick { .. }) => {
            answer.residual.is_finite()
        }
        (_, Effort::NearestMotion) => true,
        (Outcome::Unbounded | Outcome::NoSolution, _) => false,
    };
    is_complete
        && is_good
        && answer.velocities.iter().all(is_finite)
        && answer.impulses.iter().all(|impulse| impulse.is_finite())
}
