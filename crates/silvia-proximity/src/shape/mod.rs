//! Shapes: bodies of every kind, and the questions that every pair of them answers (paper 5 §6.1: SOLID's
//! list, and more).
//!
//! | shape | where it lies in its own frame |
//! |---|---|
//! | point, segment, triangle, convex polygon | at its coordinates |
//! | sphere, box, ellipsoid | around the origin |
//! | cylinder, cone, capsule | along z, the middle of its height at the origin; the tip of a cone is up |
//! | half-space | behind its plane |
//! | cavity | everywhere but in a ball around the origin |
//! | convex solid, solid, soup | at its coordinates |
//! | compound | its parts at their poses |
//!
//! All that have a volume are filled. A soup, a point, a segment, a triangle and a polygon have no inside.

mod bounds;
mod cached;
mod cavity;
mod cavity_depth;
mod common_normal;
mod compound;
mod core;
mod curved;
mod depth;
pub(crate) mod ellipsoid;
mod error;
mod feature;
mod from;
mod gjk;
mod half_space;
mod inset;
mod kinds;
mod mesh;
mod near;
mod order;
mod penetrate;
mod point;
mod polygon;
mod ray;
mod rounded;
mod scale;
mod shortest;
mod signed_gap;
pub(crate) mod simplex;
mod sweep;

pub(crate) use self::core::{Class, Core, Rounded};
pub use crate::contacts::contacts_of_shapes as contacts;
pub use crate::impact::shapes::{ShapeImpact, ShapeImpactContact, ShapeOutcome, time_of_impact};
pub use cached::{
    PartCollision, ShapeCollisionCache, ShapeDistanceCache, collide_with, collisions, distance_with,
};
pub(crate) use feature::of_box;
pub(crate) use gjk::{Closest, PlacedCore, closest};
pub(crate) use mesh::{is_inside, shape_box, triangles_near};
pub(crate) use signed_gap::{SignedGap, signed_gap};

pub use compound::{Compound, CompoundPart};
pub use ellipsoid::Ellipsoid;
pub use error::ShapeError;
pub use kinds::{Capsule, Cavity, Cone, Cuboid, Cylinder, HalfSpace, Mesh, Point, Segment, Sphere, Triangle};
pub use near::{ShapeDistance, collide, distance};
pub use penetrate::{Overlap, ShapePenetration, penetration};
pub use point::{ShapePointDistance, point_distance};
pub use polygon::Polygon;
pub use ray::{ShapeRayHit, cast_ray};

use crate::convex::Convex;
use crate::hierarchy::Hierarchy;
use silvia_solid::{Plane, Pose, Solid, Soup, Vec3};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A body of any kind. Its constructors refuse invalid input. Clones share the data.
///
/// ```
/// use silvia_proximity::{Shape, collide, distance};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
///
/// // Exact shapes, meshes, and compounds of both.
/// let ball = Shape::sphere(0.5)?;
/// let ring = Shape::solid(Solid::from_soup(&primitives::torus(1.0, 0.2, 32, 12)?)?);
///
/// // Any two of them answer every question: the ball fits into the hole of the ring.
/// let at = Pose::IDENTITY;
/// assert!(!collide(&ball, &at, &ring, &at));
/// assert!((distance(&ball, &at, &ring, &at).upper - 0.3).abs() < 0.01);
/// assert!(Shape::sphere(-1.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The enum is exhaustive on purpose: a `match` that names every kind stops compiling when a kind is added,
/// so every place that must handle the new kind is found. Avoid wildcard arms over it, and over
/// [`ShapeKind`]:
///
/// ```
/// use silvia_proximity::ShapeKind;
/// fn is_flat(kind: ShapeKind) -> bool {
///     match kind {
///         ShapeKind::Triangle | ShapeKind::Polygon => true,
///         ShapeKind::Point | ShapeKind::Segment | ShapeKind::Sphere | ShapeKind::Box => false,
///         ShapeKind::Cylinder | ShapeKind::Cone | ShapeKind::Capsule | ShapeKind::HalfSpace => false,
///         ShapeKind::Ellipsoid | ShapeKind::Cavity => false,
///         ShapeKind::Convex | ShapeKind::Solid | ShapeKind::Soup | ShapeKind::Compound => false,
///     }
/// }
/// ```
///
/// Without one of the kinds this does not compile:
///
/// ```compile_fail,E0004
/// use silvia_proximity::ShapeKind;
/// fn is_flat(kind: ShapeKind) -> bool {
///     match kind {
///         ShapeKind::Triangle | ShapeKind::Polygon => true,
///         ShapeKind::Point | ShapeKind::Segment | ShapeKind::Sphere | ShapeKind::Box => false,
///         ShapeKind::Cylinder | ShapeKind::Cone | ShapeKind::Capsule | ShapeKind::HalfSpace => false,
///         ShapeKind::Ellipsoid | ShapeKind::Cavity => false,
///         ShapeKind::Convex | ShapeKind::Solid | ShapeKind::Soup => false,
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub enum Shape {
    /// A single point.
    Point(Point),
    /// The segment between two points, which may be equal.
    Segment(Segment),
    /// A triangle, which may have no area.
    Triangle(Triangle),
    /// A flat convex polygon.
    Polygon(Polygon),
    /// A ball.
    Sphere(Sphere),
    /// A box along the axes of its frame.
    Box(Cuboid),
    /// A cylinder with flat ends.
    Cylinder(Cylinder),
    /// A cone with a flat base and a tip.
    Cone(Cone),
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// A ball that is stretched along the axes of its frame.
    Ellipsoid(Ellipsoid),
    /// All points behind a plane.
    HalfSpace(HalfSpace),
    /// The inside of a sphere, for a bowl: all points outside a ball.
    Cavity(Cavity),
    /// A solid without concave edges.
    Convex(Convex),
    /// Any solid.
    Solid(Mesh),
    /// Triangles without an inside.
    Soup(Mesh),
    /// Several shapes, each at a pose; they may overlap.
    Compound(Compound),
}

/// The kind of a [`Shape`]. The order decides which shape of a pair is handled first. Exhaustive for the same
/// reason as [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ShapeKind {
    /// [`Shape::Point`]
    Point,
    /// [`Shape::Segment`]
    Segment,
    /// [`Shape::Triangle`]
    Triangle,
    /// [`Shape::Polygon`]
    Polygon,
    /// [`Shape::Sphere`]
    Sphere,
    /// [`Shape::Box`]
    Box,
    /// [`Shape::Cylinder`]
    Cylinder,
    /// [`Shape::Cone`]
    Cone,
    /// [`Shape::Capsule`]
    Capsule,
    /// [`Shape::Ellipsoid`]
    Ellipsoid,
    /// [`Shape::HalfSpace`]
    HalfSpace,
    /// [`Shape::Cavity`]
    Cavity,
    /// [`Shape::Convex`]
    Convex,
    /// [`Shape::Solid`]
    Solid,
    /// [`Shape::Soup`]
    Soup,
    /// [`Shape::Compound`]
    Compound,
}

impl ShapeKind {
    /// All kinds, in order.
    pub const ALL: [ShapeKind; 16] = [
        ShapeKind::Point,
        ShapeKind::Segment,
        ShapeKind::Triangle,
        ShapeKind::Polygon,
        ShapeKind::Sphere,
        ShapeKind::Box,
        ShapeKind::Cylinder,
        ShapeKind::Cone,
        ShapeKind::Capsule,
        ShapeKind::Ellipsoid,
        ShapeKind::HalfSpace,
        ShapeKind::Cavity,
        ShapeKind::Convex,
        ShapeKind::Solid,
        ShapeKind::Soup,
        ShapeKind::Compound,
    ];
}

/// # Constructors
impl Shape {
    /// Valid range of lengths of a shape and of its largest coordinate (unless all are zero), m. Queries
    /// multiply up to four lengths; beyond this range the products approach the limits of double precision.
    pub const LENGTHS: RangeInclusive<f64> = 1e-60..=1e60;

    /// A point.
    pub fn point(at: Vec3) -> Result<Shape, ShapeError> {
        coordinates("point", &[at])?;
        Ok(Shape::Point(Point { at }))
    }

    /// A segment. Its ends may be equal.
    pub fn segment(ends: [Vec3; 2]) -> Result<Shape, ShapeError> {
        coordinates("segment", &ends)?;
        Ok(Shape::Segment(Segment { ends }))
    }

    /// A triangle, which may be degenerate.
    pub fn triangle(corners: [Vec3; 3]) -> Result<Shape, ShapeError> {
        coordinates("triangle", &corners)?;
        Ok(Shape::Triangle(Triangle { corners }))
    }

    /// A convex polygon in one plane, within [`Polygon::FLATNESS`] of its size.
    pub fn polygon(corners: &[Vec3]) -> Result<Shape, ShapeError> {
        Ok(Shape::Polygon(Polygon::new(corners)?))
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Result<Shape, ShapeError> {
        Ok(Shape::Sphere(Sphere { radius: length("sphere", "radius", radius)? }))
    }

    /// A box with these edge lengths.
    pub fn cuboid(size: Vec3) -> Result<Shape, ShapeError> {
        for (name, value) in [("size along x", size.x), ("size along y", size.y), ("size along z", size.z)] {
            length("box", name, value)?;
        }
        Ok(Shape::Box(Cuboid { half: 0.5 * size }))
    }

    /// A cylinder.
    pub fn cylinder(radius: f64, height: f64) -> Result<Shape, ShapeError> {
        let (radius, half) = upright("cylinder", radius, height)?;
        Ok(Shape::Cylinder(Cylinder { radius, half }))
    }

    /// A cone with this base radius.
    pub fn cone(radius: f64, height: f64) -> Result<Shape, ShapeError> {
        let (radius, half) = upright("cone", radius, height)?;
        Ok(Shape::Cone(Cone { radius, half }))
    }

    /// A capsule around a segment of the given height; with its round ends it is `2 radius` higher.
    pub fn capsule(radius: f64, height: f64) -> Result<Shape, ShapeError> {
        let (radius, half) = upright("capsule", radius, height)?;
        Ok(Shape::Capsule(Capsule { radius, half }))
    }

    /// An ellipsoid with these semi-axes, half its lengths along x, y and z. The longest may be up to
    /// [`Ellipsoid::MOST_ELONGATED`] times as long as the shortest.
    pub fn ellipsoid(semi_axes: Vec3) -> Result<Shape, ShapeError> {
        Ok(Shape::Ellipsoid(Ellipsoid::new(semi_axes)?))
    }

    /// All points behind a plane. The normal must have unit length, within [`Pose::UNIT_TOLERANCE`].
    pub fn half_space(plane: Plane) -> Result<Shape, ShapeError> {
        let Plane { normal, offset } = plane;
        let off_unit = (normal.length() - 1.0).abs();
        if !offset.is_finite() || off_unit.is_nan() || off_unit > Pose::UNIT_TOLERANCE {
            return Err(ShapeError::Plane { normal, offset });
        }
        if offset != 0.0 {
            in_range("half-space", offset.abs(), &Shape::LENGTHS)?;
        }
        Ok(Shape::HalfSpace(HalfSpace { plane: Plane { normal: normal.normalize(), offset } }))
    }

    /// The inside of a sphere: everything outside a ball of this radius around the origin is filled. A bowl
    /// in which bodies roll; without end outwards, so that nothing can be thrown through it.
    ///
    /// ```
    /// use silvia_proximity::{Shape, distance};
    /// use silvia_solid::{Pose, Vec3};
    /// let (bowl, ball) = (Shape::cavity(1.0)?, Shape::sphere(0.1)?);
    /// let low = Pose::from_translation(Vec3::new(0.0, 0.0, -0.8))?;
    /// assert!((distance(&bowl, &Pose::IDENTITY, &ball, &low).upper - 0.1).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cavity(radius: f64) -> Result<Shape, ShapeError> {
        Ok(Shape::Cavity(Cavity { radius: length("cavity", "radius", radius)? }))
    }

    /// A convex solid; an error if the solid is not convex.
    pub fn convex(solid: &Solid) -> Result<Shape, ShapeError> {
        coordinates("convex solid", solid.soup().points())?;
        Ok(Shape::Convex(Convex::new(solid)?))
    }

    /// Any solid. Coordinates are not checked: outside [`Mesh::LENGTHS`] answers may be wrong.
    pub fn solid(solid: Solid) -> Shape {
        Shape::Solid(Mesh { hierarchy: Arc::new(Hierarchy::new(solid)) })
    }

    /// Triangles without an inside. Coordinates are not checked: see [`Shape::solid`].
    pub fn soup(soup: Soup) -> Shape {
        Shape::Soup(Mesh { hierarchy: Arc::new(Hierarchy::new(soup)) })
    }

    /// Several shapes, each at a pose. The parts of a compound become parts of this one.
    pub fn compound(parts: impl IntoIterator<Item = (Pose, Shape)>) -> Result<Shape, ShapeError> {
        Ok(Shape::Compound(Compound::new(parts)?))
    }
}

impl Shape {
    /// The mesh of a solid or a soup; `None` for any other kind.
    pub fn as_mesh(&self) -> Option<&Mesh> {
        match self {
            Shape::Solid(mesh) | Shape::Soup(mesh) => Some(mesh),
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Cavity(_)
            | Shape::Convex(_)
            | Shape::Compound(_) => None,
        }
    }

    /// The compound; `None` for any other kind.
    pub fn as_compound(&self) -> Option<&Compound> {
        match self {
            Shape::Compound(compound) => Some(compound),
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Cavity(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_) => None,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> ShapeKind {
        match self {
            Shape::Point(_) => ShapeKind::Point,
            Shape::Segment(_) => ShapeKind::Segment,
            Shape::Triangle(_) => ShapeKind::Triangle,
            Shape::Polygon(_) => ShapeKind::Polygon,
            Shape::Sphere(_) => ShapeKind::Sphere,
            Shape::Box(_) => ShapeKind::Box,
            Shape::Cylinder(_) => ShapeKind::Cylinder,
            Shape::Cone(_) => ShapeKind::Cone,
            Shape::Capsule(_) => ShapeKind::Capsule,
            Shape::Ellipsoid(_) => ShapeKind::Ellipsoid,
            Shape::HalfSpace(_) => ShapeKind::HalfSpace,
            Shape::Cavity(_) => ShapeKind::Cavity,
            Shape::Convex(_) => ShapeKind::Convex,
            Shape::Solid(_) => ShapeKind::Solid,
            Shape::Soup(_) => ShapeKind::Soup,
            Shape::Compound(_) => ShapeKind::Compound,
        }
    }
}

fn length(kind: &'static str, name: &'static str, value: f64) -> Result<f64, ShapeError> {
    if !(value > 0.0 && value.is_finite()) {
        return Err(ShapeError::NotALength { kind, name, value });
    }
    in_range(kind, value, &Shape::LENGTHS)
}

/// A length or coordinate of which products of a few are neither infinite nor zero.
fn in_range(kind: &'static str, value: f64, range: &RangeInclusive<f64>) -> Result<f64, ShapeError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ShapeError::OutOfRange { kind, value, least: *range.start(), most: *range.end() })
    }
}

/// The radius and half the height.
fn upright(kind: &'static str, radius: f64, height: f64) -> Result<(f64, f64), ShapeError> {
    Ok((length(kind, "radius", radius)?, 0.5 * length(kind, "height", height)?))
}

/// Points are finite, and the largest of their coordinates is in range or zero: small ones beside it do no
/// harm.
fn coordinates(kind: &'static str, points: &[Vec3]) -> Result<(), ShapeError> {
    coordinates_within(kind, points, &Shape::LENGTHS)
}

fn coordinates_within(
    kind: &'static str,
    points: &[Vec3],
    range: &RangeInclusive<f64>,
) -> Result<(), ShapeError> {
    if let Some(index) = points.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite { kind, index, at: points[index] });
    }
    let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    if largest > 0.0 {
        in_range(kind, largest, range)?;
    }
    Ok(())
}
