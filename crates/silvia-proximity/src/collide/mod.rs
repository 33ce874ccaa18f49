//! Do two bodies touch, and where (paper 1 §2.3, at an instant; paper 3 appendix C, RAPID's job).

mod cache;

pub use cache::CollisionCache;

use crate::bounds::Bound;
use crate::containment::find_inside;
use crate::duo::{Duo, Opened, Under};
use crate::hierarchy::Hierarchy;
use crate::lanes::{LANES, with_simd};
use silvia_solid::{Pose, TriangleId, triangles_intersect};

/// How two bodies touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Collision {
    /// They share no point.
    None,
    /// Their surfaces meet in these pairs of triangles, in ascending order, the first body's triangle first.
    /// With [`Extent::Any`] there is one.
    Surfaces(Vec<[TriangleId; 2]>),
    /// The first lies within the second, without touching its surface.
    FirstInside,
    /// The second lies within the first, without touching its surface.
    SecondInside,
}

impl Collision {
    /// Whether they share a point.
    pub fn is_some(&self) -> bool {
        *self != Collision::None
    }

    /// The pairs of triangles that meet; empty if none do or one body is inside the other.
    pub fn pairs(&self) -> &[[TriangleId; 2]] {
        match self {
            Collision::Surfaces(pairs) => pairs,
            _ => &[],
        }
    }
}

/// How much a collision query reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Whether they touch, and one pair of triangles if their surfaces do.
    Any,
    /// All pairs of triangles.
    All,
}

/// Whether two bodies share a point. A solid is filled: whatever is inside it touches it.
///
/// The triangles of `b` are first placed in the frame of `a`, which rounds. From there on every decision is
/// exact.
pub fn collide<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    extent: Extent,
) -> Collision {
    collide_counting(a, pose_a, b, pose_b, extent).0
}

/// Also says how many pairs of bounds were opened or measured.
fn collide_counting<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    extent: Extent,
) -> (Collision, u32) {
    let duo = Duo::new(a, pose_a, b, pose_b);
    let (mut pairs, visits) = with_simd(
        #[inline(always)]
        || crossing(&duo, extent),
    );
    // If not even the outermost bounds meet.
    if visits == 0 {
        return (Collision::None, 0);
    }
    let answer = if !pairs.is_empty() {
        pairs.sort_unstable();
        Collision::Surfaces(pairs)
    } else if find_inside(a, b, &duo.b_in_a.inverse()).is_some() {
        Collision::FirstInside
    } else if find_inside(b, a, &duo.b_in_a).is_some() {
        Collision::SecondInside
    } else {
        Collision::None
    };
    (answer, visits)
}

/// The pairs of triangles that meet, and how many pairs of bounds within the outermost ones had to be looked
/// into.
#[inline(always)]
fn crossing<B: Bound>(duo: &Duo<'_, B>, extent: Extent) -> (Vec<[TriangleId; 2]>, u32) {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    let mut under = Under::Node(Opened::ROOTS);
    let mut visits = 0;
    loop {
        match under {
            Under::Triangles(a, b) => {
                for tb in b.triangles {
                    let corners = duo.corners_of_b(tb);
                    for ta in a.triangles {
                        if triangles_intersect(&ta.corners, &corners) {
                            found.push([TriangleId(ta.id), TriangleId(tb.id)]);
                            if extent == Extent::Any {
                                return (found, visits);
                            }
                        }
                    }
                }
            }
            Under::Node(opened) => {
                let disjoint = duo.disjoint(&opened);
                for lane in (0..LANES).rev() {
                    if !disjoint[lane] {
                        stack.push(opened.child(lane));
                    }
                }
            }
        }
        let Some(pair) = stack.pop() else { return (found, visits) };
        visits += 1;
        under = duo.under(pair);
    }
}
