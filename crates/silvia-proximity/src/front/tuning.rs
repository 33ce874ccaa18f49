//! The tuning constants of fronts. They affect speed, never a result.

/// One in so many places of a front is looked at after each query to see whether it can be made coarser: at
/// most, and at least. A front that lags behind is larger than it need be; a look at all of it doubles the
/// cost of a query.
pub(super) const COARSEN_SHARE: [usize; 2] = [12, 128];

/// So many are looked at for each that could be made coarser after the query before.
pub(super) const COARSEN_TRIES: usize = 16;

/// A front has at most this many places a node of the two hierarchies: of bodies that lie in each other, or
/// of a large reach, it would have no end, and a search from the roots is as fast.
pub(super) const MOST_PER_NODE: usize = 16;

/// The least bound on its places: small hierarchies may have a front of all pairs.
pub(super) const MOST_AT_LEAST: usize = 4096;

/// After a front has grown too large, so many queries do without.
pub(super) const PAUSE: u32 = 32;

/// Places that one thread looks at before another is worth waking: about 50 microseconds of work.
pub(super) const GRAIN: usize = 1024;

/// So many queries are remembered: planes that were found in an earlier one are looked for anew.
pub(super) const PAST: usize = 32;
