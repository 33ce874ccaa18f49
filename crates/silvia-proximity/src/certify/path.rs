//! What is certified: paths, along which everything goes straight.

use crate::bounds::Obb;
use crate::contacts::{ContactBody, ContactGeometry, PlacedPart};
use crate::hierarchy::Hierarchy;
use silvia_solid::{Pose, Vec3};

/// A body's way over a step: every point of it goes straight from where it is at the start to where it is at
/// the end. A rigid body's comes from two poses, that of one that deforms from its vertices.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Path<'a> {
    /// From pose to pose.
    Rigid(&'a RigidPath),
    /// Vertex by vertex.
    Vertices(VertexPath<'a>),
}

/// The way of a rigid body: everything goes straight from where it is at the one pose to where it is at the
/// other.
///
/// That is each vertex of a mesh, the centre of a ball or a cavity, each end of a capsule's axis, and each
/// point of a can or a cone; what these turn about their own axis does not move them and is left out, so
/// one that rolls stays as it is. A body that turns by an angle φ about a point at distance ρ is thus
/// nowhere farther than ρ φ² / 8 from its rigid way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPath {
    /// Where the body is at the start.
    pub from: Pose,
    /// Where it is at the end.
    pub to: Pose,
    /// The point about which it turns (its centre of mass), in its own frame, m. Only half-spaces need it:
    /// their plane goes through the foot of this point on it, which goes straight, and their normal goes
    /// straight from one direction to the other.
    pub about: Vec3,
}

/// The way of a body that deforms: each vertex goes straight, at its own speed, from where the body has it to
/// where another one has it, both in the common frame. The triangles stretch, bend and turn with their
/// corners.
///
/// The other is a clone of the body, moved by [`ContactBody::move_vertices`]; the path borrows it. So a
/// simulation keeps two bodies, where it is and where it may be next, and swaps them when a step is taken.
///
/// ```
/// use silvia_proximity::{ContactBody, RigidPath, Shape, VertexPath, check_path};
/// use silvia_solid::{Plane, Pose, Soup, Vec3};
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y].map(|p| p + 0.1 * Vec3::Z);
/// let sheet = Soup::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let here = ContactBody::new(&Shape::soup(sheet));
/// let mut there = here.clone();
/// // One corner goes down to the ground and below.
/// let mut sagged = corners;
/// sagged[2].z = -0.1;
/// there.move_vertices(&sagged)?;
/// let ground = ContactBody::new(&Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?);
/// let (sag, rest) = (VertexPath::new(&here, &there)?, RigidPath::still(Pose::IDENTITY));
/// let check = check_path(&here, sag, &ground, &rest);
/// assert!((check.free_until - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VertexPath<'a> {
    end: &'a ContactBody,
}

/// Why two bodies make no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The end is not the start, one mesh, with its vertices moved.
    #[error(
        "the end of the path is another body than its start: clone the start and move the clone's vertices \
         (ContactBody::move_vertices)"
    )]
    OtherBody,
}

impl RigidPath {
    /// No motion.
    pub fn still(pose: Pose) -> RigidPath {
        RigidPath { from: pose, to: pose, about: Vec3::ZERO }
    }
}

impl<'a> VertexPath<'a> {
    /// From where a body has its vertices to where its moved clone has them.
    pub fn new(start: &ContactBody, end: &'a ContactBody) -> Result<VertexPath<'a>, PathError> {
        let path = VertexPath { end };
        if path.is_of(start) { Ok(path) } else { Err(PathError::OtherBody) }
    }

    /// Whether it leads from this body, or any other with the same vertices.
    fn is_of(&self, start: &ContactBody) -> bool {
        let ([start], [end]) = (&*start.parts, &*self.end.parts) else { return false };
        let (a, b) = (mesh_of(start), mesh_of(end));
        // At another place in its body, the same mesh is another one.
        start.pose == end.pose && a.zip(b).is_some_and(|(a, b)| a.tree == b.tree)
    }
}

fn mesh_of(placed: &PlacedPart) -> Option<&Hierarchy<Obb>> {
    match &placed.part {
        ContactGeometry::Mesh(mesh) => Some(mesh),
        ContactGeometry::Round(_) | ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => None,
    }
}

impl<'a> From<&'a RigidPath> for Path<'a> {
    fn from(path: &'a RigidPath) -> Path<'a> {
        Path::Rigid(path)
    }
}

impl<'a> From<VertexPath<'a>> for Path<'a> {
    fn from(path: VertexPath<'a>) -> Path<'a> {
        Path::Vertices(path)
    }
}

/// A body on its path: where its parts are at both ends.
pub(super) struct BodyPath<'a> {
    pub(super) start: &'a [PlacedPart],
    /// The same parts, or their refits.
    pub(super) end: &'a [PlacedPart],
    pub(super) poses: [&'a Pose; 2],
    /// See [`RigidPath::about`].
    pub(super) about: Vec3,
}

impl<'a> BodyPath<'a> {
    /// `None` if the path is that of another body.
    pub(super) fn new(body: &'a ContactBody, path: Path<'a>) -> Option<BodyPath<'a>> {
        let start = &*body.parts;
        Some(match path {
            Path::Rigid(RigidPath { from, to, about }) => {
                BodyPath { start, end: start, poses: [from, to], about: *about }
            }
            Path::Vertices(path) if path.is_of(body) => {
                BodyPath { start, end: &path.end.parts, poses: [&Pose::IDENTITY; 2], about: Vec3::ZERO }
            }
            Path::Vertices(_) => return None,
        })
    }

    pub(super) fn is_rigid(&self) -> bool {
        std::ptr::eq(self.start, self.end)
    }
}

/// A mesh at both ends of its way.
#[derive(Clone, Copy)]
pub(super) struct MeshEnds<'a> {
    pub(super) start: &'a Hierarchy<Obb>,
    /// The same, or its refit.
    pub(super) end: &'a Hierarchy<Obb>,
}

impl<'a> MeshEnds<'a> {
    pub(super) fn is_rigid(&self) -> bool {
        std::ptr::eq(self.start, self.end)
    }

    /// The corners of a triangle, given by its position among those of the leaves, in the frames of both
    /// ends.
    pub(super) fn corners(&self, triangle: usize) -> [&'a [Vec3; 3]; 2] {
        [&self.start.triangles[triangle].corners, &self.end.triangles[triangle].corners]
    }
}
