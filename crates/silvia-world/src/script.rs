//! The ways of bodies that go where a script says, whatever they meet.

use crate::kinematics::turn_of;
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Remedy};
use thiserror::Error;

/// The way of a scripted body.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_solid::{Pose, Vec3};
/// use silvia_world::{BodyBuilder, Script, World, WorldSettings};
///
/// // A press that comes down within two seconds.
/// let at = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z));
/// let stroke = Script::Poses(vec![(0.0, at(0.5)?), (2.0, at(0.1)?)]);
/// let mut world = World::new(WorldSettings::default())?;
/// let press = world.add(BodyBuilder::scripted(Shape::cuboid(Vec3::splat(0.2))?, stroke))?;
/// assert!((world.scripted_pose(press, 1.0)?.translation().z - 0.3).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Script {
    /// At a constant velocity, of the origin of its frame, from where it is.
    Velocity(Twist),
    /// Through poses at given times, s, in order; before the first and after the last it rests. Between two
    /// it moves on a straight line and turns at a constant rate, the shorter way round.
    Poses(Vec<(f64, Pose)>),
}

/// Why a script is none.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum ScriptError {
    /// A velocity with NaN or infinity.
    Velocity {
        /// As given.
        velocity: Twist,
    },
    /// No poses.
    Empty,
    /// A time that is not finite, or not after the one before.
    Time {
        /// Which one, from 0.
        number: usize,
        /// As given, s.
        time: f64,
    },
}

impl Remedy for ScriptError {
    fn what(&self) -> String {
        match self {
            ScriptError::Velocity { velocity } => format!(
                "the script's velocity is not finite: linear {}, angular {}",
                velocity.linear, velocity.angular
            ),
            ScriptError::Empty => "the script has no poses".to_owned(),
            ScriptError::Time { number, time } => format!(
                "time {number} of the script, {time} s, is not finite or not after the one \
                 before"
            ),
        }
    }

    fn remedy(&self) -> String {
        match self {
            ScriptError::Empty => "give at least one".to_owned(),
            ScriptError::Time { .. } => "give rising times".to_owned(),
            ScriptError::Velocity { .. } => String::new(),
        }
    }
}

/// Where a body was when its script began; a constant velocity goes on from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Anchor {
    /// When the script took over, s.
    pub(crate) time: f64,
    pub(crate) pose: Pose,
}

impl Script {
    /// The pose at a time, and the velocity of the origin of the body's frame from there on.
    pub(crate) fn at(&self, anchor: &Anchor, time: f64) -> (Pose, Twist) {
        self.after(anchor, time, 0.0)
    }

    /// The same some time later, s: after days, a part of a step has digits that the time at its end would
    /// lose.
    pub(crate) fn after(&self, anchor: &Anchor, time: f64, later: f64) -> (Pose, Twist) {
        let since = |start: f64| (time - start) + later;
        match self {
            Script::Velocity(velocity) => (moved(&anchor.pose, *velocity, since(anchor.time)), *velocity),
            Script::Poses(poses) => {
                // The last one that is not later.
                let Some(before) = poses.partition_point(|(t, _)| since(*t) >= 0.0).checked_sub(1) else {
                    return (poses.first().map_or(anchor.pose, |(_, pose)| *pose), Twist::default());
                };
                let (start, from) = &poses[before];
                let Some((end, to)) = poses.get(before + 1) else { return (*from, Twist::default()) };
                let velocity = between(from, to, end - start);
                (moved(from, velocity, since(*start)), velocity)
            }
        }
    }

    /// The times between two, s, at which its velocity changes; rising.
    pub(crate) fn bends(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + '_ {
        let poses = match self {
            Script::Velocity(_) => &[][..],
            Script::Poses(poses) => poses,
        };
        let first = poses.partition_point(|&(time, _)| time <= from);
        poses[first..].iter().map(|&(time, _)| time).take_while(move |&time| time < to)
    }

    pub(crate) fn check(&self) -> Result<(), ScriptError> {
        match self {
            Script::Velocity(velocity) if is_finite(*velocity) => Ok(()),
            Script::Velocity(velocity) => Err(ScriptError::Velocity { velocity: *velocity }),
            Script::Poses(poses) if poses.is_empty() => Err(ScriptError::Empty),
            Script::Poses(poses) => {
                let mut last = f64::NEG_INFINITY;
                for (number, &(time, _)) in poses.iter().enumerate() {
                    if !(time.is_finite() && time > last) {
                        return Err(ScriptError::Time { number, time });
                    }
                    last = time;
                }
                Ok(())
            }
        }
    }
}

pub(crate) fn is_finite(twist: Twist) -> bool {
    twist.linear.is_finite() && twist.angular.is_finite()
}

/// Where a frame is after a time at a constant velocity of its origin.
fn moved(from: &Pose, velocity: Twist, time: f64) -> Pose {
    let turn = Quat::from_scaled_axis(time * velocity.angular);
    let at = from.translation() + time * velocity.linear;
    // Beyond all numbers there is no pose; whoever steps there finds the body where it was.
    Pose::new(at, (turn * from.rotation()).normalize()).unwrap_or(*from)
}

/// The constant velocity that takes one pose to another.
fn between(from: &Pose, to: &Pose, time: f64) -> Twist {
    let turn = turn_of(to.rotation() * from.rotation().conjugate());
    Twist { linear: (to.translation() - from.translation()) / time, angular: turn / time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::Vec3;

    const ORIGIN: Anchor = Anchor { time: 0.0, pose: Pose::IDENTITY };

    fn pose(x: f64, angle: f64) -> Pose {
        Pose::new(Vec3::new(x, 0.0, 0.0), Quat::from_rotation_z(angle)).unwrap()
    }

    #[test]
    fn poses_are_met_at_their_times_and_the_body_rests_outside_them() {
        let script = Script::Poses(vec![(1.0, pose(0.0, 0.1)), (2.0, pose(1.0, 0.5)), (4.0, pose(0.0, 0.5))]);
        for (time, expected, speed) in [
            (0.0, pose(0.0, 0.1), 0.0),
            (1.0, pose(0.0, 0.1), 1.0),
            (1.25, pose(0.25, 0.2), 1.0),
            (2.0, pose(1.0, 0.5), -0.5),
            (3.0, pose(0.5, 0.5), -0.5),
            (4.0, pose(0.0, 0.5), 0.0),
            (9.0, pose(0.0, 0.5), 0.0),
        ] {
            let (at, velocity) = script.at(&ORIGIN, time);
            assert!((at.translation() - expected.translation()).length() < 1e-15, "{time}");
            assert!((at.rotation() - expected.rotation()).length() < 1e-15, "{time}");
            assert_eq!(velocity.linear.x, speed, "{time}");
        }
        let turning = script.at(&ORIGIN, 1.5).1.angular;
        assert!((turning - Vec3::new(0.0, 0.0, 0.4)).length() < 1e-15);
    }

    #[test]
    fn bends_are_the_times_between_two_at_which_poses_are_given() {
        let script = Script::Poses([1.0, 2.0, 4.0].map(|time| (time, Pose::IDENTITY)).to_vec());
        for (from, to, expected) in
            [(0.0, 5.0, &[1.0, 2.0, 4.0][..]), (1.0, 4.0, &[2.0]), (4.0, 9.0, &[]), (-2.0, 0.0, &[])]
        {
            assert_eq!(script.bends(from, to).collect::<Vec<_>>(), expected);
        }
        assert_eq!(Script::Velocity(Twist::default()).bends(0.0, 1.0).count(), 0);
    }

    #[test]
    fn a_turn_goes_the_shorter_way_even_if_the_quaternion_is_the_other_one() {
        let other = Pose::new(Vec3::ZERO, -Quat::from_rotation_z(1.0)).unwrap();
        let script = Script::Poses(vec![(0.0, Pose::IDENTITY), (2.0, other)]);
        let (at, velocity) = script.at(&ORIGIN, 1.0);
        assert!((velocity.angular.z - 0.5).abs() < 1e-15);
        assert!((at.rotation() - Quat::from_rotation_z(0.5)).length() < 1e-15);
    }

    #[test]
    fn a_turn_too_small_to_see_is_still_made() {
        let script = Script::Poses(vec![(0.0, Pose::IDENTITY), (1.0, pose(0.0, 1e-9))]);
        assert!((script.at(&ORIGIN, 0.5).1.angular.z - 1e-9).abs() < 1e-20);
    }

    #[test]
    fn a_constant_velocity_goes_on_from_where_the_script_began() {
        let anchor = Anchor { time: 3.0, pose: pose(5.0, 0.0) };
        let velocity = Twist { linear: Vec3::X, angular: Vec3::Z };
        let (at, _) = Script::Velocity(velocity).at(&anchor, 4.5);
        assert_eq!(at.translation().x, 6.5);
        assert!((at.rotation() - Quat::from_rotation_z(1.5)).length() < 1e-15);
    }

    #[test]
    fn what_is_no_script_is_refused() {
        let endless = Twist { linear: Vec3::X * f64::INFINITY, angular: Vec3::ZERO };
        assert!(matches!(Script::Velocity(endless).check(), Err(ScriptError::Velocity { .. })));
        assert_eq!(Script::Poses(Vec::new()).check(), Err(ScriptError::Empty));
        for times in [[0.0, 0.0], [1.0, 0.0], [0.0, f64::INFINITY]] {
            let script = Script::Poses(times.map(|t| (t, Pose::IDENTITY)).to_vec());
            assert!(matches!(script.check(), Err(ScriptError::Time { number: 1, .. })));
        }
        let nan = Script::Poses(vec![(f64::NAN, Pose::IDENTITY)]);
        assert!(matches!(nan.check(), Err(ScriptError::Time { number: 0, .. })));
    }
}
