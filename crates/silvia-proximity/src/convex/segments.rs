//! Closest points of two segments.

use silvia_solid::Vec3;

/// The fractions, from the first ends, at which two segments are nearest.
///
/// The common perpendicular is found by cross products: for edges that cross at a small angle the normal equations would
/// lose twice as many digits.
#[inline(always)]
pub(crate) fn nearest_fractions(s: [Vec3; 2], t: [Vec3; 2]) -> [f64; 2] {
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let n = u.cross(v);
    let square = n.length_squared();
    let x = if square > 0.0 { (w.cross(v).dot(n) / square).clamp(0.0, 1.0) } else { 0.0 };
    let y = foot(t[0], v, s[0] + x * u);
    let x = foot(s[0], u, t[0] + y * v);
    [x, y]
}

/// The square of the distance of two segments.
pub(crate) fn segment_distance_squared(s: [Vec3; 2], t: [Vec3; 2]) -> f64 {
    let [x, y] = nearest_fractions(s, t);
    (s[0] + x * (s[1] - s[0])).distance_squared(t[0] + y * (t[1] - t[0]))
}

/// The fraction of a segment from `start` along `along` that is nearest to a point.
#[inline(always)]
pub(crate) fn foot(start: Vec3, along: Vec3, point: Vec3) -> f64 {
    // The maximum with 0 also takes the NaN of a segment without length.
    ((point - start).dot(along) / along.length_squared()).max(0.0).min(1.0)
}
