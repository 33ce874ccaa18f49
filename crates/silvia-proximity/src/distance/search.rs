//! The branch and bound itself.

use super::frontier::{Entry, Frontier};
use super::{Distance, DistanceOptions, Witness};
use crate::bounds::Bound;
use crate::containment::find_inside;
use crate::duo::{Duo, Opened, Pair, Slab, Under};
use crate::feature::{Feature, is_outside};
use crate::hierarchy::Leaf;
use crate::lanes::LANES;
use crate::triangle::{TriangleFeature, TrianglePair, triangle_distance};
use silvia_solid::{TriangleId, Vec3};
use std::time::Instant;

/// All children of a pair, as bits.
const ALL: u8 = (1 << LANES) - 1;

/// How many nodes are opened or triangles measured between two looks at the clock.
const CLOCK_INTERVAL: u64 = 32;

/// The state of a search for the distance of two bodies.
pub(super) struct DistanceSearch<'a, B: Bound, F: Frontier> {
    duo: &'a Duo<'a, B>,
    options: &'a DistanceOptions,
    pub(super) frontier: F,
    pub(super) best: Best,
    /// The distance of these, m.
    pub(super) upper: f64,
    /// The least bound of all pairs that were given up because they could not improve the answer by more than
    /// the tolerance; never above `upper`.
    given_up: f64,
    slack: f64,
    visits: u64,
    tests: u64,
    start: Instant,
    /// When to look at the clock next: a count of visits and tests.
    next_look: u64,
}

/// The nearest pair of triangles so far.
#[derive(Clone, Copy)]
pub(super) struct Best {
    /// Their numbers.
    ids: [u32; 2],
    /// Their positions in the leaves.
    pub(super) positions: [u32; 2],
    pair: TrianglePair,
}

impl Best {
    #[inline(always)]
    pub(super) fn distance(&self) -> f64 {
        self.pair.distance_squared.sqrt()
    }
}

impl<'a, B: Bound, F: Frontier> DistanceSearch<'a, B, F> {
    /// Starts from the roots, with the first triangles of both as a first witness. `frontier` makes a
    /// frontier for bounds that are mostly between two numbers.
    #[inline(always)]
    pub(super) fn new(
        duo: &'a Duo<'a, B>,
        options: &'a DistanceOptions,
        frontier: impl FnOnce(f64, f64) -> F,
        start: Instant,
    ) -> DistanceSearch<'a, B, F> {
        let first = first_witness(duo, [0, 0]);
        let upper = first.distance();
        let lower = (duo.lower_bound(Pair::ROOTS) - duo.rounding()).max(0.0);
        let mut search = DistanceSearch::resumed(duo, options, frontier(lower, upper), first, start);
        search.consider(Pair::ROOTS, lower);
        search
    }

    /// Goes on from a frontier that covers all pairs.
    #[inline(always)]
    pub(super) fn resumed(
        duo: &'a Duo<'a, B>,
        options: &'a DistanceOptions,
        frontier: F,
        first: Best,
        start: Instant,
    ) -> DistanceSearch<'a, B, F> {
        DistanceSearch {
            duo,
            options,
            frontier,
            upper: first.distance(),
            best: first,
            given_up: f64::INFINITY,
            slack: duo.rounding(),
            visits: 0,
            tests: 1,
            start,
            next_look: 0,
        }
    }

    #[inline(always)]
    pub(super) fn run(mut self) -> Distance {
        self.advance();
        self.answer()
    }

    /// Opens pairs until the answer is good enough or the budget is spent.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        while self.upper > 0.0 {
            if self.is_spent() {
                return;
            }
            let threshold = self.threshold();
            let Some(entry) = self.frontier.pop_below(threshold, &mut self.given_up) else { return };
            match self.duo.under(entry.pair) {
                Under::Triangles(a, b) => {
                    self.measure(a, b, entry.pair);
                }
                Under::Node(opened) => {
                    self.visits += 1;
                    self.open(&opened, entry, ALL);
                }
            }
        }
    }

    /// Looks anew at a pair, or at some of its children (as bits), that may have come nearer since it was
    /// remembered. With the budget spent it is only put on the frontier: it may be as near as can be.
    #[inline(always)]
    pub(super) fn review(&mut self, pair: Pair, children: u8) {
        if self.is_spent() {
            self.frontier.push(Entry { lower: 0.0, pair });
            return;
        }
        self.visits += 1;
        match self.duo.under(pair) {
            Under::Node(opened) if children != 0 => self.open(&opened, Entry { lower: 0.0, pair }, children),
            _ => self.consider(pair, self.lowered(self.duo.lower_bound(pair))),
        }
    }

    #[inline(always)]
    fn is_spent(&mut self) -> bool {
        if self.options.max_visits.is_some_and(|most| self.visits >= most) {
            return true;
        }
        let Some(deadline) = self.options.deadline else { return false };
        let work = self.visits + self.tests;
        if work < self.next_look {
            return false;
        }
        self.next_look = work + CLOCK_INTERVAL;
        self.start.elapsed() >= deadline
    }

    /// A pair at least this far need not be opened.
    #[inline(always)]
    fn threshold(&self) -> f64 {
        let tolerance = self.options.absolute_tolerance.max(self.options.relative_tolerance * self.upper);
        (self.upper - tolerance).min(self.options.cutoff)
    }

    /// Measures all pairs of triangles of a pair of leaves.
    #[inline(always)]
    fn measure(&mut self, a: Leaf<'_>, b: Leaf<'_>, leaves: Pair) {
        let is_single = a.triangles.len() == 1 && b.triangles.len() == 1;
        for (j, tb) in b.triangles.iter().enumerate() {
            let corners = self.duo.corners_of_b(tb);
            for (i, ta) in a.triangles.iter().enumerate() {
                self.tests += 1;
                let pair = triangle_distance(&ta.corners, &corners);
                if pair.distance_squared < self.best.pair.distance_squared {
                    self.upper = pair.distance_squared.sqrt();
                    let positions = [a.start + i as u32, b.start + j as u32];
                    self.best = Best { ids: [ta.id, tb.id], positions, pair };
                }
                if is_single {
                    self.frontier.measured(leaves, slab_between(&pair, &corners));
                }
            }
        }
        if !is_single {
            self.frontier.remember(leaves, 0, 0);
        }
    }

    /// Bounds some children (as bits) of a pair; those that are near enough go to the frontier.
    #[inline(always)]
    fn open(&mut self, opened: &Opened, parent: Entry, children: u8) {
        let mut lower = self.duo.lower_bounds(opened);
        for bound in &mut lower {
            // A part is never nearer than the whole: so the lower bound never falls.
            *bound = self.lowered(*bound).max(parent.lower);
        }
        let threshold = self.threshold();
        let (mut far, mut nearest) = (0, 0);
        for lane in farthest_first(&lower) {
            let bit = children & (1 << lane);
            if bit == 0 || lower[lane] == f64::INFINITY {
                continue;
            }
            if lower[lane] < threshold {
                self.frontier.push(Entry { lower: lower[lane], pair: opened.child(lane) });
            } else {
                // The farthest come first.
                far |= bit;
                nearest = lane;
            }
        }
        if far != 0 {
            self.given_up = self.given_up.min(lower[nearest]);
            self.frontier.remember(parent.pair, far, nearest);
        }
    }

    #[inline(always)]
    fn consider(&mut self, pair: Pair, lower: f64) {
        if lower < self.threshold() {
            self.frontier.push(Entry { lower, pair });
        } else {
            self.given_up = self.given_up.min(lower);
            self.frontier.remember(pair, 0, 0);
        }
    }

    /// A bound with what rounding may have added to it taken away; at least 0.
    #[inline(always)]
    fn lowered(&self, bound: f64) -> f64 {
        (bound - self.slack).max(0.0)
    }

    pub(super) fn answer(&self) -> Distance {
        let Best { ids, pair, .. } = &self.best;
        let surfaces = [&self.duo.a.surface, &self.duo.b.surface];
        let witness = Witness {
            points: pair.points.map(|p| self.duo.frame.transform_point(p)),
            triangles: ids.map(TriangleId),
            features: std::array::from_fn(|i| Feature::of(surfaces[i], ids[i], pair.features[i])),
        };
        let lower = self.upper.min(self.given_up).min(self.frontier.lower());
        let mut answer = Distance {
            lower,
            upper: self.upper,
            exact: lower == self.upper,
            witness,
            visits: self.visits,
            triangle_tests: self.tests,
        };
        if answer.upper > 0.0
            && let Some((point, inner, triangle)) = self.contained(answer.exact)
        {
            (answer.lower, answer.upper, answer.exact) = (0.0, 0.0, true);
            // A point of the inner body's surface is a point of both. On the outer one the witness stays
            // where it was.
            answer.witness.points = [self.duo.frame.transform_point(point); 2];
            if let Some(triangle) = triangle {
                answer.witness.triangles[inner] = triangle;
                answer.witness.features[inner] =
                    Feature::of(surfaces[inner], triangle.0, TriangleFeature::Vertex(0));
            }
        }
        answer
    }

    /// Given that the surfaces do not meet: if one body lies within the other, a point of it in the frame of
    /// `a`, which of the two it is, and the triangle that the point is a corner of (none: that of the
    /// witness).
    fn contained(&self, is_exact: bool) -> Option<(Vec3, usize, Option<TriangleId>)> {
        let Duo { a, b, b_in_a, .. } = self.duo;
        // Bodies whose bounds are apart do not contain each other. Very far away, coordinates are too coarse
        // for the side of a face to be told.
        if self.duo.lower_bound(Pair::ROOTS) > self.duo.rounding() {
            return None;
        }
        if is_exact && [a, b].iter().all(|body| body.pieces.len() == 1) {
            // Of whole bodies the nearest points tell: what is within the other lies behind its surface
            // there.
            let Best { ids, pair, .. } = &self.best;
            let [p, q] = pair.points;
            let back = b_in_a.inverse();
            let (p_in_b, q_in_b) = (back.transform_point(p), back.transform_point(q));
            if !is_outside(&b.surface, ids[1], pair.features[1], q_in_b, p_in_b) {
                return Some((p, 0, None));
            }
            return (!is_outside(&a.surface, ids[0], pair.features[0], p, q)).then_some((q, 1, None));
        }
        let second = find_inside(b, a, b_in_a).map(|(p, t)| (p, 1, Some(t)));
        second.or_else(|| {
            let (p, t) = find_inside(a, b, &b_in_a.inverse())?;
            Some((b_in_a.transform_point(p), 0, Some(t)))
        })
    }
}

/// The triangles at two positions in the leaves, for a witness to start with.
#[inline(always)]
pub(super) fn first_witness<B: Bound>(duo: &Duo<'_, B>, positions: [u32; 2]) -> Best {
    let (a, b) = (&duo.a.triangles[positions[0] as usize], &duo.b.triangles[positions[1] as usize]);
    Best { ids: [a.id, b.id], positions, pair: triangle_distance(&a.corners, &duo.corners_of_b(b)) }
}

/// The slab between two triangles, through their nearest points; `corners` are those of the second.
#[inline(always)]
fn slab_between(pair: &TrianglePair, corners: &[Vec3; 3]) -> Slab {
    let between = pair.points[1] - pair.points[0];
    let radius2 = corners.iter().map(|c| c.distance_squared(pair.points[1])).fold(0.0, f64::max);
    Slab {
        normal: between.normalize_or_zero(),
        gap: pair.distance_squared.sqrt(),
        middle: pair.points[1],
        radius: radius2.sqrt(),
    }
}

/// The lanes, the one with the greatest key first.
#[inline(always)]
fn farthest_first(key: &[f64; LANES]) -> [usize; LANES] {
    let mut order = [0, 1, 2, 3];
    for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        if key[order[i]] < key[order[j]] {
            order.swap(i, j);
        }
    }
    order
}
