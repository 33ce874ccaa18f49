//! How poses, states, velocities and paths of rigid bodies follow from each other.

use crate::body::BodyState;
use silvia_contact::Twist;
use silvia_proximity::RigidPath;
use silvia_solid::{Mat3, Pose, Quat, Vec3};

/// The pose of a body whose centre of mass is at `centre`.
pub(crate) fn pose_of(centre: Vec3, rotation: Quat, centre_in_body: Vec3) -> Pose {
    let origin = centre - rotation * centre_in_body;
    // Finite and of unit length: velocities are checked before they move anything.
    Pose::new(origin, rotation).unwrap_or(Pose::IDENTITY)
}

/// The constant velocity that takes a body from one state to another in a time, s.
pub(crate) fn mean_velocity(from: &BodyState, to: &BodyState, time: f64) -> Twist {
    let mut turn = to.rotation * from.rotation.conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    Twist { linear: (to.centre - from.centre) / time, angular: turn.to_scaled_axis() / time }
}

/// `[a]`, with `[a] b = a x b`.
pub(crate) fn cross_matrix(a: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, a.z, -a.y), Vec3::new(-a.z, 0.0, a.x), Vec3::new(a.y, -a.x, 0.0))
}

/// The shorter turn of a rotation, rad.
pub(crate) fn turn_of(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let sine = rotation.xyz();
    let length = sine.length();
    if length == 0.0 { Vec3::ZERO } else { sine * (2.0 * length.atan2(rotation.w) / length) }
}

/// A state part of the way from one to another, with the velocity of the latter.
pub(crate) fn between(from: &BodyState, to: &BodyState, fraction: f64) -> BodyState {
    let (centre, rotation) = blend((from.centre, from.rotation), (to.centre, to.rotation), fraction);
    BodyState { centre, rotation, velocity: to.velocity }
}

/// The pose part of the way along a path.
pub(crate) fn pose_on_path(path: &RigidPath, fraction: f64) -> Pose {
    let end = |pose: &Pose| (pose.transform_point(path.about), pose.rotation());
    let (centre, rotation) = blend(end(&path.from), end(&path.to), fraction);
    pose_of(centre, rotation, path.about)
}

fn blend(from: (Vec3, Quat), to: (Vec3, Quat), fraction: f64) -> (Vec3, Quat) {
    (from.0.lerp(to.0, fraction), from.1.slerp(to.1, fraction).normalize())
}
