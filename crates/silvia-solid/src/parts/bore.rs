//! Blocks with a bore along their axis.

use crate::primitives::{PrimitiveError, check_triangles, circle};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};

/// The radius of a bore at a height, to the corners of its polygon.
pub(super) struct Ring {
    pub(super) radius: f64,
    pub(super) z: f64,
}

/// A block of square cross-section from `bottom` up to the last ring, with a round bore: see [`bored`].
pub(super) fn bored_block(
    half_side: f64,
    bottom: f64,
    rings: &[Ring],
    segments: usize,
) -> Result<Soup, PrimitiveError> {
    check_triangles((2 * rings.len() + 4) as f64 * segments as f64)?;
    let rings: Vec<Vec<Vec3>> =
        rings.iter().map(|ring| circle(ring.radius, ring.z, segments).collect()).collect();
    bored([half_side, half_side], bottom, &rings)
}

/// A block of rectangular cross-section, given by half its sides along x and y, from `bottom` up to the last
/// ring, bored from above along the z axis. The bore follows the rings, which are given from bottom to top,
/// each level, anticlockwise and of as many corners as the others. If the lowest ring is at `bottom`, the
/// bore goes through the block; otherwise it has a floor there.
pub(super) fn bored(half: [f64; 2], bottom: f64, rings: &[Vec<Vec3>]) -> Result<Soup, PrimitiveError> {
    let (first, last, segments) = match rings {
        [first, .., last] if first.len() >= 3 => (first[0], last[0], first.len()),
        _ => return Err(PrimitiveError::TooFew { name: "rings", value: rings.len(), least: 2 }),
    };
    let rectangle = |z: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| Vec3::new(half[0] * x, half[1] * y, z))
    };
    let mut points: Vec<Vec3> = rectangle(bottom).into_iter().chain(rectangle(last.z)).collect();
    let mut starts = Vec::with_capacity(rings.len());
    for ring in rings {
        starts.push(points.len() as u32);
        points.extend_from_slice(ring);
    }
    let n = segments as u32;
    let clockwise = |start: u32| (start..start + n).rev().collect::<Vec<u32>>();
    let anticlockwise = |start: u32| (start..start + n).collect::<Vec<u32>>();
    let (lowest, highest) = (starts[0], starts[rings.len() - 1]);

    let mut triangles = polygon_with_holes(&points, &[4, 5, 6, 7], &[clockwise(highest)])?;
    if first.z > bottom {
        triangles.extend([[0, 2, 1], [0, 3, 2]]);
        triangles.extend(polygon_with_holes(&points, &anticlockwise(lowest), &[])?);
    } else {
        let floor = polygon_with_holes(&points, &[0, 1, 2, 3], &[clockwise(lowest)])?;
        triangles.extend(floor.into_iter().map(|[a, b, c]| [a, c, b]));
    }
    for i in 0..4 {
        let j = (i + 1) % 4;
        triangles.extend([[i, j, j + 4], [i, j + 4, i + 4]]);
    }
    for pair in starts.windows(2) {
        for i in 0..n {
            let j = (i + 1) % n;
            let (a, b, c, d) = (pair[0] + i, pair[0] + j, pair[1] + j, pair[1] + i);
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    Ok(Soup::new(points, triangles)?)
}
