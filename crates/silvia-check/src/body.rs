//! A body, and its motion between two states.

use crate::error::CheckError;
use crate::mesh::Mesh;
use crate::piece::{Piece, pieces_of};
use silvia_proximity::Shape;
use silvia_solid::{Aabb, Mat3, Pose, Vec3};
use std::ops::RangeInclusive;

/// The valid range of the largest coordinate of triangles, m. Beyond it, the products in the predicates
/// approach the limits of double precision.
const COORDINATES: RangeInclusive<f64> = 1e-60..=1e60;

/// How much a box is widened to enclose its content despite rounding, as a fraction of its coordinates.
const WIDENING: f64 = 16.0 * f64::EPSILON;

/// A body in its own frame.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) pieces: Vec<Piece>,
    /// The bounding box of each piece.
    bounds: Vec<Aabb>,
    /// The diagonal of the bounding box, m; infinite with a half-space, zero for a point.
    pub(crate) size: f64,
    /// The point that moves on a straight line when the body moves rigidly.
    pub(crate) centre: Vec3,
}

impl Body {
    pub(crate) fn new(index: usize, name: String, shape: &Shape) -> Result<Body, CheckError> {
        let (least, most) = (*COORDINATES.start(), *COORDINATES.end());
        let out_of_range =
            |value: f64| CheckError::OutOfRange { body: index, name: name.clone(), value, least, most };
        // Posing a part can fail only by overflow.
        let pieces = pieces_of(shape).map_err(|_| out_of_range(f64::INFINITY))?;
        let bounds: Vec<Aabb> = pieces.iter().map(Piece::bounds).collect();
        for (piece, around) in pieces.iter().zip(&bounds) {
            let value = around.magnitude();
            if matches!(piece, Piece::Mesh(_)) && value > 0.0 && !COORDINATES.contains(&value) {
                return Err(out_of_range(value));
            }
        }
        let around = bounds.iter().copied().fold(Aabb::EMPTY, Aabb::merged);
        let size = around.size().length();
        Ok(Body { name, pieces, bounds, size, centre: Vec3::ZERO })
    }
}

/// The motion of a body from one state to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    pub(crate) from: Pose,
    pub(crate) to: Pose,
    /// The centre at the start and at the end, m.
    centres: [Vec3; 2],
    centre: Vec3,
    /// Angle of the rotation, rad.
    angle: f64,
    /// Axis of the rotation in the body's frame, of unit length; zero if the body does not turn.
    axis: Vec3,
}

impl Body {
    /// A box around each piece for a whole motion.
    pub(crate) fn boxes(&self, way: &Way) -> Vec<Aabb> {
        (0..self.pieces.len()).map(|piece| way.bounds(self, piece)).collect()
    }
}

impl Way {
    pub(crate) fn new(from: Pose, to: Pose, centre: Vec3) -> Way {
        // q and -q are the same rotation; take the nearer one.
        let apart =
            (from.rotation() - to.rotation()).length().min((from.rotation() + to.rotation()).length());
        let angle = 4.0 * (0.5 * apart).min(1.0).asin();
        let axis = (from.rotation().conjugate() * to.rotation()).xyz().normalize_or_zero();
        Way { from, to, centres: [from, to].map(|pose| pose.transform_point(centre)), centre, angle, axis }
    }

    /// The pose at the end.
    pub(crate) fn to(&self) -> Pose {
        self.to
    }

    pub(crate) fn is_still(&self) -> bool {
        self.from == self.to
    }

    /// The pose under rigid motion, at a time from 0 to 1.
    pub(crate) fn at(&self, time: f64) -> Pose {
        if time <= 0.0 || self.is_still() {
            return self.from;
        }
        if time >= 1.0 {
            return self.to;
        }
        let rotation = self.from.rotation().slerp(self.to.rotation(), time);
        let centre = (1.0 - time) * self.centres[0] + time * self.centres[1];
        // Always valid between two finite poses; the fallback avoids a panic.
        Pose::new(centre - rotation * self.centre, rotation).unwrap_or(self.to)
    }

    /// An upper bound, over a part of the interval, of how far a point strays from the straight line between
    /// its end positions, m.
    pub(crate) fn bulge(&self, p: Vec3, part: f64) -> f64 {
        self.bulge_of_vector(p - self.centre, part)
    }

    /// An upper bound, over a part of the interval, of how far a vector strays from linear interpolation
    /// between its end values: the height of an arc around the axis.
    pub(crate) fn bulge_of_vector(&self, v: Vec3, part: f64) -> f64 {
        let turned = self.angle * part;
        // The effect of rounding on the axis.
        let slack = 4.0 * f64::EPSILON * v.length();
        0.125 * turned * turned * (self.axis.cross(v).length() + slack)
    }

    /// A box around a piece for the whole interval, whether it moves rigidly or its vertices move straight.
    pub(crate) fn bounds(&self, body: &Body, piece: usize) -> Aabb {
        let local = &body.bounds[piece];
        if !local.size().is_finite() {
            return *local;
        }
        let around = placed(local, &self.from).merged(placed(local, &self.to));
        let corners = [local.min, local.max];
        let farthest = Vec3::from_array(
            [0, 1, 2].map(|k| corners.iter().map(|c| (c[k] - self.centre[k]).abs()).fold(0.0, f64::max)),
        );
        let slack = 0.125 * self.angle * self.angle * farthest.length() + WIDENING * around.magnitude();
        Aabb { min: around.min - slack, max: around.max + slack }
    }
}

/// The vertices of a mesh at two states, and the boxes of its tree around their motion.
#[derive(Clone, Debug)]
pub(crate) struct Swept {
    pub(crate) before: Vec<Vec3>,
    pub(crate) now: Vec<Vec3>,
    pub(crate) boxes: Vec<Aabb>,
}

impl Swept {
    /// Reuses the previous result: the end of the last motion is the start of this one.
    pub(crate) fn new(mesh: &Mesh, way: &Way, last: Option<(Way, Swept)>) -> Swept {
        let place = |pose: &Pose| mesh.points.iter().map(|&p| pose.transform_point(p)).collect::<Vec<Vec3>>();
        let before = match last {
            Some((ended, swept)) if ended.to == way.from => swept.now,
            _ => place(&way.from),
        };
        let now = if way.is_still() { before.clone() } else { place(&way.to) };
        let boxes = mesh.tree.boxes(|t| {
            let [a, b, c] = mesh.triangles[t as usize].map(|v| v as usize);
            let min = before[a].min(before[b]).min(before[c]).min(now[a]).min(now[b]).min(now[c]);
            let max = before[a].max(before[b]).max(before[c]).max(now[a]).max(now[b]).max(now[c]);
            Aabb { min, max }
        });
        Swept { before, now, boxes }
    }
}

/// The box around a box that is moved by a pose.
fn placed(bounds: &Aabb, pose: &Pose) -> Aabb {
    let m = pose.matrix();
    let m = Mat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs());
    let (middle, half) = (pose.transform_point(bounds.center()), m * (0.5 * bounds.size()));
    Aabb { min: middle - half, max: middle + half }
}
