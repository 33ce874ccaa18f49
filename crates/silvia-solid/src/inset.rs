//! A solid drawn in: the same solid, a little thinner everywhere.

use crate::{MoveError, Solid, Vec3, VertexId};

/// Sweeps over the faces around a vertex. Corners of boxes need one, those of fine meshes some tens.
const SWEEPS: usize = 1000;

/// How far short of the distance asked for a face may fall before the result is lengthened to make up for it,
/// as a fraction of that distance.
const SHORT: f64 = 1e-9;

/// A vertex so sharp that it would have to go farther than this many times the distance stays where it is.
const SHARPEST: f64 = 1e3;

impl Solid {
    /// The same solid with its surface drawn in by a distance, m, that is far below the size of its features:
    /// outer sides come nearer to each other, holes become wider. Vertices, edges and faces keep their
    /// numbers.
    ///
    /// Each vertex goes by the shortest way that takes it at least so far behind every face around it. Where
    /// more than three faces meet, some go in a little farther. A vertex that no motion takes behind all its
    /// faces stays where it is.
    ///
    /// ```
    /// use silvia_solid::{Solid, Vec3, primitives};
    /// let cube = Solid::from_soup(&primitives::cuboid(Vec3::splat(2.0))?)?;
    /// let thinner = cube.inset(0.25)?;
    /// assert_eq!(thinner.bounds().size(), Vec3::splat(1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inset(&self, by: f64) -> Result<Solid, MoveError> {
        let mut normals = Vec::new();
        let moved = |vertex: VertexId| {
            let faces = self.sides_of_vertex(vertex).map(|side| self.face_of_triangle(side.triangle()));
            normals.clear();
            normals.extend(faces.map(|face| self.plane(face).normal));
            self.point(vertex) - by * behind_all(&normals).unwrap_or(Vec3::ZERO)
        };
        self.with_points(&self.vertices().map(moved).collect::<Vec<Vec3>>())
    }
}

/// The shortest vector that reaches at least 1 along each of some unit vectors: Hildreth's method, which
/// takes them in turn. `None` if there is none, or none that is not very long.
fn behind_all(normals: &[Vec3]) -> Option<Vec3> {
    let mut weights = vec![0.0; normals.len()];
    let mut way = Vec3::ZERO;
    let least = |way: Vec3| normals.iter().map(|n| n.dot(way)).fold(f64::INFINITY, f64::min);
    for _ in 0..SWEEPS {
        for (normal, weight) in normals.iter().zip(&mut weights) {
            let change = (1.0 - normal.dot(way)).max(-*weight);
            *weight += change;
            way += change * *normal;
        }
        if least(way) >= 1.0 - SHORT || way.length() > SHARPEST {
            break;
        }
    }
    let reached = least(way);
    let way = way / reached.min(1.0);
    (reached > 0.0 && way.length() <= SHARPEST).then_some(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Quat, parts, primitives};

    /// How far inwards each face has gone, m: the least and the most.
    fn drawn_in(solid: &Solid, thinner: &Solid) -> [f64; 2] {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for face in solid.faces() {
            let plane = solid.plane(face);
            for triangle in solid.triangles_of_face(face) {
                for vertex in solid.vertices_of_triangle(triangle) {
                    let depth = -plane.distance(thinner.point(vertex)) + plane.distance(solid.point(vertex));
                    (least, most) = (least.min(depth), most.max(depth));
                }
            }
        }
        [least, most]
    }

    #[test]
    fn every_face_of_a_part_goes_in_by_the_distance() {
        let turned = Pose::new(Vec3::new(0.3, -2.0, 1.0), Quat::from_rotation_z(0.4)).unwrap();
        let ring = |x: f64| vec![[-x, -x], [x, -x], [x, x], [-x, x]];
        let holed = primitives::extrusion(&ring(2.0), &[ring(1.0)], 1.0).unwrap();
        let cuboid = primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        for soup in [holed, cuboid, primitives::sphere(1.0, 16).unwrap()] {
            let solid = Solid::from_soup(&soup.posed(&turned)).unwrap();
            let thinner = solid.inset(1e-6).unwrap();
            let [least, most] = drawn_in(&solid, &thinner);
            assert!(least > 0.999e-6 && most < 1.05e-6, "{least} to {most}");
            assert!(thinner.mass().volume < solid.mass().volume);
            assert_eq!(thinner.edge_counts(), solid.edge_counts());
        }
    }

    #[test]
    fn a_thread_is_drawn_in_everywhere() {
        let solid = Solid::from_soup(&parts::ScrewAndNut::default().nut().unwrap()).unwrap();
        let by = 1e-9 * solid.bounds().size().length();
        let [least, most] = drawn_in(&solid, &solid.inset(by).unwrap());
        assert!(least > 0.99 * by && most < 20.0 * by, "{least} to {most}, of {by}");
    }

    #[test]
    fn there_is_no_way_behind_faces_that_look_at_each_other() {
        assert_eq!(behind_all(&[Vec3::X, -Vec3::X]), None);
        assert_eq!(behind_all(&[Vec3::X, Vec3::Y]), Some(Vec3::new(1.0, 1.0, 0.0)));
    }
}
