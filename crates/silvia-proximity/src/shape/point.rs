//! The signed distance of a point to a shape.

use super::core::{Class, Core, Rounded};
use super::depth::way_out;
use super::ellipsoid::signed_distance;
use super::{Compound, Mesh, Shape, rounded};
use crate::feature::Feature;
use crate::point::{NotFinite, point_distance as distance_to_mesh};
use silvia_solid::{Pose, Vec3};

/// The point of a shape's surface nearest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapePointDistance {
    /// Signed distance, m: negative inside. Points, segments, triangles, polygons and soups have no inside.
    pub distance: f64,
    /// The nearest point of the surface, m.
    pub nearest: Vec3,
    /// The feature it lies on, numbered as in [`ShapeDistance`](super::ShapeDistance). `None` if the query
    /// point lies on a shape that has no inside.
    pub feature: Option<Feature>,
    /// Number of the part of a compound; 0 for other shapes.
    pub part: u32,
}

/// The signed distance of a point to a shape, right to rounding.
///
/// Outside a compound it is the distance of the nearest part. Inside, it is the depth in the part in which
/// the point is deepest; where parts overlap, the depth in the whole may be greater.
///
/// ```
/// use silvia_proximity::{Shape, point_distance};
/// use silvia_solid::{Pose, Vec3};
/// let can = Shape::cylinder(0.5, 2.0)?;
/// let at = |x: f64| point_distance(&can, &Pose::IDENTITY, Vec3::new(x, 0.0, 0.0));
/// assert!((at(2.0)?.distance - 1.5).abs() < 1e-15);
/// assert!((at(0.3)?.distance + 0.2).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn point_distance(shape: &Shape, pose: &Pose, point: Vec3) -> Result<ShapePointDistance, NotFinite> {
    if !point.is_finite() {
        return Err(NotFinite { at: point });
    }
    let answer = local(shape, pose.inverse().transform_point(point))?;
    Ok(ShapePointDistance { nearest: pose.transform_point(answer.nearest), ..answer })
}

/// In the frame of the shape.
fn local(shape: &Shape, p: Vec3) -> Result<ShapePointDistance, NotFinite> {
    Ok(match shape {
        Shape::Sphere(sphere) => around(Vec3::ZERO, sphere.radius, Feature::Patch(0), p),
        Shape::Capsule(capsule) => {
            let z = p.z.clamp(-capsule.half, capsule.half);
            let patch = if p.z == z { 0 } else { 1 + u32::from(p.z > z) };
            around(Vec3::new(0.0, 0.0, z), capsule.radius, Feature::Patch(patch), p)
        }
        Shape::Ellipsoid(ellipsoid) => {
            let (distance, normal) = signed_distance(ellipsoid.semi_axes, p);
            let feature = Some(Feature::Patch(0));
            ShapePointDistance { distance, nearest: p - distance * normal, feature, part: 0 }
        }
        Shape::HalfSpace(half_space) => {
            let plane = half_space.plane;
            let distance = plane.distance(p);
            let feature = Some(Feature::Face(0));
            ShapePointDistance { distance, nearest: p - distance * plane.normal, feature, part: 0 }
        }
        Shape::Cavity(cavity) => {
            let ball = around(Vec3::ZERO, cavity.radius, Feature::Patch(0), p);
            ShapePointDistance { distance: -ball.distance, ..ball }
        }
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Convex(_) => to_core(shape, p),
        Shape::Solid(mesh) | Shape::Soup(mesh) => return to_mesh(mesh, p),
        Shape::Compound(compound) => return to_compound(compound, p),
    })
}

/// A ball of which a point is the centre.
fn around(center: Vec3, radius: f64, feature: Feature, p: Vec3) -> ShapePointDistance {
    let outward = (p - center).try_normalize().unwrap_or(Vec3::X);
    ShapePointDistance {
        distance: p.distance(center) - radius,
        nearest: center + radius * outward,
        feature: Some(feature),
        part: 0,
    }
}

/// A convex shape without a margin.
fn to_core(shape: &Shape, p: Vec3) -> ShapePointDistance {
    let on_surface = ShapePointDistance { distance: 0.0, nearest: p, feature: None, part: 0 };
    let Class::Rounded(round) = shape.class() else { return on_surface };
    let point = Rounded { core: Core::Points(std::slice::from_ref(&p)), margin: 0.0 };
    let near = rounded::nearest(&round, &point, &Pose::IDENTITY, f64::INFINITY);
    if near.upper > 0.0 {
        let ([nearest, _], [feature, _]) = (near.points, near.features);
        return ShapePointDistance { distance: near.upper, nearest, feature, part: 0 };
    }
    way_out(&round.core, p).map_or(on_surface, |(depth, normal, feature)| ShapePointDistance {
        distance: -depth,
        nearest: p + depth * normal,
        feature: Some(feature),
        part: 0,
    })
}

fn to_mesh(mesh: &Mesh, p: Vec3) -> Result<ShapePointDistance, NotFinite> {
    let found = distance_to_mesh(mesh.hierarchy(), &Pose::IDENTITY, p)?;
    Ok(ShapePointDistance {
        distance: found.distance,
        nearest: found.nearest,
        feature: Some(found.feature),
        part: 0,
    })
}

/// The part with the least signed distance; of several, the first.
fn to_compound(compound: &Compound, p: Vec3) -> Result<ShapePointDistance, NotFinite> {
    let mut best = ShapePointDistance { distance: f64::INFINITY, nearest: p, feature: None, part: 0 };
    for (part, number) in compound.parts().iter().zip(0..) {
        let found = local(&part.shape, part.pose.inverse().transform_point(p))?;
        if found.distance < best.distance {
            best = ShapePointDistance {
                nearest: part.pose.transform_point(found.nearest),
                part: number,
                ..found
            };
        }
    }
    Ok(best)
}
