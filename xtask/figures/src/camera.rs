//! Where a picture is seen from.

use silvia::solid::Vec3;

/// Where the light comes from, in the eye's frame (right, up, towards the eye): over the left shoulder.
const LIGHT: Vec3 = Vec3::new(-0.4, 0.75, 0.55);
/// The part of the light that comes from everywhere.
const AMBIENT: f64 = 0.35;

/// An eye that looks at a point, z up.
pub(crate) struct Camera {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Half the height of what is seen, at unit distance.
    half_height: f64,
}

impl Camera {
    /// Looks from `eye` at `target`, with a view `angle` degrees high. The eye must not be straight above the target.
    pub(crate) fn new(eye: Vec3, target: Vec3, angle: f64) -> Camera {
        let forward = (target - eye).normalize();
        let right = forward.cross(Vec3::Z).normalize();
        let half_height = (0.5 * angle.to_radians()).tan();
        Camera { eye, right, up: right.cross(forward), forward, half_height }
    }

    /// Where a point is seen: right and up (1 = the upper edge of the picture), and its depth.
    pub(crate) fn project(&self, p: Vec3) -> Vec3 {
        let v = p - self.eye;
        let depth = v.dot(self.forward);
        let scale = 1.0 / (depth * self.half_height);
        Vec3::new(scale * v.dot(self.right), scale * v.dot(self.up), depth)
    }

    /// A direction in the eye's frame: right, up, towards the eye.
    pub(crate) fn direction(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.right), v.dot(self.up), -v.dot(self.forward))
    }

    /// The ray through a point of the picture (right and up as [`Camera::project`] gives them): its origin, and its
    /// direction, of unit depth.
    pub(crate) fn ray(&self, right: f64, up: f64) -> (Vec3, Vec3) {
        (self.eye, self.forward + self.half_height * (right * self.right + up * self.up))
    }

    /// How bright a surface is with this unit normal in the eye's frame; `both` if it is lit from behind as well.
    pub(crate) fn light(normal: Vec3, both: bool) -> f64 {
        let facing = if both && normal.z < 0.0 { -normal } else { normal }.dot(LIGHT.normalize()).max(0.0);
        AMBIENT + (1.0 - AMBIENT) * facing
    }
}
