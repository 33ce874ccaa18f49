//! Convex hulls of random lattice points, certified in exact integers.
//!
//! A closed manifold ball whose corners are among the points, and which keeps every point on the inner side
//! of each of its triangles, is the hull: nothing smaller holds the points, nothing larger has its corners
//! among them. Small lattices make most trials degenerate: many points coplanar, collinear or equal.

use seeded::Random;
use silvia::solid::hull::{Hull, HullError, convex_hull};
use silvia::solid::{Solid, Vec3};

/// One trial: the relative error of the hull's volume, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let count = random.whole(1, 40);
    let sides = [random.whole(1, 4), random.whole(1, 4), random.whole(1, 1000)];
    let points: Vec<Vec3> =
        (0..count).map(|_| Vec3::from(sides.map(|side| random.whole(0, side) as f64))).collect();
    match convex_hull(&points) {
        Ok(hull) => certify(&points, &hull),
        Err(HullError::OnePoint { .. } | HullError::OneLine { .. } | HullError::OnePlane { .. }) => {
            if has_volume(&points) {
                return Err(format!("refused, but the points are not in one plane: {points:?}"));
            }
            Ok(0.0)
        }
        Err(other) => Err(format!("{other}: {points:?}")),
    }
}

/// The relative error of the volume, if the hull is that of the points and has no corner it could do without.
fn certify(points: &[Vec3], hull: &Hull) -> Result<f64, String> {
    let solid = Solid::from_soup(&hull.soup).map_err(|e| format!("{e}: {points:?}"))?;
    if solid.component_count() != 1 || solid.genus() != 0 {
        return Err(format!("not a ball: {points:?}"));
    }
    let corners = hull.soup.points();
    if !corners.iter().zip(&hull.sources).all(|(&corner, &source)| points[source as usize] == corner) {
        return Err(format!("a corner is not the point it is said to be: {points:?}"));
    }
    for triangle in hull.soup.triangles() {
        let [a, b, c] = triangle.map(|i| whole(corners[i as usize]));
        if points.iter().any(|&p| volume6(a, b, c, whole(p)) > 0) {
            return Err(format!("a point is outside: {points:?}"));
        }
    }
    // Each corner is needed: around it are triangles of at least three planes.
    for index in 0..corners.len() as u32 {
        let mut normals: Vec<[i128; 3]> = Vec::new();
        for triangle in hull.soup.triangles().iter().filter(|t| t.contains(&index)) {
            let [a, b, c] = triangle.map(|i| whole(corners[i as usize]));
            let normal = cross(minus(b, a), minus(c, a));
            if normals.iter().all(|&n| cross(n, normal) != [0; 3]) {
                normals.push(normal);
            }
        }
        if normals.len() < 3 {
            return Err(format!("corner {index} is not needed: {points:?}"));
        }
    }
    let apex = whole(corners[0]);
    let exact: i128 = hull
        .soup
        .triangles()
        .iter()
        .map(|t| t.map(|i| whole(corners[i as usize])))
        .map(|[a, b, c]| -volume6(a, b, c, apex))
        .sum();
    Ok((6.0 * solid.mass().volume / exact as f64 - 1.0).abs())
}

/// Whether some four points are not in one plane: brute force from the first point that differs from the
/// others.
fn has_volume(points: &[Vec3]) -> bool {
    let whole: Vec<[i128; 3]> = points.iter().map(|&p| whole(p)).collect();
    let origin = whole[0];
    let apart = |p: &&[i128; 3]| **p != origin;
    let Some(&second) = whole.iter().find(apart) else { return false };
    let off_line = |p: &&[i128; 3]| cross(minus(second, origin), minus(**p, origin)) != [0; 3];
    let Some(&third) = whole.iter().find(off_line) else { return false };
    whole.iter().any(|&p| volume6(origin, second, third, p) != 0)
}

/// Exact: the coordinates are small whole numbers.
fn whole(p: Vec3) -> [i128; 3] {
    p.to_array().map(|c| c as i128)
}

/// Six times the signed volume of a tetrahedron: positive if `d` is on the side that `a`, `b`, `c` turn
/// anticlockwise on.
fn volume6(a: [i128; 3], b: [i128; 3], c: [i128; 3], d: [i128; 3]) -> i128 {
    let n = cross(minus(b, a), minus(c, a));
    let v = minus(d, a);
    n[0] * v[0] + n[1] * v[1] + n[2] * v[2]
}

fn minus(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<Vec3> {
        (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect()
    }

    #[test]
    fn a_hull_that_leaves_a_point_outside_is_refused() {
        let small = convex_hull(&cube()).unwrap();
        let mut points = cube();
        points.push(Vec3::new(2.0, 0.0, 0.0));
        assert!(certify(&cube(), &small).is_ok());
        assert!(certify(&points, &small).unwrap_err().starts_with("a point is outside"));
    }

    #[test]
    fn a_corner_that_is_not_among_the_points_is_refused() {
        let hull = convex_hull(&cube()).unwrap();
        let elsewhere: Vec<Vec3> = cube().iter().map(|&p| 0.5 * p).collect();
        assert!(certify(&elsewhere, &hull).is_err());
    }

    #[test]
    fn points_in_one_plane_have_no_volume() {
        assert!(has_volume(&cube()));
        assert!(!has_volume(&cube()[..4]));
        assert!(!has_volume(&[Vec3::ONE; 5]));
    }
}
