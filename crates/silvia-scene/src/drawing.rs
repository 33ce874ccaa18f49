//! Triangle meshes of shapes, for display only: pictures, pages, exported files. Nothing is computed with
//! them.

use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Soup, Vec3, primitives};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A triangle mesh that shows a shape, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices, m.
    pub points: Vec<Vec3>,
    /// Three vertex indices each.
    pub triangles: Vec<[u32; 3]>,
}

/// Corners of the polygon that replaces a circle: its sagitta is a thousandth of the radius.
const SEGMENTS: usize = 64;
/// A sphere, and an ellipsoid, is drawn as a subdivided icosahedron with 20 times the square of this many
/// triangles.
const FREQUENCY: usize = 10;
/// Rings of vertices on each round end of a capsule.
const RINGS: usize = 12;
/// Rings of vertices of a bowl.
const BOWL_RINGS: usize = 16;

impl Mesh {
    /// The mesh of a shape, in its own frame. An infinite half-space is drawn as a square whose half side
    /// is `extent`, m; a cavity as a bowl: the lower half of its sphere, seen from within. Points and
    /// segments have no triangles.
    pub fn of(shape: &Shape, extent: f64) -> Mesh {
        match shape {
            Shape::Point(_) | Shape::Segment(_) => Mesh::default(),
            Shape::Triangle(triangle) => Mesh::fan(&triangle.corners()),
            Shape::Polygon(polygon) => Mesh::fan(polygon.corners()),
            Shape::Sphere(sphere) => made(primitives::sphere(sphere.radius(), FREQUENCY)),
            Shape::Box(cuboid) => made(primitives::cuboid(cuboid.size())),
            Shape::Cylinder(cylinder) => {
                made(primitives::cylinder(cylinder.radius(), cylinder.height(), SEGMENTS))
            }
            Shape::Cone(cone) => made(primitives::cone(cone.radius(), cone.height(), SEGMENTS)),
            Shape::Capsule(capsule) => rounded(capsule.radius(), capsule.height()),
            Shape::Ellipsoid(ellipsoid) => stretched(ellipsoid.semi_axes()),
            Shape::HalfSpace(half_space) => Mesh::fan(&square(&half_space.plane(), extent)),
            Shape::Cavity(cavity) => bowl(cavity.radius()),
            Shape::Convex(convex) => Mesh::from(convex.solid().soup()),
            Shape::Solid(mesh) | Shape::Soup(mesh) => Mesh::from(mesh.hierarchy().surface().soup()),
            Shape::Compound(compound) => {
                let mut all = Mesh::default();
                for part in compound.parts() {
                    all.append(&Mesh::of(&part.shape, extent), &part.pose);
                }
                all
            }
        }
    }

    /// A fan of triangles over a flat polygon.
    fn fan(corners: &[Vec3]) -> Mesh {
        let triangles = (2..corners.len() as u32).map(|corner| [0, corner - 1, corner]).collect();
        Mesh { points: corners.to_vec(), triangles }
    }

    fn append(&mut self, other: &Mesh, pose: &Pose) {
        let first = self.points.len() as u32;
        self.points.extend(other.points.iter().map(|&point| pose.transform_point(point)));
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|corner| first + corner)));
    }
}

impl From<&Soup> for Mesh {
    fn from(soup: &Soup) -> Mesh {
        Mesh { points: soup.points().to_vec(), triangles: soup.triangles().to_vec() }
    }
}

/// The mesh of a soup; empty if the shape is too small or too large to be made of triangles.
fn made<E>(soup: Result<Soup, E>) -> Mesh {
    soup.map_or(Mesh::default(), |soup| Mesh::from(&soup))
}

/// An ellipsoid along the axes.
fn stretched(semi_axes: Vec3) -> Mesh {
    let mut mesh = made(primitives::sphere(1.0, FREQUENCY));
    mesh.points.iter_mut().for_each(|point| *point *= semi_axes);
    mesh
}

/// A capsule along z.
fn rounded(radius: f64, height: f64) -> Mesh {
    // Rings from the lower pole to the upper one; at the poles they have no width.
    let ring = |end: f64, angle: f64| (radius * angle.cos(), end * 0.5 * height + radius * angle.sin());
    let angles = |from: f64| (0..=RINGS).map(move |i| from + FRAC_PI_2 * i as f64 / RINGS as f64);
    let lower = angles(-FRAC_PI_2).map(|angle| ring(-1.0, angle));
    let rings: Vec<(f64, f64)> = lower.chain(angles(0.0).map(|angle| ring(1.0, angle))).collect();
    let mut mesh = Mesh::default();
    for &(width, z) in &rings {
        mesh.points.extend((0..SEGMENTS).map(|i| {
            let (sin, cos) = (TAU * i as f64 / SEGMENTS as f64).sin_cos();
            Vec3::new(width * cos, width * sin, z)
        }));
    }
    for level in 0..rings.len() - 1 {
        for i in 0..SEGMENTS {
            let corner = |level: usize, i: usize| (level * SEGMENTS + i % SEGMENTS) as u32;
            let [a, b] = [corner(level, i), corner(level, i + 1)];
            let [d, c] = [corner(level + 1, i), corner(level + 1, i + 1)];
            // At a pole, one of the two triangles has no area.
            if level > 0 {
                mesh.triangles.push([a, b, c]);
            }
            if level + 2 < rings.len() {
                mesh.triangles.push([a, c, d]);
            }
        }
    }
    mesh
}

/// The lower half of a sphere, its faces towards the centre: rings from the pole to the brim.
fn bowl(radius: f64) -> Mesh {
    let mut mesh = Mesh { points: vec![-radius * Vec3::Z], triangles: Vec::new() };
    let corner = |ring: usize, i: usize| (1 + ring * SEGMENTS + i % SEGMENTS) as u32;
    for ring in 0..BOWL_RINGS {
        let (width, depth) = (FRAC_PI_2 * (ring + 1) as f64 / BOWL_RINGS as f64).sin_cos();
        for i in 0..SEGMENTS {
            let (sin, cos) = (TAU * i as f64 / SEGMENTS as f64).sin_cos();
            mesh.points.push(radius * Vec3::new(width * cos, width * sin, -depth));
            let [c, d] = [corner(ring, i + 1), corner(ring, i)];
            if ring == 0 {
                mesh.triangles.push([0, d, c]);
            } else {
                let [a, b] = [corner(ring - 1, i), corner(ring - 1, i + 1)];
                mesh.triangles.extend([[a, d, c], [a, c, b]]);
            }
        }
    }
    mesh
}

/// Corners of a square in a plane, around the point nearest to the origin.
fn square(plane: &Plane, extent: f64) -> [Vec3; 4] {
    let (u, v) = plane.normal.any_orthonormal_pair();
    let middle = plane.normal * plane.offset;
    let (u, v) = if u.cross(v).dot(plane.normal) > 0.0 { (u, v) } else { (v, u) };
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| middle + extent * (x * u + y * v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// By the divergence theorem, m³.
    fn volume(mesh: &Mesh) -> f64 {
        let corners = |triangle: &[u32; 3]| triangle.map(|corner| mesh.points[corner as usize]);
        mesh.triangles.iter().map(corners).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn round_shapes_have_nearly_their_volume_and_face_outwards() {
        let capsule = PI * 0.04 * 0.5 + 4.0 / 3.0 * PI * 0.008;
        for (shape, exact) in [
            (Shape::sphere(0.2).unwrap(), 4.0 / 3.0 * PI * 0.008),
            (Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(), 6.0),
            (Shape::cylinder(0.2, 0.5).unwrap(), PI * 0.04 * 0.5),
            (Shape::cone(0.2, 0.6).unwrap(), PI * 0.04 * 0.2),
            (Shape::capsule(0.2, 0.5).unwrap(), capsule),
            (Shape::ellipsoid(Vec3::new(0.1, 0.2, 0.5)).unwrap(), 4.0 / 3.0 * PI * 0.01),
        ] {
            let drawn = volume(&Mesh::of(&shape, 1.0));
            assert!(drawn < exact * (1.0 + 1e-12) && drawn > 0.98 * exact, "{:?}: {drawn}", shape.kind());
        }
    }

    #[test]
    fn a_compound_has_the_triangles_of_its_parts_where_they_are() {
        let ball = Shape::sphere(0.1).unwrap();
        let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
        let pair = Shape::compound([(at(1.0), ball.clone()), (at(-1.0), ball.clone())]).unwrap();
        let (one, two) = (Mesh::of(&ball, 1.0), Mesh::of(&pair, 1.0));
        assert_eq!(two.triangles.len(), 2 * one.triangles.len());
        assert!((volume(&two) - 2.0 * volume(&one)).abs() < 1e-15);
        assert!(two.points.iter().all(|p| (p.x.abs() - 1.0).abs() <= 0.1 + 1e-15));
    }

    #[test]
    fn a_cavity_is_drawn_as_a_bowl_that_faces_its_centre() {
        let mesh = Mesh::of(&Shape::cavity(0.5).unwrap(), 2.0);
        assert!(mesh.points.iter().all(|p| (p.length() - 0.5).abs() < 1e-15 && p.z < 1e-15));
        // With the disc at its brim, which adds nothing, it has minus the volume of half a ball.
        let half_ball = 2.0 / 3.0 * PI * 0.125;
        assert!((-volume(&mesh) / half_ball - 1.0).abs() < 0.01, "{}", volume(&mesh));
    }

    #[test]
    fn a_half_space_is_drawn_as_a_square_that_faces_away_from_it() {
        let plane = Plane { normal: Vec3::new(0.6, 0.0, 0.8), offset: 0.5 };
        let mesh = Mesh::of(&Shape::half_space(plane).unwrap(), 2.0);
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|corner| mesh.points[corner as usize]);
            let normal = (b - a).cross(c - a);
            assert!((0.5 * normal.length() - 8.0).abs() < 1e-12, "half of a square of side 4");
            assert!((normal.normalize() - plane.normal).length() < 1e-12);
            assert!((plane.normal.dot(a) - 0.5).abs() < 1e-12);
        }
    }
}
