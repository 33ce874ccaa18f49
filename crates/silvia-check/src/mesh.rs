//! The triangles of a body, with the normals that tell inside from outside.

use crate::nearest::{self, Part};
use crate::tree::{Tree, distance_squared};
use silvia_solid::{Aabb, Soup, Vec3};
use std::collections::{HashMap, HashSet};

/// How many triangles are tried to find a point well inside.
const INNER_TRIES: usize = 64;

/// Triangles in the frame of their body.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) points: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) tree: Tree,
    /// The boxes of the tree's nodes.
    boxes: Vec<Aabb>,
    /// For each edge of each triangle, whether this triangle is the first that has it.
    owned: Vec<[bool; 3]>,
    /// One vertex of each connected surface.
    pub(crate) of_components: Vec<u32>,
    /// `None` if the mesh has no inside.
    pub(crate) inside: Option<Inside>,
}

/// Normals that tell on which side of the nearest surface a point is: of faces, and of edges and vertices,
/// weighted by the angles of the faces around them (Bærentzen and Aanæs, 2005).
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    faces: Vec<Vec3>,
    edges: Vec<[Vec3; 3]>,
    vertices: Vec<Vec3>,
    /// A point well inside.
    pub(crate) inner: Vec3,
}

impl Mesh {
    /// A mesh from triangles that bound a volume, outward.
    pub(crate) fn closed(soup: Soup) -> Mesh {
        let mut mesh = Mesh::open(soup);
        let inside =
            Inside { faces: mesh.face_normals(), edges: Vec::new(), vertices: Vec::new(), inner: Vec3::ZERO };
        mesh.inside = Some(mesh.with_normals(inside));
        let inner = mesh.find_inner();
        if let Some(inside) = &mut mesh.inside {
            inside.inner = inner;
        }
        mesh
    }

    /// A mesh from triangles without an inside.
    pub(crate) fn open(soup: Soup) -> Mesh {
        let (points, triangles) = soup.into_parts();
        let around = |t: &[u32; 3]| Aabb::of(t.map(|v| points[v as usize]));
        let of_triangles: Vec<Aabb> = triangles.iter().map(around).collect();
        let tree = Tree::over(&of_triangles);
        let boxes = tree.boxes(|t| of_triangles[t as usize]);
        let mut seen = HashSet::new();
        let owned = triangles.iter().map(|t| [0, 1, 2].map(|k| seen.insert(edge(t, k)))).collect();
        let of_components = components(points.len(), &triangles);
        Mesh { points, triangles, tree, boxes, owned, of_components, inside: None }
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.boxes.first().copied().unwrap_or(Aabb::EMPTY)
    }

    pub(crate) fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.points[v as usize])
    }

    /// Whether a triangle owns an edge. One of the triangles that share an edge owns it, so that it is
    /// processed once.
    pub(crate) fn owns_edge(&self, triangle: u32, k: usize) -> bool {
        self.owned[triangle as usize][k]
    }

    /// The signed depth of a point below the surface, m: positive inside.
    pub(crate) fn signed(&self, p: Vec3) -> f64 {
        self.signed_nearest(p).0
    }

    /// The same, with the nearest triangle.
    pub(crate) fn signed_nearest(&self, p: Vec3) -> (f64, u32) {
        let found = self.tree.least(
            &self.boxes,
            f64::INFINITY,
            |bounds| distance_squared(bounds, p),
            |t| {
                let (at, part) = nearest::on_triangle(&self.corners(t), p);
                (at.distance_squared(p), (t, at, part))
            },
        );
        let Some((_, (t, at, part))) = found else { return (f64::NEG_INFINITY, 0) };
        let distance = at.distance(p);
        let is_inside =
            self.inside.as_ref().is_some_and(|inside| inside.normal(self, t, part).dot(p - at) < 0.0);
        (if is_inside { distance } else { -distance }, t)
    }

    /// The nearest points of a segment and the triangles; the first is on the segment.
    pub(crate) fn nearest_to_segment(&self, ends: [Vec3; 2]) -> [Vec3; 2] {
        let around = Aabb::of(ends);
        let bound = |b: &Aabb| (b.min - around.max).max(around.min - b.max).max(Vec3::ZERO).length_squared();
        let found = self.tree.least(&self.boxes, f64::INFINITY, bound, |t| {
            let pair = nearest::of_segment_and_triangle(ends, &self.corners(t));
            (pair[0].distance_squared(pair[1]), pair)
        });
        found.map_or([Vec3::ZERO, Vec3::INFINITY], |(_, pair)| pair)
    }

    /// Calls a function with every triangle whose box overlaps a given box, all in the body's frame.
    pub(crate) fn visit(&self, other: &Aabb, found: impl FnMut(u32)) {
        self.tree.visit(&self.boxes, other, found);
    }

    fn face_normals(&self) -> Vec<Vec3> {
        let normal = |t: u32| {
            let [a, b, c] = self.corners(t);
            (b - a).cross(c - a).normalize_or_zero()
        };
        (0..self.triangles.len() as u32).map(normal).collect()
    }

    /// Adds the normals of edges and vertices to those of faces.
    fn with_normals(&self, mut inside: Inside) -> Inside {
        let mut of_edges: HashMap<[u32; 2], Vec3> = HashMap::new();
        let mut of_vertices = vec![Vec3::ZERO; self.points.len()];
        for (i, t) in self.triangles.iter().enumerate() {
            let [a, b, c] = t.map(|v| self.points[v as usize]);
            let angle = |p: Vec3, q: Vec3, r: Vec3| (q - p).cross(r - p).length().atan2((q - p).dot(r - p));
            let angles = [angle(a, b, c), angle(b, c, a), angle(c, a, b)];
            for k in 0..3 {
                *of_edges.entry(edge(t, k)).or_insert(Vec3::ZERO) += inside.faces[i];
                of_vertices[t[k] as usize] += angles[k] * inside.faces[i];
            }
        }
        let edges =
            |t: &[u32; 3]| [0, 1, 2].map(|k| of_edges.get(&edge(t, k)).copied().unwrap_or(Vec3::ZERO));
        inside.edges = self.triangles.iter().map(edges).collect();
        inside.vertices = of_vertices;
        inside
    }

    /// Moves inwards from the centres of some triangles until another part of the surface is as near, and
    /// returns the deepest point.
    fn find_inner(&self) -> Vec3 {
        let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
        let count = self.triangles.len();
        let size = self.bounds().size().length();
        for i in (0..count).step_by((count / INNER_TRIES).max(1)) {
            let [a, b, c] = self.corners(i as u32);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let mut step = size / 4096.0;
            while step < size {
                let p = (a + b + c) / 3.0 - step * normal;
                let depth = self.signed(p);
                if depth > best.0 {
                    best = (depth, p);
                }
                step *= 1.25;
            }
        }
        best.1
    }
}

impl Inside {
    fn normal(&self, mesh: &Mesh, triangle: u32, part: Part) -> Vec3 {
        let t = triangle as usize;
        match part {
            Part::Face => self.faces[t],
            Part::Edge(k) => self.edges[t][k],
            Part::Corner(k) => self.vertices[mesh.triangles[t][k] as usize],
        }
    }
}

/// The two vertices of an edge of a triangle, the lower number first.
fn edge(t: &[u32; 3], k: usize) -> [u32; 2] {
    let (v, w) = (t[k], t[(k + 1) % 3]);
    [v.min(w), v.max(w)]
}

/// The first vertex of each set of triangles connected by vertices.
fn components(points: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut leader: Vec<u32> = (0..points as u32).collect();
    fn find(leader: &mut [u32], mut v: u32) -> u32 {
        while leader[v as usize] != v {
            leader[v as usize] = leader[leader[v as usize] as usize];
            v = leader[v as usize];
        }
        v
    }
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (x, y) = (find(&mut leader, a), find(&mut leader, other));
            leader[x.max(y) as usize] = x.min(y);
        }
    }
    let mut firsts: Vec<u32> = triangles.iter().map(|t| find(&mut leader, t[0])).collect();
    firsts.sort_unstable();
    firsts.dedup();
    firsts
}
