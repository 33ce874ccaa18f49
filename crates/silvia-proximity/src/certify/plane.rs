//! Half-spaces on their way.
//!
//! The plane goes through a point that goes straight (the foot of the body's centre on it), and its normal
//! goes straight from that at the start to that at the end, not kept at unit length: a plane that does not
//! turn moves as a rigid one does. How far a point that goes straight is in front of such a plane, times the
//! length of the normal, is a quadratic in time. If the plane does not turn it is a line: free at both ends
//! is free throughout.

use super::mover::{Mover, PartWay, between};
use super::pair::first_zero_of;
use crate::bounds::{Bound, Obb};
use crate::hierarchy::{Child, Hierarchy, LeafTriangle, Slot};
use crate::lanes::LANES;
use silvia_solid::{Plane, Pose, Vec3};

/// A plane on its way.
pub(super) struct MovingPlane {
    /// Unit vectors.
    pub(super) normals: [Vec3; 2],
    /// A point on it.
    pub(super) foot: Mover<'static>,
}

impl MovingPlane {
    /// `about` is the body's centre, in the body's frame, in which the part is at `pose`.
    pub(super) fn new(
        plane: &Plane,
        pose: &Pose,
        way: &PartWay,
        bodies: [Pose; 2],
        about: Vec3,
    ) -> MovingPlane {
        let normal = pose.transform_vector(plane.normal);
        let offset = plane.offset + normal.dot(pose.translation());
        let foot = about + (offset - normal.dot(about)) * normal;
        MovingPlane {
            normals: bodies.map(|body| body.transform_vector(normal)),
            foot: Mover::point(way.frames, bodies.map(|body| body.transform_vector(foot))),
        }
    }

    /// At a time.
    pub(super) fn normal(&self, time: f64) -> Vec3 {
        between(self.normals, time).normalize_or_zero()
    }
}

/// A vertex that comes to a plane.
pub(super) struct VertexMet<'a> {
    /// The fraction of the path until which all are in front.
    pub(super) time: f64,
    pub(super) triangle: &'a LeafTriangle,
    pub(super) corner: usize,
}

/// The first vertex of a mesh that comes to a plane by the fraction `limit` of the path.
pub(super) fn first_vertex<'a>(
    plane: &MovingPlane,
    mesh: &'a Hierarchy<Obb>,
    way: &PartWay,
    limit: f64,
    work: &mut u64,
) -> Option<VertexMet<'a>> {
    let heights = Heights::new(plane, mesh, way);
    let mut first = None;
    let mut limit = limit;
    let mut stack = vec![Slot::ROOT];
    while let Some(slot) = stack.pop() {
        let child = mesh.child(slot);
        if !child.is_leaf() {
            *work += 1;
            let node = &mesh.nodes[child.index()];
            let (middles, radii) = Obb::balls(&node.pack);
            for lane in 0..LANES {
                let middle = Vec3::new(middles[0][lane], middles[1][lane], middles[2][lane]);
                if node.child[lane] != Child::NONE && !heights.is_in_front(middle, radii[lane]) {
                    stack.push(Slot::new(child.index(), lane));
                }
            }
            continue;
        }
        for triangle in mesh.leaf(child).triangles {
            *work += 1;
            for (corner, &p) in triangle.corners.iter().enumerate() {
                let time = heights.free_until(p);
                if time <= 1.0 && (time < limit || first.is_none() && time <= limit) {
                    limit = time;
                    first = Some(VertexMet { time, triangle, corner });
                }
            }
        }
    }
    first
}

/// How high the points of a mesh are over a plane: the Bernstein coefficients of a quadratic in time, each an
/// affine function of the point in the mesh's frame.
struct Heights {
    slopes: [Vec3; 3],
    /// With what rounding may do taken away, m.
    offsets: [f64; 3],
    /// What must be left at the end, if that is less than at the start, so that the same place is in front
    /// when asked about again, m.
    keep: f64,
}

impl Heights {
    fn new(plane: &MovingPlane, mesh: &Hierarchy<Obb>, way: &PartWay) -> Heights {
        let origin = Mover::point(way.frames, way.arms);
        let ways = plane.foot.ways_to(&origin);
        let [n, m] = plane.normals;
        let back = way.poses.map(|pose| pose.rotation().conjugate());
        /// What turning a point and adding up its height may lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 16.0 * f64::EPSILON;
        // At the ends it depends on these alone: the end of a step is the start of the next.
        let slacks = ways.map(|way| ROUNDING * (way.length() + 2.0 * mesh.magnitude));
        Heights {
            slopes: [back[0] * n, 0.5 * (back[1] * n + back[0] * m), back[1] * m],
            offsets: [
                n.dot(ways[0]) - slacks[0],
                0.5 * (n.dot(ways[1]) + m.dot(ways[0])) - slacks[0].max(slacks[1]),
                m.dot(ways[1]) - slacks[1],
            ],
            keep: 2.0 * slacks[1],
        }
    }

    /// Whether all within a radius of a point certainly stay in front.
    fn is_in_front(&self, p: Vec3, radius: f64) -> bool {
        // The slopes are no longer than 1, but for rounding.
        let least = radius * (1.0 + 1e-12) + self.keep;
        (0..3).all(|k| self.slopes[k].dot(p) + self.offsets[k] > least)
    }

    fn free_until(&self, p: Vec3) -> f64 {
        let [first, middle, last] = [0, 1, 2].map(|k| self.slopes[k].dot(p) + self.offsets[k]);
        let until = first_zero_of([first, middle, last]);
        if until > 1.0 && last <= self.keep && last < first { 1.0 } else { until }
    }
}
