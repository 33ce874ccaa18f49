//! Building a hierarchy from the top down: halve the triangles, fit bounds to the halves, go on.

use super::{Child, Hierarchy, LeafTriangle, Node, Surface, next_id};
use crate::bounds::Bound;
use crate::lanes::LANES;
use crate::triangle::across;
use silvia_solid::{Aabb, Mat3, Vec3, symmetric_eigen};
use std::sync::OnceLock;

/// How a set of triangles is divided in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// Paper 1 §2.2: a plane through the mean of the triangles' middles, across that principal axis for which
    /// the two bounds have the least volume together.
    Principal,
    /// The plane across a coordinate axis with the least sum of (box area times triangles), among 16 places
    /// an axis.
    #[default]
    SurfaceArea,
    /// As by [`Split::SurfaceArea`], or by the direction that triangles face, whichever leaves bounds of the
    /// least volume together: so that the flanks of a thread, or the sides of a slot, come apart early.
    /// Takes longer to build.
    Patches,
}

/// How to build a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// How to divide.
    pub split: Split,
    /// The most triangles in a leaf, at least 1.
    pub leaf_size: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions { split: Split::default(), leaf_size: 1 }
    }
}

impl<B: Bound> Hierarchy<B> {
    /// Builds with the default options.
    pub fn new(surface: impl Into<Surface>) -> Hierarchy<B> {
        Hierarchy::with_options(surface, &BuildOptions::default())
    }

    /// Builds a hierarchy over a solid or a soup. Parallel; the same result on any number of threads.
    pub fn with_options(surface: impl Into<Surface>, options: &BuildOptions) -> Hierarchy<B> {
        let surface = surface.into();
        let soup = surface.soup();
        let mut triangles: Vec<LeafTriangle> = (0..soup.triangles().len())
            .map(|t| LeafTriangle { corners: soup.corners(t), id: t as u32 })
            .collect();
        let leaf_size = options.leaf_size.max(1);
        let builder = Builder { split: options.split, leaf_size };
        let whole = B::fit(triangles.iter().map(|t| &t.corners));
        let mut branch = if triangles.len() <= leaf_size {
            Branch { nodes: Vec::new(), leaves: vec![triangles.len() as u32] }
        } else {
            builder.branch(&mut triangles)
        };
        let child = if branch.nodes.is_empty() { Child::leaf(0) } else { Child::node(0) };
        let root = node(&[(whole, child)]);
        branch.shift(1, 0);
        let mut nodes = vec![root];
        if let Some(first) = nodes[0].child.first_mut().filter(|c| !c.is_leaf()) {
            *first = Child::node(1);
        }
        nodes.append(&mut branch.nodes);
        let mut leaf_start = vec![0u32];
        for length in branch.leaves {
            leaf_start.push(leaf_start[leaf_start.len() - 1] + length);
        }
        let pieces = surface.first_of_pieces().into_iter().map(|t| (Vec3::ZERO, t)).collect();
        let mut hierarchy = Hierarchy {
            surface,
            nodes,
            triangles,
            leaf_start,
            bounds: Aabb::EMPTY,
            magnitude: 0.0,
            radius: 0.0,
            pieces,
            owners: OnceLock::new(),
            touching: OnceLock::new(),
            hull_corners: OnceLock::new(),
            girth: OnceLock::new(),
            patches: OnceLock::new(),
            id: 0,
            tree: next_id(),
        };
        hierarchy.measure();
        hierarchy
    }
}

/// The part of a tree over some triangles, numbered from 0; its first node is its root.
struct Branch<B: Bound> {
    nodes: Vec<Node<B>>,
    /// Numbers of triangles.
    leaves: Vec<u32>,
}

impl<B: Bound> Branch<B> {
    /// Renumbers nodes and leaves, for being put behind others.
    fn shift(&mut self, nodes: usize, leaves: usize) {
        for child in self.nodes.iter_mut().flat_map(|n| &mut n.child) {
            *child = child.shifted(nodes, leaves);
        }
    }
}

impl Child {
    fn shifted(self, nodes: usize, leaves: usize) -> Child {
        match self {
            Child::NONE => Child::NONE,
            leaf if leaf.is_leaf() => Child::leaf(leaf.index() + leaves),
            node => Child::node(node.index() + nodes),
        }
    }
}

/// Below this many triangles a branch is built by one thread.
const PARALLEL: usize = 2048;

struct Builder {
    split: Split,
    leaf_size: usize,
}

impl Builder {
    /// The tree over more triangles than fit into a leaf; puts these into the order of the leaves.
    fn branch<B: Bound>(&self, triangles: &mut [LeafTriangle]) -> Branch<B> {
        let half = self.divide::<B>(triangles);
        let (left, right) = triangles.split_at_mut(half);
        let mut parts: Vec<&mut [LeafTriangle]> = Vec::with_capacity(LANES);
        for side in [left, right] {
            if side.len() > self.leaf_size {
                let half = self.divide::<B>(side);
                let (left, right) = side.split_at_mut(half);
                parts.extend([left, right]);
            } else {
                parts.push(side);
            }
        }
        let total: usize = parts.iter().map(|p| p.len()).sum();
        let built: Vec<(B, Branch<B>)> = if total > PARALLEL {
            use rayon::prelude::*;
            parts.into_par_iter().map(|part| self.part(part)).collect()
        } else {
            parts.into_iter().map(|part| self.part(part)).collect()
        };
        let mut nodes = Vec::with_capacity(1 + built.iter().map(|(_, b)| b.nodes.len()).sum::<usize>());
        let mut leaves = Vec::new();
        let mut children = Vec::with_capacity(LANES);
        let mut tail = Vec::new();
        for (bound, mut branch) in built {
            let first = 1 + tail.len();
            let child = if branch.nodes.is_empty() { Child::leaf(leaves.len()) } else { Child::node(first) };
            branch.shift(first, leaves.len());
            tail.append(&mut branch.nodes);
            leaves.append(&mut branch.leaves);
            children.push((bound, child));
        }
        nodes.push(node(&children));
        nodes.append(&mut tail);
        Branch { nodes, leaves }
    }

    fn part<B: Bound>(&self, triangles: &mut [LeafTriangle]) -> (B, Branch<B>) {
        let bound = B::fit(triangles.iter().map(|t| &t.corners));
        if triangles.len() <= self.leaf_size {
            (bound, Branch { nodes: Vec::new(), leaves: vec![triangles.len() as u32] })
        } else {
            (bound, self.branch(triangles))
        }
    }

    /// Puts the triangles into two groups, neither empty, and returns how many are in the first.
    fn divide<B: Bound>(&self, triangles: &mut [LeafTriangle]) -> usize {
        let half = match self.split {
            Split::Principal => divide_principal::<B>(triangles),
            Split::SurfaceArea => divide_by_area(triangles),
            Split::Patches => divide_into_patches::<B>(triangles),
        };
        if half == 0 || half == triangles.len() { triangles.len() / 2 } else { half }
    }
}

/// Fills a node; lanes that are not used repeat the first bound.
fn node<B: Bound>(children: &[(B, Child)]) -> Node<B> {
    let lane = |i: usize| &children[if i < children.len() { i } else { 0 }];
    let lanes = [lane(0), lane(1), lane(2), lane(3)];
    let mut child = [Child::NONE; LANES];
    child.iter_mut().zip(children).for_each(|(c, (_, given))| *c = *given);
    Node { pack: B::pack(lanes.map(|(b, _)| b)), size: lanes.map(|(b, _)| b.size() as f32), child }
}

/// The reference point of a triangle, times three.
fn middle3(t: &LeafTriangle) -> Vec3 {
    t.corners[0] + t.corners[1] + t.corners[2]
}

/// Moves the triangles for which `is_first` holds to the front, keeping the order among them and the others.
fn partition(triangles: &mut [LeafTriangle], is_first: impl Fn(&LeafTriangle) -> bool) -> usize {
    let (first, second): (Vec<_>, Vec<_>) = triangles.iter().copied().partition(|t| is_first(t));
    triangles[..first.len()].copy_from_slice(&first);
    triangles[first.len()..].copy_from_slice(&second);
    first.len()
}

fn divide_principal<B: Bound>(triangles: &mut [LeafTriangle]) -> usize {
    let mean = triangles.iter().map(middle3).sum::<Vec3>() / triangles.len() as f64;
    let mut covariance = Mat3::ZERO;
    for t in triangles.iter() {
        let d = middle3(t) - mean;
        covariance += Mat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let axes = symmetric_eigen(covariance).1;
    let is_first = |axis: usize| move |t: &LeafTriangle| (middle3(t) - mean).dot(axes.col(axis)) < 0.0;
    let volumes = [2, 1, 0].map(|axis| {
        let group =
            |wanted: bool| triangles.iter().filter(move |t| is_first(axis)(t) == wanted).map(|t| &t.corners);
        let is_empty = group(true).next().is_none() || group(false).next().is_none();
        let volume = if is_empty {
            f64::INFINITY
        } else {
            B::fit(group(true)).volume() + B::fit(group(false)).volume()
        };
        (axis, volume)
    });
    let best = volumes.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(2, |&(axis, _)| axis);
    partition(triangles, is_first(best))
}

fn divide_into_patches<B: Bound>(triangles: &mut [LeafTriangle]) -> usize {
    let volume = |half: usize, triangles: &[LeafTriangle]| {
        if half == 0 || half == triangles.len() {
            return f64::INFINITY;
        }
        let (first, second) = triangles.split_at(half);
        [first, second].map(|part| B::fit(part.iter().map(|t| &t.corners)).volume()).iter().sum()
    };
    let mut facing = triangles.to_vec();
    let by_facing = divide_by_facing(&mut facing);
    let by_area = divide_by_area(triangles);
    if volume(by_facing, &facing) < volume(by_area, triangles) {
        triangles.copy_from_slice(&facing);
        by_facing
    } else {
        by_area
    }
}

/// By the sides of a plane through the mean of the normals, across the direction in which they differ most.
fn divide_by_facing(triangles: &mut [LeafTriangle]) -> usize {
    let normal = |t: &LeafTriangle| across(&t.corners).normalize_or_zero();
    let mean = triangles.iter().map(normal).sum::<Vec3>() / triangles.len() as f64;
    let mut covariance = Mat3::ZERO;
    for t in triangles.iter() {
        let d = normal(t) - mean;
        covariance += Mat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    // In the order of their values, the greatest last.
    let axis = symmetric_eigen(covariance).1.col(2);
    partition(triangles, |t| (normal(t) - mean).dot(axis) < 0.0)
}

fn divide_by_area(triangles: &mut [LeafTriangle]) -> usize {
    const BINS: usize = 16;
    let bounds = Aabb::of(triangles.iter().map(middle3));
    let size = bounds.size();
    let mut best: Option<(f64, usize, usize)> = None;
    for axis in 0..3 {
        if size[axis] <= 0.0 {
            continue;
        }
        let scale = BINS as f64 / size[axis];
        let bin = |t: &LeafTriangle| (((middle3(t)[axis] - bounds.min[axis]) * scale) as usize).min(BINS - 1);
        let mut boxes = [(Aabb::EMPTY, 0usize); BINS];
        for t in triangles.iter() {
            let (bound, count) = &mut boxes[bin(t)];
            *bound = t.corners.iter().fold(*bound, |b, &p| b.grown(p));
            *count += 1;
        }
        let area = |(b, count): (Aabb, usize)| {
            let s = b.size();
            if count == 0 { 0.0 } else { count as f64 * (s.x * s.y + s.y * s.z + s.z * s.x) }
        };
        let join = |a: (Aabb, usize), b: (Aabb, usize)| (a.0.merged(b.0), a.1 + b.1);
        let mut above = [(Aabb::EMPTY, 0usize); BINS];
        for i in (0..BINS - 1).rev() {
            above[i] = join(above[i + 1], boxes[i + 1]);
        }
        let mut below = (Aabb::EMPTY, 0usize);
        for i in 0..BINS - 1 {
            below = join(below, boxes[i]);
            if below.1 == 0 || above[i].1 == 0 {
                continue;
            }
            let cost = area(below) + area(above[i]);
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, i));
            }
        }
    }
    let Some((_, axis, last)) = best else { return 0 };
    let scale = BINS as f64 / size[axis];
    partition(triangles, |t| (((middle3(t)[axis] - bounds.min[axis]) * scale) as usize).min(BINS - 1) <= last)
}
