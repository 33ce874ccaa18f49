//! The tuning constants of response methods, by what they govern.
//!
//! They trade time for digits. None of them decides whether a step is free: the certificate does that. What
//! *ablation* is of, `step/tuning.rs` says.

// What the solvers of `silvia-contact` must agree on with this layer stands there, once.
pub(super) use silvia_contact::tuning::{LOOSEST_RESIDUAL, MANY_CONTACTS, NEAR_ENOUGH_OF_MANY};

// # When the distance fixpoint ends

/// Iterates have settled once gaps are as predicted, to this fraction of the shell.
/// Ablation: 0.1 and 1e-3 change all that moves.
pub(super) const SETTLED: f64 = 1e-2;

/// Rounds at most. Steady contact takes one or two, rolling over edges some five.
/// Ablation: 100 changes hits, after many more rounds.
pub(super) const MOST_ROUNDS: usize = 12;

/// In this many rounds contacts join and leave, and gaps must come out as predicted. Later they only join,
/// and gaps must come out above [`KEPT`], or it might go on for ever.
/// Ablation: 0 and 12 change piles and hits.
pub(super) const FREE_ROUNDS: usize = 3;

/// Gaps must come out above this fraction of their target, once rounds are no longer free.
/// Ablation: 0 and 1 change piles and hits.
pub(super) const KEPT: f64 = 0.5;

/// A gap that bears an impulse may come out larger than predicted by this many shells, once rounds are no
/// longer free: it closes in the next step.
/// Ablation: 0 changes piles, 1e9 hits.
pub(super) const FARTHEST: f64 = 10.0;

/// An impulse that opens its own gap by less than this fraction of the shell counts as none: it is what
/// Newton's method leaves at an open gap.
/// Ablation: 0 takes more rounds where a wall is hit.
pub(super) const NO_IMPULSE: f64 = 1e-3;

/// Velocities beyond this, m/s or rad/s, are not computed with: their squares still fit.
/// Ablation: 1e300 and 1e6 change nothing in scenes; it is for numbers that overflow.
pub(super) const FASTEST: f64 = 1e100;

// # Which contacts take part

/// A contact that was dropped and taken back this often stays.
/// Ablation: 0 takes many more attempts in piles; 200 changes nothing.
pub(super) const MOST_RETURNS: u8 = 2;

/// Edges whose normal has turned by more than this (rad) since they last held are not what they were: they
/// are nearly parallel.
/// Ablation: 0 changes hits; 10 changes 5 of 62 runs, for nothing, and nearly parallel edges in the tests.
pub(super) const SAME_NORMAL: f64 = 0.02;

/// Up to this many contacts between two bodies are all solved for: leaving some out costs more than it saves.
/// Ablation: 0 and a million change which contacts of a stack bear.
pub(super) const FEW_OF_A_PAIR: usize = 4;

/// Contacts push the same way if the cosine between their normals is larger than this.
/// Ablation: -2 and 2 change what solvers start from, and take more iterations.
pub(super) const SAME_DIRECTION: f64 = 0.99;

// # What gaps are to be

/// A shell that a contact lacks at the start is regained over no less than this time, s. Within a piece that
/// was cut very short, regaining it at once would throw bodies apart. Over 1 ms a shell of 1e-9 m asks for
/// 1e-6 m/s.
/// Ablation: 1e-12 changes hits: bodies are thrown apart in short pieces.
pub(super) const REGAIN_TIME: f64 = 1e-3;

/// Where no shells are regained, contacts still ask for this fraction of them.
/// Ablation: 0 and 1 change 3 of 4 runs that get there, all of walls that are hit.
pub(super) const LEAST_SHELL: f64 = 1e-4;

// # How exactly rounds are solved

/// Of what free flight gains in the step. Only of bodies that move by less when it begins are more digits
/// asked than the tolerance has, so that what rests stays where it is. In a pile that still moves a round
/// that begins near its answer took three times the iterations.
pub(super) const HARDLY_MOVES: f64 = 1e-3;

/// A velocity that moves no gap by more than this fraction of a shell in a step does not matter: relative to
/// less, a tolerance would ask for more digits than positions have.
/// Ablation: 0 asks for digits that nobody sees, and takes more iterations at rest.
pub(super) const STILL: f64 = 1e-5;

/// A rough round is solved to this fraction of what gaps come out other than predicted.
/// Ablation: 0.1 changes hits.
pub(super) const OF_BEND: f64 = 1e-2;

/// Before the first round: what a prediction may be wrong by, as a fraction of the way of a body. What it
/// hits turns.
/// Ablation: 0 solves the first round of a hit to the end.
pub(super) const OF_WAY: f64 = 1e-3;

/// A round whose residual is no larger than this may be followed by another, though it may not be the last.
/// Ablation: 0 cuts hits more often; 1 changes them.
pub(super) const GOING_ON: f64 = 1e-5;

/// After this many such rounds a shorter step is better.
/// Ablation: 0 cuts hits more often, 100 goes on for nothing.
pub(super) const MOST_INACCURATE: usize = 4;

/// Where a solver's answer leaves gaps below their shells, its tolerance is multiplied by this.
/// Ablation: 1 cuts hits more often.
pub(super) const TIGHTER: f64 = 1e-2;

/// An answer with a residual up to this is good enough to go on with, even if the solver was asked for more.
/// Ablation: 0 and 1e-6 change hits.
pub(super) const USABLE_RESIDUAL: f64 = 1e-8;

// # Quick answers

/// Rounds of a quick answer at most.
/// Ablation: 1 and 12 change piles and hits.
pub(super) const QUICK_ROUNDS: usize = 4;

/// Gaps of a quick answer must come out above this fraction of their target.
/// Ablation: 0 changes piles, 0.5 piles and hits.
pub(super) const QUICK_KEPT: f64 = 0.05;

/// Quick answers lose a little of each shell in every step. This fraction is regained in the next: all at
/// once would be new work every time.
/// Ablation: 1 makes new work in every step at rest.
pub(super) const QUICK_REGAIN: f64 = 0.3;

/// The fraction of a shell that a quick answer must leave.
/// Ablation: 0.1 changes what rests.
pub(super) const QUICK_LEFT: f64 = 0.5;

/// Where a shell has not much more than that to begin with: the fraction of what must be left that may be
/// lost.
/// Ablation: 0 changes hits.
pub(super) const QUICK_LEAST_SLACK: f64 = 0.2;

// # Energy

/// Contacts may do work up to this fraction of the kinetic energy of the bodies that they push, and of the
/// energy that they turn over.
/// Ablation: 0 changes 4 of 89 runs, 1e9 a wall that is hit; refusals are of steps that go wrong.
pub(super) const NO_GAIN: f64 = 1e-3;

/// Work of impacts up to this fraction of the energy that they turn over is rounding.
/// Ablation: 0 takes rounding of an elastic rebound for a gain, and cuts it back.
pub(super) const NO_WORK: f64 = 1e-10;
