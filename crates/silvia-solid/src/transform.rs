//! Scaling, mirroring, and rotation about the axes. For any rigid motion see [`Soup::posed`].

use crate::{Plane, Pose, Remedy, Soup, SoupError, Vec3};

/// Why a soup cannot be scaled or mirrored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum TransformError {
    /// A factor that is zero, negative, NaN or infinite.
    Factor {
        /// `"x"`, `"y"`, `"z"`, or `"all axes"`.
        axis: &'static str,
        /// The given factor.
        factor: f64,
    },
    /// A plane whose normal is not of unit length, or which is not finite.
    Plane {
        /// The given plane.
        plane: Plane,
    },
    /// Coordinates too large for double precision.
    Overflow(#[from] SoupError),
}

impl Remedy for TransformError {
    fn what(&self) -> String {
        match self {
            TransformError::Factor { axis, factor } => format!("the scale factor along {axis} is {factor}"),
            TransformError::Plane { plane } => format!(
                "the plane's normal ({}, {}, {}) must have unit length and its offset {} \
                 must be finite",
                plane.normal.x, plane.normal.y, plane.normal.z, plane.offset
            ),
            TransformError::Overflow(error) => format!("the result is not a soup: {}", error.what()),
        }
    }

    fn remedy(&self) -> String {
        match self {
            TransformError::Factor { .. } => {
                "it must be positive and finite (to mirror, use `mirrored`)".to_owned()
            }
            TransformError::Overflow(error) => error.remedy(),
            TransformError::Plane { .. } => String::new(),
        }
    }
}

impl Soup {
    /// The body scaled by `factor` about the origin.
    pub fn scaled(&self, factor: f64) -> Result<Soup, TransformError> {
        if !is_factor(factor) {
            return Err(TransformError::Factor { axis: "all axes", factor });
        }
        self.scaled_axes(Vec3::splat(factor))
    }

    /// The body scaled about the origin by one factor per axis.
    pub fn scaled_axes(&self, factors: Vec3) -> Result<Soup, TransformError> {
        for (axis, factor) in [("x", factors.x), ("y", factors.y), ("z", factors.z)] {
            if !is_factor(factor) {
                return Err(TransformError::Factor { axis, factor });
            }
        }
        let points = self.points().iter().map(|&p| p * factors).collect();
        Ok(Soup::new(points, self.triangles().to_vec())?)
    }

    /// The body rotated about the axes x, y and z through the origin, in this order, by angles in degrees.
    /// Quarter turns move no coordinate by a rounding, as a [`Pose`] would.
    ///
    /// ```
    /// use silvia_solid::{Vec3, primitives};
    ///
    /// let standing = primitives::cuboid(Vec3::new(0.1, 0.2, 0.7))?;
    /// let lying = standing.rotated(Vec3::new(90.0, 0.0, 0.0))?;
    /// assert_eq!(lying.bounds().max, Vec3::new(0.05, 0.35, 0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rotated(&self, degrees: Vec3) -> Result<Soup, TransformError> {
        let turns = degrees.to_array().map(sin_cos);
        let rotated = |&point: &Vec3| {
            turns.iter().enumerate().fold(point, |mut point, (axis, &(sin, cos))| {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                (point[u], point[v]) = (cos * point[u] - sin * point[v], sin * point[u] + cos * point[v]);
                point
            })
        };
        let points = self.points().iter().map(rotated).collect();
        Ok(Soup::new(points, self.triangles().to_vec())?)
    }

    /// The mirror image in a plane. Triangles are flipped, so that outward stays outward.
    pub fn mirrored(&self, plane: Plane) -> Result<Soup, TransformError> {
        let unit = (plane.normal.length() - 1.0).abs() <= Pose::UNIT_TOLERANCE;
        if !unit || !plane.offset.is_finite() {
            return Err(TransformError::Plane { plane });
        }
        let normal = plane.normal.normalize();
        let points =
            self.points().iter().map(|&p| p - 2.0 * (normal.dot(p) - plane.offset) * normal).collect();
        let triangles = self.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        Ok(Soup::new(points, triangles)?)
    }
}

/// Sine and cosine of an angle in degrees, exact for quarter turns.
fn sin_cos(degrees: f64) -> (f64, f64) {
    let quarters = degrees / 90.0;
    match quarters.rem_euclid(4.0) {
        0.0 => (0.0, 1.0),
        1.0 => (1.0, 0.0),
        2.0 => (0.0, -1.0),
        3.0 => (-1.0, 0.0),
        _ => degrees.to_radians().sin_cos(),
    }
}

fn is_factor(factor: f64) -> bool {
    factor > 0.0 && factor.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{cuboid, extrusion};
    use crate::testing::{assert_closed, volume};

    #[test]
    fn scaling_multiplies_the_volume() {
        let soup = cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!(volume(&soup.scaled(2.0).unwrap()), 48.0);
        assert_eq!(volume(&soup.scaled_axes(Vec3::new(0.5, 1.0, 3.0)).unwrap()), 9.0);
    }

    #[test]
    fn a_mirror_image_is_still_outward_and_twice_mirrored_is_the_same() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let soup = extrusion(&l, &[], 1.0).unwrap();
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, -2.0, 2.0) / 3.0);
        let image = soup.mirrored(plane).unwrap();
        assert_closed(&image);
        assert!((volume(&image) - 3.0).abs() < 1e-13);
        for (&p, &q) in soup.points().iter().zip(image.points()) {
            assert!((plane.distance(p) + plane.distance(q)).abs() < 1e-14);
            assert!((q - p).cross(plane.normal).length() < 1e-14);
        }
        let back = image.mirrored(plane).unwrap();
        assert!(soup.points().iter().zip(back.points()).all(|(p, q)| p.distance(*q) < 1e-14));
        assert_eq!(back.triangles(), soup.triangles());
    }

    #[test]
    fn mirroring_in_a_coordinate_plane_is_exact() {
        let soup = cuboid(Vec3::new(0.1, 0.2, 0.3)).unwrap();
        let image = soup.mirrored(Plane { normal: Vec3::X, offset: 0.0 }).unwrap();
        assert!(soup.points().iter().zip(image.points()).all(|(p, q)| *q == Vec3::new(-p.x, p.y, p.z)));
    }

    #[test]
    fn a_rotation_is_that_of_poses_about_one_axis_after_the_other() {
        let soup = cuboid(Vec3::new(0.1, 0.2, 0.3)).unwrap();
        let degrees = Vec3::new(20.0, -130.0, 400.0);
        let about = |axis: Vec3, angle: f64| {
            Pose::new(Vec3::ZERO, crate::Quat::from_axis_angle(axis, angle.to_radians())).unwrap()
        };
        let turned = soup
            .posed(&about(Vec3::X, degrees.x))
            .posed(&about(Vec3::Y, degrees.y))
            .posed(&about(Vec3::Z, degrees.z));
        let rotated = soup.rotated(degrees).unwrap();
        assert!(turned.points().iter().zip(rotated.points()).all(|(p, q)| p.distance(*q) < 1e-15));
        assert_closed(&rotated);
        for quarters in -5..=5 {
            let by = 90.0 * f64::from(quarters);
            let back = soup.rotated(Vec3::new(0.0, by, 0.0)).unwrap().rotated(Vec3::new(0.0, -by, 0.0));
            assert_eq!(back.unwrap().points(), soup.points(), "{by}");
        }
        assert!(matches!(soup.rotated(Vec3::NAN), Err(TransformError::Overflow(_))));
    }

    #[test]
    fn bad_factors_and_planes_are_refused() {
        let soup = cuboid(Vec3::ONE).unwrap();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(soup.scaled(bad), Err(TransformError::Factor { axis: "all axes", .. })));
            let factors = Vec3::new(1.0, 1.0, bad);
            assert!(matches!(soup.scaled_axes(factors), Err(TransformError::Factor { axis: "z", .. })));
        }
        assert!(matches!(
            soup.scaled(f64::MAX).and_then(|s| s.scaled(f64::MAX)),
            Err(TransformError::Overflow(_))
        ));
        for (normal, offset) in
            [(Vec3::ZERO, 0.0), (Vec3::NAN, 0.0), (2.0 * Vec3::X, 0.0), (Vec3::X, f64::NAN)]
        {
            let plane = Plane { normal, offset };
            assert!(matches!(soup.mirrored(plane), Err(TransformError::Plane { .. })));
        }
    }
}
