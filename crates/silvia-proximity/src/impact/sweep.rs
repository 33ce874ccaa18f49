//! Until when pairs of bounds are free along given directions, over a span of time.

use crate::bounds::Bound;
use crate::lanes::{Lanes, Lanes3};
use silvia_solid::{Mat3, Vec3};

/// How far each lane has been found free, as fractions of a span: from its start until `until`, and from
/// `after` on.
pub(crate) struct Sweep<'a> {
    pub(crate) turn: &'a Mat3,
    pub(crate) axes: &'a [Vec3; 2],
    pub(crate) bends: [Lanes; 2],
    /// Whose axes go with the bends.
    pub(crate) order: [usize; 2],
    pub(crate) margin: f64,
    pub(crate) until: Lanes,
    pub(crate) after: Lanes,
}

impl Sweep<'_> {
    /// Tries a direction a lane, given in the pack's frame at both moments.
    #[inline(always)]
    pub(crate) fn along<B: Bound>(
        &mut self,
        packs: [&B::Pack; 2],
        others: &[B::Placed; 2],
        n: &Lanes3,
        n_end: &Lanes3,
    ) {
        let margin = Lanes::splat(self.margin);
        let first = Lanes(B::gaps(packs[0], &others[0], &n.rows())) - margin;
        let last = Lanes(B::gaps(packs[1], &others[1], &n_end.rows())) - margin;
        let bend = across(n, self.axes[self.order[0]]) * self.bends[0]
            + across(n, self.axes[self.order[1]]) * self.bends[1];
        self.until = self.until.max(first_zeros(first, last, bend));
        let from_end = Lanes::splat(1.0) - first_zeros(last, first, bend);
        // The lesser of both: in a lane that is free throughout, from the start on.
        self.after = Lanes::splat(0.0) - (Lanes::splat(0.0) - self.after).max(Lanes::splat(0.0) - from_end);
        self.until = self.until.max(choose(self.after, self.until, Lanes::splat(2.0), self.until));
    }

    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.until.0.iter().all(|&s| s > 1.0)
    }
}

/// In each lane the third where the first is less than the second, else the fourth.
#[inline(always)]
fn choose(a: Lanes, b: Lanes, less: Lanes, not: Lanes) -> Lanes {
    let lane = |i: usize| if a.0[i] < b.0[i] { less.0[i] } else { not.0[i] };
    Lanes([lane(0), lane(1), lane(2), lane(3)])
}

/// [`first_zero`] in each lane; 0 where there is no gap to start with, 2 where there is none.
#[inline(always)]
fn first_zeros(g0: Lanes, g1: Lanes, bend: Lanes) -> Lanes {
    let zero = Lanes::splat(0.0);
    let a = Lanes::splat(4.0) * bend;
    let b = g1 - g0 - a;
    let discriminant = b * b * Lanes::splat(1.0 + ROUNDING) - Lanes::splat(4.0) * a * g0;
    let s = (Lanes::splat(2.0 * (1.0 - ROUNDING)) * g0).div(discriminant.max(zero).sqrt() - b);
    let free = Lanes::splat(2.0);
    let s = choose(Lanes::splat(1.0), s, free, s);
    let s = choose(discriminant, zero, free, s);
    let s = choose(b, zero, s, free);
    choose(zero, g0, s, zero)
}

/// What rounding can do to the discriminant of [`first_zero`], relatively.
const ROUNDING: f64 = 1e-14;

/// How much of each unit vector is across a unit vector or zero; never too little.
#[inline(always)]
fn across(n: &Lanes3, axis: Vec3) -> Lanes {
    let along = n.dot(&Lanes3::splat(axis));
    (Lanes::splat(1.0 + 8.0 * f64::EPSILON) - along * along).max(Lanes::splat(0.0)).sqrt()
}

/// The first s in [0, 1] at which `g0 (1 - s) + g1 s - 4 bend s (1 - s)` is not positive, given that `g0` is;
/// infinite if there is none. Never late.
#[inline(always)]
pub(crate) fn first_zero(g0: f64, g1: f64, bend: f64) -> f64 {
    let a = 4.0 * bend;
    let b = g1 - g0 - a;
    if b >= 0.0 {
        return f64::INFINITY;
    }
    let discriminant = b * b * (1.0 + ROUNDING) - 4.0 * a * g0;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    let s = 2.0 * g0 / (discriminant.sqrt() - b) * (1.0 - ROUNDING);
    if s > 1.0 { f64::INFINITY } else { s }
}

/// From the middles of a pack's bounds to that of another where they come nearest, going straight between two
/// moments; in the pack's frame at the first.
#[inline(always)]
pub(crate) fn passing<B: Bound>(packs: [&B::Pack; 2], others: &[B::Placed; 2], turn: &Mat3) -> Lanes3 {
    let to = [B::ball(&others[0]).0, B::ball(&others[1]).0];
    let between = |i: usize| Lanes3::splat(to[i]) - Lanes3::of_rows(&B::balls(packs[i]).0);
    let first = between(0);
    let way = turned(&turn.transpose(), &between(1)) - first;
    let length2 = way.dot(&way) + Lanes::splat(f64::MIN_POSITIVE);
    let half = Lanes::splat(0.5);
    // Into [0, 1].
    let s = half + (Lanes::splat(0.0) - first.dot(&way).div(length2) - half).clamped(half);
    first.minus_scaled(Lanes::splat(0.0) - s, &way)
}

#[inline(always)]
pub(crate) fn unit(v: Lanes3) -> Lanes3 {
    let length = (v.dot(&v) + Lanes::splat(f64::MIN_POSITIVE)).sqrt();
    let k = Lanes::splat(1.0).div(length);
    Lanes3([v.0[0] * k, v.0[1] * k, v.0[2] * k])
}

#[inline(always)]
pub(crate) fn turned(m: &Mat3, v: &Lanes3) -> Lanes3 {
    let row = |i: usize| {
        Lanes::splat(m.x_axis[i]) * v.0[0]
            + Lanes::splat(m.y_axis[i]) * v.0[1]
            + Lanes::splat(m.z_axis[i]) * v.0[2]
    };
    Lanes3([row(0), row(1), row(2)])
}
