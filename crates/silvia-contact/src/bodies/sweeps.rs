//! Sequential impulses: Gauss-Seidel sweeps over contacts, for answers that must be quick rather than exact.
//!
//! Each contact in turn is given the normal impulse that stops it, then the friction that its normal impulse allows. A sweep costs a few hundred
//! operations a contact; started from the impulses of the step before, some ten of them bring all but a few contacts to where they do not close by
//! anything that matters. Those few, where parts are wedged or piled up high, would take hundreds more: from then on only they are looked at, and what they move.

use super::group::Group;
use super::rows::{NONE, Row};

/// Sweeps between looks at what they have reached.
const BATCH: usize = 4;

/// Sweeps over all contacts, then only where contacts still close.
const WHOLE: usize = 12;

/// A contact moves its bodies if their velocities there change by more than this fraction of how fast it may close.
const MOVES: f64 = 0.3;

/// A residual that need not be less: how much of friction is wrong.
pub(super) const ENOUGH: f64 = 1e-2;

/// The same as a fraction of how fast contacts may close.
const RESTING: f64 = 0.3;

/// What sweeps work with; to be used again, for the same group or another.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    /// Where the contacts of each body start in `contacts`.
    starts: Vec<u32>,
    contacts: Vec<u32>,
    /// Contacts whose turn it is, ascending, and those whose turn is next.
    now: Vec<u32>,
    next: Vec<u32>,
    is_next: Vec<bool>,
}

impl Sweeps {
    /// Changes the impulses until no contact closes faster than it may, `slack`, m/s, or for the work of `most` sweeps; of how many it was.
    pub(super) fn until(
        &mut self,
        group: &Group,
        slack: &[f64],
        most: usize,
        r: &mut [[f64; 3]],
        v: &mut Vec<[f64; 6]>,
    ) -> usize {
        group.velocities(r, v);
        let whole = (0..most.min(WHOLE)).step_by(BATCH);
        let mut made = 0;
        for from in whole {
            let batch = from..most.min(from + BATCH);
            made = batch.end;
            sweep(group, batch, r, v);
            if is_reached(group, slack, r, v) {
                return made;
            }
        }
        self.connect(group);
        let mut work = made * group.rows.len();
        while work < most * group.rows.len() {
            self.begin(group, slack, v);
            if self.now.is_empty() {
                if is_reached(group, slack, r, v) {
                    break;
                }
                sweep(group, 0..BATCH, r, v);
                work += BATCH * group.rows.len();
            }
            while !self.now.is_empty() && work < most * group.rows.len() {
                work += self.now.len();
                self.relax_those(group, slack, r, v);
            }
        }
        work.div_ceil(group.rows.len())
    }

    /// Lists the contacts of each body.
    fn connect(&mut self, group: &Group) {
        let Sweeps { starts, contacts, is_next, .. } = self;
        let bodies = |row: &Row| row.sides.each_ref().map(|side| side.body).into_iter().filter(|&b| b != NONE);
        starts.clear();
        starts.resize(group.masses.len() + 1, 0);
        group.rows.iter().flat_map(bodies).for_each(|body| starts[body as usize] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        contacts.clear();
        contacts.resize(sum as usize, 0);
        for (k, row) in group.rows.iter().enumerate().rev() {
            for body in bodies(row) {
                starts[body as usize] -= 1;
                contacts[starts[body as usize] as usize] = k as u32;
            }
        }
        is_next.clear();
        is_next.resize(group.rows.len(), false);
    }

    /// Starts with the contacts that close too fast.
    fn begin(&mut self, group: &Group, slack: &[f64], v: &[[f64; 6]]) {
        self.now.clear();
        let closes = |(k, row): &(usize, &Row)| row.opening(v) < -slack[*k];
        self.now.extend(group.rows.iter().enumerate().filter(closes).map(|(k, _)| k as u32));
    }

    /// Stops those contacts whose turn it is; next are those of the bodies that this moves.
    fn relax_those(&mut self, group: &Group, slack: &[f64], r: &mut [[f64; 3]], v: &mut [[f64; 6]]) {
        let Sweeps { starts, contacts, now, next, is_next } = self;
        next.clear();
        for &k in now.iter() {
            let row = &group.rows[k as usize];
            if relax(row, &mut r[k as usize], v) <= MOVES * slack[k as usize] {
                continue;
            }
            for body in row.sides.iter().map(|side| side.body).filter(|&body| body != NONE) {
                let body = body as usize;
                for &other in &contacts[starts[body] as usize..starts[body + 1] as usize] {
                    if !std::mem::replace(&mut is_next[other as usize], true) {
                        next.push(other);
                    }
                }
            }
        }
        next.iter().for_each(|&k| is_next[k as usize] = false);
        next.sort_unstable();
        std::mem::swap(now, next);
    }
}

/// Whether no contact closes faster than it may.
pub(super) fn is_stopped(group: &Group, slack: &[f64], v: &[[f64; 6]]) -> bool {
    group.rows.iter().zip(slack).all(|(row, slack)| row.opening(v) >= -slack)
}

/// The same, and friction is nearly right.
fn is_reached(group: &Group, slack: &[f64], r: &[[f64; 3]], v: &[[f64; 6]]) -> bool {
    let of_slack = RESTING * slack.iter().map(|s| s * s).sum::<f64>().sqrt() / group.scale;
    is_stopped(group, slack, v) && group.residual(r, v)[0] <= ENOUGH.max(of_slack)
}

/// Stops all contacts, one after the other, as often as there are numbers.
fn sweep(group: &Group, numbers: std::ops::Range<usize>, r: &mut [[f64; 3]], v: &mut [[f64; 6]]) {
    for number in numbers {
        let contacts = group.rows.iter().zip(r.iter_mut());
        let mut relax = |(row, r): (&Row, &mut [f64; 3])| {
            relax(row, r, v);
        };
        // To and fro: what is put on a stack is felt at its foot after one sweep in the one direction and many in the other.
        if number % 2 == 0 { contacts.rev().for_each(&mut relax) } else { contacts.for_each(&mut relax) }
    }
}

/// Stops one contact, with the others held; by how much its velocity changes, m/s.
#[inline]
fn relax(row: &Row, r: &mut [f64; 3], v: &mut [[f64; 6]]) -> f64 {
    let u = row.velocity(v);
    let [w_n, w_t] = [row.w[0], 0.5 * (row.w[4] + row.w[8])];
    if w_n <= 0.0 || w_t <= 0.0 {
        return 0.0;
    }
    let normal = (r[0] - u[0] / w_n).max(0.0);
    let (s, t) = (r[1] - u[1] / w_t, r[2] - u[2] / w_t);
    let (most, size) = (row.mu * normal, (s * s + t * t).sqrt());
    let factor = if size > most { most / size } else { 1.0 };
    let new = [normal, factor * s, factor * t];
    let change = [new[0] - r[0], new[1] - r[1], new[2] - r[2]];
    if change == [0.0; 3] {
        return 0.0;
    }
    row.push(change, v);
    *r = new;
    let [n, s, t] = change.map(f64::abs);
    w_n * n + w_t * (s + t)
}
