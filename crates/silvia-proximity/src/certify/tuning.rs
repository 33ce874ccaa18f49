//! The tuning constants of the certificate. They affect speed, never a verdict: what is not decided within
//! them counts as touching. Bounds on rounding stand beside the arithmetic that they bound.
//!
//! *Ablation* says what another value changed, over the scenes that `silvia-world/src/step/tuning.rs` names.

/// How far triangles are listed, as a multiple of what the bodies move against each other in the step at
/// hand.
/// Ablation: 1 and 20 change no bit; below 1, a list would lack what the step itself brings near.
pub(super) const CACHE_AHEAD: f64 = 6.0;

/// They are listed at least this far, as a fraction of the smaller body's radius: what rests creeps a little.
/// Ablation: 0 changes no bit.
pub(super) const CACHE_LEAST: f64 = 1e-3;

/// Bodies that move by more than this fraction of the smaller one's radius in a step are not worth a list.
/// Ablation: 0 changes no bit.
pub(super) const CACHE_FASTEST: f64 = 0.25;

/// No more pairs of triangles are listed: beyond, a front is kept, whose cost follows the planes between the
/// bodies.
/// Ablation: 0 (no list at all) changes no bit.
pub(super) const CACHE_MOST: usize = 2000;

/// Beyond so many vertices a look at each costs more than a look through the hierarchy.
/// Ablation: 0 and a million change no bit.
pub(super) const PLANE_VERTICES: usize = 128;

/// How near to the distance the search for the nearest points of curved things may end, as a fraction of
/// their sizes.
/// Ablation: 1e-8 changes no bit.
pub(super) const SEARCHED: f64 = 1e-12;

/// More looks than any path needs that was met; what is not decided by then counts as touching.
/// Ablation: 20 changes no bit.
pub(super) const MOST_LOOKS: u32 = 200;

/// Of more pairs of triangles than this that come together on a way, no front is of use: the way is searched
/// for what comes first.
pub(super) const FRONT_MOST: usize = 128;
