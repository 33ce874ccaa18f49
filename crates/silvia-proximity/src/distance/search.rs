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

/// How many nodes are opened between two looks at the clock.
const CLOCK_INTERVAL: u64 = 32;

/// A lower bound is computed in floating point: it is lowered by this fraction of the size of the coordinates in it.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

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

impl<'a, B: Bound, F: Frontier> Search<'a, B, F> {
    /// Starts from the roots, with the first triangles of both as a first witness.
    #[inline(always)]
    pub(super) fn new(duo: &'a Duo<'a, B>, options: &'a DistanceOptions, frontier: F) -> Search<'a, B, F> {
        let mut search = Search::resumed(duo, options, frontier, [0, 0]);
        let lower = search.lowered(duo.lower_bound(Pair::ROOTS));
        search.consider(Pair::ROOTS, lower);
        search
    }

    /// Goes on from a frontier that covers all pairs, with the triangles at some positions as a first witness.
    #[inline(always)]
    pub(super) fn resumed(
        duo: &'a Duo<'a, B>,
        options: &'a DistanceOptions,
        frontier: F,
        first: [u32; 2],
    ) -> Search<'a, B, F> {
        let (ta, tb) = (&duo.a.triangles[first[0] as usize], &duo.b.triangles[first[1] as usize]);
        let pair = triangle_distance(&ta.corners, &duo.corners_of_b(tb));
        Search {
            duo,
            options,
            frontier,
            best: Best { ids: [ta.id, tb.id], positions: first, pair },
            upper: pair.distance_squared.sqrt(),
            given_up: f64::INFINITY,
            slack: rounding_slack(duo),
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
            let threshold = self.threshold();
            if self.is_spent(start) || (F::IS_SORTED && self.frontier.lower() >= threshold) {
                return;
            }
            let Some(mut entry) = self.frontier.pop() else { return };
            if entry.lower >= threshold {
                self.given_up = self.given_up.min(entry.lower);
                continue;
            }
            match self.duo.under(entry.pair) {
                Under::Triangles(a, b) => {
                    entry.lower = self.measure(a, b);
                    self.frontier.measured(entry);
                }
                Under::Node(opened) => {
                    if F::KEEPS_ALL {
                        entry.lower = self.lowered(self.duo.lower_bound(entry.pair)).max(entry.lower);
                        if entry.lower >= threshold {
                            self.frontier.push(entry);
                            continue;
                        }
                    }
                    self.open(&opened, entry.lower);
                }
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

    #[inline(always)]
    fn open(&mut self, opened: &Opened, parent: f64) {
        self.visits += 1;
        let mut lower = self.duo.lower_bounds(opened);
        for bound in &mut lower {
            // A part is never nearer than the whole: so the lower bound never falls.
            *bound = self.lowered(*bound).max(parent);
        }
        for lane in farthest_first(&lower) {
            if lower[lane] < f64::INFINITY {
                self.consider(opened.child(lane), lower[lane]);
            }
        }
    }

    #[inline(always)]
    fn consider(&mut self, pair: Pair, lower: f64) {
        if F::KEEPS_ALL || lower < self.threshold() {
            self.frontier.push(Entry { lower, pair });
        } else {
            self.given_up = self.given_up.min(lower);
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

/// What rounding can do to a lower bound of two bodies, m.
#[inline(always)]
fn rounding_slack<B: Bound>(duo: &Duo<'_, B>) -> f64 {
    let reach = duo.a.magnitude + duo.b.magnitude + duo.b_in_a.translation().abs().max_element();
    ROUNDING * reach
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
