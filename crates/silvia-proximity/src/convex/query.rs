//! The closest features of two convex solids.

use super::Convex;
use super::brute::by_all_pairs;
use super::frames::{HullFeature, Two};
use super::touching::touching;
use super::walk::Walk;
use super::witness::FeatureWitness;
use crate::feature::Feature;
use silvia_solid::{Pose, Vec3};

/// How small a distance is nothing but rounding, as a fraction of the size of the coordinates: what the
/// arithmetic can be off by at worst, not a setting. An entry of the relative rotation is off by up to 8.5
/// epsilon (two matrices from unit quaternions, 2 each, and three products), a point taken through it by
/// three times that and 4.5 for its own products; the difference of two points and its length add 2.
pub(crate) const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// What of a slope is nothing but rounding, as a sine: of normals and directions from differences and cross
/// products, each taken through such a rotation.
pub(crate) const LEVEL: f64 = 64.0 * f64::EPSILON;

/// The closest features in the last query about a pair of solids. Belongs to the caller; keep one for each
/// pair of bodies. It affects speed, never results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureCache {
    parts: Option<[HullFeature; 2]>,
}

/// Where two convex solids are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestFeatures {
    /// The features that hold the closest points, each of the lowest dimension possible: for two parallel
    /// faces, a vertex or an edge of one of them. If the solids penetrate: a vertex or edge of one that is
    /// inside the other, and a face in its way.
    pub features: [Feature; 2],
    /// The closest points on the first and the second solid, in the frame in which the poses were given, m.
    /// If the solids penetrate, both are one point of both.
    pub points: [Vec3; 2],
    /// m; 0 if the solids touch or penetrate.
    pub distance: f64,
    /// Whether the interiors share a point: no plane separates the solids, by more than rounding.
    pub penetrating: bool,
    /// How many pairs of features were looked at.
    pub steps: u32,
    /// Whether all pairs of features had to be searched. Expected never to happen.
    pub fallback: bool,
}

/// The closest features of two convex solids, by V-Clip. When bodies move a little between calls, a step or
/// two answers, whatever the number of features.
///
/// ```
/// use silvia_proximity::{Convex, Feature, FeatureCache, closest_features};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
/// let cube = Convex::new(&Solid::from_soup(&primitives::cuboid(Vec3::splat(2.0))?)?)?;
/// let mut cache = FeatureCache::default();
/// for step in 0..10 {
///     let aside = Pose::from_translation(Vec3::new(3.0 + 0.01 * f64::from(step), 0.5, 0.0))?;
///     let answer = closest_features(&cube, &Pose::IDENTITY, &cube, &aside, &mut cache);
///     assert!(!answer.penetrating && (answer.distance - 1.0 - 0.01 * f64::from(step)).abs() < 1e-15);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_features(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    cache: &mut FeatureCache,
) -> ClosestFeatures {
    let mut walk = Walk::new(Two::new(&a.data, pose_a, &b.data, pose_b));
    let walked = walk.run(cache.parts);
    let fallback = walked.is_none();
    let found = settled(&walk.two, walked.unwrap_or_else(|| by_all_pairs(&walk.two)));
    cache.parts = Some(found.parts);
    ClosestFeatures {
        features: [a.data.feature(found.parts[0]), b.data.feature(found.parts[1])],
        points: found.points.map(|p| pose_a.transform_point(p)),
        distance: found.distance,
        penetrating: found.penetrating,
        steps: walk.steps,
        fallback,
    }
}

/// Settles a distance that is nothing but rounding: the solids touch, or they penetrate.
#[inline(always)]
fn settled(two: &Two<'_>, found: FeatureWitness) -> FeatureWitness {
    if found.distance > ROUNDING * two.reach() { found } else { settle(two, found) }
}

#[cold]
fn settle(two: &Two<'_>, found: FeatureWitness) -> FeatureWitness {
    match touching(two, &found) {
        Some(parts) => FeatureWitness { parts, penetrating: false, ..found },
        None => FeatureWitness { distance: 0.0, penetrating: true, ..found },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use silvia_solid::{Solid, primitives};

    /// Closed form: cubes of side 1 at lattice places touch or overlap or are apart by whole numbers.
    #[test]
    fn the_fallback_tells_touching_from_penetrating_as_the_walk_does() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let cube = Convex::new(&Solid::from_soup(&cube).unwrap()).unwrap();
        let places = [0.0, 0.5, 1.0, 2.0];
        for (x, y, z) in
            places.iter().flat_map(|&x| places.iter().flat_map(move |&y| places.map(|z| (x, y, z))))
        {
            let pose = Pose::from_translation(Vec3::new(x, y, z)).unwrap();
            let two = Two::new(&cube.data, &Pose::IDENTITY, &cube.data, &pose);
            let found = settled(&two, by_all_pairs(&two));
            let apart = Vec3::new(x - 1.0, y - 1.0, z - 1.0).max(Vec3::ZERO).length();
            assert_eq!(found.distance, apart, "at {x} {y} {z}");
            assert_eq!(found.penetrating, x.max(y).max(z) < 1.0, "at {x} {y} {z}");
        }
    }
}
