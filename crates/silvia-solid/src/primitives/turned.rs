//! Bodies of revolution about the z axis with flat ends: cylinders, cones, frustums.

use super::{PrimitiveError, at_least, check_triangles, circle, convex_cap, length};
use crate::{Soup, Vec3};

/// An upright cylinder, as an inscribed prism with `segments` sides; `4 segments - 4` triangles. True volume:
/// `pi * radius^2 * height`; of the prism: `segments / 2 * radius^2 * sin(2 pi / segments) * height`.
pub fn cylinder(radius: f64, height: f64, segments: usize) -> Result<Soup, PrimitiveError> {
    at_least("segments", segments, 3)?;
    between_rings("radius", radius, radius, height, segments)
}

/// An upright cone with its tip at z = height/2, as an inscribed pyramid with `segments` sides;
/// `2 segments - 2` triangles. True volume: `pi / 3 * radius^2 * height`; of the pyramid:
/// `segments / 6 * radius^2 * sin(2 pi / segments) * height`.
pub fn cone(radius: f64, height: f64, segments: usize) -> Result<Soup, PrimitiveError> {
    at_least("segments", segments, 3)?;
    length("radius", radius)?;
    let half = 0.5 * length("height", height)?;
    check_triangles(2.0 * segments as f64)?;
    let mut points: Vec<Vec3> = circle(radius, -half, segments).collect();
    points.push(Vec3::new(0.0, 0.0, half));
    let (n, tip) = (segments as u32, segments as u32);
    let mut triangles = Vec::with_capacity(2 * segments);
    convex_cap(0, segments, &mut triangles);
    triangles.iter_mut().for_each(|t| t.swap(1, 2));
    triangles.extend((0..n).map(|i| [i, (i + 1) % n, tip]));
    Ok(Soup::new(points, triangles)?)
}

/// A cone without its tip: a circle of radius `bottom` at z = -height/2 and one of radius `top` at z =
/// height/2; `4 segments - 4` triangles. For a `top` of zero use [`cone`]. True volume:
/// `pi / 3 * (bottom^2 + bottom * top + top^2) * height`; for the polyhedron, replace `pi` by
/// `segments / 2 * sin(2 pi / segments)`.
pub fn frustum(bottom: f64, top: f64, height: f64, segments: usize) -> Result<Soup, PrimitiveError> {
    at_least("segments", segments, 3)?;
    length("top", top)?;
    between_rings("bottom", bottom, top, height, segments)
}

/// The hull of two regular polygons, one above the other.
pub(super) fn between_rings(
    name: &'static str,
    bottom: f64,
    top: f64,
    height: f64,
    segments: usize,
) -> Result<Soup, PrimitiveError> {
    length(name, bottom)?;
    let half = 0.5 * length("height", height)?;
    check_triangles(4.0 * segments as f64)?;
    let points = circle(bottom, -half, segments).chain(circle(top, half, segments)).collect();
    let n = segments as u32;
    let mut triangles = Vec::with_capacity(4 * segments);
    convex_cap(0, segments, &mut triangles);
    triangles.iter_mut().for_each(|t| t.swap(1, 2));
    convex_cap(n, segments, &mut triangles);
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    Ok(Soup::new(points, triangles)?)
}
