//! The tuning constants of the default path, by layer: what [`SystemSolver`](crate::SystemSolver) and
//! [`reduce`](crate::reduce) run through, from the goal of a solve down to the fallback over contacts.
//!
//! A constant is here if another value would also give right answers. Rounding bounds, which follow from an
//! argument, stand beside their algorithm. Each constant says its unit and what it trades.
//!
//! *Ablation* is the evidence: other values (neutral ones, where there are) and what they changed. It was run
//! over 130 systems (chains, stacks and walls of [`samples`](crate::samples), piles with 12 seeds each, mass
//! ratios to 1e6), solved exactly from nothing, exactly from 99 % of the answer (*warm*), and by sweeps
//! (*quick*); over the 17 published contact problems; and over 24 worlds (the golden scenes of `silvia-world`
//! under `auto`; stacks, piles, knots and a chain, exact and interactive). *Unsolved* counts systems whose
//! outcome is not `Solved`, of 390. Same bits everywhere are *no change*. *Runs* are those that
//! `silvia-world/src/step/tuning.rs` names.
//!
//! The four public constants are shared with `silvia-world`, which decides by them how exactly a round of its
//! fixpoint is solved.

/// Number of contacts. From more than this on a group counts as large: it starts with the interior-point
/// method, may be swept first, and is solved to fewer digits. Trades digits and the start of multipliers
/// against time.
/// Ablation: 1e9: iterations +40 % exact, +38 % warm, +7 % quick; unsolved 29 to 32. 10: iterations -44 %
/// exact, -37 % warm, -2 % quick; unsolved 29 to 26.
pub const MANY_CONTACTS: usize = 100;

/// Multiple of a velocity that does not matter. In a group of few contacts this is near enough where the
/// residual falls slowly.
/// Ablation: 1: iterations +5 % exact, +8 % warm; unsolved 29 to 35. 2000: iterations -3 % exact, -5 % warm.
pub const NEAR_ENOUGH: f64 = 500.0;

/// Multiple of a velocity that does not matter. The same for [many](MANY_CONTACTS) contacts, whose last
/// digits cost more.
/// Ablation: 500: iterations +1 % exact, +1 % warm; unsolved 29 to 28. 20000: iterations -5 % exact, -7 %
/// warm; unsolved 29 to 24.
pub const NEAR_ENOUGH_OF_MANY: f64 = 2000.0;

/// Relative residual. However little moves, a larger residual is no solution.
/// A guard for systems in which hardly anything moves. Ablation: no change with 1.
pub const LOOSEST_RESIDUAL: f64 = 1e-3;

/// What a system is solved to, and by which way.
pub(crate) mod system {
    /// Relative residual. Where the residual falls slowly, this is enough in any case: rounding is near.
    /// Quick answers ask for no less. Ablation: 0: other digits, no more iterations. 1e-12: other digits, no
    /// more iterations.
    pub(crate) const NEAR_ROUNDING: f64 = 1e-10;

    /// Multiple of the mean velocity at which contacts may close. Solved to this over all contacts, few close
    /// faster than they may; trades exact solves against sweeps after them.
    /// Ablation: 1: other digits, no more iterations.
    pub(crate) const CLOSING_MULTIPLE: f64 = 3.0;

    /// Relative residual. Enough for a quick answer for few contacts, which costs little.
    /// Ablation: 1e-10: other digits, no more iterations. 1e-4: unsolved 29 to 28.
    pub(crate) const QUICK_RESIDUAL_OF_FEW: f64 = 1e-7;

    /// Iterations of an exact solve for a quick answer: those of the interior-point method and some more.
    /// Ablation: 400: unsolved 29 to 26.
    pub(crate) const QUICK_ITERATIONS: usize = 60;

    /// Iterations of an exact solve, unless the settings say otherwise.
    /// A guard against endless rounds. Ablation: no change with 4000.
    pub(crate) const MOST_ITERATIONS: usize = 400;

    /// Sweeps at most before many contacts are solved for.
    /// Ablation: 0: iterations +24 % exact, +17 % warm; unsolved 29 to 32.
    pub(crate) const SWEEPS_FIRST: usize = 200;

    /// Relative residual. A better answer is not worth the fallback over contacts: callers take it as it is.
    /// Ablation: 0: other bits in 1 of 24 worlds. 1: iterations -5 % exact, +5 % warm; unsolved 29 to 38.
    pub(crate) const FALLBACK_RESIDUAL: f64 = 1e-7;

    /// Number of contacts. With more, the fallback over contacts would take seconds.
    /// Ablation: 0: iterations -5 % exact, +5 % warm; unsolved 29 to 38. 1000 makes the 130 systems take more
    /// than a minute (2 s).
    pub(crate) const FALLBACK_CONTACTS: usize = 60;

    /// Scalar rows of a group with joints, limits or carried points up to which it is solved by exact
    /// elimination: joints then hold to rounding. More would couple in a large dense matrix, and are solved
    /// over bodies, joints to the tolerance. Evidence: a chain of 24 bars (105 rows) takes 0.8 ms over bodies
    /// and 1.2 ms by elimination, one of 200 bars (897 rows) 5 ms and 750 ms.
    /// Ablation: none; no run has joints.
    pub(crate) const EXACT_ROWS: usize = 96;

    /// Multiple of [`EXACT_ROWS`]. Where the way over bodies does not get there, groups up to this size are
    /// solved exactly all the same; more would take seconds.
    /// Ablation: none; no run has joints.
    pub(crate) const FALLBACK_EXACT: usize = 8;

    /// Share of a normal impulse. A smaller tangential part of a contact without friction is what turning
    /// impulses into the axes of contacts leaves.
    pub(crate) const ROUNDED: f64 = 1e-12;

    /// Number of contacts that are worth the while of a thread. Affects speed, never results.
    /// Ablation: no change with 64.
    pub(crate) const CONTACTS_PER_THREAD: usize = 256;
}

/// The method of multipliers. Weights are relative to a contact's own answer to impulses: the larger, the
/// faster it converges; the smaller, the less rounding, and the tamer what Newton's method is given.
pub(crate) mod multipliers {
    /// Weight to start with.
    /// Ablation: 10: iterations -5 % exact, +6 % warm, -1 % quick; unsolved 29 to 25. 1000: iterations +6 %
    /// exact, +4 % warm, +1 % quick; unsolved 29 to 28.
    pub(crate) const FIRST_WEIGHT: f64 = 1e2;

    /// From a smaller residual than this, the search begins with [`HIGH_WEIGHT`]: contacts no longer change
    /// between open, sticking and sliding, and multipliers converge the faster for it. With less weight, what
    /// is left of the last step's error is passed on from step to step where bodies rest on each other.
    /// Ablation: 0: other bits in 77 of 90 runs. 1: other bits in 85 of 90 runs. No sure gain by either.
    pub(crate) const NEAR: f64 = 1e-6;
    /// Multiple of the tolerance. From a smaller residual than this, bodies are at rest, and what a solve
    /// leaves would add up from step to step. It goes on to [`BELOW`], with [`LARGEST_WEIGHT`]: one round,
    /// after which bodies rest exactly. Without it, a stack of ten takes a round in three of four steps, and
    /// creeps by 1e-11 m/s.
    pub(crate) const AT_REST: f64 = 100.0;
    /// Share of the tolerance that a solve at rest goes on to.
    pub(crate) const BELOW: f64 = 0.03;
    /// Share of the residual. A solve at rest goes on while rounds leave no more: a tower of twenty bends so
    /// easily that each leaves half. Without it, such a tower does not come to rest.
    pub(crate) const WORTH_AT_REST: f64 = 0.8;
    /// The least weight: below it the method gives up.
    /// Ablation: 0.01: iterations +9 % exact, +4 % warm; unsolved 29 to 27. 10: iterations -4 % exact, -6 %
    /// warm, -1 % quick.
    pub(crate) const LEAST_WEIGHT: f64 = 1.0;
    /// The largest weight.
    /// Ablation: 1e4: iterations +1 % warm; unsolved 29 to 30. 1e8: iterations +1 % warm.
    pub(crate) const LARGEST_WEIGHT: f64 = 1e5;
    /// Weights above this only where impulses drift.
    /// Ablation: 1e5: iterations +1 % warm.
    pub(crate) const HIGH_WEIGHT: f64 = 1e4;
    /// What weights are multiplied or divided by.
    /// Ablation: 3: iterations +5 % exact, +2 % warm; unsolved 29 to 30.
    pub(crate) const WEIGHT_STEP: f64 = 10.0;
    /// Rounds after which a weight that gave Newton's method trouble may be tried again.
    /// Ablation: 100000: other digits, no more iterations.
    pub(crate) const ROUNDS_UNTIL_RETRY: usize = 8;

    /// Share of the residual. A round that leaves more is slow, if Newton's method took
    /// [few iterations](FEW_ITERATIONS).
    /// Ablation: 0: iterations +1 % exact. 1: iterations +1 % exact, +2 % warm, -1 % quick; unsolved 29 to
    /// 27.
    pub(crate) const FAST: f64 = 0.03;
    /// Iterations of Newton's method.
    /// Ablation: 100: iterations +1 % exact, +1 % warm; unsolved 29 to 27.
    pub(crate) const FEW_ITERATIONS: usize = 2;
    /// Share of the residual. A slow round that leaves more than this drifts.
    /// Ablation: 0: iterations +1 % warm. 1: iterations +1 % warm.
    pub(crate) const DRIFTING: f64 = 0.5;

    /// Share of its velocity of a round before at which a contact that opens or closes drifts.
    /// Ablation: 10: iterations +19 % exact, +1 % warm; unsolved 29 to 28.
    pub(crate) const STEADY_SHARE: f64 = 0.3;
    /// What the weight of a contact that drifts is multiplied by.
    /// Ablation: 1: iterations +19 % exact, +12 % warm; unsolved 29 to 26.
    pub(crate) const BOOST: f64 = 10.0;
    /// The largest such factor.
    /// Ablation: 1e9: other digits, no more iterations.
    pub(crate) const LARGEST_BOOST: f64 = 1e4;

    /// Share of the residual. Where the residual is near enough, rounds go on while they leave no more.
    /// Ablation: 0: iterations -4 % exact, -4 % warm. 1: iterations +1 % exact, +2 % warm; unsolved 29 to 28.
    pub(crate) const WORTH_ANOTHER: f64 = 0.3;

    /// Rounds without a better answer before the interior-point method takes over.
    /// Ablation: 6: iterations +1 % warm; unsolved 29 to 30. 1: iterations -5 % exact, +3 % warm, -1 % quick;
    /// unsolved 29 to 30.
    pub(crate) const PATIENCE_BEFORE: usize = 3;
    /// Rounds without a better answer after it.
    /// Ablation: 3: iterations -4 % exact, -7 % warm; unsolved 29 to 31.
    pub(crate) const PATIENCE_AFTER: usize = 6;
    /// Rounds without a better answer after which there are sweeps from the best one.
    /// Ablation: 100000: iterations -4 % exact, -7 % warm, -1 % quick; unsolved 29 to 28.
    pub(crate) const ROUNDS_BETWEEN_SWEEPS: usize = 3;
    /// Iterations of Newton's method before the interior-point method takes over.
    /// Ablation: 100000: iterations +15 % exact, -1 % warm, +3 % quick; unsolved 29 to 30.
    pub(crate) const MOST_BEFORE: usize = 16;

    /// Sweeps before Newton's method where there is nothing near to start from, and between its attempts.
    /// Ablation: 0: iterations -13 % exact, -30 % warm, -2 % quick; unsolved 29 to 27.
    pub(crate) const SWEEPS: usize = 12;
    /// Sweeps after each round: they smooth what rounding leaves, multiplied by the weight.
    /// Ablation: 0: iterations +6 % warm, +2 % quick; unsolved 29 to 30. 1: iterations +2 % exact, -4 % warm,
    /// +2 % quick.
    pub(crate) const SMOOTHING_SWEEPS: usize = 2;

    /// Relative residual. From a start that is worse it is better to sweep first, or with many contacts to
    /// start with the interior-point method.
    /// Ablation: 0: iterations +3 % exact, +16 % warm; unsolved 29 to 30. 1: iterations +24 % exact, +10 %
    /// warm, +5 % quick; unsolved 29 to 32.
    pub(crate) const FAR: f64 = 1e-4;
    /// Relative residual at which multipliers are better than the interior-point method.
    /// Ablation: 0: other bits in 2 of 24 worlds. 1e-5: iterations -5 % exact, -5 % warm; unsolved 29 to 36.
    pub(crate) const BETTER_BY_MULTIPLIERS: f64 = 1e-7;
}

/// Newton's method over the velocities of bodies, inside the method of multipliers.
pub(crate) mod body_newton {
    /// Share of the imbalance at which it is done.
    /// Ablation: 1e-6: iterations +11 % exact, +15 % warm, +1 % quick; unsolved 29 to 25. 0.1: iterations +22
    /// % exact, +21 % warm, +2 % quick; unsolved 29 to 36.
    pub(crate) const ENOUGH: f64 = 1e-3;
    /// Iterations at most; few contacts are sooner done with less weight.
    /// Ablation: 40: iterations +1 % exact, -1 % warm; unsolved 29 to 28.
    pub(crate) const MOST_ITERATIONS: usize = 12;
    /// The same for [many](super::MANY_CONTACTS) contacts.
    /// Ablation: 12: iterations +2 % warm; unsolved 29 to 28.
    pub(crate) const MOST_ITERATIONS_OF_MANY: usize = 40;
    /// Share of the promised decrease that a step must bring.
    /// Ablation: 0: iterations +2 % exact, -1 % warm.
    pub(crate) const SUFFICIENT_DECREASE: f64 = 1e-3;
    /// Share of the whole step below which no shorter one is tried.
    /// Ablation: 1e-6: iterations +16 % exact, +26 % warm, +1 % quick; unsolved 29 to 28.
    pub(crate) const SHORTEST_STEP: f64 = 0.01;
    /// Multiple of what is enough. Where no step helps, an imbalance up to this is rounding.
    /// Ablation: 1: iterations +3 % exact, -2 % warm.
    pub(crate) const NEARLY: f64 = 30.0;
    /// Share of the imbalance. A step with the factors of an earlier matrix is taken if it leaves no more.
    /// Ablation: 0: iterations -1 % exact; unsolved 29 to 28.
    pub(crate) const GOOD_OLD_STEP: f64 = 0.1;
}

/// The interior-point method.
pub(crate) mod interior {
    /// Iterations at most.
    /// Ablation: 1000: iterations +1 % exact, +2 % warm.
    pub(crate) const MOST_ITERATIONS: usize = 40;
    /// Iterations without a better answer before it ends.
    /// Ablation: 1000: iterations +10 % exact, +16 % warm, -1 % quick; unsolved 29 to 25. 3: iterations +2 %
    /// warm, +3 % quick; unsolved 29 to 40.
    pub(crate) const PATIENCE: usize = 6;
    /// Share of the residual, or of its power, that a better answer leaves.
    /// Ablation: 1: iterations +7 % exact, +11 % warm, -1 % quick; unsolved 29 to 28.
    pub(crate) const BETTER: f64 = 0.7;
    /// Share of the way to the boundary of the cones that a step goes.
    /// Ablation: 0.99: iterations +4 % warm, -1 % quick; unsolved 29 to 24.
    pub(crate) const SHARE_OF_WAY: f64 = 0.9;
    /// Share of a step. Where no more can be gone, steps nearer to the central path are tried.
    /// Ablation: 0: iterations +1 % warm, -2 % quick; unsolved 29 to 28.
    pub(crate) const SHORT_STEP: f64 = 0.3;
    /// Share with which the slip's own change counts: with all of it the last contacts go to and fro between
    /// directions.
    /// Ablation: 1: iterations -4 % warm, +6 % quick; unsolved 29 to 40.
    pub(crate) const SLIP_SHARE: f64 = 0.9;
    /// Share of what the central path allows a contact that sticks. A smaller slip has no direction.
    /// Ablation: 0: iterations -4 % warm, +2 % quick.
    pub(crate) const NO_SLIP: f64 = 0.01;
    /// Share of the slips' error, as power, that stays as distance from the solution.
    /// Ablation: 0: iterations +8 % exact, +3 % warm; unsolved 29 to 34.
    pub(crate) const SLIP_KEPT: f64 = 0.1;
    /// Share of itself below which the barrier does not fall in one iteration.
    /// Ablation: 0: other bits where a ball hits a wall of 60 bricks, and nowhere else.
    pub(crate) const LEAST_FALL: f64 = 1e-4;
    /// Weight of a joint, relative to its answer to impulses: the larger, the better a step keeps it; the
    /// smaller, the less rounding.
    /// Ablation, on chains of 32 to 400 bars with a foot on every second one: 1e6 solves all in 13 to 16
    /// iterations; 1e3 and 1e9 take 34 to 75 up to 64 bars, and leave 200 bars unsolved.
    pub(crate) const JOINT_WEIGHT: f64 = 1e6;
    /// Share of the power at the start: with less, a motion is as near to free flight as the nearest, about.
    /// Ablation: 1e-4 and 1e-14: other bits in 9 of 10 runs that give way.
    pub(crate) const NEAR_THE_NEAREST: f64 = 1e-8;
    /// Velocity, relative to those that contacts must stop, at which a contact does not close.
    /// Ablation: 0 and 1e-6: other bits in 6 of 10 runs that give way.
    pub(crate) const CLOSED: f64 = 1e-13;
    /// Friction coefficient. Contacts with less start as deep within their cones as if they had this.
    /// Ablation: 0: other bits in 5 of 24 worlds.
    pub(crate) const LEAST_FRICTION: f64 = 0.05;
}

/// Sweeps for quick answers.
pub(crate) mod sweeps {
    /// Number of contacts. So few are as quickly solved exactly.
    /// Ablation: 0: iterations +3 % quick; unsolved 29 to 28. 60: iterations -13 % quick; unsolved 29 to 35.
    pub(crate) const FEW_CONTACTS: usize = 16;
    /// Number of sweeps. An iteration of the exact solver is as much work.
    /// Measured: 2.6 on 2455 contacts of 254 boxes.
    pub(crate) const WORK_OF_ITERATION: usize = 3;
    /// Sweeps over all contacts at a time; then only where contacts still close.
    /// Ablation: 1: iterations +3 % exact, +13 % warm, -4 % quick; unsolved 29 to 27.
    pub(crate) const WHOLE_SWEEPS: usize = 4;
    /// Share of how fast a contact may close. It moves its bodies if their velocities there change by more.
    /// Ablation: 0: iterations +2 % exact, +10 % warm, +34 % quick.
    pub(crate) const MOVES: f64 = 0.6;
    /// Relative residual that need not be less: how much of friction is wrong.
    /// Ablation: 1: other bits in 4 of 22 runs. 1e-6: other bits in 15.
    pub(crate) const ENOUGH: f64 = 1e-2;
    /// The same as a share of how fast contacts may close.
    /// Ablation: 0: other bits in 2 of 24 worlds.
    pub(crate) const RESTING: f64 = 0.3;
}

/// The factorisation over bodies. Affects speed, never results.
pub(crate) mod block_lu {
    /// Connections of a body from which on its elimination is for all threads.
    /// Ablation: no change with 1000000.
    pub(crate) const WIDE: usize = 24;
    /// Connections that are not divided any further.
    /// Ablation: no change with 1.
    pub(crate) const NARROW: usize = 8;
}

/// The reduction of contacts.
pub(crate) mod reduction {
    /// Length, measured by the patch. A contact of which less is left follows from the others.
    /// Ablation: 1e-12: other bits in 2 of 24 worlds. 1e-8: no change.
    pub(crate) const SAME: f64 = 1e-10;
    /// Length, measured by the patch, to which the others are fitted.
    /// Ablation: `SAME`: other bits where a ball hits a wall of 60 bricks, and nowhere else.
    pub(crate) const LEAST_SQUARES: f64 = 0.1 * SAME;
    /// Chord between unit normals. Nearer ones belong to one patch.
    /// Ablation: 1e-12: other bits in 2 of 24 worlds.
    pub(crate) const SAME_NORMAL: f64 = 1e-7;
    /// Of more contacts than this, some are chosen that span the others, before each is compared with all.
    /// Ablation: 0: other bits in 12 of 80 runs. 1000000: other bits in 1.
    pub(crate) const MANY: usize = 32;
}

/// `auto` over contacts: which method an island gets.
pub(crate) mod auto {
    /// Gauss-Seidel sweeps before its rate is first judged, and between judgements.
    /// Ablation: 4: iterations -2 % exact; published problems -20 %.
    pub(crate) const SWEEPS_PER_JUDGEMENT: usize = 12;
    /// Sweeps within which the rate must promise the tolerance, for sweeps to go on.
    /// Ablation: 0: published problems -28 %. 1e9: iterations +1071 % exact, -2 % warm; published problems
    /// +2427 %; unsolved 29 to 30.
    pub(crate) const PROMISING_SWEEPS: f64 = 120.0;
    /// Sweeps between two attempts of the proximal method.
    /// Ablation: no change with 0; the set does not get there.
    pub(crate) const SWEEPS_BETWEEN_ATTEMPTS: usize = 1500;
    /// Attempts of the proximal method.
    /// Ablation: no change with 1; the set does not get there.
    pub(crate) const ATTEMPTS: usize = 3;
    /// Iterations of plain Fischer-Newton, which needs some ten where it works at all.
    /// Ablation: no change with 0; the set does not get there.
    pub(crate) const FISCHER_ITERATIONS: usize = 30;
    /// Eigenvalue of `W`, equilibrated, above which it has full rank.
    /// Ablation: no change with 1e9; the set does not get there.
    pub(crate) const LEAST_EIGENVALUE: f64 = 1e-9;
    /// All iterations of an island together before giving up, unless the settings say otherwise.
    /// Ablation: no change with 1e9; the set does not get there.
    pub(crate) const DEFAULT_ITERATIONS: usize = 60_000;
}

/// Newton's method on the Fischer function.
pub(crate) mod fischer {
    /// First smoothing, as a share of the typical velocity.
    /// Ablation: 0.01: iterations +6 % exact; published problems -1 %.
    pub(crate) const FIRST_SMOOTHING: f64 = 0.1;
    /// Regularisation per unit of relative function value, where it follows the iterates.
    /// Ablation: 1e-4: iterations +1 % exact, +1 % warm; published problems +2 %.
    pub(crate) const FOLLOWING_WEIGHT: f64 = 1e-2;
    /// Bounds of that regularisation, relative to the diagonal of the equilibrated `W`.
    /// Ablation: 0 for the least: other bits in 2 of 8 runs. 1e-6: in 7. 1 for the most: no change. 1e-4: in
    /// 5.
    pub(crate) const FOLLOWING_RANGE: (f64, f64) = (1e-12, 1e-2);
    /// What smoothing shrinks by after a full step, and with the function's value if that is smaller still.
    /// Ablation: 0.3: iterations +1 % warm; published problems +2 %.
    pub(crate) const FAST_SHRINK: f64 = 0.1;
    /// What smoothing shrinks by after a shortened step.
    /// Ablation: 0.1: iterations +1 % exact. 1: published problems -1 %.
    pub(crate) const SLOW_SHRINK: f64 = 0.3;
    /// Share of the decrease that the slope promises, which a step must have (Armijo's condition).
    /// Ablation: 0: other bits in 3 of 8 runs, work +2 %. A step that gains nothing would be taken.
    pub(crate) const SUFFICIENT_DECREASE: f64 = 1e-3;
    /// Halvings of a step before the best of them is taken.
    /// Ablation: 30: other digits, no more iterations.
    pub(crate) const MOST_HALVINGS: usize = 10;
    /// Share of the whole step. A shorter one counts as a stall.
    /// Ablation: 0: iterations +2 % exact; published problems -2 %.
    pub(crate) const SHORT_STEP: f64 = 0.04;
    /// Short steps in a row that end a run.
    /// Ablation: 1: iterations +1 % exact; published problems +2 %. 100: iterations +2 % exact; published
    /// problems -2 %.
    pub(crate) const MOST_SHORT_STEPS: usize = 4;
}

/// The proximal loop around it.
pub(crate) mod proximal {
    /// Newton iterations of the attempt whose centre follows the iterates.
    /// Ablation: 0: iterations +1 % exact, +1 % warm; published problems +3 %.
    pub(crate) const FOLLOWING_ITERATIONS: usize = 60;
    /// Newton iterations of one inner problem.
    /// Ablation: 60: other digits, no more iterations.
    pub(crate) const INNER_ITERATIONS: usize = 30;
    /// First weight of the loop, relative to the diagonal of the equilibrated `W`.
    /// Ablation: 1: iterations +1 % exact.
    pub(crate) const FIRST_WEIGHT: f64 = 0.03;
    /// Bounds of the weight; above the upper one the inner problem is hopeless.
    /// Ablation: 0 for the least: other bits in 2 of 7 runs. 1e-4: in all 7, work +49 %. 1 and 1e9 for the
    /// most: no change.
    pub(crate) const WEIGHT_RANGE: (f64, f64) = (1e-9, 1e3);
    /// What a failed inner problem multiplies the weight by.
    /// Ablation: 3: other digits, no more iterations.
    pub(crate) const WEIGHT_GROWTH: f64 = 10.0;
    /// What a solved inner problem multiplies the weight by.
    /// Ablation: 0.1: published problems +3 %.
    pub(crate) const WEIGHT_SHRINK: f64 = 0.3;
    /// Share of the outer error to which an inner problem is solved.
    /// Ablation: 0.5: published problems -2 %.
    pub(crate) const INNER_SHARE: f64 = 0.05;
}

/// Alternating directions, the last resort. The ablation set does not get there; tests of the solver `admm`
/// do.
pub(crate) mod admm {
    /// Rounds of the power methods for the largest and the smallest eigenvalue: two digits suffice.
    pub(crate) const POWER_ROUNDS: usize = 20;
    /// The shift, as a share of the largest eigenvalue.
    pub(crate) const SHIFT_SHARE: f64 = 1e-4;
    /// Factor by which residuals may differ and still be in balance.
    pub(crate) const BALANCE: f64 = 5.0;
    /// The first iteration at which `rho` may change.
    pub(crate) const FIRST_CORRECTION: usize = 10;
    /// Factor between the iterations of one correction and of the next.
    pub(crate) const CORRECTION_SPACING: usize = 2;
    /// Largest factor by which `rho` changes at once, up or down.
    pub(crate) const LARGEST_CORRECTION: f64 = 10.0;
    /// Over-relaxation, which shortens the zigzag; below 2 for convergence.
    pub(crate) const RELAXATION: f64 = 1.6;
}

/// Gauss-Seidel over contacts.
pub(crate) mod gauss_seidel {
    /// Sweeps between two measurements of the residual, which cost about as much as a sweep.
    /// Ablation: 1: published problems -3 %.
    pub(crate) const SWEEPS_BETWEEN_CHECKS: usize = 4;
    /// Sweeps between two attempts to prove from the growth of impulses that there is no solution.
    /// Ablation: no change with 1000000, all problems of the set being solvable.
    pub(crate) const SWEEPS_BETWEEN_PROOFS: usize = 100;
    /// Number of contacts of a colour that are worth handing to other threads. Affects speed, never results.
    /// Ablation: no change with 16.
    pub(crate) const PARALLEL_CONTACTS: usize = 256;
}

/// Factorisations over contacts.
pub(crate) mod factorisation {
    /// Rows up to which a factorisation is dense whatever the pattern: a sparse one has more overhead.
    /// Ablation: 0: other digits, no more iterations.
    pub(crate) const DENSE_ROWS: usize = 96;
    /// Share of non-zero blocks above which a factorisation is dense: fill-in would make it so.
    /// Matters where a mechanism couples all contacts. Ablation: 1: other bits in 1 of 3 runs.
    pub(crate) const DENSE_SHARE: f64 = 0.35;
}
