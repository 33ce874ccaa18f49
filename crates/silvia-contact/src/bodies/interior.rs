//! An interior-point method: from wherever to near a solution in some twenty factorisations, however contacts
//! push and slide.
//!
//! With De Saxcé's shift Coulomb's law says that `x = (mu r_N, r_T)` and `y = (u_N / mu + |u_T|, u_T)` lie in
//! the cone of [`lorentz`](super::lorentz) and are orthogonal. Were the slip `|u_T|` in `y` a given number,
//! that would be a convex programme. Its central path, `x y = mu e`, is followed towards `mu = 0` with
//! Mehrotra's predictor and corrector in Nesterov's and Todd's scaling; the slip follows as the velocities
//! change. The programme may not run ahead of it: `mu` falls no faster than the slip settles. One iteration
//! solves a matrix over the bodies like Newton's.
//!
//! Without the slip in `y` it is that convex programme: the motion nearest to free flight for which `(u_N /
//! mu, u_T)` lies in the cone. Contacts that slip then part by `mu` times the slip, which no law asks for.
//! But there always is such a motion where there is any that parts contacts, and it is
//! [found](Interior::project).
//!
//! Joints have no cone: their impulses are free, and `u = -answer / weight` times the change of the impulse,
//! with a large weight, stands for `u = 0` in each iteration.
//!
//! It does not get the last digits, which are lost as matrices become singular on the way, and gains little
//! from a known answer. Both is what [multipliers](super::multipliers) are good at, which in turn may go to
//! and fro for ever where many contacts change between open, sticking and sliding.

use super::block_lu::BlockLu;
use super::body_newton::add_to_matrix;
use super::group_problem::GroupProblem;
use super::lorentz::{LEAST, Scaling, Triple, product, quotient, way_to_boundary};
use super::rows::ContactRow;
use crate::cone::length;
use crate::tuning::interior as tuning;

/// What the method works with; to be used again, for the same group or another.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    v: Vec<[f64; 6]>,
    x: Vec<Triple>,
    y: Vec<Triple>,
    at: Linearised,
    /// Straight to the solution; the one that is made; and another one to choose from.
    changes: [Change; 3],
    r: Vec<[f64; 3]>,
    there: Vec<[f64; 6]>,
    /// Whether slips count for nothing.
    is_convex: bool,
}

/// A motion that was found: the velocities of bodies, and the impulses that lead to it, nearly.
pub(super) struct Motion<'a> {
    pub(super) velocities: &'a [[f64; 6]],
    pub(super) impulses: &'a [[f64; 3]],
}

/// A change of all of it.
#[derive(Clone, Debug, Default)]
struct Change {
    v: Vec<[f64; 6]>,
    x: Vec<Triple>,
    y: Vec<Triple>,
}

/// What is the same for all changes from one place.
#[derive(Clone, Debug, Default)]
struct Linearised {
    scalings: Vec<Scaling>,
    /// `y` less what it should be.
    excess: Vec<Triple>,
    /// How the slip changes with the two tangential velocities.
    slip: Vec<[f64; 2]>,
    /// `A' x - M (v - v_free)`.
    force: Vec<[f64; 6]>,
}

impl Interior {
    /// Puts impulses near a solution in place of others, from which it starts, to a residual of `goal`; how
    /// many iterations that took.
    pub(super) fn approach<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        best: &mut [[f64; 3]],
        goal: f64,
        lu: &mut BlockLu,
    ) -> usize {
        if group.rows.iter().all(ContactRow::is_bilateral) {
            return 0;
        }
        self.is_convex = false;
        self.begin(group, best);
        best.fill([0.0; 3]);
        let (mut least, mut marked, mut idle) = (f64::INFINITY, [f64::INFINITY; 2], 0);
        for iteration in 0..tuning::MOST_ITERATIONS {
            if !self.advance(group, lu) {
                return iteration;
            }
            self.r.clear();
            self.r.extend(group.rows.iter().zip(&self.x).map(|(row, &x)| impulse(row, x)));
            group.velocities(&self.r, &mut self.there);
            let [_, residual] = group.residual(&self.r, &self.there);
            // Also where the residual does not fall yet, the central path may well be followed.
            let power = self.power();
            let is_better = residual < tuning::BETTER * marked[0] || power < tuning::BETTER * marked[1];
            (idle, marked) = if is_better { (0, [residual, power]) } else { (idle + 1, marked) };
            if residual < least {
                least = residual;
                best.copy_from_slice(&self.r);
            }
            if least <= goal || idle > tuning::PATIENCE {
                return iteration + 1;
            }
        }
        tuning::MOST_ITERATIONS
    }

    /// Finds the motion nearest to free flight that closes no contact, by kinetic energy and to a few digits,
    /// or to the share `near` of what lies between the two; how many iterations that took. The motion found
    /// closes none, to rounding, however near it is to the nearest; `None` where it is not found.
    pub(super) fn project<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        (most, near): (usize, f64),
        lu: &mut BlockLu,
    ) -> (Option<Motion<'_>>, usize) {
        self.is_convex = true;
        self.begin(group, &vec![[0.0; 3]; group.rows.len()]);
        let (mut iterations, mut is_found) = (0, false);
        let first = self.power();
        while iterations < most && !is_found && self.advance(group, lu) {
            iterations += 1;
            let enough = (tuning::NEAR_THE_NEAREST * first).max(near * group.energy_of_change(&self.v));
            is_found = self.power() <= enough && self.is_admitted(group);
        }
        if !is_found && !self.is_admitted(group) {
            return (None, iterations);
        }
        // What opens faster than its impulse pushes is open, and has none.
        let push = |(row, &x): (&ContactRow<N>, &Triple)| {
            let r = impulse(row, x);
            let is_open = !row.is_bilateral() && row.answer * r[0] < row.velocity(&self.v)[0];
            if is_open { [0.0; 3] } else { r }
        };
        self.r.clear();
        self.r.extend(group.rows.iter().zip(&self.x).map(push));
        (Some(Motion { velocities: &self.v, impulses: &self.r }), iterations)
    }

    /// Whether no contact closes, to rounding.
    fn is_admitted<const N: usize>(&self, group: &GroupProblem<N>) -> bool {
        let least = -tuning::CLOSED * group.scale;
        let closes = |row: &ContactRow<N>| !row.is_bilateral() && row.velocity(&self.v)[0] < least;
        self.v.iter().flatten().all(|v| v.is_finite()) && !group.rows.iter().any(closes)
    }

    /// Near impulses, but well within all cones.
    fn begin<const N: usize>(&mut self, group: &GroupProblem<N>, near: &[[f64; 3]]) {
        let Interior { v, x, y, .. } = self;
        group.velocities(near, v);
        let [_, error] = group.residual(near, v);
        let speed = error * group.scale / (group.rows.len() as f64).sqrt();
        // Farther within where the law is farther from kept.
        let depth = |row: &ContactRow<N>, r: &[f64; 3]| speed + row.error(*r, row.velocity(v))[0].sqrt();
        let inside = |(row, r): (&ContactRow<N>, &[f64; 3])| {
            if row.is_bilateral() {
                return [r[0], 0.0, 0.0];
            }
            let more = row.mu.max(tuning::LEAST_FRICTION) * depth(row, r) / row.answer;
            let by = scales(row);
            let [s, t] = [1, 2].map(|i| if by[i] > 0.0 { r[i] } else { 0.0 });
            [(r[0] / by[0]).max(length(s, t)) + more, s, t]
        };
        x.clear();
        x.extend(group.rows.iter().zip(near).map(inside));
        let shifted = |(row, r): (&ContactRow<N>, &[f64; 3])| {
            if row.is_bilateral() {
                return [0.0; 3];
            }
            let u = scaled_velocity(row, v);
            let slip = length(u[1], u[2]);
            [(u[0] + slip).max(slip) + depth(row, r), u[1], u[2]]
        };
        y.clear();
        y.extend(group.rows.iter().zip(near).map(shifted));
    }

    /// One iteration; false where there is none.
    fn advance<const N: usize>(&mut self, group: &GroupProblem<N>, lu: &mut BlockLu) -> bool {
        let [mut straight, mut change, mut other] = std::mem::take(&mut self.changes);
        let length = self.find_change(group, lu, &mut straight, &mut change, &mut other);
        if let Some(length) = length {
            self.go(&change, length);
        }
        self.changes = [straight, change, other];
        length.is_some()
    }

    /// Finds the change to make, and how much of it.
    fn find_change<const N: usize>(
        &mut self,
        group: &GroupProblem<N>,
        lu: &mut BlockLu,
        straight: &mut Change,
        change: &mut Change,
        other: &mut Change,
    ) -> Option<f64> {
        let contacts = group.rows.iter().filter(|row| !row.is_bilateral()).count() as f64;
        let power = self.power();
        let mu = power / contacts;
        if !self.linearise(group, mu, lu) {
            return None;
        }
        // Straight to the solution, to see how far that would get.
        self.put_change(group, 0.0, None, lu, straight)?;
        let reach = self.way_to_boundary(group, straight, 1.0);
        let after = |k: usize| {
            let there = |x: Triple, change: Triple| std::array::from_fn(|i| x[i] + reach * change[i]);
            dot(there(self.x[k], straight.x[k]), there(self.y[k], straight.y[k]))
        };
        let left = (0..self.x.len()).map(after).sum::<f64>() / power;
        let unsettled = |(k, row): (usize, &ContactRow<N>)| {
            if row.is_bilateral() { 0.0 } else { self.x[k][0] * self.at.excess[k][0].abs() }
        };
        let unsettled: f64 = group.rows.iter().enumerate().map(unsettled).sum();
        let aim = mu * left.clamp(0.0, 1.0).powi(3).max(tuning::LEAST_FALL);
        let aim = aim.max(tuning::SLIP_KEPT * unsettled / contacts).min(mu);
        self.put_change(group, aim, Some(straight), lu, change)?;
        let within = |change: &Change| {
            let most = 1.0 / tuning::SHARE_OF_WAY;
            (tuning::SHARE_OF_WAY * self.way_to_boundary(group, change, most)).min(1.0)
        };
        let mut length = within(change);
        if length < tuning::SHORT_STEP {
            for aim in [aim, 0.5 * mu, mu, 2.0 * mu] {
                self.put_change(group, aim, None, lu, other)?;
                let way = within(other);
                if way > length {
                    length = way;
                    std::mem::swap(change, other);
                }
            }
        }
        Some(length)
    }

    /// `x y`, of all contacts.
    fn power(&self) -> f64 {
        self.x.iter().zip(&self.y).map(|(&x, &y)| dot(x, y)).sum()
    }

    /// Factorises the matrix here; false where it has no inverse.
    fn linearise<const N: usize>(&mut self, group: &GroupProblem<N>, mu: f64, lu: &mut BlockLu) -> bool {
        let Linearised { scalings, excess, slip: slips, force } = &mut self.at;
        scalings.clear();
        let scaling = |(k, row): (usize, &ContactRow<N>)| match (row.is_bilateral(), row.is_frictionless()) {
            (true, _) => Scaling::unit(),
            (false, true) => Scaling::along(self.x[k][0], self.y[k][0]),
            (false, false) => Scaling::new(self.x[k], self.y[k]),
        };
        scalings.extend(group.rows.iter().enumerate().map(scaling));
        excess.clear();
        slips.clear();
        group.add_inertia(&self.v, force);
        lu.clear();
        for (body, mass) in group.masses.iter().enumerate() {
            *lu.own(body as u32) = *mass;
        }
        for (k, row) in group.rows.iter().enumerate() {
            let (x, y) = (self.x[k], self.y[k]);
            let u = scaled_velocity(row, &self.v);
            if row.is_bilateral() {
                excess.push([u[0], 0.0, 0.0]);
                row.add_impulse(impulse(row, x), force);
                let stiffness = tuning::JOINT_WEIGHT / row.answer;
                add_to_matrix(row, &[[stiffness, 0.0, 0.0], [0.0; 3], [0.0; 3]], lu);
                slips.push([0.0; 2]);
                continue;
            }
            if row.is_frictionless() {
                excess.push([y[0] - u[0], 0.0, 0.0]);
                row.add_impulse(impulse(row, x), force);
                let slope = scalings[k].inverse_square[0][0];
                add_to_matrix(row, &[[slope, 0.0, 0.0], [0.0; 3], [0.0; 3]], lu);
                slips.push([0.0; 2]);
                continue;
            }
            let smoothed = match self.is_convex {
                true => 0.0,
                false => length(length(u[1], u[2]), tuning::NO_SLIP * mu / x[0]),
            };
            let slip = if smoothed > 0.0 {
                [u[1], u[2]].map(|u| tuning::SLIP_SHARE * u / smoothed)
            } else {
                [0.0; 2]
            };
            excess.push([y[0] - u[0] - smoothed, y[1] - u[1], y[2] - u[2]]);
            row.add_impulse(impulse(row, x), force);
            // `A' W^-2 (A + e slip')`, in the velocities of the contact.
            let square = scalings[k].inverse_square;
            let by = scales(row);
            let slope = std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let own = square[i][j] * by[j];
                    by[i] * if j > 0 { own + square[i][0] * slip[j - 1] * by[j] } else { own }
                })
            });
            add_to_matrix(row, &slope, lu);
            slips.push(slip);
        }
        lu.factor()
    }

    /// Puts the change towards `x y = aim e` in place of another; with what the last one leaves out, if
    /// given.
    fn put_change<const N: usize>(
        &self,
        group: &GroupProblem<N>,
        aim: f64,
        last: Option<&Change>,
        lu: &mut BlockLu,
        change: &mut Change,
    ) -> Option<()> {
        let (rows, at) = (&group.rows, &self.at);
        change.v.clone_from(&at.force);
        change.x.clear();
        for (k, row) in rows.iter().enumerate() {
            if row.is_bilateral() {
                let back = -tuning::JOINT_WEIGHT / row.answer * at.excess[k][0];
                row.add_impulse([back, 0.0, 0.0], &mut change.v);
                change.x.push([0.0; 3]);
                continue;
            }
            let scaling = &at.scalings[k];
            if row.is_frictionless() {
                let middle = scaling.middle[0];
                let second = last.map_or(0.0, |last| last.x[k][0] * last.y[k][0]);
                // The scaling takes nothing from products of numbers.
                let x = (aim - middle * middle - second) / self.y[k][0].max(LEAST.sqrt());
                let of_excess = scaling.inverse_square[0][0] * at.excess[k][0];
                row.add_impulse([x + of_excess, 0.0, 0.0], &mut change.v);
                change.x.push([x, 0.0, 0.0]);
                continue;
            }
            let square = product(scaling.middle, scaling.middle);
            let mut missing = [aim - square[0], -square[1], -square[2]];
            if let Some(last) = last {
                let second = product(scaling.times(last.x[k]), scaling.inverse_times(last.y[k]));
                missing = std::array::from_fn(|i| missing[i] - second[i]);
            }
            let x = scaling.inverse_times(quotient(missing, scaling.middle));
            let of_excess = times(&scaling.inverse_square, at.excess[k]);
            row.add_impulse(impulse(row, std::array::from_fn(|i| x[i] + of_excess[i])), &mut change.v);
            change.x.push(x);
        }
        if !lu.solve(&mut change.v) {
            return None;
        }
        change.y.clear();
        for (k, row) in rows.iter().enumerate() {
            let u = row.velocity_change(&change.v);
            if row.is_bilateral() {
                change.x[k][0] = -tuning::JOINT_WEIGHT / row.answer * (at.excess[k][0] + u[0]);
                change.y.push([0.0; 3]);
                continue;
            }
            if row.is_frictionless() {
                let y = u[0] - at.excess[k][0];
                change.x[k][0] -= at.scalings[k].inverse_square[0][0] * y;
                change.y.push([y, 0.0, 0.0]);
                continue;
            }
            let by = scales(row);
            let u = [by[0] * u[0], by[1] * u[1], by[2] * u[2]];
            let [e, slip] = [at.excess[k], [0.0, at.slip[k][0] * u[1], at.slip[k][1] * u[2]]];
            let y = [u[0] + slip[1] + slip[2] - e[0], u[1] - e[1], u[2] - e[2]];
            let of_y = times(&at.scalings[k].inverse_square, y);
            change.x[k] = std::array::from_fn(|i| change.x[k][i] - of_y[i]);
            change.y.push(y);
        }
        Some(())
    }

    /// How many times a change can be made before a cone is left, or `most` if that is less.
    fn way_to_boundary<const N: usize>(&self, group: &GroupProblem<N>, change: &Change, most: f64) -> f64 {
        let in_cones = |&k: &usize| !group.rows[k].is_bilateral();
        (0..self.x.len()).filter(in_cones).fold(most, |most, k| {
            let of_x = way_to_boundary(self.x[k], change.x[k], most);
            way_to_boundary(self.y[k], change.y[k], of_x)
        })
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

/// What the velocity at a contact is multiplied by: without friction only the normal part counts.
fn scales<const N: usize>(row: &ContactRow<N>) -> Triple {
    if row.mu > 0.0 { [1.0 / row.mu, 1.0, 1.0] } else { [1.0, 0.0, 0.0] }
}

fn scaled_velocity<const N: usize>(row: &ContactRow<N>, v: &[[f64; 6]]) -> Triple {
    let (u, by) = (row.velocity(v), scales(row));
    [by[0] * u[0], by[1] * u[1], by[2] * u[2]]
}

fn impulse<const N: usize>(row: &ContactRow<N>, x: Triple) -> [f64; 3] {
    let by = scales(row);
    [by[0] * x[0], by[1] * x[1], by[2] * x[2]]
}

fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn times(a: &[Triple; 3], x: Triple) -> Triple {
    a.map(|row| dot(row, x))
}
