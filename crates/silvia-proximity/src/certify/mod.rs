//! Whether a step of two bodies is free (DESIGN "Stepping").
//!
//! Every body goes on a [`Path`] from one pose to another: each vertex of a mesh on a straight line, and so the centre of a
//! ball, the ends of a capsule's axis, and the points of a can or a cone (of which the turning about their own axis, which does
//! not move them, is left out). The path of a half-space is in [`Path::about`]. At both ends a body is what it is at these
//! poses; on the way one that turns is bent a little.

mod check;
mod mesh;
mod mover;
mod pair;
mod plane;

use crate::contacts::ContactBody;
use crate::feature::Feature;
use check::{Check, Side};
use silvia_solid::{Aabb, Pose, Vec3};

/// A body's way over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Where the body is at the start.
    pub from: Pose,
    /// Where it is at the end.
    pub to: Pose,
    /// The point about which it turns (its centre of mass), in its own frame, m. Only half-spaces need it: their plane goes through
    /// the foot of this point on it, which goes straight, and their normal goes straight from one direction to the other.
    pub about: Vec3,
}

impl Path {
    /// No motion.
    pub fn still(pose: Pose) -> Path {
        Path { from: pose, to: pose, about: Vec3::ZERO }
    }

    fn bodies(&self) -> [Pose; 2] {
        [self.from, self.to]
    }
}

/// What comes first in the way of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Of compounds, the numbers of the parts; else 0.
    pub parts: [u32; 2],
    /// What touches, numbered as in [`ShapeDistance`](crate::shape::ShapeDistance); none where all of one part is inside the other.
    pub features: [Option<Feature>; 2],
    /// Where, on the first and on the second body, m, at [`PathCheck::free_until`].
    pub points: [Vec3; 2],
    /// A unit vector from the first body to the second; zero where parts overlap so far that none is known.
    pub normal: Vec3,
    /// The fraction of the step by which they touch.
    pub upper: f64,
}

/// Whether a step is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathCheck {
    /// From 0 to this fraction of the step the bodies are certainly apart; 1 if the step is free.
    pub free_until: f64,
    /// What they come to; `None` if the whole step is free, its end included.
    pub crossing: Option<Crossing>,
    /// Whether they touch or overlap at the start, so that nothing can be said of the step.
    pub at_start: bool,
    /// How much was looked at: opened nodes, triangles, and moments of pairs.
    pub work: u64,
}

impl PathCheck {
    /// Whether the step is free, its end included.
    pub fn is_free(&self) -> bool {
        self.crossing.is_none()
    }
}

/// Whether two bodies are apart all the way, both ends included; touching is not.
pub fn check_path(a: &ContactBody, path_a: &Path, b: &ContactBody, path_b: &Path) -> PathCheck {
    let mut check = Check::new();
    let (boxes_a, boxes_b) = (swept_boxes(a, path_a), swept_boxes(b, path_b));
    for (i, part_a) in a.parts.iter().enumerate() {
        for (j, part_b) in b.parts.iter().enumerate() {
            if boxes_a[i].overlaps(&boxes_b[j]) {
                let sides = [(part_a, path_a), (part_b, path_b)];
                check.look([i as u32, j as u32], sides.map(|(placed, path)| Side::new(placed, path)));
            }
        }
    }
    let Check { free_until, crossing, work } = check;
    let at_start = crossing.is_some_and(|c| c.upper <= 0.0);
    PathCheck { free_until, crossing, at_start, work }
}

/// A box around a body all over its path, rounding included; of half-spaces as of [`Shape::aabb`].
pub fn swept_box(body: &ContactBody, path: &Path) -> Aabb {
    swept_boxes(body, path).into_iter().fold(Aabb::EMPTY, Aabb::merged)
}

/// A box around each part: what goes straight stays between its ends.
fn swept_boxes(body: &ContactBody, path: &Path) -> Vec<Aabb> {
    let [start, end] = path.bodies().map(|pose| body.boxes(&pose, 0.0));
    start.iter().zip(&end).map(|((_, from), (_, to))| from.merged(*to)).collect()
}
