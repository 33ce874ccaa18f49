//! The tuning constants of steps, by stage. They trade time for time, or time for how far contacts act; none
//! of them decides whether a step is free.
//!
//! *Ablation* says what another value changed, over the golden scenes and over stacks, piles, knots, chains
//! and a wall that a ball hits, exact and interactive (`examples/profile.rs`): their bits and their time.
//! Shares of (failed) attempts, work and time are over 94 short runs: of these scenes, those of
//! `bench/scenes`, files of rigid-ipc, and trials of the proof of steps. Another rounding alone changes
//! attempts by up to 6 % and work by 12 %: where no more changed, only the runs are told.

// # Shells

/// The shell is at least this fraction of the coordinates: some hundred roundings. Ablation: 0 changes
/// nothing within some metres of the origin; without it, bodies far away would touch by rounding.
pub(super) const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// The shell is at least this multiple of what faces are off their planes: contacts see planes, the
/// certificate sees triangles, which stick out of them. Half of a shell may be lost while forces are found.
/// Files of single precision are off by 1e-7 of their size. Without it, fragments of a wall that fit each
/// other cannot be kept apart.
/// Ablation: 0 leaves a bike chain of 227 bodies stuck; 16 changes 11 of 94 runs, for nothing.
pub(super) const UNEVEN: f64 = 4.0;

/// Contacts within this many shells touch: impacts are between those.
/// Ablation: 1 changes piles, 8 changes little.
pub(super) const TOUCH: f64 = 2.0;

/// Contacts within this many shells are looked at, whatever bodies do: they may touch after a rounding.
/// Ablation: 2 takes 5 % more attempts, and 9 % more over 53 other runs; 16 changes half of them, for no sure
/// gain.
pub(super) const NEAR: f64 = 2.0 * TOUCH;

// # Cages and islands

/// A cage is wider than the free way of its body by this multiple of that way: contacts may send the body
/// back as far.
/// Ablation: 0 makes islands begin again.
pub(super) const CAGE_SPARE: f64 = 1.5;

/// A cage is wider by at least this many shells.
/// Ablation: 0 makes quick answers begin again where bodies rest.
pub(super) const CAGE_SHELLS: f64 = 8.0;

/// A cage that was too small grows by this fraction of the box it must hold: a body that was hit by a fast
/// one may be hit again.
/// Ablation: 0 makes a wall that is hit begin again many times.
pub(super) const CAGE_GROWTH: f64 = 0.5;

/// This many bodies may be hit one after the other within a step before a cage has to grow again.
/// Ablation: 0 makes piles and walls begin again; with 3, the step in which 575 boxes are hit does so 3
/// times.
pub(super) const HITS_IN_A_ROW: usize = 12;

/// Each time that cages had to grow in a step, twice as many hits in a row are thought of, so many times:
/// where a wall is hit, the hit goes through all of it at once.
/// Ablation: 0 makes a step in which 575 boxes are hit begin again 13 times, not 4.
pub(super) const MOST_DOUBLINGS: u32 = 8;

/// How much wider than a body's box the one is that neighbours are kept for, on each side, as a fraction of
/// the box's longest side: wider ones last longer and overlap more others.
/// Ablation: affects speed alone; with 0, neighbours are found anew in every step.
pub(super) const NEIGHBOUR_MARGIN: f64 = 0.05;

/// A box that neighbours are kept for is made anew if it is longer than this multiple of its body's box.
/// Ablation: 1 and 1e9 change no bit and no time in scenes; without it, a body that was fast once keeps pairs
/// that nobody needs.
pub(super) const TOO_WIDE: f64 = 4.0;

/// Up to this many boxes are compared each with each: quicker than culling, and without allocating.
/// Ablation: 0 and a million change no bit, and no time up to 2000 bodies.
pub(super) const FEW_BOXES: usize = 64;

// # Finding contacts

/// Contacts are looked for no farther than this fraction of the smaller body's size: what comes from farther
/// off within the step is found by the certifier. Ablation: 100 finds a third more contacts, and changes
/// walls and blocks that are hit; 0.001 gives way twice as often.
pub(super) const FARTHEST: f64 = 0.1;

/// Of two bodies with this many triangles together, contacts are found on demand: within some shells, and
/// those that the certifier names. In a thread, tens of thousands of pairs of features are within reach of a
/// step, and few bear load.
/// Ablation: 0 takes twice the time, most of it where a block of 575 boxes is hit; a million finds 20 times
/// as many contacts, and takes five times the time.
pub(super) const FINE: usize = 200;

/// Crossings of such bodies that join the contacts at once, the first to be crossed.
/// Ablation: 1 takes 25 % more attempts and 45 % more time; a million changes 10 of 94 runs, for nothing.
pub(super) const MOST_CROSSINGS: usize = 64;

/// How much farther than the free ways of two bodies contacts are looked for, as a fraction of these: contact
/// forces change the ways.
/// Ablation: 0 leaves contacts to the certifier, in nearly every step of piles.
pub(super) const REACH_SPARE: f64 = 0.5;

/// Features that meet near a crossing are looked for within this fraction of the smaller body's size.
/// Ablation: 0 takes more attempts where a wall is hit.
pub(super) const NEAR_CROSSING: f64 = 1e-6;

/// A speck, as a fraction of the smaller body's size: the default shell. Bodies that move against each other
/// by less than that in a step rest, as far as candidates are concerned.
/// Ablation: 1e-12 finds 12 % more contacts, and changes a house of cards alone; 1e-7 changes nothing with
/// the default shell.
pub(super) const SPECK: f64 = 1e-9;

/// Up to this many candidates of a pair are all kept: there is hardly one too many.
/// Ablation: 0 changes a house of cards; a million finds a quarter more contacts where bodies rest, and
/// bricks are not in balance (`tests/flush.rs`).
pub(super) const FEW_OF_A_PAIR: usize = 4;

/// Where more candidates of a pair hold over one face, those are left out that others enclose. If more hold
/// even then, none is looked at for being redundant: solvers see to that.
/// Ablation: 0 changes a house of cards; a million changes nothing in scenes, but a star of a thousand
/// corners (`tests/flush.rs`).
pub(super) const MOST_HOLDING: usize = 32;

/// A contact that does not hold is where another one is if it is nearer to it than this many specks.
/// Ablation: 0 finds a tenth more contacts where bodies rest, and bricks are not in balance
/// (`tests/flush.rs`); 1e9 changes no bit.
pub(super) const COVERED: f64 = 2.0;

/// Two contacts are in one place if they are nearer to each other than this many specks: no turn then changes
/// their gaps by different amounts that matter.
/// Ablation: 0 finds a third more contacts where bodies rest, and changes stacks and a house of cards; 1
/// changes nothing.
pub(super) const SAME_PLACE: f64 = 0.1;

/// Normals that differ by less than this, rad, are the same: over the way of a step that changes no gap by
/// anything that matters.
/// Ablation: 0 finds a sixth more contacts where bodies rest, and bricks are not in balance
/// (`tests/flush.rs`); 1e-6 changes nothing.
pub(super) const SAME_NORMAL: f64 = 1e-9;

// # Impacts

/// In islands of up to this many bodies that contacts can move, every fast contact is an impact where steps
/// are of second order: what one takes within a longer piece is known to first order.
/// Ablation: 1 leaves 2e-3 of the energy of a stack of ten unexplained, and 1e-2 of that of a chain; a
/// million makes every landing in a pile an event, and an arch that falls takes 4 times the time.
pub(super) const FEW_BODIES: usize = 12;

/// The same where steps are of first order: in interactive worlds, where impacts are few, and in hands.
/// Ablation: 12 takes rebounds from interactive bodies that something else lands beside.
pub(super) const FEW_TO_FIRST_ORDER: usize = 1;

/// In larger islands, bodies that do not rebound collide only if they approach by more than this fraction of
/// the smaller one's size in a step.
/// Ablation: 0 fails three times as many attempts; 1e9 changes a wall that is hit alone.
pub(super) const FAR_IN_A_STEP: f64 = 0.1;

/// A fast contact is let come to within this many shells before it collides: in the middle of those between
/// which it touches.
/// Ablation: 1.9 changes every rebound a little.
pub(super) const IMPACT_AIM: f64 = 1.5;

/// What collides within this fraction of a step collides at once.
/// Ablation: 1e-5 and 1e-3 make a pile of 30 take 1.6 times the time.
pub(super) const AT_ONCE: f64 = 1e-8;

/// Twice that after so many attempts that failed in the step, and twice again.
/// Ablation: 4 makes a pile of 30 take 1.6 times the time; 1e9 (never) makes a row of dominoes give way at
/// steps of 0.25 ms.
pub(super) const AT_ONCE_DOUBLES: f64 = 8.0;

/// But never more than this fraction of a step.
/// Ablation: not tried; 160 attempts must fail before.
pub(super) const AT_ONCE_MOST: f64 = 1e-2;

/// Impacts are solved to this residual, or as near to it as the iterations allow: what is wrong with a
/// velocity after an impact stays wrong.
/// Ablation: 1 (the tolerance of forces) changes rebounds in piles.
pub(super) const IMPACT_TOLERANCE: f64 = 1e-12;

// # Asking for forces

/// An exact answer with a larger residual is not tried, whatever the solver calls it.
/// Ablation: 0 and 1e-3 change a wall that is hit alone.
pub(super) const LARGEST_RESIDUAL: f64 = 1e-6;

/// A body that contacts move by less than this fraction of its least shell is not pushed: that is what
/// solvers leave.
/// Ablation: 0 and 0.1 change 10 and 11 of 89 runs, for nothing; bodies that touch nothing fly exactly
/// because of it.
pub(super) const NO_PUSH: f64 = 1e-3;

// # Deciding

/// Contacts join this often within a piece, then it is cut.
/// Ablation: 1 cuts twice as often; 1000 changes an octopus of 40 links alone.
pub(super) const MOST_GROWTHS: usize = 6;

/// If a piece is to end at an impact, and then a little earlier, and so on, strides grow by this after some.
/// Ablation: 1 (none grows) takes a quarter more attempts over 45 trials of the proof of steps; 8 changes 4
/// of 94 runs, for no fewer.
pub(super) const STRIDE: f64 = 2.0;

/// Strides before they grow: most impacts are found by then.
/// Ablation: 0 takes a tenth more attempts; 1000 (none grows) does as a stride of 1.
pub(super) const PLAIN_STRIDES: i32 = 8;

/// If contact forces are not found, a piece is cut to this fraction.
/// Ablation: 0.5 takes more attempts.
pub(super) const CUT_UNSOLVED: f64 = 0.25;

/// If contact forces are still not found after this many tries at a piece, they are taken as well as they can
/// be had.
/// Ablation: 0 takes 15 % more attempts and 40 % more time; 1000 changes nothing.
pub(super) const MOST_UNSOLVED: usize = 4;

/// If a body would move beyond all bounds, a piece is cut to this fraction.
/// Ablation: none; no run gets there.
pub(super) const CUT_UNBOUNDED: f64 = 0.5;

/// A piece that crosses something is cut to this fraction of what is free.
/// Ablation: 1 and 0.5 take more attempts where a wall is hit.
pub(super) const CUT_CROSSING: f64 = 0.9;

/// A piece that was cut and is cut again becomes this much shorter at least.
/// Ablation: 1 and 0.1 change 12 and 9 of 13 runs that get there, for no fewer attempts.
pub(super) const CUT_AGAIN: f64 = 0.5;

/// After this many pieces in a row that were cut, the next is no longer than [`QUICKER`] times the last.
/// Ablation: 0 changes 13 of 18 runs that get there, for nothing; a million makes a nut that is turned take
/// twice the time.
pub(super) const CUT_IN_A_ROW: usize = 1;

/// How much longer than the last a piece may be where pieces are cut.
/// Ablation: 1.1 changes 10 of 94 runs, for no sure gain; 1e9 makes a nut that is turned take twice the time.
pub(super) const QUICKER: f64 = 2.0;

/// A piece reaches too far if more contacts on demand than this, and than half as many as there are bodies,
/// join at once, times what [`DEAR_AT_ONCE`] says.
/// Ablation: 0 takes a third more attempts; a million makes a step of a bike chain of 227 bodies take nine
/// times as long.
pub(super) const DEAR: usize = 32;

/// How many times as many as [`DEAR`] says may join the first time, the second, and later.
/// Ablation: 1 for the first changes 22 of 94 runs, for no fewer attempts; a million makes a bike chain take
/// a third longer. A million for the second and for later ones changes that chain and a nut alone.
pub(super) const DEAR_AT_ONCE: [usize; 3] = [4, 1, 1];

/// A piece that reaches too far is cut to this fraction.
/// Ablation: 0.5 and 0.05 take 41 % and 89 % more attempts in the three runs that get there.
pub(super) const CUT_DEAR: f64 = 0.25;

/// A pair that crosses although its contacts are closed, to this many shells, crosses because its path sags.
/// Ablation: 1 and 1e9 change rolling and hits.
pub(super) const SAGGING: f64 = 4.0;

/// A pair is lifted by this multiple of what its path sags.
/// Ablation: 1 takes more attempts in piles and hits.
pub(super) const LIFT_SPARE: f64 = 5.0;

/// Pairs are lifted by no more than this fraction of the smaller body's size; beyond that, pieces are cut.
/// Ablation: 0 cuts piles and hits more often.
pub(super) const HIGHEST_LIFT: f64 = 3e-4;

/// This fraction of a lift is left after a step that needed no more.
/// Ablation: 0 lifts anew in every step where bodies roll.
pub(super) const LIFT_KEPT: f64 = 0.97;

/// A lift below this fraction of the shell is none.
/// Ablation: 0 changes nothing but keeps lifts that nobody needs in the state.
pub(super) const NO_LIFT: f64 = 0.05;

/// No body that may meet another turns by more than this in one piece, rad: no point is then farther from its
/// true way than an eighth of its distance from the centre. Ablation: 10 changes nothing in scenes; without
/// it a fast rotor passes through what stands between its blades.
pub(super) const MOST_TURN: f64 = 1.0;

/// Pieces of a step of an island at most.
/// Ablation: 20 makes 9 of 94 runs give way; a million changes nothing.
pub(super) const MOST_PIECES: usize = 2_000;

/// An answer that is not exact is not taken if it leaves less than this fraction of a shell, and less than
/// there was.
/// Ablation: 0 changes 2 of 30 runs that give way, 0.5 changes 11.
pub(super) const WORN: f64 = 1e-3;

// # Giving way

/// Attempts of an island that fail in a step, at most: after them it gives way for the rest of the step.
/// Ablation: 20 makes 19 of 94 runs give way; a million changes one pair of gears, which gives way by it.
pub(super) const MOST_ATTEMPTS: usize = 200;

/// The same in interactive worlds.
/// Ablation: 4 changes 5 of 16 interactive runs; a million changes nothing.
pub(super) const QUICK_ATTEMPTS: usize = 24;

/// Where a script would be blocked, and that would end the run, an island may spend its budget so many times
/// more in the step.
/// Ablation: 0, before bodies were carried along by scripts, left a bike chain of 137 bodies stuck after 26
/// steps; none since.
pub(super) const MOST_RENEWALS: usize = 4;

/// The work of an island in a step, at most: so much, and so much for each body and each candidate with which
/// a piece begins. Work is counted in contacts looked at or solved for, each as often as it was.
/// Ablation: 100,000 and 300 makes 5 of 94 runs give way; ten thousand million, 0 for each and a million for
/// each change nothing.
pub(super) const MOST_WORK: (usize, usize) = (10_000_000, 300);

/// Once one part in so many of the work is done and no forces are found, those that there are will do.
/// Ablation: 1 changes nothing; 1000 changes 2 of 4 runs that get there.
pub(super) const LOW: usize = 3;

/// The most work of an island in interactive worlds.
/// Ablation: no end of it takes 61 % more work, and gives way once instead of 20 times; 0 and 400 changes 11
/// of 16 interactive runs; 50 for each takes half the work, and gives way 35 times. 400 for each: the longest
/// step of a wall that is hit takes 19 times the median, not 16.
pub(super) const QUICK_WORK: (usize, usize) = (100_000, 200);

/// The work of an interactive island for each pair of bodies with many features that crosses in an attempt,
/// besides that of its contacts.
/// Measured: half a millisecond, as 2000 contacts or more take, in a draped octopus of 40 parts.
pub(super) const CROSSING_WORK: usize = 2000;

/// One solve of a quick answer takes one part in so many of the work that is left, at most.
/// Ablation: 1 takes 41 % more work, 32 takes 46 % less and more attempts.
pub(super) const QUICK_SHARE: usize = 4;

/// Iterations of a solver that are allowed, however little is left to spend.
/// Ablation: 1 changes one interactive scene, 200 seven.
pub(super) const FEWEST_ITERATIONS: usize = 20;

/// Rounds in which contacts that the nearest motion crosses join those that it must not cross, as long as
/// they take no more work than all attempts may.
/// Ablation: 8 loses the momentum of a hit that runs through a row of 40 boxes.
pub(super) const MOST_NEAREST_ROUNDS: usize = 64;

/// The same, once they do.
/// Ablation: 1 gives way three times as often where islands are made to; 50 changes nothing.
pub(super) const NEAREST_ROUNDS: usize = 8;

/// The same in interactive worlds.
/// Ablation: 1 and 20 change 6 and 3 of 8 interactive runs that give way.
pub(super) const QUICK_NEAREST_ROUNDS: usize = 3;

/// In interactive worlds, so many shorter pieces are tried.
/// Ablation: with 0, islands that give way rest two to three times as often, in less time; 6 changes one run.
pub(super) const QUICK_NEAREST_CUTS: usize = 1;

/// Where it crosses something all the same, shorter pieces are tried, each this fraction of the last.
/// Ablation: 0.5 and 0.05 change 5 of 7 interactive runs that get there.
pub(super) const NEAREST_CUT: f64 = 0.25;

/// So many of them, then bodies go part of their way.
/// Ablation: 0 leaves bodies at rest, and a bike chain stuck, where islands are made to give way; 30 changes
/// nothing.
pub(super) const NEAREST_CUTS: usize = 6;

/// A step that has given way this often tries no shorter pieces: they come ever nearer to what is in the way.
/// Ablation: 0 does as no shorter pieces at all; a million changes nothing.
pub(super) const MOST_GIVING_WAY: usize = 32;

/// Where all nearest motions cross something, one more is made that is as long as the longest of them was
/// free, if that is this fraction of the whole at least.
pub(super) const LEAST_PART: f64 = 0.1;

/// The same, as long as the step has fewer shortfalls than this.
/// Ablation: 0 freezes a tower of 575 boxes in the step after it is hit.
pub(super) const MOST_PARTS: usize = 6;

/// In interactive worlds the nearest motion may be farther from free flight than the nearest by this share,
/// by energy.
/// Ablation: 0 takes a tenth more time where walls are hit, and gives way no less often.
pub(super) const QUICK_NEAR: f64 = 0.01;

/// Factorisations of each projection, at most.
/// Ablation: 10 lets islands rest three times as often; 1000 takes 2.5 times the time where they give way.
pub(super) const NEAREST_ITERATIONS: usize = 50;

/// Bodies that still cross go part of their way in this many rounds, then they rest.
/// Ablation: 0 and 12 change 3 of 4 interactive runs that get there, for nothing.
pub(super) const PART_WAYS: usize = 2;

/// Rounds of finding which bodies must rest or be carried by a script. After them all that may meet what is
/// carried is carried, too. Each round takes along what the last one met, and costs a certificate.
/// Ablation: none.
pub(super) const CARRYING_ROUNDS: usize = 64;

/// Rounds of finding which bodies must rest, at most: after them all of the island do.
/// Ablation: 1 lets whole islands rest; 1000 changes nothing.
pub(super) const RESTING_ROUNDS: usize = 12;

// # Resting

/// Bodies are at rest if all velocities are less than this fraction of what free flight would gain in the
/// step: solvers leave about 1e-11 of it where contacts rest. A force of this fraction of the weight moves
/// nothing.
pub(super) const STILL_OF_FREE: f64 = 1e-9;

/// Bodies are not at rest yet if a contact that bears load lacks more than this fraction of its shell: at
/// large steps, [`STILL_OF_FREE`] would let it never regain that.
pub(super) const LACKING: f64 = 0.01;

// # Opening and sleeping

/// Rounds of opening gaps that are below their shells at the start: gaps are nearly linear over a few shells.
/// Ablation: 0 refuses stacks that touch where they start; 100 changes nothing.
pub(super) const OPENING_ROUNDS: usize = 8;

/// Contacts of bodies that touch are opened if their gaps are within this many shells, either way.
pub(super) const OPENED_FROM: f64 = 8.0;

/// Gaps are opened to this many shells, so that the first step finds them above one.
/// Ablation: 1 leaves the first step below the shell.
pub(super) const OPENED_TO: f64 = 1.25;

/// Bodies that fit exactly are drawn in by this many shells: so much room is then on each side, and one shell
/// of it must stay.
pub(super) const DRAWN_IN: f64 = 3.0;

/// Rounds of [`separate`](crate::World::separate): each parts all pairs that overlap, and may bring others
/// together.
/// Ablation: none; no run calls it.
pub(super) const PARTING_ROUNDS: usize = 200;

/// If fewer than one in this many bodies were placed, each is compared with all others instead of sorting all
/// boxes.
/// Ablation: 1 and a million change no bit, and no time up to 2000 bodies.
pub(super) const FEW_DOUBTFUL: usize = 64;

/// While gaps are opened, a body of no size resists turning by this, kg m² for 1 kg: as if it were a
/// nanometre wide.
/// Ablation: 0 and 1e-6 change nothing in scenes: it is for points.
pub(super) const LEAST_INERTIA: f64 = 1e-18;

/// A body that moves by less than this fraction of its size, or turns by less than this (rad), in a second
/// rests.
/// Ablation: 0 lets nothing sleep; 1e-3 lets a stack sleep earlier.
pub(super) const REST: f64 = 1e-9;

/// m/s. What slips faster than this has the friction of what slides, where static friction differs.
/// It lies between what solvers leave of a slip, 1e-11 m/s, and what breaks loose gains in a step.
pub(super) const SLIDES: f64 = 1e-5;

// # Velocities at the end

/// A contact that bore nothing is closed at the end of a piece within this many shells.
pub(super) const CLOSED: f64 = 1.1;

/// The same of those that bore something: late rounds of the fixpoint take gaps that come out wider.
pub(super) const CLOSED_IF_PUSHED: f64 = 4.0;

/// A contact slides where its impulse is this near to the border of its cone of friction, relative.
pub(super) const AT_CONE: f64 = 1e-6;

/// Velocities are asked for again if what an impulse does in the middle of the way, and not at its end, came
/// out this far from what it was thought to be, relative to the impulse.
pub(super) const FAR_OFF: f64 = 2e-3;

/// Velocities are asked for this often at most.
pub(super) const MOST_PASSES: usize = 3;

/// A piece may gain this fraction of the kinetic energy without a reason, by errors of second order; what is
/// beyond is taken out.
/// Ablation: 1e9 lets six boxes that tumble gain 2e-4 of their energy in a step of 20 ms; with 1e-5, a coin
/// that wobbles in steps of 2 ms is disturbed.
pub(super) const MOST_GAIN: f64 = 1e-4;

// # Hands

/// A hand may exceed its largest force by this fraction: contacts change what its springs pull with by less
/// than that once it was eased. 1e-4 takes one attempt more.
pub(super) const OVER_LIMIT: f64 = 1e-3;

/// Hands are eased so often within a piece at most. A body that contacts stop takes one or two.
pub(super) const MOST_EASED: usize = 4;
