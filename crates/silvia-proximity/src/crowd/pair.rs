//! How two objects are asked about, and what is remembered of it.
//!
//! Two solids or soups are asked about by their hierarchies, with a cache; other pairs by the functions of
//! their shapes.

use super::objects::Object;
use crate::bounds::Obb;
use crate::clearance::{clearance, displacement};
use crate::collide::{Collision, CollisionCache, Extent, collide};
use crate::distance::{Distance, DistanceCache, DistanceError, DistanceOptions, distance};
use crate::duo::Duo;
use crate::hierarchy::Hierarchy;
use crate::shape::{self, Mesh, Shape, ShapeDistance};
use silvia_solid::Pose;

/// What is remembered about a pair that may touch.
#[derive(Default)]
pub(super) struct TouchMemory(CollisionCache);

/// How two objects touch, if they do. Of shapes without triangles it is only known that they do.
pub(super) fn touch(a: &Object, b: &Object, memory: &mut TouchMemory, extent: Extent) -> Option<Collision> {
    let (Some(of_a), Some(of_b)) = (hierarchy(&a.shape), hierarchy(&b.shape)) else {
        let touches = shape::collide(&a.shape, &a.pose, &b.shape, &b.pose);
        return touches.then_some(Collision::Surfaces(Vec::new()));
    };
    let mut found = memory.0.collide(of_a, &a.pose, of_b, &b.pose);
    if extent == Extent::All && !found.pairs().is_empty() {
        found = collide(of_a, &a.pose, of_b, &b.pose, Extent::All);
    }
    found.is_some().then_some(found)
}

/// What is remembered about a pair that may be near.
#[derive(Default)]
pub(super) enum NearMemory {
    /// Nothing yet.
    #[default]
    Unknown,
    /// Neither was inside the other, and their surfaces this far apart (m) at that pose of the second in the
    /// frame of the first; and where it was in the last query.
    Far { at: Pose, gap: f64, last: Pose },
    /// They were nearer than the reach.
    Near(Box<DistanceCache>),
}

/// A clearance is looked for up to as far as the objects would come in so many steps like the last.
const STEPS_AHEAD: f64 = 32.0;

/// The most nodes to open for a clearance.
const CLEARANCE_VISITS: u32 = 32;

/// How far apart two objects are, if that is less than `reach` (m).
pub(super) fn near(a: &Object, b: &Object, memory: &mut NearMemory, reach: f64) -> Option<ShapeDistance> {
    let (Some(of_a), Some(of_b)) = (hierarchy(&a.shape), hierarchy(&b.shape)) else {
        let answer = shape::distance(&a.shape, &a.pose, &b.shape, &b.pose);
        return (answer.upper < reach).then_some(answer);
    };
    let now = a.pose.inverse().compose(&b.pose);
    if memory.is_still_far(of_a, &a.pose, of_b, &b.pose, now, reach) {
        return None;
    }
    let options = DistanceOptions { cutoff: reach, ..DistanceOptions::default() };
    let answer = match memory {
        NearMemory::Near(cache) => cache.distance(of_a, &a.pose, of_b, &b.pose, &options),
        _ => distance(of_a, &a.pose, of_b, &b.pose, &options),
    };
    let answer = accepted(answer);
    if answer.upper < reach {
        if !matches!(memory, NearMemory::Near(_)) {
            *memory = NearMemory::Near(Box::default());
        }
        return Some(of_meshes(&answer));
    }
    *memory = NearMemory::Far { at: now, gap: answer.lower, last: now };
    None
}

impl NearMemory {
    /// Whether the objects are certainly not nearer than the reach, the second being at `now` in the frame of
    /// the first.
    fn is_still_far(
        &mut self,
        a: &Hierarchy<Obb>,
        pose_a: &Pose,
        b: &Hierarchy<Obb>,
        pose_b: &Pose,
        now: Pose,
        reach: f64,
    ) -> bool {
        let NearMemory::Far { at, gap, last } = self else { return false };
        let moved = displacement(a, b, at, &now);
        let step = displacement(a, b, last, &now);
        *last = now;
        if *gap - moved >= reach {
            return true;
        }
        let fresh = clearance(&Duo::new(a, pose_a, b, pose_b), reach + STEPS_AHEAD * step, CLEARANCE_VISITS);
        // As long as it moved less than both gaps together, nothing has come into the other.
        if fresh < reach || moved >= *gap + fresh {
            return false;
        }
        (*at, *gap) = (now, fresh);
        true
    }
}

/// The hierarchy of a solid or a soup.
fn hierarchy(shape: &Shape) -> Option<&Hierarchy<Obb>> {
    shape.as_mesh().map(Mesh::hierarchy)
}

/// What a query cannot refuse.
#[allow(
    clippy::expect_used,
    reason = "a crowd takes only reaches from 0 on, and its tolerance is the default"
)]
fn accepted(answer: Result<Distance, DistanceError>) -> Distance {
    answer.expect("the options are in range")
}

/// In the words for shapes of any kind.
fn of_meshes(answer: &Distance) -> ShapeDistance {
    ShapeDistance {
        lower: answer.lower,
        upper: answer.upper,
        points: answer.witness.points,
        features: answer.witness.features.map(Some),
        parts: [0; 2],
    }
}
