//! How far apart bodies are.

use super::World;
use crate::body::BodyId;
use crate::error::WorldError;
use silvia_proximity::culling::overlapping_pairs;
use silvia_proximity::shape::{self, ShapeDistance};
use silvia_solid::{Aabb, Pose, Vec3};

/// The least distance in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// Between which bodies, the lesser first.
    pub bodies: [BodyId; 2],
    /// How far apart they are, and where.
    pub distance: ShapeDistance,
}

/// # How far apart bodies are
impl World {
    /// The distance of two bodies, with the points where they are nearest; 0 if they share a point.
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<ShapeDistance, WorldError> {
        self.check_pair(a, b)?;
        Ok(self.distance_of(a.index(), b.index()))
    }

    /// The distance of two bodies by name.
    pub fn distance_between(&self, a: &str, b: &str) -> Result<ShapeDistance, WorldError> {
        self.distance(self.body_id(a)?, self.body_id(b)?)
    }

    /// The least distance of any two bodies that may touch and of which at least one can be moved by
    /// contacts; of several equal ones, that of the first pair. `None` if there is no such pair.
    pub fn smallest_clearance(&self) -> Option<Clearance> {
        self.clearance(FEW_PAIRS)
    }

    /// With so many pairs at most compared one by one.
    pub(super) fn clearance(&self, few_pairs: usize) -> Option<Clearance> {
        let boxes: Vec<(usize, Aabb)> =
            self.numbered().map(|(number, body)| (number, body.shape.aabb(&self.pose_at(number)))).collect();
        let (bounded, endless): (Vec<_>, Vec<_>) =
            boxes.iter().copied().partition(|(_, b)| b.min.is_finite() && b.max.is_finite());
        let movable: Vec<(usize, Aabb)> =
            bounded.iter().copied().filter(|(number, _)| self.is_movable(*number)).collect();
        let mut best = None;
        // Few bodies have no end; each meets all others.
        self.improve(&mut best, pairs(&endless, &movable));
        if movable.len() * bounded.len() <= few_pairs {
            self.improve(&mut best, pairs(&movable, &bounded));
        } else {
            self.improve_by_culling(&mut best, &bounded);
        }
        best
    }

    /// Looks at ever more pairs, those whose boxes are within a reach, until nothing beyond it can be nearer
    /// than the best.
    fn improve_by_culling(&self, best: &mut Option<Clearance>, boxes: &[(usize, Aabb)]) {
        let all = boxes.iter().fold(Aabb::EMPTY, |all, (_, bounds)| all.merged(*bounds));
        let whole = all.size().length();
        // Of the coordinates and of the reach: no pair at the very reach is to be missed.
        let rounding = 8.0 * f64::EPSILON * (all.magnitude() + whole);
        // About what is between neighbours if bodies are spread evenly.
        let mut reach = whole / boxes.len() as f64;
        loop {
            // Once more than the longest distance of boxes was looked at there is nothing beyond.
            let is_last = reach >= whole || best.is_some_and(|b| b.distance.upper <= reach);
            let widened =
                boxes.iter().map(|(_, bounds)| bounds.widened(0.5 * reach + rounding)).collect::<Vec<_>>();
            let pairs = overlapping_pairs(&widened).unwrap_or_default();
            self.improve(best, pairs.into_iter().map(|[i, j]| [boxes[i as usize], boxes[j as usize]]));
            if is_last || best.is_some_and(|b| b.distance.upper <= reach) {
                return;
            }
            reach = best.map_or(2.0 * reach, |b| b.distance.upper);
        }
    }

    /// Looks at pairs, those with the nearest boxes first, until the boxes are farther apart than the best.
    fn improve(&self, best: &mut Option<Clearance>, pairs: impl Iterator<Item = [(usize, Aabb); 2]>) {
        let mut sorted: Vec<(f64, [usize; 2])> = Vec::new();
        for [(a, box_a), (b, box_b)] in pairs {
            let apart = box_distance(&box_a, &box_b);
            let may_be_nearer = best.is_none_or(|best| apart <= best.distance.upper);
            if may_be_nearer
                && self.filter.admits(a as u32, b as u32)
                && (self.is_movable(a) || self.is_movable(b))
            {
                sorted.push((apart, [a.min(b), a.max(b)]));
            }
        }
        sorted.sort_by(|(x, one), (y, other)| x.total_cmp(y).then(one.cmp(other)));
        sorted.dedup();
        for (apart, [a, b]) in sorted {
            if best.is_some_and(|best| apart > best.distance.upper) {
                return;
            }
            let bodies = [a, b].map(|number| self.id(number as u32));
            let distance = self.distance_of(a, b);
            let is_better =
                |known: &Clearance| (distance.upper, bodies) < (known.distance.upper, known.bodies);
            if best.as_ref().is_none_or(is_better) {
                *best = Some(Clearance { bodies, distance });
            }
        }
    }

    fn distance_of(&self, a: usize, b: usize) -> ShapeDistance {
        let placed =
            |number: usize| self.bodies[number].as_ref().map(|body| (&body.shape, self.pose_at(number)));
        match (placed(a), placed(b)) {
            (Some((one, pose)), Some((other, pose_of_other))) => {
                shape::distance(one, &pose, other, &pose_of_other)
            }
            // Callers have checked that both are there.
            _ => ShapeDistance {
                lower: f64::INFINITY,
                upper: f64::INFINITY,
                points: [Vec3::ZERO; 2],
                features: [None; 2],
                parts: [0; 2],
            },
        }
    }

    fn is_movable(&self, number: usize) -> bool {
        self.bodies[number].as_ref().is_some_and(|body| body.is_movable())
    }

    fn pose_at(&self, number: usize) -> Pose {
        self.poses[number]
    }
}

/// Up to here, pairs of boxes are compared one by one, which takes some milliseconds; above, culling finds
/// those that are near.
const FEW_PAIRS: usize = 1 << 18;

/// Each of the first with each of the second.
fn pairs<'a>(
    first: &'a [(usize, Aabb)],
    second: &'a [(usize, Aabb)],
) -> impl Iterator<Item = [(usize, Aabb); 2]> + 'a {
    first.iter().flat_map(move |&one| second.iter().map(move |&other| [one, other]))
}

fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length()
}
