//! Errors of the checker.

/// Why bodies or states cannot be checked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// A state with too few or too many poses.
    #[error(
        "state {state} has {found} poses but there are {expected} bodies: give one pose a body, in their \
         order"
    )]
    PoseCount {
        /// Index of the state, from 0.
        state: usize,
        /// Number of bodies.
        expected: usize,
        /// Number of poses given.
        found: usize,
    },
    /// A NaN or infinite number in a pose.
    #[error(
        "state {state}: the pose of body {body} ({name}) has a number that is not finite: the motion went \
         wrong before"
    )]
    NotFinite {
        /// Index of the state, from 0.
        state: usize,
        /// Index of the body, from 0.
        body: usize,
        /// Its name.
        name: String,
    },
    /// A time that is not finite or not later than the one before.
    #[error("state {state} is at {time} s, after one at {before} s: times must be finite and grow")]
    Time {
        /// Index of the state, from 0.
        state: usize,
        /// The given time, s.
        time: f64,
        /// The time of the state before, s; NaN for the first state.
        before: f64,
    },
    /// A body that does not exist.
    #[error("there is no body {body}: there are {bodies}, counted from 0")]
    NoBody {
        /// The given index.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// A point that is not finite.
    #[error("the centre of body {body} has a coordinate that is not finite")]
    Centre {
        /// Index of the body, from 0.
        body: usize,
    },
    /// Triangles whose coordinates are too large or too small for the predicates.
    #[error(
        "a coordinate of body {body} ({name}) is {value} m: triangles must lie between {least:e} and \
         {most:e}; use another unit"
    )]
    OutOfRange {
        /// Index of the body, from 0.
        body: usize,
        /// Its name.
        name: String,
        /// The largest coordinate, m.
        value: f64,
        /// The smallest allowed, m.
        least: f64,
        /// The largest allowed, m.
        most: f64,
    },
}
