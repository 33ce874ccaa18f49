//! From pair of features to pair of features, until they are the closest.
//!
//! In exact arithmetic a step to a feature of higher dimension comes strictly nearer and one to lower
//! dimension is as near, so no pair comes twice. Where faces or edges are parallel but for rounding, signs
//! that were computed in the frames of two bodies can contradict each other: a step that promised to come
//! nearer does not. Therefore the distance is computed whenever a step goes up in dimension; if it has not
//! become less than ever before, the walk ends there if a plane across the closest points proves them to be
//! so. If it does not, the walk goes on: out of a local minimum behind a face it may have had to go further
//! away.
//!
//! What is still walking after that jumps. A jump brings a lower bound of the distance with it, by planes
//! between the bodies; from then on the walk also ends at the first pair that is no further apart than this,
//! but for rounding.

use super::ConvexData;
use super::frames::{HullFeature, Two};
use super::jump::{Landing, jump};
use super::query::ROUNDING;
use super::vclip::{Step, step};
use super::witness::{FeatureWitness, witness};
use silvia_solid::Vec3;

/// A cache that does not lead to the answer in so many steps is of another place: it is quicker to begin
/// anew.
const WARM_STEPS: u32 = 6;

/// A walk of so many steps is going round the rim of a large face, along many small features, or in a circle:
/// it is quicker to jump. After each jump the walk is given twice as many steps as before.
const LONG_STEPS: u32 = 16;

/// After so many steps for each edge of the bodies all pairs of features are tried.
const STEPS_PER_EDGE: u32 = 8;

/// A search for the closest features.
pub(crate) struct Walk<'a> {
    pub(crate) two: Two<'a>,
    /// How many pairs of features were looked at.
    pub(crate) steps: u32,
    /// The least distance of a pair that was left for a nearer one, m.
    least: f64,
    /// No points of the bodies are nearer than this by more than rounding, m.
    bound: f64,
}

/// What came of looking at a pair of features.
enum Looked {
    /// The closest, or some that penetrate.
    Done(FeatureWitness),
    /// They are to be looked at next.
    Next([HullFeature; 2]),
}

impl<'a> Walk<'a> {
    #[inline(always)]
    pub(crate) fn new(two: Two<'a>) -> Walk<'a> {
        Walk { two, steps: 0, least: f64::INFINITY, bound: f64::NEG_INFINITY }
    }

    /// From the features of the last time, if any, to the closest, or to some that penetrate; nothing if the
    /// walk does not end.
    #[inline(always)]
    pub(crate) fn run(&mut self, cached: Option<[HullFeature; 2]>) -> Option<FeatureWitness> {
        let known = cached.filter(|parts| self.two.has(parts));
        let mut is_warm = known.is_some();
        let mut parts = known.unwrap_or_else(|| self.two.facing());
        loop {
            for _ in 0..if is_warm { WARM_STEPS } else { LONG_STEPS } {
                match self.look(parts) {
                    Looked::Done(found) => return Some(found),
                    Looked::Next(next) => parts = next,
                }
            }
            if !is_warm {
                return self.jumping(parts);
            }
            (is_warm, self.least) = (false, f64::INFINITY);
            parts = self.two.facing();
        }
    }

    /// Walks and jumps by turns.
    #[cold]
    fn jumping(&mut self, mut parts: [HullFeature; 2]) -> Option<FeatureWitness> {
        let mut landings = Vec::new();
        let mut patience = LONG_STEPS;
        while self.steps < self.most_steps() {
            let jumped = jump(&self.two, parts, &mut self.steps);
            self.bound = self.bound.max(jumped.gap + ROUNDING * self.two.reach());
            match jumped.landing {
                Landing::Meeting(found) => return Some(found),
                // From there the walk came here: it needs more steps than it was given.
                Landing::Near(features) if landings.contains(&features) => {}
                Landing::Near(features) => {
                    landings.push(features);
                    parts = features;
                    self.least = f64::INFINITY;
                }
            }
            for _ in 0..patience {
                if let Some(found) = self.within_bound(parts) {
                    return Some(found);
                }
                match self.look(parts) {
                    Looked::Done(found) => return Some(found),
                    Looked::Next(next) => parts = next,
                }
            }
            patience = patience.saturating_mul(2);
        }
        None
    }

    /// Looks at a pair of features.
    #[inline(always)]
    fn look(&mut self, mut parts: [HullFeature; 2]) -> Looked {
        self.steps += 1;
        match step(&self.two, parts) {
            Step::Replace(i, part) => {
                if is_higher(part, parts[i])
                    && let Some(found) = self.proven(parts)
                {
                    return Looked::Done(found);
                }
                parts[i] = part;
                Looked::Next(parts)
            }
            Step::Closest => Looked::Done(witness(&self.two, parts)),
            Step::Inside { vertex_of, at, exit } => {
                parts[1 - vertex_of] = HullFeature::Face(exit);
                Looked::Done(shared(&self.two, parts, vertex_of, at))
            }
            Step::Pierced { edge_of, at } => Looked::Done(shared(&self.two, parts, edge_of, at)),
        }
    }

    /// The closest points of a pair that is about to be left for a nearer one, if they are as near as any can
    /// be; or if the pair is no nearer than one that was left so before, and the plane across these points
    /// proves that none are nearer.
    #[inline(always)]
    fn proven(&mut self, parts: [HullFeature; 2]) -> Option<FeatureWitness> {
        let found = witness(&self.two, parts);
        if found.distance < self.least && found.distance > self.bound {
            self.least = found.distance;
            return None;
        }
        (found.distance <= self.bound || self.two.are_closest(&found)).then_some(found)
    }

    /// The closest points of a pair of vertices or edges, if they are as near as any can be. Of a face the
    /// nearest point is not known before it is known to be over the face.
    fn within_bound(&self, parts: [HullFeature; 2]) -> Option<FeatureWitness> {
        if parts.iter().any(|part| matches!(part, HullFeature::Face(_))) {
            return None;
        }
        let found = witness(&self.two, parts);
        (found.distance <= self.bound).then_some(found)
    }

    #[cold]
    fn most_steps(&self) -> u32 {
        let edges = self.two.body[0].edges.len() + self.two.body[1].edges.len();
        STEPS_PER_EDGE.saturating_mul(u32::try_from(edges).unwrap_or(u32::MAX))
    }
}

fn is_higher(part: HullFeature, than: HullFeature) -> bool {
    matches!(
        (than, part),
        (HullFeature::Vertex(_), HullFeature::Edge(_)) | (HullFeature::Edge(_), HullFeature::Face(_))
    )
}

/// A point that both bodies have, of body `i` and in its frame.
#[cold]
fn shared(two: &Two<'_>, parts: [HullFeature; 2], i: usize, at: Vec3) -> FeatureWitness {
    let point = if i == 0 { at } else { two.into(0, at) };
    FeatureWitness { parts, points: [point; 2], distance: 0.0, penetrating: true }
}

impl Two<'_> {
    /// Whether the bodies have such features: a cache may be of others.
    #[inline(always)]
    fn has(&self, parts: &[HullFeature; 2]) -> bool {
        self.body[0].has(parts[0]) && self.body[1].has(parts[1])
    }

    /// The vertices furthest towards the other body's middle: where to start if nothing is known.
    fn facing(&self) -> [HullFeature; 2] {
        let towards = self.into(0, self.body[1].center) - self.body[0].center;
        self.supports(towards).map(HullFeature::Vertex)
    }

    /// The vertices of the two bodies that are furthest along a direction and against it, in the frame of the
    /// first.
    pub(super) fn supports(&self, towards: Vec3) -> [u32; 2] {
        [self.body[0].support(towards), self.body[1].support(-self.turn(1, towards))]
    }

    /// Whether the bodies are nowhere nearer than two of their points, but for rounding: they are on the two
    /// sides of the space between the planes through the points across the way from one to the other. Of
    /// points that are one but for rounding there is nothing to prove.
    #[cold]
    fn are_closest(&self, found: &FeatureWitness) -> bool {
        let rounding = ROUNDING * self.reach();
        if found.distance <= rounding {
            return true;
        }
        let Some(across) = self.across(found).try_normalize() else { return false };
        let [v, w] = self.supports(across);
        let gap = (self.vertex(0, w) - self.body[0].points[v as usize]).dot(across);
        gap >= found.distance - rounding
    }

    /// The way from the point of the first body to that of the second, in the frame of the first, by what is
    /// known best: the difference of points that are near each other is mostly rounding.
    fn across(&self, found: &FeatureWitness) -> Vec3 {
        let way = found.points[1] - found.points[0];
        let along = |i: usize, e: u32| self.body[i].edges[e as usize].direction;
        let normal = match found.parts {
            [HullFeature::Face(f), _] => self.body[0].planes[f as usize].normal,
            [_, HullFeature::Face(f)] => self.turn(0, self.body[1].planes[f as usize].normal),
            [HullFeature::Edge(e), HullFeature::Edge(g)] => along(0, e).cross(self.turn(0, along(1, g))),
            _ => way,
        };
        // Parallel edges have no cross product to speak of.
        let is_known = normal.length_squared() > 0.25 * f64::EPSILON;
        match (is_known, normal.dot(way) < 0.0) {
            (false, _) => way,
            (true, true) => -normal,
            (true, false) => normal,
        }
    }
}

impl ConvexData {
    #[inline(always)]
    fn has(&self, part: HullFeature) -> bool {
        match part {
            HullFeature::Vertex(v) => (v as usize) < self.points.len(),
            HullFeature::Edge(e) => (e as usize) < self.edges.len(),
            HullFeature::Face(f) => (f as usize) < self.planes.len(),
        }
    }
}
