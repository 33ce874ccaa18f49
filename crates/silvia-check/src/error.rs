//! Why something cannot be checked.

/// Why bodies or states cannot be checked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// A state with too few or too many poses.
    #[error(
        "state {state} has {found} poses but there are {expected} bodies: give one pose a body, in their \
         order"
    )]
    PoseCount {
        /// Which state, from 0.
        state: usize,
        /// How many bodies there are.
        expected: usize,
        /// How many poses were given.
        found: usize,
    },
    /// A NaN or an infinity among the numbers of a pose.
    #[error(
        "state {state}: the pose of body {body} ({name}) has a number that is not finite: the motion went \
         wrong before"
    )]
    NotFinite {
        /// Which state, from 0.
        state: usize,
        /// Which body, from 0.
        body: usize,
        /// Its name.
        name: String,
    },
    /// A time that is not finite or not after the one before.
    #[error("state {state} is at {time} s, after one at {before} s: times must be finite and grow")]
    Time {
        /// Which state, from 0.
        state: usize,
        /// As given, s.
        time: f64,
        /// That of the state before, s; NaN if this is the first.
        before: f64,
    },
    /// A body that does not exist.
    #[error("there is no body {body}: there are {bodies}, counted from 0")]
    NoBody {
        /// As given.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// A point that is not finite.
    #[error("the centre of body {body} has a coordinate that is not finite")]
    Centre {
        /// Which body, from 0.
        body: usize,
    },
    /// Triangles whose coordinates are too large or too small for the predicates.
    #[error(
        "a coordinate of body {body} ({name}) is {value} m: triangles must lie between {least:e} and \
         {most:e}; use another unit"
    )]
    OutOfRange {
        /// Which body, from 0.
        body: usize,
        /// Its name.
        name: String,
        /// The largest coordinate, m.
        value: f64,
        /// The least it may be, m.
        least: f64,
        /// The most it may be, m.
        most: f64,
    },
}
