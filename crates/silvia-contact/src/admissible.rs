//! The nearest motion that contacts admit: for dragging a part by hand without any dynamics.

use crate::gap_row::GapRow;
use crate::nnls::{Room, non_negative_least_squares};
use crate::system::{Body, Twist};
use silvia_solid::{Mat3, Vec3};
use thiserror::Error;

/// Relative accuracy to which conditions are kept.
const TOLERANCE: f64 = 1e-13;

/// Contacts that need velocities more than a million times those of a single one exclude each other, for all
/// that rounding can tell: the square of that.
const WEDGED: f64 = 1e-12;

/// An overlap below this fraction of the contacts' distance from the bodies' centres counts as touching
/// (DESIGN "Stepping").
const SHELL: f64 = 1e-9;

/// Why there is no admissible motion.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AdmissibleError {
    /// Contacts that exclude each other: a part wedged while overlapping, between bodies that close in.
    #[error(
        "no motion opens all {contacts} contacts: they exclude each other, so separate the parts first or \
         shorten the step"
    )]
    None {
        /// How many contacts there are.
        contacts: usize,
    },
    /// A number that is NaN, infinite or out of range.
    #[error("{what} is {value}, but must be {must}")]
    BadValue {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        must: &'static str,
    },
}

/// The velocities nearest to the free velocities of two bodies under which no gap closes within `step` (s):
/// `gap + step * rate >= 0`. Near in the sense of kinetic energy, with the bodies' masses and inertias: a
/// heavy body yields less, and one that nothing can move not at all. It is the motion of contacts without
/// friction or rebound.
pub fn nearest_admissible(
    bodies: [&Body; 2],
    rows: &[GapRow],
    step: f64,
) -> Result<[Twist; 2], AdmissibleError> {
    if !(step > 0.0 && step.is_finite()) {
        return Err(AdmissibleError::BadValue { what: "the step", value: step, must: "positive and finite" });
    }
    let free = bodies.map(|body| body.free_velocity);
    let roots = bodies.map(Root::of);
    // Least distance (Lawson and Hanson): with x the change of velocity in a metric where distance is length,
    // the condition is g . x >= h; the dual is a problem with unknowns that are not negative, one dimension
    // up.
    let size = rows.iter().flat_map(|row| row.arms).map(Vec3::length).fold(0.0, f64::max);
    let columns: Vec<[f64; 13]> = rows
        .iter()
        .map(|row| {
            let [a, b] = row.derivatives();
            let (a, b) = (roots[0].times(a), roots[1].times(b));
            let gap = if row.gap < 0.0 && row.gap >= -SHELL * size { 0.0 } else { row.gap };
            let mut column = [0.0; 13];
            for (to, v) in column.chunks_mut(3).zip([a.linear, a.angular, b.linear, b.angular]) {
                to.copy_from_slice(&v.to_array());
            }
            column[12] = -gap / step - row.rate(free);
            column
        })
        .collect();
    if let Some(value) = columns.iter().flatten().copied().find(|c| !c.is_finite()) {
        return Err(AdmissibleError::BadValue { what: "a contact's row", value, must: "finite" });
    }
    // Rows of unit length, and changes of velocity measured by the largest that a single contact needs.
    let none = || AdmissibleError::None { contacts: rows.len() };
    let mut scaled: Vec<[f64; 13]> = Vec::with_capacity(columns.len());
    for column in &columns {
        let length = column[..12].iter().map(|c| c * c).sum::<f64>().sqrt();
        if length > 0.0 {
            scaled.push(column.map(|c| c / length));
        } else if column[12] > 0.0 {
            return Err(none());
        }
    }
    let most = scaled.iter().map(|c| c[12]).fold(0.0, f64::max);
    if most == 0.0 {
        return Ok(free);
    }
    scaled.iter_mut().for_each(|c| c[12] /= most);
    let mut target = [0.0; 13];
    target[12] = 1.0;
    let rest = non_negative_least_squares(&scaled, |_| true, &target, TOLERANCE, &mut Room::default());
    let last = rest[12];
    if last <= WEDGED {
        return Err(none());
    }
    let x = |i: usize| -rest[i] / last * most;
    let change = [0, 6].map(|i| Twist {
        linear: Vec3::new(x(i), x(i + 1), x(i + 2)),
        angular: Vec3::new(x(i + 3), x(i + 4), x(i + 5)),
    });
    Ok([0, 1].map(|i| {
        let change = roots[i].times(change[i]);
        Twist { linear: free[i].linear + change.linear, angular: free[i].angular + change.angular }
    }))
}

/// The square root of a body's inverse mass matrix: symmetric.
struct Root {
    mass: f64,
    inertia: Mat3,
}

impl Root {
    fn of(body: &Body) -> Self {
        let (values, vectors) = silvia_solid::symmetric_eigen(body.inverse_inertia);
        let inertia =
            vectors * Mat3::from_diagonal(values.max(Vec3::ZERO).map(f64::sqrt)) * vectors.transpose();
        Self { mass: body.inverse_mass.sqrt(), inertia }
    }

    fn times(&self, twist: Twist) -> Twist {
        Twist { linear: self.mass * twist.linear, angular: self.inertia * twist.angular }
    }
}
