//! A little thinner.

use super::{CompoundPart, Shape};
use crate::hierarchy::Surface;
use silvia_solid::{Plane, Pose, Vec3};

impl Shape {
    /// The shape with its surface drawn in by a distance, m, that is far below the size of its features:
    /// outer sides come nearer to each other, holes become wider. Features keep their numbers. `None` if it
    /// has no inside, or nothing would be left of it.
    ///
    /// An ellipsoid becomes one that is drawn in by at least the distance everywhere. A cone becomes a
    /// compound of one, as the middle of its height is elsewhere.
    ///
    /// ```
    /// use silvia_proximity::{Shape, shape};
    /// use silvia_solid::{Pose, Vec3};
    /// let cube = Shape::cuboid(Vec3::ONE)?;
    /// let thinner = cube.inset(0.125).ok_or("nothing is left")?;
    /// let beside = Pose::from_translation(Vec3::X)?;
    /// assert_eq!(shape::distance(&cube, &Pose::IDENTITY, &thinner, &beside).upper, 0.125);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inset(&self, by: f64) -> Option<Shape> {
        match self {
            Shape::Point(_) | Shape::Segment(_) | Shape::Triangle(_) | Shape::Polygon(_) | Shape::Soup(_) => {
                None
            }
            Shape::Sphere(s) => Shape::sphere(s.radius - by).ok(),
            Shape::Box(s) => Shape::cuboid(s.size() - Vec3::splat(2.0 * by)).ok(),
            Shape::Cylinder(s) => Shape::cylinder(s.radius - by, s.height() - 2.0 * by).ok(),
            Shape::Capsule(s) => Shape::capsule(s.radius - by, s.height()).ok(),
            Shape::Cone(s) => inset_cone(s.radius, s.height(), by),
            Shape::Ellipsoid(s) => s.inset(by).ok(),
            Shape::HalfSpace(s) => {
                Shape::half_space(Plane { normal: s.plane.normal, offset: s.plane.offset - by }).ok()
            }
            Shape::Cavity(s) => Shape::cavity(s.radius + by).ok(),
            Shape::Convex(s) => Shape::convex(&s.solid().inset(by).ok()?).ok(),
            Shape::Solid(s) => match s.hierarchy.surface() {
                Surface::Solid(solid) => solid.inset(by).ok().map(Shape::solid),
                Surface::Soup(_) => None,
            },
            Shape::Compound(s) => {
                let part = |part: &CompoundPart| Some((part.pose, part.shape.inset(by)?));
                Shape::compound(s.parts().iter().map(part).collect::<Option<Vec<_>>>()?).ok()
            }
        }
    }
}

/// A cone drawn in is a smaller one around the centre of the ball that touches it from within everywhere.
fn inset_cone(radius: f64, height: f64, by: f64) -> Option<Shape> {
    let touching = radius * height / (radius + radius.hypot(height));
    let factor = 1.0 - by / touching;
    let raised = by - 0.5 * height * (1.0 - factor);
    let smaller = Shape::cone(radius * factor, height * factor).ok()?;
    Shape::compound([(Pose::from_translation(Vec3::Z * raised).ok()?, smaller)]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::point_distance;
    use silvia_solid::{Solid, primitives};

    #[test]
    fn the_surface_of_every_kind_goes_in_by_the_distance() {
        let cube = Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap();
        let aside = Pose::from_translation(Vec3::X * 3.0).unwrap();
        let ball = Shape::sphere(0.5).unwrap();
        let kinds = [
            ball.clone(),
            Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(),
            Shape::cylinder(0.5, 2.0).unwrap(),
            Shape::cone(0.5, 2.0).unwrap(),
            Shape::capsule(0.5, 2.0).unwrap(),
            Shape::half_space(Plane { normal: Vec3::Z, offset: 0.3 }).unwrap(),
            Shape::cavity(0.7).unwrap(),
            Shape::convex(&cube).unwrap(),
            Shape::solid(cube),
            Shape::compound([(aside, ball.clone()), (Pose::IDENTITY, ball)]).unwrap(),
        ];
        // Opposite sides are reached along lines through the middle: from the distance of points outside.
        for shape in kinds {
            let thinner = shape.inset(1e-3).unwrap();
            let slope = Vec3::new(2.0, 0.0, 0.5).normalize();
            for direction in [Vec3::X, -Vec3::Y, Vec3::Z, -Vec3::Z, slope] {
                let outside = 10.0 * direction;
                let far = |shape: &Shape| point_distance(shape, &Pose::IDENTITY, outside).unwrap().distance;
                let in_by = far(&thinner) - far(&shape);
                let is_buried = far(&shape) <= 0.0;
                assert!(is_buried || (0.99e-3..5e-3).contains(&in_by), "{:?}: {in_by}", shape.kind());
            }
        }
    }

    #[test]
    fn what_has_no_inside_or_is_thinner_than_that_is_not_drawn_in() {
        assert!(Shape::point(Vec3::ZERO).unwrap().inset(1e-3).is_none());
        assert!(Shape::sphere(1e-4).unwrap().inset(1e-3).is_none());
        assert!(Shape::cone(1e-3, 1e-3).unwrap().inset(1e-3).is_none());
    }
}
