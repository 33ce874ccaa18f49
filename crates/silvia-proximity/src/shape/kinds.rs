//! What the kinds of shapes are made of. Their fields are private, so that only what the constructors have
//! checked exists.

use crate::bounds::Obb;
use crate::hierarchy::Hierarchy;
use silvia_solid::{Plane, Vec3};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub(crate) at: Vec3,
}

impl Point {
    /// Its position, m.
    pub fn at(&self) -> Vec3 {
        self.at
    }
}

/// A segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub(crate) ends: [Vec3; 2],
}

impl Segment {
    /// Its two ends, m.
    pub fn ends(&self) -> [Vec3; 2] {
        self.ends
    }
}

/// A triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    pub(crate) corners: [Vec3; 3],
}

impl Triangle {
    /// Its corners, m.
    pub fn corners(&self) -> [Vec3; 3] {
        self.corners
    }
}

/// A ball around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    pub(crate) radius: f64,
}

impl Sphere {
    /// Its radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A box around the origin, along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Half its edge lengths, m.
    pub(crate) half: Vec3,
}

impl Cuboid {
    /// Edge lengths, m.
    pub fn size(&self) -> Vec3 {
        2.0 * self.half
    }
}

/// A cylinder along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    pub(crate) radius: f64,
    /// Half the height, m.
    pub(crate) half: f64,
}

/// A cone along z with its tip up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    pub(crate) radius: f64,
    /// Half the height, m.
    pub(crate) half: f64,
}

/// All points within a radius of a segment along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    pub(crate) radius: f64,
    /// Half the length of the segment, m.
    pub(crate) half: f64,
}

impl Cylinder {
    /// Its radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its height, m.
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

impl Cone {
    /// The radius of its base, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its height from base to tip, m.
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

impl Capsule {
    /// Its radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The length of its segment, without the round ends, m.
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

/// All points behind a plane, including the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    pub(crate) plane: Plane,
}

impl HalfSpace {
    /// Its plane. The normal points out of the material.
    pub fn plane(&self) -> Plane {
        self.plane
    }
}

/// Everything outside a ball around the origin, its surface included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cavity {
    pub(crate) radius: f64,
}

impl Cavity {
    /// The radius of the ball that is empty, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// Triangles with a hierarchy of bounds. The hierarchy's [`Surface`](crate::Surface) tells whether they
/// enclose anything.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) hierarchy: Arc<Hierarchy<Obb>>,
}

impl Mesh {
    /// Valid range of the largest coordinate of the triangles, m: their hierarchy keeps bounds in single
    /// precision.
    pub const LENGTHS: RangeInclusive<f64> = 1e-15..=1e15;

    /// The hierarchy, for queries that take one.
    pub fn hierarchy(&self) -> &Hierarchy<Obb> {
        &self.hierarchy
    }
}
