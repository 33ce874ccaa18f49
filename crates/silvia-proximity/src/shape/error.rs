//! Why something is no shape.

use crate::convex::ConvexError;
use silvia_solid::{PoseError, TransformError, Vec3};

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that is zero, negative, NaN or infinite.
    #[error("the {name} of the {kind} is {value}: it must be a positive, finite length in metres")]
    NotALength {
        /// Of which kind of shape.
        kind: &'static str,
        /// Which length.
        name: &'static str,
        /// As given.
        value: f64,
    },
    /// A length or a largest coordinate that is not in [`Shape::LENGTHS`](super::Shape::LENGTHS), or of
    /// triangles in [`Mesh::LENGTHS`](super::Mesh::LENGTHS).
    #[error(
        "a length or coordinate of the {kind} is {value} m: it must be between {least:e} and {most:e}; use \
         another unit"
    )]
    OutOfRange {
        /// Of which kind of shape.
        kind: &'static str,
        /// Its size, m.
        value: f64,
        /// The least it may be, m.
        least: f64,
        /// The most it may be, m.
        most: f64,
    },
    /// A NaN or infinite coordinate.
    #[error("point {index} of the {kind} is ({}, {}, {}): every coordinate must be finite", at.x, at.y, at.z)]
    NotFinite {
        /// Of which kind of shape.
        kind: &'static str,
        /// Which point, from 0.
        index: usize,
        /// As given.
        at: Vec3,
    },
    /// Fewer than three corners.
    #[error("a polygon of {corners} corners: it needs at least three")]
    TooFewCorners {
        /// How many there are.
        corners: usize,
    },
    /// Corners on one line or at one place.
    #[error("the polygon has no area: its corners are on one line; use a segment")]
    NoArea,
    /// A corner that is not in the plane of the others.
    #[error("corner {corner} of the polygon is {height} m out of its plane; cut the polygon into triangles")]
    NotFlat {
        /// Which corner, from 0.
        corner: usize,
        /// How far it is from the plane, m.
        height: f64,
    },
    /// A corner where the outline turns inwards, or a second turn around.
    #[error("the polygon is not convex at corner {corner}: cut it into convex ones, or make a soup of it")]
    PolygonNotConvex {
        /// Which corner, from 0.
        corner: usize,
    },
    /// A solid with a concave edge or with several components.
    #[error(transparent)]
    Convex(#[from] ConvexError),
    /// A plane whose normal is not of unit length, or which is not finite.
    #[error("the normal of the half-space ({}, {}, {}) must have unit length and its offset {offset} must be \
     finite", normal.x, normal.y, normal.z)]
    Plane {
        /// As given.
        normal: Vec3,
        /// As given, m.
        offset: f64,
    },
    /// A compound without parts.
    #[error("the compound has no parts: give it at least one")]
    EmptyCompound,
    /// A scale that is zero, negative, NaN or infinite.
    #[error("the scale is {factor}: it must be positive and finite")]
    Scale {
        /// As given.
        factor: f64,
    },
    /// Coordinates too large or too small for double precision after scaling.
    #[error("scaled by {factor} the {kind} no longer fits double precision: {reason}")]
    ScaledAway {
        /// Of which kind of shape.
        kind: &'static str,
        /// The factor.
        factor: f64,
        /// What went wrong.
        reason: String,
    },
}

impl ShapeError {
    pub(super) fn transform(kind: &'static str, factor: f64, error: &TransformError) -> ShapeError {
        ShapeError::ScaledAway { kind, factor, reason: error.to_string() }
    }

    pub(super) fn pose(factor: f64, error: &PoseError) -> ShapeError {
        ShapeError::ScaledAway { kind: "compound", factor, reason: error.to_string() }
    }
}
