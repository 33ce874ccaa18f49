//! Newton's method for the velocities of bodies, with impulses of contacts that follow from them.
//!
//! With a weight `rho`, impulses `r` and velocities `u` at a contact obey Coulomb's law exactly where `r =
//! P(r - rho u)`: its normal part not negative, its tangential part within the disk of friction (Alart and
//! Curnier, 1991). Newton's method is applied to `M (v - v_free) = J' P(r - rho u(v))` with given `r`. One
//! iteration solves `M + J' D J`, six unknowns a body, however many contacts; redundant contacts, which rigid
//! scenes always have, do no harm.

use super::block_lu::BlockLu;
use super::group_problem::GroupProblem;
use super::rows::{ContactRow, NONE};
use crate::cone::length;
use crate::tuning::{MANY_CONTACTS, body_newton as tuning};

/// How it ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum NewtonOutcome {
    /// Well, after so many iterations.
    Reached(usize),
    /// It got no farther.
    Stalled,
    /// A matrix had no inverse.
    Singular,
}

/// What it works with.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyNewton {
    pub(super) lu: BlockLu,
    /// With what weight the matrix was factorised, if it was.
    factorised: Option<f64>,
    /// How many times its weight a contact has.
    pub(super) boosts: Vec<f64>,
    there: Vec<[f64; 6]>,
    force: Vec<[f64; 6]>,
    change: Vec<[f64; 6]>,
    pub(super) iterations: usize,
}

impl BodyNewton {
    /// For a group.
    pub(super) fn begin<const N: usize>(&mut self, group: &GroupProblem<N>) {
        self.lu.fit(group.masses.len(), group.connections());
        self.factorised = None;
        self.boosts.clear();
        self.boosts.resize(group.rows.len(), 1.0);
        self.iterations = 0;
    }

    /// What is factorised is no longer of use.
    pub(super) fn forget(&mut self) {
        self.factorised = None;
    }

    /// The impulse of a contact at a velocity.
    pub(super) fn impulse<const N: usize>(
        &self,
        group: &GroupProblem<N>,
        contact: usize,
        r: [f64; 3],
        v: &[[f64; 6]],
        weight: f64,
    ) -> [f64; 3] {
        let row = &group.rows[contact];
        Projection::new(row, r, row.velocity(v), weight * self.boosts[contact]).impulse
    }

    /// Changes the velocities until they fit the impulses.
    pub(super) fn solve<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        r: &[[f64; 3]],
        v: &mut Vec<[f64; 6]>,
        weight: f64,
    ) -> NewtonOutcome {
        let mut left = self.imbalance(group, r, v, weight);
        let enough = tuning::ENOUGH * left;
        let most = if group.rows.len() > MANY_CONTACTS {
            tuning::MOST_ITERATIONS_OF_MANY
        } else {
            tuning::MOST_ITERATIONS
        };
        self.there.clone_from(v);
        for iteration in 0..most {
            if left <= enough {
                return NewtonOutcome::Reached(iteration);
            }
            self.iterations += 1;
            // Where contacts do what they did when the matrix was made, its factors still lead close to the
            // answer.
            if self.factorised == Some(weight) {
                self.change.clone_from(&self.force);
                if self.lu.solve(&mut self.change) {
                    self.move_by(v, 1.0);
                    let now = self.imbalance_there(group, r, weight);
                    if now <= tuning::GOOD_OLD_STEP * left {
                        left = now;
                        std::mem::swap(v, &mut self.there);
                        continue;
                    }
                }
                left = self.imbalance(group, r, v, weight);
            }
            if !self.factorise(group, r, v, weight) {
                return NewtonOutcome::Singular;
            }
            self.change.clone_from(&self.force);
            if !self.lu.solve(&mut self.change) {
                return NewtonOutcome::Singular;
            }
            let mut length = 1.0;
            left = loop {
                self.move_by(v, length);
                let now = self.imbalance_there(group, r, weight);
                if now < (1.0 - tuning::SUFFICIENT_DECREASE * length) * left {
                    break now;
                }
                length *= 0.5;
                if length < tuning::SHORTEST_STEP {
                    // As near as rounding allows, or at a kink.
                    return if left <= tuning::NEARLY * enough {
                        NewtonOutcome::Reached(iteration)
                    } else {
                        NewtonOutcome::Stalled
                    };
                }
            };
            std::mem::swap(v, &mut self.there);
        }
        NewtonOutcome::Stalled
    }

    fn factorise<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        r: &[[f64; 3]],
        v: &[[f64; 6]],
        weight: f64,
    ) -> bool {
        self.lu.clear();
        for (body, mass) in group.masses.iter().enumerate() {
            *self.lu.own(body as u32) = *mass;
        }
        for ((row, &r), boost) in group.rows.iter().zip(r).zip(&self.boosts) {
            if let Some(slope) = &Projection::new(row, r, row.velocity(v), weight * boost).slope {
                add_to_matrix(row, slope, &mut self.lu);
            }
        }
        let is_done = self.lu.factor();
        self.factorised = is_done.then_some(weight);
        is_done
    }

    fn move_by(&mut self, v: &[[f64; 6]], length: f64) {
        for ((there, v), change) in self.there.iter_mut().zip(v).zip(&self.change) {
            *there = std::array::from_fn(|k| v[k] + length * change[k]);
        }
    }

    fn imbalance_there<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        r: &[[f64; 3]],
        weight: f64,
    ) -> f64 {
        let there = std::mem::take(&mut self.there);
        let left = self.imbalance(group, r, &there, weight);
        self.there = there;
        left
    }

    /// What is left of `J' P - M (v - v_free)`, as impulses on the bodies; and the velocity that it is worth,
    /// m/s.
    fn imbalance<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        r: &[[f64; 3]],
        v: &[[f64; 6]],
        weight: f64,
    ) -> f64 {
        group.add_inertia(v, &mut self.force);
        for ((row, &r), boost) in group.rows.iter().zip(r).zip(&self.boosts) {
            row.add_impulse(
                Projection::new(row, r, row.velocity(v), weight * boost).impulse,
                &mut self.force,
            );
        }
        let mut sum = 0.0;
        for (force, inverse) in self.force.iter().zip(&group.inverses) {
            for i in 0..6 {
                sum += force[i] * (0..6).map(|k| inverse[i][k] * force[k]).sum::<f64>();
            }
        }
        sum.max(0.0).sqrt()
    }
}

/// `P(r - rho u)` of a contact, and how it changes.
struct Projection {
    impulse: [f64; 3],
    /// What a change of velocity takes from it; `None` where the contact is open.
    slope: Option<[[f64; 3]; 3]>,
}

impl Projection {
    fn new<const N: usize>(row: &ContactRow<N>, r: [f64; 3], u: [f64; 3], weight: f64) -> Projection {
        let rho = weight / row.answer;
        if row.is_frictionless() {
            let impulse = r[0] - rho * u[0];
            if !row.is_bilateral() && (impulse.is_nan() || impulse <= 0.0) {
                return Projection { impulse: [0.0; 3], slope: None };
            }
            let slope = [[rho, 0.0, 0.0], [0.0; 3], [0.0; 3]];
            return Projection { impulse: [impulse, 0.0, 0.0], slope: Some(slope) };
        }
        let z = [r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]];
        if z[0].is_nan() || z[0] <= 0.0 {
            return Projection { impulse: [0.0; 3], slope: None };
        }
        let most = row.mu * z[0];
        let length = length(z[1], z[2]);
        if length <= most {
            let slope = [[rho, 0.0, 0.0], [0.0, rho, 0.0], [0.0, 0.0, rho]];
            return Projection { impulse: z, slope: Some(slope) };
        }
        let t = [z[1] / length, z[2] / length];
        let across = rho * most / length;
        let slope = [
            [rho, 0.0, 0.0],
            [rho * row.mu * t[0], across * t[1] * t[1], -across * t[0] * t[1]],
            [rho * row.mu * t[1], -across * t[0] * t[1], across * t[0] * t[0]],
        ];
        Projection { impulse: [z[0], most * t[0], most * t[1]], slope: Some(slope) }
    }
}

/// Adds `J' D J` of a contact.
pub(super) fn add_to_matrix<const N: usize>(row: &ContactRow<N>, slope: &[[f64; 3]; 3], lu: &mut BlockLu) {
    for column in &row.sides {
        if column.body == NONE {
            continue;
        }
        if row.is_frictionless() {
            let by: [f64; 6] = std::array::from_fn(|j| slope[0][0] * column.by_body[0][j]);
            for line in row.sides.iter().filter(|line| line.body != NONE) {
                for (to, n) in lu.block(line.body, column.body).iter_mut().zip(&line.by_body[0]) {
                    to.iter_mut().zip(&by).for_each(|(to, by)| *to += n * by);
                }
            }
            continue;
        }
        let by: [[f64; 6]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| slope[i][k] * column.by_body[k][j]).sum())
        });
        for line in row.sides.iter().filter(|line| line.body != NONE) {
            for (i, to) in lu.block(line.body, column.body).iter_mut().enumerate() {
                let [n, s, t] = [line.by_body[0][i], line.by_body[1][i], line.by_body[2][i]];
                for (j, to) in to.iter_mut().enumerate() {
                    *to += n * by[0][j] + s * by[1][j] + t * by[2][j];
                }
            }
        }
    }
}
