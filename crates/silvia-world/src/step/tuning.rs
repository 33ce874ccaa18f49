//! The tuning constants of steps, by stage. They trade time for time, or time for how far contacts act; none
//! of them decides whether a step is free.

// # Shells

/// The shell is at least this fraction of the coordinates: some hundred roundings.
pub(super) const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// Contacts within this many shells touch: impacts are between those.
pub(super) const TOUCH: f64 = 2.0;

// # Cages and islands

/// A cage is wider than the free way of its body by this multiple of that way: contacts may send the body
/// back as far.
pub(super) const CAGE_SPARE: f64 = 1.5;

/// A cage is wider by at least this many shells.
pub(super) const CAGE_SHELLS: f64 = 8.0;

/// A cage that was too small grows by this fraction of the box it must hold: a body that was hit by a fast
/// one may be hit again.
pub(super) const CAGE_GROWTH: f64 = 0.5;

/// This many bodies may be hit one after the other within a step before a cage has to grow again.
pub(super) const HITS_IN_A_ROW: usize = 3;

/// How much wider than a body's box the one is that neighbours are kept for, on each side, as a fraction of
/// the box's longest side: wider ones last longer and overlap more others.
pub(super) const NEIGHBOUR_MARGIN: f64 = 0.05;

// # Finding contacts

/// Contacts are looked for no farther than this fraction of the smaller body's size: what comes from farther
/// off within the step is found by the certifier.
pub(super) const FARTHEST: f64 = 0.1;

/// How much farther than the free ways of two bodies contacts are looked for, as a fraction of these: contact
/// forces change the ways.
pub(super) const REACH_SPARE: f64 = 0.5;

/// Features that meet near a crossing are looked for within this fraction of the smaller body's size.
pub(super) const NEAR_CROSSING: f64 = 1e-6;

// # Impacts

/// In islands of up to this many bodies that contacts can move, every fast contact is an impact.
pub(super) const FEW_BODIES: usize = 1;

/// In larger islands, bodies that do not rebound collide only if they approach by more than this fraction of
/// the smaller one's size in a step.
pub(super) const FAR_IN_A_STEP: f64 = 0.1;

/// A fast contact is let come to within this many shells before it collides: in the middle of those between
/// which it touches.
pub(super) const IMPACT_AIM: f64 = 1.5;

/// Impacts are solved to this residual, or as near to it as the iterations allow: what is wrong with a
/// velocity after an impact stays wrong.
pub(super) const IMPACT_TOLERANCE: f64 = 1e-12;

/// Iterations of an impact at most: what is left then is how redundant contacts share.
pub(super) const IMPACT_ITERATIONS: usize = 400;

// # Asking for forces

/// A piece below this fraction of the step is short.
pub(super) const SHORT: f64 = 0.1;

/// Solvers may do this many times the work for a short piece: more work is better than still shorter ones.
pub(super) const PATIENCE: usize = 5;

/// Quick answers: sweeps are doubled with every cut, this often at most.
pub(super) const MOST_DOUBLINGS: u32 = 3;

/// An exact answer with a larger residual is not tried, whatever the solver calls it.
pub(super) const LARGEST_RESIDUAL: f64 = 1e-6;

/// A body that contacts move by less than this fraction of its least shell is not pushed: that is what
/// solvers leave.
pub(super) const NO_PUSH: f64 = 1e-3;

// # Deciding

/// Contacts join this often within a piece, then it is cut.
pub(super) const MOST_GROWTHS: usize = 6;

/// If contact forces are not found, a piece is cut to this fraction.
pub(super) const CUT_UNSOLVED: f64 = 0.25;

/// If a body would move beyond all bounds, a piece is cut to this fraction.
pub(super) const CUT_UNBOUNDED: f64 = 0.5;

/// A piece that crosses something is cut to this fraction of what is free.
pub(super) const CUT_CROSSING: f64 = 0.9;

/// A pair that crosses although its contacts are closed, to this many shells, crosses because its path sags.
pub(super) const SAGGING: f64 = 4.0;

/// A pair is lifted by this multiple of what its path sags.
pub(super) const LIFT_SPARE: f64 = 5.0;

/// Pairs are lifted by no more than this fraction of the smaller body's size; beyond that, pieces are cut.
pub(super) const HIGHEST_LIFT: f64 = 3e-4;

/// This fraction of a lift is left after a step that needed no more.
pub(super) const LIFT_KEPT: f64 = 0.97;

/// A lift below this fraction of the shell is none.
pub(super) const NO_LIFT: f64 = 0.05;

/// No body that may meet another turns by more than this in one piece, rad: no point is then farther from its
/// true way than an eighth of its distance from the centre.
pub(super) const MOST_TURN: f64 = 1.0;

/// Pieces of a step of an island at most.
pub(super) const MOST_PIECES: usize = 2_000;

// # Opening and resting

/// Rounds of opening gaps that are below their shells at the start: gaps are nearly linear over a few shells.
pub(super) const OPENING_ROUNDS: usize = 8;

/// Gaps are opened to this many shells, so that the first step finds them above one.
pub(super) const OPENED_TO: f64 = 1.25;

/// Rounds of [`separate`](crate::World::separate): each parts all pairs that overlap, and may bring others
/// together.
pub(super) const PARTING_ROUNDS: usize = 200;

/// If fewer than one in this many bodies were placed, each is compared with all others instead of sorting all
/// boxes.
pub(super) const FEW_DOUBTFUL: usize = 64;

/// While gaps are opened, a body of no size resists turning by this, kg m² for 1 kg: as if it were a
/// nanometre wide.
pub(super) const LEAST_INERTIA: f64 = 1e-18;

/// A body that moves by less than this fraction of its size, or turns by less than this (rad), in a second
/// rests.
pub(super) const REST: f64 = 1e-9;
