//! Cavities against everything: by the point that is farthest from their centre.
//!
//! What is free of a cavity's material is a ball, which is convex. So a bounded shape is free if its point
//! farthest from the centre is, and that is a corner, or a point of a rim or of a round surface.

use super::core::{Core, Rounded};
use super::gjk::TOUCH;
use super::near::NearestPoints;
use super::simplex::Vertices;
use super::{Cavity, Compound, HalfSpace, Mesh, Shape, ellipsoid};
use crate::feature::Feature;
use crate::shape::Class;
use silvia_solid::{Pose, Vec3};

/// What of a shape is farthest from a point, in the frame of the shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Farthest {
    /// A point of the shape without its margin, m.
    pub(crate) at: Vec3,
    /// How far the surface lies around it, m.
    pub(crate) margin: f64,
    /// From the point asked about to `at`, m.
    pub(crate) distance: f64,
    pub(crate) feature: Feature,
    /// Of a compound; else 0.
    pub(crate) part: u32,
}

impl Farthest {
    /// Of the surface.
    fn reach(&self) -> f64 {
        self.distance + self.margin
    }
}

impl Shape {
    /// What of the shape is farthest from a point in its frame; `None` of half-spaces and cavities, and of
    /// compounds that have one.
    pub(crate) fn farthest_from(&self, center: Vec3) -> Option<Farthest> {
        match self.class() {
            Class::Rounded(rounded) => Some(rounded.farthest_from(center)),
            Class::Mesh(mesh) => Some(mesh.farthest_from(center)),
            Class::Compound(compound) => compound.farthest_from(center),
            Class::HalfSpace(_) | Class::Cavity(_) => None,
        }
    }
}

impl Rounded<'_> {
    pub(super) fn farthest_from(&self, center: Vec3) -> Farthest {
        let (at, number) = self.core.farthest_from(center);
        let feature = self.farthest_feature(number);
        Farthest { at, margin: self.margin, distance: at.distance(center), feature, part: 0 }
    }

    /// The feature of a farthest point, by its number as of [`Core::farthest_from`].
    pub(crate) fn farthest_feature(&self, number: u32) -> Feature {
        match self.core {
            // It is on a rim, whatever the direction in which it is seen.
            Core::Cylinder { .. } => Feature::Edge(number),
            Core::Cone { .. } if number == 0 => Feature::Edge(0),
            Core::Cone { .. } => Feature::Vertex(0),
            Core::Points(_) | Core::Axis(_) | Core::Box(_) | Core::Ellipsoid(_) | Core::Solid(_) => {
                self.feature(&Vertices::one(number), Vec3::ZERO)
            }
        }
    }
}

impl Core<'_> {
    /// A point that is farthest from another one, and its number as in [`Core::numbered_support`]; of a
    /// cylinder that of its rim, 0 for the lower, and of a cone 0 for its rim and 1 for its tip.
    pub(crate) fn farthest_from(&self, center: Vec3) -> (Vec3, u32) {
        let farther = |p: Vec3, q: Vec3| center.distance_squared(q) > center.distance_squared(p);
        match *self {
            Core::Points(points) => farthest_of(points, center),
            // The corner on the other side.
            Core::Axis(_) | Core::Box(_) => self.numbered_support(-center),
            Core::Cylinder { radius, half } => {
                let number = u32::from(center.z < 0.0);
                (rim_point(radius, if number == 1 { half } else { -half }, center), number)
            }
            Core::Cone { radius, half } => {
                let (rim, tip) = (rim_point(radius, -half, center), Vec3::new(0.0, 0.0, half));
                if farther(rim, tip) { (tip, 1) } else { (rim, 0) }
            }
            Core::Ellipsoid(semi_axes) => (ellipsoid::farthest(semi_axes, center), 0),
            Core::Solid(convex) => farthest_of(convex.points(), center),
        }
    }
}

/// The point of a horizontal circle around z that is farthest from another one.
fn rim_point(radius: f64, z: f64, center: Vec3) -> Vec3 {
    let aside = -center.with_z(0.0).try_normalize().unwrap_or(-Vec3::X);
    (radius * aside).with_z(z)
}

/// The first of the points that are farthest from another one, and its number.
fn farthest_of(points: &[Vec3], center: Vec3) -> (Vec3, u32) {
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (i, p) in points.iter().enumerate() {
        let apart = p.distance_squared(center);
        if apart > most {
            (best, most) = (i, apart);
        }
    }
    (points[best], best as u32)
}

impl Mesh {
    fn farthest_from(&self, center: Vec3) -> Farthest {
        let (at, feature) = self.featured_best(|corner| corner.distance_squared(center));
        Farthest { at, margin: 0.0, distance: at.distance(center), feature, part: 0 }
    }
}

impl Compound {
    fn farthest_from(&self, center: Vec3) -> Option<Farthest> {
        let mut best: Option<Farthest> = None;
        for (part, number) in self.parts().iter().zip(0..) {
            let found = part.shape.farthest_from(part.pose.inverse().transform_point(center))?;
            if best.is_none_or(|best| found.reach() > best.reach()) {
                best = Some(Farthest { at: part.pose.transform_point(found.at), part: number, ..found });
            }
        }
        best
    }
}

/// How near a bounded shape is to the surface of a cavity, in the frame of the cavity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clearance {
    /// m; negative where it is in the material.
    pub(crate) gap: f64,
    /// From the surface to the shape, unit length.
    pub(crate) normal: Vec3,
    /// On the surface and on the shape, m.
    pub(crate) points: [Vec3; 2],
    pub(crate) farthest: Farthest,
}

impl Cavity {
    /// Of a shape's farthest point, which is in the frame of the cavity.
    pub(crate) fn clearance_of(&self, farthest: Farthest) -> Clearance {
        let outward = farthest.at.normalize_or(Vec3::X);
        Clearance {
            gap: (self.radius - farthest.margin) - farthest.at.length(),
            normal: -outward,
            points: [self.radius * outward, farthest.at + farthest.margin * outward],
            farthest,
        }
    }

    /// Of a shape at a pose in the frame of the cavity; `None` if it is unbounded.
    pub(crate) fn clearance(&self, shape: &Shape, pose: &Pose) -> Option<Clearance> {
        let found = shape.farthest_from(pose.inverse().translation())?;
        Some(self.clearance_of(Farthest { at: pose.transform_point(found.at), ..found }))
    }

    /// What is nearer than this counts as touching, m.
    pub(super) fn touch(&self, farthest: &Farthest) -> f64 {
        TOUCH * (self.radius + farthest.at.length() + farthest.margin)
    }
}

/// A cavity and another shape, no compound, at a pose in its frame; the answer is in that frame.
pub(super) fn nearest(cavity: &Cavity, other: &Shape, pose: &Pose) -> NearestPoints {
    let Some(found) = cavity.clearance(other, pose) else {
        return NearestPoints::shared(shared_with(cavity, other, pose));
    };
    if found.gap <= cavity.touch(&found.farthest) {
        return NearestPoints::shared(found.points[1]);
    }
    NearestPoints {
        lower: found.gap,
        upper: found.gap,
        points: found.points,
        features: [Some(Feature::Patch(0)), Some(found.farthest.feature)],
        parts: [0, found.farthest.part],
    }
}

/// A point that is in a cavity's material and in another unbounded shape.
fn shared_with(cavity: &Cavity, other: &Shape, pose: &Pose) -> Vec3 {
    let center = pose.translation().length();
    match other.class() {
        Class::HalfSpace(HalfSpace { plane }) => {
            let down = -pose.transform_vector(plane.normal);
            pose.translation() + (cavity.radius + center + plane.offset.abs()) * down
        }
        Class::Cavity(other) => (cavity.radius + center + other.radius) * Vec3::X,
        // These are bounded.
        Class::Rounded(_) | Class::Mesh(_) | Class::Compound(_) => cavity.radius * Vec3::X,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;

    #[test]
    fn no_point_of_a_shape_is_farther() {
        let mut random = Random::new(11);
        let shapes = [
            Shape::cuboid(Vec3::new(1.0, 0.5, 0.7)).unwrap(),
            Shape::cylinder(0.4, 0.9).unwrap(),
            Shape::cone(0.5, 0.8).unwrap(),
            Shape::capsule(0.2, 0.7).unwrap(),
            Shape::ellipsoid(Vec3::new(0.3, 0.6, 0.45)).unwrap(),
        ];
        for shape in &shapes {
            for k in 0..200 {
                let mut center = 2.0 * random.unit() * random.direction();
                if k % 4 == 0 {
                    center[k % 3] = 0.0;
                }
                let found = shape.farthest_from(center).unwrap();
                let tip = found.at + found.margin * (found.at - center).normalize();
                let most = tip.distance(center);
                // It is on the shape, and nothing is beyond it along the way from the centre.
                let out = (tip - center).normalize();
                assert!(tip.dot(out) <= shape.support(out).unwrap().dot(out) + 1e-14);
                for _ in 0..300 {
                    let p = shape.support(random.direction()).unwrap();
                    assert!(p.distance(center) <= most + 1e-14, "{shape:?} from {center}");
                }
            }
        }
    }

    #[test]
    fn two_unbounded_shapes_share_the_point_that_is_named() {
        let cavity = Cavity { radius: 0.7 };
        let pose = Pose::from_translation(Vec3::new(3.0, -1.0, 2.0)).unwrap();
        for offset in [-4.0, 0.0, 5.0] {
            let plane = silvia_solid::Plane { normal: Vec3::new(2.0, -1.0, 2.0) / 3.0, offset };
            let p = shared_with(&cavity, &Shape::half_space(plane).unwrap(), &pose);
            assert!(p.length() >= 0.7 && plane.distance(pose.inverse().transform_point(p)) <= 0.0);
        }
        let p = shared_with(&cavity, &Shape::cavity(2.0).unwrap(), &pose);
        assert!(p.length() >= 0.7 && p.distance(pose.translation()) >= 2.0);
    }
}
