//! Finds triangles of one surface that cut through each other.

use crate::intersect::{segment_meets_triangle, triangles_intersect};
use crate::predicates::{COORDINATE_PLANES, is_collinear, side, turn};
use crate::topology::{Mesh, NULL, previous};
use crate::winding::winding_number;
use crate::{Aabb, Soup, TriangleId, Vec3};
use rayon::prelude::*;
#[cfg(feature = "boolean")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;

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

/// Whether a surface passes through itself, or lies on itself so that something is inside twice, or between
/// two faces without thickness. Triangles that merely touch do not count, nor those that lie on each other
/// back to back. Exact; counts up to about `most` pairs. Shells that cross along edges of both and nowhere
/// else are not found.
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
/// assert!(self_crossings(&boxes(0.0)?, 1000).is_some()); // tops and bottoms in one plane
/// assert_eq!(self_crossings(&boxes(1.0)?, 1000), None); // one stands on the other
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_crossings(soup: &Soup, most: usize) -> Option<SelfCrossings> {
    /// Triangles looked at in parallel before it is seen whether there are enough pairs.
    const BLOCK: usize = 4096;
    let mesh = Mesh::of(soup);
    let (component_of, components) = mesh.components();
    let (boxes, tree) = boxes_of(&mesh);
    let of_triangle = |a: u32| {
        let (mut least, mut count) = (u32::MAX, 0);
        tree.overlapping(&boxes, &boxes[a as usize], |b| {
            if a < b && pass_through(&mesh, &component_of, a, b) {
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
    found.or_else(|| membrane(&mesh, &component_of, components, &boxes, &tree))
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
            if a < b && !found.contains(&pair) && pass_through(mesh, component_of, a, b) {
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

/// Whether the surface passes through itself where two triangles are: they cross, or lie on each other facing
/// the same way, or the surface goes through one of them along a side of the other.
fn pass_through(mesh: &Mesh, component_of: &[u32], a: u32, b: u32) -> bool {
    let (ca, cb) = (mesh.corners(a), mesh.corners(b));
    let Some(of_a) = sides_of(ca, cb) else { return false };
    if of_a == [0.0; 3] {
        // A face whose triangulation is folded over by rounding has its triangles in one component. Its
        // boundary is right all the same.
        let is_fold = component_of[a as usize] == component_of[b as usize];
        return !is_fold && overlap_in_plane(ca, cb) == Some(true);
    }
    let Some(of_b) = sides_of(cb, ca) else { return false };
    cross(ca, of_a, cb, of_b) || goes_through(mesh, a, of_a, b) || goes_through(mesh, b, of_b, a)
}

/// On which side of another's plane the corners of a triangle are; none if all are strictly on one side.
fn sides_of(corners: [Vec3; 3], [a, b, c]: [Vec3; 3]) -> Option<[f64; 3]> {
    let sides = corners.map(|p| side(a, b, c, p));
    let is_beside = sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
    (!is_beside).then_some(sides)
}

/// Whether two triangles cross: each has corners on both sides of the other's plane, and what they share of
/// the line in which the planes meet is longer than a point (Guigue and Devillers 2003).
fn cross(a: [Vec3; 3], of_a: [f64; 3], b: [Vec3; 3], of_b: [f64; 3]) -> bool {
    let (Some([p, q, r]), Some([s, t, u])) = (alone_first(a, of_a), alone_first(b, of_b)) else {
        return false;
    };
    // Which of two sides goes through the line first: one from the first triangle, one from the second.
    let order = [(q, t), (q, u), (r, t), (r, u)].map(|(x, y)| side(p, x, s, y));
    order.iter().any(|&order| order > 0.0) && order.iter().any(|&order| order < 0.0)
}

/// Whether the surface goes through triangle `b` along a side of triangle `a`: the side lies in `b`, and the
/// two triangles that meet at it are on either side of `b`.
fn goes_through(mesh: &Mesh, a: u32, of_a: [f64; 3], b: u32) -> bool {
    let Some(far) = (0..3).find(|&k| of_a[k] != 0.0 && of_a[(k + 1) % 3] == 0.0 && of_a[(k + 2) % 3] == 0.0)
    else {
        return false;
    };
    let along = 3 * a + (far as u32 + 1) % 3;
    let mate = mesh.mate[along as usize];
    // Each side is looked at once: from its first triangle.
    if mate >= NULL || mate < along || mate / 3 == b {
        return false;
    }
    let point = |vertex: u32| mesh.points[vertex as usize];
    let [c, d, e] = mesh.corners(b);
    let beyond = side(c, d, e, point(mesh.from(previous(mate))));
    beyond * of_a[far] < 0.0 && is_within([point(mesh.from(along)), point(mesh.to(along))], [c, d, e])
}

/// Whether a segment in the plane of a triangle has more than a point in the triangle's inside.
fn is_within([p, q]: [Vec3; 2], t: [Vec3; 3]) -> bool {
    let Some((plane, inward)) = projection(t) else { return false };
    let along = t.map(|corner| turn(plane, p, q, corner));
    let is_parted = along.iter().any(|&side| side > 0.0) && along.iter().any(|&side| side < 0.0);
    is_parted && !is_beside(plane, inward, t, &[p, q])
}

/// For two triangles in one plane: whether they face the same way, if the area that they share is not zero.
fn overlap_in_plane(a: [Vec3; 3], b: [Vec3; 3]) -> Option<bool> {
    let (plane, turn_a) = projection(a)?;
    let turn_b = turn(plane, b[0], b[1], b[2]);
    let is_apart = turn_b == 0.0 || is_beside(plane, turn_a, a, &b) || is_beside(plane, turn_b, b, &a);
    (!is_apart).then_some((turn_a > 0.0) == (turn_b > 0.0))
}

/// Whether a side of a triangle has all points beyond it or on it. `inward`: how the triangle turns.
fn is_beside(plane: (usize, usize), inward: f64, t: [Vec3; 3], points: &[Vec3]) -> bool {
    (0..3).any(|k| points.iter().all(|&p| turn(plane, t[k], t[(k + 1) % 3], p) * inward.signum() <= 0.0))
}

/// A coordinate plane in which a triangle has an area, and how it turns there; none if it has no area.
fn projection([a, b, c]: [Vec3; 3]) -> Option<((usize, usize), f64)> {
    let mut turns = COORDINATE_PLANES.into_iter().map(|plane| (plane, turn(plane, a, b, c)));
    turns.find(|(_, turn)| *turn != 0.0)
}

/// A cavity that is open at a face of another shell: the two lie on each other back to back, and there is
/// nothing between them. What else lies so has material on both sides, as where one box stands on another.
fn membrane(
    mesh: &Mesh,
    component_of: &[u32],
    components: usize,
    boxes: &[Aabb],
    tree: &BoxTree,
) -> Option<SelfCrossings> {
    let is_cavity = turned_inwards(mesh, component_of, components);
    if !is_cavity.contains(&true) {
        return None;
    }
    // One pair of triangles tells for a pair of shells.
    let mut looked_at = BTreeSet::new();
    for a in 0..boxes.len() as u32 {
        let mut first = None;
        tree.overlapping(boxes, &boxes[a as usize], |b| {
            let [of_a, of_b] = [a, b].map(|t| component_of[t as usize]);
            if is_cavity[of_a as usize] && !is_cavity[of_b as usize] && !looked_at.contains(&(of_a, of_b)) {
                let (ca, cb) = (mesh.corners(a), mesh.corners(b));
                let is_in_plane = sides_of(ca, cb) == Some([0.0; 3]);
                if is_in_plane && overlap_in_plane(ca, cb) == Some(false) {
                    looked_at.insert((of_a, of_b));
                    first = Some(b).filter(|&b| !is_solid_beside(mesh, a, b)).or(first);
                }
            }
            first.is_none()
        });
        if let Some(b) = first {
            return Some(SelfCrossings { first: (TriangleId(a.min(b)), TriangleId(a.max(b))), count: 1 });
        }
    }
    None
}

/// Which components enclose less than nothing: cavities.
fn turned_inwards(mesh: &Mesh, component_of: &[u32], components: usize) -> Vec<bool> {
    let mut volumes = vec![0.0; components];
    let origin = mesh.points.first().copied().unwrap_or(Vec3::ZERO);
    for (t, &component) in component_of.iter().enumerate() {
        let [a, b, c] = mesh.corners(t as u32).map(|p| p - origin);
        volumes[component as usize] += a.dot(b.cross(c));
    }
    volumes.into_iter().map(|volume| volume < 0.0).collect()
}

/// Whether there is material beside two triangles that lie on each other back to back: by the winding number
/// of all others, which is the same on either side.
fn is_solid_beside(mesh: &Mesh, a: u32, b: u32) -> bool {
    let at = within_both(mesh.corners(a), mesh.corners(b));
    let others = mesh.triangles.iter().enumerate().filter(|(t, _)| *t != a as usize && *t != b as usize);
    let others: Vec<[u32; 3]> = others.map(|(_, corners)| *corners).collect();
    winding_number(&mesh.points, &others, at) > 0.5
}

/// A point within two triangles that overlap in one plane: the middle of what they share.
fn within_both(a: [Vec3; 3], b: [Vec3; 3]) -> Vec3 {
    let normal = (b[1] - b[0]).cross(b[2] - b[0]);
    let mut shared = a.to_vec();
    for k in 0..3 {
        let (from, inward) = (b[k], normal.cross(b[(k + 1) % 3] - b[k]));
        let height = |p: Vec3| (p - from).dot(inward);
        let mut kept = Vec::new();
        for (i, &p) in shared.iter().enumerate() {
            let q = shared[(i + 1) % shared.len()];
            let (hp, hq) = (height(p), height(q));
            if hp >= 0.0 {
                kept.push(p);
            }
            if hp * hq < 0.0 {
                kept.push(p.lerp(q, hp / (hp - hq)));
            }
        }
        shared = kept;
    }
    shared.iter().sum::<Vec3>() / shared.len().max(1) as f64
}

/// The corners of a triangle, first the one that is alone on its side of another's plane; `None` if there
/// are corners on one side only. `sides`: on which side each is.
fn alone_first(corners: [Vec3; 3], sides: [f64; 3]) -> Option<[Vec3; 3]> {
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
