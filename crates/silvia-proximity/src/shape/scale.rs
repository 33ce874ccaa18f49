//! Larger and smaller.

use super::{Mesh, Shape, ShapeError, coordinates_within};
use crate::hierarchy::Surface;
use silvia_solid::{Plane, Solid, SolidOptions, Soup, Vec3};

impl Shape {
    /// The shape scaled by a factor about the origin of its frame.
    pub fn scaled(&self, factor: f64) -> Result<Shape, ShapeError> {
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(ShapeError::Scale { factor });
        }
        match self {
            Shape::Point(s) => Shape::point(s.at * factor),
            Shape::Segment(s) => Shape::segment(s.ends.map(|p| p * factor)),
            Shape::Triangle(s) => Shape::triangle(s.corners.map(|p| p * factor)),
            Shape::Polygon(s) => {
                Shape::polygon(&s.corners.iter().map(|&p| p * factor).collect::<Vec<Vec3>>())
            }
            Shape::Sphere(s) => Shape::sphere(s.radius * factor),
            Shape::Box(s) => Shape::cuboid(s.size() * factor),
            Shape::Cylinder(s) => Shape::cylinder(s.radius * factor, s.height() * factor),
            Shape::Cone(s) => Shape::cone(s.radius * factor, s.height() * factor),
            Shape::Capsule(s) => Shape::capsule(s.radius * factor, s.height() * factor),
            Shape::Ellipsoid(s) => Shape::ellipsoid(s.semi_axes * factor),
            Shape::HalfSpace(s) => {
                Shape::half_space(Plane { normal: s.plane.normal, offset: s.plane.offset * factor })
            }
            Shape::Cavity(s) => Shape::cavity(s.radius * factor),
            Shape::Convex(s) => Shape::convex(&scaled_solid(s.solid(), "convex solid", factor)?),
            Shape::Solid(s) | Shape::Soup(s) => match s.hierarchy.surface() {
                Surface::Solid(solid) => {
                    let scaled = scaled_solid(solid, "solid", factor)?;
                    coordinates_within("solid", scaled.soup().points(), &Mesh::LENGTHS)?;
                    Ok(Shape::solid(scaled))
                }
                Surface::Soup(soup) => {
                    let scaled = scaled_soup(soup, "soup", factor)?;
                    coordinates_within("soup", scaled.points(), &Mesh::LENGTHS)?;
                    Ok(Shape::soup(scaled))
                }
            },
            Shape::Compound(s) => s.scaled(factor).map(Shape::Compound),
        }
    }
}

fn scaled_soup(soup: &Soup, kind: &'static str, factor: f64) -> Result<Soup, ShapeError> {
    soup.scaled(factor).map_err(|e| ShapeError::transform(kind, factor, &e))
}

/// Its faces are those of the original: the tolerance grows with it.
fn scaled_solid(solid: &Solid, kind: &'static str, factor: f64) -> Result<Solid, ShapeError> {
    let soup = scaled_soup(solid.soup(), kind, factor)?;
    let options = SolidOptions { face_tolerance: solid.face_tolerance() / solid.bounds().magnitude() };
    Solid::with_options(&soup, &options).map_err(|e| ShapeError::ScaledAway {
        kind,
        factor,
        reason: e.to_string(),
    })
}
