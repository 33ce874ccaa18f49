//! What one query leaves behind for the next, when the bodies have moved only a little.
//!
//! The pairs that a search did not need to open, together with those that it measured, cover all pairs of
//! triangles: the generalised front of Ehmann and Lin. Each is remembered with a slab, two parallel planes
//! that hold its two sides apart. When the bodies move, the slab of a pair narrows by no more than its piece
//! of the second body moves along the slab's normal: a few operations, without looking at the hierarchies. As
//! the distance itself changes by much the same, few pairs need to be looked at anew.

use super::frontier::{Entry, Frontier};
use super::search::{DistanceSearch, first_witness};
use super::{Distance, DistanceError, DistanceOptions};
use crate::bounds::Bound;
use crate::duo::{Duo, Pair, Slab};
use crate::hierarchy::Hierarchy;
use crate::lanes::with_simd;
use silvia_solid::{Pose, Vec3};
use std::time::Instant;

/// Speeds up repeated distance queries about one pair of bodies. Keep one for each pair; it belongs to the
/// caller.
///
/// It affects the speed of an exact answer, never the distance; the witness may be another pair of points at
/// the same distance. With a budget, it affects how much of the answer is known when the budget is spent.
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

/// A front that has grown by this factor is made anew: it has been opened where the bodies were, not where
/// they are.
const STALE: usize = 2;

/// A pair, or some of its children (as bits), that was too far, and the slab that shows it. In single
/// precision, as all of them are looked at in each query; [`NARROWING`] makes up for it.
#[derive(Clone, Copy, Debug)]
struct Guard {
    /// From `a` to `b`, in the frame of `a`.
    normal: [f32; 3],
    /// The middle of the second body's piece, in its own frame.
    middle: [f32; 3],
    /// How far the piece reaches from its middle, m.
    radius: f32,
    children: u8,
    pair: Pair,
    /// The turning of the second body until the slab was made.
    turned: f64,
    /// Width of the slab less the height of the middle along the normal, when it was made, m.
    gap: f64,
}

/// What single precision can do to a slab, as a fraction of the size of the bodies and their distance.
const NARROWING: f64 = 8.0 * f32::EPSILON as f64;

/// A frontier that outlives the query.
#[derive(Clone, Debug, Default)]
struct Front {
    guards: Vec<Guard>,
    /// Pairs to open in this query.
    near: Vec<Entry>,
    /// Pairs that were found too far in this query, still without a slab.
    remembered: Vec<(Pair, u8, usize)>,
    /// Pairs, or some of their children as bits, that were not looked at in this query.
    unseen: Vec<(Pair, u8)>,
    /// Pairs of triangles that were measured in this query.
    measured: Vec<(Pair, Slab)>,
    /// How much the second body has turned since the front was made: the sum over all queries of how far a
    /// point at distance 1 from the axis moves.
    turned: f64,
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
            self.remember(entry.pair, 0, 0);
        }
        None
    }

    /// What has a slab is beyond the answer; so is what was given up.
    fn lower(&self) -> f64 {
        self.near.iter().map(|e| e.lower).fold(f64::INFINITY, f64::min)
    }

    #[inline(always)]
    fn remember(&mut self, pair: Pair, children: u8, nearest: usize) {
        self.remembered.push((pair, children, nearest));
    }

    #[inline(always)]
    fn measured(&mut self, pair: Pair, slab: Slab) {
        self.measured.push((pair, slab));
    }
}

impl Front {
    /// After a motion, takes out all that may now be nearer than `distance`. `slack` is what rounding can do,
    /// m.
    fn moved(&mut self, from: &Pose, to: &Pose, distance: f64, slack: f64) -> Vec<(Pair, u8)> {
        self.turned +=
            2.0 * (from.rotation().conjugate() * to.rotation()).xyz().length() + 4.0 * f64::EPSILON;
        let (rotation, translation) = (to.matrix(), to.translation());
        let wide = |v: [f32; 3]| Vec3::from(v.map(f64::from));
        let mut stale = Vec::new();
        self.guards.retain(|guard| {
            let height = wide(guard.normal).dot(rotation * wide(guard.middle) + translation);
            let gap = guard.gap + height - (self.turned - guard.turned) * f64::from(guard.radius);
            let holds = gap - slack >= distance;
            if !holds {
                stale.push((guard.pair, guard.children));
            }
            holds
        });
        stale
    }

    /// Leaves all to the next query: with a slab what was too far or measured, without one what was not
    /// looked at.
    fn close<B: Bound>(&mut self, duo: &Duo<'_, B>) {
        let back = duo.b_in_a.inverse();
        let far = self
            .remembered
            .drain(..)
            .map(|(pair, children, nearest)| (pair, children, duo.slab(pair, children, nearest)));
        let measured = self.measured.drain(..).map(|(pair, slab)| (pair, 0, slab));
        self.unseen.extend(self.near.drain(..).map(|entry| (entry.pair, 0)));
        let unseen = self.unseen.drain(..).map(|(pair, children)| (pair, children, Slab::NONE));
        let narrow = |v: Vec3| v.to_array().map(|x| x as f32);
        self.guards.extend(far.chain(measured).chain(unseen).map(|(pair, children, slab)| Guard {
            normal: narrow(slab.normal),
            middle: narrow(back.transform_point(slab.middle)),
            radius: slab.radius as f32,
            children,
            pair,
            turned: self.turned,
            gap: slab.gap - slab.normal.dot(slab.middle),
        }));
    }
}

impl DistanceCache {
    /// An empty cache.
    pub fn new() -> DistanceCache {
        DistanceCache::default()
    }

    /// As [`distance`](super::distance), starting from the last query. Ignores `options.strategy`: it
    /// searches depth first through what may have come nearer.
    pub fn distance<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
        options: &DistanceOptions,
    ) -> Result<Distance, DistanceError> {
        options.check()?;
        let start = Instant::now();
        let duo = Duo::new(a, pose_a, b, pose_b);
        let kept =
            self.state.take().filter(|s| s.bodies == [a.id, b.id] && s.front.guards.len() <= STALE * s.fresh);
        let (answer, state) = with_simd(
            #[inline(always)]
            || match kept {
                Some(mut state) => {
                    let first = first_witness(&duo, state.nearest);
                    if first.distance() == 0.0 {
                        // Still touching there: nothing else matters, and the front stays as of the older
                        // pose.
                        return (
                            DistanceSearch::resumed(&duo, options, Front::default(), first, start).answer(),
                            state,
                        );
                    }
                    let slack = duo.rounding() + NARROWING * duo.reach();
                    let stale = state.front.moved(&state.b_in_a, &duo.b_in_a, first.distance(), slack);
                    let mut search = DistanceSearch::resumed(&duo, options, state.front, first, start);
                    // The latest first: they are next to the old witness. Where bodies touch, one pair
                    // settles it.
                    for (pair, children) in stale.into_iter().rev() {
                        if search.upper > 0.0 {
                            search.review(pair, children);
                            search.advance();
                        } else {
                            search.frontier.unseen.push((pair, children));
                        }
                    }
                    finish(&duo, search, Some(state.fresh))
                }
                None => {
                    finish(&duo, DistanceSearch::new(&duo, options, |_, _| Front::default(), start), None)
                }
            },
        );
        self.state = Some(state);
        Ok(answer)
    }
}

#[inline(always)]
fn finish<B: Bound>(
    duo: &Duo<'_, B>,
    mut search: DistanceSearch<'_, B, Front>,
    fresh: Option<usize>,
) -> (Distance, State) {
    search.advance();
    let answer = search.answer();
    let nearest = search.best.positions;
    let mut front = search.frontier;
    front.close(duo);
    // A search that was cut short leaves a front that is still to grow.
    let fresh = fresh.filter(|_| answer.exact).unwrap_or(front.guards.len());
    (answer, State { bodies: [duo.a.id, duo.b.id], b_in_a: duo.b_in_a, front, nearest, fresh })
}
