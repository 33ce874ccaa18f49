//! Bodies with flat sides: boxes and prisms.

use super::{PrimitiveError, at_least, check_triangles, length};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};

/// A box with the given edge lengths, of 12 triangles. Volume: `size.x * size.y * size.z`.
///
/// ```
/// use silvia_solid::{Vec3, primitives};
/// let brick = primitives::cuboid(Vec3::new(0.2, 0.1, 0.05))?;
/// assert_eq!((brick.points().len(), brick.triangles().len()), (8, 12));
/// # Ok::<(), primitives::PrimitiveError>(())
/// ```
pub fn cuboid(size: Vec3) -> Result<Soup, PrimitiveError> {
    let h = 0.5 * Vec3::new(length("size.x", size.x)?, length("size.y", size.y)?, length("size.z", size.z)?);
    // The bits of i give the signs of x, y and z at corner i.
    let points = (0..8)
        .map(|i| {
            let sign = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
            h * Vec3::new(sign(1), sign(2), sign(4))
        })
        .collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Ok(Soup::new(points, triangles)?)
}

/// An upright prism over a regular polygon with `sides` sides whose corners are at distance `radius` from the
/// axis; the first is on the positive x axis. `4 sides - 4` triangles. Volume: `sides / 2 * radius^2 * sin(2
/// pi / sides) * height`.
pub fn prism(sides: usize, radius: f64, height: f64) -> Result<Soup, PrimitiveError> {
    at_least("sides", sides, 3)?;
    super::turned::between_rings("radius", radius, radius, height, sides)
}

/// An upright prism over any polygon with holes, from z = -height/2 to z = height/2. x and y stay as given,
/// so the body is not centred. Boundaries may run in either direction. Volume: area of the outline times
/// height.
///
/// ```
/// use silvia_solid::primitives;
/// let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// assert_eq!(primitives::extrusion(&l, &[], 1.0)?.triangles().len(), 20);
/// # Ok::<(), primitives::PrimitiveError>(())
/// ```
pub fn extrusion(outer: &[[f64; 2]], holes: &[Vec<[f64; 2]>], height: f64) -> Result<Soup, PrimitiveError> {
    let half = 0.5 * length("height", height)?;
    let corners = outer.len() + holes.iter().map(Vec::len).sum::<usize>();
    check_triangles(4.0 * corners as f64 + 4.0 * holes.len() as f64)?;
    let boundaries: Vec<&[[f64; 2]]> =
        std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).collect();

    let mut points = Vec::with_capacity(2 * corners);
    let mut rings: Vec<Vec<u32>> = Vec::with_capacity(boundaries.len());
    for (i, boundary) in boundaries.iter().enumerate() {
        let first = points.len() as u32;
        points.extend(boundary.iter().map(|&[x, y]| Vec3::new(x, y, -half)));
        let mut ring: Vec<u32> = (first..points.len() as u32).collect();
        // The outer boundary anticlockwise, the holes clockwise.
        if (double_area(boundary) < 0.0) == (i == 0) {
            ring.reverse();
        }
        rings.push(ring);
    }
    let floor = polygon_with_holes(&points, &rings[0], &rings[1..])?;
    points.extend_from_within(..);
    points[corners..].iter_mut().for_each(|p| p.z = half);

    let up = corners as u32;
    let mut triangles: Vec<[u32; 3]> = floor.iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(floor.iter().map(|t| t.map(|i| i + up)));
    for ring in &rings {
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            triangles.extend([[a, b, b + up], [a, b + up, a + up]]);
        }
    }
    Ok(Soup::new(points, triangles)?)
}

fn double_area(boundary: &[[f64; 2]]) -> f64 {
    let Some(&[x0, y0]) = boundary.first() else { return 0.0 };
    boundary
        .iter()
        .zip(boundary.iter().cycle().skip(1))
        .map(|(a, b)| (a[0] - x0) * (b[1] - y0) - (a[1] - y0) * (b[0] - x0))
        .sum()
}
