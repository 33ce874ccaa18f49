//! The point of a triangle that is nearest to a given one.

use super::{TriangleFeature, across};
use silvia_solid::Vec3;

/// The normal of a triangle whose sides differ in direction by less than this sine is rounding: its border is
/// all of it.
const NEEDLE: f64 = 32.0 * f64::EPSILON;

/// The nearest point of a triangle, which may be degenerate, and where on the triangle it is.
#[inline(always)]
pub fn closest_on_triangle(p: Vec3, t: &[Vec3; 3]) -> (Vec3, TriangleFeature) {
    let n = across(t);
    let nn = n.length_squared();
    let sides = (t[1] - t[0]).length_squared() * (t[2] - t[0]).length_squared();
    let is_above = |i: usize| (p - t[i]).dot(n.cross(t[(i + 1) % 3] - t[i])) > 0.0;
    if nn > NEEDLE * NEEDLE * sides && is_above(0) && is_above(1) && is_above(2) {
        return (p - n * ((p - t[0]).dot(n) / nn), TriangleFeature::Face);
    }
    let mut best = (t[0], TriangleFeature::Vertex(0));
    let mut least = f64::INFINITY;
    for i in 0..3 {
        let u = t[(i + 1) % 3] - t[i];
        let uu = u.length_squared();
        let s = if uu > 0.0 { ((p - t[i]).dot(u) / uu).clamp(0.0, 1.0) } else { 0.0 };
        let point = if s == 1.0 { t[(i + 1) % 3] } else { t[i] + s * u };
        let distance = p.distance_squared(point);
        if distance < least {
            least = distance;
            best = (point, TriangleFeature::on_edge(i, s));
        }
    }
    best
}
