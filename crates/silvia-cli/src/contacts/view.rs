//! From where a picture of contacts is drawn: along parallel lines, z up, from a side where normals are seen
//! at their length and little is hidden.

use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{ContactPair, cast_ray};
use silvia::proximity::{Hierarchy, Ray};
use silvia::solid::{Pose, Vec3};

/// Directions tried around the vertical, degrees, in each quarter: none along an axis, where a box shows one
/// side only. The first of the last quarter, the usual front right, is tried first.
const AROUND: [f64; 3] = [30.0, 45.0, 60.0];
/// How high above the horizon they are, degrees. Never straight down, where z would not be seen.
const HEIGHTS: [f64; 3] = [30.0, 18.0, 45.0];
/// Contacts by which directions are judged; of more, as many evenly spread.
const JUDGED: usize = 100;
/// What a contact that is not hidden counts, against a normal seen at its full length.
const SEEN: f64 = 1.0;
/// A surface nearer than this part of the parts' size is the one that a point is on.
const ON_SURFACE: f64 = 1e-6;

/// A direction to look in.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Unit vector towards the eye.
    pub(super) eye: Vec3,
    right: Vec3,
    up: Vec3,
}

/// What may hide something: the parts, where they are, and their common size.
pub(super) struct Scene<'a, B: Bound> {
    pub(super) bodies: [&'a Hierarchy<B>; 2],
    pub(super) poses: [&'a Pose; 2],
    /// m
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
            // Of those as good as each other up to rounding, the first.
            if score > best.1 * (1.0 + 1e-9) {
                best = (view, score);
            }
        }
        best.0
    }

    /// From a direction around z and above the horizon, in degrees.
    fn from(around: f64, height: f64) -> View {
        let ((sin, cos), (rise, level)) = (around.to_radians().sin_cos(), height.to_radians().sin_cos());
        let eye = Vec3::new(level * cos, level * sin, rise);
        let right = Vec3::Z.cross(eye).normalize();
        View { eye, right, up: eye.cross(right) }
    }

    /// Right and down, m.
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
            // A part with which the ray does not agree is none that can hide anything.
            matches!(cast_ray(body, pose, &ray), Ok(Some(_)))
        })
    }
}
