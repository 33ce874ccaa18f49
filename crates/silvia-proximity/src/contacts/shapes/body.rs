//! A shape made ready for contacts.

use crate::bounds::Obb;
use crate::hierarchy::{Hierarchy, Surface};
use crate::shape::Shape;
use silvia_solid::primitives::cuboid;
use silvia_solid::{Aabb, Plane, Pose, Solid, Soup, Vec3, VertexId};
use std::sync::Arc;

/// A shape whose features are known: made once, asked often, cheap to clone.
#[derive(Clone, Debug)]
pub struct ContactBody {
    pub(super) parts: Arc<[Placed]>,
}

/// A part at its place in the body.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) pose: Pose,
    pub(super) part: Part,
    /// Kept for its box and its support function.
    shape: Shape,
}

/// What contacts are made of.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Flat faces, edges and vertices.
    Mesh(Arc<Hierarchy<Obb>>),
    /// Smooth and convex.
    Round(Shape),
    /// What is behind a plane.
    HalfSpace(Plane),
}

impl ContactBody {
    /// Makes a shape ready.
    pub fn new(shape: &Shape) -> ContactBody {
        let place = |pose: Pose, shape: &Shape| Placed { pose, part: Part::of(shape), shape: shape.clone() };
        let parts = match shape {
            Shape::Compound(compound) => compound.parts().iter().map(|p| place(p.pose, &p.shape)).collect(),
            shape => Arc::from([place(Pose::IDENTITY, shape)]),
        };
        ContactBody { parts }
    }
}

impl Placed {
    /// Whether the boxes of two parts are nearer than `reach`.
    pub(super) fn is_near(&self, pose: &Pose, other: &Placed, other_pose: &Pose, reach: f64) -> bool {
        let (mine, others) = (self.shape.aabb(pose), other.shape.aabb(other_pose));
        // Twice, so that rounding of the boxes loses nothing just within reach.
        let grown =
            Aabb { min: mine.min - Vec3::splat(2.0 * reach), max: mine.max + Vec3::splat(2.0 * reach) };
        grown.overlaps(&others)
    }
}

impl Part {
    fn of(shape: &Shape) -> Part {
        match shape {
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_) => Part::Round(shape.clone()),
            Shape::HalfSpace(half) => Part::HalfSpace(half.plane()),
            Shape::Solid(mesh) | Shape::Soup(mesh) => Part::Mesh(Arc::clone(&mesh.hierarchy)),
            Shape::Convex(convex) => Part::Mesh(Arc::new(Hierarchy::new(convex.solid().clone()))),
            Shape::Box(cube) => Part::Mesh(Arc::new(box_mesh(cube.size()))),
            Shape::Triangle(triangle) => Part::Mesh(Arc::new(fan(&triangle.corners()))),
            Shape::Polygon(polygon) => Part::Mesh(Arc::new(fan(polygon.corners()))),
            // The parts of a compound are never compounds.
            Shape::Compound(_) => Part::Round(shape.clone()),
        }
    }
}

#[allow(clippy::expect_used, reason = "the shape's constructor has checked the size")]
fn box_mesh(size: Vec3) -> Hierarchy<Obb> {
    let soup = cuboid(size).expect("a box has positive, finite edges");
    match Solid::from_soup(&soup) {
        Ok(solid) => Hierarchy::new(solid),
        // So flat that corners fall together by rounding: its sides are all there is.
        Err(_) => Hierarchy::new(soup),
    }
}

#[allow(clippy::expect_used, reason = "the shape's constructor has checked the corners")]
fn fan(corners: &[Vec3]) -> Hierarchy<Obb> {
    let triangles = (2..corners.len() as u32).map(|i| [0, i - 1, i]).collect();
    Hierarchy::new(Soup::new(corners.to_vec(), triangles).expect("corners are finite and at least three"))
}

/// The vertices of a body that can touch a plane.
pub(super) fn touching_vertices(body: &Hierarchy<Obb>) -> impl Iterator<Item = u32> + '_ {
    let count = match body.surface() {
        Surface::Solid(solid) => solid.vertex_count(),
        Surface::Soup(soup) => soup.points().len(),
    };
    (0..count as u32).filter(|&v| match body.surface() {
        Surface::Solid(solid) => solid.is_extremal(VertexId(v)),
        Surface::Soup(_) => true,
    })
}
