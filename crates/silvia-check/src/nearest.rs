//! Nearest points between points, segments and triangles.

use silvia_solid::Vec3;

/// The feature of a triangle that a point belongs to; edge `k` runs from corner `k` to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Corner(usize),
    Edge(usize),
    Face,
}

/// The point of a segment nearest to a point. An end is returned to the bit, so that callers recognise it as
/// a corner.
pub(crate) fn on_segment([a, b]: [Vec3; 2], p: Vec3) -> Vec3 {
    let along = b - a;
    let length = along.length_squared();
    let u = if length > 0.0 { (along.dot(p - a) / length).clamp(0.0, 1.0) } else { 0.0 };
    if u < 1.0 { a + u * along } else { b }
}

/// The point of a triangle that is nearest to a point.
pub(crate) fn on_triangle(corners: &[Vec3; 3], p: Vec3) -> (Vec3, Part) {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let area = normal.length_squared();
    // Inside the prism over the triangle if it is on the inner side of all three edges.
    let is_inner = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        normal.cross(to - from).dot(p - from) >= 0.0
    };
    if area > 0.0 && (0..3).all(is_inner) {
        return (p - normal * (normal.dot(p - corners[0]) / area), Part::Face);
    }
    let mut best = (corners[0], Part::Corner(0));
    let mut least = f64::INFINITY;
    for k in 0..3 {
        let ends = [corners[k], corners[(k + 1) % 3]];
        let at = on_segment(ends, p);
        let apart = at.distance_squared(p);
        if apart < least {
            least = apart;
            let part = if at == ends[0] {
                Part::Corner(k)
            } else if at == ends[1] {
                Part::Corner((k + 1) % 3)
            } else {
                Part::Edge(k)
            };
            best = (at, part);
        }
    }
    best
}

/// The nearest points of two segments; the first is on the first segment.
pub(crate) fn of_segments(a: [Vec3; 2], b: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v) = (a[1] - a[0], b[1] - b[0]);
    let ends = [
        [a[0], on_segment(b, a[0])],
        [a[1], on_segment(b, a[1])],
        [on_segment(a, b[0]), b[0]],
        [on_segment(a, b[1]), b[1]],
    ];
    let normal = u.cross(v);
    let area = normal.length_squared();
    let mut best = nearest_of(ends);
    if area > 0.0 {
        let between = b[0] - a[0];
        let s = between.cross(v).dot(normal) / area;
        let t = between.cross(u).dot(normal) / area;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            best = nearest_of([best, [a[0] + s * u, b[0] + t * v]]);
        }
    }
    best
}

/// The nearest points of a segment and a triangle; the first is on the segment. If the segment passes through
/// the triangle, both are the same point.
pub(crate) fn of_segment_and_triangle(ends: [Vec3; 2], corners: &[Vec3; 3]) -> [Vec3; 2] {
    let edge = |k: usize| of_segments(ends, [corners[k], corners[(k + 1) % 3]]);
    let end = |k: usize| [ends[k], on_triangle(corners, ends[k]).0];
    let mut best = nearest_of([edge(0), edge(1), edge(2), end(0), end(1)]);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let heights = ends.map(|p| normal.dot(p - corners[0]));
    if heights[0] * heights[1] < 0.0 {
        let at = ends[0].lerp(ends[1], heights[0] / (heights[0] - heights[1]));
        best = nearest_of([best, [at, on_triangle(corners, at).0]]);
    }
    best
}

fn nearest_of<const N: usize>(pairs: [[Vec3; 2]; N]) -> [Vec3; 2] {
    let apart = |pair: &[Vec3; 2]| pair[0].distance_squared(pair[1]);
    pairs.into_iter().fold([Vec3::ZERO, Vec3::INFINITY], |x, y| if apart(&y) < apart(&x) { y } else { x })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Vec3> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(Vec3::from_array)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // Named as an edge, a corner would get the normal of the edge, by which a point outside a sharp solid
        // may seem to be inside.
        #[test]
        fn what_is_beyond_a_corner_is_nearest_to_that_corner_to_its_bits(
            a in place(), b in place(), c in place(), p in place(),
        ) {
            let corners = [a, b, c];
            for k in 0..3 {
                let (corner, next, other) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
                let is_beyond = |end: Vec3| (p - corner).dot(end - corner) < -1e-12;
                if is_beyond(next) && is_beyond(other) {
                    prop_assert_eq!(on_triangle(&corners, p), (corner, Part::Corner(k)));
                }
            }
        }
    }
}
