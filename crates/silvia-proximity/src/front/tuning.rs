//! The tuning constants of fronts. They affect speed, never a result.
//!
//! *Ablation* says what another value changed, over the scenes that `silvia-world/src/step/tuning.rs` names.

/// One in so many places of a front is looked at after each query to see whether it can be made coarser: at
/// most, and at least. A front that lags behind is larger than it need be; a look at all of it doubles the
/// cost of a query.
/// Ablation: 1 for the first takes up to a fifth longer in a thread; 128 for it, and 12 and 100,000 for the
/// second, change time by some percent.
pub(super) const COARSEN_SHARE: [usize; 2] = [12, 128];

/// So many are looked at for each that could be made coarser after the query before.
/// Ablation: 1 and 1000 change time by some percent.
pub(super) const COARSEN_TRIES: usize = 16;

/// A front has at most this many places a node of the two hierarchies: of bodies that lie in each other, or
/// of a large reach, it would have no end, and a search from the roots is as fast.
/// Ablation: 0 (hardly a front) takes a third longer, in threads up to three times as long; 1000 changes
/// nothing.
pub(super) const MOST_PER_NODE: usize = 16;

/// The least bound on its places: small hierarchies may have a front of all pairs.
/// Ablation: 0 and a million change nothing in scenes; with 0, coarse meshes have no front (the tests of
/// fronts).
pub(super) const MOST_AT_LEAST: usize = 4096;

/// After a front has grown too large, so many queries do without.
/// Ablation: none; no front of a run grows too large.
pub(super) const PAUSE: u32 = 32;

/// Places that one thread looks at before another is worth waking: about 50 microseconds of work.
/// Ablation: on one thread, 1 takes some percent longer; 1e9 changes nothing.
pub(super) const GRAIN: usize = 1024;

/// So many queries are remembered: planes that were found in an earlier one are looked for anew.
/// Ablation: 1 takes a fifth longer in threads and gears; 8 and 200 change nothing.
pub(super) const PAST: usize = 32;
