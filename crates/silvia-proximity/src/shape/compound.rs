//! Shapes made of shapes.

use super::{Shape, ShapeError, coordinates};
use crate::ray::LocalRay;
use silvia_solid::{Aabb, Pose, Vec3};
use std::sync::Arc;

/// Several shapes, each at a pose, with a tree of boxes over them.
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Arc<[CompoundPart]>,
    tree: Arc<Tree>,
}

/// A part of a compound.
#[derive(Clone, Debug)]
pub struct CompoundPart {
    /// In the frame of the compound.
    pub pose: Pose,
    /// Never a compound itself.
    pub shape: Shape,
}

/// Boxes over the parts, in the frame of the compound.
#[derive(Debug)]
struct Tree {
    /// The root is the last; empty if no part is bounded.
    nodes: Vec<Node>,
    /// The parts that go on for ever.
    unbounded: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    under: Under,
}

#[derive(Clone, Copy, Debug)]
enum Under {
    Part(u32),
    Nodes([u32; 2]),
}

impl Compound {
    pub(super) fn new(parts: impl IntoIterator<Item = (Pose, Shape)>) -> Result<Compound, ShapeError> {
        let mut flat = Vec::new();
        for (pose, shape) in parts {
            match shape {
                Shape::Compound(inner) => flat.extend(
                    inner
                        .parts
                        .iter()
                        .map(|p| CompoundPart { pose: pose.compose(&p.pose), shape: p.shape.clone() }),
                ),
                shape @ (Shape::Point(_)
                | Shape::Segment(_)
                | Shape::Triangle(_)
                | Shape::Polygon(_)
                | Shape::Sphere(_)
                | Shape::Box(_)
                | Shape::Cylinder(_)
                | Shape::Cone(_)
                | Shape::Capsule(_)
                | Shape::Ellipsoid(_)
                | Shape::HalfSpace(_)
                | Shape::Cavity(_)
                | Shape::Convex(_)
                | Shape::Solid(_)
                | Shape::Soup(_)) => flat.push(CompoundPart { pose, shape }),
            }
        }
        if flat.is_empty() {
            return Err(ShapeError::EmptyCompound);
        }
        let places: Vec<Vec3> = flat.iter().map(|part| part.pose.translation()).collect();
        coordinates("compound", &places)?;
        let tree = Arc::new(Tree::over(&flat));
        Ok(Compound { parts: flat.into(), tree })
    }

    /// All parts. A compound within a compound is flattened.
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    pub(super) fn scaled(&self, factor: f64) -> Result<Compound, ShapeError> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for CompoundPart { pose, shape } in self.parts.iter() {
            let pose = Pose::new(pose.translation() * factor, pose.rotation())
                .map_err(|e| ShapeError::pose(factor, &e))?;
            parts.push((pose, shape.scaled(factor)?));
        }
        Compound::new(parts)
    }

    pub(super) fn support(&self, direction: Vec3) -> Option<Vec3> {
        let mut best: Option<Vec3> = None;
        for CompoundPart { pose, shape } in self.parts.iter() {
            let back = pose.rotation().conjugate();
            let p = pose.transform_point(shape.support(back * direction)?);
            if best.is_none_or(|b| p.dot(direction) > b.dot(direction)) {
                best = Some(p);
            }
        }
        best
    }

    /// Calls a function with the number of each part that may be nearer than a limit to something in a box
    /// (in the frame of the compound), the nearest boxes first as far as the tree tells. The function returns
    /// the new limit.
    pub(super) fn visit_near(&self, other: &Aabb, limit: f64, mut visit: impl FnMut(usize) -> f64) {
        let mut limit = limit;
        for &part in &self.tree.unbounded {
            limit = visit(part as usize);
        }
        let Some(root) = self.tree.nodes.len().checked_sub(1) else { return };
        let apart = |node: u32| box_distance(&self.tree.nodes[node as usize].bounds, other);
        let mut stack = vec![(apart(root as u32), root as u32)];
        while let Some((lower, node)) = stack.pop() {
            if lower > limit {
                continue;
            }
            match self.tree.nodes[node as usize].under {
                Under::Part(part) => limit = visit(part as usize),
                Under::Nodes(two) => {
                    let [first, second] = two.map(|n| (apart(n), n));
                    // The last one pushed is the first one opened.
                    stack.extend(if second.0 < first.0 { [first, second] } else { [second, first] });
                }
            }
        }
    }
}

impl Compound {
    /// Calls a function with the number of each part that a ray (in the frame of the compound) may meet
    /// within a reach, those whose boxes it enters first before the others, as far as the tree tells. The
    /// function returns the new reach.
    pub(super) fn visit_along(&self, ray: &LocalRay, mut visit: impl FnMut(usize) -> f64) {
        let mut reach = ray.reach;
        for &part in &self.tree.unbounded {
            reach = visit(part as usize);
        }
        let Some(root) = self.tree.nodes.len().checked_sub(1) else { return };
        let entered = |node: u32| ray.enters(&self.tree.nodes[node as usize].bounds).map(|at| (at, node));
        let mut stack = Vec::from_iter(entered(root as u32));
        while let Some((enters, node)) = stack.pop() {
            if enters > reach {
                continue;
            }
            match self.tree.nodes[node as usize].under {
                Under::Part(part) => reach = visit(part as usize),
                Under::Nodes(two) => {
                    let first = stack.len();
                    stack.extend(two.into_iter().filter_map(entered));
                    // The last one pushed is the first one opened.
                    stack[first..].sort_by(|x, y| y.0.total_cmp(&x.0));
                }
            }
        }
    }
}

impl Tree {
    fn over(parts: &[CompoundPart]) -> Tree {
        let boxes: Vec<Aabb> = parts.iter().map(|p| p.shape.aabb(&p.pose)).collect();
        let is_bounded = |i: u32| {
            let Aabb { min, max } = boxes[i as usize];
            min.is_finite() && max.is_finite()
        };
        let (mut bounded, unbounded): (Vec<u32>, Vec<u32>) =
            (0..parts.len() as u32).partition(|&i| is_bounded(i));
        let mut tree = Tree { nodes: Vec::with_capacity(2 * bounded.len()), unbounded };
        if !bounded.is_empty() {
            tree.build(&boxes, &mut bounded);
        }
        tree
    }

    /// Halves the parts across the longest side of the box around their middles. Returns the number of the
    /// node.
    fn build(&mut self, boxes: &[Aabb], parts: &mut [u32]) -> u32 {
        let bounds = parts.iter().map(|&i| boxes[i as usize]).fold(Aabb::EMPTY, Aabb::merged);
        let under = if let [part] = *parts {
            Under::Part(part)
        } else {
            let middle = |i: u32| boxes[i as usize].center();
            let size = Aabb::of(parts.iter().map(|&i| middle(i))).size();
            let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
            parts.sort_unstable_by(|&i, &j| middle(i)[axis].total_cmp(&middle(j)[axis]).then(i.cmp(&j)));
            let (low, high) = parts.split_at_mut(parts.len() / 2);
            Under::Nodes([self.build(boxes, low), self.build(boxes, high)])
        };
        self.nodes.push(Node { bounds, under });
        self.nodes.len() as u32 - 1
    }
}

/// Of two boxes along the same axes, which may be infinite, m.
pub(super) fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length()
}
