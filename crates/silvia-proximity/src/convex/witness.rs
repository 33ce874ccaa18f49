//! The closest points of a pair of features.

use super::frames::{HullFeature, Two};
use super::segments::{foot, nearest_points};
use silvia_solid::Vec3;

/// A pair of features with a point of each, in the frame of the first body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureWitness {
    pub(crate) parts: [HullFeature; 2],
    pub(crate) points: [Vec3; 2],
    pub(crate) distance: f64,
    pub(crate) penetrating: bool,
}

/// The closest points of two features. Of a face only the plane counts: V-Clip comes here with points in its
/// prism.
#[inline(always)]
pub(crate) fn witness(two: &Two<'_>, parts: [HullFeature; 2]) -> FeatureWitness {
    let [a, b] = two.body;
    let point = |v: u32| a.points[v as usize];
    let ends = |e: u32| a.edges[e as usize].points;
    let points = match parts {
        [HullFeature::Vertex(v), HullFeature::Vertex(w)] => [point(v), two.vertex(0, w)],
        [HullFeature::Vertex(v), HullFeature::Edge(e)] => [point(v), on_segment(two.ends(0, e), point(v))],
        [HullFeature::Edge(e), HullFeature::Vertex(v)] => {
            let q = two.vertex(0, v);
            [on_segment(ends(e), q), q]
        }
        [HullFeature::Edge(e), HullFeature::Edge(g)] => nearest_points(ends(e), two.ends(0, g)),
        [HullFeature::Vertex(v), HullFeature::Face(f)] => {
            let plane = &b.planes[f as usize];
            let height = plane.distance(two.vertex(1, v));
            let points = [point(v), point(v) - height * two.turn(0, plane.normal)];
            return FeatureWitness { parts, points, distance: height.abs(), penetrating: false };
        }
        [HullFeature::Face(f), HullFeature::Vertex(v)] => {
            let plane = &a.planes[f as usize];
            let q = two.vertex(0, v);
            let height = plane.distance(q);
            let points = [q - height * plane.normal, q];
            return FeatureWitness { parts, points, distance: height.abs(), penetrating: false };
        }
        // V-Clip never ends here. The first corner stands for a face.
        [HullFeature::Face(f), other @ (HullFeature::Edge(_) | HullFeature::Face(_))] => {
            return witness(two, [HullFeature::Vertex(a.corner_of(f)), other]);
        }
        [HullFeature::Edge(e), HullFeature::Face(f)] => {
            return witness(two, [HullFeature::Edge(e), HullFeature::Vertex(b.corner_of(f))]);
        }
    };
    FeatureWitness { parts, points, distance: points[0].distance(points[1]), penetrating: false }
}

#[inline(always)]
fn on_segment([tail, head]: [Vec3; 2], point: Vec3) -> Vec3 {
    tail + foot(tail, head - tail, point) * (head - tail)
}
