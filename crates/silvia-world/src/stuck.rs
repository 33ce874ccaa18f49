//! What stood in the way of a step, in words: which pair, where, why, and what to do.

use crate::report::{Meeting, StuckReason};
use silvia_solid::{Remedy, Vec3};

impl StuckReason {
    /// The two bodies that stood in each other's way, by name, and where; `None` if one alone is at fault,
    /// or nothing touched.
    pub fn meeting(&self) -> Option<Meeting> {
        match self {
            StuckReason::Crossing(meeting)
            | StuckReason::Turning(meeting)
            | StuckReason::TouchAtStart(meeting) => Some(meeting.clone()),
            StuckReason::NoForces { near, .. }
            | StuckReason::OutOfBudget { near, .. }
            | StuckReason::TooManyPieces { near, .. } => near.clone(),
            StuckReason::Prescribed { mover, blocked, at } => {
                Some(Meeting { bodies: [mover.clone(), blocked.clone()], at: *at })
            }
            StuckReason::Unbounded { .. } => None,
        }
    }
}

impl Remedy for StuckReason {
    fn what(&self) -> String {
        match self {
            StuckReason::NoForces { outcome, residual, near } => {
                let left = if residual.is_finite() {
                    format!("residual {residual:.1e}")
                } else {
                    "those found would create energy".to_owned()
                };
                let why = outcome.as_str();
                match near {
                    Some(Meeting { bodies: [a, b], at }) => format!(
                        "the contact forces were not found ({why}, {left}), foremost between `{a}` and \
                         `{b}` at {}",
                        place(*at)
                    ),
                    None => format!("the contact forces were not found ({why}, {left})"),
                }
            }
            StuckReason::Crossing(Meeting { bodies: [a, b], at }) => {
                format!("`{a}` and `{b}` would pass through each other at {}", place(*at))
            }
            StuckReason::Turning(Meeting { bodies: [a, b], at }) => format!(
                "`{a}` and `{b}` touch at {} and would pass through each other, as they turn or for want of \
                 room",
                place(*at)
            ),
            StuckReason::TouchAtStart(Meeting { bodies: [a, b], at }) => format!(
                "`{a}` and `{b}` are too near to each other to start from, at a gap below rounding at {}",
                place(*at)
            ),
            StuckReason::Unbounded { body } => format!("`{body}` would move beyond all bounds"),
            StuckReason::OutOfBudget { attempts, near } => format!(
                "none of {attempts} attempts to go on was free of crossings{}",
                in_the_way(near.as_ref())
            ),
            StuckReason::Prescribed { mover, blocked, at } => format!(
                "`{mover}` is told to move into `{blocked}`, which cannot give way, at {}",
                place(*at)
            ),
            StuckReason::TooManyPieces { most, near } => {
                format!("the step would take more than {most} pieces{}", in_the_way(near.as_ref()))
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
            StuckReason::TouchAtStart { .. } => "move them a little apart (in Rust, `World::separate` does)",
            StuckReason::Unbounded { .. } => "look at its mass and the forces on it",
            StuckReason::Prescribed { .. } => {
                "end its motion before that, or let it be held there (`on_stuck = \"hold\"`)"
            }
        }
        .to_owned()
    }
}

/// The end of a sentence; nothing if no pair is known.
fn in_the_way(near: Option<&Meeting>) -> String {
    near.map_or_else(String::new, |Meeting { bodies: [a, b], at }| {
        format!("; in the way are `{a}` and `{b}` at {}", place(*at))
    })
}

/// A place to the micrometre.
fn place(at: Vec3) -> String {
    // Adding zero takes the sign off a zero.
    let [x, y, z] = at.to_array().map(|x| (1e6 * x).round() / 1e6 + 0.0);
    format!("[{x}, {y}, {z}] m")
}

/// A time without the digits that are rounding: 1.2, not 1.2000000000000008.
pub(crate) fn seconds(time: f64) -> f64 {
    // A nanosecond is below any step that bodies of everyday size take.
    format!("{time:.9}").parse().unwrap_or(time)
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

    #[test]
    fn every_reason_says_what_to_do_and_every_pair_is_named() {
        let at = Vec3::new(0.25, -1e-9, 1.5);
        let meeting = || Meeting { bodies: ["press".to_owned(), "floor".to_owned()], at };
        let near = || Some(meeting());
        let reasons = [
            StuckReason::NoForces { outcome: Outcome::OutOfBudget, residual: f64::INFINITY, near: near() },
            StuckReason::Crossing(meeting()),
            StuckReason::Turning(meeting()),
            StuckReason::TouchAtStart(meeting()),
            StuckReason::OutOfBudget { attempts: 7, near: near() },
            StuckReason::Prescribed { mover: "press".to_owned(), blocked: "floor".to_owned(), at },
            StuckReason::TooManyPieces { most: 9, near: near() },
            StuckReason::Unbounded { body: "press".to_owned() },
            StuckReason::OutOfBudget { attempts: 7, near: None },
        ];
        for reason in reasons {
            assert!(!reason.remedy().is_empty(), "{reason}");
            let has_pair = format!("{reason:?}").contains("floor");
            assert_eq!(reason.meeting(), has_pair.then(meeting), "{reason}");
            let error =
                StepError::Stuck { time: 1.2000000000000008, bodies: vec!["`ball`".to_owned()], reason };
            let told = error.to_string();
            assert!(told.starts_with("stuck at 1.2 s, moving `ball`: "), "{told}");
            assert_eq!(told.contains("`press`") && told.contains("`floor`"), has_pair, "{told}");
            assert_eq!(told.contains("[0.25, 0, 1.5] m"), has_pair, "{told}");
            assert!(!told.contains("inf"), "{told}");
        }
    }
}
