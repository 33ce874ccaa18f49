//! What one look at the way of two meshes leaves for the next: the triangles that are near each other.
//!
//! Say that at some pose of the bodies to each other all pairs of triangles nearer than a reach were listed,
//! each with a bound of its distance. Until points have moved against each other by that reach, no other pair
//! can touch; and of the listed ones only those whose bound the motion has used up. Most of these are parted
//! by a plane that parted them the last time; the others are decided exactly. So a pair of bodies that rest
//! on each other, or that are linked and hardly move, is decided without a look through its hierarchies.
//! Distances shrink by no more than points move: bounds are rounded so that this holds of the vertices as
//! they are placed.
//!
//! Meshes in close fit that slide on each other have too many pairs to be listed, and use up their distances
//! at once. Of these a [`Front`] is kept.

use super::mover::PartWay;
use crate::bounds::Obb;
use crate::certify::tuning;
use crate::contacts::farthest_moved;
use crate::containment::find_inside;
use crate::duo::{Duo, Pair, Under};
use crate::front::{Ends, Front, Query, TooLarge};
use crate::hierarchy::Hierarchy;
use crate::lanes::{LANES, with_simd};
use silvia_solid::{Pose, Vec3};

/// What placing points and measuring along a direction may lose, as a fraction of the coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What is known of the ways of two bodies, by the numbers of their parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayCache {
    of_parts: Vec<([u32; 2], Known)>,
}

/// What is known of two meshes.
#[derive(Clone, Debug)]
struct Known {
    meshes: [u64; 2],
    /// Where the second was seen from the first when triangles were listed.
    b_in_a: Pose,
    /// All pairs of triangles that were nearer than this are listed, m.
    reach: f64,
    near: Vec<NearPair>,
    /// Within this reach there were too many to be listed, m.
    crowded: f64,
    /// Where the second was seen from the first at the last look, and how far points have travelled until
    /// then, there and back, m.
    last: Pose,
    travelled: f64,
    /// Poses of both, at the start and at the end of a way, at which neither is inside the other.
    outside_at: Option<[[Pose; 2]; 2]>,
    /// Once there were too many.
    front: Option<Box<Front>>,
    /// The last ways on which surfaces came together: whoever asks for the first crossing often asks for all
    /// of them next.
    crossed: Option<Crossed>,
}

/// Ways on which surfaces came together.
#[derive(Clone, Debug)]
struct Crossed {
    /// Of both at both ends.
    poses: [[Pose; 2]; 2],
    /// The pairs of bounds under which they did, unless these are too many.
    near: Option<Vec<Pair>>,
}

/// What is known of a way of two meshes before it is searched.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Foresight {
    /// They certainly stay apart all the way, both ends included.
    Free,
    /// They touch nowhere but under these pairs of bounds of their patches.
    Near(Vec<Pair>),
    /// Nothing is known.
    Nothing,
}

/// Two triangles that may be near.
#[derive(Clone, Copy, Debug)]
struct NearPair {
    /// Their positions among the triangles of the leaves.
    triangles: [u32; 2],
    /// They are apart until points have travelled as far as this since they were listed, m.
    apart: f64,
    /// A unit vector from the first to the second, in the frame of the first, along which they were apart;
    /// zero if none is known.
    direction: Vec3,
}

impl WayCache {
    /// What is known of two meshes on their ways.
    pub(super) fn foresee(
        &mut self,
        parts: [u32; 2],
        meshes: [&Hierarchy<Obb>; 2],
        ways: [&PartWay; 2],
        work: &mut u64,
    ) -> Foresight {
        let moving = Moving::new(meshes, ways);
        let ids = meshes.map(|mesh| mesh.id);
        let at = self.of_parts.iter().position(|(of, _)| *of == parts);
        let known = match at {
            Some(at) => &mut self.of_parts[at].1,
            None if moving.is_slow() => {
                self.of_parts.push((parts, Known::nothing(ids)));
                let last = self.of_parts.len() - 1;
                &mut self.of_parts[last].1
            }
            None => return Foresight::Nothing,
        };
        known.foresee(&moving, work)
    }
}

impl Known {
    fn nothing(meshes: [u64; 2]) -> Known {
        Known {
            meshes,
            b_in_a: Pose::IDENTITY,
            reach: f64::NEG_INFINITY,
            near: Vec::new(),
            crowded: f64::INFINITY,
            last: Pose::IDENTITY,
            travelled: 0.0,
            outside_at: None,
            front: None,
            crossed: None,
        }
    }

    fn foresee(&mut self, moving: &Moving<'_>, work: &mut u64) -> Foresight {
        let ids = moving.meshes.map(|mesh| mesh.id);
        if self.meshes != ids {
            self.near.clear();
            *self = Known { near: std::mem::take(&mut self.near), ..Known::nothing(ids) };
        }
        let start = moving.ways.map(|way| way.poses[0]);
        let b_in_a = start[0].inverse().compose(&start[1]);
        let moved = farthest_moved(moving.meshes[1], &self.b_in_a, &b_in_a);
        if moved + moving.farthest <= self.reach {
            self.travelled += farthest_moved(moving.meshes[1], &self.last, &b_in_a);
        } else if !moving.is_slow() {
            // Also of what is no number nothing is known.
            return Foresight::Nothing;
        } else if !self.list(moving, b_in_a, work) {
            return match self.settle(moving, work) {
                Foresight::Free if self.are_outside(moving, &b_in_a) => Foresight::Free,
                Foresight::Free => Foresight::Nothing,
                near => near,
            };
        }
        self.last = b_in_a;
        let closing = self.travelled + moving.farthest;
        let (mut ends, mut nearby) = (None, Vec3::ZERO);
        for pair in self.near.iter_mut().filter(|pair| pair.apart <= closing) {
            *work += 1;
            let ends = ends.get_or_insert_with(|| Ends::new(moving.meshes, moving.poses(), moving.slack));
            let Some(apart) = ends.apart(pair.triangles, &mut pair.direction, &mut nearby) else {
                return Foresight::Nothing;
            };
            pair.apart = pair.apart.max(apart + self.travelled);
        }
        if self.are_outside(moving, &b_in_a) { Foresight::Free } else { Foresight::Nothing }
    }

    /// Whether neither is inside the other, given that their surfaces stay apart.
    fn are_outside(&mut self, moving: &Moving<'_>, b_in_a: &Pose) -> bool {
        let [start, end] = [0, 1].map(|i| moving.ways.map(|way| way.poses[i]));
        // Surfaces that stay apart do not change which is inside which.
        let is_known = self.outside_at.is_some_and(|at| at.contains(&start));
        let [a, b] = moving.meshes;
        if !is_known
            && (find_inside(a, b, &b_in_a.inverse()).is_some() || find_inside(b, a, b_in_a).is_some())
        {
            return false;
        }
        self.outside_at = Some([start, end]);
        true
    }

    /// By the front, whether surfaces stay apart.
    fn settle(&mut self, moving: &Moving<'_>, work: &mut u64) -> Foresight {
        let poses = moving.poses();
        if let Some(crossed) = &self.crossed
            && crossed.poses == poses
        {
            return crossed.near.clone().map_or(Foresight::Nothing, Foresight::Near);
        }
        let patches = moving.meshes.map(Hierarchy::patches);
        let query = Query::on_path(patches, poses, moving.slack, moving.farthest);
        let front = self.front.get_or_insert_default();
        let mut unsettled = Vec::new();
        let (settled, most) = (|triangles| query.never_touch(triangles), tuning::FRONT_MOST);
        match front.settle(&query, settled, most, &mut unsettled, work) {
            Ok(()) if unsettled.is_empty() => Foresight::Free,
            // Deep in each other: a search ends at what they cross first.
            Ok(()) if unsettled.len() > tuning::FRONT_MOST => {
                self.crossed = Some(Crossed { poses, near: None });
                Foresight::Nothing
            }
            Ok(()) => {
                let mut near: Vec<Pair> = unsettled.iter().map(|unsettled| unsettled.pair).collect();
                near.sort_unstable();
                near.dedup();
                self.crossed = Some(Crossed { poses, near: Some(near.clone()) });
                Foresight::Near(near)
            }
            Err(TooLarge) => Foresight::Nothing,
        }
    }

    /// Lists the triangles that are near each other at the start of a way; `false` if there are too many.
    #[cold]
    fn list(&mut self, moving: &Moving<'_>, b_in_a: Pose, work: &mut u64) -> bool {
        let [a, b] = moving.meshes;
        let [start_a, start_b] = moving.ways.map(|way| way.poses[0]);
        let duo = Duo::new(a, &start_a, b, &start_b);
        let reach = (tuning::CACHE_AHEAD * moving.farthest).max(tuning::CACHE_LEAST * moving.radius);
        // Where there were too many, there are fewer within half as much, perhaps.
        if reach > 0.5 * self.crowded {
            return false;
        }
        self.near.clear();
        self.b_in_a = b_in_a;
        self.reach = reach;
        self.travelled = 0.0;
        let near = &mut self.near;
        with_simd(
            #[inline(always)]
            || list(&duo, reach, near, work),
        );
        if self.near.len() > tuning::CACHE_MOST {
            self.near = Vec::new();
            self.reach = f64::NEG_INFINITY;
            self.crowded = reach;
            return false;
        }
        true
    }
}

/// Lists all pairs of triangles that may be nearer than a reach, or more than the most.
#[inline(always)]
fn list(duo: &Duo<'_, Obb>, reach: f64, near: &mut Vec<NearPair>, work: &mut u64) {
    // A bound is right to rounding only.
    let rounding = duo.rounding();
    let limit = reach + rounding;
    let mut stack = vec![(Pair::ROOTS, 0.0)];
    while let Some((pair, lower)) = stack.pop() {
        if near.len() > tuning::CACHE_MOST {
            return;
        }
        *work += 1;
        match duo.under(pair) {
            Under::Triangles(a, b) => {
                for j in 0..b.triangles.len() as u32 {
                    for i in 0..a.triangles.len() as u32 {
                        let triangles = [a.start + i, b.start + j];
                        near.push(NearPair { triangles, apart: lower - rounding, direction: Vec3::ZERO });
                    }
                }
            }
            Under::Node(opened) => {
                let bounds = duo.lower_bounds(&opened);
                stack.extend((0..LANES).filter(|&l| bounds[l] < limit).map(|l| (opened.child(l), bounds[l])));
            }
        }
    }
}

/// Two meshes on their ways.
struct Moving<'a> {
    meshes: [&'a Hierarchy<Obb>; 2],
    ways: [&'a PartWay; 2],
    /// Points of the two come no nearer to each other than by this, m, with rounding.
    farthest: f64,
    /// What rounding may do to a gap, m.
    slack: f64,
    /// Of the smaller one, m.
    radius: f64,
}

impl<'a> Moving<'a> {
    fn new(meshes: [&'a Hierarchy<Obb>; 2], ways: [&'a PartWay; 2]) -> Moving<'a> {
        let step = |i: usize| {
            let [from, to] = &ways[i].poses;
            let middle = meshes[i].bounds.center();
            to.transform_point(middle) - from.transform_point(middle)
        };
        // A point that turns by an angle about the middle goes straight along the chord; of the radius that
        // is twice the sine of half the angle.
        let turned = |i: usize| {
            let [from, to] = &ways[i].poses;
            2.0 * (from.rotation().conjugate() * to.rotation()).xyz().length() * meshes[i].radius
        };
        let size = |i: usize| {
            let far = ways[i].poses.map(|pose| pose.translation().abs().max_element());
            2.0 * meshes[i].magnitude + far[0].max(far[1])
        };
        let slack = ROUNDING * (size(0) + size(1));
        // What both go together brings them no nearer.
        let farthest = (step(1) - step(0)).length() + turned(0) + turned(1) + slack;
        let radius = meshes[0].radius.min(meshes[1].radius);
        Moving { meshes, ways, farthest, slack, radius }
    }

    fn poses(&self) -> [[Pose; 2]; 2] {
        self.ways.map(|way| way.poses)
    }

    fn is_slow(&self) -> bool {
        self.farthest <= tuning::CACHE_FASTEST * self.radius
    }
}
