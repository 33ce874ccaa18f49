//! From pair of features to pair of features, until they are the closest.
//!
//! In exact arithmetic a step to a feature of higher dimension comes strictly nearer and one to lower dimension is as near, so no pair comes
//! twice. Where faces or edges are parallel but for rounding, signs that were computed in the frames of two bodies can contradict each other: a
//! step that promised to come nearer does not. Therefore the distance is computed whenever a step goes up in dimension; if it has not become
//! less than ever before, the walk ends there if a plane across the closest points proves them to be so. If it does not, the walk goes on: out of
//! a local minimum behind a face it may have had to go further away.
//!
//! What is still walking after that is given a [`Slack`]: a feature is left only when the sign is larger than rounding, so that each step is
//! nearer in truth. The answer is then the closest but for as much.

use super::ConvexData;
use super::frames::{Part, Slack, Two};
use super::jump::{Landing, jump};
use super::query::{LEVEL, ROUNDING};
use super::vclip::{Step, step};
use super::witness::{Found, witness};
use silvia_solid::Vec3;

/// A cache that does not lead to the answer in so many steps is of another place: it is quicker to begin anew.
const WARM_STEPS: u32 = 6;

/// A walk of so many steps is going round the rim of a large face, or along many small features: it is quicker to jump.
const LONG_STEPS: u32 = 16;

/// A walk that is as long as this though it has jumped may be led astray by rounding, as next to edges that all but touch or needles along a
/// face: every pair is now asked for a proof, and only signs that are larger than rounding are believed.
const CAREFUL_STEPS: u32 = 2 * LONG_STEPS;

/// After so many steps for each edge of the bodies all pairs of features are tried.
const STEPS_PER_EDGE: u32 = 8;

/// A search for the closest features.
pub(crate) struct Walk<'a> {
    pub(crate) two: Two<'a>,
    /// How many pairs of features were looked at.
    pub(crate) steps: u32,
    /// Whether a step promised to come nearer and did not.
    pub(crate) stalled: bool,
    /// The least distance of a pair that was left for a nearer one, m.
    least: f64,
}

impl<'a> Walk<'a> {
    #[inline(always)]
    pub(crate) fn new(two: Two<'a>) -> Walk<'a> {
        Walk { two, steps: 0, stalled: false, least: f64::INFINITY }
    }

    /// From the features of the last time, if any, to the closest, or to some that penetrate; nothing if the walk does not end.
    #[inline(always)]
    pub(crate) fn run(&mut self, cached: Option<[Part; 2]>) -> Option<Found> {
        let known = cached.filter(|parts| self.two.has(parts));
        let mut restart_at = if known.is_some() { WARM_STEPS } else { u32::MAX };
        let (mut jump_at, mut patience, mut landed) = (LONG_STEPS, LONG_STEPS, None);
        let mut parts = known.unwrap_or_else(|| self.two.facing());
        while self.steps < LONG_STEPS || self.steps < self.most_steps() {
            self.steps += 1;
            if self.steps > CAREFUL_STEPS {
                self.two.slack = Slack { height: ROUNDING * self.two.reach(), slope: LEVEL };
                if let Some(found) = self.proven_at_once(parts) {
                    return Some(found);
                }
            }
            match step(&self.two, parts) {
                Step::Replace(i, part) => {
                    if is_higher(part, parts[i])
                        && let Some(found) = self.proven(parts)
                    {
                        return Some(found);
                    }
                    parts[i] = part;
                }
                Step::Closest => return Some(witness(&self.two, parts)),
                Step::Inside { vertex_of, at, exit } => {
                    parts[1 - vertex_of] = Part::Face(exit);
                    return Some(shared(&self.two, parts, vertex_of, at));
                }
                Step::Pierced { edge_of, at } => return Some(shared(&self.two, parts, edge_of, at)),
            }
            if self.steps == restart_at {
                parts = self.two.facing();
                self.least = f64::INFINITY;
                (restart_at, jump_at) = (u32::MAX, WARM_STEPS + LONG_STEPS);
            }
            if self.steps == jump_at {
                match jump(&self.two, parts, &mut self.steps) {
                    Landing::Meeting(found) => return Some(found),
                    // From there the walk came here: it needs more steps than it was given.
                    Landing::Near(features) if landed == Some(features) => patience *= 2,
                    Landing::Near(features) => {
                        (parts, landed) = (features, Some(features));
                        self.least = f64::INFINITY;
                    }
                }
                jump_at = self.steps + patience;
            }
        }
        None
    }

    /// The closest points of a pair that is about to be left for a nearer one, if the pair is no nearer than one that was
    /// left so before, and the plane across these points proves that none are nearer.
    #[inline(always)]
    fn proven(&mut self, parts: [Part; 2]) -> Option<Found> {
        let found = witness(&self.two, parts);
        if found.distance < self.least {
            self.least = found.distance;
            return None;
        }
        self.stalled = true;
        self.two.are_closest(&found).then_some(found)
    }

    /// The closest points of a pair of vertices or edges, if the plane across them proves that none are nearer. Of a face the nearest point is not
    /// known before it is known to be over the face.
    #[cold]
    fn proven_at_once(&mut self, parts: [Part; 2]) -> Option<Found> {
        if parts.iter().any(|part| matches!(part, Part::Face(_))) {
            return None;
        }
        let found = witness(&self.two, parts);
        let is_proven = self.two.are_closest(&found);
        self.stalled |= is_proven;
        is_proven.then_some(found)
    }

    #[cold]
    fn most_steps(&self) -> u32 {
        let edges = self.two.body[0].edges.len() + self.two.body[1].edges.len();
        STEPS_PER_EDGE.saturating_mul(u32::try_from(edges).unwrap_or(u32::MAX))
    }
}

fn is_higher(part: Part, than: Part) -> bool {
    matches!((than, part), (Part::Vertex(_), Part::Edge(_)) | (Part::Edge(_), Part::Face(_)))
}

/// A point that both bodies have, of body `i` and in its frame.
#[cold]
fn shared(two: &Two<'_>, parts: [Part; 2], i: usize, at: Vec3) -> Found {
    let point = if i == 0 { at } else { two.into(0, at) };
    Found { parts, points: [point; 2], distance: 0.0, penetrating: true }
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
        self.supports(towards).map(Part::Vertex)
    }

    /// The vertices of the two bodies that are furthest along a direction and against it, in the frame of the first.
    pub(super) fn supports(&self, towards: Vec3) -> [u32; 2] {
        [self.body[0].support(towards), self.body[1].support(-self.turn(1, towards))]
    }

    /// Whether the bodies are nowhere nearer than two of their points, but for rounding: they are on the two sides of the space between the
    /// planes through the points across the way from one to the other. Of points that are one but for rounding there is nothing to prove.
    #[cold]
    fn are_closest(&self, found: &Found) -> bool {
        let rounding = ROUNDING * self.reach();
        if found.distance <= rounding {
            return true;
        }
        let Some(across) = self.across(found).try_normalize() else { return false };
        let [v, w] = self.supports(across);
        let gap = (self.vertex(0, w) - self.body[0].points[v as usize]).dot(across);
        gap >= found.distance - rounding
    }

    /// The way from the point of the first body to that of the second, in the frame of the first, by what is known best: the difference of
    /// points that are near each other is mostly rounding.
    fn across(&self, found: &Found) -> Vec3 {
        let way = found.points[1] - found.points[0];
        let along = |i: usize, e: u32| self.body[i].edges[e as usize].direction;
        let normal = match found.parts {
            [Part::Face(f), _] => self.body[0].planes[f as usize].normal,
            [_, Part::Face(f)] => self.turn(0, self.body[1].planes[f as usize].normal),
            [Part::Edge(e), Part::Edge(g)] => along(0, e).cross(self.turn(0, along(1, g))),
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
    fn has(&self, part: Part) -> bool {
        match part {
            Part::Vertex(v) => (v as usize) < self.points.len(),
            Part::Edge(e) => (e as usize) < self.edges.len(),
            Part::Face(f) => (f as usize) < self.planes.len(),
        }
    }
}
