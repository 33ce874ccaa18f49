//! The same triangles over other points: what joins what stays, what depends on places is worked out anew.

use crate::build::{embedded, encloses, topology};
use crate::faces::Fit;
use crate::solid::Topology;
use crate::{FaceId, MassProperties, Plane, Solid, Soup, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// Why a body cannot have its points there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Another number of points than before.
    #[error("there are {expected} points, but {given} were given: give each its place, in the same order")]
    Count {
        /// How many there are.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A NaN or infinite coordinate.
    #[error("point {point} is ({}, {}, {}): every coordinate must be finite", at.x, at.y, at.z)]
    NotFinite {
        /// Index of the point.
        point: usize,
        /// Its coordinates.
        at: Vec3,
    },
    /// A solid that would enclose nothing, or be turned inside out.
    #[error(
        "the solid would have a volume of {volume} m³ at an area of {area} m²: move its points less far, or \
         use its triangles as a soup"
    )]
    NoVolume {
        /// The volume that it would enclose, m³.
        volume: f64,
        /// The area of its surface, m².
        area: f64,
    },
    /// A face of several triangles that would no longer be flat.
    #[error(
        "face {} would be bent by {by:e} m, more than its tolerance of {tolerance:e} m: for a solid that \
         deforms, make each triangle a face (Solid::faceted)", face.0
    )]
    Bent {
        /// The first such face.
        face: FaceId,
        /// How far a corner would be from the face's plane, m.
        by: f64,
        /// How far it may be, m.
        tolerance: f64,
    },
}

impl Soup {
    /// The same triangles over other points: as many, in the same order.
    pub fn with_points(&self, points: &[Vec3]) -> Result<Soup, MoveError> {
        if points.len() != self.points().len() {
            return Err(MoveError::Count { expected: self.points().len(), given: points.len() });
        }
        if let Some(point) = points.iter().position(|p| !p.is_finite()) {
            return Err(MoveError::NotFinite { point, at: points[point] });
        }
        Ok(Soup::trusted(points.to_vec(), self.triangles().to_vec()))
    }
}

impl Solid {
    /// The same solid with its vertices elsewhere: as many points, in the same order.
    ///
    /// Vertices, edges and faces keep their numbers and what they join; both solids share that. Planes, edge
    /// classes, which vertices stick out, convexity and mass follow the points. The volume must stay
    /// positive, and faces of several triangles flat within [`Solid::face_tolerance`]; a solid that deforms
    /// has a face for each triangle ([`Solid::faceted`]). Vertices may meet and triangles lose their area: a
    /// face without area takes its normal from its neighbours. Not checked: whether the surface passes
    /// through itself, or a part of several is turned inside out.
    ///
    /// ```
    /// use silvia_solid::{EdgeClass, Solid, Vec3, primitives};
    /// let cube = Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?.faceted();
    /// // Sheared by half its height: all sides of the top go the same way.
    /// let sheared: Vec<Vec3> = cube.soup().points().iter().map(|p| *p + 0.5 * p.z * Vec3::X).collect();
    /// let sheared = cube.with_points(&sheared)?;
    /// assert!((sheared.mass().volume - 1.0).abs() < 1e-15);
    /// assert_eq!((sheared.edge_count(), sheared.face_count()), (18, 12));
    /// assert!(sheared.is_convex());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_points(&self, points: &[Vec3]) -> Result<Solid, MoveError> {
        let soup = self.soup().with_points(points)?;
        let mass = MassProperties::of_triangles(soup.points(), soup.triangles());
        if !encloses(&mass) {
            return Err(MoveError::NoVolume { volume: mass.volume, area: mass.area });
        }
        let tolerance = self.face_tolerance();
        let planes = planes(&self.topology, &soup);
        for face in self.faces() {
            let triangles = self.triangles_of_face(face);
            if triangles.len() == 1 {
                continue;
            }
            let height = |p: &Vec3| planes[face.index()].distance(*p).abs();
            let bent = |t: usize| soup.corners(t).iter().map(height).fold(0.0, f64::max);
            if let Some(by) = triangles.map(|t| bent(t.index())).find(|by| *by > tolerance) {
                return Err(MoveError::Bent { face, by, tolerance });
            }
        }
        Ok(embedded(Arc::clone(&self.topology), soup, planes, mass, tolerance))
    }

    /// The same solid with each triangle a face of its own, and each side of a triangle an edge, for one that
    /// deforms: its triangles may bend against each other. Face `i` is triangle `i`. Where triangles lie in
    /// one plane, the edge between them is flat.
    pub fn faceted(&self) -> Solid {
        let (soup, triangles) = (self.soup().clone(), self.triangle_count() as u32);
        let (mate, report) = (self.topology.mate.clone(), self.topology.report.clone());
        let topology = topology(soup.triangles(), mate, (0..triangles).collect(), triangles as usize, report);
        let planes = planes(&topology, &soup);
        embedded(Arc::new(topology), soup, planes, *self.mass(), self.face_tolerance())
    }
}

/// The mean planes of all faces.
fn planes(topology: &Topology, soup: &Soup) -> Vec<Plane> {
    let triangles = |face: usize| {
        let range = topology.face_start[face] as usize..topology.face_start[face + 1] as usize;
        topology.face_triangles[range].iter().map(|&t| t as usize)
    };
    let of_face = |face: usize| {
        let mut triangles_left = triangles(face);
        // Every face has a triangle.
        let mut fit = Fit::of(soup.corners(triangles_left.next().unwrap_or(0)));
        triangles_left.for_each(|t| fit.add(soup.corners(t)));
        fit.plane_or(Vec3::ZERO)
    };
    let around = |face: usize| {
        let sides = triangles(face).flat_map(|t| 3 * t..3 * t + 3);
        let neighbours = sides.map(|side| soup.corners(topology.mate[side] as usize / 3));
        let sum: Vec3 = neighbours.map(|[a, b, c]| (b - a).cross(c - a)).sum();
        sum.try_normalize().unwrap_or(Vec3::Z)
    };
    let count = topology.face_start.len() - 1;
    (0..count)
        .into_par_iter()
        .map(|face| match of_face(face) {
            flat if flat.normal == Vec3::ZERO => {
                let [corner, ..] = soup.corners(triangles(face).next().unwrap_or(0));
                Plane::through(corner, around(face))
            }
            plane => plane,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{cuboid, extrusion, sphere, torus};
    use crate::{EdgeClass, VertexId};
    use proptest::prelude::*;

    fn solid(soup: &Soup) -> Solid {
        Solid::from_soup(soup).unwrap()
    }

    fn bracket() -> Solid {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        solid(&extrusion(&l, &[], 1.0).unwrap())
    }

    /// A twist, a stretch and a wave that turn nothing inside out.
    fn warped(p: Vec3, [twist, stretch, wave]: [f64; 3]) -> Vec3 {
        let (sin, cos) = (twist * p.z).sin_cos();
        let turned = Vec3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z * (1.0 + stretch));
        turned + 0.3 * wave * Vec3::new((2.0 * p.y).sin(), 0.0, (3.0 * p.x).sin())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Oracle: on which side of a triangle's plane the far corner of its neighbour lies.
        #[test]
        fn classes_follow_the_points_and_numbers_stay(
            warp in prop::array::uniform3(-0.5..0.5f64), which in 0..3usize,
        ) {
            let soups = [sphere(1.0, 2).unwrap(), torus(1.0, 0.4, 9, 7).unwrap(), bracket().soup().clone()];
            let before = solid(&soups[which]).faceted();
            let points: Vec<Vec3> = before.soup().points().iter().map(|&p| warped(p, warp)).collect();
            let after = before.with_points(&points).unwrap();
            prop_assert_eq!(after.face_count(), after.triangle_count());
            for edge in before.edges() {
                let [was, is] = [&before, &after].map(|s| s.edge(edge));
                prop_assert_eq!((was.vertices, was.faces, was.sides), (is.vertices, is.faces, is.sides));
                let [a, b, c] = after.soup().corners(is.sides[0].triangle().index());
                let far = after.point(after.start_of_side(is.sides[1].previous()));
                let rise = (b - a).cross(c - a).normalize().dot(far - a);
                if rise.abs() > 1e-9 {
                    let class = if rise < 0.0 { EdgeClass::Convex } else { EdgeClass::Concave };
                    prop_assert_eq!(is.class, class);
                }
            }
            // A vertex that is farthest in some direction sticks out.
            let far = |n: Vec3| points.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
            let n = Vec3::new(0.36, -0.48, 0.8);
            let top = points.iter().position(|p| p.dot(n) == far(n)).unwrap();
            let rest = points.iter().enumerate().filter(|(i, _)| *i != top).map(|(_, p)| p.dot(n));
            if rest.fold(f64::NEG_INFINITY, f64::max) < far(n) - 1e-3 {
                prop_assert!(after.is_extremal(VertexId(top as u32)));
            }
        }
    }

    #[test]
    fn rigid_motion_keeps_polygonal_faces() {
        let before = bracket();
        let pose = crate::Pose::new(Vec3::new(3.0, -5.0, 1.0), crate::Quat::from_rotation_y(0.7)).unwrap();
        let moved: Vec<Vec3> = before.soup().points().iter().map(|&p| pose.transform_point(p)).collect();
        let after = before.with_points(&moved).unwrap();
        assert_eq!((after.face_count(), after.edge_counts()), (before.face_count(), before.edge_counts()));
        assert!((after.mass().volume - before.mass().volume).abs() < 1e-12);
        assert!(after.mass().center.distance(pose.transform_point(before.mass().center)) < 1e-12);
        for face in before.faces() {
            let turned = pose.transform_vector(before.plane(face).normal);
            assert!(turned.distance(after.plane(face).normal) < 1e-12);
        }
        assert!(before.vertices().all(|v| before.is_extremal(v) == after.is_extremal(v)));
    }

    #[test]
    fn a_dent_makes_ridges_grooves() {
        let ball = solid(&sphere(1.0, 2).unwrap()).faceted();
        assert!(ball.is_convex() && ball.is_extremal(VertexId(0)));
        let mut points = ball.soup().points().to_vec();
        points[0] *= 0.5;
        let dented = ball.with_points(&points).unwrap();
        assert!(!dented.is_convex() && !dented.is_extremal(VertexId(0)));
        let around: Vec<_> = dented.edges_of_vertex(VertexId(0)).collect();
        assert!(around.iter().all(|&e| dented.edge(e).class == EdgeClass::Concave), "{around:?}");
        // And back again.
        let back = dented.with_points(ball.soup().points()).unwrap();
        assert!(back.is_convex() && back.is_extremal(VertexId(0)));
    }

    #[test]
    fn a_triangle_that_loses_its_area_faces_as_its_neighbours_do() {
        let cube = solid(&cuboid(Vec3::ONE).unwrap()).faceted();
        let corner = |p: Vec3| cube.soup().points().iter().position(|&q| q == p).unwrap();
        let mut points = cube.soup().points().to_vec();
        // Two corners of the top meet.
        points[corner(Vec3::new(0.5, 0.5, 0.5))] = Vec3::new(-0.5, 0.5, 0.5);
        let wedge = cube.with_points(&points).unwrap();
        assert!((wedge.mass().volume - 2.0 / 3.0).abs() < 1e-12, "{}", wedge.mass().volume);
        for face in wedge.faces() {
            assert!((wedge.plane(face).normal.length() - 1.0).abs() < 1e-12, "{face:?}");
        }
    }

    #[test]
    fn what_makes_no_solid_is_refused() {
        let cube = solid(&cuboid(Vec3::ONE).unwrap());
        let points = cube.soup().points();
        assert!(matches!(cube.with_points(&points[1..]), Err(MoveError::Count { expected: 8, given: 7 })));
        let mut bad = points.to_vec();
        bad[3].y = f64::NAN;
        assert!(matches!(cube.with_points(&bad), Err(MoveError::NotFinite { point: 3, .. })));
        let flat: Vec<Vec3> = points.iter().map(|p| p.with_z(0.0)).collect();
        assert!(matches!(cube.with_points(&flat), Err(MoveError::NoVolume { .. })));
        let mirrored: Vec<Vec3> = points.iter().map(|p| -*p).collect();
        assert!(matches!(cube.with_points(&mirrored), Err(MoveError::NoVolume { .. })));
        let mut bent = points.to_vec();
        bent[0] *= 1.1;
        assert!(matches!(cube.with_points(&bent), Err(MoveError::Bent { .. })));
        assert!(cube.faceted().with_points(&bent).is_ok());
    }
}
