//! How a body moves over an interval of time.
//!
//! Either its vertices go on straight lines (paper 1 §2.3), which bends a body that turns but lets every
//! question be decided exactly; or it stays rigid: a point of it goes on a straight line while it turns at a
//! constant rate. A screw is the rigid motion whose point lies on the axis and goes along it. Times are
//! fractions of the interval, from 0 to 1.

use silvia_solid::{Pose, PoseError, Quat, Vec3};

/// The motion of a body over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub(super) start: Pose,
    pub(super) end: Pose,
    /// `None`: the vertices go on straight lines.
    pub(super) turn: Option<Turn>,
}

/// A rigid motion: `x(t) = x(0) + t v + (R(t) - 1) (x(0) - pivot(0))`, with `R(t)` a turn by `t angle` about
/// `axis`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The way of the pivot over the interval, m.
    pub(super) travel: Vec3,
    /// A unit vector; zero if the body does not turn.
    pub(super) axis: Vec3,
    /// Over the interval, rad; not negative.
    pub(super) angle: f64,
    /// From the pivot to the body's origin, at the start, m.
    pub(super) arm: Vec3,
}

/// Why a motion is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A NaN or an infinity, or numbers so large that they lead to one.
    #[error("the {what} of the motion is not finite: {given}")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// As given.
        given: Vec3,
    },
    /// A screw with an angle but no axis.
    #[error("the axis of the screw is {given}: give a direction that is not zero")]
    NoAxis {
        /// As given.
        given: Vec3,
    },
    /// The end is no pose.
    #[error("the motion leads to no pose: {0}")]
    End(#[from] PoseError),
}

impl Motion {
    /// A body at rest.
    pub fn still(pose: Pose) -> Motion {
        Motion { start: pose, end: pose, turn: Some(Turn::NONE) }
    }

    /// Each vertex moves on a straight line from its place at one pose to its place at another. A body that
    /// turns is bent on the way.
    pub fn linear(start: Pose, end: Pose) -> Motion {
        Motion { start, end, turn: None }
    }

    /// Rigid motion from one pose to another: the origin of the body moves on a straight line while the body
    /// turns at a constant rate by the smaller angle, at most half a turn.
    pub fn rigid(start: Pose, end: Pose) -> Motion {
        let (axis, angle) = turn_between(&start, &end);
        let turn = Turn { travel: end.translation() - start.translation(), axis, angle, arm: Vec3::ZERO };
        Motion { start, end, turn: Some(turn) }
    }

    /// As [`Motion::rigid`], with another point of the body (in its own frame, m) on the straight line.
    pub fn rigid_about(start: Pose, end: Pose, point: Vec3) -> Result<Motion, MotionError> {
        let (axis, angle) = turn_between(&start, &end);
        let travel = end.transform_point(point) - start.transform_point(point);
        let arm = finite("body point", -start.transform_vector(point))?;
        Ok(Motion { start, end, turn: Some(Turn { travel: finite("way", travel)?, axis, angle, arm }) })
    }

    /// A point of the body (in its own frame, m) moves by `travel` (m, over the interval) while the body
    /// turns about it by `rotation`: a vector along the axis whose length is the angle over the interval,
    /// rad. Any number of turns.
    pub fn turning(start: Pose, travel: Vec3, rotation: Vec3, point: Vec3) -> Result<Motion, MotionError> {
        let travel = finite("way", travel)?;
        let rotation = finite("rotation", rotation)?;
        let arm = finite("body point", -start.transform_vector(point))?;
        let (axis, angle) = unit_and_length(rotation);
        let angle = finite("angle", Vec3::splat(angle))?.x;
        Motion::of_turn(start, Turn { travel, axis, angle, arm })
    }

    /// A screw: the body turns by `angle` (rad, over the interval, any number of turns) about the line
    /// through `point` along `axis`, both in the frame of the poses, and advances along it by `advance` (m,
    /// over the interval).
    pub fn screw(
        start: Pose,
        point: Vec3,
        axis: Vec3,
        angle: f64,
        advance: f64,
    ) -> Result<Motion, MotionError> {
        let point = finite("point on the axis", point)?;
        let (unit, _) = unit_and_length(finite("axis", axis)?);
        if unit == Vec3::ZERO {
            return Err(MotionError::NoAxis { given: axis });
        }
        finite("angle and advance", Vec3::new(angle, advance, 0.0))?;
        let signed = if angle < 0.0 { -unit } else { unit };
        let arm = start.translation() - point;
        let arm = arm - unit * unit.dot(arm);
        let axis = if angle == 0.0 { Vec3::ZERO } else { signed };
        Motion::of_turn(start, Turn { travel: unit * advance, axis, angle: angle.abs(), arm })
    }

    /// The screw between two poses (Chasles) by the smaller angle; a translation if the poses differ by
    /// nothing else.
    pub fn screw_between(start: Pose, end: Pose) -> Motion {
        let (axis, angle) = turn_between(&start, &end);
        let travel = end.translation() - start.translation();
        let along = axis * axis.dot(travel);
        // The body's origin goes from `arm` to `R arm` about the axis, and both differ by the rest of its
        // way.
        let across = travel - along;
        let arm = if angle == 0.0 {
            Vec3::ZERO
        } else {
            -0.5 * (across + axis.cross(across) / (0.5 * angle).tan())
        };
        let travel = if angle == 0.0 { travel } else { along };
        Motion { start, end, turn: Some(Turn { travel, axis, angle, arm }) }
    }

    fn of_turn(start: Pose, turn: Turn) -> Result<Motion, MotionError> {
        let (translation, rotation) = turn.placed(&start, 1.0);
        let end = Pose::new(translation, rotation)?;
        Ok(Motion { start, end, turn: Some(turn) })
    }

    /// Where the body is at the start.
    pub fn start(&self) -> Pose {
        self.start
    }

    /// Where the body is at the end.
    pub fn end(&self) -> Pose {
        self.end
    }

    /// Whether the vertices move on straight lines, as they do in a rigid motion without rotation.
    pub fn is_linear(&self) -> bool {
        self.turn.is_none_or(|t| t.angle == 0.0)
    }

    /// Whether the body stays rigid.
    pub fn is_rigid(&self) -> bool {
        self.turn.is_some() || self.start.rotation() == self.end.rotation()
    }

    /// Where a point of the body is at a fraction of the interval.
    pub fn point_at(&self, fraction: f64, point: Vec3) -> Vec3 {
        match self.pose_at(fraction) {
            Some(pose) => pose.transform_point(point),
            None => {
                let (p, q) = (self.start.transform_point(point), self.end.transform_point(point));
                p + fraction * (q - p)
            }
        }
    }

    /// The pose of the body at a fraction of the interval; `None` if it is bent then, as a body is that turns
    /// with its vertices on straight lines, between start and end.
    pub fn pose_at(&self, fraction: f64) -> Option<Pose> {
        if fraction <= 0.0 {
            return Some(self.start);
        }
        if fraction >= 1.0 {
            return Some(self.end);
        }
        let (translation, rotation) = match self.turn {
            Some(turn) => turn.placed(&self.start, fraction),
            None if self.start.rotation() == self.end.rotation() => {
                let (p, q) = (self.start.translation(), self.end.translation());
                (p + fraction * (q - p), self.start.rotation())
            }
            None => return None,
        };
        Pose::new(translation, rotation).ok()
    }
}

impl Turn {
    pub(super) const NONE: Turn = Turn { travel: Vec3::ZERO, axis: Vec3::ZERO, angle: 0.0, arm: Vec3::ZERO };

    /// Translation and rotation at a fraction of the interval.
    pub(super) fn placed(&self, start: &Pose, fraction: f64) -> (Vec3, Quat) {
        let half = 0.5 * fraction * self.angle;
        let (sin, cos) = half.sin_cos();
        // (R - 1) arm by Rodrigues: an arm as long as that of a nearly straight screw does no harm.
        let across = self.axis.cross(self.arm);
        let swing = 2.0 * sin * (cos * across + sin * self.axis.cross(across));
        let axis = sin * self.axis;
        let rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, cos) * start.rotation();
        (start.translation() + fraction * self.travel + swing, rotation.normalize())
    }
}

/// The axis and the angle, from 0 to half a turn, from one orientation to another; no axis if they are the
/// same.
fn turn_between(start: &Pose, end: &Pose) -> (Vec3, f64) {
    let turn = end.rotation() * start.rotation().conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sin = turn.xyz().length();
    let axis = turn.xyz().normalize_or_zero();
    // Quaternions differ by rounding even if the rotations are meant to be the same.
    const SAME: f64 = 4.0 * f64::EPSILON;
    if start.rotation() == end.rotation() || sin <= SAME || axis == Vec3::ZERO {
        return (Vec3::ZERO, 0.0);
    }
    (axis, 2.0 * sin.atan2(turn.w))
}

/// A unit vector along a finite one, and its length; both zero if it is zero. Right where the squares of its
/// coordinates are beyond f64, too.
fn unit_and_length(v: Vec3) -> (Vec3, f64) {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return (Vec3::ZERO, 0.0);
    }
    // A division for each: one by a subnormal number may not have a finite inverse.
    let scaled = Vec3::new(v.x / largest, v.y / largest, v.z / largest);
    let length = scaled.length();
    (scaled / length, length * largest)
}

fn finite(what: &'static str, given: Vec3) -> Result<Vec3, MotionError> {
    if given.is_finite() { Ok(given) } else { Err(MotionError::NotFinite { what, given }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    fn pose(t: [f64; 3], axis: [f64; 3], angle: f64) -> Pose {
        Pose::new(t.into(), Quat::from_axis_angle(Vec3::from(axis).normalize(), angle)).unwrap()
    }

    fn apart(a: &Pose, b: &Pose) -> f64 {
        [Vec3::ZERO, Vec3::X, Vec3::Y]
            .iter()
            .map(|&p| a.transform_point(p).distance(b.transform_point(p)))
            .fold(0.0, f64::max)
    }

    #[test]
    fn a_motion_between_two_poses_ends_at_the_second() {
        let (start, end) = (pose([1., 2., 3.], [1., 0., 2.], 0.3), pose([-1., 0., 5.], [0., 1., -1.], 2.9));
        for motion in [
            Motion::rigid(start, end),
            Motion::rigid_about(start, end, Vec3::new(3., -1., 2.)).unwrap(),
            Motion::screw_between(start, end),
        ] {
            let (translation, rotation) = motion.turn.unwrap().placed(&start, 1.0);
            assert!(apart(&Pose::new(translation, rotation).unwrap(), &end) < 1e-14);
            assert_eq!(motion.pose_at(0.0), Some(start));
        }
    }

    #[test]
    fn the_chosen_point_goes_on_a_straight_line() {
        let (start, end) = (pose([1., 2., 3.], [1., 0., 2.], 0.3), pose([-1., 0., 5.], [0., 1., -1.], 2.9));
        let point = Vec3::new(3., -1., 2.);
        let motion = Motion::rigid_about(start, end, point).unwrap();
        let (p, q) = (start.transform_point(point), end.transform_point(point));
        assert!(motion.point_at(0.3, point).distance(p + 0.3 * (q - p)) < 1e-14);
    }

    #[test]
    fn a_screw_by_two_poses_is_the_screw_by_its_axis() {
        let start = pose([1., 2., 3.], [1., 0., 2.], 0.3);
        let screw = Motion::screw(start, Vec3::new(4., 0., 1.), Vec3::new(0., 3., 4.), 2.0, 0.7).unwrap();
        let again = Motion::screw_between(start, screw.end());
        for i in 0..=10 {
            let t = f64::from(i) / 10.0;
            assert!(apart(&screw.pose_at(t).unwrap(), &again.pose_at(t).unwrap()) < 1e-13);
        }
    }

    #[test]
    fn a_nearly_straight_screw_keeps_its_digits() {
        let start = Pose::IDENTITY;
        let end = pose([0.3, 0.1, -0.2], [0., 0., 1.], 1e-9);
        let middle = Motion::screw_between(start, end).point_at(0.5, Vec3::ZERO);
        assert!(middle.distance(0.5 * end.translation()) < 1e-9);
        assert!((middle.z + 0.1).abs() < 1e-15);
    }

    #[test]
    fn any_number_of_turns_is_kept() {
        let motion =
            Motion::turning(Pose::IDENTITY, Vec3::X, Vec3::Z * (2.0 * TAU + FRAC_PI_2), Vec3::ZERO).unwrap();
        assert!(motion.point_at(1.0, Vec3::X).distance(Vec3::new(1., 1., 0.)) < 1e-14);
        let half = Motion::rigid(Pose::IDENTITY, pose([0.; 3], [0., 0., 1.], PI));
        assert!((half.turn.unwrap().angle - PI).abs() < 1e-15);
    }

    #[test]
    fn the_length_of_an_axis_does_not_matter() {
        let start = pose([1., 2., 3.], [1., 0., 2.], 0.3);
        let along = Vec3::new(1.0, -2.0, 0.5);
        let screw = |axis: Vec3| Motion::screw(start, Vec3::X, axis, 1.0, 2.0).unwrap();
        for scale in [1e-300, 1e-160, 1e160, 1e300] {
            assert!(apart(&screw(along).end(), &screw(along * scale).end()) < 1e-14, "{scale}");
        }
        assert!(apart(&screw(Vec3::Z).end(), &screw(Vec3::Z * f64::from_bits(1)).end()) < 1e-14);
        let tiny = Motion::turning(start, Vec3::X, along * 1e-200, Vec3::ZERO).unwrap().turn.unwrap();
        assert!((tiny.angle / (along.length() * 1e-200) - 1.0).abs() < 1e-14);
        assert!(tiny.axis.distance(along.normalize()) < 1e-15);
        let huge = Motion::turning(start, Vec3::X, Vec3::splat(1.7e308), Vec3::ZERO);
        assert!(matches!(huge, Err(MotionError::NotFinite { what: "angle", .. })), "{huge:?}");
    }

    #[test]
    fn what_is_no_motion_is_refused() {
        let nan = Vec3::new(f64::NAN, 0., 0.);
        let start = Pose::IDENTITY;
        assert!(Motion::turning(start, nan, Vec3::Z, Vec3::ZERO).is_err());
        assert!(Motion::turning(start, Vec3::ZERO, Vec3::Z / 0.0, Vec3::ZERO).is_err());
        assert!(Motion::rigid_about(start, start, nan).is_err());
        assert!(Motion::screw(start, Vec3::ZERO, Vec3::Z, f64::NAN, 0.0).is_err());
        let none = Motion::screw(start, Vec3::ZERO, Vec3::ZERO, 1.0, 0.0);
        assert_eq!(none, Err(MotionError::NoAxis { given: Vec3::ZERO }));
    }

    #[test]
    fn bent_bodies_have_no_pose() {
        let end = pose([0.; 3], [0., 0., 1.], 1.0);
        assert_eq!(Motion::linear(Pose::IDENTITY, end).pose_at(0.5), None);
        let straight = Motion::linear(Pose::IDENTITY, Pose::from_translation(Vec3::X).unwrap());
        assert_eq!(straight.pose_at(0.5).unwrap().translation(), 0.5 * Vec3::X);
    }
}
