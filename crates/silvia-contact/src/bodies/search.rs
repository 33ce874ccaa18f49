//! The search for the impulses of a group of contacts.
//!
//! Near an answer, as from step to step, the method of multipliers: [Newton's method](super::newton) gives
//! the velocities for the impulses of the last iterate, which are then put to `P(r - rho u)`. Where contacts
//! no longer change between open, sticking and sliding it converges by a factor of about the weight in each
//! round. Gauss-Seidel sweeps over the same rows (sequential impulses) bring it near. Where it gets no nearer
//! an [interior-point method](super::interior) starts from nothing, and multipliers give its answer the last
//! digits.

use super::group::Group;
use super::interior::Interior;
use super::newton::{Inner, Newton};
use super::rows::Row;
use crate::cone::solve_alone;

/// What was found for a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Impulses, as the rows see them.
    pub(super) r: Vec<[f64; 3]>,
    /// Relative to the scale.
    pub(super) residual: f64,
    pub(super) iterations: usize,
    pub(super) is_solved: bool,
}

/// Weights are relative to a contact's own answer to impulses: the larger the faster, the smaller the less
/// rounding, and the tamer what Newton's method is given.
const FIRST_WEIGHT: f64 = 1e2;
const WEIGHT_RANGE: [f64; 2] = [1.0, 1e5];
const WEIGHT_STEP: f64 = 10.0;

/// So many rounds after Newton's method had trouble at a weight it may be tried again.
const STEADY: usize = 8;

/// Higher weights only where impulses drift.
const HIGH_WEIGHT: f64 = 1e4;

/// Multipliers that leave more of the residual than this are slow, where Newton's method took few iterations.
const FAST: f64 = 0.03;
const FEW: usize = 2;

/// Multipliers that leave more than this drift.
const DRIFTING: f64 = 0.5;

/// A contact that closes or opens at this fraction of its velocity of a round before, or more, drifts, and
/// gets more weight for itself, up to so many times its own.
const STEADILY: f64 = 0.3;
const BOOST: f64 = 10.0;
const MOST_BOOST: f64 = 1e4;

/// Where the residual is enough, rounds go on as long as they leave no more than this of it.
const QUICK: f64 = 0.3;

/// Rounds without a better answer before the interior-point method, and after it; and after how many of them
/// there are sweeps from the best one.
const PATIENCE_BEFORE: usize = 3;
const PATIENCE_AFTER: usize = 6;
const SWEEP_EVERY: usize = 3;

/// Iterations of Newton's method before the interior-point method.
const MOST_BEFORE: usize = 16;

/// Sweeps before Newton's method starts where there is nothing to start from, and between its attempts.
const SWEEPS: usize = 12;

/// Sweeps after each round: what rounding leaves, multiplied by the weight, is what sweeps are best at.
const SMOOTHING: usize = 2;

/// From a residual above this it is better to sweep first, and with more contacts than this to start with the
/// interior-point method.
pub(super) const FAR: f64 = 1e-4;
pub(super) const MANY: usize = 100;

/// A residual at which multipliers are better than the interior-point method.
const BETTER_BY_MULTIPLIERS: f64 = 1e-7;

/// What a search works with; to be used again, for the same group or another.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    r: Vec<[f64; 3]>,
    v: Vec<[f64; 6]>,
    /// Of the last round: how fast each contact opens, m/s.
    opening: Vec<f64>,
    newton: Newton,
    interior: Interior,
    pub(super) best: Found,
    /// Of the best, with how fast contacts close.
    best_measure: f64,
    /// Of the last.
    last: f64,
}

impl Search {
    /// Solves for a group, from the impulses in `best`.
    pub(super) fn solve(&mut self, group: &Group) {
        let is_cold = self.best.r.iter().flatten().all(|&r| r == 0.0);
        self.r.clone_from(&self.best.r);
        (self.best.iterations, self.best.is_solved) = (0, false);
        (self.best_measure, self.last) = (f64::INFINITY, f64::INFINITY);
        self.measure(group);
        if self.is_over(group) {
            return;
        }
        self.newton.begin(group);
        self.opening.clear();
        self.opening.resize(group.rows.len(), 0.0);
        let is_far = is_cold || self.best_measure > FAR;
        if !(is_far && group.rows.len() > MANY) {
            if is_far {
                self.sweep(group, SWEEPS);
            }
            self.multipliers(group, PATIENCE_BEFORE, MOST_BEFORE);
        }
        let worth = if group.rows.len() > MANY { BETTER_BY_MULTIPLIERS } else { 0.0 };
        if !self.is_over(group) && self.best_measure > group.enough.max(worth) {
            self.r.copy_from_slice(&self.best.r);
            let goal = group.enough.max(BETTER_BY_MULTIPLIERS);
            self.best.iterations += self.interior.approach(group, &mut self.r, goal, &mut self.newton.lu);
            self.newton.begin(group);
            self.measure(group);
            self.multipliers(group, PATIENCE_AFTER, usize::MAX);
        }
        self.best.is_solved = self.best_measure <= group.enough;
    }

    /// Looks at the impulses, and at the velocities that they lead to; whether they are better than all
    /// before.
    fn measure(&mut self, group: &Group) -> bool {
        group.velocities(&self.r, &mut self.v);
        let [residual, measure] = group.residual(&self.r, &self.v);
        self.last = measure;
        let is_better = measure < self.best_measure;
        if is_better {
            self.best_measure = measure;
            self.best.residual = residual;
            self.best.r.copy_from_slice(&self.r);
            self.best.is_solved = measure <= group.tolerance;
        }
        is_better
    }

    fn is_over(&self, group: &Group) -> bool {
        self.best.is_solved || self.best.iterations >= group.most_iterations
    }

    /// Some Gauss-Seidel sweeps from the best answer.
    fn sweep(&mut self, group: &Group, sweeps: usize) {
        self.r.copy_from_slice(&self.best.r);
        self.smooth(group, sweeps);
        self.best.iterations += sweeps;
        self.measure(group);
    }

    /// Some Gauss-Seidel sweeps, each contact solved exactly with the others held.
    fn smooth(&mut self, group: &Group, sweeps: usize) {
        group.velocities(&self.r, &mut self.v);
        let v = &mut self.v;
        let mut relax = |(row, r): (&Row, &mut [f64; 3])| {
            let u = row.velocity(v);
            let own = crate::matrix::block_times(&row.w, *r);
            let alone = [u[0] - own[0], u[1] - own[1], u[2] - own[2]];
            if let Some(new) = solve_alone(&row.w, alone, row.mu) {
                row.push([new[0] - r[0], new[1] - r[1], new[2] - r[2]], v);
                *r = new;
            }
        };
        for sweep in 0..sweeps {
            let contacts = group.rows.iter().zip(&mut self.r);
            // To and fro: what is put on a stack is felt at its foot after one sweep in the one direction and
            // many in the other.
            if sweep % 2 == 0 { contacts.rev().for_each(&mut relax) } else { contacts.for_each(&mut relax) }
        }
    }

    /// The method of multipliers from where the search is, until it is solved or gets no better. The weight
    /// follows what happens: less where Newton's method has trouble, more where multipliers are slow.
    fn multipliers(&mut self, group: &Group, patience: usize, most: usize) {
        let mut weight = FIRST_WEIGHT;
        let (mut highest, mut since_stall) = (WEIGHT_RANGE[1], 0);
        let mut idle = 0;
        let mut last = self.last;
        while !self.is_over(group) && idle < patience {
            if idle > 0 && self.best_measure <= group.enough || self.newton.iterations >= most {
                return;
            }
            let before = self.newton.iterations;
            let inner = self.newton.solve(group, &self.r, &mut self.v, weight);
            self.best.iterations += self.newton.iterations - before;
            if matches!(inner, Inner::Stalled) {
                // Nothing was found for these impulses: from the best ones, with less weight.
                weight /= WEIGHT_STEP;
                (highest, since_stall) = (weight, 0);
                idle += 1;
                if weight < WEIGHT_RANGE[0] {
                    return;
                }
                self.newton.boosts.fill(1.0);
                self.newton.forget();
                self.sweep(group, SMOOTHING);
                last = self.last;
                continue;
            }
            let had = self.best_measure;
            self.update(group, weight);
            let mut is_better = self.measure(group);
            if self.is_over(group) {
                return;
            }
            let is_slow =
                matches!(inner, Inner::Reached(iterations) if iterations <= FEW) && self.last > FAST * last;
            // Where contacts contradict each other by a little, impulses go on changing at a constant pace,
            // in proportion to the weight, until one of them opens or slides.
            let does_drift = is_slow && self.last > DRIFTING * last;
            self.smooth(group, SMOOTHING);
            is_better |= self.measure(group);
            let is_quick = self.best_measure > group.enough || self.best_measure <= QUICK * had;
            idle = if is_better && is_quick { 0 } else { idle + 1 };
            if idle > 0 && idle % SWEEP_EVERY == 0 {
                // To and fro with steps that are too long: again from the best answer, with shorter ones.
                self.sweep(group, SWEEPS);
                highest = (highest.min(weight) / WEIGHT_STEP).max(FIRST_WEIGHT);
                (weight, since_stall) = (weight.min(highest), 0);
            }
            match inner {
                Inner::Reached(_) if is_slow => {
                    let most = if does_drift { highest } else { highest.min(HIGH_WEIGHT) };
                    weight = (weight * WEIGHT_STEP).min(most.max(weight));
                }
                Inner::Reached(_) => weight = weight.min(HIGH_WEIGHT),
                Inner::Stalled | Inner::Singular => return,
            }
            last = self.last;
            since_stall += 1;
            if since_stall % STEADY == 0 {
                highest = (highest * WEIGHT_STEP).min(WEIGHT_RANGE[1]);
            }
        }
    }

    /// Puts the impulses to what the velocities ask for, and gives contacts that drift more weight.
    fn update(&mut self, group: &Group, weight: f64) {
        let mut has_changed = false;
        for (k, row) in group.rows.iter().enumerate() {
            self.r[k] = self.newton.impulse(group, k, self.r[k], &self.v, weight);
            let (opening, last) = (row.velocity(&self.v)[0], self.opening[k]);
            let boost = &mut self.newton.boosts[k];
            let is_steady = opening * last > 0.0 && opening.abs() > STEADILY * last.abs();
            let boosted = match self.r[k][0] > 0.0 {
                true if is_steady && opening.abs() > group.tolerance * group.scale => {
                    (BOOST * *boost).min(MOST_BOOST)
                }
                true => *boost,
                false => 1.0,
            };
            has_changed |= boosted != *boost;
            *boost = boosted;
            self.opening[k] = opening;
        }
        if has_changed {
            self.newton.forget();
        }
    }
}
