//! Whether a body that deforms meets itself: through its hierarchy against itself, then triangle by triangle,
//! exactly.

use super::mesh::boxes_free_until;
use super::path::{BodyPath, MeshEnds, VertexPath};
use super::{Crossing, PathCheck};
use crate::bounds::{Bound, Obb};
use crate::contacts::{ContactBody, ContactGeometry};
use crate::feature::Feature;
use crate::hierarchy::{Child, Slot};
use crate::impact::Triangles;
use crate::lanes::LANES;
use crate::triangle::{TriangleFeature, triangle_distance};
use silvia_solid::{Mat3, Vec3, triangles_intersect};

/// Whether a body that deforms stays clear of itself all the way, both ends included. Exact.
///
/// It meets itself where a vertex touches a triangle that it is no corner of, where two sides of triangles
/// touch that have no end in common, or, at the start, where triangles share more than their common corners
/// and sides. So two vertices at one place touch: make one of them ([`weld`](silvia_solid::repair)) where
/// the surface is to hold together.
///
/// Every triangle is compared with its neighbours: that costs more than a look at another body, and grows
/// with the number of triangles.
///
/// ```
/// use silvia_proximity::{ContactBody, Shape, VertexPath, check_path_of_itself};
/// use silvia_solid::{Soup, Vec3};
/// // A strip of three squares; the last is folded back over the first.
/// let strip = |last: [f64; 2]| -> Vec<Vec3> {
///     let along = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.5], last];
///     along.iter().flat_map(|&[x, z]| [Vec3::new(x, 0.0, z), Vec3::new(x, 1.0, z)]).collect()
/// };
/// let squares = (0..3).flat_map(|k| [[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 1, 2 * k + 2, 2 * k + 3]]);
/// let here = ContactBody::new(&Shape::soup(Soup::new(strip([0.5, 0.5]), squares.collect())?));
/// let mut there = here.clone();
/// there.move_vertices(&strip([0.5, 0.1]))?;
/// assert!(check_path_of_itself(&here, VertexPath::new(&here, &there)?).is_free());
/// there.move_vertices(&strip([0.5, -0.5]))?;
/// let check = check_path_of_itself(&here, VertexPath::new(&here, &there)?);
/// assert!((check.free_until - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_path_of_itself(body: &ContactBody, path: VertexPath<'_>) -> PathCheck {
    /// Beyond this nothing is certified, m.
    const FARTHEST: f64 = 1e100;
    let Some(path) = BodyPath::new(body, path.into()) else { return PathCheck::unknown() };
    let ([start], [end]) = (path.start, path.end) else { return PathCheck::unknown() };
    let (ContactGeometry::Mesh(at_start), ContactGeometry::Mesh(at_end)) = (&start.part, &end.part) else {
        return PathCheck::unknown();
    };
    let mesh = MeshEnds { start: at_start, end: at_end };
    if mesh.start.magnitude.max(mesh.end.magnitude) > FARTHEST {
        return PathCheck::unknown();
    }
    let mut search = Search::new(mesh);
    search.run();
    let Search { first, work, .. } = search;
    let Some(mut first) = first else {
        return PathCheck { free_until: 1.0, crossing: None, at_start: false, work };
    };
    first.crossing.points = first.crossing.points.map(|p| start.pose.transform_point(p));
    first.crossing.normal = start.pose.transform_vector(first.crossing.normal);
    let at_start = first.crossing.upper <= 0.0;
    PathCheck { free_until: first.free_until, crossing: Some(first.crossing), at_start, work }
}

/// Where it meets itself.
struct First {
    free_until: f64,
    crossing: Crossing,
}

struct Search<'a> {
    mesh: MeshEnds<'a>,
    /// What rounding can do to a gap between bounds, m.
    slack: f64,
    first: Option<First>,
    work: u64,
}

impl<'a> Search<'a> {
    fn new(mesh: MeshEnds<'a>) -> Search<'a> {
        /// What measuring gaps can lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        let slack = ROUNDING * 2.0 * (mesh.start.magnitude + mesh.end.magnitude);
        Search { mesh, slack, first: None, work: 0 }
    }

    /// What is free until after this is of no interest.
    fn limit(&self) -> f64 {
        self.first.as_ref().map_or(1.0, |first| first.crossing.upper)
    }

    fn run(&mut self) {
        let mut stack = vec![(0.0, [Slot::ROOT; 2])];
        while let Some((lower, [a, b])) = stack.pop() {
            if lower > self.limit() {
                continue;
            }
            let children = [a, b].map(|slot| self.mesh.start.child(slot));
            if a == b {
                if children[0].is_leaf() {
                    self.test_leaves(children, lower);
                } else {
                    self.open(children[0].index(), &mut stack);
                }
                continue;
            }
            if children.iter().all(|child| child.is_leaf()) {
                self.test_leaves(children, lower);
                continue;
            }
            let is_first_opened = children[1].is_leaf()
                || !children[0].is_leaf() && self.mesh.start.size(a) >= self.mesh.start.size(b);
            let (node, other) =
                if is_first_opened { (children[0].index(), b) } else { (children[1].index(), a) };
            let free = self.free_until(node, other);
            let limit = self.limit();
            let near = (0..LANES).filter(|&lane| free[lane] <= limit);
            stack.extend(near.map(|lane| (free[lane].max(lower), [Slot::new(node, lane), other])));
        }
    }

    /// All children of a node, each with itself and with those before it.
    fn open(&mut self, node: usize, stack: &mut Vec<(f64, [Slot; 2])>) {
        let limit = self.limit();
        for lane in (0..LANES).filter(|&lane| self.mesh.start.nodes[node].child[lane] != Child::NONE) {
            let slot = Slot::new(node, lane);
            stack.push((0.0, [slot; 2]));
            let free = self.free_until(node, slot);
            let near = (0..lane).filter(|&other| free[other] <= limit);
            stack.extend(near.map(|other| (free[other], [Slot::new(node, other), slot])));
        }
    }

    /// Until when the children of a node and another bound are certainly apart.
    fn free_until(&mut self, node: usize, other: Slot) -> [f64; LANES] {
        self.work += 1;
        let MeshEnds { start, end } = self.mesh;
        let packs = [&start.nodes[node].pack, &end.nodes[node].pack];
        let bound =
            |nodes: &[crate::hierarchy::Node<Obb>]| Obb::unpack(&nodes[other.node()].pack, other.lane());
        let boxes = [bound(&start.nodes), bound(&end.nodes)];
        let mut free = boxes_free_until(packs, &boxes, &Mat3::IDENTITY, self.slack);
        for (free, child) in free.iter_mut().zip(&start.nodes[node].child) {
            if *child == Child::NONE {
                *free = f64::INFINITY;
            }
        }
        free
    }

    /// Tests each pair of triangles of two leaves once.
    fn test_leaves(&mut self, leaves: [Child; 2], lower: f64) {
        let [a, b] = leaves.map(|leaf| self.mesh.start.leaf(leaf));
        for i in (a.start as usize..).take(a.triangles.len()) {
            for j in (b.start as usize..).take(b.triangles.len()) {
                if leaves[0] != leaves[1] || i < j {
                    self.test([i, j], lower);
                }
            }
        }
    }

    /// Tests two triangles, by their positions among those of the leaves.
    fn test(&mut self, triangles: [usize; 2], lower: f64) {
        self.work += 1;
        let surface = self.mesh.start.surface();
        let ids = triangles.map(|t| self.mesh.start.triangles[t].id);
        let vertices = ids.map(|id| surface.soup().triangles()[id as usize]);
        let corners = triangles.map(|t| self.mesh.corners(t).map(|c| *c));
        if lower <= 0.0 && meet_at_start(vertices, [&corners[0][0], &corners[1][0]]) {
            let near = triangle_distance(&corners[0][0], &corners[1][0]);
            let faces = ids.map(|id| Feature::of(surface, id, TriangleFeature::Face));
            self.keep(0.0, 0.0, faces, near.points, Vec3::ZERO);
            return;
        }
        let owned = ids.map(|id| self.mesh.start.owners()[id as usize]);
        let pair = Triangles { surfaces: [surface; 2], corners, ids };
        let is_shared = |side: usize, k: usize| vertices[1 - side].contains(&vertices[side][k % 3]);
        for k in 0..3 {
            for (side, owned) in owned.iter().enumerate() {
                if owned.corner(k)
                    && !is_shared(side, k)
                    && let Some(c) = pair.vertex_face(side, k, self.limit())
                {
                    self.keep(c.lower, c.upper, c.features, c.points, c.normal);
                }
            }
            for l in 0..3 {
                let ends =
                    [[k, (k + 1) % 3].map(|k| vertices[0][k]), [l, (l + 1) % 3].map(|l| vertices[1][l])];
                if owned[0].side(k)
                    && owned[1].side(l)
                    && !ends[0].iter().any(|end| ends[1].contains(end))
                    && let Some(c) = pair.edge_edge(k, l, self.limit())
                {
                    self.keep(c.lower, c.upper, c.features, c.points, c.normal);
                }
            }
        }
    }

    /// Keeps what comes first.
    fn keep(&mut self, lower: f64, upper: f64, features: [Feature; 2], points: [Vec3; 2], normal: Vec3) {
        let is_earlier = |first: &First| (lower, upper) < (first.free_until, first.crossing.upper);
        if self.first.as_ref().is_none_or(is_earlier) {
            let features = features.map(Some);
            let crossing = Crossing { parts: [0; 2], features, points, normal, upper, sag: None };
            self.first = Some(First { free_until: lower, crossing });
        }
    }
}

/// Whether triangles, given by the numbers and places of their corners, share more than what they have in
/// common by these numbers. Of two with a common side the elementary tests tell: they do only in one plane.
/// A triangle that names a vertex twice is not certified beside one that shares a vertex with it.
fn meet_at_start(vertices: [[u32; 3]; 2], corners: [&[Vec3; 3]; 2]) -> bool {
    let shared = |k: &usize| vertices[1].contains(&vertices[0][*k]);
    let is_folded = |[a, b, c]: [u32; 3]| a == b || b == c || c == a;
    match (0..3).filter(shared).count() {
        1.. if vertices.into_iter().any(is_folded) => true,
        0 => triangles_intersect(corners[0], corners[1]),
        1 => [0, 1].into_iter().any(|i| {
            // Beyond the common corner only if the side across from it, of one, meets the other.
            let common = (0..3).find(|&k| vertices[1 - i].contains(&vertices[i][k])).unwrap_or(0);
            let [p, q] = [1, 2].map(|next| corners[i][(common + next) % 3]);
            triangles_intersect(&[p, q, q], corners[1 - i])
        }),
        2 => false,
        _ => true,
    }
}
