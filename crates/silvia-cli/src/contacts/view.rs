//! Chooses the view of a drawing of contacts: a parallel projection, z up, from a direction in which normals
//! appear long and little is hidden.

use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{ContactPair, cast_ray};
use silvia::proximity::{Hierarchy, Ray};
use silvia::solid::{Pose, Vec3};

/// Azimuths tried in each quarter, degrees: none along an axis, where a box shows only one side. The first of
/// the last quarter, the usual front right, is tried first.
const AROUND: [f64; 3] = [30.0, 45.0, 60.0];
/// Elevations tried, degrees. Never straight down, where z would be invisible.
const HEIGHTS: [f64; 3] = [30.0, 18.0, 45.0];
/// The most contacts by which directions are judged, evenly spread.
const JUDGED: usize = 100;
/// The weight of a visible contact, relative to a normal seen at full length.
const SEEN: f64 = 1.0;
/// A surface nearer than this fraction of the parts' size is the one that a point lies on.
const ON_SURFACE: f64 = 1e-6;

/// A viewing direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Unit vector towards the eye.
    pub(super) eye: Vec3,
    right: Vec3,
    up: Vec3,
}

/// The bodies that may hide something: the parts, their poses, and their common size.
pub(super) struct Scene<'a, B: Bound> {
    pub(super) bodies: [&'a Hierarchy<B>; 2],
    pub(super) poses: [&'a Pose; 2],
    /// Size, m.
    pub(super) size: f64,
}

impl View {
    /// The best of some directions for these contacts.
    pub(super) fn of<B: Bound>(scene: &Scene<'_, B>, contacts: &[ContactPair]) -> View {
        let spread = contacts.len().div_ceil(JUDGED).max(1);
        let judged: Vec<&ContactPair> = contacts.iter().step_by(spread).collect();
        let score = |view: &View| {
            let of_contact = |pair: &&ContactPair| {
                let middle = 0.5 * (pair.state.points[0] + pair.state.points[1]);
                let length = 1.0 - pair.state.normal.dot(view.eye).powi(2);
                length + if scene.hides(middle, view.eye) { 0.0 } else { SEEN }
            };
            judged.iter().map(of_contact).sum::<f64>()
        };
        let quarters = [-90.0, 0.0, 90.0, 180.0];
        let around = || quarters.into_iter().flat_map(|quarter| AROUND.map(|turn| quarter + turn));
        let views = HEIGHTS.into_iter().flat_map(|height| around().map(move |turn| View::from(turn, height)));
        let mut best = (View::from(quarters[0] + AROUND[0], HEIGHTS[0]), 0.0);
        for view in views {
            let score = score(&view);
            // Among directions that are equal up to rounding, take the first.
            if score > best.1 * (1.0 + 1e-9) {
                best = (view, score);
            }
        }
        best.0
    }

    /// The view from an azimuth and an elevation, degrees.
    fn from(around: f64, height: f64) -> View {
        let ((sin, cos), (rise, level)) = (around.to_radians().sin_cos(), height.to_radians().sin_cos());
        let eye = Vec3::new(level * cos, level * sin, rise);
        let right = Vec3::Z.cross(eye).normalize();
        View { eye, right, up: eye.cross(right) }
    }

    /// Projects a point: right and down, m.
    pub(super) fn project(&self, p: Vec3) -> [f64; 2] {
        [p.dot(self.right), -p.dot(self.up)]
    }
}

impl<B: Bound> Scene<'_, B> {
    /// Whether a part is between a point and the eye.
    pub(super) fn hides(&self, point: Vec3, eye: Vec3) -> bool {
        let skipped = ON_SURFACE * self.size;
        let ray = Ray { origin: point + skipped * eye, direction: eye, reach: f64::INFINITY };
        self.bodies.iter().zip(self.poses).any(|(body, pose)| {
            // A part for which the ray cast fails hides nothing.
            matches!(cast_ray(body, pose, &ray), Ok(Some(_)))
        })
    }
}
