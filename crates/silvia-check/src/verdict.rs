//! The findings of the checker.

/// The findings of a [`Checker`](crate::Checker) so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Number of states checked.
    pub states: usize,
    /// Number of pairs of bodies near enough for a close check, summed over all states.
    pub pairs: usize,
    /// The deepest overlap at any state, in metres.
    pub deepest: Option<Penetration>,
    /// The deepest overlap at any state, as a fraction of the smaller body's size.
    pub largest: Option<Penetration>,
    /// Pairs that pass through each other between two states, in order of time; one entry per pair and
    /// interval.
    pub crossings: Vec<Crossing>,
    /// Pairs and intervals for which no decision was reached; they are not among the crossings.
    pub undecided: Vec<Crossing>,
}

/// Two bodies that overlap at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Penetration {
    /// The two bodies, from 0.
    pub bodies: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Time of the state, s.
    pub time: f64,
    /// Depth as defined in [this crate](crate), m.
    pub depth: f64,
    /// Depth as a fraction of the size of the smaller body, which is the diagonal of its bounding box.
    pub fraction: f64,
}

/// Two bodies that pass through each other between two states.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The two bodies, from 0.
    pub bodies: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// The time of the state before, s.
    pub from: f64,
    /// The time of the state after, s.
    pub until: f64,
    /// A time in between at which they overlap or, for an undecided case, at which the search gave up, s.
    pub at: f64,
}

impl Verdict {
    /// The greatest depth at any state, m; 0 if there is none.
    pub fn depth(&self) -> f64 {
        self.deepest.as_ref().map_or(0.0, |p| p.depth)
    }

    /// The greatest depth at any state as a fraction of the smaller body's size; 0 if there is none.
    pub fn fraction(&self) -> f64 {
        self.largest.as_ref().map_or(0.0, |p| p.fraction)
    }

    /// Whether no pair penetrates by more than a fraction of the smaller body's size, none crosses, and none
    /// is undecided.
    pub fn is_clean(&self, fraction: f64) -> bool {
        self.fraction() <= fraction && self.crossings.is_empty() && self.undecided.is_empty()
    }
}
