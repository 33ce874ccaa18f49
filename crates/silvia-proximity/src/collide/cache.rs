//! What one query leaves behind for the next, when the bodies have moved only a little.
//!
//! Of bodies that touch, the two triangles that met: mostly they still do. Of others, a clearance: how far
//! their surfaces were apart at least, and where. Until some point of one has moved that far relative to the
//! other, nothing has changed.

use super::{Collision, Extent, collide_counting};
use crate::bounds::Bound;
use crate::clearance::{clearance, displacement};
use crate::containment::find_inside;
use crate::duo::{Duo, corners_in_frame};
use crate::hierarchy::Hierarchy;
use silvia_solid::{Pose, TriangleId, triangles_intersect};

/// Speeds up repeated collision queries about one pair of bodies. Keep one for each pair; it belongs to the
/// caller.
///
/// It affects speed, never whether the bodies touch or which is inside the other. Of the triangles that meet,
/// it may report a different pair.
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
    /// Pairs of bounds that the last full query had to look into.
    visits: u32,
    patience: Patience,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    /// These triangles met.
    Meeting([TriangleId; 2]),
    /// The surfaces were this far apart (m), or did not meet, at that pose of the second in the frame of the
    /// first.
    Clear { at: Pose, gap: f64, inside: Inside },
}

/// What a full query found, and the pairs of bounds it had to look into.
struct Look {
    known: Known,
    answer: Collision,
    visits: u32,
}

/// How bodies lie to each other whose surfaces do not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Neither,
    First,
    Second,
}

/// A clearance is looked for up to as far as the bodies would come in so many steps like the last.
const STEPS_AHEAD: f64 = 32.0;

/// A full query that looks into fewer pairs of bounds is cheaper than a clearance.
const CHEAP_VISITS: u32 = 16;

/// The most nodes to open for a clearance.
const CLEARANCE_VISITS: u32 = 32;

/// A clearance that lasts for fewer steps like the last costs more than asking anew each time.
const WORTH_STEPS: f64 = 4.0;

/// Where bodies are too near or too fast for a clearance, it is not looked for again for a while, ever
/// longer.
#[derive(Clone, Copy, Debug, Default)]
struct Patience {
    wait: u8,
    next_wait: u8,
}

/// The longest while, in queries.
const LONGEST_WAIT: u8 = 15;

impl CollisionCache {
    /// An empty cache.
    pub fn new() -> CollisionCache {
        CollisionCache::default()
    }

    /// As [`collide`](super::collide) with [`Extent::Any`], starting from the last query.
    pub fn collide<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
    ) -> Collision {
        let bodies = [a.id, b.id];
        let now = pose_a.inverse().compose(pose_b);
        let Some(mut state) = self.state.take().filter(|state| state.bodies == bodies) else {
            let Look { known, answer, visits } = look(a, pose_a, b, pose_b, now);
            self.state = Some(State { bodies, last: now, known, visits, patience: Patience::default() });
            return answer;
        };
        let answer = state.remembered(a, pose_a, b, pose_b, now).unwrap_or_else(|| {
            let Look { known, answer, visits } = look(a, pose_a, b, pose_b, now);
            (state.known, state.visits) = (known, visits);
            answer
        });
        state.last = now;
        self.state = Some(state);
        answer
    }
}

impl State {
    /// The answer, if what is known gives it or a clearance is found; the second body is at `now` in the
    /// frame of the first.
    fn remembered<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
        now: Pose,
    ) -> Option<Collision> {
        let (at, gap, inside) = match self.known {
            Known::Meeting(triangles) => {
                let meet = still_meet(a, pose_a, b, pose_b, triangles);
                return meet.then(|| Collision::Surfaces(vec![triangles]));
            }
            Known::Clear { gap: 0.0, .. } if self.visits < CHEAP_VISITS => return None,
            Known::Clear { at, gap, inside } => (at, gap, inside),
        };
        let moved = displacement(a, b, &at, &now);
        if moved < gap {
            return Some(inside.collision());
        }
        if self.visits < CHEAP_VISITS || !self.patience.is_over() {
            return None;
        }
        let duo = Duo::new(a, pose_a, b, pose_b);
        let step = displacement(a, b, &self.last, &now);
        let fresh = clearance(&duo, STEPS_AHEAD * step, CLEARANCE_VISITS);
        self.patience.note(fresh >= WORTH_STEPS * step);
        if fresh <= 0.0 {
            return None;
        }
        // A point that moved less than both gaps together was near a surface neither then nor now, nor in
        // between.
        let inside = if moved < gap + fresh { inside } else { Inside::of(&duo) };
        self.known = Known::Clear { at: now, gap: fresh, inside };
        Some(inside.collision())
    }
}

/// Asks anew.
fn look<B: Bound>(a: &Hierarchy<B>, pose_a: &Pose, b: &Hierarchy<B>, pose_b: &Pose, now: Pose) -> Look {
    let (answer, visits) = collide_counting(a, pose_a, b, pose_b, Extent::Any);
    let clear = |inside| Known::Clear { at: now, gap: 0.0, inside };
    let known = match &answer {
        Collision::None => clear(Inside::Neither),
        Collision::FirstInside => clear(Inside::First),
        Collision::SecondInside => clear(Inside::Second),
        Collision::Surfaces(pairs) => {
            pairs.first().map_or(clear(Inside::Neither), |&triangles| Known::Meeting(triangles))
        }
    };
    Look { known, answer, visits }
}

impl Inside {
    /// For bodies whose surfaces do not meet.
    fn of<B: Bound>(duo: &Duo<'_, B>) -> Inside {
        if find_inside(duo.a, duo.b, &duo.b_in_a.inverse()).is_some() {
            Inside::First
        } else if find_inside(duo.b, duo.a, &duo.b_in_a).is_some() {
            Inside::Second
        } else {
            Inside::Neither
        }
    }

    fn collision(self) -> Collision {
        match self {
            Inside::Neither => Collision::None,
            Inside::First => Collision::FirstInside,
            Inside::Second => Collision::SecondInside,
        }
    }
}

impl Patience {
    fn is_over(&mut self) -> bool {
        let over = self.wait == 0;
        self.wait = self.wait.saturating_sub(1);
        over
    }

    fn note(&mut self, is_worth_it: bool) {
        self.next_wait = if is_worth_it { 0 } else { (2 * self.next_wait + 1).min(LONGEST_WAIT) };
        self.wait = self.next_wait;
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
