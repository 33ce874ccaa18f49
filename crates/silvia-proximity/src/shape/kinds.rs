//! What the kinds of shapes are made of. Their fields are private, so that only what the constructors have
//! checked exists.

use crate::bounds::Obb;
use crate::hierarchy::Hierarchy;
use silvia_solid::{Plane, Vec3};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A point of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub(crate) at: Vec3,
}

impl Point {
    /// Where it is, m.
    pub fn at(&self) -> Vec3 {
        self.at
    }
}

/// What is between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    pub(crate) ends: [Vec3; 2],
}

impl Segment {
    /// m
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
    /// m
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
    /// m
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

/// All that is within a radius of a segment along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    pub(crate) radius: f64,
    /// Half the length of the segment, m.
    pub(crate) half: f64,
}

impl Cylinder {
    /// m
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// m
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

impl Cone {
    /// Of its base, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// From its base to its tip, m.
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

impl Capsule {
    /// m
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Of the segment, without the round ends, m.
    pub fn height(&self) -> f64 {
        2.0 * self.half
    }
}

/// All that is behind a plane, the plane included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    pub(crate) plane: Plane,
}

impl HalfSpace {
    /// Its normal points out of the material.
    pub fn plane(&self) -> Plane {
        self.plane
    }
}

/// Triangles with a hierarchy of bounds; whether they enclose anything, the hierarchy's
/// [`Surface`](crate::Surface) says.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) hierarchy: Arc<Hierarchy<Obb>>,
}

impl Mesh {
    /// How large the largest coordinate of triangles may be, m: their hierarchy keeps its bounds in single
    /// precision.
    pub const LENGTHS: RangeInclusive<f64> = 1e-15..=1e15;

    /// For the queries that take hierarchies.
    pub fn hierarchy(&self) -> &Hierarchy<Obb> {
        &self.hierarchy
    }
}
