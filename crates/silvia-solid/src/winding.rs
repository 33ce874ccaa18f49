//! How often a surface winds round a point: 1 inside a solid, 0 outside, and honest in between for open
//! surfaces.

use crate::Vec3;

/// The sum of the solid angles of the triangles as seen from `p`, over 4 π. For a closed outward surface it
/// is 1 inside and 0 outside, to rounding; on the surface itself it is anything in between.
///
/// Linear in the number of triangles: for one point, not for many.
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
