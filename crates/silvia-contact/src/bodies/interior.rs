//! An interior-point method: from nothing to near a solution in some twenty factorisations, however contacts push and slide.
//!
//! With De Saxcé's shift Coulomb's law says that `x = (mu r_N, r_T)` and `y = (u_N / mu + |u_T|, u_T)` lie in the cone of [`lorentz`](super::lorentz) and are
//! orthogonal. Were the slip `|u_T|` in `y` a given number, that would be a convex programme. Its central path, `x y = mu e`, is followed towards `mu = 0` with
//! Mehrotra's predictor and corrector in Nesterov's and Todd's scaling; the slip follows as the velocities change. The programme may not run ahead
//! of it: `mu` falls no faster than the slip settles. One iteration solves a matrix over the bodies like Newton's.
//!
//! It does not get the last digits, which are lost as matrices become singular on the way, and it cannot start from a known answer. Both is what
//! [multipliers](super::search) are good at, which in turn may go to and fro for ever where many contacts change between open, sticking and sliding.

use super::block_lu::BlockLu;
use super::group::Group;
use super::lorentz::{Scaling, Triple, product, quotient, room};
use super::newton::add_to_matrix;
use super::rows::Row;
use crate::cone::length;

/// A residual at which multipliers are better.
const GOAL: f64 = 1e-7;

/// Iterations at most, and so many without a better answer.
const MOST_ITERATIONS: usize = 40;
const PATIENCE: usize = 6;

/// The share of the way to the boundary of the cones that is gone.
const OF_ROOM: f64 = 0.9;

/// Where so little of a step can be gone, one nearer to the central path is.
const SHORT: f64 = 0.3;

/// The share that the slip's own change is counted with: with all of it the last contacts go to and fro between directions.
const SLIP_SHARE: f64 = 0.9;

/// Slips below this fraction of what the central path allows a contact that sticks have no direction.
const NO_SLIP: f64 = 0.01;

/// How much of the slips' error, as power, stays as distance from the solution.
const SLIP_KEPT: f64 = 0.1;

/// `mu` becomes no smaller than this fraction of itself at once.
const LEAST_LEFT: f64 = 1e-4;

/// Impulses near a solution, from nothing; and how many iterations that took.
pub(super) fn approach(group: &Group, lu: &mut BlockLu) -> (Vec<[f64; 3]>, usize) {
    let mut at = Interior::new(group);
    let mut best = vec![[0.0; 3]; group.rows.len()];
    let (mut least, mut idle) = (f64::INFINITY, 0);
    for iteration in 0..MOST_ITERATIONS {
        if !at.advance(lu) {
            return (best, iteration);
        }
        let r: Vec<[f64; 3]> = group.rows.iter().zip(&at.x).map(|(row, &x)| impulse(row, x)).collect();
        let mut v = Vec::new();
        group.velocities(&r, &mut v);
        let [_, residual] = group.residual(&r, &v);
        idle = if residual < 0.7 * least { 0 } else { idle + 1 };
        if residual < least {
            (least, best) = (residual, r);
        }
        if least <= GOAL || idle > PATIENCE {
            return (best, iteration + 1);
        }
    }
    (best, MOST_ITERATIONS)
}

/// Where the method is.
struct Interior<'a> {
    group: &'a Group,
    v: Vec<[f64; 6]>,
    x: Vec<Triple>,
    y: Vec<Triple>,
}

/// A change of all of it.
struct Change {
    v: Vec<[f64; 6]>,
    x: Vec<Triple>,
    y: Vec<Triple>,
}

/// What is the same for all changes from one place.
struct Linearised {
    scalings: Vec<Scaling>,
    /// `y` less what it should be.
    excess: Vec<Triple>,
    /// How the slip changes with the two tangential velocities.
    slip: Vec<[f64; 2]>,
    /// `A' x - M (v - v_free)`.
    force: Vec<[f64; 6]>,
}

impl<'a> Interior<'a> {
    /// Well within all cones.
    fn new(group: &'a Group) -> Interior<'a> {
        let v = group.free.clone();
        let speed = group.scale / (group.rows.len() as f64).sqrt();
        let inside = |row: &Row| [row.mu.max(LEAST_FRICTION) * speed / row.answer, 0.0, 0.0];
        let x = group.rows.iter().map(inside).collect();
        let shifted = |row: &Row| {
            let u = scaled_velocity(row, &v);
            let slip = length(u[1], u[2]);
            [(u[0] + slip).max(slip) + speed, u[1], u[2]]
        };
        let y = group.rows.iter().map(shifted).collect();
        Interior { group, v, x, y }
    }

    /// One iteration; false where there is none.
    fn advance(&mut self, lu: &mut BlockLu) -> bool {
        let contacts = self.x.len() as f64;
        let power: f64 = self.x.iter().zip(&self.y).map(|(&x, &y)| dot(x, y)).sum();
        let mu = power / contacts;
        let Some(at) = self.linearised(mu, lu) else { return false };
        // Straight to the solution, to see how far that would get.
        let Some(straight) = self.change(&at, 0.0, None, lu) else { return false };
        let reach = self.room(&straight).min(1.0);
        let after = |k: usize| {
            let there = |x: Triple, change: Triple| std::array::from_fn(|i| x[i] + reach * change[i]);
            dot(there(self.x[k], straight.x[k]), there(self.y[k], straight.y[k]))
        };
        let left = (0..self.x.len()).map(after).sum::<f64>() / power;
        let unsettled: f64 = self.x.iter().zip(&at.excess).map(|(x, e)| x[0] * e[0].abs()).sum();
        let aim = mu * left.clamp(0.0, 1.0).powi(3).max(LEAST_LEFT);
        let aim = aim.max(SLIP_KEPT * unsettled / contacts).min(mu);
        let Some(mut change) = self.change(&at, aim, Some(&straight), lu) else { return false };
        let mut length = (OF_ROOM * self.room(&change)).min(1.0);
        if length < SHORT {
            for aim in [aim, 0.5 * mu, mu, 2.0 * mu] {
                let Some(other) = self.change(&at, aim, None, lu) else { return false };
                let room = (OF_ROOM * self.room(&other)).min(1.0);
                if room > length {
                    (length, change) = (room, other);
                }
            }
        }
        self.go(&change, length);
        true
    }

    /// Factorises the matrix here.
    fn linearised(&self, mu: f64, lu: &mut BlockLu) -> Option<Linearised> {
        let group = self.group;
        let mut at = Linearised {
            scalings: self.x.iter().zip(&self.y).map(|(&x, &y)| Scaling::new(x, y)).collect(),
            excess: Vec::with_capacity(self.x.len()),
            slip: Vec::with_capacity(self.x.len()),
            force: Vec::with_capacity(group.masses.len()),
        };
        group.add_inertia(&self.v, &mut at.force);
        lu.clear();
        for (body, mass) in group.masses.iter().enumerate() {
            *lu.own(body as u32) = *mass;
        }
        for (k, row) in group.rows.iter().enumerate() {
            let (x, y) = (self.x[k], self.y[k]);
            let u = scaled_velocity(row, &self.v);
            let smoothed = length(length(u[1], u[2]), NO_SLIP * mu / x[0]);
            let slip =
                if smoothed > 0.0 { [u[1], u[2]].map(|u| SLIP_SHARE * u / smoothed) } else { [0.0; 2] };
            at.excess.push([y[0] - u[0] - smoothed, y[1] - u[1], y[2] - u[2]]);
            row.add_impulse(impulse(row, x), &mut at.force);
            // `A' W^-2 (A + e slip')`, in the velocities of the contact.
            let square = at.scalings[k].inverse_square();
            let by = scales(row);
            let slope = std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let own = square[i][j] * by[j];
                    by[i] * if j > 0 { own + square[i][0] * slip[j - 1] * by[j] } else { own }
                })
            });
            add_to_matrix(row, &slope, lu);
            at.slip.push(slip);
        }
        lu.factor().then_some(at)
    }

    /// The change towards `x y = aim e`; with what the last one leaves out, if given.
    fn change(&self, at: &Linearised, aim: f64, last: Option<&Change>, lu: &mut BlockLu) -> Option<Change> {
        let rows = &self.group.rows;
        let mut v = at.force.clone();
        let mut wanted = Vec::with_capacity(rows.len());
        for (k, row) in rows.iter().enumerate() {
            let scaling = &at.scalings[k];
            let square = product(scaling.middle, scaling.middle);
            let mut missing = [aim - square[0], -square[1], -square[2]];
            if let Some(last) = last {
                let second = product(scaling.times(last.x[k]), scaling.inverse_times(last.y[k]));
                missing = std::array::from_fn(|i| missing[i] - second[i]);
            }
            let x = scaling.inverse_times(quotient(missing, scaling.middle));
            let of_excess = times(&scaling.inverse_square(), at.excess[k]);
            row.add_impulse(impulse(row, std::array::from_fn(|i| x[i] + of_excess[i])), &mut v);
            wanted.push(x);
        }
        if !lu.solve(&mut v) {
            return None;
        }
        let mut change = Change { v, x: wanted, y: Vec::with_capacity(rows.len()) };
        for (k, row) in rows.iter().enumerate() {
            let u = row.velocity_change(&change.v);
            let by = scales(row);
            let u = [by[0] * u[0], by[1] * u[1], by[2] * u[2]];
            let [e, slip] = [at.excess[k], [0.0, at.slip[k][0] * u[1], at.slip[k][1] * u[2]]];
            let y = [u[0] + slip[1] + slip[2] - e[0], u[1] - e[1], u[2] - e[2]];
            let of_y = times(&at.scalings[k].inverse_square(), y);
            change.x[k] = std::array::from_fn(|i| change.x[k][i] - of_y[i]);
            change.y.push(y);
        }
        Some(change)
    }

    /// How many times a change can be made before a cone is left.
    fn room(&self, change: &Change) -> f64 {
        let of_x = self.x.iter().zip(&change.x).map(|(&x, &change)| room(x, change));
        let of_y = self.y.iter().zip(&change.y).map(|(&y, &change)| room(y, change));
        of_x.chain(of_y).fold(f64::INFINITY, f64::min)
    }

    fn go(&mut self, change: &Change, length: f64) {
        let add = |to: &mut Vec<Triple>, by: &[Triple]| {
            to.iter_mut().zip(by).for_each(|(to, by)| (0..3).for_each(|i| to[i] += length * by[i]));
        };
        add(&mut self.x, &change.x);
        add(&mut self.y, &change.y);
        self.v.iter_mut().zip(&change.v).for_each(|(v, by)| (0..6).for_each(|i| v[i] += length * by[i]));
    }
}

/// Contacts with less friction start as if they had this.
const LEAST_FRICTION: f64 = 0.05;

/// What the velocity at a contact is multiplied by: without friction only the normal part counts.
fn scales(row: &Row) -> Triple {
    if row.mu > 0.0 { [1.0 / row.mu, 1.0, 1.0] } else { [1.0, 0.0, 0.0] }
}

fn scaled_velocity(row: &Row, v: &[[f64; 6]]) -> Triple {
    let (u, by) = (row.velocity(v), scales(row));
    [by[0] * u[0], by[1] * u[1], by[2] * u[2]]
}

fn impulse(row: &Row, x: Triple) -> [f64; 3] {
    let by = scales(row);
    [by[0] * x[0], by[1] * x[1], by[2] * x[2]]
}

fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn times(a: &[Triple; 3], x: Triple) -> Triple {
    a.map(|row| dot(row, x))
}
