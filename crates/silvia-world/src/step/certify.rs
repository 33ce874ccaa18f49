//! Certify: whether bodies may go straight to where a piece ends.
//!
//! The certifier is the authority on whether a step is free. It looks at the path of every pair, never at
//! what the response method claims, and returns a [`Verdict`].

use crate::body::BodyState;
use crate::buffers::{BODIES, PAIRS, refill, refill_each, refill_from};
use crate::profile::{Stage, timed};
use crate::report::OverlapRecord;
use crate::step::find::{Candidate, PairMemory};
use crate::step::impacts::first_impact;
use crate::step::island::IslandNow;
use crate::step::pair::Pair;
use crate::step::respond::Attempt;
use silvia_proximity::shape::{Overlap, penetration};
use silvia_proximity::{PathCheck, RigidPath, check_path_with, is_plane_between, swept_box};
use silvia_solid::{Aabb, Pose, Vec3};

/// What the certifier says to an attempt.
pub(super) enum Verdict<'a> {
    /// Nothing is in the way; so many paths were looked at.
    Free { paths: usize },
    /// A body would move beyond all bounds.
    Unbounded { body: usize },
    /// A contact closes as fast as an impact, after this time, s.
    Impact { after: f64 },
    /// Bodies leave their cages, and need some that hold these boxes.
    Escaped(Vec<(u32, Aabb)>),
    /// Pairs of bodies cross: which, and how. The first to cross comes first.
    Crossed { pairs: Vec<(usize, PathCheck)>, paths: &'a [RigidPath], boxes: &'a [Aabb] },
}

/// The stage that certifies pieces.
#[derive(Debug, Default)]
pub(super) struct Certifier {
    start: Vec<Pose>,
    end: Vec<Pose>,
    paths: Vec<RigidPath>,
    boxes: Vec<Aabb>,
    /// By pair: the gap of the nearest contact, m, and its normal.
    nearest: Vec<Option<(f64, Vec3)>>,
    checks: Vec<Option<PathCheck>>,
}

/// The check of a pair that stays apart.
const FREE: PathCheck = PathCheck { free_until: 1.0, crossing: None, at_start: false, work: 0 };

fn is_bounded(end: &BodyState) -> bool {
    end.centre.is_finite() && end.rotation.is_finite()
}

impl Certifier {
    /// Judges an attempt at a piece of a length, s.
    pub(super) fn judge<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        attempt: &Attempt<'_>,
        length: f64,
        candidates: &[Candidate],
        memories: &mut [PairMemory],
    ) -> Verdict<'a> {
        let pairs = now.pairs.len();
        timed(now.watch, Stage::Certify, |_| pairs, || self.look(now, attempt, length, candidates, memories))
    }

    fn look<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        attempt: &Attempt<'_>,
        length: f64,
        candidates: &[Candidate],
        memories: &mut [PairMemory],
    ) -> Verdict<'a> {
        if let Err(body) = self.put_ends(now, attempt.ends) {
            return Verdict::Unbounded { body };
        }
        if let Some(after) = first_impact(now, attempt, &self.end, length, candidates) {
            return Verdict::Impact { after };
        }
        self.look_at_paths(now, candidates, memories)
    }

    /// Judges the paths of an attempt alone: nothing is an impact.
    pub(super) fn judge_paths<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        attempt: &Attempt<'_>,
        candidates: &[Candidate],
        memories: &mut [PairMemory],
    ) -> Verdict<'a> {
        if let Err(body) = self.put_ends(now, attempt.ends) {
            return Verdict::Unbounded { body };
        }
        let pairs = now.pairs.len();
        timed(now.watch, Stage::Certify, |_| pairs, || self.look_at_paths(now, candidates, memories))
    }

    /// Where bodies were put last.
    pub(super) fn ends(&self) -> &[Pose] {
        &self.end
    }

    /// Puts the bodies where an attempt ends; fails with the first that would move beyond all bounds.
    fn put_ends(&mut self, now: &IslandNow<'_>, ends: &[BodyState]) -> Result<(), usize> {
        if let Some(body) = ends.iter().position(|end| !is_bounded(end)) {
            return Err(body);
        }
        now.put_poses(ends, &mut self.end);
        Ok(())
    }

    fn look_at_paths<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        candidates: &[Candidate],
        memories: &mut [PairMemory],
    ) -> Verdict<'a> {
        self.lay_paths(now);
        let escaped = self.escaped(now);
        if !escaped.is_empty() {
            return Verdict::Escaped(escaped);
        }
        let looked_at = self.check_pairs(now, candidates, memories);
        let is_crossed = |check: &PathCheck| check.crossing.is_some() || check.at_start;
        let checks = self.checks.drain(..).enumerate();
        let mut pairs: Vec<(usize, PathCheck)> =
            checks.filter_map(|(pair, check)| Some((pair, check.filter(is_crossed)?))).collect();
        if pairs.is_empty() {
            return Verdict::Free { paths: looked_at };
        }
        // Of two that cross at once the first stays the first.
        pairs.sort_by(|(_, x), (_, y)| x.free_until.total_cmp(&y.free_until));
        Verdict::Crossed { pairs, paths: &self.paths, boxes: &self.boxes }
    }

    /// Looks whether an attempt stays in its cages and within bounds, and no more: for methods that let
    /// bodies overlap.
    pub(super) fn judge_cages<'a>(&'a mut self, now: &IslandNow<'_>, ends: &[BodyState]) -> Verdict<'a> {
        if let Err(body) = self.put_ends(now, ends) {
            return Verdict::Unbounded { body };
        }
        self.lay_paths(now);
        let escaped = self.escaped(now);
        if escaped.is_empty() { Verdict::Free { paths: 0 } } else { Verdict::Escaped(escaped) }
    }

    /// The deepest overlap of two bodies where the piece ends.
    pub(super) fn deepest_overlap(&self, now: &IslandNow<'_>) -> Option<OverlapRecord> {
        let depth = |pair: &Pair| {
            let [a, b] = pair.bodies;
            if !self.boxes[a].overlaps(&self.boxes[b]) {
                return None;
            }
            let [of_a, of_b] = [a, b].map(|i| &now.body(i).shape);
            let depth = match penetration(of_a, &self.end[a], of_b, &self.end[b]) {
                Overlap::Apart => return None,
                Overlap::Deep(found) => found.depth,
                Overlap::Inseparable => f64::INFINITY,
            };
            Some(OverlapRecord { bodies: now.numbers(pair).map(|number| now.world.id(number)), depth })
        };
        // Of two as deep the first.
        let overlaps = now.pairs.iter().filter_map(depth);
        overlaps.fold(None, |deepest: Option<OverlapRecord>, overlap| match deepest {
            Some(deepest) if deepest.depth >= overlap.depth => Some(deepest),
            _ => Some(overlap),
        })
    }

    /// The bodies that leave their cages, and the boxes around their paths.
    fn escaped(&self, now: &IslandNow<'_>) -> Vec<(u32, Aabb)> {
        let boxes = &self.boxes;
        (0..boxes.len())
            .filter(|&i| now.island.cages[i].merged(boxes[i]) != now.island.cages[i])
            .map(|i| (now.island.bodies[i], boxes[i]))
            .collect()
    }

    /// The paths of all bodies to the end of the piece, and the boxes around them.
    fn lay_paths(&mut self, now: &IslandNow<'_>) {
        let Certifier { start, end, paths, boxes, .. } = self;
        now.put_poses(now.states, start);
        let about = |i: usize| now.body(i).inertia.centre;
        refill(paths, (0..end.len()).map(|i| RigidPath { from: start[i], to: end[i], about: about(i) }));
        let swept = |i: usize| swept_box(&now.body(i).contact_body, &paths[i]);
        refill_each(boxes, paths.len(), BODIES, swept);
    }

    /// Checks the paths of all pairs whose boxes overlap; how many these are.
    fn check_pairs(
        &mut self,
        now: &IslandNow<'_>,
        candidates: &[Candidate],
        memories: &mut [PairMemory],
    ) -> usize {
        let Certifier { paths, boxes, nearest, checks, .. } = self;
        // Along the normal of the nearest contact there is most likely a plane between two bodies.
        refill(nearest, now.pairs.iter().map(|_| None));
        for candidate in candidates.iter().filter(|candidate| candidate.state.holds) {
            let of_pair = &mut nearest[candidate.pair];
            if of_pair.is_none_or(|(gap, _)| candidate.state.gap < gap) {
                *of_pair = Some((candidate.state.gap, candidate.state.normal));
            }
        }
        refill_from(checks, memories, PAIRS, |at, memory: &mut PairMemory| {
            let [a, b] = now.pairs[at].bodies;
            if !boxes[a].overlaps(&boxes[b]) {
                return None;
            }
            let [of_a, of_b] = [a, b].map(|i| &now.body(i).contact_body);
            if let Some((_, normal)) = nearest[at]
                && is_plane_between(of_a, &paths[a], of_b, &paths[b], normal)
            {
                return Some(FREE);
            }
            Some(check_path_with(of_a, &paths[a], of_b, &paths[b], &mut memory.cache))
        });
        checks.iter().flatten().count()
    }
}
