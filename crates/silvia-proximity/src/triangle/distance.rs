//! The distance of two triangles: the least over vertex-face and edge-edge pairs, or zero where they cross.

use super::across;
use silvia_solid::{Vec3, triangles_intersect};

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleFeature {
    /// Corner 0, 1 or 2.
    Vertex(u8),
    /// The side from corner `k` to the next.
    Edge(u8),
    /// The interior.
    Face,
}

impl TriangleFeature {
    /// Where a point of a side is, given its parameter in [0, 1].
    #[inline(always)]
    pub(crate) fn on_edge(edge: usize, parameter: f64) -> TriangleFeature {
        if parameter == 0.0 {
            TriangleFeature::Vertex(edge as u8)
        } else if parameter == 1.0 {
            TriangleFeature::Vertex((edge as u8 + 1) % 3)
        } else {
            TriangleFeature::Edge(edge as u8)
        }
    }
}

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrianglePair {
    /// The square of their distance, m².
    pub distance_squared: f64,
    /// On the first and on the second triangle.
    pub points: [Vec3; 2],
    /// Where on the triangles these are.
    pub features: [TriangleFeature; 2],
}

/// The closest points of two triangles, which may be degenerate. Right to rounding; where they share a point,
/// the distance is exactly zero.
#[inline(always)]
pub fn triangle_distance(a: &[Vec3; 3], b: &[Vec3; 3]) -> TrianglePair {
    let mut best = TrianglePair {
        distance_squared: f64::INFINITY,
        points: [a[0], b[0]],
        features: [TriangleFeature::Vertex(0); 2],
    };
    for i in 0..3 {
        for j in 0..3 {
            edge_edge(a, i, b, j, &mut best);
        }
    }
    let sides_of_a = vertices_face(a, b, &mut best, false);
    let sides_of_b = vertices_face(b, a, &mut best, true);
    if sides_of_a && sides_of_b && triangles_intersect(a, b) {
        // A corner that lies on the other triangle may be rounded off it, so that no side passes through.
        if let Some((depth, pair)) = common_point(a, b)
            && (depth >= 0.0 || depth * depth <= best.distance_squared)
        {
            best = pair;
        }
        best.distance_squared = 0.0;
        best.points[1] = best.points[0];
    }
    best
}

/// Where a side of one of two triangles that meet passes through the plane of the other: of all such places
/// the one furthest from the border, and how far inside it lies. `None` if they lie in one plane; then some
/// vertex or side of one lies on the other anyway.
#[cold]
fn common_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<(f64, TrianglePair)> {
    let mut best: Option<(f64, TrianglePair)> = None;
    for (face, edges, is_face_first) in [(a, b, true), (b, a, false)] {
        let n = across(face).normalize_or_zero();
        for i in 0..3 {
            let (p, q) = (edges[i], edges[(i + 1) % 3]);
            let (from, to) = ((p - face[0]).dot(n), (q - face[0]).dot(n));
            if from == to || from * to > 0.0 {
                continue;
            }
            let point = p + (q - p) * (from / (from - to));
            let depth = (0..3)
                .map(|k| (point - face[k]).dot(n.cross(face[(k + 1) % 3] - face[k]).normalize_or_zero()))
                .fold(f64::INFINITY, f64::min);
            if best.as_ref().is_none_or(|(deepest, _)| depth > *deepest) {
                let mut features = [TriangleFeature::Face, TriangleFeature::Edge(i as u8)];
                if !is_face_first {
                    features.reverse();
                }
                best = Some((depth, TrianglePair { distance_squared: 0.0, points: [point; 2], features }));
            }
        }
    }
    best
}

/// Edge `i` of one triangle against edge `j` of the other.
#[inline(always)]
fn edge_edge(a: &[Vec3; 3], i: usize, b: &[Vec3; 3], j: usize, best: &mut TrianglePair) {
    let (p, q) = (a[i], b[j]);
    let (u, v) = (a[(i + 1) % 3] - p, b[(j + 1) % 3] - q);
    let (s, t) = closest_on_segments(p, u, q, v);
    let points = [p + s * u, q + t * v];
    let distance_squared = points[0].distance_squared(points[1]);
    if distance_squared < best.distance_squared {
        *best = TrianglePair {
            distance_squared,
            points,
            features: [TriangleFeature::on_edge(i, s), TriangleFeature::on_edge(j, t)],
        };
    }
}

/// The parameters in [0, 1] of the closest points of the segments `p + s u` and `q + t v`, either of which
/// may be a point.
#[inline(always)]
pub(crate) fn closest_on_segments(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> (f64, f64) {
    let w = q - p;
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (wu, wv) = (w.dot(u), w.dot(v));
    if vv == 0.0 {
        return (if uu == 0.0 { 0.0 } else { (wu / uu).clamp(0.0, 1.0) }, 0.0);
    }
    // By cross products: differences of dot products lose all digits where the segments are nearly parallel.
    // There any s does that the following projections can work from.
    let n = u.cross(v);
    let nn = n.length_squared();
    let s = if nn > 0.0 { (w.cross(v).dot(n) / nn).clamp(0.0, 1.0) } else { 0.0 };
    let t = (s * uv - wv) / vv;
    let clamped = t.clamp(0.0, 1.0);
    if t == clamped || uu == 0.0 {
        return (s, clamped);
    }
    (((wu + clamped * uv) / uu).clamp(0.0, 1.0), clamped)
}

/// The corners of `b` against the inside of `a`. True if `b` is not strictly on one side of the plane of `a`.
#[inline(always)]
fn vertices_face(a: &[Vec3; 3], b: &[Vec3; 3], best: &mut TrianglePair, swapped: bool) -> bool {
    let n = across(a);
    let nn = n.length_squared();
    if nn == 0.0 {
        return true;
    }
    let heights = b.map(|p| (p - a[0]).dot(n));
    let inward = [0, 1, 2].map(|i| n.cross(a[(i + 1) % 3] - a[i]));
    for k in 0..3 {
        let distance_squared = heights[k] * heights[k] / nn;
        if distance_squared < best.distance_squared && (0..3).all(|i| (b[k] - a[i]).dot(inward[i]) > 0.0) {
            let foot = b[k] - n * (heights[k] / nn);
            *best = TrianglePair {
                distance_squared,
                points: if swapped { [b[k], foot] } else { [foot, b[k]] },
                features: if swapped {
                    [TriangleFeature::Vertex(k as u8), TriangleFeature::Face]
                } else {
                    [TriangleFeature::Face, TriangleFeature::Vertex(k as u8)]
                },
            };
        }
    }
    !(heights.iter().all(|&h| h > 0.0) || heights.iter().all(|&h| h < 0.0))
}
