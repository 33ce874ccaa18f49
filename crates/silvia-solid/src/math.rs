//! Names for vector types, so that the library behind them can change in one place.

/// A point or direction, in metres unless stated otherwise.
pub type Vec3 = glam::DVec3;
/// A rotation. [`crate::Pose`] keeps it at unit length.
pub type Quat = glam::DQuat;
/// A 3 by 3 matrix, stored by columns.
pub type Mat3 = glam::DMat3;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the least coordinates.
    pub min: Vec3,
    /// The corner with the greatest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The empty box: growing it by a point gives a box at that point.
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around some points; [`Aabb::EMPTY`] for none.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, Aabb::grown)
    }

    /// The smallest box around this one and the point `p`.
    #[must_use]
    pub fn grown(self, p: Vec3) -> Aabb {
        Aabb { min: self.min.min(p), max: self.max.max(p) }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn merged(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box widened by `by` on every side.
    #[must_use]
    pub fn widened(self, by: f64) -> Aabb {
        Aabb { min: self.min - by, max: self.max + by }
    }

    /// Whether the boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Edge lengths.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The middle of the box.
    pub fn center(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// The largest absolute coordinate. Rounding errors of points in the box are proportional to it.
    pub fn magnitude(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }
}

/// The plane `normal . x = offset`, with a unit normal that points out of the material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The normal, of unit length.
    pub normal: Vec3,
    /// Signed distance of the plane from the origin, along the normal.
    pub offset: f64,
}

impl Plane {
    /// The plane through a point; the normal must have unit length.
    pub fn through(point: Vec3, normal: Vec3) -> Plane {
        Plane { normal, offset: normal.dot(point) }
    }

    /// Signed distance of a point, positive on the side that the normal points to.
    pub fn distance(&self, p: Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}
