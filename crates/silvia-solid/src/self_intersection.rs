//! Finds triangles of one surface that cut through each other.

use crate::intersect::{segment_meets_triangle, triangles_intersect};
use crate::predicates::{COORDINATE_PLANES, is_collinear, side, turn};
use crate::topology::Mesh;
use crate::{Aabb, Soup, TriangleId, Vec3};
use rayon::prelude::*;
#[cfg(feature = "boolean")]
use std::collections::BTreeMap;

/// All pairs of triangles that share more than the corners and sides they have in common by index, in order,
/// with the lower number of each pair first. Exact. Slower than the other checks: about a second per million
/// triangles.
pub fn self_intersections(soup: &Soup) -> Vec<(TriangleId, TriangleId)> {
    let mesh = Mesh::of(soup);
    let (boxes, tree) = boxes_of(&mesh);
    let mut pairs: Vec<(TriangleId, TriangleId)> = (0..boxes.len() as u32)
        .into_par_iter()
        .flat_map_iter(|a| {
            let mut found = Vec::new();
            tree.overlapping(&boxes, &boxes[a as usize], |b| {
                if a < b && cuts(&mesh, a, b) {
                    found.push((TriangleId(a), TriangleId(b)));
                }
                true
            });
            found
        })
        .collect();
    pairs.par_sort_unstable();
    pairs
}

/// Triangles of one surface that pass through each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfCrossings {
    /// One pair, the lower number first.
    pub first: (TriangleId, TriangleId),
    /// How many pairs there are; if that is as many as were asked for, there may be more.
    pub count: usize,
}

/// Whether a surface passes through itself. Triangles that merely touch, or lie on each other, do not count.
/// Exact; counts up to about `most` pairs.
///
/// ```
/// use silvia_solid::{Soup, Vec3, primitives::cuboid, self_crossings};
/// let boxes = |apart: f64| -> Result<Soup, Box<dyn std::error::Error>> {
///     let (mut points, mut triangles) = cuboid(Vec3::ONE)?.into_parts();
///     let (others, of_others) = (points.clone(), triangles.clone());
///     points.extend(others.iter().map(|p| *p + Vec3::new(0.3, 0.2, apart)));
///     triangles.extend(of_others.iter().map(|t| t.map(|v| v + 8)));
///     Ok(Soup::new(points, triangles)?)
/// };
/// assert!(self_crossings(&boxes(0.5)?, 1000).is_some());
/// assert_eq!(self_crossings(&boxes(1.0)?, 1000), None); // one stands on the other
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_crossings(soup: &Soup, most: usize) -> Option<SelfCrossings> {
    /// Triangles looked at in parallel before it is seen whether there are enough pairs.
    const BLOCK: usize = 4096;
    let mesh = Mesh::of(soup);
    let (boxes, tree) = boxes_of(&mesh);
    let of_triangle = |a: u32| {
        let (mut least, mut count) = (u32::MAX, 0);
        tree.overlapping(&boxes, &boxes[a as usize], |b| {
            if a < b && pass_through(mesh.corners(a), mesh.corners(b)) {
                (least, count) = (least.min(b), count + 1);
            }
            count < most
        });
        (a, least, count)
    };
    let mut found: Option<SelfCrossings> = None;
    let triangles: Vec<u32> = (0..boxes.len() as u32).collect();
    for block in triangles.chunks(BLOCK) {
        let of_block: Vec<(u32, u32, usize)> = block.par_iter().map(|&a| of_triangle(a)).collect();
        for (a, b, count) in of_block.into_iter().filter(|(_, _, count)| *count > 0) {
            let so_far =
                found.get_or_insert(SelfCrossings { first: (TriangleId(a), TriangleId(b)), count: 0 });
            so_far.count += count;
        }
        if found.is_some_and(|found| found.count >= most) {
            break;
        }
    }
    found
}

/// Which components pass through each other, or through themselves: the lower number first, with the first
/// triangle that does. Triangles that merely touch do not count.
#[cfg(feature = "boolean")]
pub(crate) fn crossing_components(mesh: &Mesh, component_of: &[u32]) -> BTreeMap<(u32, u32), u32> {
    let (boxes, tree) = boxes_of(mesh);
    let of_triangle = |a: u32| {
        let mut found = Vec::new();
        tree.overlapping(&boxes, &boxes[a as usize], |b| {
            let [of_a, of_b] = [a, b].map(|t| component_of[t as usize]);
            let pair = (of_a.min(of_b), of_a.max(of_b));
            if a < b && !found.contains(&pair) && pass_through(mesh.corners(a), mesh.corners(b)) {
                found.push(pair);
            }
            true
        });
        found.into_iter().map(move |pair| (pair, a))
    };
    let found: Vec<((u32, u32), u32)> =
        (0..boxes.len() as u32).into_par_iter().flat_map_iter(of_triangle).collect();
    let mut first = BTreeMap::new();
    for (pair, triangle) in found {
        first.entry(pair).or_insert(triangle);
    }
    first
}

/// The boxes of triangles, and a tree of them.
fn boxes_of(mesh: &Mesh) -> (Vec<Aabb>, BoxTree) {
    let boxes: Vec<Aabb> = (0..mesh.triangles.len() as u32).map(|t| Aabb::of(mesh.corners(t))).collect();
    let tree = BoxTree::of(&boxes);
    (boxes, tree)
}

/// Whether two triangles pass through each other: each has corners on both sides of the other's plane, and
/// what they share of the line in which the planes meet is longer than a point (Guigue and Devillers 2003).
fn pass_through(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let (Some([p, q, r]), Some([s, t, u])) = (alone_first(a, b), alone_first(b, a)) else { return false };
    // Which of two sides goes through the line first: one from the first triangle, one from the second.
    let order = [(q, t), (q, u), (r, t), (r, u)].map(|(x, y)| side(p, x, s, y));
    order.iter().any(|&order| order > 0.0) && order.iter().any(|&order| order < 0.0)
}

/// The corners of a triangle, first the one that is alone on its side of another's plane; `None` if there
/// are corners on one side only.
fn alone_first(corners: [Vec3; 3], [a, b, c]: [Vec3; 3]) -> Option<[Vec3; 3]> {
    let sides = corners.map(|p| side(a, b, c, p));
    let are_parted = sides.iter().any(|&side| side > 0.0) && sides.iter().any(|&side| side < 0.0);
    let is_alone = |&k: &usize| {
        let others = [sides[(k + 1) % 3], sides[(k + 2) % 3]];
        sides[k] > 0.0 && others.iter().all(|&side| side <= 0.0)
            || sides[k] < 0.0 && others.iter().all(|&side| side >= 0.0)
    };
    let first = (0..3).find(is_alone).filter(|_| are_parted)?;
    Some([0, 1, 2].map(|k| corners[(first + k) % 3]))
}

/// Whether two triangles share more than the vertices they have in common.
fn cuts(mesh: &Mesh, a: u32, b: u32) -> bool {
    let (ta, tb) = (mesh.triangles[a as usize], mesh.triangles[b as usize]);
    let (ca, cb) = (mesh.corners(a), mesh.corners(b));
    let shared: Vec<usize> = (0..3).filter(|&k| tb.contains(&ta[k])).collect();
    // A triangle without area covers nothing that its neighbours do not cover.
    if !shared.is_empty() && (is_collinear(ca) || is_collinear(cb)) {
        return false;
    }
    match *shared {
        [] => triangles_intersect(&ca, &cb),
        [k] => {
            // Beyond the common corner, they can meet only if the side opposite to it, in one triangle, meets
            // the other triangle.
            let across_a = [ca[(k + 1) % 3], ca[(k + 2) % 3]];
            let across_b: Vec<Vec3> = (0..3).filter(|&j| tb[j] != ta[k]).map(|j| cb[j]).collect();
            segment_meets_triangle(across_a, &cb) || segment_meets_triangle([across_b[0], across_b[1]], &ca)
        }
        [i, j] => {
            // They overlap only if they are coplanar and on the same side of the common side.
            let (p, q) = (ca[i], ca[j]);
            let far_a = ca[3 - i - j];
            let far_b = (0..3).find(|&k| tb[k] != ta[i] && tb[k] != ta[j]).map(|k| cb[k]);
            far_b.is_some_and(|far_b| folds_over(p, q, far_a, far_b))
        }
        _ => true,
    }
}

/// Whether the triangles `p q a` and `p q b` overlap: coplanar, with `a` and `b` on the same side of `p q`.
fn folds_over(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> bool {
    side(p, q, a, b) == 0.0
        && COORDINATE_PLANES.into_iter().any(|plane| {
            let (first, second) = (turn(plane, p, q, a), turn(plane, p, q, b));
            first != 0.0 && second != 0.0 && (first > 0.0) == (second > 0.0)
        })
}

/// A balanced tree of boxes, split at the median of the longest axis. (The hierarchies for queries are in
/// another crate.)
struct BoxTree {
    order: Vec<u32>,
    /// The box of each range in depth-first order, root first, and the index of the second half's node.
    nodes: Vec<(Aabb, usize)>,
}

/// Ranges up to this length are searched one by one.
const LEAF: usize = 4;

impl BoxTree {
    fn of(boxes: &[Aabb]) -> BoxTree {
        let mut tree = BoxTree { order: (0..boxes.len() as u32).collect(), nodes: Vec::new() };
        let mut order = std::mem::take(&mut tree.order);
        tree.split(boxes, &mut order);
        tree.order = order;
        tree
    }

    fn split(&mut self, boxes: &[Aabb], order: &mut [u32]) {
        let bound = order.iter().fold(Aabb::EMPTY, |b, &t| b.merged(boxes[t as usize]));
        let node = self.nodes.len();
        self.nodes.push((bound, 0));
        if order.len() <= LEAF {
            return;
        }
        let size = bound.size();
        let axis = (0..3).max_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(0);
        let middle = |t: u32| boxes[t as usize].min[axis] + boxes[t as usize].max[axis];
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let (low, high) = order.split_at_mut(half);
        self.split(boxes, low);
        self.nodes[node].1 = self.nodes.len();
        self.split(boxes, high);
    }

    /// Visits the boxes that overlap another, until a visit says that it is enough.
    fn overlapping(&self, boxes: &[Aabb], query: &Aabb, mut visit: impl FnMut(u32) -> bool) {
        let mut stack = vec![(0usize, 0..self.order.len())];
        while let Some((node, range)) = stack.pop() {
            let (bound, second) = self.nodes[node];
            if !bound.overlaps(query) {
                continue;
            }
            if range.len() <= LEAF {
                let mut overlapping =
                    self.order[range].iter().filter(|&&t| boxes[t as usize].overlaps(query));
                if !overlapping.all(|&t| visit(t)) {
                    return;
                }
                continue;
            }
            let half = range.len() / 2;
            stack.push((second, range.start + half..range.end));
            stack.push((node + 1, range.start..range.start + half));
        }
    }
}
