//! Memory of a response method, kept from answer to answer.

use super::iterate::Iterate;
use super::part::Part;
use silvia_contact::{GapRow, Reducer, System, SystemSolver, Twist};
use silvia_solid::{Mat3, Vec3};

/// Memory of a response method, kept from answer to answer, so that a steady step need not ask for any.
/// Nothing else comes of it: an answer is the same, to the bit, with that of another island or with a new
/// one.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Where the fixpoint is, and where it goes next.
    pub(super) iterates: [Iterate; 2],
    pub(super) parts: Vec<Part>,
    /// The contacts that take part; all that do, and those that others imply left out.
    pub(super) taken: Taken,
    /// Impulses to start from.
    pub(super) start: Vec<Vec3>,
    pub(super) inverse_inertias: Vec<Option<(f64, Mat3)>>,
    pub(super) solving: Solving,
    pub(super) work: Work,
}

/// What it takes to solve an island that is linearised.
#[derive(Clone, Debug, Default)]
pub(super) struct Solving {
    pub(super) system: System,
    pub(super) solver: SystemSolver,
    /// How fast contacts may close, m/s.
    pub(super) slack: Vec<f64>,
}

/// Which contacts take part.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// Those that do, pair by pair.
    pub(super) by_bodies: Vec<usize>,
    /// Of one pair.
    pub(super) rows: Vec<GapRow>,
    pub(super) reducer: Reducer,
    /// Without those that others imply, ascending.
    pub(super) left: Vec<usize>,
}

/// What it takes to see whether impulses create energy.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub(super) free: Vec<Twist>,
    pub(super) is_pushed: Vec<bool>,
}

/// Makes a list hold what is given, in the memory it has.
pub(crate) fn refill<T>(list: &mut Vec<T>, with: impl IntoIterator<Item = T>) {
    list.clear();
    list.extend(with);
}
