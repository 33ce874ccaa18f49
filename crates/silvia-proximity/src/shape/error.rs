//! Why something is no shape.

use crate::convex::ConvexError;
use silvia_solid::{PoseError, Remedy, TransformError, Vec3};

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that is zero, negative, NaN or infinite.
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
    /// An ellipsoid that is too long and thin, or too flat.
    TooElongated {
        /// As given, m.
        semi_axes: Vec3,
        /// How many times as long as the shortest the longest may be.
        most: f64,
    },
    /// A NaN or infinite coordinate.
    NotFinite {
        /// Of which kind of shape.
        kind: &'static str,
        /// Which point, from 0.
        index: usize,
        /// As given.
        at: Vec3,
    },
    /// Fewer than three corners.
    TooFewCorners {
        /// How many there are.
        corners: usize,
    },
    /// Corners on one line or at one place.
    NoArea,
    /// A corner that is not in the plane of the others.
    NotFlat {
        /// Which corner, from 0.
        corner: usize,
        /// How far it is from the plane, m.
        height: f64,
    },
    /// A corner where the outline turns inwards, or a second turn around.
    PolygonNotConvex {
        /// Which corner, from 0.
        corner: usize,
    },
    /// A solid with a concave edge or with several components.
    #[error(transparent)]
    Convex(#[from] ConvexError),
    /// A plane whose normal is not of unit length, or which is not finite.
    Plane {
        /// As given.
        normal: Vec3,
        /// As given, m.
        offset: f64,
    },
    /// A compound without parts.
    EmptyCompound,
    /// A scale that is zero, negative, NaN or infinite.
    Scale {
        /// As given.
        factor: f64,
    },
    /// Coordinates too large or too small for double precision after scaling.
    ScaledAway {
        /// Of which kind of shape.
        kind: &'static str,
        /// The factor.
        factor: f64,
        /// What went wrong.
        reason: String,
    },
}

impl Remedy for ShapeError {
    fn what(&self) -> String {
        match self {
            ShapeError::NotALength { kind, name, value } => format!("the {name} of the {kind} is {value}"),
            ShapeError::OutOfRange { kind, value, .. } => {
                format!("a length or coordinate of the {kind} is {value} m")
            }
            ShapeError::TooElongated { semi_axes, .. } => {
                let ratio = semi_axes.max_element() / semi_axes.min_element();
                format!("the longest axis of the ellipsoid is {ratio} times as long as the shortest")
            }
            ShapeError::NotFinite { kind, index, at } => {
                format!("point {index} of the {kind} is ({}, {}, {})", at.x, at.y, at.z)
            }
            ShapeError::TooFewCorners { corners } => format!("a polygon of {corners} corners"),
            ShapeError::NoArea => "the polygon has no area: its corners are on one line".to_owned(),
            ShapeError::NotFlat { corner, height } => {
                format!("corner {corner} of the polygon is {height} m out of its plane")
            }
            ShapeError::PolygonNotConvex { corner } => {
                format!("the polygon is not convex at corner {corner}")
            }
            ShapeError::Convex(error) => error.what(),
            ShapeError::Plane { normal, offset } => format!(
                "the normal of the half-space ({}, {}, {}) must have unit length and its \
                 offset {offset} must be finite",
                normal.x, normal.y, normal.z
            ),
            ShapeError::EmptyCompound => "the compound has no parts".to_owned(),
            ShapeError::Scale { factor } => format!("the scale is {factor}"),
            ShapeError::ScaledAway { kind, factor, reason } => {
                format!("scaled by {factor} the {kind} no longer fits double precision: {reason}")
            }
        }
    }

    fn remedy(&self) -> String {
        match self {
            ShapeError::NotALength { .. } => "it must be a positive, finite length in metres".to_owned(),
            ShapeError::OutOfRange { least, most, .. } => {
                format!("it must be between {least:e} and {most:e}; use another unit")
            }
            ShapeError::TooElongated { most, .. } => {
                format!("it may be up to {most} times as long; use a part made of triangles")
            }
            ShapeError::NotFinite { .. } => "every coordinate must be finite".to_owned(),
            ShapeError::TooFewCorners { .. } => "it needs at least three".to_owned(),
            ShapeError::NoArea => "use a segment".to_owned(),
            ShapeError::NotFlat { .. } => "cut the polygon into triangles".to_owned(),
            ShapeError::PolygonNotConvex { .. } => "cut it into convex ones, or make a soup of it".to_owned(),
            ShapeError::Convex(error) => error.remedy(),
            ShapeError::EmptyCompound => "give it at least one".to_owned(),
            ShapeError::Scale { .. } => "it must be positive and finite".to_owned(),
            ShapeError::Plane { .. } | ShapeError::ScaledAway { .. } => String::new(),
        }
    }
}

impl ShapeError {
    pub(super) fn transform(kind: &'static str, factor: f64, error: &TransformError) -> ShapeError {
        ShapeError::ScaledAway { kind, factor, reason: error.to_string() }
    }

    pub(super) fn pose(factor: f64, error: &PoseError) -> ShapeError {
        ShapeError::ScaledAway { kind: "compound", factor, reason: error.to_string() }
    }
}
