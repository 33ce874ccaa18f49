//! Pairs of triangles whose vertices go on straight lines, decided exactly.

use super::ImpactContact;
use super::course::Course;
use crate::bounds::Bound;
use crate::elementary::{MovingPair, certainly_free, first_touch};
use crate::feature::Feature;
use crate::hierarchy::{Leaf, Surface};
use crate::triangle::{TriangleFeature, closest_on_segments, closest_on_triangle};
use silvia_solid::{TriangleId, Vec3};

/// Tests the vertices and edges that the triangles of two leaves own; calls `found` with those that touch by
/// `limit`, which that may lower.
pub(super) fn test_leaves<B: Bound>(
    course: &Course<'_, B>,
    leaves: [Leaf<'_>; 2],
    limit: f64,
    mut found: impl FnMut(ImpactContact) -> f64,
) {
    let [a, b] = &course.bodies;
    let owners = [a.start.owners(), b.start.owners()];
    let surfaces = [&a.start.surface, &b.start.surface];
    let mut limit = limit;
    for (j, tb) in leaves[1].triangles.iter().enumerate() {
        let in_b = b.corners_at_ends(leaves[1].start as usize + j);
        for (i, ta) in leaves[0].triangles.iter().enumerate() {
            let in_a = a.corners_at_ends(leaves[0].start as usize + i);
            let test = Triangles { surfaces, corners: [in_a, in_b], ids: [ta.id, tb.id] };
            let owned = [owners[0][ta.id as usize], owners[1][tb.id as usize]];
            for k in 0..3 {
                for (side, owned) in owned.iter().enumerate() {
                    if owned.corner(k)
                        && let Some(contact) = test.vertex_face(side, k, limit)
                    {
                        limit = found(contact);
                    }
                }
                for l in 0..3 {
                    if owned[0].side(k)
                        && owned[1].side(l)
                        && let Some(contact) = test.edge_edge(k, l, limit)
                    {
                        limit = found(contact);
                    }
                }
            }
        }
    }
}

/// A triangle of each body.
pub(crate) struct Triangles<'a> {
    pub(crate) surfaces: [&'a Surface; 2],
    /// Of each body, at the start and at the end.
    pub(crate) corners: [[[Vec3; 3]; 2]; 2],
    pub(crate) ids: [u32; 2],
}

impl Triangles<'_> {
    /// Corner `k` of the triangle of body `side` against the other triangle.
    #[inline(always)]
    pub(crate) fn vertex_face(&self, side: usize, k: usize, limit: f64) -> Option<ImpactContact> {
        let vertex = self.corners[side].map(|c| c[k]);
        let face = self.corners[1 - side];
        // All coordinates have been found finite.
        let pair = MovingPair::vertex_face(vertex, face).ok()?;
        if certainly_free(&pair, limit) {
            return None;
        }
        let touch = first_touch(&pair)?;
        let at = |p: [Vec3; 2]| p[0] + touch.lower * (p[1] - p[0]);
        let corners = [0, 1, 2].map(|i| at([face[0][i], face[1][i]]));
        let point = at(vertex);
        let (nearest, _) = closest_on_triangle(point, &corners);
        let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        // How the point of the face that is hit moves.
        let [u, v, w] = weights(nearest, &corners);
        let hit = |t: usize| u * face[t][0] + v * face[t][1] + w * face[t][2];
        let (mut features, mut points) =
            ([TriangleFeature::Vertex(k as u8), TriangleFeature::Face], [point, nearest]);
        let mut apart = [hit(0) - vertex[0], hit(1) - vertex[1]];
        if side == 1 {
            features.reverse();
            points.reverse();
            apart = apart.map(|d| -d);
        }
        let normal = oriented(across, apart);
        Some(self.contact([touch.lower, touch.upper], features, points, normal))
    }

    /// Side `k` of the first triangle against side `l` of the second.
    #[inline(always)]
    pub(crate) fn edge_edge(&self, k: usize, l: usize, limit: f64) -> Option<ImpactContact> {
        let a = self.corners[0].map(|c| [c[k], c[(k + 1) % 3]]);
        let b = self.corners[1].map(|c| [c[l], c[(l + 1) % 3]]);
        let pair = MovingPair::edge_edge(a, b).ok()?;
        if certainly_free(&pair, limit) {
            return None;
        }
        let touch = first_touch(&pair)?;
        let at = |e: &[[Vec3; 2]; 2], i: usize| e[0][i] + touch.lower * (e[1][i] - e[0][i]);
        let (p, u) = (at(&a, 0), at(&a, 1) - at(&a, 0));
        let (q, v) = (at(&b, 0), at(&b, 1) - at(&b, 0));
        let (s, t) = closest_on_segments(p, u, q, v);
        let hit = |e: [Vec3; 2], s: f64| e[0] + s * (e[1] - e[0]);
        let apart = [0, 1].map(|i| hit(b[i], t) - hit(a[i], s));
        let normal = oriented(u.cross(v), apart);
        let features = [TriangleFeature::Edge(k as u8), TriangleFeature::Edge(l as u8)];
        Some(self.contact([touch.lower, touch.upper], features, [p + s * u, q + t * v], normal))
    }

    fn contact(
        &self,
        [lower, upper]: [f64; 2],
        parts: [TriangleFeature; 2],
        points: [Vec3; 2],
        normal: Vec3,
    ) -> ImpactContact {
        let feature = |i: usize| Feature::of(self.surfaces[i], self.ids[i], parts[i]);
        ImpactContact {
            lower,
            upper,
            features: [feature(0), feature(1)],
            triangles: self.ids.map(TriangleId),
            points,
            normal,
            gap: 0.0,
        }
    }
}

/// A motion that goes across a surface by less than this fraction of its length goes along it: the rest is
/// rounding.
const ALONG: f64 = 1e-12;

/// The unit vector along `across` that points from the first body to the second: against the way on which the
/// second comes nearer. `apart` is from the first to the second, at the start and at the end. Where there is
/// no `across`, or all happens in the plane across it, as where two boxes meet face to face at a common
/// corner, against the way itself.
fn oriented(across: Vec3, apart: [Vec3; 2]) -> Vec3 {
    let way = apart[1] - apart[0];
    let normal = across.normalize_or_zero();
    let component = |v: Vec3| {
        let along = normal.dot(v);
        if along.abs() <= ALONG * v.length() { 0.0 } else { along }
    };
    // What slides along the surface is on the side where it was.
    let side = match -component(way) {
        0.0 => component(apart[0]),
        against => against,
    };
    if side == 0.0 {
        (-way).try_normalize().unwrap_or(normal)
    } else if side < 0.0 {
        -normal
    } else {
        normal
    }
}

/// The barycentric coordinates of a point of a triangle; of one without area, as if it were its nearest
/// corner.
fn weights(p: Vec3, [a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    let n = (*b - *a).cross(*c - *a);
    let nn = n.length_squared();
    if nn == 0.0 {
        let near = [a, b, c].map(|q| q.distance_squared(p));
        let least = near.iter().copied().fold(f64::INFINITY, f64::min);
        let k = near.iter().position(|&d| d == least).unwrap_or(0);
        return std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
    }
    let v = (p - *a).cross(*c - *a).dot(n) / nn;
    let w = (*b - *a).cross(p - *a).dot(n) / nn;
    [1.0 - v - w, v, w]
}
