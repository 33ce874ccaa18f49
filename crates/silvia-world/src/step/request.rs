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
    /// What an interactive world spends on a step.
    pub(super) fn quick_budget(&self) -> Option<Budget> {
        self.world.settings.interactive.filter(|_| !self.spent.is_patient())
    }

    /// Interactive worlds want quick answers, if the method has them. Others want exact ones, until there
    /// were none so often (`unsolved`), or there is not much left to spend on them.
    pub(super) fn effort(&self, unsolved: usize, contacts: usize) -> Effort<'a> {
        match (self.quick_budget(), self.world.response.quick()) {
            (Some(budget), Some(method)) => {
                let share = self.spent.left() / (tuning::QUICK_SHARE * contacts.max(1));
                let sweeps = budget.iterations.min(share.max(tuning::FEWEST_ITERATIONS)).max(1);
                Effort::Quick { method, sweeps }
            }
            _ if unsolved >= tuning::MOST_UNSOLVED => Effort::AsExactAsCanBe,
            _ if unsolved > 0 && self.spent.is_low() => Effort::AsExactAsCanBe,
            _ if unsolved > 0 => Effort::Relaxed,
            _ => Effort::Exact,
        }
    }

    /// Whether a piece is of second order while what contacts do lasts. Quick answers are not worth it, and
    /// the nearest motion is one at the end of the piece.
    pub(super) fn is_of_second_order(&self, effort: Effort<'_>) -> bool {
        let is_exact = matches!(effort, Effort::Exact | Effort::Relaxed | Effort::AsExactAsCanBe);
        is_exact && self.has_second_order()
    }

    /// Whether pieces of the island may be of second order.
    pub(super) fn has_second_order(&self) -> bool {
        self.island.has_second_order(self.world)
    }

    /// Whether the island may collide once more in this step.
    pub(super) fn may_collide(&self) -> bool {
        self.impacts < self.most_impacts()
    }

    /// Whether bodies that collide rebound. Many that rebound among each other never come to an end: after
    /// some impacts those that follow are landings.
    pub(super) fn rebounds(&self) -> bool {
        self.quick_budget().is_some() || self.impacts < self.world.settings.most_impacts
    }

    /// Most impacts of the island in a step, with landings. More landings leave too few attempts for what
    /// comes after them.
    pub(super) fn most_impacts(&self) -> usize {
        let most = self.world.settings.most_impacts;
        self.quick_budget().map_or(most.saturating_add(most / 2), |budget| budget.impacts.min(most))
    }

    /// The residual to which contact problems are solved.
    fn tolerance(&self) -> f64 {
        let tolerance = self.world.settings.tolerance;
        self.quick_budget().map_or(tolerance, |_| tolerance.max(Budget::RESIDUAL))
    }

    /// Most iterations of a solver on so many contacts.
    fn most_iterations(&self, contacts: usize) -> usize {
        let most = self.world.settings.most_iterations;
        let most = self.quick_budget().map_or(most, |budget| budget.iterations.min(most));
        most.min(self.spent.left() / contacts.max(1)).max(tuning::FEWEST_ITERATIONS)
    }
}

/// How problems of so many contacts are solved.
pub(super) fn solver_settings(now: &IslandNow<'_>, contacts: usize) -> Settings {
    let most = now.most_iterations(contacts);
    Settings { tolerance: now.tolerance(), max_iterations: Some(most), ..Settings::default() }
}

/// How impacts are solved.
pub(super) fn impact_settings(now: &IslandNow<'_>, contacts: usize) -> Settings {
    let tolerance = match now.quick_budget() {
        Some(_) => now.tolerance(),
        None => now.tolerance().min(tuning::IMPACT_TOLERANCE),
    };
    Settings { tolerance, ..solver_settings(now, contacts) }
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
