//! Shape queries with options and with caches that belong to the caller.
//!
//! Of all pairs of kinds only two meshes are worth a memory. A cache holds one for each pair of parts that
//! are both meshes; all other pairs are computed anew.

use super::compound::{Compound, CompoundPart};
use super::core::Class;
use super::near::{NearestPoints, nearest, touches};
use super::{Mesh, Shape, ShapeDistance};
use crate::collide::{Collision, CollisionCache, Extent, collide as collide_meshes};
use crate::distance::{DistanceCache, DistanceError, DistanceOptions};
use silvia_solid::{Aabb, Pose};
use std::collections::BTreeMap;
use std::time::Instant;

/// Speeds up repeated distance queries about one pair of shapes. Keep one for each pair; it belongs to the
/// caller. It affects the speed of an exact answer, never the distance.
#[derive(Clone, Debug, Default)]
pub struct ShapeDistanceCache {
    of_parts: BTreeMap<[u32; 2], DistanceCache>,
}

/// Speeds up repeated collision queries about one pair of shapes. Keep one for each pair; it belongs to the
/// caller. It affects speed, never results.
#[derive(Clone, Debug, Default)]
pub struct ShapeCollisionCache {
    of_parts: BTreeMap<[u32; 2], CollisionCache>,
}

impl ShapeDistanceCache {
    /// An empty cache.
    pub fn new() -> ShapeDistanceCache {
        ShapeDistanceCache::default()
    }
}

impl ShapeCollisionCache {
    /// An empty cache.
    pub fn new() -> ShapeCollisionCache {
        ShapeCollisionCache::default()
    }
}

/// Two parts of shapes that share a point.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartCollision {
    /// Numbers of the parts of compounds; 0 for other shapes.
    pub parts: [u32; 2],
    /// If both parts are solids or soups: the triangles that meet, or which part is inside the other.
    pub meshes: Option<Collision>,
}

/// As [`distance`](super::distance), with options and a cache. Equal to it, to rounding, unless the options
/// allow less.
///
/// All options hold for pairs of meshes. Other pairs are always computed to rounding, which takes
/// microseconds. Parts of compounds beyond the cut-off are left out.
///
/// ```
/// use silvia_proximity::{DistanceOptions, Shape, ShapeDistanceCache, distance_with};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
/// let knot = Shape::solid(Solid::from_soup(&primitives::torus(1.0, 0.3, 40, 20)?)?);
/// let (options, mut cache) = (DistanceOptions::default(), ShapeDistanceCache::new());
/// for step in 0..10 {
///     let there = Pose::from_translation(Vec3::new(3.0 + 0.01 * f64::from(step), 0.0, 0.0))?;
///     let answer = distance_with(&knot, &Pose::IDENTITY, &knot, &there, &options, &mut cache)?;
///     assert!(answer.lower == answer.upper && (answer.upper - 0.4 - 0.01 * f64::from(step)).abs() < 0.01);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_with(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    options: &DistanceOptions,
    cache: &mut ShapeDistanceCache,
) -> Result<ShapeDistance, DistanceError> {
    options.check()?;
    let mut query = DistanceQuery { options: *options, start: Instant::now(), visits: 0, cache };
    let near = query.nearest(a, b, &pose_a.inverse().compose(pose_b), f64::INFINITY, [0; 2]);
    Ok(ShapeDistance {
        lower: near.lower,
        upper: near.upper,
        points: near.points.map(|p| pose_a.transform_point(p)),
        features: near.features,
        parts: near.parts,
    })
}

/// As [`collide`](super::collide), with a cache. Equal to it, but for shapes that are within rounding of
/// touching.
pub fn collide_with(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    cache: &mut ShapeCollisionCache,
) -> bool {
    let mut found = false;
    visit_close_parts(a, b, &pose_a.inverse().compose(pose_b), |parts, [a, b], b_in_a| {
        found = match both_meshes(a, b) {
            Some([a, b]) => {
                let cache = cache.of_parts.entry(parts).or_default();
                cache.collide(a.hierarchy(), &Pose::IDENTITY, b.hierarchy(), b_in_a).is_some()
            }
            None => touches(a, b, b_in_a),
        };
        !found
    });
    found
}

/// All pairs of parts of two shapes that share a point, sorted by part. Shapes that are no compounds have one
/// part. With [`Extent::All`], pairs of solids and soups report all their triangles that meet; with
/// [`Extent::Any`], one pair of triangles.
pub fn collisions(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, extent: Extent) -> Vec<PartCollision> {
    let mut found = Vec::new();
    visit_close_parts(a, b, &pose_a.inverse().compose(pose_b), |parts, [a, b], b_in_a| {
        let meshes = both_meshes(a, b)
            .map(|[a, b]| collide_meshes(a.hierarchy(), &Pose::IDENTITY, b.hierarchy(), b_in_a, extent));
        if meshes.as_ref().map_or_else(|| touches(a, b, b_in_a), Collision::is_some) {
            found.push(PartCollision { parts, meshes });
        }
        true
    });
    found.sort_unstable_by_key(|collision| collision.parts);
    found
}

fn both_meshes<'a>(a: &'a Shape, b: &'a Shape) -> Option<[&'a Mesh; 2]> {
    Some([a.as_mesh()?, b.as_mesh()?])
}

/// Calls a function with each pair of parts whose boxes touch: their numbers, the parts, and the pose of the
/// second in the frame of the first; until it returns `false`.
fn visit_close_parts<'a>(
    a: &'a Shape,
    b: &'a Shape,
    b_in_a: &Pose,
    mut visit: impl FnMut([u32; 2], [&'a Shape; 2], &Pose) -> bool,
) {
    let mut goes_on = true;
    visit_close(a, &b.aabb(b_in_a), |i, of_a, pose_a| {
        let seen = pose_a.inverse().compose(b_in_a);
        // The other way round: the parts of b near the part of a.
        visit_close(b, &of_a.aabb(&seen.inverse()), |j, of_b, pose_b| {
            goes_on = goes_on && visit([i, j], [of_a, of_b], &seen.compose(pose_b));
            goes_on
        });
        goes_on
    });
}

/// Calls a function with each part of a shape whose box touches another, until it returns `false`.
fn visit_close<'a>(shape: &'a Shape, other: &Aabb, mut visit: impl FnMut(u32, &'a Shape, &Pose) -> bool) {
    let Some(compound) = shape.as_compound() else {
        visit(0, shape, &Pose::IDENTITY);
        return;
    };
    let mut goes_on = true;
    compound.visit_near(other, 0.0, |number| {
        let part = &compound.parts()[number];
        goes_on = goes_on && visit(number as u32, &part.shape, &part.pose);
        if goes_on { 0.0 } else { f64::NEG_INFINITY }
    });
}

/// A distance query under way.
struct DistanceQuery<'a> {
    options: DistanceOptions,
    start: Instant,
    /// Nodes opened so far.
    visits: u64,
    cache: &'a mut ShapeDistanceCache,
}

impl DistanceQuery<'_> {
    /// The nearest points of two shapes with these numbers as parts, or numbers yet to be known, the second
    /// at a pose in the frame of the first. Of no interest beyond `best`, m.
    fn nearest(&mut self, a: &Shape, b: &Shape, b_in_a: &Pose, best: f64, parts: [u32; 2]) -> NearestPoints {
        match (a.class(), b.class()) {
            (Class::Mesh(a), Class::Mesh(b)) => {
                NearestPoints { parts, ..self.of_meshes(a, b, b_in_a, best, parts) }
            }
            (Class::Compound(a), _) => self.of_compound(a, b, b_in_a, best, |number| [number, parts[1]]),
            (_, Class::Compound(b)) => {
                self.of_compound_second(a, b, b_in_a, best, |number| [parts[0], number])
            }
            (Class::Rounded(_) | Class::HalfSpace(_) | Class::Cavity(_) | Class::Mesh(_), _) => {
                NearestPoints { parts, ..nearest(a, b, b_in_a, best) }
            }
        }
    }

    fn of_compound(
        &mut self,
        a: &Compound,
        b: &Shape,
        b_in_a: &Pose,
        limit: f64,
        parts: impl Fn(u32) -> [u32; 2],
    ) -> NearestPoints {
        self.of_parts(a, &b.aabb(b_in_a), limit, |query, number, part, best| {
            let seen = part.pose.inverse().compose(b_in_a);
            let near = query.nearest(&part.shape, b, &seen, best, parts(number));
            NearestPoints { points: near.points.map(|p| part.pose.transform_point(p)), ..near }
        })
    }

    fn of_compound_second(
        &mut self,
        a: &Shape,
        b: &Compound,
        b_in_a: &Pose,
        limit: f64,
        parts: impl Fn(u32) -> [u32; 2],
    ) -> NearestPoints {
        self.of_parts(b, &a.aabb(&b_in_a.inverse()), limit, |query, number, part, best| {
            query.nearest(a, &part.shape, &b_in_a.compose(&part.pose), best, parts(number))
        })
    }

    /// The nearest of the parts of a compound to something in a box.
    fn of_parts(
        &mut self,
        compound: &Compound,
        other: &Aabb,
        limit: f64,
        mut ask: impl FnMut(&mut Self, u32, &CompoundPart, f64) -> NearestPoints,
    ) -> NearestPoints {
        let cutoff = self.options.cutoff;
        let mut best = NearestPoints::beyond(f64::INFINITY);
        let mut lower = f64::INFINITY;
        // The first part is looked at however far it is, so that there are points to show.
        compound.visit_near(other, limit, |number| {
            let part = &compound.parts()[number];
            let near = ask(self, number as u32, part, limit.min(best.upper));
            lower = lower.min(near.lower);
            if near.upper < best.upper {
                best = near;
            }
            // Nothing is nearer than touching.
            if best.upper == 0.0 { f64::NEG_INFINITY } else { limit.min(best.upper).min(cutoff) }
        });
        // Parts not visited are farther away than one of these.
        NearestPoints { lower: lower.min(limit).min(cutoff).min(best.upper), ..best }
    }

    fn of_meshes(&mut self, a: &Mesh, b: &Mesh, b_in_a: &Pose, best: f64, parts: [u32; 2]) -> NearestPoints {
        let options = DistanceOptions {
            cutoff: self.options.cutoff.min(best),
            deadline: self.options.deadline.map(|time| time.saturating_sub(self.start.elapsed())),
            max_visits: self.options.max_visits.map(|most| most.saturating_sub(self.visits)),
            ..self.options
        };
        let cache = self.cache.of_parts.entry(parts).or_default();
        let found = cache.distance(a.hierarchy(), &Pose::IDENTITY, b.hierarchy(), b_in_a, &options);
        // The options have been checked.
        let Ok(found) = found else { return NearestPoints::beyond(0.0) };
        self.visits += found.visits;
        NearestPoints::of_meshes(&found)
    }
}
