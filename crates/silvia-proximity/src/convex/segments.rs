//! Closest points of two segments.

use silvia_solid::Vec3;

/// The nearest points of two segments.
///
/// The common perpendicular is found by cross products: for edges that cross at a small angle the normal
/// equations would lose twice as many digits.
#[inline(always)]
pub(crate) fn nearest_points(s: [Vec3; 2], t: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let n = u.cross(v);
    let square = n.length_squared();
    let x = if square > 0.0 { (w.cross(v).dot(n) / square).clamp(0.0, 1.0) } else { 0.0 };
    let q = t[0] + foot(t[0], v, s[0] + x * u) * v;
    [s[0] + foot(s[0], u, q) * u, q]
}

/// The fraction of a segment from `start` along `along` that is nearest to a point.
#[inline(always)]
pub(crate) fn foot(start: Vec3, along: Vec3, point: Vec3) -> f64 {
    let square = along.length_squared();
    if square > 0.0 { ((point - start).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 }
}
