//! The camera.

use crate::recording::View;
use silvia_solid::Vec3;

/// Direction of the light in the eye's frame (right, up, towards the eye): from over the left shoulder.
const LIGHT: Vec3 = Vec3::new(-0.4, 0.75, 0.55);
/// The fraction of the light that is ambient.
const AMBIENT: f64 = 0.35;
/// If the cosine between the line of sight and the up direction exceeds this, another direction is up.
const ALONG_UP: f64 = 1.0 - 1e-9;

/// An eye that looks at a point.
#[derive(Clone, Debug)]
pub struct Camera {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Half the visible height at unit distance.
    half_height: f64,
}

impl Camera {
    /// A camera for a view, with `up` pointing up in the picture as far as possible. If the eye coincides
    /// with its target, it looks along x; if it looks straight up or down, another direction is up.
    pub fn new(view: &View, up: Vec3) -> Camera {
        let forward = (view.target - view.eye).try_normalize().unwrap_or(Vec3::X);
        let up = up.try_normalize().unwrap_or(Vec3::Z);
        let up = if forward.dot(up).abs() > ALONG_UP { up.any_orthonormal_vector() } else { up };
        let right = forward.cross(up).normalize();
        let half_height = (0.5 * view.angle).tan();
        Camera { eye: view.eye, right, up: right.cross(forward), forward, half_height }
    }

    /// Projects a point: right and up (1 is the upper edge of the picture), and depth.
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

    /// The ray through a point of the picture (right and up as from [`Camera::project`]): its origin, and its
    /// direction, of unit depth.
    pub fn ray(&self, right: f64, up: f64) -> (Vec3, Vec3) {
        (self.eye, self.forward + self.half_height * (right * self.right + up * self.up))
    }

    /// Position of the eye, m.
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// Unit vectors to the right and upwards in the picture, and into it.
    pub fn axes(&self) -> [Vec3; 3] {
        [self.right, self.up, self.forward]
    }

    /// Half the visible height at unit depth.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// Brightness of a surface with this unit normal in the eye's frame; `both` if it is lit from behind as
    /// well.
    pub fn light(normal: Vec3, both: bool) -> f64 {
        let facing = if both && normal.z < 0.0 { -normal } else { normal }.dot(LIGHT.normalize()).max(0.0);
        AMBIENT + (1.0 - AMBIENT) * facing
    }
}
