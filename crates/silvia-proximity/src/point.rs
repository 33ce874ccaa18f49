//! How far a point is from a body, and whether it is inside.

use crate::bounds::Bound;
use crate::feature::{Feature, is_outside};
use crate::hierarchy::{Child, Hierarchy, Slot};
use crate::lanes::with_simd;
use crate::triangle::closest_on_triangle;
use silvia_solid::{Pose, TriangleId, Vec3};

/// The point of a body nearest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointDistance {
    /// Signed distance, m: negative inside a solid. A soup has no inside.
    pub distance: f64,
    /// The nearest point of the surface.
    pub nearest: Vec3,
    /// The triangle it lies on.
    pub triangle: TriangleId,
    /// The feature it lies on.
    pub feature: Feature,
}

/// A point with a NaN or infinite coordinate.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("({}, {}, {}) is not a point or direction: every coordinate must be finite", at.x, at.y, at.z)]
pub struct NotFinite {
    /// As given.
    pub at: Vec3,
}

/// The signed distance of a point to a body, exact to rounding.
pub fn point_distance<B: Bound>(
    body: &Hierarchy<B>,
    pose: &Pose,
    point: Vec3,
) -> Result<PointDistance, NotFinite> {
    if !point.is_finite() {
        return Err(NotFinite { at: point });
    }
    let local = pose.inverse().transform_point(point);
    let (nearest, triangle, part) = with_simd(
        #[inline(always)]
        || nearest(body, local),
    );
    let outside = is_outside(&body.surface, triangle, part, nearest, local);
    let distance = local.distance(nearest);
    Ok(PointDistance {
        distance: if outside { distance } else { -distance },
        nearest: pose.transform_point(nearest),
        triangle: TriangleId(triangle),
        feature: Feature::of(&body.surface, triangle, part),
    })
}

#[inline(always)]
fn nearest<B: Bound>(body: &Hierarchy<B>, p: Vec3) -> (Vec3, u32, crate::triangle::TriangleFeature) {
    // A bound is right to rounding: what is this little nearer than the best so far may still hold a better
    // one.
    let slack = 16.0 * f64::EPSILON * (body.magnitude + p.abs().max_element());
    let first = &body.triangles[0];
    let (at, part) = closest_on_triangle(p, &first.corners);
    let mut best = (at, first.id, part);
    let mut upper = p.distance(at);
    let mut stack = vec![(0.0, Slot::ROOT)];
    while let Some((lower, slot)) = stack.pop() {
        if lower >= upper {
            continue;
        }
        let child = body.child(slot);
        if child.is_leaf() {
            for triangle in body.leaf(child).triangles {
                let (at, part) = closest_on_triangle(p, &triangle.corners);
                let distance = p.distance(at);
                if distance < upper {
                    upper = distance;
                    best = (at, triangle.id, part);
                }
            }
            continue;
        }
        let node = &body.nodes[child.index()];
        let lower = B::point_bounds(&node.pack, p);
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|&i: &usize, &j| lower[j].total_cmp(&lower[i]));
        for lane in order {
            if node.child[lane] != Child::NONE && lower[lane] - slack < upper {
                stack.push((lower[lane] - slack, Slot::new(child.index(), lane)));
            }
        }
    }
    best
}
