//! How far apart surfaces are at least, and for how long that tells something about bodies that move.
//!
//! While no point of one body has moved as far relative to the other as their surfaces were apart, these have
//! not met, and neither body has come into the other or out of it.

use crate::bounds::Bound;
use crate::duo::{Duo, Pair, Under};
use crate::hierarchy::Hierarchy;
use crate::lanes::{LANES, with_simd};
use crate::triangle::triangle_distance;
use silvia_solid::Pose;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A lower bound of the distance of two surfaces, m, whether or not one body is inside the other. No more
/// than `wanted` is looked for, in no more than so many nodes; 0 where the surfaces meet or nothing can be
/// said.
pub(crate) fn clearance<B: Bound>(duo: &Duo<'_, B>, wanted: f64, visits: u32) -> f64 {
    with_simd(
        #[inline(always)]
        || search(duo, wanted, visits),
    )
}

/// Opens the nearest pair of bounds until that is as far as it needs to be.
#[inline(always)]
fn search<B: Bound>(duo: &Duo<'_, B>, wanted: f64, visits: u32) -> f64 {
    let slack = duo.rounding();
    // What has been given up or measured is this far, at least.
    let mut floor = wanted;
    let mut open = BinaryHeap::with_capacity(64);
    open.push(Entry { lower: (duo.lower_bound(Pair::ROOTS) - slack).max(0.0), pair: Pair::ROOTS });
    for _ in 0..visits {
        let Some(Entry { lower, pair }) = open.pop().filter(|entry| entry.lower < floor) else {
            return floor;
        };
        match duo.under(pair) {
            Under::Triangles(a, b) => {
                for tb in b.triangles {
                    let corners = duo.corners_of_b(tb);
                    for ta in a.triangles {
                        let apart = triangle_distance(&ta.corners, &corners).distance_squared.sqrt();
                        floor = floor.min(apart - slack);
                    }
                }
                if floor <= 0.0 {
                    return 0.0;
                }
            }
            Under::Node(opened) => {
                let bounds = duo.lower_bounds(&opened);
                for (lane, &bound) in bounds.iter().enumerate().take(LANES) {
                    let bound = (bound - slack).max(lower);
                    if bound < floor {
                        open.push(Entry { lower: bound, pair: opened.child(lane) });
                    }
                }
            }
        }
    }
    open.peek().map_or(floor, |entry| entry.lower.min(floor))
}

/// A pair of bounds and how far they are apart, at least, m. The nearest is the greatest.
#[derive(Clone, Copy, PartialEq)]
struct Entry {
    lower: f64,
    pair: Pair,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        other.lower.total_cmp(&self.lower).then_with(|| other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How far a point of one body can have moved relative to the other, m, between two poses of the second in
/// the frame of the first; never less than it is.
pub(crate) fn displacement<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>, from: &Pose, to: &Pose) -> f64 {
    // What rounding does, as a fraction of the coordinates in it.
    const ROUNDING: f64 = 64.0 * f64::EPSILON;
    let turned = 2.0 * (from.rotation().conjugate() * to.rotation()).xyz().length() + ROUNDING;
    let far = from.translation().abs().max(to.translation().abs()).max_element();
    // Of two bodies the smaller one sweeps less when they turn.
    let (middle, radius, from, to) = if b.radius <= a.radius {
        (b.bounds.center(), b.radius, *from, *to)
    } else {
        (a.bounds.center(), a.radius, from.inverse(), to.inverse())
    };
    let slid = to.transform_point(middle).distance(from.transform_point(middle));
    slid + turned * radius + ROUNDING * (a.magnitude + b.magnitude + far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Obb;
    use crate::distance::{DistanceOptions, distance};
    use silvia_solid::{Quat, Vec3, primitives};

    /// A knot as a mere surface, so that its distance is that of its triangles.
    fn knot() -> Hierarchy<Obb> {
        Hierarchy::new(primitives::TorusKnot::TREFOIL.soup_with_triangles(400).unwrap())
    }

    fn turned(step: u32, apart: f64) -> Pose {
        let time = 0.37 * f64::from(step);
        Pose::new(Vec3::new(apart, time.sin(), time.cos()), Quat::from_rotation_y(time)).unwrap()
    }

    #[test]
    fn a_clearance_is_never_more_than_the_distance_nor_than_was_wanted() {
        let knot = knot();
        for step in 0..60 {
            let there = turned(step, 4.0 + 0.05 * f64::from(step));
            let duo = Duo::new(&knot, &Pose::IDENTITY, &knot, &there);
            let truth =
                distance(&knot, &Pose::IDENTITY, &knot, &there, &DistanceOptions::default()).unwrap().upper;
            for (wanted, visits) in [(0.1, 5), (1.0, 20), (100.0, 1), (100.0, 50)] {
                let found = clearance(&duo, wanted, visits);
                assert!((0.0..=wanted.min(truth)).contains(&found), "{found} of {truth}");
            }
            let all = clearance(&duo, 100.0, u32::MAX);
            assert!(truth - all < 1e-12 * truth.max(1.0), "{all} of {truth}");
        }
    }

    #[test]
    fn no_point_moves_farther_than_the_displacement() {
        let (small, large) = (Hierarchy::<Obb>::new(primitives::cuboid(Vec3::ONE).unwrap()), knot());
        for (a, b) in [(&small, &large), (&large, &small)] {
            for step in 0..40 {
                let (from, to) = (turned(step, 3.0), turned(step + 1, 3.1));
                let bound = displacement(a, b, &from, &to);
                // One of the two bodies, seen from the other, moves no farther.
                let most = |body: &Hierarchy<Obb>, from: Pose, to: Pose| {
                    let points = body.surface().soup().points().iter();
                    points
                        .map(|&p| to.transform_point(p).distance(from.transform_point(p)))
                        .fold(0.0, f64::max)
                };
                let moved = most(b, from, to).min(most(a, from.inverse(), to.inverse()));
                assert!(moved <= bound && bound < 4.0 * moved, "{moved} {bound}");
            }
        }
    }
}
