//! Contacts that act on each other, solved over the velocities of their bodies.
//!
//! With a weight `rho`, impulses `r` and velocities `u` at a contact obey Coulomb's law exactly where `r = P(r - rho u)`: its normal part
//! not negative, its tangential part within the disk of friction (Alart and Curnier, 1991). Newton's method is applied to
//! `M (v - v_free) = J' P(r - rho u(v))` with the impulses `r` of the last iterate, which are then put to `P(r - rho u)`: the method of multipliers. One iteration solves
//! `M + J' D J`, six unknowns a body, however many contacts; redundant contacts, which rigid scenes always have, do no harm. Where contacts no longer change between
//! open, sticking and sliding it converges by a factor of about the weight in each iteration.
//!
//! Gauss-Seidel sweeps over the same rows (sequential impulses) bring it near.

use super::block_lu::{Block6, BlockLu};
use super::rows::{NONE, Row};
use crate::cone::{length, solve_alone};

/// Contacts that act on each other, with their bodies.
pub(super) struct Group {
    pub(super) rows: Vec<Row>,
    /// Mass and inertia of each body.
    pub(super) masses: Vec<Block6>,
    /// Of `masses`.
    pub(super) inverses: Vec<Block6>,
    /// Velocities without contacts.
    pub(super) free: Vec<[f64; 6]>,
    /// What residuals are divided by, m/s.
    pub(super) scale: f64,
    pub(super) tolerance: f64,
    pub(super) most_iterations: usize,
}

/// What was found for a group.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Impulses, as the rows see them.
    pub(super) r: Vec<[f64; 3]>,
    /// Relative to the scale.
    pub(super) residual: f64,
    pub(super) iterations: usize,
    pub(super) is_solved: bool,
}

/// Weights are relative to a contact's own answer to impulses: the larger the faster, the smaller the less rounding, and the tamer what Newton's method is
/// given.
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

/// Rounds without a better answer before another way is tried, and after how many of them there are sweeps from the best one.
const PATIENCE: usize = 24;
const SWEEP_EVERY: usize = 3;

/// At or below this residual what is left is near rounding, and not worth as many rounds.
const GOOD: f64 = 1e-9;
const LITTLE_PATIENCE: usize = 4;

/// Sweeps before Newton's method starts where there is nothing to start from, and between its attempts.
const SWEEPS: usize = 12;

/// Multipliers that leave more than this drift.
const DRIFTING: f64 = 0.5;

/// Further attempts where contacts are many, and sweeps before each.
const MORE_ATTEMPTS: usize = 3;
const SWEEPS_BETWEEN_ATTEMPTS: usize = 100;

/// Newton's method for given impulses ends where so little of the imbalance is left.
const ENOUGH: f64 = 1e-3;

/// Its iterations at most; few contacts are sooner done with less weight.
const MOST_INNER: usize = 12;
const MOST_INNER_OF_MANY: usize = 40;
const MANY_ROWS: usize = 100;

/// Share of the promised decrease that a step must bring.
const SUFFICIENT: f64 = 1e-3;

/// The shortest step, as a fraction of the whole.
const SHORTEST: f64 = 0.01;

/// What is left of the imbalance where no step makes it less, as a multiple of what is enough, is rounding.
const NEARLY: f64 = 30.0;

/// Sweeps after each Newton iteration: what rounding leaves, multiplied by the weight, is what sweeps are best at.
const SMOOTHING: usize = 2;

/// From a residual above this it is better to sweep first.
const FAR: f64 = 1e-4;

/// An answer must also keep contacts from approaching, to so many times the tolerance, as in all solvers of this law.
const APPROACH_FACTOR: f64 = 10.0;

impl Group {
    /// Solves, from impulses.
    pub(super) fn solve(&self, start: Vec<[f64; 3]>) -> Found {
        let is_cold = start.iter().flatten().all(|&r| r == 0.0);
        let mut search = Search::new(self, start);
        if search.is_over() {
            return search.best;
        }
        if is_cold || search.best_measure > FAR {
            search.sweep(SWEEPS);
        }
        let mut lu = BlockLu::new(self.masses.len(), self.connections());
        search.multipliers(&mut lu);
        // Many contacts are worth more attempts: what comes after this takes longer by far.
        for _ in 0..if self.rows.len() > MANY_ROWS { MORE_ATTEMPTS } else { 0 } {
            if search.is_over() || search.best_measure <= GOOD {
                break;
            }
            search.sweep(SWEEPS_BETWEEN_ATTEMPTS);
            search.multipliers(&mut lu);
        }
        search.best
    }

    fn connections(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.rows
            .iter()
            .map(|row| [row.sides[0].body, row.sides[1].body])
            .filter(|pair| !pair.contains(&NONE) && pair[0] != pair[1])
    }

    /// The velocities that impulses lead to.
    pub(super) fn velocities(&self, r: &[[f64; 3]], v: &mut Vec<[f64; 6]>) {
        v.clear();
        v.extend_from_slice(&self.free);
        self.rows.iter().zip(r).for_each(|(row, &r)| row.push(r, v));
    }

    /// How far impulses, and the velocities they lead to, are from the law; relative to the scale.
    fn residual(&self, r: &[[f64; 3]], v: &[[f64; 6]]) -> [f64; 2] {
        let (mut sum, mut approach) = (0.0, 0.0);
        for (row, &r) in self.rows.iter().zip(r) {
            let [error, closing] = row.error(r, row.velocity(v));
            sum += error;
            approach += closing;
        }
        let relative = |square: f64| square.sqrt() / self.scale;
        let measure = relative(sum).max(relative(approach) / APPROACH_FACTOR);
        [relative(sum), if measure.is_finite() { measure } else { f64::INFINITY }]
    }
}

/// How Newton's method for given impulses ended.
#[derive(Clone, Copy, Debug)]
enum Inner {
    /// Well, after so many iterations.
    Reached(usize),
    /// It got no farther.
    Stalled,
    /// A matrix had no inverse.
    Singular,
}

/// A search on its way.
struct Search<'a> {
    group: &'a Group,
    r: Vec<[f64; 3]>,
    v: Vec<[f64; 6]>,
    best: Found,
    /// Of the best, with how fast contacts close.
    best_measure: f64,
    /// Of the last.
    last: f64,
}

impl<'a> Search<'a> {
    fn new(group: &'a Group, start: Vec<[f64; 3]>) -> Search<'a> {
        let best = Found { r: start.clone(), residual: f64::INFINITY, iterations: 0, is_solved: false };
        let mut search =
            Search { group, r: start, v: Vec::new(), best, best_measure: f64::INFINITY, last: f64::INFINITY };
        search.measure();
        search
    }

    /// Looks at the impulses, and at the velocities that they lead to; whether they are better than all before.
    fn measure(&mut self) -> bool {
        let mut v = std::mem::take(&mut self.v);
        self.group.velocities(&self.r, &mut v);
        self.v = v;
        let [residual, measure] = self.group.residual(&self.r, &self.v);
        self.last = measure;
        let is_better = measure < self.best_measure;
        if is_better {
            self.best_measure = measure;
            self.best.residual = residual;
            self.best.r.copy_from_slice(&self.r);
            self.best.is_solved = measure <= self.group.tolerance;
        }
        is_better
    }

    fn is_over(&self) -> bool {
        self.best.is_solved || self.best.iterations >= self.group.most_iterations
    }

    /// Some Gauss-Seidel sweeps from the best answer.
    fn sweep(&mut self, sweeps: usize) {
        self.r.copy_from_slice(&self.best.r);
        self.smooth(sweeps);
        self.best.iterations += sweeps;
        self.measure();
    }

    /// Some Gauss-Seidel sweeps, each contact solved exactly with the others held.
    fn smooth(&mut self, sweeps: usize) {
        let mut v = std::mem::take(&mut self.v);
        self.group.velocities(&self.r, &mut v);
        let mut relax = |(row, r): (&Row, &mut [f64; 3])| {
            let u = row.velocity(&v);
            let own = crate::matrix::block_times(&row.w, *r);
            let alone = [u[0] - own[0], u[1] - own[1], u[2] - own[2]];
            if let Some(new) = solve_alone(&row.w, alone, row.mu) {
                row.push([new[0] - r[0], new[1] - r[1], new[2] - r[2]], &mut v);
                *r = new;
            }
        };
        for sweep in 0..sweeps {
            let contacts = self.group.rows.iter().zip(&mut self.r);
            // To and fro: what is put on a stack is felt at its foot after one sweep in the one direction and many in the other.
            if sweep % 2 == 0 { contacts.rev().for_each(&mut relax) } else { contacts.for_each(&mut relax) }
        }
        self.v = v;
    }

    /// How many rounds without a better answer there may be.
    fn patience(&self) -> usize {
        if self.best_measure <= GOOD { LITTLE_PATIENCE } else { PATIENCE }
    }

    /// The method of multipliers from where the search is, until it is solved or gets no better. The weight follows what happens: less where
    /// Newton's method has trouble, more where multipliers are slow.
    fn multipliers(&mut self, lu: &mut BlockLu) {
        let mut weight = FIRST_WEIGHT;
        let (mut highest, mut since_stall) = (WEIGHT_RANGE[1], 0);
        let mut idle = 0;
        let mut last = self.best_measure;
        while !self.is_over() && idle < self.patience() {
            let inner = self.newton(weight, lu);
            if matches!(inner, Inner::Stalled) {
                // Nothing was found for these impulses: from the best ones, with less weight.
                weight /= WEIGHT_STEP;
                (highest, since_stall) = (weight, 0);
                idle += 1;
                if weight < WEIGHT_RANGE[0] {
                    return;
                }
                self.sweep(SMOOTHING);
                last = self.last;
                continue;
            }
            for (row, r) in self.group.rows.iter().zip(&mut self.r) {
                *r = Law::new(row, *r, row.velocity(&self.v), weight).impulse;
            }
            let mut is_better = self.measure();
            if self.is_over() {
                return;
            }
            let is_slow =
                matches!(inner, Inner::Reached(iterations) if iterations <= FEW) && self.last > FAST * last;
            // Where contacts contradict each other by a little, impulses go on changing at a constant pace, in proportion to the weight, until one of them
            // opens or slides.
            let does_drift = is_slow && self.last > DRIFTING * last;
            self.smooth(SMOOTHING);
            is_better |= self.measure();
            idle = if is_better { 0 } else { idle + 1 };
            if idle > 0 && idle % SWEEP_EVERY == 0 {
                // To and fro with steps that are too long: again from the best answer, with shorter ones.
                self.sweep(SWEEPS);
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

    /// Newton's method for the velocities, with the impulses as they are.
    fn newton(&mut self, weight: f64, lu: &mut BlockLu) -> Inner {
        let group = self.group;
        let mut force = Vec::new();
        let mut scratch = Vec::new();
        let mut there = self.v.clone();
        let mut left = self.imbalance(&self.v, weight, &mut force);
        let enough = ENOUGH * left;
        let most = if group.rows.len() > MANY_ROWS { MOST_INNER_OF_MANY } else { MOST_INNER };
        for iteration in 0..most {
            if left <= enough {
                return Inner::Reached(iteration);
            }
            self.best.iterations += 1;
            lu.clear();
            for (body, mass) in group.masses.iter().enumerate() {
                *lu.own(body as u32) = *mass;
            }
            for (row, &r) in group.rows.iter().zip(&self.r) {
                add_to_matrix(row, &Law::new(row, r, row.velocity(&self.v), weight), lu);
            }
            let mut change = force.clone();
            if !lu.factor() || !lu.solve(&mut change, &mut scratch) {
                return Inner::Singular;
            }
            let mut length = 1.0;
            let now = loop {
                for ((there, v), change) in there.iter_mut().zip(&self.v).zip(&change) {
                    *there = std::array::from_fn(|k| v[k] + length * change[k]);
                }
                let now = self.imbalance(&there, weight, &mut force);
                if now < (1.0 - SUFFICIENT * length) * left {
                    break now;
                }
                length *= 0.5;
                if length < SHORTEST {
                    // As near as rounding allows, or at a kink.
                    return if left <= NEARLY * enough { Inner::Reached(iteration) } else { Inner::Stalled };
                }
            };
            left = now;
            std::mem::swap(&mut self.v, &mut there);
        }
        Inner::Stalled
    }

    /// What is left of `J' P - M (v - v_free)`, as impulses on the bodies; and the velocity that it is worth, m/s.
    fn imbalance(&self, v: &[[f64; 6]], weight: f64, force: &mut Vec<[f64; 6]>) -> f64 {
        let group = self.group;
        force.clear();
        for (body, mass) in group.masses.iter().enumerate() {
            let moved: [f64; 6] = std::array::from_fn(|k| v[body][k] - group.free[body][k]);
            force.push(std::array::from_fn(|i| -(0..6).map(|k| mass[i][k] * moved[k]).sum::<f64>()));
        }
        for (row, &r) in group.rows.iter().zip(&self.r) {
            row.add_impulse(Law::new(row, r, row.velocity(v), weight).impulse, force);
        }
        let mut sum = 0.0;
        for (force, inverse) in force.iter().zip(&group.inverses) {
            for i in 0..6 {
                sum += force[i] * (0..6).map(|k| inverse[i][k] * force[k]).sum::<f64>();
            }
        }
        sum.max(0.0).sqrt()
    }
}

/// `P(r - rho u)` of a contact, and how it changes.
struct Law {
    impulse: [f64; 3],
    /// What a change of velocity takes from it; `None` where the contact is open.
    slope: Option<[[f64; 3]; 3]>,
}

impl Law {
    fn new(row: &Row, r: [f64; 3], u: [f64; 3], weight: f64) -> Law {
        let rho = weight / row.answer;
        let z = [r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]];
        if z[0].is_nan() || z[0] <= 0.0 {
            return Law { impulse: [0.0; 3], slope: None };
        }
        let most = row.mu * z[0];
        let length = length(z[1], z[2]);
        if length <= most {
            let slope = [[rho, 0.0, 0.0], [0.0, rho, 0.0], [0.0, 0.0, rho]];
            return Law { impulse: z, slope: Some(slope) };
        }
        let t = [z[1] / length, z[2] / length];
        let across = rho * most / length;
        let slope = [
            [rho, 0.0, 0.0],
            [rho * row.mu * t[0], across * t[1] * t[1], -across * t[0] * t[1]],
            [rho * row.mu * t[1], -across * t[0] * t[1], across * t[0] * t[0]],
        ];
        Law { impulse: [z[0], most * t[0], most * t[1]], slope: Some(slope) }
    }
}

/// Adds `J' D J` of a contact.
fn add_to_matrix(row: &Row, law: &Law, lu: &mut BlockLu) {
    let Some(slope) = &law.slope else { return };
    for column in &row.sides {
        if column.body == NONE {
            continue;
        }
        let by: [[f64; 6]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| slope[i][k] * column.by_body[k][j]).sum())
        });
        for line in &row.sides {
            if line.body == NONE {
                continue;
            }
            let to =
                if line.body == column.body { lu.own(line.body) } else { lu.between(line.body, column.body) };
            for (i, to) in to.iter_mut().enumerate() {
                let [n, s, t] = [line.by_body[0][i], line.by_body[1][i], line.by_body[2][i]];
                for (j, to) in to.iter_mut().enumerate() {
                    *to += n * by[0][j] + s * by[1][j] + t * by[2][j];
                }
            }
        }
    }
}
