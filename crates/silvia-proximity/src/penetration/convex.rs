//! How deep two convex bodies are in each other: the distance from the origin to the surface of their
//! difference.
//!
//! The difference `{a - b}` holds the translations of B for which the bodies share a point, so the shortest
//! that takes them apart ends on its surface. A polytope inside the difference grows where it is nearest to
//! the origin, by the point furthest out across that facet (the expanding polytope method, van den Bergen
//! 2001). Every facet's distance bounds the depth from below, every point found bounds it from above; of
//! polyhedra the two meet after finitely many points. All decisions about orientation are exact, so that
//! parallel faces and coplanar points are no special cases.

use super::polytope::{Corner, Facet, Polytope};
use crate::convex::Convex;
use crate::triangle::closest_on_triangle;
use silvia_solid::{Pose, Vec3};

/// How deep two convex bodies are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvexDepth {
    /// Moving B this far along `direction` takes it out of A, m. Negative by rounding at most.
    pub depth: f64,
    /// The depth is not less than this, m.
    pub lower: f64,
    /// Unit vector along which B moves.
    pub direction: Vec3,
    /// Of A and of B: `points[0] - points[1]` is `depth` times `direction`, to rounding.
    pub points: [Vec3; 2],
}

/// Result of an expanding polytope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expansion {
    /// A plane with this unit normal (from A to B) separates the bodies.
    Apart(Vec3),
    /// They share a point.
    Deep(ConvexDepth),
    /// Their Minkowski difference has no measurable volume.
    Flat,
}

/// More points than a pair of bodies needs unless it is curved and the tolerance is below what numbers can
/// tell.
const MAX_POINTS: usize = 100_000;

/// What rounding does to the distance of a plane, as a fraction of the size of the coordinates, several times
/// over.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Expands a polytope inside the Minkowski difference of two convex bodies.
///
/// `support` returns, for a unit direction, the point of A furthest along it and the point of B furthest
/// against it. `tolerance` (m) is how much the depth may exceed the least: rounding for polyhedra, more for
/// curved bodies.
pub fn expand(support: impl Fn(Vec3) -> [Vec3; 2], tolerance: f64) -> Expansion {
    let corner = |direction: Vec3| {
        let [of_a, of_b] = support(direction);
        Corner { at: of_a - of_b, of_a, of_b }
    };
    let mut best = (f64::INFINITY, Vec3::ZERO);
    let mut apart = None;
    let mut ask = |direction: Vec3, best: &mut (f64, Vec3)| {
        let found = corner(direction);
        let reach = found.at.dot(direction);
        if reach < best.0 {
            *best = (reach, direction);
        }
        if reach < 0.0 && apart.is_none() {
            apart = Some(direction);
        }
        found
    };
    let Some(mut polytope) = start(|direction| ask(direction, &mut best)) else { return Expansion::Flat };
    let mut lower = f64::INFINITY;
    while let Some((index, facet)) = polytope.take_nearest() {
        if facet.offset >= best.0 - tolerance || polytope.corners.len() >= MAX_POINTS {
            lower = lower.min(facet.offset);
            break;
        }
        let found = ask(facet.normal, &mut best);
        let height = found.at.dot(facet.normal) - facet.offset;
        if height > tolerance && polytope.is_in_front(index, found.at) {
            polytope.grow(index, found);
        } else {
            lower = lower.min(polytope.distance(index));
        }
        if best.0 < -tolerance {
            break;
        }
    }
    let (depth, direction) = best;
    if depth < 0.0 {
        return Expansion::Apart(apart.unwrap_or(direction));
    }
    let points = foot(&polytope, depth, direction);
    Expansion::Deep(ConvexDepth { depth, lower: lower.min(depth), direction, points })
}

/// How deep two convex bodies are in each other, in the frame of the poses. Support points are found by
/// walking, so thousands of vertices cost little more than a few. Right to rounding; unlike
/// [`penetration`](super::penetration()), the answer is not lengthened to be certain.
pub fn convex_penetration(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose) -> Expansion {
    let b_in_a = pose_a.inverse().compose(pose_b);
    let back = b_in_a.inverse();
    let size = a.bounds().magnitude() + b.bounds().magnitude() + b_in_a.translation().abs().max_element();
    let support = |direction: Vec3| {
        let of_b = b.support(back.transform_vector(-direction)).1;
        [a.support(direction).1, b_in_a.transform_point(of_b)]
    };
    match expand(support, ROUNDING * size) {
        Expansion::Deep(found) => Expansion::Deep(ConvexDepth {
            direction: pose_a.transform_vector(found.direction),
            points: found.points.map(|p| pose_a.transform_point(p)),
            ..found
        }),
        Expansion::Apart(direction) => Expansion::Apart(pose_a.transform_vector(direction)),
        Expansion::Flat => Expansion::Flat,
    }
}

/// Why the depth of points cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvexDepthError {
    /// A NaN or infinite coordinate.
    #[error(
        "point {index} of body {} is ({}, {}, {}): every coordinate must be finite",
        if *body == 0 { "A" } else { "B" }, at.x, at.y, at.z
    )]
    NotFinite {
        /// 0 for A, 1 for B.
        body: usize,
        /// Which point, from 0.
        index: usize,
        /// As given.
        at: Vec3,
    },
}

/// How deep the hulls of some points are in each other; of no points, [`Expansion::Flat`].
pub fn convex_depth(a: &[Vec3], b: &[Vec3]) -> Result<Expansion, ConvexDepthError> {
    for (body, points) in [a, b].into_iter().enumerate() {
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(ConvexDepthError::NotFinite { body, index, at: points[index] });
        }
    }
    if a.is_empty() || b.is_empty() {
        return Ok(Expansion::Flat);
    }
    let largest = |points: &[Vec3]| points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let tolerance = ROUNDING * (largest(a) + largest(b));
    Ok(expand(|direction| [furthest(a, direction), furthest(b, -direction)], tolerance))
}

/// The first of the points furthest along a direction; there is at least one.
pub(crate) fn furthest(points: &[Vec3], direction: Vec3) -> Vec3 {
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    for &p in points {
        let along = p.dot(direction);
        if along > best.0 {
            best = (along, p);
        }
    }
    best.1
}

/// A first tetrahedron, as large as a few directions give.
pub(crate) fn start(mut ask: impl FnMut(Vec3) -> Corner) -> Option<Polytope> {
    let mut found: Vec<Corner> = Vec::new();
    for axis in Vec3::AXES {
        found.extend([ask(axis), ask(-axis)]);
    }
    let a = found[0];
    let apart = |p: Vec3, q: Vec3| p.distance_squared(q);
    let b = *found.iter().max_by(|p, q| apart(p.at, a.at).total_cmp(&apart(q.at, a.at)))?;
    let along = (b.at - a.at).normalize_or_zero();
    if along == Vec3::ZERO {
        return None;
    }
    let aside = along.any_orthonormal_vector();
    found.extend([ask(aside), ask(-aside)]);
    let off = |p: Vec3| (p - a.at).cross(along).length_squared();
    let c = *found.iter().max_by(|p, q| off(p.at).total_cmp(&off(q.at)))?;
    let across = (b.at - a.at).cross(c.at - a.at).normalize_or_zero();
    if across == Vec3::ZERO {
        return None;
    }
    found.extend([ask(across), ask(-across)]);
    let above = |p: Vec3| (p - a.at).dot(across).abs();
    let d = *found.iter().max_by(|p, q| above(p.at).total_cmp(&above(q.at)))?;
    Polytope::tetrahedron([a, b, c, d])
}

/// The point of A and the point of B whose difference is nearest to the foot of the origin on the plane
/// found.
fn foot(polytope: &Polytope, depth: f64, direction: Vec3) -> [Vec3; 2] {
    let target = depth * direction;
    let on = |facet: &Facet| {
        let corners = facet.corners.map(|i| polytope.corners[i as usize]);
        let (at, _) = closest_on_triangle(target, &corners.map(|c| c.at));
        (at.distance_squared(target), at, corners)
    };
    let nearest = polytope.surface().map(on).min_by(|x, y| x.0.total_cmp(&y.0));
    let Some((_, at, corners)) = nearest else { return [Vec3::ZERO; 2] };
    let weights = barycentric(at, corners.map(|c| c.at));
    let mix = |of: fn(&Corner) -> Vec3| weights.iter().zip(&corners).map(|(&w, c)| w * of(c)).sum();
    [mix(|c| c.of_a), mix(|c| c.of_b)]
}

/// The weights that make a point of a triangle out of its corners.
fn barycentric(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f64; 3] {
    let n = (b - a).cross(c - a);
    let nn = n.length_squared();
    if nn == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = (p - a).cross(c - a).dot(n) / nn;
    let w = (b - a).cross(p - a).dot(n) / nn;
    [1.0 - v - w, v, w]
}
