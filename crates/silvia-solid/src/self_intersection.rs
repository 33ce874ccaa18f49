//! Finds triangles of one surface that cut through each other.

use crate::intersect::{segment_meets_triangle, triangles_intersect};
use crate::predicates::{COORDINATE_PLANES, is_collinear, side, turn};
use crate::topology::Mesh;
use crate::{Aabb, Soup, TriangleId, Vec3};
use rayon::prelude::*;

/// All pairs of triangles that share more than the corners and sides they have in common by index, in order,
/// with the lower number of each pair first. Exact. Slower than the other checks: about a second per million
/// triangles.
pub fn self_intersections(soup: &Soup) -> Vec<(TriangleId, TriangleId)> {
    let mesh = Mesh::of(soup);
    let boxes: Vec<Aabb> = (0..mesh.triangles.len() as u32).map(|t| Aabb::of(mesh.corners(t))).collect();
    let tree = BoxTree::of(&boxes);
    let mut pairs: Vec<(TriangleId, TriangleId)> = (0..boxes.len() as u32)
        .into_par_iter()
        .flat_map_iter(|a| {
            let mut found = Vec::new();
            tree.overlapping(&boxes, &boxes[a as usize], |b| {
                if a < b && cuts(&mesh, a, b) {
                    found.push((TriangleId(a), TriangleId(b)));
                }
            });
            found
        })
        .collect();
    pairs.par_sort_unstable();
    pairs
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

    fn overlapping(&self, boxes: &[Aabb], query: &Aabb, mut visit: impl FnMut(u32)) {
        let mut stack = vec![(0usize, 0..self.order.len())];
        while let Some((node, range)) = stack.pop() {
            let (bound, second) = self.nodes[node];
            if !bound.overlaps(query) {
                continue;
            }
            if range.len() <= LEAF {
                self.order[range]
                    .iter()
                    .filter(|&&t| boxes[t as usize].overlaps(query))
                    .for_each(|&t| visit(t));
                continue;
            }
            let half = range.len() / 2;
            stack.push((second, range.start + half..range.end));
            stack.push((node + 1, range.start..range.start + half));
        }
    }
}
