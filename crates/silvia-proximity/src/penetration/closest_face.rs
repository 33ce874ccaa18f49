//! Paper 5 §6.5: the interior of a convex solid divided beforehand into regions, one for each face, so that
//! the face closest to a point is looked up.
//!
//! The regions (the pseudo Voronoi regions of the paper) are kept as a tree of boxes, each with the faces
//! whose region reaches into it. If one vertex of the other body is inside, moving it to its closest face
//! separates the bodies unless some other part is caught (paper 5, figure 23): the check of the translation
//! tells.

use super::along::Sweep;
use super::{Penetration, PenetrationError, PenetrationMethod, Question, Way};
use crate::bounds::Bound;
use crate::hierarchy::Hierarchy;
use silvia_solid::{Aabb, FaceId, Plane, Pose, Solid, Vec3};

/// A box with no more faces than this is not divided further.
const FEW: usize = 4;

/// How often a box is divided at most.
const DEPTH: usize = 12;

/// The interior of a convex solid, divided into regions by closest face. Made once, for many queries.
#[derive(Clone, Debug)]
pub struct ClosestFaces {
    planes: Vec<Plane>,
    bounds: Aabb,
    root: Cell,
}

#[derive(Clone, Debug)]
enum Cell {
    /// Faces that may be the closest somewhere in the box.
    Leaf(Vec<u32>),
    /// Halves across an axis, the lower first.
    Split(usize, f64, Box<[Cell; 2]>),
}

impl ClosestFaces {
    /// Divides the interior of a convex solid.
    pub fn new(solid: &Solid) -> Result<ClosestFaces, PenetrationError> {
        if !solid.is_convex() {
            return Err(PenetrationError::NotConvex { body: 0 });
        }
        let planes: Vec<Plane> = solid.faces().map(|f| solid.plane(f)).collect();
        let bounds = solid.bounds();
        let all = (0..planes.len() as u32).collect();
        let root = divide(&planes, all, bounds, DEPTH);
        Ok(ClosestFaces { planes, bounds, root })
    }

    /// The face closest to a point inside the solid, in its frame, and how deep the point is behind it;
    /// `None` outside.
    pub fn closest(&self, p: Vec3) -> Option<(FaceId, f64)> {
        if !(p.cmpge(self.bounds.min).all() && p.cmple(self.bounds.max).all()) {
            return None;
        }
        let mut cell = &self.root;
        loop {
            match cell {
                Cell::Split(axis, middle, halves) => cell = &halves[usize::from(p[*axis] > *middle)],
                Cell::Leaf(faces) => {
                    let depth = |&f: &u32| (-self.planes[f as usize].distance(p), f);
                    let (depth, face) = faces.iter().map(depth).min_by(|x, y| x.0.total_cmp(&y.0))?;
                    return (depth > 0.0).then_some((FaceId(face), depth));
                }
            }
        }
    }

    /// Moves that bring a vertex of B inside A to its closest face: the shortest one that separates the
    /// bodies. `None` if none does, or the bodies are apart. A is the solid of these regions.
    pub fn penetration<B: Bound>(
        &self,
        a: &Hierarchy<B>,
        pose_a: &Pose,
        b: &Hierarchy<B>,
        pose_b: &Pose,
    ) -> Option<Penetration> {
        let question = Question { a, pose_a, b, pose_b };
        let sweep = Sweep::new(a, b, pose_a.inverse().compose(pose_b));
        let (depth, direction) = self.shortest(b, &sweep.b_in_a, |by| sweep.is_free(by), sweep.margin)?;
        Some(question.answer(&Way { depth, direction, lower: 0.0 }, PenetrationMethod::ClosestFace))
    }

    /// The least depth and its direction, in the frame of the solid, of the moves that `is_free` allows.
    fn shortest<B: Bound>(
        &self,
        other: &Hierarchy<B>,
        other_in_this: &Pose,
        is_free: impl Fn(Vec3) -> bool,
        margin: f64,
    ) -> Option<(f64, Vec3)> {
        let mut deepest: Vec<Option<f64>> = vec![None; self.planes.len()];
        for &p in other.surface.soup().points() {
            if let Some((face, depth)) = self.closest(other_in_this.transform_point(p)) {
                let known = &mut deepest[face.index()];
                *known = Some(known.map_or(depth, |d| d.max(depth)));
            }
        }
        let mut moves: Vec<(f64, Vec3)> =
            deepest.iter().zip(&self.planes).filter_map(|(d, plane)| Some(((*d)?, plane.normal))).collect();
        moves.sort_by(|x, y| x.0.total_cmp(&y.0));
        moves.into_iter().find(|&(depth, normal)| is_free((depth + margin) * normal))
    }
}

/// By the regions of whichever bodies are convex: vertices of B to faces of A, and the other way round.
pub(super) fn between<B: Bound>(
    question: &Question<'_, B>,
    convex: [Option<&Solid>; 2],
) -> Option<Penetration> {
    let sweep = Sweep::new(question.a, question.b, question.pose_a.inverse().compose(question.pose_b));
    let mut best: Option<(f64, Vec3)> = None;
    for (body, solid) in convex.into_iter().enumerate() {
        let Some(regions) = solid.and_then(|s| ClosestFaces::new(s).ok()) else { continue };
        let b_in_a = sweep.b_in_a;
        let found = if body == 0 {
            regions.shortest(question.b, &b_in_a, |by| sweep.is_free(by), sweep.margin)
        } else {
            // A's vertices go along B's normal, so B goes against it.
            let turned = |by: Vec3| -b_in_a.transform_vector(by);
            regions
                .shortest(question.a, &b_in_a.inverse(), |by| sweep.is_free(turned(by)), sweep.margin)
                .map(|(depth, normal)| (depth, turned(normal)))
        };
        if let Some(found) = found
            && best.is_none_or(|b| found.0 < b.0)
        {
            best = Some(found);
        }
    }
    let (depth, direction) = best?;
    Some(question.answer(&Way { depth, direction, lower: 0.0 }, PenetrationMethod::ClosestFace))
}

/// A face reaches into a box if somewhere in it it may be the least deep: if its least depth there is no more
/// than the greatest depth of every other.
fn divide(planes: &[Plane], faces: Vec<u32>, bounds: Aabb, depth: usize) -> Cell {
    let (middle, half) = (bounds.center(), 0.5 * bounds.size());
    let range = |f: u32| {
        let plane = &planes[f as usize];
        let (at, spread) = (-plane.distance(middle), plane.normal.abs().dot(half));
        (at - spread, at + spread)
    };
    let ceiling = faces.iter().map(|&f| range(f).1).fold(f64::INFINITY, f64::min);
    let slack = 1e-12 * bounds.magnitude();
    let faces: Vec<u32> = faces.into_iter().filter(|&f| range(f).0 <= ceiling + slack).collect();
    // Outside the solid: nobody asks there.
    let outside = ceiling < 0.0;
    if faces.len() <= FEW || depth == 0 || outside {
        return Cell::Leaf(faces);
    }
    let size = bounds.size();
    let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let (mut low, mut high) = (bounds, bounds);
    low.max[axis] = middle[axis];
    high.min[axis] = middle[axis];
    let halves = [divide(planes, faces.clone(), low, depth - 1), divide(planes, faces, high, depth - 1)];
    Cell::Split(axis, middle[axis], Box::new(halves))
}
