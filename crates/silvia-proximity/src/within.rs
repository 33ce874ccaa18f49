//! All pairs of features that are near each other: what a response needs to know.

use crate::bounds::Bound;
use crate::duo::{Duo, Pair, Under};
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface};
use crate::lanes::{LANES, with_simd};
use crate::triangle::{TriangleFeature, closest_on_segments, closest_on_triangle};
use silvia_solid::{Pose, SideId, TriangleId, Vec3};
use std::collections::HashMap;

/// A vertex and a face, or two edges, that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FeaturePair {
    /// Of the first and the second body: vertex and face, face and vertex, or edge and edge.
    pub features: [Feature; 2],
    /// The nearest points of the two, in the frame in which the poses were given, m.
    pub points: [Vec3; 2],
    /// Between these, m.
    pub distance: f64,
}

/// A reach that is not a length.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the reach must be a finite length of at least 0 m, not {given}")]
pub struct ReachError {
    /// As given, m.
    pub given: f64,
}

/// All vertex-face and edge-edge pairs of two bodies nearer than `reach` (m), each once, sorted by feature. A
/// vertex near another vertex or an edge is near the faces there, too, so it is included.
///
/// Faces and edges are those of the body: for a solid its polygonal faces and the edges between them (no
/// sides within a flat face), for a soup its triangles and their sides.
pub fn within<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    reach: f64,
) -> Result<Vec<FeaturePair>, ReachError> {
    if !reach.is_finite() || reach < 0.0 {
        return Err(ReachError { given: reach });
    }
    let duo = Duo::new(a, pose_a, b, pose_b);
    let mut found = NearestFeatures { pairs: HashMap::new(), reach };
    with_simd(
        #[inline(always)]
        || {
            let surfaces = [&duo.a.surface, &duo.b.surface];
            near_triangles(
                &duo,
                reach,
                #[inline(always)]
                |ids, corners| found.compare(surfaces, ids, corners),
            );
        },
    );
    let mut pairs: Vec<FeaturePair> = found.pairs.into_values().collect();
    pairs.sort_unstable_by_key(|p| p.features);
    for pair in &mut pairs {
        pair.points = pair.points.map(|p| duo.frame.transform_point(p));
    }
    Ok(pairs)
}

/// Calls `near` for all pairs of triangles that may be nearer than `reach`: their numbers and their corners,
/// in the frame of the first body.
#[inline(always)]
pub(crate) fn near_triangles<B: Bound>(
    duo: &Duo<'_, B>,
    reach: f64,
    mut near: impl FnMut([u32; 2], [&[Vec3; 3]; 2]),
) {
    // A bound is right to rounding only, and must not lose a pair just within reach.
    let limit = reach + duo.rounding();
    let mut stack = vec![Pair::ROOTS];
    while let Some(pair) = stack.pop() {
        match duo.under(pair) {
            Under::Triangles(a, b) => {
                for tb in b.triangles {
                    let cb = duo.corners_of_b(tb);
                    for ta in a.triangles {
                        near([ta.id, tb.id], [&ta.corners, &cb]);
                    }
                }
            }
            Under::Node(opened) => {
                let lower = duo.lower_bounds(&opened);
                stack.extend((0..LANES).filter(|&l| lower[l] < limit).map(|l| opened.child(l)));
            }
        }
    }
}

struct NearestFeatures {
    pairs: HashMap<[Feature; 2], FeaturePair>,
    reach: f64,
}

impl NearestFeatures {
    /// The vertex-face and edge-edge pairs of two triangles. A vertex or edge is looked at in the one
    /// triangle that owns it; a face in each of its triangles, the nearest of which counts.
    fn compare(&mut self, surfaces: [&Surface; 2], ids: [u32; 2], corners: [&[Vec3; 3]; 2]) {
        for (vertex_side, face_side) in [(0, 1), (1, 0)] {
            let face = Feature::of(surfaces[face_side], ids[face_side], TriangleFeature::Face);
            for (k, &p) in corners[vertex_side].iter().enumerate() {
                let Some(vertex) = owned_vertex(surfaces[vertex_side], ids[vertex_side], k) else { continue };
                let (nearest, _) = closest_on_triangle(p, corners[face_side]);
                let (mut features, mut points) = ([vertex, face], [p, nearest]);
                if vertex_side == 1 {
                    features.reverse();
                    points.reverse();
                }
                self.add(features, points);
            }
        }
        for i in 0..3 {
            let Some(edge_a) = owned_edge(surfaces[0], ids[0], i) else { continue };
            let (p, u) = (corners[0][i], corners[0][(i + 1) % 3] - corners[0][i]);
            for j in 0..3 {
                let Some(edge_b) = owned_edge(surfaces[1], ids[1], j) else { continue };
                let (q, v) = (corners[1][j], corners[1][(j + 1) % 3] - corners[1][j]);
                let (s, t) = closest_on_segments(p, u, q, v);
                self.add([edge_a, edge_b], [p + s * u, q + t * v]);
            }
        }
    }

    fn add(&mut self, features: [Feature; 2], points: [Vec3; 2]) {
        let distance = points[0].distance(points[1]);
        if distance < self.reach {
            let pair = FeaturePair { features, points, distance };
            let kept = self.pairs.entry(features).or_insert(pair);
            if distance < kept.distance {
                *kept = pair;
            }
        }
    }
}

/// The vertex at a corner, if this triangle owns it: in a solid the one whose side the vertex names; in a
/// soup each does.
pub(crate) fn owned_vertex(surface: &Surface, triangle: u32, corner: usize) -> Option<Feature> {
    let vertex = Feature::of(surface, triangle, TriangleFeature::Vertex(corner as u8));
    let Surface::Solid(solid) = surface else { return Some(vertex) };
    let id = solid.vertices_of_triangle(TriangleId(triangle))[corner];
    let owner = solid.sides_of_vertex(id).next().map(SideId::triangle);
    (owner == Some(TriangleId(triangle))).then_some(vertex)
}

/// The edge at a side, if this triangle owns it: in a solid the first of its two, and only if it is no side
/// within a face; in a soup each does.
pub(crate) fn owned_edge(surface: &Surface, triangle: u32, k: usize) -> Option<Feature> {
    let Surface::Solid(solid) = surface else {
        return Some(Feature::of(surface, triangle, TriangleFeature::Edge(k as u8)));
    };
    let side = SideId(3 * triangle + k as u32);
    let edge = solid.edge_of_side(side)?;
    (solid.edge(edge).sides[0] == side).then_some(Feature::Edge(edge.0))
}
