//! Normals for shading: smooth over round surfaces, with creases at edges.

use crate::drawing::Mesh;
use silvia_solid::Vec3;
use std::collections::HashMap;

/// Between triangles that meet at a greater angle (30°) there is an edge: the polygons that stand for circles have less,
/// and the edges of made parts more. Its cosine.
const CREASE: f64 = 0.866_025_403_784_438_6;
/// A corner of more triangles than this is shaded flat: the cost grows with the square of their number.
const MOST_AROUND: usize = 1024;

/// Triangles whose corners have a normal each.
#[derive(Debug, Default)]
pub(super) struct Creased {
    pub(super) points: Vec<Vec3>,
    /// Unit vectors.
    pub(super) normals: Vec<Vec3>,
    /// Three a triangle. Triangles without area have no normal and are left out.
    pub(super) indices: Vec<u32>,
}

/// A corner is divided into as many as it has normals: one for each triangle around it, the mean over those that make no
/// crease with that one, weighted by their angles at the corner.
pub(super) fn creased(mesh: &Mesh) -> Creased {
    let corners = |triangle: &[u32; 3]| triangle.map(|corner| mesh.points[corner as usize]);
    let normal = |triangle: &[u32; 3]| {
        let [a, b, c] = corners(triangle);
        (b - a).cross(c - a).try_normalize()
    };
    let flat: Vec<Option<Vec3>> = mesh.triangles.iter().map(normal).collect();
    let mut around: Vec<Vec<(usize, f64)>> = vec![Vec::new(); mesh.points.len()];
    for (number, triangle) in mesh.triangles.iter().enumerate().filter(|(number, _)| flat[*number].is_some())
    {
        let points = corners(triangle);
        for (i, &corner) in triangle.iter().enumerate() {
            let [here, next, last] = [points[i], points[(i + 1) % 3], points[(i + 2) % 3]];
            around[corner as usize].push((number, (next - here).angle_between(last - here)));
        }
    }
    let mut creased = Creased::default();
    let mut known: HashMap<(u32, [u64; 3]), u32> = HashMap::new();
    for (triangle, flat_here) in mesh.triangles.iter().zip(&flat) {
        let Some(flat_here) = *flat_here else { continue };
        for &corner in triangle {
            let neighbours = &around[corner as usize];
            let smooth = neighbours.iter().filter_map(|&(number, angle)| {
                flat[number].filter(|other| other.dot(flat_here) >= CREASE).map(|other| angle * other)
            });
            let sum = if neighbours.len() > MOST_AROUND { flat_here } else { smooth.sum() };
            let normal = sum.try_normalize().unwrap_or(flat_here);
            let key = (corner, normal.to_array().map(f64::to_bits));
            let index = *known.entry(key).or_insert_with(|| {
                creased.points.push(mesh.points[corner as usize]);
                creased.normals.push(normal);
                (creased.points.len() - 1) as u32
            });
            creased.indices.push(index);
        }
    }
    creased
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_proximity::Shape;

    #[test]
    fn a_box_has_three_normals_at_each_corner_and_a_ball_one() {
        let cube = creased(&Mesh::of(&Shape::cuboid(Vec3::ONE).unwrap(), 1.0));
        assert_eq!((cube.points.len(), cube.indices.len()), (24, 36));
        for (point, normal) in cube.points.iter().zip(&cube.normals) {
            assert!((normal.abs().max_element() - 1.0).abs() < 1e-15 && point.dot(*normal) > 0.49);
        }
        let drawn = Mesh::of(&Shape::sphere(2.0).unwrap(), 1.0);
        let ball = creased(&drawn);
        assert_eq!(ball.points.len(), drawn.points.len());
        for (point, normal) in ball.points.iter().zip(&ball.normals) {
            assert!((*point / 2.0 - *normal).length() < 0.02, "{point} {normal}");
        }
    }

    #[test]
    fn a_cylinder_is_round_about_and_flat_at_its_ends() {
        let made = creased(&Mesh::of(&Shape::cylinder(0.5, 2.0).unwrap(), 1.0));
        for (point, normal) in made.points.iter().zip(&made.normals) {
            let radial = Vec3::new(point.x, point.y, 0.0).normalize_or_zero();
            let end = normal.z.abs() > 0.999_999;
            assert!(end || (radial - *normal).length() < 1e-3, "{point} {normal}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_left_out() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, 2.0 * Vec3::X];
        let mesh = Mesh { points, triangles: vec![[0, 1, 2], [0, 1, 3]] };
        assert_eq!(creased(&mesh).indices.len(), 3);
    }
}
