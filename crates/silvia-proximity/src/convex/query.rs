//! The closest features of two convex solids.

use super::brute::by_all_pairs;
use super::frames::{Part, Slack, Two};
use super::touching::can_be_parted;
use super::vclip::{Step, step};
use super::witness::{Found, witness};
use super::{Convex, ConvexData};
use crate::feature::Feature;
use silvia_solid::{Pose, Vec3};

/// How small a distance is nothing but rounding, as a fraction of the size of the coordinates.
pub(crate) const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// What of a slope is nothing but rounding, as a sine.
pub(crate) const LEVEL: f64 = 64.0 * f64::EPSILON;

/// After so many steps in which every sign was believed, only certain ones are: rounding may be leading in a circle.
const BOLD_STEPS: u32 = 32;

/// After so many steps all pairs of features are tried.
const MOST_STEPS: u32 = 1024;

/// The features at which two solids were nearest the last time, for the next time. It belongs to the caller; one for
/// each pair of bodies. A new one, or one of other bodies, costs time only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureCache {
    parts: Option<[Part; 2]>,
}

/// Where two convex solids are nearest, or that they penetrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestFeatures {
    /// The features of the two solids that hold the closest points. A feature is the lowest that will do: of two parallel
    /// faces it is a vertex or edge of one of them. If the solids penetrate, a vertex or edge of one that is in the other, and a face that is
    /// in its way.
    pub features: [Feature; 2],
    /// The closest points on the first and the second solid, in the frame in which the poses were given, m. If the solids penetrate, both are one
    /// point of both.
    pub points: [Vec3; 2],
    /// m; 0 if the solids touch or penetrate.
    pub distance: f64,
    /// Whether the insides have a point in common: no plane has the solids on its two sides, by more than rounding.
    pub penetrating: bool,
    /// How many pairs of features were looked at.
    pub steps: u32,
    /// Whether all pairs of features had to be tried: expected never to happen.
    pub fallback: bool,
}

/// The closest features of two convex solids, by V-Clip. Bodies that move a little between calls are answered in a step or two, whatever
/// the number of their features.
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
    let mut two = Two::new(&a.data, pose_a, &b.data, pose_b);
    let start = cache.parts.filter(|parts| two.has(parts)).unwrap_or_else(|| two.facing());
    let mut steps = 0;
    let walked = walk(&mut two, start, &mut steps);
    let fallback = walked.is_none();
    let found = walked.unwrap_or_else(|| by_all_pairs(&two));
    cache.parts = Some(found.parts);
    ClosestFeatures {
        features: [a.data.feature(found.parts[0]), b.data.feature(found.parts[1])],
        points: found.points.map(|p| pose_a.transform_point(p)),
        distance: found.distance,
        penetrating: found.penetrating,
        steps,
        fallback,
    }
}

/// From a pair of features to the closest, counting the steps; nothing if the walk does not end.
#[inline(always)]
fn walk(two: &mut Two<'_>, mut parts: [Part; 2], steps: &mut u32) -> Option<Found> {
    while *steps < MOST_STEPS {
        *steps += 1;
        match step(two, parts) {
            Step::Replace(i, part) => parts[i] = part,
            Step::Closest => return Some(decided(two, witness(two, parts))),
            Step::Inside { vertex_of, at, exit } => {
                parts[1 - vertex_of] = Part::Face(exit);
                return Some(shared(two, parts, vertex_of, at));
            }
            Step::Pierced { edge_of, at } => return Some(shared(two, parts, edge_of, at)),
        }
        if *steps == BOLD_STEPS {
            two.slack = Slack { height: ROUNDING * two.reach(), slope: LEVEL };
        }
    }
    None
}

/// Settles a distance that is nothing but rounding: the solids touch, or they penetrate.
#[inline(always)]
fn decided(two: &Two<'_>, found: Found) -> Found {
    if found.distance > ROUNDING * two.reach() { found } else { settle(two, found) }
}

#[cold]
fn settle(two: &Two<'_>, mut found: Found) -> Found {
    found.penetrating = !can_be_parted(two, &found);
    if found.penetrating {
        found.distance = 0.0;
    }
    found
}

/// A point that both bodies have, of body `i` and in its frame.
#[cold]
fn shared(two: &Two<'_>, parts: [Part; 2], i: usize, at: Vec3) -> Found {
    let point = if i == 0 { at } else { two.into(0, at) };
    settle(two, Found { parts, points: [point; 2], distance: 0.0, penetrating: true })
}

impl Two<'_> {
    /// Whether the bodies have such features: a cache may be of others.
    #[inline(always)]
    fn has(&self, parts: &[Part; 2]) -> bool {
        self.body[0].has(parts[0]) && self.body[1].has(parts[1])
    }

    /// The vertices furthest towards the other body's middle: where to start if nothing is known.
    fn facing(&self) -> [Part; 2] {
        let towards = self.into(0, self.body[1].center) - self.body[0].center;
        let first = self.body[0].support(towards);
        let second = self.body[1].support(-self.turn(1, towards));
        [Part::Vertex(first), Part::Vertex(second)]
    }
}

impl ConvexData {
    #[inline(always)]
    fn has(&self, part: Part) -> bool {
        match part {
            Part::Vertex(v) => (v as usize) < self.points.len(),
            Part::Edge(e) => (e as usize) < self.edges.len(),
            Part::Face(f) => (f as usize) < self.planes.len(),
        }
    }
}
