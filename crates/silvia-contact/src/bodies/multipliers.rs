//! The search for the impulses of a group of contacts.
//!
//! Near an answer, as from step to step, the method of multipliers: [Newton's method](super::body_newton)
//! gives the velocities for the impulses of the last iterate, which are then put to `P(r - rho u)`. Where
//! contacts no longer change between open, sticking and sliding it converges by a factor of about the weight
//! in each round. Gauss-Seidel sweeps over the same rows (sequential impulses) bring it near. Where it gets
//! no nearer an [interior-point method](super::interior) starts from nothing, and multipliers give its answer
//! the last digits.

use super::body_newton::{BodyNewton, NewtonOutcome};
use super::group_problem::GroupProblem;
use super::interior::Interior;
use super::rows::ContactRow;
use crate::cone::solve_alone;
use crate::tuning::{MANY_CONTACTS, multipliers as tuning};

/// What was found for a group.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupSolution {
    /// Impulses, as the rows see them.
    pub(super) r: Vec<[f64; 3]>,
    /// Relative to the scale.
    pub(super) residual: f64,
    pub(super) iterations: usize,
    pub(super) is_solved: bool,
    /// Whether `r` is what the caller gave to start from: nothing better was found.
    pub(super) is_start: bool,
}

/// What a search works with; to be used again, for the same group or another.
#[derive(Clone, Debug, Default)]
pub(super) struct Multipliers {
    r: Vec<[f64; 3]>,
    v: Vec<[f64; 6]>,
    /// Of the last round: how fast each contact opens, m/s.
    opening: Vec<f64>,
    newton: BodyNewton,
    interior: Interior,
    pub(super) best: GroupSolution,
    /// Of the best, with how fast contacts close.
    best_measure: f64,
    /// Of the last.
    last: f64,
    /// The residual to end at.
    goal: f64,
}

impl Multipliers {
    /// Solves for a group, from the impulses in `best`.
    pub(super) fn solve<const N: usize>(&mut self, group: &GroupProblem<N>) {
        let is_cold = self.best.r.iter().flatten().all(|&r| r == 0.0);
        self.r.clone_from(&self.best.r);
        (self.best.iterations, self.best.is_solved) = (0, false);
        (self.best_measure, self.last) = (f64::INFINITY, f64::INFINITY);
        self.goal = 0.0;
        let is_start = self.best.is_start;
        self.measure(group);
        let is_at_rest = group.goes_on_at_rest
            && self.best_measure <= (tuning::AT_REST * group.tolerance).min(tuning::NEAR);
        self.goal = if is_at_rest { tuning::BELOW * group.tolerance } else { group.tolerance };
        (self.best.is_solved, self.best.is_start) = (self.best_measure <= self.goal, is_start);
        if self.is_over(group) {
            self.best.is_solved = self.best_measure <= group.enough;
            return;
        }
        self.newton.begin(group);
        self.opening.clear();
        self.opening.resize(group.rows.len(), 0.0);
        let is_far = is_cold || self.best_measure > tuning::FAR;
        if !(is_far && group.rows.len() > MANY_CONTACTS) {
            if is_far {
                self.sweep(group, tuning::SWEEPS);
            }
            self.iterate(group, tuning::PATIENCE_BEFORE, tuning::MOST_BEFORE);
        }
        let worth = if group.rows.len() > MANY_CONTACTS { tuning::BETTER_BY_MULTIPLIERS } else { 0.0 };
        if !self.is_over(group) && self.best_measure > group.enough.max(worth) {
            self.r.copy_from_slice(&self.best.r);
            let goal = group.enough.max(tuning::BETTER_BY_MULTIPLIERS);
            self.best.iterations += self.interior.approach(group, &mut self.r, goal, &mut self.newton.lu);
            self.newton.begin(group);
            self.measure(group);
            self.iterate(group, tuning::PATIENCE_AFTER, usize::MAX);
        }
        self.best.is_solved = self.best_measure <= group.enough;
    }

    /// Finds the motion nearest to free flight that closes no contact, or one as `near` as that, with at most
    /// so many factorisations, and puts its velocities into a list: none where it is not found.
    pub(super) fn project<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        (most, near): (usize, f64),
        velocities: &mut Vec<[f64; 6]>,
    ) {
        self.newton.begin(group);
        let (motion, iterations) = self.interior.project(group, (most, near), &mut self.newton.lu);
        velocities.clear();
        if let Some(motion) = &motion {
            velocities.extend_from_slice(motion.velocities);
            self.best.r.copy_from_slice(motion.impulses);
        }
        (self.best.is_solved, self.best.residual, self.best.is_start) = (motion.is_some(), 0.0, false);
        self.best.iterations = iterations;
    }

    /// Looks at the impulses, and at the velocities that they lead to; whether they are better than all
    /// before.
    fn measure<const N: usize>(&mut self, group: &GroupProblem<N>) -> bool {
        group.velocities(&self.r, &mut self.v);
        let [residual, measure] = group.residual(&self.r, &self.v);
        self.last = measure;
        let is_better = measure < self.best_measure;
        if is_better {
            self.best_measure = measure;
            self.best.residual = residual;
            self.best.r.copy_from_slice(&self.r);
            (self.best.is_solved, self.best.is_start) = (measure <= self.goal, false);
        }
        is_better
    }

    fn is_over<const N: usize>(&self, group: &GroupProblem<N>) -> bool {
        self.best.is_solved || self.best.iterations >= group.most_iterations
    }

    /// Some Gauss-Seidel sweeps from the best answer.
    fn sweep<const N: usize>(&mut self, group: &GroupProblem<N>, sweeps: usize) {
        self.r.copy_from_slice(&self.best.r);
        self.smooth(group, sweeps);
        self.best.iterations += sweeps;
        self.measure(group);
    }

    /// Some Gauss-Seidel sweeps, each contact solved exactly with the others held.
    fn smooth<const N: usize>(&mut self, group: &GroupProblem<N>, sweeps: usize) {
        group.velocities(&self.r, &mut self.v);
        let v = &mut self.v;
        let mut relax = |(row, r): (&ContactRow<N>, &mut [f64; 3])| {
            let u = row.velocity(v);
            let own = crate::matrix::block_times(&row.w, *r);
            let alone = [u[0] - own[0], u[1] - own[1], u[2] - own[2]];
            let new = if row.is_bilateral() {
                (row.w[0] > 0.0).then(|| [-alone[0] / row.w[0], 0.0, 0.0])
            } else {
                solve_alone(&row.w, alone, row.mu)
            };
            if let Some(new) = new {
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
    fn iterate<const N: usize>(&mut self, group: &GroupProblem<N>, patience: usize, most: usize) {
        let mut weight = if self.goal < group.tolerance {
            tuning::LARGEST_WEIGHT
        } else if self.last <= tuning::NEAR {
            tuning::HIGH_WEIGHT
        } else {
            tuning::FIRST_WEIGHT
        };
        let (mut highest, mut since_stall) = (tuning::LARGEST_WEIGHT, 0);
        let mut idle = 0;
        let mut last = self.last;
        while !self.is_over(group) && idle < patience {
            if idle > 0 && self.best_measure <= group.enough || self.newton.iterations >= most {
                return;
            }
            let before = self.newton.iterations;
            let inner = self.newton.solve(group, &self.r, &mut self.v, weight);
            self.best.iterations += self.newton.iterations - before;
            if matches!(inner, NewtonOutcome::Stalled) {
                // Nothing was found for these impulses: from the best ones, with less weight.
                weight /= tuning::WEIGHT_STEP;
                (highest, since_stall) = (weight, 0);
                idle += 1;
                if weight < tuning::LEAST_WEIGHT {
                    return;
                }
                self.newton.boosts.fill(1.0);
                self.newton.forget();
                self.sweep(group, tuning::SMOOTHING_SWEEPS);
                last = self.last;
                continue;
            }
            let had = self.best_measure;
            self.update(group, weight);
            let mut is_better = self.measure(group);
            if self.is_over(group) {
                return;
            }
            let few = tuning::FEW_ITERATIONS;
            let is_slow = matches!(inner, NewtonOutcome::Reached(iterations) if iterations <= few)
                && self.last > tuning::FAST * last;
            // Where contacts contradict each other by a little, impulses go on changing at a constant pace,
            // in proportion to the weight, until one of them opens or slides.
            let does_drift = is_slow && self.last > tuning::DRIFTING * last;
            self.smooth(group, tuning::SMOOTHING_SWEEPS);
            is_better |= self.measure(group);
            let worth =
                if self.goal < group.tolerance { tuning::WORTH_AT_REST } else { tuning::WORTH_ANOTHER };
            let is_quick = self.best_measure > group.enough || self.best_measure <= worth * had;
            idle = if is_better && is_quick { 0 } else { idle + 1 };
            if idle > 0 && idle % tuning::ROUNDS_BETWEEN_SWEEPS == 0 {
                // To and fro with steps that are too long: again from the best answer, with shorter ones.
                self.sweep(group, tuning::SWEEPS);
                highest = (highest.min(weight) / tuning::WEIGHT_STEP).max(tuning::FIRST_WEIGHT);
                (weight, since_stall) = (weight.min(highest), 0);
            }
            match inner {
                NewtonOutcome::Reached(_) if is_slow => {
                    let most = if does_drift { highest } else { highest.min(tuning::HIGH_WEIGHT) };
                    weight = (weight * tuning::WEIGHT_STEP).min(most.max(weight));
                }
                NewtonOutcome::Reached(_) => weight = weight.min(tuning::HIGH_WEIGHT),
                NewtonOutcome::Stalled | NewtonOutcome::Singular => return,
            }
            last = self.last;
            since_stall += 1;
            if since_stall % tuning::ROUNDS_UNTIL_RETRY == 0 {
                highest = (highest * tuning::WEIGHT_STEP).min(tuning::LARGEST_WEIGHT);
            }
        }
    }

    /// Puts the impulses to what the velocities ask for, and gives contacts that drift more weight.
    fn update<const N: usize>(&mut self, group: &GroupProblem<N>, weight: f64) {
        let mut has_changed = false;
        for (k, row) in group.rows.iter().enumerate() {
            self.r[k] = self.newton.impulse(group, k, self.r[k], &self.v, weight);
            let (opening, last) = (row.velocity(&self.v)[0], self.opening[k]);
            let boost = &mut self.newton.boosts[k];
            let is_steady = opening * last > 0.0 && opening.abs() > tuning::STEADY_SHARE * last.abs();
            let boosted = match row.is_bilateral() || self.r[k][0] > 0.0 {
                true if is_steady && opening.abs() > group.tolerance * group.scale => {
                    (tuning::BOOST * *boost).min(tuning::LARGEST_BOOST)
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
