//! The branch and bound itself.

use super::frontier::{Entry, Frontier};
use super::{Distance, DistanceOptions, Witness};
use crate::bounds::Bound;
use crate::containment::is_inside;
use crate::duo::{Duo, Opened, Pair, Under};
use crate::feature::{Feature, outward};
use crate::hierarchy::{Leaf, Surface};
use crate::lanes::LANES;
use crate::triangle::{TrianglePair, triangle_distance};
use silvia_solid::TriangleId;
use std::time::Instant;

/// All children of a pair, as bits.
const ALL: u8 = (1 << LANES) - 1;

/// How many nodes are opened between two looks at the clock.
const CLOCK_INTERVAL: u64 = 32;

/// The state of a search for the distance of two bodies.
pub(super) struct Search<'a, B: Bound, F: Frontier> {
    duo: &'a Duo<'a, B>,
    options: &'a DistanceOptions,
    pub(super) frontier: F,
    pub(super) best: Best,
    /// The distance of these, m.
    pub(super) upper: f64,
    /// The least bound of all pairs that were given up because they could not improve the answer by more than the
    /// tolerance; never above `upper`.
    given_up: f64,
    slack: f64,
    visits: u64,
    tests: u64,
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

impl<'a, B: Bound, F: Frontier> Search<'a, B, F> {
    /// Starts from the roots, with the first triangles of both as a first witness. `frontier` makes a frontier for bounds
    /// that are mostly between two numbers.
    #[inline(always)]
    pub(super) fn new(
        duo: &'a Duo<'a, B>,
        options: &'a DistanceOptions,
        frontier: impl FnOnce(f64, f64) -> F,
    ) -> Search<'a, B, F> {
        let first = first_witness(duo, [0, 0]);
        let upper = first.distance();
        let lower = (duo.lower_bound(Pair::ROOTS) - duo.rounding()).max(0.0);
        let mut search = Search::resumed(duo, options, frontier(lower, upper), first);
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
    ) -> Search<'a, B, F> {
        Search {
            duo,
            options,
            frontier,
            upper: first.distance(),
            best: first,
            given_up: f64::INFINITY,
            slack: duo.rounding(),
            visits: 0,
            tests: 1,
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
        let start = Instant::now();
        while self.upper > 0.0 {
            if self.is_spent(start) {
                return;
            }
            let threshold = self.threshold();
            let Some(entry) = self.frontier.pop_below(threshold, &mut self.given_up) else { return };
            match self.duo.under(entry.pair) {
                Under::Triangles(a, b) => {
                    let lower = self.measure(a, b);
                    self.frontier.measured(lower, entry.pair);
                }
                Under::Node(opened) => {
                    self.visits += 1;
                    self.open(&opened, entry, ALL);
                }
            }
        }
    }

    /// Looks anew at a pair, or at some of its children (as bits), that may have come nearer since it was remembered.
    #[inline(always)]
    pub(super) fn review(&mut self, entry: Entry, children: u8) {
        match self.duo.under(entry.pair) {
            Under::Node(opened) if children != 0 => self.open(&opened, entry, children),
            _ => {
                let lower = self.lowered(self.duo.lower_bound(entry.pair)).max(entry.lower);
                self.consider(entry.pair, lower);
            }
        }
    }

    #[inline(always)]
    fn is_spent(&self, start: Instant) -> bool {
        self.options.max_visits.is_some_and(|most| self.visits >= most)
            || (self.visits.is_multiple_of(CLOCK_INTERVAL)
                && self.options.deadline.is_some_and(|deadline| start.elapsed() >= deadline))
    }

    /// A pair at least this far need not be opened.
    #[inline(always)]
    fn threshold(&self) -> f64 {
        let tolerance = self.options.absolute_tolerance.max(self.options.relative_tolerance * self.upper);
        (self.upper - tolerance).min(self.options.cutoff)
    }

    /// Measures all pairs of two leaves and returns the least distance, lowered by rounding.
    #[inline(always)]
    fn measure(&mut self, a: Leaf<'_>, b: Leaf<'_>) -> f64 {
        let mut least = f64::INFINITY;
        for (j, tb) in b.triangles.iter().enumerate() {
            let corners = self.duo.corners_of_b(tb);
            for (i, ta) in a.triangles.iter().enumerate() {
                self.tests += 1;
                let pair = triangle_distance(&ta.corners, &corners);
                least = least.min(pair.distance_squared);
                if pair.distance_squared < self.best.pair.distance_squared {
                    self.upper = pair.distance_squared.sqrt();
                    let positions = [a.start + i as u32, b.start + j as u32];
                    self.best = Best { ids: [ta.id, tb.id], positions, pair };
                }
            }
        }
        self.lowered(least.sqrt())
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
        let (mut far, mut least) = (0, f64::INFINITY);
        for lane in farthest_first(&lower) {
            let bit = children & (1 << lane);
            if bit == 0 || lower[lane] == f64::INFINITY {
                continue;
            }
            if lower[lane] < threshold {
                self.frontier.push(Entry { lower: lower[lane], pair: opened.child(lane) });
            } else {
                far |= bit;
                least = least.min(lower[lane]);
            }
        }
        if far != 0 {
            self.given_up = self.given_up.min(least);
            self.frontier.remember(least, parent.pair, far);
        }
    }

    #[inline(always)]
    fn consider(&mut self, pair: Pair, lower: f64) {
        if lower < self.threshold() {
            self.frontier.push(Entry { lower, pair });
        } else {
            self.given_up = self.given_up.min(lower);
            self.frontier.remember(lower, pair, 0);
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
        if answer.upper > 0.0 && self.is_contained(answer.exact) {
            (answer.lower, answer.upper, answer.exact) = (0.0, 0.0, true);
            // The point of the inner body's surface is a point of both.
            let inner = usize::from(!self.is_first_inside());
            answer.witness.points = [answer.witness.points[inner]; 2];
        }
        answer
    }

    /// Whether one body lies within the other, given that their surfaces do not meet.
    fn is_contained(&self, is_exact: bool) -> bool {
        let (a, b) = (self.duo.a, self.duo.b);
        let pieces = |surface: &Surface| match surface {
            Surface::Solid(solid) => solid.component_count(),
            Surface::Soup(_) => usize::MAX,
        };
        if is_exact && pieces(&a.surface) == 1 && pieces(&b.surface) == 1 {
            // Of whole bodies the nearest points tell: what is within the other lies behind its surface there.
            return self.is_first_inside() || self.is_second_inside();
        }
        is_inside(b, a, &self.duo.b_in_a) || is_inside(a, b, &self.duo.b_in_a.inverse())
    }

    fn is_first_inside(&self) -> bool {
        let Best { ids, pair, .. } = &self.best;
        let out = outward(&self.duo.b.surface, ids[1], pair.features[1]);
        matches!(self.duo.b.surface, Surface::Solid(_))
            && self.duo.b_in_a.transform_vector(out).dot(pair.points[0] - pair.points[1]) < 0.0
    }

    fn is_second_inside(&self) -> bool {
        let Best { ids, pair, .. } = &self.best;
        let out = outward(&self.duo.a.surface, ids[0], pair.features[0]);
        matches!(self.duo.a.surface, Surface::Solid(_)) && out.dot(pair.points[1] - pair.points[0]) < 0.0
    }
}

/// The triangles at two positions in the leaves, for a witness to start with.
#[inline(always)]
pub(super) fn first_witness<B: Bound>(duo: &Duo<'_, B>, positions: [u32; 2]) -> Best {
    let (a, b) = (&duo.a.triangles[positions[0] as usize], &duo.b.triangles[positions[1] as usize]);
    Best { ids: [a.id, b.id], positions, pair: triangle_distance(&a.corners, &duo.corners_of_b(b)) }
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
