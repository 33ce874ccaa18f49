//! What stood in the way of a step, in words: which pair, where, why, and what to do.

use crate::report::{Meeting, StepError, StuckReason};
use silvia_solid::{Remedy, Vec3};

/// The unit of the lengths in a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthUnit<'a> {
    /// Its symbol, as in "mm".
    pub symbol: &'a str,
    /// How many of it a metre has.
    pub in_a_metre: f64,
}

impl LengthUnit<'_> {
    /// Metres, as in the message that `Display` shows.
    pub const METRE: LengthUnit<'static> = LengthUnit { symbol: "m", in_a_metre: 1.0 };

    /// A length of this many metres as a number of this unit, without the digits that are rounding, nor the
    /// sign of a zero.
    fn number(self, metres: f64) -> f64 {
        if self.in_a_metre == 1.0 {
            return metres + 0.0;
        }
        let number = metres * self.in_a_metre;
        format!("{number:.12e}").parse::<f64>().unwrap_or(number) + 0.0
    }

    fn place(self, at: Vec3) -> String {
        let [x, y, z] = at.to_array().map(|x| self.number(x));
        format!("[{x}, {y}, {z}] {}", self.symbol)
    }
}

impl StepError {
    /// The message with lengths and places in a unit of your choice: that of a scene, say.
    ///
    /// ```
    /// use silvia_world::{LengthUnit, StepError};
    ///
    /// let error = StepError::Overlap { a: "peg".to_owned(), b: "hole".to_owned(), depth: 2e-5 };
    /// assert!(error.to_string().contains("overlap by 2.000e-5 m"));
    /// let millimetres = LengthUnit { symbol: "mm", in_a_metre: 1e3 };
    /// assert!(error.message_in(millimetres).contains("overlap by 2.000e-2 mm"));
    /// ```
    pub fn message_in(&self, unit: LengthUnit<'_>) -> String {
        let symbol = unit.symbol;
        match self {
            StepError::Overlap { a, b, depth } => format!(
                "`{a}` and `{b}` overlap by {:.3e} {symbol} at the start: move them apart (in Rust, \
                 `World::separate` does)",
                unit.number(*depth)
            ),
            StepError::Stuck { time, bodies, reason } => format!(
                "stuck at {} s, {}: {}: {}",
                seconds(*time),
                moving(bodies),
                reason.what_in(unit),
                reason.remedy()
            ),
            StepError::OutOfRange { body, speed } => format!(
                "`{body}` would move beyond all bounds (velocity {:.1e} {symbol}/s): look at its mass and \
                 the forces on it",
                unit.number(*speed)
            ),
            StepError::Length { .. } | StepError::Friction { .. } => self.to_string(),
        }
    }
}

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
            StuckReason::Prescribed { mover, blocked, at, .. } => {
                Some(Meeting { bodies: [mover.clone(), blocked.clone()], at: *at })
            }
            StuckReason::Unbounded { .. } => None,
        }
    }
}

impl StuckReason {
    /// What stood in the way, with places in a unit.
    fn what_in(&self, unit: LengthUnit<'_>) -> String {
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
                        unit.place(*at)
                    ),
                    None => format!("the contact forces were not found ({why}, {left})"),
                }
            }
            StuckReason::Crossing(Meeting { bodies: [a, b], at }) => {
                format!("`{a}` and `{b}` would pass through each other at {}", unit.place(*at))
            }
            StuckReason::Turning(Meeting { bodies: [a, b], at }) => format!(
                "`{a}` and `{b}` touch at {} and would pass through each other, as they turn or for lack of \
                 room",
                unit.place(*at)
            ),
            StuckReason::TouchAtStart(Meeting { bodies: [a, b], at }) => format!(
                "`{a}` and `{b}` are too near to each other to start from, at a gap below rounding at {}",
                unit.place(*at)
            ),
            StuckReason::Unbounded { body } => format!("`{body}` would move beyond all bounds"),
            StuckReason::OutOfBudget { attempts, near } => format!(
                "none of {attempts} attempts to go on was free of crossings{}",
                in_the_way(near.as_ref(), unit)
            ),
            StuckReason::Prescribed { mover, blocked, at, by } => {
                let into = format!("the script of `{mover}` drives it into `{blocked}`");
                let at = unit.place(*at);
                match by {
                    None => format!("{into}, which cannot give way, at {at}"),
                    Some(meeting) => {
                        let Meeting { bodies: [pushed, by], at: there } = &**meeting;
                        let there = unit.place(*there);
                        if pushed == blocked {
                            format!("{into} at {at}, which is blocked by `{by}` at {there}")
                        } else {
                            format!("{into} at {at}, and `{pushed}` is pushed against `{by}` at {there}")
                        }
                    }
                }
            }
            StuckReason::TooManyPieces { most, near } => {
                format!("the step would take more than {most} pieces{}", in_the_way(near.as_ref(), unit))
            }
        }
    }
}

impl Remedy for StuckReason {
    fn what(&self) -> String {
        self.what_in(LengthUnit::METRE)
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
fn in_the_way(near: Option<&Meeting>, unit: LengthUnit<'_>) -> String {
    near.map_or_else(String::new, |Meeting { bodies: [a, b], at }| {
        format!("; in the way are `{a}` and `{b}` at {}", unit.place(*at))
    })
}

/// A place to the micrometre, or to about a ten-thousandth of a body of this size (m) if that is finer.
pub(crate) fn rounded_place(at: Vec3, size: f64) -> Vec3 {
    Vec3::from(at.to_array().map(|x| rounded(x, size, 4.0, 6)))
}

/// A time without the digits that are rounding: 1.2, not 1.2000000000000008. To the nanosecond, or with six
/// digits if that is finer: small bodies take short steps.
pub(crate) fn seconds(time: f64) -> f64 {
    rounded(time, time, 5.0, 9)
}

/// Rounded to some digits more than the first of `scale`, but not to fewer decimals than `least`.
fn rounded(number: f64, scale: f64, digits: f64, least: usize) -> f64 {
    /// As many as a number near 1 has.
    const MOST: f64 = 15.0;
    let decimals = (digits - scale.abs().log10().floor()).min(MOST) as usize;
    let decimals = decimals.max(least);
    format!("{number:.decimals$}").parse().unwrap_or(number)
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
    fn places_and_times_have_the_digits_that_the_bodies_deserve() {
        let at = Vec3::new(0.25 + 1e-17, -1e-9, 1.234_567_891);
        assert_eq!(rounded_place(at, f64::INFINITY), Vec3::new(0.25, 0.0, 1.234_568));
        assert_eq!(rounded_place(at, 0.1), Vec3::new(0.25, 0.0, 1.234_568));
        assert_eq!(rounded_place(at, 2e-5), Vec3::new(0.25, -1e-9, 1.234_567_891));
        assert_eq!(rounded_place(Vec3::splat(1.234e-7), 2e-5), Vec3::splat(1.23e-7));
        assert_eq!(rounded_place(Vec3::ONE, 0.0), Vec3::ONE);
        for (time, shown) in [
            (1.200_000_000_000_000_8, 1.2),
            (123.4 + 1e-11, 123.4),
            (0.0, 0.0),
            (3.000_000_000_000_001e-8, 3e-8),
            (1.234_567_89e-7, 1.234_57e-7),
            (0.049_999_999_57, 0.05),
        ] {
            assert_eq!(seconds(time), shown);
        }
    }

    #[test]
    fn places_in_another_unit_have_no_digits_of_rounding() {
        let unit = LengthUnit { symbol: "mm", in_a_metre: 1e3 };
        // 0.0023 times 1000 is 2.3000000000000003 in floating point.
        assert_eq!(unit.place(Vec3::new(0.0023, -0.0, 1.234_567)), "[2.3, 0, 1234.567] mm");
        assert_eq!(LengthUnit::METRE.place(Vec3::new(0.1, -0.0, 1e-7)), "[0.1, 0, 0.0000001] m");
    }

    #[test]
    fn every_reason_says_what_to_do_and_every_pair_is_named() {
        let at = Vec3::new(0.25, -0.0, 1.5);
        let meeting = || Meeting { bodies: ["press".to_owned(), "floor".to_owned()], at };
        let near = || Some(meeting());
        let reasons = [
            StuckReason::NoForces { outcome: Outcome::OutOfBudget, residual: f64::INFINITY, near: near() },
            StuckReason::Crossing(meeting()),
            StuckReason::Turning(meeting()),
            StuckReason::TouchAtStart(meeting()),
            StuckReason::OutOfBudget { attempts: 7, near: near() },
            StuckReason::Prescribed { mover: "press".to_owned(), blocked: "floor".to_owned(), at, by: None },
            StuckReason::Prescribed {
                mover: "press".to_owned(),
                blocked: "floor".to_owned(),
                at,
                by: Some(Box::new(Meeting { bodies: ["floor".to_owned(), "rock".to_owned()], at })),
            },
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
            let in_mm = error.message_in(LengthUnit { symbol: "mm", in_a_metre: 1e3 });
            assert_eq!(in_mm, told.replace("[0.25, 0, 1.5] m", "[250, 0, 1500] mm"));
        }
    }
}
