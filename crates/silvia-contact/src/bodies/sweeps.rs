//! Sequential impulses: Gauss-Seidel sweeps over contacts, for answers that must be quick rather than exact.
//!
//! Each contact in turn is given the normal impulse that stops it, then the friction that its normal impulse allows. A sweep costs a few hundred
//! operations a contact; started from the impulses of the step before, some ten of them bring most islands to where no contact closes that matters.

use super::group::Group;
use super::rows::Row;

/// Sweeps between looks at what they have reached.
const BATCH: usize = 4;

/// A residual that need not be less: how much of friction is wrong.
pub(super) const ENOUGH: f64 = 1e-2;

/// Changes the impulses until no contact closes faster than `closing`, m/s, or for `most` sweeps; how many were made.
pub(super) fn sweep_until(
    group: &Group,
    closing: f64,
    most: usize,
    r: &mut [[f64; 3]],
    v: &mut Vec<[f64; 6]>,
) -> usize {
    group.velocities(r, v);
    let mut made = 0;
    while made < most {
        for sweep in 0..BATCH.min(most - made) {
            let contacts = group.rows.iter().zip(r.iter_mut());
            // To and fro: what is put on a stack is felt at its foot after one sweep in the one direction and many in the other.
            if (made + sweep) % 2 == 0 {
                contacts.rev().for_each(|(row, r)| relax(row, r, v));
            } else {
                contacts.for_each(|(row, r)| relax(row, r, v));
            }
        }
        made += BATCH.min(most - made);
        let is_stopped = group.rows.iter().all(|row| row.opening(v) >= -closing);
        if is_stopped && group.residual(r, v)[0] <= ENOUGH {
            break;
        }
    }
    made
}

/// Stops one contact, with the others held.
#[inline]
fn relax(row: &Row, r: &mut [f64; 3], v: &mut [[f64; 6]]) {
    let u = row.velocity(v);
    let [w_n, w_t] = [row.w[0], 0.5 * (row.w[4] + row.w[8])];
    if w_n <= 0.0 || w_t <= 0.0 {
        return;
    }
    let normal = (r[0] - u[0] / w_n).max(0.0);
    let (s, t) = (r[1] - u[1] / w_t, r[2] - u[2] / w_t);
    let (most, size) = (row.mu * normal, (s * s + t * t).sqrt());
    let factor = if size > most { most / size } else { 1.0 };
    let new = [normal, factor * s, factor * t];
    let change = [new[0] - r[0], new[1] - r[1], new[2] - r[2]];
    if change != [0.0; 3] {
        row.push(change, v);
        *r = new;
    }
}
