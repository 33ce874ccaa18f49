//! Arcs on the sphere of unit normals: the normals of planes that touch a body at an edge only.

use crate::contacts::tuning;
use silvia_solid::Vec3;

/// The normals between those of the two faces at a convex edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// Along the edge, of unit length: the arc turns anticlockwise about it.
    pub(super) axis: Vec3,
    /// Unit normals of the faces, in the order of the turn.
    pub(super) ends: [Vec3; 2],
}

impl Arc {
    /// The arc seen from the other side of the plane.
    pub(super) fn opposite(&self) -> Arc {
        Arc { axis: self.axis, ends: self.ends.map(|n| -n) }
    }

    /// Whether a unit vector across the axis is in the arc.
    pub(super) fn holds(&self, normal: Vec3) -> bool {
        let [first, last] = self.ends;
        first.cross(normal).dot(self.axis) >= -tuning::LEVEL
            && normal.cross(last).dot(self.axis) >= -tuning::LEVEL
    }

    /// Whether a unit vector across the axis is in the arc, or no farther from it than the sine of an angle.
    pub(super) fn nearly_holds(&self, normal: Vec3, sine: f64) -> bool {
        let [first, last] = self.ends;
        let is_between =
            first.cross(normal).dot(self.axis) >= -sine && normal.cross(last).dot(self.axis) >= -sine;
        is_between && normal.dot(first + last) > 0.0
    }

    /// Whether a unit vector is within an angle of the arc.
    fn is_near(&self, v: Vec3, angle: &Angle) -> bool {
        let height = v.dot(self.axis);
        let level = v - height * self.axis;
        self.ends.iter().any(|&end| angle.spans(v, end)) || height.abs() <= angle.sine && self.holds(level)
    }
}

/// An angle to compare with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angle {
    pub(super) sine: f64,
    chord_squared: f64,
}

impl Angle {
    /// A right angle is as good as any larger one here: beyond it everything is near.
    pub(super) fn new(radians: f64) -> Angle {
        let radians = radians.min(std::f64::consts::PI);
        let sine = if radians < std::f64::consts::FRAC_PI_2 { radians.sin() } else { 1.0 };
        Angle { sine, chord_squared: (2.0 * (0.5 * radians).sin()).powi(2) }
    }

    fn spans(&self, u: Vec3, v: Vec3) -> bool {
        u.distance_squared(v) <= self.chord_squared
    }
}

/// Whether two arcs cross, or would after a turn by no more than an angle.
pub(super) fn arcs_meet(a: &Arc, b: &Arc, angle: &Angle) -> bool {
    let across = a.axis.cross(b.axis);
    [across, -across].iter().any(|&n| a.holds(n) && b.holds(n) && n != Vec3::ZERO)
        || b.ends.iter().any(|&end| a.is_near(end, angle))
        || a.ends.iter().any(|&end| b.is_near(end, angle))
}
