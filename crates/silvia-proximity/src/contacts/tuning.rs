//! The tuning constants of the search for contacts. Angles decide what counts as level, parallel or flat, and
//! are a few orders above rounding; those of the cache affect speed, never results. Bounds on rounding stand
//! beside the arithmetic that they bound.
//!
//! *Ablation* says what another value changed, over the scenes that `silvia-world/src/step/tuning.rs` names.

/// Where one edge goes on as the next with a bend of less than this angle, rad, no vertex sticks out between
/// them: twice the slope from which on a solid takes a vertex to do so.
/// Ablation: 0 and 1 change no bit; few scenes have round bodies on edges.
pub(super) const STRAIGHT: f64 = 2e-3;

/// Points of a rim that stay where they are on it.
/// Ablation: 0 and 12 change no bit of a disk that rolls, but how a can stands (`tests/shape_contacts.rs`).
pub(super) const RIM_POINTS: u32 = 3;

/// More than what the judge tolerates and rounding adds, rad.
/// Ablation: 0 and 0.01 change no bit of runs; with 0, a box that lies flat is not held at all corners
/// (`tests/contacts.rs`).
pub(super) const FACING_SPARE: f64 = 1e-6;

/// Beyond this turn, rad, all may face each other.
/// Ablation: 0 (no pair is left out for facing away) changes no bit, and no time of steps, which look near.
/// Of two knots of 10,000 triangles, contacts within a tube's radius then take twice as long.
pub(super) const LARGEST_TURN: f64 = 0.5;

/// Edges nearer to parallel than this, rad, are left to the judge: the normal of such two is rounding, and
/// counts as shared by both.
/// Ablation: 0 and 0.1 change no bit.
pub(super) const FACING_PARALLEL: f64 = 1e-3;

/// An edge whose faces differ by less than this, rad, has hardly a side on which its normals are.
/// Ablation: 0 and 0.01 change no bit.
pub(super) const FACING_FLAT: f64 = 1e-6;

/// How much farther than asked a search looks, so that the next ones can do without: as a multiple of the
/// reach. The first looks no farther than asked: there may be no second.
/// Ablation: 0 changes no bit.
pub(super) const CACHE_MARGIN: f64 = 1.0;

/// Bodies that have moved by more than this multiple of the reach since the last search will soon have left
/// the margin: for them it would only cost.
/// Ablation: 1e9 changes no bit.
pub(super) const CACHE_SLOW: f64 = 0.25;

/// A point off a face or an edge by less than this fraction of the coordinates is on its border: where bodies
/// lie flush on each other, corner on corner, what holds them apart must not change with every rounding of
/// their poses.
/// Ablation: 0 and 1e-8 change 13 and 15 of 84 runs; with 0, frames are not in balance (`tests/flush.rs` of
/// `silvia-world`).
pub(super) const BORDER: f64 = 1e-11;

/// Normals that differ by less than this, rad, are those of faces in one plane.
/// Ablation: 0 and 1e-6 change no bit, and contacts by less than 1 %.
pub(super) const FLUSH: f64 = 1e-9;

/// The square of the cosine of the least angle between edges that do not run along each other.
/// Ablation: 0 and 1 change no bit.
pub(super) const ALONG: f64 = 0.8;

/// Two edges whose directions differ by less than this (the sine of the angle) have no product to speak of:
/// they are taken side by side. At this angle rounding turns the normal, and moves the nearest points along
/// the edges, by about 1e-8 of the whole.
/// Ablation: 1e-13 changes a wall that is hit.
pub(super) const PARALLEL: f64 = 1e-8;

/// A small turn, rad, for what may hold after one.
/// Ablation: 0 changes stacks, piles, knots and hits: flush bodies touch at their lowest corner alone.
pub(super) const NEARLY: f64 = 0.01;

/// What the first surface met under a penetrated face may fall short of the face, as a fraction of the depth.
/// Ablation: 0 changes a house of cards, 0.1 a wall that is hit.
pub(super) const DEPTH_SLACK: f64 = 1e-6;

/// Directions that rise or fall by less than this angle, rad, are level: the rest is rounding of normals.
/// Where faces are parallel, what they touch is held everywhere, not where rounding is kind.
/// Ablation: 0 and 1e-6 change piles and hits.
pub(super) const LEVEL: f64 = 1e-11;

/// Two bodies of fewer triangles together are searched from the roots each time: that is as fast as a front.
/// Ablation: 0 changes nothing; 1e9 takes a fifth longer in threads and gears of thousands of triangles.
/// Neither changes a bit.
pub(super) const FRONT_LEAST: usize = 2000;

/// A front is kept for reaches below this fraction of the smaller body's radius: within a larger one there
/// are so many features that finding them is the lesser part.
/// Ablation: 0 takes a fifth longer in threads and gears, 1 changes nothing; neither changes a bit.
pub(super) const FRONT_REACH: f64 = 1e-3;
