//! Poses, rotations and motions.

use super::Build;
use crate::scene::setup::HandPath;
use crate::scene::tree::Path;
use crate::scene::written::{self, Angle, Hand, Length, Rotation, TimedPose};
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Remedy, Vec3};
use silvia_world::{BodyId, Load, Script};

impl Build<'_> {
    /// The pose from the `position` and `rotation` of a table.
    pub(super) fn pose(
        &mut self,
        path: &Path,
        position: &Option<[Length; 3]>,
        rotation: &Option<Rotation>,
    ) -> Option<Pose> {
        let at = self.vector_or(&path.key("position"), position, Vec3::ZERO);
        let turned = match rotation {
            Some(rotation) => self.rotation(&path.key("rotation"), rotation),
            None => Some(Quat::IDENTITY),
        };
        let (at, turned) = (at?, turned?);
        let pose = Pose::new(at, turned);
        if let Err(error) = &pose {
            self.sure_error(path, error.to_string(), "check `position` and `rotation`");
        }
        pose.ok()
    }

    pub(super) fn rotation(&mut self, path: &Path, written: &Rotation) -> Option<Quat> {
        let Rotation { axis, angle, x, y, z, quaternion } = written;
        let about_axis = axis.is_some() || angle.is_some();
        let about_three = x.is_some() || y.is_some() || z.is_some();
        match (about_axis, about_three, quaternion) {
            (true, false, None) => {
                let (Some(axis), Some(angle)) = (axis, angle) else {
                    let missing = if axis.is_none() { "axis" } else { "angle" };
                    let what = format!("`{missing}` is missing");
                    self.error(path, what, "give both, as in { axis = [0, 0, 1], angle = 30 }");
                    return None;
                };
                let axis = self.direction(&path.key("axis"), axis);
                let angle = self.si(&path.key("angle"), angle);
                Some(Quat::from_axis_angle(axis?, angle?))
            }
            (false, true, None) => {
                let mut about = |key: &str, given: &Option<Angle>| {
                    given.as_ref().map_or(Some(0.0), |angle| self.si(&path.key(key), angle))
                };
                let (x, y, z) = (about("x", x), about("y", y), about("z", z));
                Some(Quat::from_rotation_z(z?) * Quat::from_rotation_y(y?) * Quat::from_rotation_x(x?))
            }
            (false, false, Some([w, x, y, z])) => {
                let turned = Quat::from_xyzw(*x, *y, *z, *w);
                // A length near 1 comes from rounding; the pose normalises it.
                if let Err(error) = Pose::new(Vec3::ZERO, turned) {
                    let remedy = Some(error.remedy()).filter(|remedy| !remedy.is_empty());
                    let remedy = remedy.unwrap_or("give finite numbers".to_owned());
                    self.error(&path.key("quaternion"), error.what(), remedy);
                    return None;
                }
                Some(turned.normalize())
            }
            _ => {
                let what = "a rotation is an `axis` with an `angle`, or angles about `x`, `y` and `z`, or a \
                 `quaternion`";
                self.error(path, what, "give one of these");
                None
            }
        }
    }

    /// A direction, normalised.
    pub(super) fn direction(&mut self, path: &Path, given: &[f64; 3]) -> Option<Vec3> {
        let direction = Vec3::from(*given).try_normalize();
        if direction.is_none() {
            self.error(path, "this direction has no length", "give one like [0, 0, 1]");
        }
        direction
    }

    /// The initial pose of a body's frame: its own, or the first of its path of poses.
    pub(super) fn beginning(&mut self, path: &Path, body: &written::WrittenBody) -> Option<Pose> {
        let of_script =
            body.script.as_ref().and_then(|script| script.poses.as_ref()).map(|poses| ("script", poses));
        let of_hand = body.hand.as_ref().and_then(|hand| hand.poses.as_ref()).map(|poses| ("hand", poses));
        let Some((field, poses)) = of_script.or(of_hand) else {
            return self.pose(path, &body.position, &body.rotation);
        };
        for (field, is_given) in
            [("position", body.position.is_some()), ("rotation", body.rotation.is_some())]
        {
            if is_given {
                self.error(&path.key(field), "its poses say where the body begins", "leave it out");
            }
        }
        let Some(first) = poses.first() else {
            self.error(&path.key(field).key("poses"), "there are no poses", "give at least one");
            return None;
        };
        self.pose(&path.key(field).key("poses").index(0), &first.position, &first.rotation)
    }

    pub(super) fn script(&mut self, path: &Path, written: &written::Script) -> Option<Script> {
        let is_velocity = written.velocity.is_some() || written.spin.is_some();
        match (&written.poses, is_velocity) {
            (Some(poses), false) => Some(Script::Poses(self.timed_poses(&path.key("poses"), poses)?)),
            (None, true) => {
                let linear = self.vector_or(&path.key("velocity"), &written.velocity, Vec3::ZERO);
                let angular = self.vector_or(&path.key("spin"), &written.spin, Vec3::ZERO);
                Some(Script::Velocity(Twist { linear: linear?, angular: angular? }))
            }
            _ => {
                self.error(path, "a script is `velocity` and `spin`, or `poses`", "give one of the two");
                None
            }
        }
    }

    /// Poses with ascending times.
    pub(super) fn timed_poses(&mut self, path: &Path, written: &[TimedPose]) -> Option<Vec<(f64, Pose)>> {
        let mut poses = Vec::new();
        let mut is_whole = true;
        for (index, timed) in written.iter().enumerate() {
            let path = path.index(index);
            let time = self.si(&path.key("time"), &timed.time);
            let pose = self.pose(&path, &timed.position, &timed.rotation);
            match (time, pose) {
                (Some(time), Some(pose)) => {
                    is_whole &= self.is_later(&path, time, poses.last().map(|(before, _)| *before));
                    poses.push((time, pose));
                }
                _ => is_whole = false,
            }
        }
        is_whole.then_some(poses)
    }

    fn is_later(&mut self, path: &Path, time: f64, before: Option<f64>) -> bool {
        match before {
            Some(before) if time <= before => {
                let what = format!("{time} s is not later than {before} s before it");
                self.error(&path.key("time"), what, "give rising times");
                false
            }
            _ => true,
        }
    }

    /// The motion of a hand, for a body whose centre of mass is at `centre` in its frame.
    pub(super) fn hand(
        &mut self,
        path: &Path,
        written: &Hand,
        body: BodyId,
        centre: Vec3,
    ) -> Option<HandPath> {
        match (&written.velocities, &written.poses) {
            (Some(given), None) => {
                let path = path.key("velocities");
                let mut velocities: Vec<(f64, Twist)> = Vec::new();
                let mut is_whole = true;
                for (index, timed) in given.iter().enumerate() {
                    let path = path.index(index);
                    let time = self.si(&path.key("time"), &timed.time);
                    let linear = self.vector_or(&path.key("velocity"), &timed.velocity, Vec3::ZERO);
                    let angular = self.vector_or(&path.key("spin"), &timed.spin, Vec3::ZERO);
                    match (time, linear, angular) {
                        (Some(time), Some(linear), Some(angular)) => {
                            is_whole &=
                                self.is_later(&path, time, velocities.last().map(|(before, _)| *before));
                            velocities.push((time, Twist { linear, angular }));
                        }
                        _ => is_whole = false,
                    }
                }
                is_whole.then_some(HandPath { body, velocities })
            }
            (None, Some(poses)) => {
                let poses = self.timed_poses(&path.key("poses"), poses)?;
                Some(HandPath { body, velocities: velocities_through(&poses, centre) })
            }
            _ => {
                self.error(path, "a hand has `velocities` or `poses`", "give one of the two");
                None
            }
        }
    }

    pub(super) fn load(&mut self, path: &Path, written: &written::Load) -> Option<Load> {
        let load = match (&written.force, &written.torque) {
            (Some(force), None) => Load::force(self.vector(&path.key("force"), force)?),
            (None, Some(torque)) => Load::torque(self.vector(&path.key("torque"), torque)?),
            _ => {
                self.error(path, "a load is a `force` or a `torque`", "give one of the two");
                return None;
            }
        };
        let load = match &written.at {
            Some(at) => load.at(self.vector(&path.key("at"), at)?),
            None => load,
        };
        let load = if written.turning.unwrap_or(false) { load.turning() } else { load };
        let load = match &written.between {
            Some([from, to]) => {
                let path = path.key("between");
                let (from, to) = (self.si(&path.index(0), from), self.si(&path.index(1), to));
                load.between(from?, to?)
            }
            None => load,
        };
        let Some(table) = &written.table else { return Some(load) };
        let path = path.key("table");
        let entries = table.iter().enumerate().map(|(index, (time, factor))| {
            self.si(&path.index(index).index(0), time).map(|time| (time, *factor))
        });
        Some(load.over(entries.collect::<Option<Vec<_>>>()?))
    }
}

/// The constant velocities of a centre of mass that lead from pose to pose, and rest after the last.
fn velocities_through(poses: &[(f64, Pose)], centre: Vec3) -> Vec<(f64, Twist)> {
    let mut velocities: Vec<(f64, Twist)> = poses
        .windows(2)
        .map(|pair| {
            let [(start, from), (end, to)] = [pair[0], pair[1]];
            let time = end - start;
            let way = to.transform_point(centre) - from.transform_point(centre);
            (start, Twist { linear: way / time, angular: turn(from.rotation(), to.rotation()) / time })
        })
        .collect();
    velocities.extend(poses.last().map(|(time, _)| (*time, Twist::default())));
    velocities
}

/// Axis times angle of the shorter rotation, rad.
fn turn(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = Vec3::new(turn.x, turn.y, turn.z);
    let length = sine.length();
    if length == 0.0 { Vec3::ZERO } else { sine * (2.0 * length.atan2(turn.w) / length) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pose() -> impl Strategy<Value = Pose> {
        let numbers = || -2.0..2.0_f64;
        ((numbers(), numbers(), numbers()), (numbers(), numbers(), numbers()))
            .prop_map(|(at, turn)| Pose::new(at.into(), Quat::from_scaled_axis(Vec3::from(turn))).unwrap())
    }

    proptest! {
        #[test]
        fn a_hand_that_follows_its_velocities_is_at_each_pose_at_its_time(
            stops in proptest::collection::vec((0.1..2.0_f64, pose()), 1..6),
            centre in (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64),
        ) {
            let centre = Vec3::from(centre);
            let mut time = 0.0;
            let poses: Vec<(f64, Pose)> =
                stops.iter().map(|(pause, pose)| { time += pause; (time, *pose) }).collect();
            let velocities = velocities_through(&poses, centre);
            let mut at = poses[0].1.transform_point(centre);
            let mut turned = poses[0].1.rotation();
            for (number, window) in velocities.windows(2).enumerate() {
                let [(start, twist), (end, _)] = [window[0], window[1]];
                at += twist.linear * (end - start);
                turned = Quat::from_scaled_axis(twist.angular * (end - start)) * turned;
                let expected = poses[number + 1].1;
                prop_assert!((at - expected.transform_point(centre)).length() < 1e-12);
                prop_assert!(turned.dot(expected.rotation()).abs() > 1.0 - 1e-12);
            }
            prop_assert_eq!(velocities[velocities.len() - 1].1, Twist::default());
        }
    }
}
