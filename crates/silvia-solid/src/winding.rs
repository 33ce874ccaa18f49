//! The winding number of a surface around a point: 1 inside a solid, 0 outside, and in between for open
//! surfaces.

use crate::Vec3;

/// The sum of the solid angles of the triangles as seen from `p`, divided by 4 π. For a closed outward
/// surface it is 1 inside and 0 outside, to rounding; on the surface itself it may be anything in between.
///
/// Takes linear time in the number of triangles: use it for single points.
pub fn winding_number(points: &[Vec3], triangles: &[[u32; 3]], p: Vec3) -> f64 {
    let sum: f64 = triangles
        .iter()
        .map(|t| {
            // Van Oosterom and Strackee (1983): tan(angle / 2) = det / (product of lengths and dots).
            let [a, b, c] = t.map(|i| points[i as usize] - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let det = a.dot(b.cross(c));
            let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            det.atan2(denominator)
        })
        .sum();
    sum / (2.0 * std::f64::consts::PI)
}
