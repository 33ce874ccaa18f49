//! What one query leaves behind for the next, when the bodies have moved only a little.
//!
//! Of bodies that touch, the two triangles that met: mostly they still do. Of bodies apart, a clearance: how far their
//! surfaces were apart at least, and where. Until some point of one has moved that far relative to the other, no surface
//! has met another, so neither has come in or out.

use super::{Collision, Extent, collide};
use crate::bounds::Bound;
use crate::distance::{DistanceOptions, Strategy, distance};
use crate::duo::corners_in_frame;
use crate::hierarchy::Hierarchy;
use silvia_solid::{Aabb, Pose, TriangleId, triangles_intersect};

/// Belongs to the caller, one for each pair of bodies. It changes the cost of an answer, never whether the bodies touch
/// or which is inside the other (of triangles that meet, it may name other ones).
#[derive(Clone, Debug, Default)]
pub struct CollisionCache {
    state: Option<State>,
}

#[derive(Clone, Debug)]
struct State {
    /// Which hierarchies it is about.
    bodies: [u64; 2],
    /// Where the second was in the frame of the first in the last query.
    last: Pose,
    known: Known,
    /// For how many steps like the last a clearance is looked for.
    ahead: f64,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    /// These triangles met.
    Meeting([TriangleId; 2]),
    /// The surfaces were this far apart (m) at that pose, the second in the frame of the first.
    Clear { at: Pose, gap: f64, inside: Inside },
}

/// How bodies lie to each other whose surfaces do not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Neither,
    First,
    Second,
}

/// A clearance is looked for up to as far as the bodies would come in so many steps like the last: the further apart
/// they turn out to be, the further ahead next time.
const STEPS_AHEAD: std::ops::RangeInclusive<f64> = 1.0..=32.0;

/// The most nodes to open for a clearance; where the bodies are entangled, it costs more than it saves.
const CLEARANCE_VISITS: u64 = 48;

/// A clearance may be less than the distance by this fraction of it, which is found much sooner.
const CLEARANCE_TOLERANCE: f64 = 0.5;

impl CollisionCache {
    /// An empty one.
    pub fn new() -> CollisionCache {
        CollisionCache::default()
    }

    /// Like [`collide`](crate::collide) with [`Extent::Any`], with what the last query left behind.
    pub fn collide<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
    ) -> Collision {
        let bodies = [a.id, b.id];
        let b_in_a = pose_a.inverse().compose(pose_b);
        let state = self.state.take().filter(|state| state.bodies == bodies);
        let mut ahead = state.as_ref().map_or(*STEPS_AHEAD.start(), |s| s.ahead);
        let (known, answer) = match &state {
            Some(State { known: Known::Meeting(triangles), .. })
                if still_meet(a, pose_a, b, pose_b, *triangles) =>
            {
                (Known::Meeting(*triangles), Collision::Surfaces(vec![*triangles]))
            }
            Some(State { known: known @ Known::Clear { at, gap, inside }, .. })
                if displacement(a.bounds, b.bounds, at, &b_in_a) < *gap =>
            {
                (*known, inside.collision())
            }
            Some(State { known: Known::Clear { inside: Inside::Neither, .. }, last, .. }) => {
                let step = displacement(a.bounds, b.bounds, last, &b_in_a);
                let gap = clearance(a, pose_a, b, pose_b, ahead * step);
                let factor = if gap >= ahead * step { 2.0 } else { 0.5 };
                ahead = (factor * ahead).clamp(*STEPS_AHEAD.start(), *STEPS_AHEAD.end());
                if gap > 0.0 {
                    (Known::Clear { at: b_in_a, gap, inside: Inside::Neither }, Collision::None)
                } else {
                    look(a, pose_a, b, pose_b)
                }
            }
            _ => look(a, pose_a, b, pose_b),
        };
        self.state = Some(State { bodies, last: b_in_a, known, ahead });
        answer
    }
}

/// How far apart the surfaces of two bodies are at least, m, of which no more than `wanted` is of interest. 0 if they
/// meet, one body is inside the other, or it would take too long to say.
fn clearance<B: Bound>(a: &Hierarchy<B>, pose_a: &Pose, b: &Hierarchy<B>, pose_b: &Pose, wanted: f64) -> f64 {
    let options = DistanceOptions {
        strategy: Strategy::Greedy,
        relative_tolerance: CLEARANCE_TOLERANCE,
        cutoff: wanted,
        max_visits: Some(CLEARANCE_VISITS),
        ..DistanceOptions::default()
    };
    distance(a, pose_a, b, pose_b, &options).map_or(0.0, |answer| answer.lower)
}

/// Asks anew.
fn look<B: Bound>(a: &Hierarchy<B>, pose_a: &Pose, b: &Hierarchy<B>, pose_b: &Pose) -> (Known, Collision) {
    let at = pose_a.inverse().compose(pose_b);
    let answer = collide(a, pose_a, b, pose_b, Extent::Any);
    let inside = match &answer {
        Collision::None => Inside::Neither,
        Collision::FirstInside => Inside::First,
        Collision::SecondInside => Inside::Second,
        Collision::Surfaces(pairs) => match pairs.first() {
            Some(&triangles) => return (Known::Meeting(triangles), answer),
            None => Inside::Neither,
        },
    };
    (Known::Clear { at, gap: 0.0, inside }, answer)
}

impl Inside {
    fn collision(self) -> Collision {
        match self {
            Inside::Neither => Collision::None,
            Inside::First => Collision::FirstInside,
            Inside::Second => Collision::SecondInside,
        }
    }
}

/// The same decision, by the same arithmetic, as in the full query.
fn still_meet<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    triangles: [TriangleId; 2],
) -> bool {
    let [s, t] = triangles.map(TriangleId::index);
    let placed = corners_in_frame(pose_a, pose_b, &b.surface.soup().corners(t));
    triangles_intersect(&a.surface.soup().corners(s), &placed)
}

/// How far a point of one body can have moved relative to the other, m, between two poses of the second in the frame
/// of the first; never less than it is.
fn displacement(a: Aabb, b: Aabb, from: &Pose, to: &Pose) -> f64 {
    // What rounding does, as a fraction of the coordinates in it.
    const ROUNDING: f64 = 32.0 * f64::EPSILON;
    let turned = 2.0 * (from.rotation().conjugate() * to.rotation()).xyz().length() + ROUNDING;
    let far = a.magnitude() + b.magnitude() + from.translation().length() + to.translation().length();
    // Of two bodies the smaller one sweeps less when they turn.
    let (ra, rb) = (0.5 * a.size().length(), 0.5 * b.size().length());
    let (middle, radius, from, to) =
        if rb <= ra { (b.center(), rb, *from, *to) } else { (a.center(), ra, from.inverse(), to.inverse()) };
    to.transform_point(middle).distance(from.transform_point(middle)) + turned * radius + ROUNDING * far
}
