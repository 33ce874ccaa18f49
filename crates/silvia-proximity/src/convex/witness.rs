//! The closest points of a pair of features.

use super::frames::{Part, Two};
use super::segments::{foot, nearest_points};
use silvia_solid::Vec3;

/// A pair of features with a point of each, in the frame of the first body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) parts: [Part; 2],
    pub(crate) points: [Vec3; 2],
    pub(crate) distance: f64,
    pub(crate) penetrating: bool,
}

/// The closest points of two features. Of a face only the plane counts: V-Clip comes here with points in its
/// prism.
#[inline(always)]
pub(crate) fn witness(two: &Two<'_>, parts: [Part; 2]) -> Found {
    let [a, b] = two.body;
    let point = |v: u32| a.points[v as usize];
    let ends = |e: u32| a.edges[e as usize].points;
    let points = match parts {
        [Part::Vertex(v), Part::Vertex(w)] => [point(v), two.vertex(0, w)],
        [Part::Vertex(v), Part::Edge(e)] => [point(v), on_segment(two.ends(0, e), point(v))],
        [Part::Edge(e), Part::Vertex(v)] => {
            let q = two.vertex(0, v);
            [on_segment(ends(e), q), q]
        }
        [Part::Edge(e), Part::Edge(g)] => nearest_points(ends(e), two.ends(0, g)),
        [Part::Vertex(v), Part::Face(f)] => {
            let plane = &b.planes[f as usize];
            let height = plane.distance(two.vertex(1, v));
            let points = [point(v), point(v) - height * two.turn(0, plane.normal)];
            return Found { parts, points, distance: height.abs(), penetrating: false };
        }
        [Part::Face(f), Part::Vertex(v)] => {
            let plane = &a.planes[f as usize];
            let q = two.vertex(0, v);
            let height = plane.distance(q);
            let points = [q - height * plane.normal, q];
            return Found { parts, points, distance: height.abs(), penetrating: false };
        }
        // V-Clip never ends here. The first corner stands for a face.
        [Part::Face(f), other @ (Part::Edge(_) | Part::Face(_))] => {
            return witness(two, [Part::Vertex(a.corner_of(f)), other]);
        }
        [Part::Edge(e), Part::Face(f)] => return witness(two, [Part::Edge(e), Part::Vertex(b.corner_of(f))]),
    };
    Found { parts, points, distance: points[0].distance(points[1]), penetrating: false }
}

#[inline(always)]
fn on_segment([tail, head]: [Vec3; 2], point: Vec3) -> Vec3 {
    tail + foot(tail, head - tail, point) * (head - tail)
}
