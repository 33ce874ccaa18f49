//! What stood in the way of a step, in words: which pair, where, why, and what to do.

use crate::report::StuckReason;
use silvia_solid::Remedy;

impl Remedy for StuckReason {
    fn what(&self) -> String {
        match self {
            StuckReason::NoForces { outcome, residual } => {
                let left = if residual.is_finite() {
                    format!("residual {residual:.1e}")
                } else {
                    "those found would create energy".to_owned()
                };
                format!("the contact forces were not found ({}, {left})", outcome.as_str())
            }
            StuckReason::Crossing { bodies: [a, b] } => {
                format!("`{a}` and `{b}` would pass through each other")
            }
            StuckReason::Turning { bodies: [a, b] } => format!(
                "`{a}` and `{b}` touch and would pass through each other, as they turn or for want of room"
            ),
            StuckReason::TouchAtStart { bodies: [a, b] } => {
                format!("`{a}` and `{b}` are too near to each other to start from, at a gap below rounding")
            }
            StuckReason::Unbounded { body } => format!("`{body}` would move beyond all bounds"),
            StuckReason::OutOfBudget { attempts } => {
                format!("none of {attempts} attempts to go on was free of crossings")
            }
            StuckReason::Prescribed { mover, blocked, at } => format!(
                "`{mover}` is told to move into `{blocked}`, which cannot give way, at [{:.6}, {:.6}, \
                 {:.6}] m",
                at.x, at.y, at.z
            ),
            StuckReason::TooManyPieces { most } => {
                format!("the step would take more than {most} pieces")
            }
        }
    }

    fn remedy(&self) -> String {
        match self {
            StuckReason::NoForces { .. } => {
                "take a shorter step or another method, or look whether bodies are wedged"
            }
            StuckReason::Crossing { .. }
            | StuckReason::OutOfBudget { .. }
            | StuckReason::TooManyPieces { .. } => "take a shorter step, or slow down what moves them",
            StuckReason::Turning { .. } => {
                "take a shorter step; if a script presses one against what cannot give way, end it before \
                 that, or let it be held there (`on_stuck = \"hold\"`)"
            }
            StuckReason::TouchAtStart { .. } => "move them a little apart, or call `separate`",
            StuckReason::Unbounded { .. } => "look at its mass and the forces on it",
            StuckReason::Prescribed { .. } => {
                "end its motion before that, or let it be held there (`on_stuck = \"hold\"`)"
            }
        }
        .to_owned()
    }
}

/// A time without the digits that are rounding: 1.2, not 1.2000000000000008.
pub(crate) fn seconds(time: f64) -> f64 {
    // A picosecond is below any step.
    format!("{time:.12}").parse().unwrap_or(time)
}

/// The bodies that cannot go on, by name, not more than a reader takes in.
pub(crate) fn moving(bodies: &[String]) -> String {
    /// As many as a line holds.
    const MOST: usize = 6;
    match bodies.len() {
        0 => "nothing can give way".to_owned(),
        count if count > MOST => {
            format!("moving {} and {} more", bodies[..MOST].join(", "), count - MOST)
        }
        _ => format!("moving {}", bodies.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StepError;
    use silvia_contact::Outcome;
    use silvia_solid::Vec3;

    #[test]
    fn every_reason_says_what_to_do_and_every_pair_is_named() {
        let bodies = || ["press".to_owned(), "floor".to_owned()];
        let reasons = [
            StuckReason::NoForces { outcome: Outcome::OutOfBudget, residual: f64::INFINITY },
            StuckReason::Crossing { bodies: bodies() },
            StuckReason::Turning { bodies: bodies() },
            StuckReason::TouchAtStart { bodies: bodies() },
            StuckReason::Unbounded { body: "press".to_owned() },
            StuckReason::OutOfBudget { attempts: 7 },
            StuckReason::Prescribed { mover: "press".to_owned(), blocked: "floor".to_owned(), at: Vec3::X },
            StuckReason::TooManyPieces { most: 9 },
        ];
        for reason in reasons {
            assert!(!reason.remedy().is_empty(), "{reason}");
            let has_pair = format!("{reason:?}").contains("floor");
            let error =
                StepError::Stuck { time: 1.2000000000000008, bodies: vec!["`ball`".to_owned()], reason };
            let told = error.to_string();
            assert!(told.starts_with("stuck at 1.2 s, moving `ball`: "), "{told}");
            assert_eq!(told.contains("`press`") && told.contains("`floor`"), has_pair, "{told}");
            assert!(!told.contains("inf"), "{told}");
        }
    }
}
