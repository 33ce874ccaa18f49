//! Distance from a point to a set of triangles: a small tree of boxes, enough to measure concavity.

use crate::{Aabb, Vec3};

/// Triangles in a tree of boxes.
pub(super) struct Triangles {
    /// In leaf order.
    corners: Vec<[Vec3; 3]>,
    nodes: Vec<Node>,
}

struct Node {
    bounds: Aabb,
    /// Range of its triangles.
    range: (u32, u32),
    /// The second child; the first one follows this node. `None` for a leaf.
    second: Option<u32>,
}

/// A node with at most this many triangles is a leaf.
const LEAF: usize = 4;

impl Triangles {
    pub(super) fn new(mut corners: Vec<[Vec3; 3]>) -> Triangles {
        let mut nodes = Vec::new();
        if !corners.is_empty() {
            let count = corners.len();
            build(&mut corners, 0, count, &mut nodes);
        }
        Triangles { corners, nodes }
    }

    /// The distance to the nearest triangle; infinite if there is none nearer than `limit`.
    pub(super) fn distance(&self, p: Vec3, limit: f64) -> f64 {
        let mut least = limit * limit;
        let mut found = f64::INFINITY;
        let mut stack: Vec<u32> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index as usize];
            if to_box(p, &node.bounds) >= least {
                continue;
            }
            match node.second {
                Some(second) => {
                    let first = index + 1;
                    let ahead = |i: u32| to_box(p, &self.nodes[i as usize].bounds);
                    stack.extend(if ahead(first) < ahead(second) {
                        [second, first]
                    } else {
                        [first, second]
                    });
                }
                None => {
                    for t in &self.corners[node.range.0 as usize..node.range.1 as usize] {
                        let d = to_triangle(p, t);
                        if d < least {
                            least = d;
                            found = d;
                        }
                    }
                }
            }
        }
        found.sqrt()
    }
}

fn build(corners: &mut [[Vec3; 3]], start: usize, end: usize, nodes: &mut Vec<Node>) {
    let bounds = Aabb::of(corners[start..end].iter().flatten().copied());
    let index = nodes.len();
    nodes.push(Node { bounds, range: (start as u32, end as u32), second: None });
    if end - start <= LEAF {
        return;
    }
    let size = bounds.size();
    let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let middle = |t: &[Vec3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
    let half = (start + end) / 2;
    corners[start..end].select_nth_unstable_by(half - start, |x, y| middle(x).total_cmp(&middle(y)));
    build(corners, start, half, nodes);
    nodes[index].second = Some(nodes.len() as u32);
    build(corners, half, end, nodes);
}

/// The squared distance from a point to a box.
fn to_box(p: Vec3, bounds: &Aabb) -> f64 {
    (p - p.clamp(bounds.min, bounds.max)).length_squared()
}

/// The squared distance from a point to a triangle: to its foot on the plane if that is inside, else to the
/// sides.
fn to_triangle(p: Vec3, t: &[Vec3; 3]) -> f64 {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let mut inside = n.length_squared() > 0.0;
    let mut least = f64::INFINITY;
    for k in 0..3 {
        let (a, u) = (t[k], t[(k + 1) % 3] - t[k]);
        let w = p - a;
        inside &= u.cross(w).dot(n) >= 0.0;
        let s = (w.dot(u) / u.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        least = least.min((w - s * u).length_squared());
    }
    if inside {
        let height = (p - t[0]).dot(n);
        return least.min(height * height / n.length_squared());
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives;

    #[test]
    fn the_tree_finds_what_trying_all_finds() {
        let soup = primitives::torus(1.0, 0.3, 20, 9).unwrap();
        let corners: Vec<[Vec3; 3]> = (0..soup.triangles().len()).map(|t| soup.corners(t)).collect();
        let tree = Triangles::new(corners.clone());
        for i in 0..500 {
            let turn = |ratio: f64| 3.0 * (f64::from(i) * ratio).fract() - 1.5;
            let p = Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478));
            let truth = corners.iter().map(|t| to_triangle(p, t)).fold(f64::INFINITY, f64::min).sqrt();
            assert_eq!(tree.distance(p, f64::INFINITY), truth);
            assert_eq!(tree.distance(p, 0.5 * truth), f64::INFINITY);
        }
    }

    #[test]
    fn the_distance_to_a_triangle_is_that_of_its_densest_sampling() {
        let t = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.5), Vec3::new(0.3, 1.0, 0.0)];
        for i in 0..100 {
            let turn = |ratio: f64| 3.0 * (f64::from(i) * ratio).fract() - 1.0;
            let p = Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478));
            let mut sampled = f64::INFINITY;
            for u in 0..=100 {
                for v in 0..=(100 - u) {
                    let at = t[0] + 0.01 * (f64::from(u) * (t[1] - t[0]) + f64::from(v) * (t[2] - t[0]));
                    sampled = sampled.min(p.distance(at));
                }
            }
            let found = to_triangle(p, &t).sqrt();
            assert!(found <= sampled + 1e-12 && found > sampled - 0.02, "{found} {sampled}");
        }
    }
}
