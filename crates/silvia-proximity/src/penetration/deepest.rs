//! How deep points of each body are inside the other: the form of penetration that contact methods use.
//!
//! A point is as deep as it is far from the surface around it. Vertices come first; where edges cross a body
//! without a vertex inside, as two crossed bars do, the middle of the part inside stands for the edge.

use super::interval::segment_meets;
use crate::bounds::Bound;
use crate::collide::{Collision, Extent, collide};
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface};
use crate::point::point_distance;
use silvia_solid::{EdgeId, Pose, SideId, Solid, TriangleId, Vec3};
use std::collections::BTreeMap;

/// A point no deeper than this is on the surface, as a fraction of the size of the coordinates: what rounding
/// does to the distance of two points, several times over.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A point of one body inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeepPoint {
    /// 0 if it is a point of A inside B, 1 if of B inside A.
    pub of: usize,
    /// The vertex or edge it lies on.
    pub feature: Feature,
    /// Where it is, m.
    pub point: Vec3,
    /// The point of the other body's surface that is nearest to it, m.
    pub surface: Vec3,
    /// How far that is, m.
    pub depth: f64,
    /// Unit vector from A to B: the direction in which B moves to free the point soonest.
    pub normal: Vec3,
}

/// All vertices of each body that are inside the other by more than rounding, deepest first. For an edge that
/// passes through the other body with both ends outside: the middle of each part inside. Coordinates are in
/// the frame of the poses. A soup has no inside.
pub fn deepest_points<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
) -> Vec<DeepPoint> {
    let b_in_a = pose_a.inverse().compose(pose_b);
    let mut found = in_frame_of_a(a, b, &b_in_a);
    for deep in &mut found {
        deep.point = pose_a.transform_point(deep.point);
        deep.surface = pose_a.transform_point(deep.surface);
        deep.normal = pose_a.transform_vector(deep.normal);
    }
    found
}

pub(crate) fn in_frame_of_a<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>, b_in_a: &Pose) -> Vec<DeepPoint> {
    let a_in_b = b_in_a.inverse();
    let mut found = Vec::new();
    // In the frame of the body that is outside.
    let of_b = inside(b, a, b_in_a);
    found.extend(of_b.iter().map(|&(feature, p, at)| deep(1, feature, p, at)));
    let of_a = inside(a, b, &a_in_b);
    let back = |p: Vec3| b_in_a.transform_point(p);
    found.extend(of_a.iter().map(|&(feature, p, at)| deep(0, feature, back(p), back(at))));
    let touching = collide(a, &Pose::IDENTITY, b, b_in_a, Extent::All);
    if let Collision::Surfaces(pairs) = touching {
        found.extend(crossings(a, b, b_in_a, &pairs));
    }
    // On the surface by rounding: where an edge meets two triangles in their common side, nothing lies
    // between.
    let rounding = ROUNDING * (a.magnitude + b.magnitude + b_in_a.translation().abs().max_element());
    found.retain(|d| d.depth > rounding && d.normal != Vec3::ZERO);
    found.sort_by(|x, y| y.depth.total_cmp(&x.depth).then((x.of, x.feature).cmp(&(y.of, y.feature))));
    found
}

fn deep(of: usize, feature: Feature, point: Vec3, surface: Vec3) -> DeepPoint {
    let out = surface - point;
    let normal = if of == 1 { out } else { -out }.normalize_or_zero();
    DeepPoint { of, feature, point, surface, depth: out.length(), normal }
}

/// The vertices of `inner` inside `outer`, where they are in its frame, and the nearest points of its
/// surface.
fn inside<B: Bound>(
    inner: &Hierarchy<B>,
    outer: &Hierarchy<B>,
    inner_in_outer: &Pose,
) -> Vec<(Feature, Vec3, Vec3)> {
    if !matches!(outer.surface, Surface::Solid(_)) {
        return Vec::new();
    }
    let bounds = outer.bounds;
    let mut found = Vec::new();
    for (vertex, &p) in inner.surface.soup().points().iter().enumerate() {
        let p = inner_in_outer.transform_point(p);
        if p.cmplt(bounds.min).any() || p.cmpgt(bounds.max).any() {
            continue;
        }
        if let Ok(at) = point_distance(outer, &Pose::IDENTITY, p)
            && at.distance < 0.0
        {
            found.push((Feature::Vertex(vertex as u32), p, at.nearest));
        }
    }
    found
}

/// The middles of the parts of edges that run through the other body.
fn crossings<B: Bound>(
    a: &Hierarchy<B>,
    b: &Hierarchy<B>,
    b_in_a: &Pose,
    pairs: &[[TriangleId; 2]],
) -> Vec<DeepPoint> {
    let mut found = Vec::new();
    for of in [0, 1] {
        let (inner, outer) = if of == 0 { (a, b) } else { (b, a) };
        let (Surface::Solid(edges_of), Surface::Solid(_)) = (&inner.surface, &outer.surface) else {
            continue;
        };
        // Both in the frame of A.
        let place = |body: usize, p: Vec3| if body == 1 { b_in_a.transform_point(p) } else { p };
        let mut hits: BTreeMap<EdgeId, Vec<f64>> = BTreeMap::new();
        for pair in pairs {
            let corners = outer.surface.soup().corners(pair[1 - of].index()).map(|p| place(1 - of, p));
            for k in 0..3 {
                let Some(edge) = edges_of.edge_of_side(SideId(3 * pair[of].0 + k)) else { continue };
                let [p, q] = ends(edges_of, edge).map(|p| place(of, p));
                if let Some(t) = segment_meets(p, q, &corners) {
                    hits.entry(edge).or_default().push(t);
                }
            }
        }
        let outer_pose = if of == 0 { *b_in_a } else { Pose::IDENTITY };
        for (edge, mut at) in hits {
            at.sort_by(f64::total_cmp);
            let [p, q] = ends(edges_of, edge).map(|p| place(of, p));
            for pair in at.windows(2) {
                let middle = p.lerp(q, 0.5 * (pair[0] + pair[1]));
                if let Ok(nearest) = point_distance(outer, &outer_pose, middle)
                    && nearest.distance < 0.0
                {
                    found.push(deep(of, Feature::Edge(edge.0), middle, nearest.nearest));
                }
            }
        }
    }
    found
}

fn ends(solid: &Solid, edge: EdgeId) -> [Vec3; 2] {
    solid.edge(edge).vertices.map(|v| solid.point(v))
}
