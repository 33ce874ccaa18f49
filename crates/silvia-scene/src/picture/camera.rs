//! Where a picture is seen from.

use crate::recording::View;
use silvia_solid::Vec3;

/// Where the light comes from, in the eye's frame (right, up, towards the eye): over the left shoulder.
const LIGHT: Vec3 = Vec3::new(-0.4, 0.75, 0.55);
/// The part of the light that comes from everywhere.
const AMBIENT: f64 = 0.35;
/// Cosine of the angle between the line of sight and the upward direction from which on another direction is
/// taken as up.
const ALONG_UP: f64 = 1.0 - 1e-9;

/// An eye that looks at a point.
#[derive(Clone, Debug)]
pub struct Camera {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Half the height of what is seen, at unit distance.
    half_height: f64,
}

impl Camera {
    /// From a view, with this direction upwards in the picture as far as can be. An eye that is where it
    /// looks to looks along x; one that looks straight up or down has some other direction upwards.
    pub fn new(view: &View, up: Vec3) -> Camera {
        let forward = (view.target - view.eye).try_normalize().unwrap_or(Vec3::X);
        let up = up.try_normalize().unwrap_or(Vec3::Z);
        let up = if forward.dot(up).abs() > ALONG_UP { up.any_orthonormal_vector() } else { up };
        let right = forward.cross(up).normalize();
        let half_height = (0.5 * view.angle).tan();
        Camera { eye: view.eye, right, up: right.cross(forward), forward, half_height }
    }

    /// Where a point is seen: right and up (1 = the upper edge of the picture), and its depth.
    pub fn project(&self, p: Vec3) -> Vec3 {
        let v = p - self.eye;
        let depth = v.dot(self.forward);
        let scale = 1.0 / (depth * self.half_height);
        Vec3::new(scale * v.dot(self.right), scale * v.dot(self.up), depth)
    }

    /// Distance of a point from the eye's plane, m; negative behind it.
    pub fn depth(&self, p: Vec3) -> f64 {
        (p - self.eye).dot(self.forward)
    }

    /// A direction in the eye's frame: right, up, towards the eye.
    pub fn direction(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.right), v.dot(self.up), -v.dot(self.forward))
    }

    /// The ray through a point of the picture (right and up as [`Camera::project`] gives them): its origin,
    /// and its direction, of unit depth.
    pub fn ray(&self, right: f64, up: f64) -> (Vec3, Vec3) {
        (self.eye, self.forward + self.half_height * (right * self.right + up * self.up))
    }

    /// The eye, m.
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// Unit vectors to the right and upwards in the picture, and into it.
    pub fn axes(&self) -> [Vec3; 3] {
        [self.right, self.up, self.forward]
    }

    /// Half the height of what is seen at unit depth.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// How bright a surface is with this unit normal in the eye's frame; `both` if it is lit from behind as
    /// well.
    pub fn light(normal: Vec3, both: bool) -> f64 {
        let facing = if both && normal.z < 0.0 { -normal } else { normal }.dot(LIGHT.normalize()).max(0.0);
        AMBIENT + (1.0 - AMBIENT) * facing
    }
}
