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
        Ok(self.distance_of(a.0 as usize, b.0 as usize))
    }

    /// The distance of two bodies by name.
    pub fn distance_between(&self, a: &str, b: &str) -> Result<ShapeDistance, WorldError> {
        self.distance(self.body_id(a)?, self.body_id(b)?)
    }

    /// The least distance of any two bodies that may touch and of which at least one can be moved by contacts; of several equal
    /// ones, that of the first pair. `None` if there is no such pair.
    pub fn smallest_clearance(&self) -> Option<Clearance> {
        let boxes: Vec<(usize, Aabb)> =
            self.numbered().map(|(number, body)| (number, body.shape.aabb(&self.pose_at(number)))).collect();
        let (bounded, endless): (Vec<_>, Vec<_>) =
            boxes.iter().copied().partition(|(_, b)| b.min.is_finite() && b.max.is_finite());
        let mut best = None;
        // Few bodies have no end; each meets all others.
        let with_endless = endless.iter().flat_map(|&one| bounded.iter().map(move |&other| [one, other]));
        self.improve(&mut best, with_endless.collect());
        self.improve_bounded(&mut best, &bounded);
        best
    }

    /// Looks at ever more pairs, those whose boxes are within a reach, until nothing beyond it can be nearer than the best.
    fn improve_bounded(&self, best: &mut Option<Clearance>, boxes: &[(usize, Aabb)]) {
        let all = boxes.iter().fold(Aabb::EMPTY, |all, (_, bounds)| all.merged(*bounds));
        let whole = all.size().length();
        if boxes.len() < 2 {
            return;
        }
        // About what is between neighbours if bodies are spread evenly.
        let mut reach = whole / boxes.len() as f64;
        loop {
            // Once more than the longest distance of boxes was looked at there is nothing beyond.
            let is_last = reach >= whole || best.is_some_and(|b| b.distance.upper <= reach);
            let widened = boxes.iter().map(|(_, bounds)| grown(bounds, 0.5 * reach)).collect::<Vec<_>>();
            let pairs = overlapping_pairs(&widened).unwrap_or_default();
            let pairs = pairs.into_iter().map(|[i, j]| [boxes[i as usize], boxes[j as usize]]);
            self.improve(best, pairs.collect());
            if is_last || best.is_some_and(|b| b.distance.upper <= reach) {
                return;
            }
            reach = best.map_or(2.0 * reach, |b| b.distance.upper);
        }
    }

    /// Looks at pairs, those with the nearest boxes first, until the boxes are farther apart than the best.
    fn improve(&self, best: &mut Option<Clearance>, pairs: Vec<[(usize, Aabb); 2]>) {
        let is_movable = |n: usize| self.bodies[n].as_ref().is_some_and(|body| body.is_movable());
        let mut sorted: Vec<(f64, [usize; 2])> = Vec::new();
        for [(a, box_a), (b, box_b)] in pairs {
            if self.filter.admits(a as u32, b as u32) && (is_movable(a) || is_movable(b)) {
                sorted.push((box_distance(&box_a, &box_b), [a.min(b), a.max(b)]));
            }
        }
        sorted.sort_by(|(x, one), (y, other)| x.total_cmp(y).then(one.cmp(other)));
        for (apart, [a, b]) in sorted {
            if best.is_some_and(|best| apart > best.distance.upper) {
                return;
            }
            let bodies = [BodyId(a as u32), BodyId(b as u32)];
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

    fn pose_at(&self, number: usize) -> Pose {
        self.pose_of_state(number, &self.state.bodies[number])
    }
}

fn grown(bounds: &Aabb, by: f64) -> Aabb {
    Aabb { min: bounds.min - by, max: bounds.max + by }
}

fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length()
}
