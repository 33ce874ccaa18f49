//! What one query leaves behind for the next, when the bodies have moved only a little.
//!
//! The pairs that a search did not need to open, together with those that it measured, cover all pairs of triangles.
//! After a motion in which no point of one body moves further than m relative to the other, each is at least its old
//! bound less m away. So the frontier stays valid: only pairs whose bound, less all motion since it was
//! computed, has fallen below the distance of the old witness at its new place need another look. (The idea of the
//! generalised front of Ehmann and Lin, with motion bounds in place of re-testing the front.)

use super::buckets::Buckets;
use super::frontier::{Entry, Frontier};
use super::search::{Search, first_witness};
use super::{Distance, DistanceError, DistanceOptions};
use crate::bounds::Bound;
use crate::duo::{Duo, Pair};
use crate::hierarchy::Hierarchy;
use crate::lanes::with_simd;
use silvia_solid::Pose;

/// Belongs to the caller, one for each pair of bodies. It changes the cost of an answer, never its value (the witness may
/// be another one at the same distance).
#[derive(Clone, Debug, Default)]
pub struct DistanceCache {
    state: Option<State>,
}

#[derive(Clone, Debug)]
struct State {
    /// Which hierarchies it is about.
    bodies: [u64; 2],
    b_in_a: Pose,
    front: Front,
    /// Positions of the nearest triangles in the leaves.
    nearest: [u32; 2],
    /// How large the front was when it was made.
    fresh: usize,
}

/// A front that has grown by this factor is made anew: it has been opened where the bodies were, not where they are.
const STALE: usize = 3;

/// A frontier that outlives the query.
#[derive(Clone, Debug)]
struct Front {
    /// What was too far: a pair, or some of its children as bits. Bounds as they were when computed, plus the motion
    /// until then.
    far: Buckets<(Pair, u8)>,
    /// Those to open in this query, with bounds as of now.
    near: Vec<Entry>,
    /// Those measured in this query.
    measured: Vec<Entry>,
    /// Sum of the motions of all queries so far, m.
    motion: f64,
}

impl Frontier for Front {
    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.near.push(entry);
    }

    #[inline(always)]
    fn pop_below(&mut self, threshold: f64, given_up: &mut f64) -> Option<Entry> {
        while let Some(entry) = self.near.pop() {
            if entry.lower < threshold {
                return Some(entry);
            }
            *given_up = given_up.min(entry.lower);
            self.remember(entry.lower, entry.pair, 0);
        }
        None
    }

    fn lower(&self) -> f64 {
        self.near.iter().map(|e| e.lower).fold(self.far.lower() - self.motion, f64::min)
    }

    #[inline(always)]
    fn remember(&mut self, lower: f64, pair: Pair, children: u8) {
        self.far.push(lower + self.motion, (pair, children));
    }

    #[inline(always)]
    fn measured(&mut self, lower: f64, pair: Pair) {
        self.measured.push(Entry { lower, pair });
    }
}

impl Front {
    fn between(low: f64, high: f64) -> Front {
        Front { far: Buckets::between(low, high), near: Vec::new(), measured: Vec::new(), motion: 0.0 }
    }

    /// After a further motion (m), takes out all that may now be nearer than `distance`.
    fn moved(&mut self, motion: f64, distance: f64) -> Vec<(Entry, u8)> {
        self.motion += motion;
        let mut stale = Vec::new();
        self.far.drain_below(distance + self.motion, |lower, (pair, children)| {
            stale.push((Entry { lower: (lower - self.motion).max(0.0), pair }, children));
        });
        stale
    }

    /// Puts back what is left to open and what was measured, for the next query.
    fn close(&mut self) {
        while let Some(entry) = self.near.pop().or_else(|| self.measured.pop()) {
            self.remember(entry.lower, entry.pair, 0);
        }
    }
}

impl DistanceCache {
    /// An empty one.
    pub fn new() -> DistanceCache {
        DistanceCache::default()
    }

    /// Like [`distance`](crate::distance), with what the last query left behind. Always opens the best pair first.
    pub fn distance<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
        options: &DistanceOptions,
    ) -> Result<Distance, DistanceError> {
        options.check()?;
        let duo = Duo::new(a, pose_a, b, pose_b);
        let kept =
            self.state.take().filter(|s| s.bodies == [a.id, b.id] && s.front.far.len() <= STALE * s.fresh);
        let (answer, state) = with_simd(
            #[inline(always)]
            || match kept {
                Some(mut state) => {
                    let first = first_witness(&duo, state.nearest);
                    let stale = state.front.moved(motion(&state.b_in_a, &duo.b_in_a, b), first.distance());
                    let mut search = Search::resumed(&duo, options, state.front, first);
                    for (entry, children) in stale {
                        search.review(entry, children);
                    }
                    finish(&duo, search, Some(state.fresh))
                }
                None => finish(&duo, Search::new(&duo, options, Front::between), None),
            },
        );
        self.state = Some(state);
        Ok(answer)
    }
}

#[inline(always)]
fn finish<B: Bound>(
    duo: &Duo<'_, B>,
    mut search: Search<'_, B, Front>,
    fresh: Option<usize>,
) -> (Distance, State) {
    search.advance();
    let answer = search.answer();
    let nearest = search.best.positions;
    let mut front = search.frontier;
    front.close();
    let fresh = fresh.unwrap_or(front.far.len());
    (answer, State { bodies: [duo.a.id, duo.b.id], b_in_a: duo.b_in_a, front, nearest, fresh })
}

/// The furthest that any point of a body moves from one pose to another, m (an upper bound).
fn motion<B: Bound>(from: &Pose, to: &Pose, body: &Hierarchy<B>) -> f64 {
    let turn = from.rotation().conjugate() * to.rotation();
    // Twice the sine of half the angle: how far a point at distance 1 from the axis moves.
    let spread = 2.0 * turn.xyz().length();
    let shift = to.transform_point(body.center).distance(from.transform_point(body.center));
    // Rounding of the poses is not motion, but must not be taken for none.
    let rounding = 8.0 * f64::EPSILON * (body.magnitude + to.translation().length());
    shift + spread * body.radius + rounding
}
