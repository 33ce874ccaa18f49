//! A shape made ready for contacts.

use crate::bounds::Obb;
use crate::hierarchy::{Hierarchy, RefitError, Surface, least_height};
use crate::shape::{Cavity, Shape};
use silvia_solid::primitives::cuboid;
use silvia_solid::{Aabb, Plane, Pose, Solid, Soup, Vec3};
use std::sync::Arc;

/// A shape prepared for contact queries. Make it once, query it often; clones share the data.
#[derive(Clone, Debug)]
pub struct ContactBody {
    pub(crate) parts: Arc<[PlacedPart]>,
}

/// A part at its place in the body.
#[derive(Clone, Debug)]
pub(crate) struct PlacedPart {
    pub(crate) pose: Pose,
    pub(crate) part: ContactGeometry,
    /// Kept for its box and its support function.
    shape: Shape,
}

/// What contacts are made of.
#[derive(Clone, Debug)]
pub(crate) enum ContactGeometry {
    /// Flat faces, edges and vertices.
    Mesh(Arc<Hierarchy<Obb>>),
    /// Smooth and convex.
    Round(Shape),
    /// What is behind a plane.
    HalfSpace(Plane),
    /// What is outside a ball.
    Cavity(Cavity),
}

impl ContactBody {
    /// Prepares a shape.
    pub fn new(shape: &Shape) -> ContactBody {
        let place = |pose: Pose, shape: &Shape| PlacedPart {
            pose,
            part: ContactGeometry::of(shape),
            shape: shape.clone(),
        };
        let parts = match shape.as_compound() {
            Some(compound) => compound.parts().iter().map(|p| place(p.pose, &p.shape)).collect(),
            None => Arc::from([place(Pose::IDENTITY, shape)]),
        };
        ContactBody { parts }
    }

    /// Moves the vertices of a body that is one mesh, in its own frame: as many points, in the same order.
    /// Clones keep theirs. On an error nothing has changed.
    ///
    /// Boxes become meshes by this. What a solid keeps, and what is refused, says [`Hierarchy::refit`].
    pub fn move_vertices(&mut self, points: &[Vec3]) -> Result<(), RefitError> {
        let not_one = |what| Err(RefitError::NotOneMesh { what });
        let [placed] = &*self.parts else { return not_one("a compound") };
        let mesh = match &placed.part {
            ContactGeometry::Mesh(mesh) if placed.pose == Pose::IDENTITY => mesh,
            ContactGeometry::Mesh(_) => return not_one("a compound"),
            ContactGeometry::Round(_) => return not_one("round"),
            ContactGeometry::HalfSpace(_) => return not_one("a half-space"),
            ContactGeometry::Cavity(_) => return not_one("a cavity"),
        };
        let surface = mesh.surface().with_points(points)?;
        let mut mesh = Arc::clone(mesh);
        // Lets go of the mesh, so that it is moved in place unless a clone has it too.
        self.parts = Arc::from([]);
        Arc::make_mut(&mut mesh).follow(surface);
        let shape = Shape::from(Arc::clone(&mesh));
        self.parts =
            Arc::from([PlacedPart { pose: Pose::IDENTITY, part: ContactGeometry::Mesh(mesh), shape }]);
        Ok(())
    }

    /// Where each part is, with the box around it, grown by the reach and what rounding may add to it.
    pub(crate) fn boxes(&self, pose: Pose, reach: f64) -> impl Iterator<Item = (Pose, Aabb)> {
        self.parts.iter().map(move |part| part.place(&pose, reach))
    }

    /// How far its faces are from flat, at most, m. Contacts see faces as planes; the certificate sees their
    /// triangles.
    pub fn flatness(&self) -> f64 {
        let of_part = |placed: &PlacedPart| match &placed.part {
            ContactGeometry::Mesh(mesh) => match mesh.surface() {
                Surface::Solid(solid) => solid.flatness(),
                Surface::Soup(_) => 0.0,
            },
            ContactGeometry::Round(_) | ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => 0.0,
        };
        self.parts.iter().map(of_part).fold(0.0, f64::max)
    }

    /// The number of its triangles; 0 for round parts, half-spaces and cavities.
    pub fn triangle_count(&self) -> usize {
        let of_part = |placed: &PlacedPart| match &placed.part {
            ContactGeometry::Mesh(mesh) => mesh.surface().soup().triangles().len(),
            ContactGeometry::Round(_) | ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => 0,
        };
        self.parts.iter().map(of_part).sum()
    }

    /// Makes now what searches and certificates would make when they first ask for it.
    pub fn prepare(&self) {
        for placed in &*self.parts {
            if let ContactGeometry::Mesh(mesh) = &placed.part {
                mesh.girth();
                mesh.hull_corners();
                // Before the patches, which share them.
                mesh.owners();
                mesh.touching();
                mesh.patches();
            }
        }
    }

    /// In whatever direction the body is seen, it looks at least this wide across, m.
    pub(crate) fn girth(&self) -> f64 {
        self.parts.iter().map(|placed| placed.part.girth()).fold(0.0, f64::max)
    }
}

impl PlacedPart {
    /// Where the part of a body at a pose is, with the box around it, as in [`ContactBody::boxes`].
    pub(crate) fn place(&self, pose: &Pose, reach: f64) -> (Pose, Aabb) {
        let pose = pose.compose(&self.pose);
        let Aabb { min, max } = self.shape.aabb(&pose);
        let rounding = 16.0 * f64::EPSILON * min.abs().max(max.abs());
        let rounding = Vec3::select(rounding.cmplt(Vec3::INFINITY), rounding, Vec3::ZERO);
        let more = Vec3::splat(reach) + rounding;
        (pose, Aabb { min: min - more, max: max + more })
    }
}

impl ContactGeometry {
    fn girth(&self) -> f64 {
        match self {
            ContactGeometry::Mesh(mesh) => mesh.girth(),
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => f64::INFINITY,
            ContactGeometry::Round(shape) => round_girth(shape),
        }
    }

    fn of(shape: &Shape) -> ContactGeometry {
        match shape {
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_) => ContactGeometry::Round(shape.clone()),
            Shape::HalfSpace(half) => ContactGeometry::HalfSpace(half.plane()),
            Shape::Cavity(cavity) => ContactGeometry::Cavity(*cavity),
            Shape::Solid(mesh) | Shape::Soup(mesh) => ContactGeometry::Mesh(Arc::clone(&mesh.hierarchy)),
            Shape::Convex(convex) => ContactGeometry::Mesh(Arc::new(Hierarchy::new(convex.solid().clone()))),
            Shape::Box(cube) => ContactGeometry::Mesh(Arc::new(box_mesh(cube.size()))),
            Shape::Triangle(triangle) => ContactGeometry::Mesh(Arc::new(fan(&triangle.corners()))),
            Shape::Polygon(polygon) => ContactGeometry::Mesh(Arc::new(fan(polygon.corners()))),
            // The parts of a compound are never compounds.
            Shape::Compound(_) => ContactGeometry::Round(shape.clone()),
        }
    }
}

/// The same of a round shape.
fn round_girth(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(ball) => 2.0 * ball.radius(),
        Shape::Capsule(capsule) => 2.0 * capsule.radius(),
        // Seen along its axis or along its ends; never less.
        Shape::Cylinder(can) => 2.0 * can.radius(),
        // Seen along its longest axis it is as wide as along its middle one; never less.
        Shape::Ellipsoid(ellipsoid) => {
            let axes = ellipsoid.semi_axes();
            2.0 * (axes.element_sum() - axes.max_element() - axes.min_element())
        }
        Shape::Cone(cone) => {
            let (r, h) = (cone.radius(), cone.height());
            let outline = [Vec3::new(r, 0.0, 0.0), Vec3::new(-r, 0.0, 0.0), Vec3::new(0.0, 0.0, h)];
            least_height(outline.into_iter())
        }
        Shape::Point(_) | Shape::Segment(_) => 0.0,
        // Not round.
        Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Box(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => 0.0,
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
