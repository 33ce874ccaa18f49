//! A body on its way, and the axis it turns about.

use super::motion::Motion;
use super::moving::Travel;
use crate::bounds::Bound;
use crate::hierarchy::{Hierarchy, LeafTriangle, Slot};
use crate::lanes::{Lanes, Lanes3};
use silvia_solid::{Mat3, Vec3};

/// A body and how it moves.
pub(super) struct Body<'a, B: Bound> {
    pub(super) start: &'a Hierarchy<B>,
    pub(super) end: &'a Hierarchy<B>,
    pub(super) motion: Motion,
    pub(super) axis: Axis,
}

/// The axis that a rigid body turns about, in its own frame, in which it does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// A unit vector; zero if the body does not turn.
    direction: Vec3,
    /// From a point on the axis to the origin of the frame, m.
    arm: Vec3,
    /// Over the whole interval, rad.
    angle: f64,
}

/// What the angle at a time may be off, as a fraction of the angle over the interval: three products are
/// rounded.
pub(super) const ANGLE_ROUNDING: f64 = 4.0 * f64::EPSILON;

impl<'a, B: Bound> Body<'a, B> {
    pub(super) fn new(&Travel { start, end, motion }: &Travel<'a, B>) -> Body<'a, B> {
        let back = motion.start.matrix().transpose();
        let axis = motion.turn.filter(|t| t.angle > 0.0).map_or(Axis::NONE, |turn| Axis {
            direction: back * turn.axis,
            arm: back * turn.arm,
            angle: turn.angle,
        });
        Body { start, end, motion, axis }
    }

    /// A bound of all coordinates over the interval, m.
    pub(super) fn reach(&self) -> f64 {
        let at_ends = self.motion.start.translation().abs().max(self.motion.end.translation().abs());
        self.start.magnitude + self.end.magnitude + at_ends.max_element() + self.axis.swing()
    }

    /// What the rounding of the angle can do to the place of a point at any time, m.
    pub(super) fn angle_error(&self) -> f64 {
        ANGLE_ROUNDING * self.axis.angle * (self.axis.distance(Vec3::ZERO) + 2.0 * self.start.magnitude)
    }

    /// How far from its axis the triangles under a bound reach, at most, m; 0 if the body does not turn.
    #[inline(always)]
    pub(super) fn radius(&self, slot: Slot) -> f64 {
        if self.axis.angle == 0.0 {
            return 0.0;
        }
        let (middles, radii) = B::balls(&self.start.nodes[slot.node()].pack);
        let lane = slot.lane();
        self.axis.distance(Vec3::new(middles[0][lane], middles[1][lane], middles[2][lane])) + radii[lane]
    }

    /// The corners of a triangle at a time, in the common frame; given by its position among the leaves'
    /// triangles.
    #[inline(always)]
    pub(super) fn corners_at(&self, time: f64, triangle: usize) -> [Vec3; 3] {
        match self.motion.turn {
            Some(turn) if self.axis.angle > 0.0 => {
                let (translation, rotation) = turn.placed(&self.motion.start, time);
                let matrix = Mat3::from_quat(rotation);
                self.start.triangles[triangle].corners.map(|p| matrix * p + translation)
            }
            _ => {
                let [start, end] = self.corners_at_ends(triangle);
                std::array::from_fn(|k| start[k] + time * (end[k] - start[k]))
            }
        }
    }

    /// The corners of a triangle at the start and at the end, in the common frame.
    #[inline(always)]
    pub(super) fn corners_at_ends(&self, triangle: usize) -> [[Vec3; 3]; 2] {
        let placed = |pose: &silvia_solid::Pose, t: &LeafTriangle| t.corners.map(|p| pose.transform_point(p));
        [
            placed(&self.motion.start, &self.start.triangles[triangle]),
            placed(&self.motion.end, &self.end.triangles[triangle]),
        ]
    }
}

impl Axis {
    const NONE: Axis = Axis { direction: Vec3::ZERO, arm: Vec3::ZERO, angle: 0.0 };

    /// How far a point at distance 1 leaves the straight line, at most, over a part of the interval: the
    /// greatest distance of a function from its chord is an eighth of its greatest second derivative, φ²,
    /// times the length squared.
    #[inline(always)]
    pub(super) fn bend(&self, length: f64) -> f64 {
        let angle = self.angle * length;
        // The factor is for rounding.
        0.125 * angle * angle * (1.0 + 1e-12)
    }

    /// How far the origin of the frame gets from the straight way of the pivot plus its first arm, at most,
    /// m: twice the arm, or the arc, whichever is less. A nearly straight screw has a huge arm and a short
    /// arc.
    fn swing(&self) -> f64 {
        self.angle.min(2.0) * self.distance(Vec3::ZERO)
    }

    /// Over the whole interval, rad.
    pub(super) fn angle(&self) -> f64 {
        self.angle
    }

    /// Of a point in the body's frame from the axis, m.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec3) -> f64 {
        self.direction.cross(point + self.arm).length()
    }

    /// The same for a point a lane.
    #[inline(always)]
    pub(super) fn distances(&self, points: &Lanes3) -> Lanes {
        let [x, y, z] = self.direction.to_array().map(Lanes::splat);
        let [u, v, w] = self.arm.to_array().map(Lanes::splat);
        let [u, v, w] = [points.0[0] + u, points.0[1] + v, points.0[2] + w];
        let across = Lanes3([y * w - z * v, z * u - x * w, x * v - y * u]);
        across.dot(&across).sqrt()
    }

    /// In the body's frame.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vec3 {
        self.direction
    }
}
