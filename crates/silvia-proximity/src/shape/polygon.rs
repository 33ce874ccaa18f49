//! Flat convex polygons.

use super::{ShapeError, coordinates};
use silvia_solid::Vec3;
use std::sync::Arc;

/// A convex polygon in one plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    pub(crate) corners: Arc<[Vec3]>,
    /// Unit length; anticlockwise seen from where it points.
    pub(crate) normal: Vec3,
}

impl Polygon {
    /// How far a corner may be from the plane of the polygon, and how far a straight corner may bend inwards,
    /// as a fraction of the size of the coordinates. Leaves room for corners that were computed with some
    /// loss of digits.
    pub const FLATNESS: f64 = 1e-9;

    /// Its corners in order, m.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Its unit normal. Seen from where it points, the corners run anticlockwise.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    pub(super) fn new(corners: &[Vec3]) -> Result<Polygon, ShapeError> {
        coordinates("polygon", corners)?;
        let n = corners.len();
        if n < 3 {
            return Err(ShapeError::TooFewCorners { corners: n });
        }
        let tolerance = Polygon::FLATNESS * corners.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let middle = corners.iter().sum::<Vec3>() / n as f64;
        let side = |i: usize| corners[(i + 1) % n] - corners[i];
        // Twice the area, by triangles from the middle (Newell's normal).
        let across: Vec3 = (0..n).map(|i| (corners[i] - middle).cross(side(i))).sum();
        let longest = (0..n).map(|i| side(i).length()).fold(0.0, f64::max);
        if across.length() <= tolerance * longest {
            return Err(ShapeError::NoArea);
        }
        let normal = across.normalize();
        if let Some(corner) = (0..n).find(|&i| normal.dot(corners[i] - middle).abs() > tolerance) {
            return Err(ShapeError::NotFlat { corner, height: normal.dot(corners[corner] - middle) });
        }
        // Every corner on the inner side of every side: convex, and around once.
        for i in 0..n {
            let inward = normal.cross(side(i)).normalize_or_zero();
            if let Some(k) = (0..n).find(|&k| inward.dot(corners[k] - corners[i]) < -tolerance) {
                return Err(ShapeError::PolygonNotConvex { corner: k });
            }
        }
        Ok(Polygon { corners: corners.into(), normal })
    }
}
