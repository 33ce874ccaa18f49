//! Elementary questions about triangles.

mod distance;
mod point;

pub(crate) use distance::closest_on_segments;
pub use distance::{TriangleFeature, TrianglePair, triangle_distance};
pub use point::closest_on_triangle;

use silvia_solid::Vec3;

/// A vector across a triangle, with twice its area as length; zero if it has none.
///
/// Of a sliver the cross product is off by rounding along the long side, where that counts most: what lies
/// along it is taken away again.
#[inline(always)]
pub(crate) fn across(t: &[Vec3; 3]) -> Vec3 {
    let sides = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let longer = |u: Vec3, v: Vec3| if v.length_squared() > u.length_squared() { v } else { u };
    let u = longer(longer(sides[0], sides[1]), sides[2]);
    let uu = u.length_squared();
    if uu > 0.0 { n - u * (n.dot(u) / uu) } else { n }
}
