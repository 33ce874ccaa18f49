//! Whether a contact's normal is right, by a measure that knows neither side's contacts.
//!
//! Around each of the contact's two points, the triangles that hold the point are cut out of the part. Their
//! distance is taken before and after the second part is moved along the normal by a small step. A right
//! normal is one along which the two surfaces that touch move apart: their distance grows by the whole step.
//! The rate is that growth by the step.

use crate::fits::Body;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::distance;
use silvia::proximity::{DistanceOptions, Hierarchy};
use silvia::solid::{Pose, Soup, Vec3};
use std::error::Error;

/// A contact as either side gives it, in the frame of the first part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) on: [Vec3; 2],
    /// Unit vector from the first part to the second.
    pub(crate) normal: Vec3,
}

/// How many of the contacts looked at are wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) judged: usize,
    /// Along the normal the surfaces move apart by less than half the step, or the points are on no surface.
    pub(crate) wrong: usize,
    /// By less than 99 % of it: the wrong ones, and those that are askew.
    pub(crate) askew: usize,
}

/// The step, as a part of the clearance: so small that what is nearest stays so.
const STEP: f64 = 1e-3;
/// A point holds to a triangle nearer than this part of the clearance.
const ON: f64 = 1e-3;

/// Judges up to `most` of the contacts, evenly chosen.
pub(crate) fn judge(
    bodies: &[Body; 2],
    pose: &Pose,
    clearance: f64,
    points: &[Point],
    most: usize,
) -> Result<Verdict, Box<dyn Error>> {
    let mut verdict = Verdict::default();
    if most == 0 {
        return Ok(verdict);
    }
    let step = STEP * clearance;
    for point in points.iter().step_by(points.len().div_ceil(most).max(1)) {
        verdict.judged += 1;
        let in_second = pose.inverse().transform_point(point.on[1]);
        let patches = [
            patch(bodies[0].surface().soup(), point.on[0], ON * clearance)?,
            patch(bodies[1].surface().soup(), in_second, ON * clearance)?,
        ];
        let [Some(a), Some(b)] = patches else {
            verdict.wrong += 1;
            verdict.askew += 1;
            continue;
        };
        let apart = |pose: &Pose| distance(&a, &Pose::IDENTITY, &b, pose, &DistanceOptions::default());
        let (before, after) = (apart(pose)?.upper, apart(&pose.moved(step * point.normal))?.upper);
        let rate = (after - before) / step;
        verdict.wrong += usize::from(rate < 0.5);
        verdict.askew += usize::from(rate < 0.99);
    }
    Ok(verdict)
}

/// The triangles of a part that hold a point; `None` if none does.
fn patch(soup: &Soup, at: Vec3, near: f64) -> Result<Option<Hierarchy<Obb>>, Box<dyn Error>> {
    let mut corners = Vec::new();
    for triangle in 0..soup.triangles().len() {
        let [a, b, c] = soup.corners(triangle);
        if nearest(at, [a, b, c]).distance(at) <= near {
            corners.extend([a, b, c]);
        }
    }
    if corners.is_empty() {
        return Ok(None);
    }
    let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Ok(Some(Hierarchy::new(Soup::new(corners, triangles)?)))
}

/// The point of a triangle nearest to a point: its foot if that is within, else the nearest on the sides.
fn nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(c - a);
    let is_left = |from: Vec3, to: Vec3| (to - from).cross(p - from).dot(normal) >= 0.0;
    if is_left(a, b) && is_left(b, c) && is_left(c, a) {
        return p - (p - a).dot(normal) / normal.length_squared() * normal;
    }
    let on_side = |from: Vec3, to: Vec3| {
        let along = to - from;
        from + ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0) * along
    };
    let sides = [on_side(a, b), on_side(b, c), on_side(c, a)];
    let nearer = |x: Vec3, y: Vec3| if p.distance_squared(x) <= p.distance_squared(y) { x } else { y };
    nearer(nearer(sides[0], sides[1]), sides[2])
}
