//! Half-spaces on their way.
//!
//! The plane goes through a point that goes straight (the foot of the body's centre on it), and its normal
//! goes straight from that at the start to that at the end, not kept at unit length: a plane that does not
//! turn moves as a rigid one does. How far a point that goes straight is in front of such a plane, times the
//! length of the normal, is a quadratic in time. If the plane does not turn it is a line: free at both ends
//! is free throughout.

use super::mover::{Mover, PartWay, between};
use super::pair::first_zero_of;
use super::path::MeshEnds;
use crate::bounds::{Bound, Obb};
use crate::hierarchy::{Child, HullCorner, Slot};
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
        bodies: [&Pose; 2],
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
pub(super) struct VertexMet {
    /// The fraction of the path until which all are in front.
    pub(super) time: f64,
    /// Its position among those of the leaves.
    pub(super) triangle: usize,
    pub(super) corner: usize,
}

/// The first vertex of a mesh that comes to a plane by the fraction `limit` of the path.
pub(super) fn first_vertex(
    plane: &MovingPlane,
    mesh: MeshEnds<'_>,
    way: &PartWay,
    limit: f64,
    work: &mut u64,
) -> Option<VertexMet> {
    let mut first = None;
    let mut limit = limit;
    each_vertex(plane, mesh, way, work, |met| {
        if met.time < limit || first.is_none() && met.time <= limit {
            limit = met.time;
            first = Some(met);
        }
    });
    first
}

/// All vertices of a mesh that come to a plane, or of a rigid one with a simple hull those at its corners:
/// some once for each triangle that has them.
pub(super) fn each_vertex(
    plane: &MovingPlane,
    mesh: MeshEnds<'_>,
    way: &PartWay,
    work: &mut u64,
    mut met: impl FnMut(VertexMet),
) {
    let heights = Heights::new(plane, mesh, way);
    if mesh.is_rigid()
        && let Some(corners) = mesh.start.hull_corners()
    {
        *work += corners.len() as u64;
        for &HullCorner { at, triangle, corner, .. } in corners {
            let time = heights.free_until([at; 2]);
            if time <= 1.0 {
                met(VertexMet { time, triangle: triangle as usize, corner: corner.into() });
            }
        }
        return;
    }
    let mut stack = vec![Slot::ROOT];
    while let Some(slot) = stack.pop() {
        let child = mesh.start.child(slot);
        if !child.is_leaf() {
            *work += 1;
            let start = Obb::balls(&mesh.start.nodes[child.index()].pack);
            let end = if mesh.is_rigid() { start } else { Obb::balls(&mesh.end.nodes[child.index()].pack) };
            let ends = [start, end];
            for lane in 0..LANES {
                let middles = ends.map(|([x, y, z], _)| Vec3::new(x[lane], y[lane], z[lane]));
                let radii = ends.map(|(_, radii)| radii[lane]);
                if mesh.start.nodes[child.index()].child[lane] != Child::NONE
                    && !heights.is_in_front(middles, radii)
                {
                    stack.push(Slot::new(child.index(), lane));
                }
            }
            continue;
        }
        let leaf = mesh.start.leaf(child);
        for triangle in (leaf.start as usize..).take(leaf.triangles.len()) {
            *work += 1;
            let [start, end] = mesh.corners(triangle);
            for corner in 0..3 {
                let time = heights.free_until([start[corner], end[corner]]);
                if time <= 1.0 {
                    met(VertexMet { time, triangle, corner });
                }
            }
        }
    }
}

/// How high the points of a mesh are over a plane: the Bernstein coefficients of a quadratic in time, each an
/// affine function of the point in the mesh's frame at the start and at the end.
struct Heights {
    /// The first of the point at the start, the last of that at the end.
    slopes: [Vec3; 3],
    /// What the slope in the middle is made of, for both ends; `None` of a rigid mesh, whose points are the
    /// same at both.
    middle: Option<[Vec3; 2]>,
    /// With what rounding may do taken away, m.
    offsets: [f64; 3],
    /// What must be left at the end, if that is less than at the start, so that the same place is in front
    /// when asked about again, m.
    keep: f64,
}

impl Heights {
    fn new(plane: &MovingPlane, mesh: MeshEnds<'_>, way: &PartWay) -> Heights {
        let origin = Mover::point(way.frames, way.arms);
        let ways = plane.foot.ways_to(&origin);
        let [n, m] = plane.normals;
        let back = way.poses.map(|pose| pose.rotation().conjugate());
        /// What turning a point and adding up its height may lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 16.0 * f64::EPSILON;
        // At the ends it depends on these alone: the end of a step is the start of the next.
        let slack = |way: Vec3, magnitude: f64| ROUNDING * (way.length() + 2.0 * magnitude);
        let slacks = [slack(ways[0], mesh.start.magnitude), slack(ways[1], mesh.end.magnitude)];
        Heights {
            slopes: [back[0] * n, 0.5 * (back[1] * n + back[0] * m), back[1] * m],
            middle: (!mesh.is_rigid()).then(|| [0.5 * (back[0] * m), 0.5 * (back[1] * n)]),
            offsets: [
                n.dot(ways[0]) - slacks[0],
                0.5 * (n.dot(ways[1]) + m.dot(ways[0])) - slacks[0].max(slacks[1]),
                m.dot(ways[1]) - slacks[1],
            ],
            keep: 2.0 * slacks[1],
        }
    }

    /// Of a point at both ends.
    #[inline(always)]
    fn coefficients(&self, [start, end]: [Vec3; 2]) -> [f64; 3] {
        let middle = match self.middle {
            None => self.slopes[1].dot(start),
            Some([of_start, of_end]) => of_start.dot(start) + of_end.dot(end),
        };
        [
            self.slopes[0].dot(start) + self.offsets[0],
            middle + self.offsets[1],
            self.slopes[2].dot(end) + self.offsets[2],
        ]
    }

    /// Whether all that is within radii of a point at both ends certainly stays in front.
    fn is_in_front(&self, p: [Vec3; 2], radii: [f64; 2]) -> bool {
        // The slopes are no longer than 1, but for rounding.
        let least = radii[0].max(radii[1]) * (1.0 + 1e-12) + self.keep;
        self.coefficients(p).into_iter().all(|height| height > least)
    }

    fn free_until(&self, p: [Vec3; 2]) -> f64 {
        let [first, middle, last] = self.coefficients(p);
        let until = first_zero_of([first, middle, last]);
        if until > 1.0 && last <= self.keep && last < first { 1.0 } else { until }
    }
}
