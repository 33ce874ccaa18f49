//! Union, difference and intersection of solids.
//!
//! The `boolmesh` crate does the work. It decides symbolically when surfaces coincide, so boxes with a common
//! face, equal bodies and flush holes come out right. Its result is not taken on trust: it must be a solid,
//! and its volume must agree with that of a second operation by inclusion and exclusion.
//!
//! Limits: a result that touches itself in an edge or a vertex (two boxes joined at a corner) is not a solid
//! and is refused. The same can happen where faces of the two bodies coincide up to rounding (after both were
//! rotated): the result then has slits of zero width, and about one such case in fifteen is refused. Compute
//! in the frame in which the faces coincide exactly, or let one body reach a little into the other.

mod canonical;

use crate::{MassProperties, Solid, SolidError, SolidOptions, Soup, SoupError, Vec3};
use boolmesh::prelude::{Manifold, OpType, compute_boolean};
use canonical::canonical;

/// A boolean operation on two solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The points in either solid.
    Union,
    /// The points in the first solid but not in the second.
    Difference,
    /// The points in both solids.
    Intersection,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BooleanError {
    /// The result touches itself, so it is not a solid.
    #[error(
        "the {operation:?} touches itself and is not a solid; let the bodies overlap a little more or less: \
         {source}"
    )]
    TouchesItself {
        /// The operation.
        operation: Operation,
        /// Where it touches.
        source: SolidError,
    },
    /// The volume contradicts that of a second operation on the same solids.
    #[error(
        "the {operation:?} came out with {found} m³ where {expected} m³ follow by inclusion and exclusion: \
         the bodies are too intricate for their precision; move one a little"
    )]
    Volume {
        /// The operation.
        operation: Operation,
        /// Its volume, m³.
        found: f64,
        /// What it should be, m³.
        expected: f64,
    },
    /// The library gave up.
    #[error("the {operation:?} could not be computed: {reason}")]
    Library {
        /// The operation.
        operation: Operation,
        /// The library's own message.
        reason: String,
    },
    /// The library's result is not even a soup.
    #[error(transparent)]
    Soup(#[from] SoupError),
}

/// The library merges points nearer than this, as a fraction of the size.
pub(crate) const MERGED: f64 = 1e-12;

/// Largest error of the inclusion-exclusion check, as a fraction of the sum of both volumes: about a hundred
/// times the effect of [`MERGED`] on a thin-walled body.
const VOLUME_TOLERANCE: f64 = 1e-9;

/// Corners this near to a plane belong to one polygon of the result, as a fraction of the largest coordinate.
/// Wide enough for the library's rounding, far too narrow to merge facets of round bodies.
const FLAT: f64 = 1e-11;

/// The messages of `boolmesh` for an empty result: no points, or points but no triangles. If they change, the
/// tests of touching boxes fail.
const NOTHING_LEFT: [&str; 2] = ["empty pos matrix", "empty idx matrix"];

/// Combines two solids; `None` if the result is empty.
///
/// ```
/// use silvia_solid::{Solid, Vec3, boolean::{Operation, boolean}, primitives};
/// let block = Solid::from_soup(&primitives::cuboid(Vec3::splat(2.0))?)?;
/// let bolt = Solid::from_soup(&primitives::cylinder(0.5, 2.0, 32)?)?;
/// let bored = boolean(Operation::Difference, &block, &bolt)?;
/// assert_eq!(bored.map(|part| part.genus()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn boolean(operation: Operation, a: &Solid, b: &Solid) -> Result<Option<Solid>, BooleanError> {
    let (volume_a, volume_b) = (a.mass().volume, b.mass().volume);
    let (ma, mb) = (to_library(operation, a)?, to_library(operation, b)?);
    let result = match compute(operation, &ma, &mb)? {
        Some(soup) => to_solid(operation, &soup)?,
        None => None,
    };
    let found = result.as_ref().map_or(0.0, |s| s.mass().volume);
    let other_volume =
        |other: Operation| compute(other, &ma, &mb).map(|soup| soup.map_or(0.0, |s| volume(&s)));
    let expected = match operation {
        Operation::Union => volume_a + volume_b - other_volume(Operation::Intersection)?,
        Operation::Difference => volume_a - other_volume(Operation::Intersection)?,
        Operation::Intersection => volume_a - other_volume(Operation::Difference)?,
    };
    if (found - expected).abs() <= VOLUME_TOLERANCE * (volume_a + volume_b) {
        Ok(result)
    } else {
        Err(BooleanError::Volume { operation, found, expected })
    }
}

fn to_library(operation: Operation, solid: &Solid) -> Result<Manifold, BooleanError> {
    let soup = solid.soup();
    let coordinates: Vec<f64> = soup.points().iter().flat_map(|p| p.to_array()).collect();
    let corners: Vec<usize> = soup.triangles().iter().flatten().map(|&i| i as usize).collect();
    Manifold::new(&coordinates, &corners).map_err(|reason| BooleanError::Library { operation, reason })
}

fn compute(operation: Operation, a: &Manifold, b: &Manifold) -> Result<Option<Soup>, BooleanError> {
    let op = match operation {
        Operation::Union => OpType::Add,
        Operation::Difference => OpType::Subtract,
        Operation::Intersection => OpType::Intersect,
    };
    let result = match compute_boolean(a, b, op) {
        Ok(result) => result,
        Err(reason) if NOTHING_LEFT.contains(&reason.as_str()) => return Ok(None),
        Err(reason) => return Err(BooleanError::Library { operation, reason }),
    };
    let points = result.ps.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    let corners: Vec<u32> = result.hs.iter().map(|h| h.tail as u32).collect();
    let triangles: Vec<[u32; 3]> = corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    if triangles.is_empty() {
        return Ok(None);
    }
    Ok(Some(Soup::new(points, triangles)?))
}

fn to_solid(operation: Operation, soup: &Soup) -> Result<Option<Solid>, BooleanError> {
    let checked = |soup: &Soup, options: &SolidOptions| match Solid::with_options(soup, options) {
        Ok(solid) => Ok(Some(solid)),
        // Walls that coincide up to rounding, with nothing between them.
        Err(SolidError::NoVolume { .. }) => Ok(None),
        Err(source) => Err(BooleanError::TouchesItself { operation, source }),
    };
    match checked(soup, &SolidOptions { face_tolerance: FLAT })? {
        Some(solid) => checked(&canonical(&solid)?, &SolidOptions::default()),
        None => Ok(None),
    }
}

fn volume(soup: &Soup) -> f64 {
    MassProperties::of_triangles(soup.points(), soup.triangles()).volume
}

#[cfg(test)]
mod tests;
