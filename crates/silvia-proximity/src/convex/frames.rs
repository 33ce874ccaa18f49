//! Two convex bodies and how they lie to each other.

use super::ConvexData;
use silvia_solid::{Mat3, Pose, Vec3};

/// A vertex, edge or face of the hull: a position in the arrays of [`ConvexData`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HullFeature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

/// Two bodies, and the motions from the frame of each into that of the other.
pub(crate) struct Two<'a> {
    pub(crate) body: [&'a ConvexData; 2],
    /// `rotation[i]` and `translation[i]` take points of the other body into the frame of body `i`.
    rotation: [Mat3; 2],
    translation: [Vec3; 2],
}

impl<'a> Two<'a> {
    #[inline(always)]
    pub(crate) fn new(a: &'a ConvexData, pose_a: &Pose, b: &'a ConvexData, pose_b: &Pose) -> Two<'a> {
        let (a_to_world, b_to_world) = (pose_a.matrix(), pose_b.matrix());
        let world_to_a = a_to_world.transpose();
        let rotation = world_to_a * b_to_world;
        let translation = world_to_a * (pose_b.translation() - pose_a.translation());
        let back = rotation.transpose();
        Two { body: [a, b], rotation: [rotation, back], translation: [translation, -(back * translation)] }
    }

    /// A point of the other body, in the frame of body `i`.
    #[inline(always)]
    pub(crate) fn into(&self, i: usize, point: Vec3) -> Vec3 {
        self.rotation[i] * point + self.translation[i]
    }

    /// A direction of the other body, in the frame of body `i`.
    #[inline(always)]
    pub(crate) fn turn(&self, i: usize, direction: Vec3) -> Vec3 {
        self.rotation[i] * direction
    }

    /// How fast the height over a face of body `1 - i` grows along an edge of body `i`. The one place where
    /// this is computed, so that no two states disagree about its sign.
    #[inline(always)]
    pub(crate) fn slope(&self, i: usize, edge: u32, face: u32) -> f64 {
        let normal = self.turn(i, self.body[1 - i].planes[face as usize].normal);
        normal.dot(self.body[i].edges[edge as usize].direction)
    }

    /// A vertex of body `1 - i` in the frame of body `i`.
    #[inline(always)]
    pub(crate) fn vertex(&self, i: usize, vertex: u32) -> Vec3 {
        self.into(i, self.body[1 - i].points[vertex as usize])
    }

    /// The ends of an edge of body `1 - i` in the frame of body `i`.
    #[inline(always)]
    pub(crate) fn ends(&self, i: usize, edge: u32) -> [Vec3; 2] {
        let [tail, head] = self.body[1 - i].edges[edge as usize].points;
        [self.into(i, tail), self.into(i, head)]
    }

    /// How large coordinates are, of both bodies in either frame, m: what rounding is proportional to.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f64 {
        self.body[0].magnitude + self.body[1].magnitude + self.translation[0].abs().max_element()
    }
}
