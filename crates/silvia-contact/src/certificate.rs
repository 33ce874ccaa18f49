//! Proofs that no impulses satisfy the law.
//!
//! Take weights `y >= 0`, one a contact, and `s = W' (y along the normals)`. For impulses `r` in Coulomb's
//! cones the weighted normal velocities are `y . u_N = r . s + y . q_N`, and `r . s <= sum r_N (s_N + mu
//! |s_T|)`. Where every `s_N + mu |s_T|` is zero or less and `y . q_N` is negative, some contact approaches
//! whatever the impulses: a body held between two walls that close in. (Farkas' lemma; friction cannot help,
//! nor does `W` have to be symmetric.)

use crate::problem::ContactProblem;
use crate::solver::Outcome;

/// Push-backs up to this, in units where each contact answers a unit impulse by a unit velocity, are
/// rounding: the entries of `W` are sums of a few dozen products.
const ROUNDING: f64 = 1e-14;

/// With push-backs up to this, in the same units, impulses would have to be 1e10 times those that stop a
/// contact alone; their velocities would be lost in rounding.
const HARDLY_ANY: f64 = 1e-10;

/// The weighted approach must be this share of what it could be, so that it is no rounding itself.
const APPROACH_SHARE: f64 = 1e-9;

/// What the weights `y` (negative ones are taken for zero) prove: `NoSolution`; `Unbounded` where a solution
/// could exist only with impulses beyond all measure; `None` where they prove nothing.
pub(crate) fn proven_by(problem: &ContactProblem, y: &[f64]) -> Option<Outcome> {
    let contacts = problem.contacts();
    let units = units(problem);
    // y in those units, with the largest at one.
    let weight = |c: usize| (y[c] / units[c]).max(0.0);
    let largest = (0..contacts).map(weight).fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite() && y.iter().all(|v| v.is_finite())) {
        return None;
    }
    let weight = |c: usize| weight(c) / largest;
    let mut approach = 0.0;
    let mut could_be = 0.0;
    let mut s = vec![0.0; 3 * contacts];
    for row in 0..contacts {
        let q = units[row] * problem.q()[3 * row];
        approach -= weight(row) * q;
        could_be += weight(row) * q.abs();
        let (columns, blocks) = problem.w().row(row);
        for (&column, block) in columns.iter().zip(blocks) {
            for k in 0..3 {
                s[3 * column + k] += units[row] * weight(row) * block[k] * units[column];
            }
        }
    }
    if approach.is_nan() || approach <= APPROACH_SHARE * could_be {
        return None;
    }
    let push_back = s
        .chunks_exact(3)
        .zip(problem.mu())
        .map(|(s, mu)| s[0] + mu * s[1].hypot(s[2]))
        .fold(f64::NEG_INFINITY, |most, v| if v.is_nan() { f64::INFINITY } else { most.max(v) });
    if push_back <= ROUNDING {
        Some(Outcome::NoSolution)
    } else if push_back <= HARDLY_ANY {
        Some(Outcome::Unbounded)
    } else {
        None
    }
}

/// What the normal parts of a direction in which impulses grow prove.
pub(crate) fn proven_by_growth(problem: &ContactProblem, before: &[f64], after: &[f64]) -> Option<Outcome> {
    let y: Vec<f64> = before.chunks_exact(3).zip(after.chunks_exact(3)).map(|(b, a)| a[0] - b[0]).collect();
    proven_by(problem, &y)
}

/// What contact `contact` alone proves.
pub(crate) fn proven_by_contact(problem: &ContactProblem, contact: usize) -> Option<Outcome> {
    let mut y = vec![0.0; problem.contacts()];
    y[contact] = 1.0;
    proven_by(problem, &y)
}

/// `1 / sqrt(W_NN)` of each contact; where that is zero, of the largest entry in the normal's row.
fn units(problem: &ContactProblem) -> Vec<f64> {
    (0..problem.contacts())
        .map(|c| {
            let own = problem.w().diagonal(c)[0];
            let entries = problem.w().row(c).1.iter().flat_map(|block| block[..3].iter());
            let size = if own > 0.0 { own } else { entries.fold(0.0_f64, |m, v| m.max(v.abs())) };
            if size > 0.0 { 1.0 / size.sqrt() } else { 1.0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One body of unit mass between two walls, of which one is turned by `angle`, with friction.
    fn squeezed(angle: f64, q: f64) -> ContactProblem {
        let (c, s) = (angle.cos(), angle.sin());
        // Frames: (n, t1, t2) = (x, y, z) and (-x turned, -y turned, z).
        let rows = [0, 1, 2, 3, 4, 5, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5];
        let columns = [0, 1, 2, 3, 4, 5, 3, 4, 3, 4, 5, 0, 1, 0, 1, 2];
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -c, s, -s, -c, 1.0, -c, -s, s, -c, 1.0];
        let q = vec![q, 0.0, 0.0, q, 0.0, 0.0];
        ContactProblem::from_triplets(&rows, &columns, &values, q, vec![0.5; 2]).unwrap()
    }

    #[test]
    fn closing_walls_are_proven_to_crush_and_standing_ones_are_not() {
        assert_eq!(proven_by(&squeezed(0.0, -1.0), &[1.0, 1.0]), Some(Outcome::NoSolution));
        assert_eq!(proven_by(&squeezed(0.0, -1.0), &[1.0, 0.5]), None);
        assert_eq!(proven_by(&squeezed(0.0, 0.0), &[1.0, 1.0]), None);
        assert_eq!(proven_by(&squeezed(0.0, 1.0), &[1.0, 1.0]), None);
    }

    #[test]
    fn a_wedge_lets_the_body_escape() {
        assert_eq!(proven_by(&squeezed(0.1, -1.0), &[1.0, 1.0]), None);
        // So narrow that the way out is a hundred thousand million times the squeeze.
        assert_eq!(proven_by(&squeezed(1e-11, -1.0), &[1.0, 1.0]), Some(Outcome::Unbounded));
    }

    #[test]
    fn nonsense_proves_nothing() {
        for y in [[f64::NAN, 1.0], [f64::INFINITY, 1.0], [0.0, 0.0], [-1.0, -1.0]] {
            assert_eq!(proven_by(&squeezed(0.0, -1.0), &y), None);
        }
    }
}
