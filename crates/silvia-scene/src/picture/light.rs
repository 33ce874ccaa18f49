//! Lighting: a sun with shadows, and ambient light.

use super::bodies::Drawn;
use super::camera::Camera;
use super::canvas::Colour;
use super::shadow::Shadow;
#[cfg(feature = "report")]
use crate::recording::View;
use silvia_solid::Vec3;

/// Background colour.
pub(super) const BACKGROUND: Colour = [0.91, 0.92, 0.935];
/// Brightness of the sun on a surface that faces it.
const SUN: f64 = 0.68;
/// Light from the sky on a surface that faces up.
const SKY: f64 = 0.42;
/// Light from the ground on a surface that faces down.
const BOUNCE: f64 = 0.20;
/// Peak brightness of the sun's reflection.
const SHINE: f64 = 0.10;
/// Specular exponent of the reflection.
const GLOSS: i32 = 32;

/// The light of a picture.
pub(super) struct Light {
    /// Direction towards the sun.
    sun: Vec3,
    up: Vec3,
    eye: Vec3,
    shadow: Shadow,
}

impl Light {
    /// Sun and shadows for some bodies.
    pub(super) fn new(camera: &Camera, up: Vec3, bodies: &[Drawn<'_>]) -> Light {
        let sun = sun(camera, up);
        let points = || bodies.iter().flat_map(|body| &body.points);
        let bounds = points().fold(None, |known: Option<[Vec3; 2]>, &p| {
            Some(known.map_or([p, p], |[low, high]| [low.min(p), high.max(p)]))
        });
        let [low, high] = bounds.unwrap_or([Vec3::ZERO, Vec3::ZERO]);
        let middle = 0.5 * (low + high);
        let radius = points().map(|p| (*p - middle).length()).fold(f64::MIN_POSITIVE, f64::max);
        let mut shadow = Shadow::new(sun, middle, 1.02 * radius);
        for body in bodies {
            let mesh = body.mesh;
            for triangle in &mesh.triangles {
                shadow.add(triangle.map(|corner| body.points[corner as usize]));
            }
        }
        shadow.finish();
        Light { sun, up, eye: camera.eye(), shadow }
    }

    /// The colour of a body's surface at a point with this outward unit normal.
    pub(super) fn on_body(&self, colour: Colour, point: Vec3, normal: Vec3) -> Colour {
        let view = (self.eye - point).normalize_or_zero();
        // A surface seen from behind shows its other side.
        let normal = if normal.dot(view) < 0.0 { -normal } else { normal };
        let facing = normal.dot(self.sun);
        let lit = if facing > 0.0 { self.shadow.lit(point) } else { 0.0 };
        let from_above = 0.5 + 0.5 * normal.dot(self.up);
        let all = BOUNCE + (SKY - BOUNCE) * from_above + SUN * lit * facing.max(0.0);
        let half = (view + self.sun).normalize_or_zero();
        let shine = SHINE * lit * normal.dot(half).max(0.0).powi(GLOSS);
        colour.map(|c| c * all + shine)
    }

    /// The brightness of the ground at a point, as a fraction from 0 to 1.
    pub(super) fn on_ground(&self, point: Vec3) -> f64 {
        1.0 - SHADE * (1.0 - self.shadow.lit(point))
    }

    /// The brightness of a plane relative to a level one.
    pub(super) fn on_plane(&self, normal: Vec3) -> f64 {
        let level = SKY + SUN * self.up.dot(self.sun);
        let from_above = 0.5 + 0.5 * normal.dot(self.up);
        (BOUNCE + (SKY - BOUNCE) * from_above + SUN * normal.dot(self.sun).max(0.0)) / level
    }
}

/// Direction towards the sun: high, to the left and a little on the viewer's side, so that visible shadows
/// fall to the right.
fn sun(camera: &Camera, up: Vec3) -> Vec3 {
    let [right, _, forward] = camera.axes();
    let level = |v: Vec3| (v - v.dot(up) * up).try_normalize().unwrap_or(right);
    (up - 0.52 * level(right) - 0.30 * level(forward)).normalize()
}

/// Direction towards the sun in pictures from this view.
#[cfg(feature = "report")]
pub(crate) fn sun_of(view: &View, up: Vec3) -> Vec3 {
    sun(&Camera::new(view, up), up)
}

/// How much darker the ground is in a shadow.
const SHADE: f64 = 0.45;
