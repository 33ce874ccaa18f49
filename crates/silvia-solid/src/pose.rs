//! A rigid placement: a rotation, then a translation.

use crate::{Mat3, Quat, Remedy, Vec3};

/// A rigid placement: maps `x` to `rotation * x + translation`. The rotation has unit length and every number
/// is finite; [`Pose::new`] refuses anything else.
///
/// ```
/// use silvia_solid::{Pose, Quat, Vec3};
/// use std::f64::consts::FRAC_PI_2;
///
/// let turned = Pose::new(Vec3::new(1.0, 0.0, 0.0), Quat::from_rotation_z(FRAC_PI_2))?;
/// assert!(turned.transform_point(Vec3::X).distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-15);
///
/// // `a.compose(&b)` does `b` first: how `b` lies in the frame that `a` places.
/// let up = Pose::from_translation(Vec3::Z)?;
/// let both = up.compose(&turned);
/// assert!(both.transform_point(Vec3::ZERO).distance(Vec3::new(1.0, 0.0, 1.0)) < 1e-15);
/// assert!(both.inverse().compose(&both).transform_point(Vec3::Y).distance(Vec3::Y) < 1e-15);
/// # Ok::<(), silvia_solid::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    translation: Vec3,
    rotation: Quat,
}

/// Why six or seven numbers do not form a pose.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum PoseError {
    /// A NaN or an infinity.
    NotFinite {
        /// The given translation.
        translation: Vec3,
        /// The given rotation.
        rotation: Quat,
    },
    /// A quaternion further than [`Pose::UNIT_TOLERANCE`] from unit length.
    NotUnit {
        /// The given quaternion.
        rotation: Quat,
        /// Its length.
        length: f64,
    },
}

impl Remedy for PoseError {
    fn what(&self) -> String {
        match self {
            PoseError::NotFinite { translation, rotation } => format!(
                "the pose has a number that is not finite: translation {translation}, \
                 rotation {rotation}"
            ),
            PoseError::NotUnit { rotation, length } => format!(
                "the quaternion (w {w}, x {x}, y {y}, z {z}) has length {length}, not 1",
                w = rotation.w,
                x = rotation.x,
                y = rotation.y,
                z = rotation.z
            ),
        }
    }

    fn remedy(&self) -> String {
        match self {
            PoseError::NotUnit { .. } => "normalise it, and check the order w, x, y, z".to_owned(),
            PoseError::NotFinite { .. } => String::new(),
        }
    }
}

impl Pose {
    /// The pose that moves nothing.
    pub const IDENTITY: Pose = Pose { translation: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// How far the length of a given quaternion may be from 1. Numbers printed with six digits pass. A
    /// quaternion within the tolerance is normalised.
    pub const UNIT_TOLERANCE: f64 = 1e-5;

    /// A pose from its parts. Refuses NaN, infinity and quaternions that are not of unit length.
    pub fn new(translation: Vec3, rotation: Quat) -> Result<Pose, PoseError> {
        if !translation.is_finite() || !rotation.is_finite() {
            return Err(PoseError::NotFinite { translation, rotation });
        }
        let length = rotation.length();
        if (length - 1.0).abs() > Pose::UNIT_TOLERANCE {
            return Err(PoseError::NotUnit { rotation, length });
        }
        Ok(Pose { translation, rotation: rotation.normalize() })
    }

    /// A translation without rotation.
    pub fn from_translation(translation: Vec3) -> Result<Pose, PoseError> {
        Pose::new(translation, Quat::IDENTITY)
    }

    /// Like [`Pose::new`], but keeps every bit of the quaternion: for poses that a program wrote and reads
    /// back.
    ///
    /// ```
    /// use silvia_solid::{Pose, Quat, Vec3};
    /// let pose = Pose::new(Vec3::X, Quat::from_rotation_x(0.3))?;
    /// let again = Pose::to_the_bit(pose.translation(), pose.rotation())?;
    /// let bits = |pose: &Pose| pose.rotation().to_array().map(f64::to_bits);
    /// assert_eq!(bits(&again), bits(&pose));
    /// # Ok::<(), silvia_solid::PoseError>(())
    /// ```
    pub fn to_the_bit(translation: Vec3, rotation: Quat) -> Result<Pose, PoseError> {
        Pose::new(translation, rotation)?;
        Ok(Pose { translation, rotation })
    }

    /// The pose moved by a vector, which must be finite.
    pub fn moved(&self, by: Vec3) -> Pose {
        Pose { translation: self.translation + by, rotation: self.rotation }
    }

    /// Where the origin goes.
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// The rotation, as a quaternion.
    pub fn rotation(&self) -> Quat {
        self.rotation
    }

    /// The rotation as a matrix.
    pub fn matrix(&self) -> Mat3 {
        Mat3::from_quat(self.rotation)
    }

    /// Transforms a point.
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    /// Transforms a direction: rotates it.
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        self.rotation * v
    }

    /// The pose that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.conjugate();
        Pose { translation: -(rotation * self.translation), rotation }
    }

    /// Applies `inner` first, then this pose: `a.compose(&b)` maps `x` to `a(b(x))`.
    #[must_use]
    pub fn compose(&self, inner: &Pose) -> Pose {
        let rotation = self.rotation * inner.rotation;
        // One Newton step for 1 / length, starting from 1. So near to 1 it is exact to rounding, and needs no
        // square root.
        let rotation = rotation * (1.5 - 0.5 * rotation.length_squared());
        Pose { translation: self.rotation * inner.translation + self.translation, rotation }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Pose::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_and_its_inverse_compose_to_identity() {
        let q = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        let p = Pose::new(Vec3::new(1.0, -2.0, 0.5), q).unwrap();
        let x = Vec3::new(0.3, 0.2, 0.1);
        assert!((p.inverse().compose(&p).transform_point(x) - x).length() < 1e-15);
        assert!((p.inverse().transform_point(p.transform_point(x)) - x).length() < 1e-15);
    }

    #[test]
    fn a_million_compositions_stay_a_rotation() {
        let q = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        let step = Pose::new(Vec3::ZERO, q).unwrap();
        let last = (0..1_000_000).fold(step, |pose, _| pose.compose(&step));
        assert!((last.rotation().length() - 1.0).abs() < 4.0 * f64::EPSILON);
    }

    #[test]
    fn a_quaternion_that_is_not_unit_is_refused_with_its_length() {
        let e = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)).unwrap_err();
        assert!(matches!(e, PoseError::NotUnit { length, .. } if length == 2.0), "{e}");
    }

    #[test]
    fn nan_is_refused() {
        assert!(matches!(
            Pose::from_translation(Vec3::new(f64::NAN, 0.0, 0.0)),
            Err(PoseError::NotFinite { .. })
        ));
    }
}
