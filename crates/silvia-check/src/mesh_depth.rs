//! The depth of two meshes, and of a simple piece and a mesh.

use crate::body::Swept;
use crate::depth::closest;
use crate::largest;
use crate::mesh::Mesh;
use crate::piece::Simple;
use crate::refine::deepest;
use crate::signed::Curved;
use silvia_solid::predicates::side;
use silvia_solid::{Aabb, Pose, Vec3};

/// A rod whose core is within this distance of a triangle meets it, as a fraction of the mesh's size.
const MEETING: f64 = 1e-13;

/// How many parts of edges inside the other mesh are measured along their length: the longest and deepest
/// ones.
const MEASURED_PARTS: usize = 48;

/// A mesh at a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) pose: &'a Pose,
    pub(crate) swept: &'a Swept,
}

/// An edge of a mesh that passes through a triangle of the other.
struct Pierced {
    ends: [Vec3; 2],
    /// Position along the edge, from 0 to 1.
    at: f64,
    /// The smaller distance of its two ends from the triangle's plane, m.
    reach: f64,
}

/// The depth of two meshes, m; 0 if they do not overlap. `pairs` are all pairs of triangles whose boxes
/// overlap.
pub(crate) fn of_meshes(a: &Posed<'_>, b: &Posed<'_>, pairs: &[[u32; 2]]) -> f64 {
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    for &[s, t] in pairs {
        a.pierce(s, &b.corners(t), &mut of_a);
        b.pierce(t, &a.corners(s), &mut of_b);
    }
    let common = a.holds_inner_of(b).max(b.holds_inner_of(a));
    let is_crossed = !of_a.is_empty() || !of_b.is_empty();
    if !is_crossed && common <= 0.0 && !a.holds_part_of(b) && !b.holds_part_of(a) {
        return 0.0;
    }
    if a.mesh.inside.is_none() && b.mesh.inside.is_none() {
        return of_a.iter().chain(&of_b).map(|pierced| pierced.reach).fold(0.0, f64::max);
    }
    let depth = a.deepest_of(b, of_b, common.max(0.0));
    b.deepest_of(a, of_a, depth)
}

/// The depth of a simple piece and a mesh, m; at most 0 if they do not overlap. All in the mesh's frame.
pub(crate) fn of_simple(piece: &Simple, mesh: &Mesh) -> f64 {
    match piece {
        Simple::Ball { center, radius } => mesh.signed(*center) + radius,
        Simple::Rod { ends, radius } => of_rod(*ends, *radius, mesh),
        Simple::Round(round) => of_curved(round, piece, mesh),
        Simple::Ellipsoid(ellipsoid) => of_curved(ellipsoid, piece, mesh),
        Simple::HalfSpace(plane) => {
            mesh.points.iter().map(|&p| -plane.distance(p)).fold(f64::NEG_INFINITY, f64::max)
        }
        Simple::Cavity(cavity) => cavity.depth_of_points(mesh.points.iter().copied()),
        Simple::Triangle(corners) => deepest(mesh, [*corners], 0.0),
    }
}

fn of_rod(ends: [Vec3; 2], radius: f64, mesh: &Mesh) -> f64 {
    let [p, q] = mesh.nearest_to_segment(ends);
    let apart = p.distance(q);
    let meets = apart <= MEETING * mesh.bounds().size().length();
    if mesh.inside.is_none() {
        let reach = if radius == 0.0 { reach_through(ends, mesh) } else { 0.0 };
        return (radius - apart).max(reach);
    }
    if meets || mesh.signed(ends[0]) > 0.0 {
        let [a, b] = ends;
        return radius + deepest(mesh, [[a, b, b]], 0.0);
    }
    radius - apart
}

/// How far a segment reaches through a mesh without an inside, m.
fn reach_through(ends: [Vec3; 2], mesh: &Mesh) -> f64 {
    let mut reach = 0.0_f64;
    mesh.visit(&Aabb::of(ends), |t| {
        if let Some(pierced) = pierce(ends, &mesh.corners(t)) {
            reach = reach.max(pierced.reach);
        }
    });
    reach
}

fn of_curved(curved: &dyn Curved, piece: &Simple, mesh: &Mesh) -> f64 {
    // If the middle is inside the mesh at all, both have it in common.
    let inner = curved.inner_points().map(|p| mesh.signed(p) + curved.signed(p));
    let mut depth = inner.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let mut near = Vec::new();
    mesh.visit(&piece.bounds(), |t| near.push(t));
    near.sort_unstable();
    for t in near {
        let corners = mesh.corners(t);
        let [a, b, c] = corners;
        let middle = (a + b + c) / 3.0;
        let radius = corners.map(|p| p.distance(middle)).into_iter().fold(0.0, f64::max);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if curved.signed(middle) + radius <= depth.max(0.0) || are_apart(curved, piece, &corners, normal) {
            continue;
        }
        let found = closest(piece, &Simple::Triangle(corners)).depth;
        depth = depth.max(found);
        if found > 0.0 && mesh.inside.is_some() {
            depth = depth.max(mesh.signed(piece.support(-normal)));
        }
    }
    depth
}

/// Whether a quick test separates a curved piece from a triangle.
fn are_apart(curved: &dyn Curved, piece: &Simple, corners: &[Vec3; 3], normal: Vec3) -> bool {
    let triangle = Simple::Triangle(*corners);
    let (_, [.., axis], _) = curved.frame();
    let parts = |d: Vec3| triangle.support(-d).dot(d) >= piece.support(d).dot(d);
    normal != Vec3::ZERO && [normal, -normal, axis, -axis].into_iter().any(parts)
}

impl Posed<'_> {
    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh.triangles[triangle as usize].map(|v| self.swept.now[v as usize])
    }

    /// Finds the edges of a triangle that pass through another one.
    fn pierce(&self, triangle: u32, other: &[Vec3; 3], found: &mut Vec<Pierced>) {
        let corners = self.corners(triangle);
        for k in 0..3 {
            if self.mesh.owns_edge(triangle, k) {
                found.extend(pierce([corners[k], corners[(k + 1) % 3]], other));
            }
        }
    }

    /// A point of the world in the body's frame.
    fn local(&self, p: Vec3) -> Vec3 {
        self.pose.rotation().conjugate() * (p - self.pose.translation())
    }

    /// The signed depth of a point of the world, m.
    fn signed(&self, p: Vec3) -> f64 {
        self.mesh.signed(self.local(p))
    }

    /// The sum of depths at a point well inside the other mesh; negative if that point is not inside this
    /// one.
    fn holds_inner_of(&self, other: &Posed<'_>) -> f64 {
        let (Some(_), Some(inside)) = (&self.mesh.inside, &other.mesh.inside) else {
            return f64::NEG_INFINITY;
        };
        let here = self.signed(other.pose.transform_point(inside.inner));
        if here > 0.0 { here + other.mesh.signed(inside.inner) } else { here }
    }

    /// Whether a vertex of any connected component of the other mesh is inside.
    fn holds_part_of(&self, other: &Posed<'_>) -> bool {
        let vertices = &other.mesh.of_components;
        self.mesh.inside.is_some() && vertices.iter().any(|&v| self.signed(other.swept.now[v as usize]) > 0.0)
    }

    /// The greatest depth of the other's surface below this one's, if it exceeds `known`.
    fn deepest_of(&self, other: &Posed<'_>, edges: Vec<Pierced>, known: f64) -> f64 {
        if self.mesh.inside.is_none() {
            return known;
        }
        let mut depth = known;
        for [p, q] in self.parts_inside(edges) {
            depth = depth.max(largest::on_segment([p, q], |p| self.signed(p)).value);
        }
        let bounds = self.mesh.bounds();
        let near = other.mesh.triangles.iter().filter_map(|t| {
            let corners = t.map(|v| self.local(other.swept.now[v as usize]));
            Aabb::of(corners).overlaps(&bounds).then_some(corners)
        });
        deepest(self.mesh, near, depth)
    }

    /// The parts of pierced edges that are inside: those that may be deepest.
    fn parts_inside(&self, mut edges: Vec<Pierced>) -> Vec<[Vec3; 2]> {
        let key = |e: &Pierced| e.ends.map(|p| p.to_array());
        let order = |x: &[[f64; 3]; 2], y: &[[f64; 3]; 2]| {
            x.as_flattened()
                .iter()
                .zip(y.as_flattened())
                .fold(std::cmp::Ordering::Equal, |o, (x, y)| o.then(x.total_cmp(y)))
        };
        edges.sort_by(|x, y| order(&key(x), &key(y)).then(x.at.total_cmp(&y.at)));
        let mut parts: Vec<(f64, [Vec3; 2])> = Vec::new();
        for group in edges.chunk_by(|x, y| x.ends == y.ends) {
            let [p, q] = group[0].ends;
            let stops: Vec<f64> = [0.0].into_iter().chain(group.iter().map(|e| e.at)).chain([1.0]).collect();
            for pair in stops.windows(2) {
                let part = [p.lerp(q, pair[0]), p.lerp(q, pair[1])];
                let middle = self.signed(0.5 * (part[0] + part[1]));
                if middle > 0.0 {
                    parts.push((middle + 0.5 * part[0].distance(part[1]), part));
                }
            }
        }
        parts.sort_by(|x, y| y.0.total_cmp(&x.0));
        parts.truncate(MEASURED_PARTS);
        parts.into_iter().map(|(_, part)| part).collect()
    }
}

/// Whether a segment passes through a triangle or its border: its ends must be strictly on both sides of the
/// plane, exactly.
fn pierce(ends: [Vec3; 2], triangle: &[Vec3; 3]) -> Option<Pierced> {
    let [a, b, c] = *triangle;
    let heights = ends.map(|p| side(a, b, c, p));
    if !(heights[0] > 0.0 && heights[1] < 0.0 || heights[0] < 0.0 && heights[1] > 0.0) {
        return None;
    }
    let [p, q] = ends;
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    if !(turns.iter().all(|&x| x >= 0.0) || turns.iter().all(|&x| x <= 0.0)) {
        return None;
    }
    let area = (b - a).cross(c - a).length();
    let [h, g] = heights.map(f64::abs);
    Some(Pierced { ends, at: h / (h + g), reach: h.min(g) / area })
}
