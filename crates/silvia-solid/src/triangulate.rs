//! Triangulates polygons, with or without holes.
//!
//! Ear clipping on the polygon projected along the coordinate axis it faces most. Dropping one coordinate
//! leaves the other two unchanged to the bit, so every decision (`robust::orient2d`) is exact: a corner that
//! is convex by one part in 10^16 is convex. All corners are kept, also those in the middle of a straight
//! side, so that triangles of neighbouring polygons meet without gaps.
//!
//! Limits: the time grows with corners times reflex corners (10^4 corners, half of them reflex, take a
//! fraction of a second). Corners may touch other corners but not the inside of a side: no triangulation
//! could then keep the sides whole.

mod clip;
mod flat;
mod holes;
mod simple;

use crate::{Remedy, Vec3};
use clip::Ring;
pub(crate) use flat::{Flat, in_sector, turn};

/// Why a polygon cannot be triangulated. A side is named by the corner where it starts. Corners are counted
/// along the outer boundary and then along each hole.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum TriangulateError {
    /// A boundary with fewer than three corners.
    TooFewCorners {
        /// 0 for the outer boundary, 1 for the first hole and so on.
        boundary: usize,
        /// How many corners it has.
        corners: usize,
    },
    /// A corner that names a point that does not exist.
    IndexOutOfRange {
        /// The corner.
        corner: usize,
        /// The index it names.
        index: u32,
        /// How many points there are.
        points: usize,
    },
    /// A NaN or infinite coordinate.
    NotFinite {
        /// Index of the point.
        index: u32,
        /// Its coordinates.
        at: Vec3,
    },
    /// Two consecutive corners at the same place.
    RepeatedCorner {
        /// The first of the two.
        corner: usize,
    },
    /// A polygon without area: all corners on one line, or sides that cancel.
    NoArea,
    /// Two sides that cross, or a corner inside a side.
    Crossing {
        /// Where the first side starts.
        first: usize,
        /// Where the second side starts.
        second: usize,
        /// The corner where the first side starts: the crossing is between it and the next corner.
        near: Vec3,
    },
    /// A hole that is not inside the outer boundary, or is inside another hole.
    HoleOutside {
        /// Which hole, counted from 1.
        hole: usize,
    },
    /// No ear is left although no sides cross: the boundary runs back over itself.
    Folded {
        /// One of the remaining corners.
        near: Vec3,
        /// Number of remaining corners.
        left: usize,
    },
}

impl Remedy for TriangulateError {
    fn what(&self) -> String {
        match self {
            TriangulateError::TooFewCorners { boundary, corners } => {
                format!("boundary {boundary} (0 is the outer one) has {corners} corners")
            }
            TriangulateError::IndexOutOfRange { corner, index, points } => format!(
                "corner {corner} names point {index}, but there are only {points} points \
                 (numbered from 0)"
            ),
            TriangulateError::NotFinite { index, at } => {
                format!("point {index} of the polygon is ({}, {}, {})", at.x, at.y, at.z)
            }
            TriangulateError::RepeatedCorner { corner } => {
                format!("corner {corner} is at the same place as the next one")
            }
            TriangulateError::NoArea => {
                "the polygon has no area: its corners lie on one line, or it runs back over \
                 itself"
                    .to_owned()
            }
            TriangulateError::Crossing { first, second, near } => format!(
                "the side that starts at corner {first} crosses or touches the one that \
                 starts at corner {second}, at ({}, {}, {})",
                near.x, near.y, near.z
            ),
            TriangulateError::HoleOutside { hole } => format!(
                "hole {hole} (numbered from 1) is not inside the polygon, or is inside \
                 another hole"
            ),
            TriangulateError::Folded { near, left } => format!(
                "the polygon runs back over itself near ({}, {}, {}): {left} corners cannot \
                 be cut into triangles",
                near.x, near.y, near.z
            ),
        }
    }

    fn remedy(&self) -> String {
        match self {
            TriangulateError::TooFewCorners { .. } => "a polygon needs at least 3".to_owned(),
            TriangulateError::NotFinite { .. } => "every coordinate must be finite".to_owned(),
            TriangulateError::RepeatedCorner { .. } => "drop one of them".to_owned(),
            TriangulateError::Crossing { .. } => "the boundary of a polygon may not cross itself".to_owned(),
            TriangulateError::IndexOutOfRange { .. }
            | TriangulateError::NoArea
            | TriangulateError::HoleOutside { .. }
            | TriangulateError::Folded { .. } => String::new(),
        }
    }
}

/// Cuts a polygon into triangles that use all its corners and have its orientation.
///
/// `corners` are indices into `points`, in order around the polygon; the last side goes back to the first
/// corner. The polygon may be concave, may have corners in the middle of straight sides, and may touch itself
/// at corners. It need not be exactly flat. `n` corners give `n - 2` triangles, and two fewer for each corner
/// at which the polygon falls apart (such corners must name the same point, not two points at one place).
///
/// ```
/// use silvia_solid::{Vec3, triangulate};
/// let arrow = [[0.0, 0.0], [2.0, 2.0], [0.0, 1.0], [-2.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 5.0));
/// assert_eq!(triangulate::polygon(&arrow, &[0, 1, 2, 3])?.len(), 2);
/// # Ok::<(), triangulate::TriangulateError>(())
/// ```
pub fn polygon(points: &[Vec3], corners: &[u32]) -> Result<Vec<[u32; 3]>, TriangulateError> {
    polygon_with_holes(points, corners, &[])
}

/// Like [`polygon`], with holes. Holes may run in either direction; the triangles have the orientation of
/// `outer`.
///
/// `n` corners in total and `h` holes give `n + 2 h - 2` triangles if nothing touches. Holes may touch the
/// outer boundary or each other at corners that name the same point.
pub fn polygon_with_holes(
    points: &[Vec3],
    outer: &[u32],
    holes: &[Vec<u32>],
) -> Result<Vec<[u32; 3]>, TriangulateError> {
    let boundaries: Vec<&[u32]> = std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).collect();
    check_corners(points, &boundaries)?;
    let flat = Flat::facing(points, outer).ok_or(TriangulateError::NoArea)?;
    let mut ring = Ring::new(&flat, points, &boundaries);
    simple::check(&ring)?;
    ring.turn_holes();
    holes::bridge(&mut ring, holes::Trust::Nothing)?;
    let triangles = ring.clip(clip::WhenStuck::Refuse)?;
    Ok(triangles)
}

/// Triangulates a polygon that is valid up to rounding, such as the cap of a cut; never fails. The triangles
/// have exactly the given boundary. Where rounding made the polygon cross itself, triangles of rounding size
/// may overlap. `facing` is the direction from which the outer boundary is anticlockwise; holes must run the
/// other way. Where possible, no new triangle side joins two points for which `forbidden` holds.
pub(crate) fn rounded_polygon(
    points: &[Vec3],
    boundaries: &[&[u32]],
    facing: Vec3,
    forbidden: &dyn Fn(u32, u32) -> bool,
) -> Vec<[u32; 3]> {
    let flat = Flat::along(facing);
    let mut ring = Ring::new(&flat, points, boundaries);
    // With this much trust, neither step can fail.
    let bridged = holes::bridge(&mut ring, holes::Trust::Caller);
    debug_assert!(bridged.is_ok());
    ring.clip_avoiding(clip::WhenStuck::CutAnyway, forbidden).unwrap_or_default()
}

fn check_corners(points: &[Vec3], boundaries: &[&[u32]]) -> Result<(), TriangulateError> {
    let mut start = 0;
    for (boundary, corners) in boundaries.iter().enumerate() {
        if corners.len() < 3 {
            return Err(TriangulateError::TooFewCorners { boundary, corners: corners.len() });
        }
        for (i, &index) in corners.iter().enumerate() {
            let corner = start + i;
            let Some(&at) = points.get(index as usize) else {
                return Err(TriangulateError::IndexOutOfRange { corner, index, points: points.len() });
            };
            if !at.is_finite() {
                return Err(TriangulateError::NotFinite { index, at });
            }
        }
        for (i, &index) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            if points[index as usize] == points[next as usize] {
                return Err(TriangulateError::RepeatedCorner { corner: start + i });
            }
            let after = corners[(i + 2) % corners.len()];
            if points[index as usize] == points[after as usize] {
                return Err(TriangulateError::Folded { near: points[next as usize], left: corners.len() });
            }
        }
        start += corners.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
