//! Whether two triangles stay apart, their corners going straight.

use crate::bounds::Bound;
use crate::elementary::{MovingPair, certainly_free, first_touch};
use crate::hierarchy::Hierarchy;
use crate::triangle::{across, triangle_distance};
use silvia_solid::{Mat3, Pose, Vec3, triangles_intersect};

/// Two meshes at both ends of their ways, seen so that a direction of the first at the start is quickly
/// measured along.
pub(crate) struct Ends<'a, B: Bound> {
    meshes: [&'a Hierarchy<B>; 2],
    poses: [[Pose; 2]; 2],
    /// Takes a direction in the frame of the first at the start to the same direction in the frame of each
    /// body at each end.
    turns: [[Mat3; 2]; 2],
    /// From the origin of the first to that of the second, at both ends, along the axes of the first at the
    /// start, m.
    ways: [Vec3; 2],
    /// By how much triangles must be apart, with what rounding may do to a gap, m.
    margin: f64,
}

impl<'a, B: Bound> Ends<'a, B> {
    /// The poses of each, at the start and at the end.
    pub(crate) fn new(meshes: [&'a Hierarchy<B>; 2], poses: [[Pose; 2]; 2], margin: f64) -> Ends<'a, B> {
        let frame = poses[0][0].matrix();
        Ends {
            meshes,
            poses,
            turns: poses.map(|ends| ends.map(|pose| pose.matrix().transpose() * frame)),
            ways: [0, 1]
                .map(|end| frame.transpose() * (poses[1][end].translation() - poses[0][end].translation())),
            margin,
        }
    }

    /// As [`Ends::parted`], then exactly, whatever the margin.
    pub(crate) fn apart(&self, triangles: [u32; 2], own: &mut Vec3, nearby: &mut Vec3) -> Option<f64> {
        let parted = self.parted(triangles, own, nearby);
        parted.or_else(|| self.never_touch(triangles).then_some(0.0))
    }

    /// How far two triangles, given by their positions among those of the leaves, are apart at the start, at
    /// least, m, beyond the margin, if planes show that they stay apart all the way. First along the
    /// directions that are given, of these two and of others nearby (zero if none is known); then across the
    /// triangles, and from nearest point to nearest point. What parts them is kept in both.
    #[inline(always)]
    pub(crate) fn parted(&self, triangles: [u32; 2], own: &mut Vec3, nearby: &mut Vec3) -> Option<f64> {
        let corners = [0, 1].map(|i| &self.meshes[i].triangles[triangles[i] as usize].corners);
        let known = |n: Vec3| if n == Vec3::ZERO { None } else { self.apart_along(corners, n) };
        if let Some(apart) = known(*own) {
            return Some(apart);
        }
        if let Some(apart) = known(*nearby) {
            *own = *nearby;
            return Some(apart);
        }
        let (n, apart) = self.part(corners)?;
        (*own, *nearby) = (n, n);
        Some(apart)
    }

    /// A direction that parts two triangles, and by how much.
    fn part(&self, corners: [&[Vec3; 3]; 2]) -> Option<(Vec3, f64)> {
        let directions: [&dyn Fn() -> Vec3; 4] = [
            &|| across(corners[0]).normalize_or_zero(),
            &|| self.turns[1][0].transpose() * -across(corners[1]).normalize_or_zero(),
            &|| self.between(corners, 0),
            &|| self.between(corners, 1),
        ];
        directions.into_iter().find_map(|direction| {
            let n = direction();
            self.apart_along(corners, n).map(|apart| (n, apart))
        })
    }

    /// By a plane across a direction: what goes straight and is on its side at both ends stays there.
    #[inline(always)]
    fn apart_along(&self, [of_a, of_b]: [&[Vec3; 3]; 2], n: Vec3) -> Option<f64> {
        let gap = |end: usize| {
            let (in_a, in_b) = (self.turns[0][end] * n, self.turns[1][end] * n);
            let high = in_a.dot(of_a[0]).max(in_a.dot(of_a[1])).max(in_a.dot(of_a[2]));
            let low = in_b.dot(of_b[0]).min(in_b.dot(of_b[1])).min(in_b.dot(of_b[2]));
            n.dot(self.ways[end]) + low - high - self.margin
        };
        let first = gap(0);
        (first > 0.0 && gap(1) > 0.0).then_some(first)
    }

    /// A unit vector between the nearest points at one end, in the frame of the first body at the start; zero
    /// if they meet.
    fn between(&self, [of_a, of_b]: [&[Vec3; 3]; 2], end: usize) -> Vec3 {
        let place = |i: usize, corners: &[Vec3; 3]| corners.map(|p| self.turns[i][end].transpose() * p);
        let (in_a, in_b) = (place(0, of_a), place(1, of_b).map(|p| p + self.ways[end]));
        let near = triangle_distance(&in_a, &in_b);
        (near.points[1] - near.points[0]).normalize_or_zero()
    }

    /// Exactly, with the corners as they are placed. Looks at the vertices and edges that these triangles
    /// own: the owners of the others are as near.
    pub(super) fn never_touch(&self, triangles: [u32; 2]) -> bool {
        let leaves = [0, 1].map(|i| &self.meshes[i].triangles[triangles[i] as usize]);
        let corners =
            [0, 1].map(|i| self.poses[i].map(|pose| leaves[i].corners.map(|p| pose.transform_point(p))));
        if triangles_intersect(&corners[0][0], &corners[1][0]) {
            return false;
        }
        let owned = [0, 1].map(|i| self.meshes[i].owners()[leaves[i].id as usize]);
        let is_free = |pair: Result<MovingPair, _>| {
            pair.is_ok_and(|pair| certainly_free(&pair, 1.0) || first_touch(&pair).is_none())
        };
        let vertex = |side: usize, k: usize| {
            !owned[side].corner(k)
                || is_free(MovingPair::vertex_face(corners[side].map(|c| c[k]), corners[1 - side]))
        };
        let edges = |k: usize, l: usize| {
            let edge = |side: usize, k: usize| corners[side].map(|c| [c[k], c[(k + 1) % 3]]);
            !(owned[0].side(k) && owned[1].side(l)) || is_free(MovingPair::edge_edge(edge(0, k), edge(1, l)))
        };
        (0..3).all(|k| vertex(0, k) && vertex(1, k) && (0..3).all(|l| edges(k, l)))
    }
}
