//! What was found.

/// What a [`Checker`](crate::Checker) has found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// States looked at.
    pub states: usize,
    /// Pairs of bodies near enough to be looked at closely, summed over all states.
    pub pairs: usize,
    /// The deepest overlap at any state, in metres.
    pub deepest: Option<Penetration>,
    /// The deepest overlap at any state, as a fraction of the smaller body's size.
    pub largest: Option<Penetration>,
    /// Pairs that pass through each other between two states, in order of time; one entry a pair and
    /// interval.
    pub crossings: Vec<Crossing>,
    /// Pairs and intervals of which it could not be decided whether they cross; they are not among the
    /// crossings.
    pub undecided: Vec<Crossing>,
}

/// Two bodies that overlap at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Penetration {
    /// Which two, from 0.
    pub bodies: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// At which state, s.
    pub time: f64,
    /// As defined for [this crate](crate), m.
    pub depth: f64,
    /// Of the size of the smaller of the two: the diagonal of the box around it.
    pub fraction: f64,
}

/// Two bodies that pass through each other between two states.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Which two, from 0.
    pub bodies: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// The time of the state before, s.
    pub from: f64,
    /// The time of the state after, s.
    pub until: f64,
    /// A time in between at which they overlap, s; or about which nothing could be decided.
    pub at: f64,
}

impl Verdict {
    /// The deepest penetration at any state, m; 0 if there is none.
    pub fn depth(&self) -> f64 {
        self.deepest.as_ref().map_or(0.0, |p| p.depth)
    }

    /// The deepest penetration at any state as a fraction of the smaller body's size; 0 if there is none.
    pub fn fraction(&self) -> f64 {
        self.largest.as_ref().map_or(0.0, |p| p.fraction)
    }

    /// Whether no pair penetrates beyond a fraction of the smaller body's size, none crosses, and all was
    /// decided.
    pub fn is_clean(&self, fraction: f64) -> bool {
        self.fraction() <= fraction && self.crossings.is_empty() && self.undecided.is_empty()
    }
}
