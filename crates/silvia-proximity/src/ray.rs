//! Where a ray first meets a body.

use crate::bounds::Bound;
use crate::hierarchy::{Child, Hierarchy, Slot};
use crate::lanes::with_simd;
use crate::point::NotFinite;
use silvia_solid::{Aabb, Pose, TriangleId, Vec3};

/// A half-line, or a segment if its reach is finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, m.
    pub origin: Vec3,
    /// Its direction; any length but zero.
    pub direction: Vec3,
    /// Where it ends, as a multiple of `direction`; may be infinite.
    pub reach: f64,
}

impl Ray {
    /// Refuses a ray with a coordinate that is not finite, no direction or no reach.
    pub fn check(&self) -> Result<(), RayError> {
        for at in [self.origin, self.direction] {
            if !at.is_finite() {
                return Err(NotFinite { at }.into());
            }
        }
        if self.direction == Vec3::ZERO {
            return Err(RayError::NoDirection);
        }
        if self.reach.is_nan() || self.reach < 0.0 {
            return Err(RayError::Reach { given: self.reach });
        }
        Ok(())
    }
}

/// Where a ray first meets a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// Where on the ray, as a multiple of its direction.
    pub parameter: f64,
    /// Where it is met, m.
    pub point: Vec3,
    /// The triangle met.
    pub triangle: TriangleId,
    /// Its unit normal, which for a solid points out; zero for a triangle without area.
    pub normal: Vec3,
}

/// Why a ray is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A NaN or infinite coordinate.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The direction is zero.
    #[error("the direction of the ray is zero: give it any other length")]
    NoDirection,
    /// A reach that is negative or NaN.
    #[error("the reach of the ray must be a number of at least 0, or infinite, not {given}")]
    Reach {
        /// As given.
        given: f64,
    },
}

/// The first triangle that a ray meets, from either side; `None` if it meets none. Of triangles met at the
/// same place, the one with the lowest number.
pub fn cast_ray<B: Bound>(body: &Hierarchy<B>, pose: &Pose, ray: &Ray) -> Result<Option<RayHit>, RayError> {
    let local = LocalRay::new(ray, pose)?;
    Ok(local.first_triangle(body).map(|(parameter, id)| {
        let parameter = parameter / local.scale;
        let [a, b, c] = body.surface.soup().corners(id as usize);
        RayHit {
            parameter,
            point: ray.origin + parameter * ray.direction,
            triangle: TriangleId(id),
            normal: pose.transform_vector((b - a).cross(c - a).normalize_or_zero()),
        }
    }))
}

/// A valid ray in the frame of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalRay {
    pub(crate) origin: Vec3,
    /// Of a length near 1, so that its square neither over- nor underflows.
    pub(crate) direction: Vec3,
    /// By how much the direction was divided.
    pub(crate) scale: f64,
    /// In multiples of `direction`.
    pub(crate) reach: f64,
}

impl LocalRay {
    /// The ray in the frame of a body at a pose.
    pub(crate) fn new(ray: &Ray, pose: &Pose) -> Result<LocalRay, RayError> {
        ray.check()?;
        let scale = ray.direction.abs().max_element();
        let back = pose.inverse();
        let (origin, direction) =
            (back.transform_point(ray.origin), back.transform_vector(ray.direction / scale));
        Ok(LocalRay { origin, direction, scale, reach: ray.reach * scale })
    }

    /// The same ray in the frame of a part at a pose in this frame.
    pub(crate) fn seen_from(&self, pose: &Pose) -> LocalRay {
        let back = pose.inverse();
        LocalRay {
            origin: back.transform_point(self.origin),
            direction: back.transform_vector(self.direction),
            ..*self
        }
    }

    pub(crate) fn at(&self, parameter: f64) -> Vec3 {
        self.origin + parameter * self.direction
    }

    /// The first triangle that it meets: where, and which.
    pub(crate) fn first_triangle<B: Bound>(&self, body: &Hierarchy<B>) -> Option<(f64, u32)> {
        with_simd(
            #[inline(always)]
            || first_hit(body, self.origin, self.direction, self.reach),
        )
    }

    /// Where it enters a box, which may be infinite, less what rounding can do; `None` if it passes it.
    pub(crate) fn enters(&self, bounds: &Aabb) -> Option<f64> {
        let (mut from, mut to) = (0.0_f64, self.reach);
        for k in 0..3 {
            let (x, slope) = (self.origin[k], self.direction[k]);
            let [min, max] = [bounds.min[k] - x, bounds.max[k] - x];
            let slack = 64.0 * f64::EPSILON * (x.abs() + bounds.min[k].abs().min(bounds.max[k].abs()));
            if slope == 0.0 {
                if min > slack || max < -slack {
                    return None;
                }
                continue;
            }
            let (near, far) = if slope > 0.0 { (min, max) } else { (max, min) };
            from = from.max((near - slack.copysign(slope)) / slope);
            to = to.min((far + slack.copysign(slope)) / slope);
        }
        (from <= to).then_some(from)
    }
}

#[inline(always)]
fn first_hit<B: Bound>(body: &Hierarchy<B>, origin: Vec3, direction: Vec3, reach: f64) -> Option<(f64, u32)> {
    // What rounding can do to a place on the ray, m: it may pass a bound that much to the side, or enter it
    // earlier.
    let slack = 64.0 * f64::EPSILON * (body.magnitude + origin.length());
    let mut best: Option<(f64, u32)> = None;
    let mut stack = vec![(0.0, Slot::ROOT)];
    while let Some((enter, slot)) = stack.pop() {
        if enter > best.map_or(reach, |(t, _)| t) {
            continue;
        }
        let child = body.child(slot);
        if child.is_leaf() {
            for triangle in body.leaf(child).triangles {
                let hit = meet(origin, direction, &triangle.corners).map(|t| (t, triangle.id));
                best = hit.filter(|&(t, id)| t <= reach && best.is_none_or(|b| (t, id) < b)).or(best);
            }
            continue;
        }
        let node = &body.nodes[child.index()];
        let enter = B::ray_bounds(&node.pack, origin, direction, slack);
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|&i: &usize, &j| enter[j].total_cmp(&enter[i]));
        for lane in order {
            if node.child[lane] != Child::NONE && enter[lane] < f64::INFINITY {
                stack.push((enter[lane] - slack, Slot::new(child.index(), lane)));
            }
        }
    }
    best
}

/// Where a ray meets a triangle, borders included. The signs of the three volumes that it spans with the
/// sides decide, so that a ray through a side shared by two triangles meets at least one of them.
#[inline(always)]
pub(crate) fn meet(origin: Vec3, direction: Vec3, corners: &[Vec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|p| p - origin);
    let (u, v, w) = (direction.dot(c.cross(b)), direction.dot(a.cross(c)), direction.dot(b.cross(a)));
    if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
        return None;
    }
    let sum = u + v + w;
    if sum == 0.0 {
        return None;
    }
    let at = (u * a + v * b + w * c) / sum;
    let t = at.dot(direction) / direction.length_squared();
    (t >= 0.0).then_some(t)
}
