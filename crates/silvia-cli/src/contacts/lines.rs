//! The lines of a drawn part: creases, borders, and the silhouette.

use silvia::solid::{Pose, Soup, Vec3};
use std::collections::BTreeMap;

/// Two triangles whose normals differ by less than this, degrees, belong to one smooth surface.
const CREASE: f64 = 20.0;

/// The ends of all lines of a part at a pose, seen from a direction.
pub(super) fn lines(soup: &Soup, pose: &Pose, eye: Vec3) -> Vec<[Vec3; 2]> {
    let points: Vec<Vec3> = soup.points().iter().map(|&p| pose.transform_point(p)).collect();
    // The normals of the triangles at each side.
    let mut sides: BTreeMap<[u32; 2], Vec<Vec3>> = BTreeMap::new();
    for triangle in soup.triangles() {
        let [a, b, c] = triangle.map(|i| points[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for k in 0..3 {
            let (i, j) = (triangle[k], triangle[(k + 1) % 3]);
            sides.entry([i.min(j), i.max(j)]).or_default().push(normal);
        }
    }
    let flat = CREASE.to_radians().cos();
    let is_drawn = |normals: &[Vec3]| match normals {
        [m, n] => m.dot(*n) < flat || (m.dot(eye) > 0.0) != (n.dot(eye) > 0.0),
        _ => true,
    };
    sides
        .into_iter()
        .filter(|(_, normals)| is_drawn(normals))
        .map(|(ends, _)| ends.map(|i| points[i as usize]))
        .collect()
}
