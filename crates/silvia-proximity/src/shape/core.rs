//! What the queries of convex shapes see: a core, and a margin around it.
//!
//! A sphere is a point and a margin, a capsule a segment and a margin; all others have none. The core answers
//! one question: which of its points is farthest in a direction.

use super::{Cavity, Compound, HalfSpace, Mesh, Shape, ellipsoid};
use crate::convex::Convex;
use silvia_solid::Vec3;

/// A convex shape without its margin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'a> {
    /// The hull of a few points: a point, a segment, a triangle or a polygon.
    Points(&'a [Vec3]),
    /// The segment of a capsule: half its length, along z.
    Axis(f64),
    /// Half the edge lengths.
    Box(Vec3),
    /// Around z.
    Cylinder { radius: f64, half: f64 },
    /// Around z, tip up.
    Cone { radius: f64, half: f64 },
    /// Half its lengths along the axes.
    Ellipsoid(Vec3),
    /// A convex solid.
    Solid(&'a Convex),
}

/// All that is within a margin of a core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded<'a> {
    pub(crate) core: Core<'a>,
    /// How far the surface lies outside the core, m.
    pub(crate) margin: f64,
}

/// The five kinds of shapes that the queries tell apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class<'a> {
    /// Convex and bounded.
    Rounded(Rounded<'a>),
    HalfSpace(&'a HalfSpace),
    Cavity(&'a Cavity),
    /// Solid or soup.
    Mesh(&'a Mesh),
    Compound(&'a Compound),
}

impl Shape {
    /// How the queries see the shape.
    pub(crate) fn class(&self) -> Class<'_> {
        let sharp = |core| Class::Rounded(Rounded { core, margin: 0.0 });
        match self {
            Shape::Point(s) => sharp(Core::Points(std::slice::from_ref(&s.at))),
            Shape::Segment(s) => sharp(Core::Points(&s.ends)),
            Shape::Triangle(s) => sharp(Core::Points(&s.corners)),
            Shape::Polygon(s) => sharp(Core::Points(&s.corners)),
            Shape::Sphere(s) => {
                Class::Rounded(Rounded { core: Core::Points(&[Vec3::ZERO]), margin: s.radius })
            }
            Shape::Box(s) => sharp(Core::Box(s.half)),
            Shape::Cylinder(s) => sharp(Core::Cylinder { radius: s.radius, half: s.half }),
            Shape::Cone(s) => sharp(Core::Cone { radius: s.radius, half: s.half }),
            Shape::Capsule(s) => Class::Rounded(Rounded { core: Core::Axis(s.half), margin: s.radius }),
            Shape::Ellipsoid(s) => sharp(Core::Ellipsoid(s.semi_axes)),
            Shape::Convex(s) => sharp(Core::Solid(s)),
            Shape::HalfSpace(s) => Class::HalfSpace(s),
            Shape::Cavity(s) => Class::Cavity(s),
            Shape::Solid(s) | Shape::Soup(s) => Class::Mesh(s),
            Shape::Compound(s) => Class::Compound(s),
        }
    }

    /// A point of the shape furthest along a direction (of any length), in its own frame. `None` for a
    /// half-space or a cavity, and for a compound that has one.
    pub fn support(&self, direction: Vec3) -> Option<Vec3> {
        match self.class() {
            Class::Rounded(rounded) => Some(rounded.support(direction)),
            Class::Mesh(mesh) => Some(mesh.featured_support(direction).0),
            Class::Compound(compound) => compound.support(direction),
            Class::HalfSpace(_) | Class::Cavity(_) => None,
        }
    }
}

impl Rounded<'_> {
    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        self.core.support(direction) + self.margin * direction.normalize_or_zero()
    }
}

impl Core<'_> {
    /// A point that is farthest in a direction. Of a flat round end that looks there, its middle.
    pub(crate) fn support(&self, d: Vec3) -> Vec3 {
        self.numbered_support(d).0
    }

    /// With its number: of the points, of the box's corners (bit k is set where coordinate k is positive), of
    /// the segment's ends, of the solid's vertices ([`Convex::points`]). Points of round cores are not
    /// numbered: 0.
    pub(crate) fn numbered_support(&self, d: Vec3) -> (Vec3, u32) {
        match *self {
            Core::Points(points) => farthest(points, d),
            Core::Axis(half) => (Vec3::new(0.0, 0.0, half.copysign(d.z)), u32::from(d.z.is_sign_positive())),
            Core::Box(half) => {
                let bit = |k: usize| u32::from(d[k].is_sign_positive()) << k;
                (half.copysign(d), bit(0) | bit(1) | bit(2))
            }
            Core::Cylinder { radius, half } => (rim(radius, d, half.copysign(d.z)), 0),
            Core::Cone { radius, half } => {
                let tip = Vec3::new(0.0, 0.0, half);
                let base = rim(radius, d, -half);
                (if d.dot(tip) >= d.dot(base) { tip } else { base }, 0)
            }
            Core::Ellipsoid(semi_axes) => (ellipsoid::support(semi_axes, d), 0),
            Core::Solid(convex) => {
                let vertex = convex.data.support(d);
                (convex.points()[vertex as usize], vertex)
            }
        }
    }
}

impl Core<'_> {
    /// A point about the middle, m.
    pub(crate) fn middle(&self) -> Vec3 {
        match *self {
            Core::Points(points) => points.iter().sum::<Vec3>() / points.len() as f64,
            Core::Axis(_) | Core::Box(_) | Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => {
                Vec3::ZERO
            }
            Core::Solid(convex) => convex.center(),
        }
    }

    /// No point is farther than this from the origin of its frame, m.
    pub(crate) fn reach(&self) -> f64 {
        match *self {
            Core::Points(points) => longest(points),
            Core::Axis(half) => half,
            Core::Box(half) => half.length(),
            Core::Cylinder { radius, half } | Core::Cone { radius, half } => radius.hypot(half),
            Core::Ellipsoid(semi_axes) => semi_axes.max_element(),
            Core::Solid(convex) => {
                let bounds = convex.bounds();
                bounds.min.abs().max(bounds.max.abs()).length()
            }
        }
    }
}

fn longest(points: &[Vec3]) -> f64 {
    points.iter().map(|p| p.length()).fold(0.0, f64::max)
}

/// The point of a horizontal circle around z that is farthest in a direction; its middle if that is along z.
fn rim(radius: f64, d: Vec3, z: f64) -> Vec3 {
    let along = d.truncate().normalize_or_zero() * radius;
    along.extend(z)
}

/// The first of the points that are farthest in a direction, and its number.
pub(super) fn farthest(points: &[Vec3], d: Vec3) -> (Vec3, u32) {
    let (mut best, mut most) = (0, points[0].dot(d));
    for (i, p) in points.iter().enumerate().skip(1) {
        let along = p.dot(d);
        if along > most {
            (best, most) = (i, along);
        }
    }
    (points[best], best as u32)
}
