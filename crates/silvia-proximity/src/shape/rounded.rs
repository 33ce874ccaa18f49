//! The distance of two convex shapes.

use super::core::Rounded;
use super::gjk::{Closest, ENOUGH, PlacedCore, TOUCH, closest};
use super::near::NearestPoints;
use silvia_solid::{Pose, Vec3};

/// The nearest points of two convex shapes: those of their cores, moved by the margins.
pub(super) fn nearest(a: &Rounded<'_>, b: &Rounded<'_>, b_in_a: &Pose, limit: f64) -> NearestPoints {
    nearest_placed((a, &PlacedCore::here(a.core)), (b, &PlacedCore::at(b.core, b_in_a)), limit)
}

pub(super) fn nearest_placed(
    (a, placed_a): (&Rounded<'_>, &PlacedCore<'_>),
    (b, placed_b): (&Rounded<'_>, &PlacedCore<'_>),
    limit: f64,
) -> NearestPoints {
    let margins = [a.margin, b.margin];
    let margin = a.margin + b.margin;
    let size = placed_a.magnitude() + placed_b.magnitude() + margin;
    // Beyond the limit even if rounding counts as touching.
    let cores = closest(placed_a, placed_b, limit + margin + TOUCH * size);
    let upper = cores.upper - margin;
    // What is not proven to be apart, and so near that the search can tell no more, touches.
    let is_proven_apart = cores.lower > margin;
    if upper <= TOUCH * size || !is_proven_apart && upper <= ENOUGH * size {
        return NearestPoints::shared(shared_point(&cores, margins));
    }
    let n = cores.direction;
    // Along the line between the points, not across the plane: so that the points are as far apart as is
    // said.
    let along = (cores.points[1] - cores.points[0]).normalize_or_zero();
    NearestPoints {
        lower: (cores.lower - margin).max(0.0),
        upper,
        points: [cores.points[0] + a.margin * along, cores.points[1] - b.margin * along],
        features: [
            Some(a.feature(&cores.vertices[0], placed_a.inward(n))),
            Some(b.feature(&cores.vertices[1], placed_b.inward(-n))),
        ],
        parts: [0; 2],
    }
}

/// A point of both shapes, given that they touch: on the way from core to core, in the middle of what the
/// margins share.
pub(super) fn shared_point(cores: &Closest, [margin_a, margin_b]: [f64; 2]) -> Vec3 {
    let [p, q] = cores.points;
    let between = p.distance(q);
    let (first, last) = ((between - margin_b).max(0.0), margin_a.min(between));
    p + 0.5 * (first + last) * (q - p).normalize_or_zero()
}
