//! Square blocks with a bore along their axis.

use crate::primitives::{PrimitiveError, check_triangles, circle};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};

/// The radius of a bore at a height, to the corners of its polygon.
pub(super) struct Ring {
    pub(super) radius: f64,
    pub(super) z: f64,
}

/// A block of square cross-section from `bottom` up to the last ring, bored from above along the z axis. The
/// bore follows the rings, which are given from bottom to top. If the lowest ring is at `bottom`, the bore
/// goes through the block; otherwise it has a floor there.
pub(super) fn bored_block(
    half_side: f64,
    bottom: f64,
    rings: &[Ring],
    segments: usize,
) -> Result<Soup, PrimitiveError> {
    let (first, last) = match rings {
        [first, .., last] => (first, last),
        _ => return Err(PrimitiveError::TooFew { name: "rings", value: rings.len(), least: 2 }),
    };
    check_triangles((2 * rings.len() + 4) as f64 * segments as f64)?;
    let square = |z: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| Vec3::new(half_side * x, half_side * y, z))
    };
    let mut points: Vec<Vec3> = square(bottom).into_iter().chain(square(last.z)).collect();
    let mut starts = Vec::with_capacity(rings.len());
    for ring in rings {
        starts.push(points.len() as u32);
        points.extend(circle(ring.radius, ring.z, segments));
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
