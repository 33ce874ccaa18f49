//! A plane that stays between two bodies.
//!
//! The points of a mesh or an ellipsoid go straight, each at its own speed. So how far it reaches in a
//! direction is, at any moment of the way, no more than what lies between how far it reaches at both ends:
//! bodies that are apart along a direction at both ends are apart all the way. That costs a look at each
//! vertex and decides most pairs that lie on each other; it says nothing of the others.

use super::Path;
use super::path::BodyPath;
use crate::certify::tuning;
use crate::contacts::{ContactBody, ContactGeometry, PlacedPart};
use crate::shape::Shape;
use silvia_solid::{Pose, Vec3};

/// What placing a point and measuring along a direction may lose, as a fraction of the coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Whether a plane across a direction (from the first body to the second, of any length) certainly keeps two
/// bodies apart all the way, both ends included. `false` says nothing.
///
/// ```
/// use silvia_proximity::{ContactBody, RigidPath, is_plane_between, shape::Shape};
/// use silvia_solid::{Pose, Quat, Vec3};
/// let cube = ContactBody::new(&Shape::cuboid(Vec3::ONE)?);
/// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0 + 1e-9))?;
/// let aside = Pose::new(Vec3::new(0.2, 0.0, 1.0 + 1e-9), Quat::from_rotation_z(0.1))?;
/// let way = RigidPath { from: above, to: aside, about: Vec3::ZERO };
/// assert!(is_plane_between(&cube, &RigidPath::still(Pose::IDENTITY), &cube, &way, Vec3::Z));
/// assert!(!is_plane_between(&cube, &RigidPath::still(Pose::IDENTITY), &cube, &way, Vec3::X));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_plane_between<'a>(
    a: &'a ContactBody,
    path_a: impl Into<Path<'a>>,
    b: &'a ContactBody,
    path_b: impl Into<Path<'a>>,
    direction: Vec3,
) -> bool {
    match (BodyPath::new(a, path_a.into()), BodyPath::new(b, path_b.into())) {
        (Some(a), Some(b)) => is_between(&a, &b, direction),
        _ => false,
    }
}

fn is_between(a: &BodyPath<'_>, b: &BodyPath<'_>, direction: Vec3) -> bool {
    let Some(n) = direction.try_normalize() else { return false };
    let is_between = |(a, pose_a), (b, pose_b)| match (reach(a, pose_a, n), reach(b, pose_b, -n)) {
        (Some(of_a), Some(of_b)) => {
            let slack = ROUNDING * (of_a.magnitude + of_b.magnitude);
            of_a.farthest + of_b.farthest + slack < 0.0
        }
        _ => false,
    };
    is_between((a.start, a.poses[0]), (b.start, b.poses[0]))
        && is_between((a.end, a.poses[1]), (b.end, b.poses[1]))
}

/// How far a body reaches along a unit vector.
struct Reach {
    /// The farthest along the normal, m.
    farthest: f64,
    /// Of the coordinates that it was measured with, m.
    magnitude: f64,
}

/// `None` for bodies with too many vertices, or parts of other kinds than meshes, balls and ellipsoids.
fn reach(parts: &[PlacedPart], pose: &Pose, n: Vec3) -> Option<Reach> {
    let mut reach = Reach { farthest: f64::NEG_INFINITY, magnitude: 0.0 };
    for placed in parts {
        let pose = pose.compose(&placed.pose);
        // In the part's frame.
        let along = pose.rotation().conjugate() * n;
        let (farthest, size) = match &placed.part {
            ContactGeometry::Mesh(mesh) => {
                let points = mesh.surface().soup().points();
                if points.len() > tuning::PLANE_VERTICES {
                    return None;
                }
                let farthest = points.iter().map(|p| p.dot(along)).fold(f64::NEG_INFINITY, f64::max);
                (farthest, mesh.magnitude)
            }
            ContactGeometry::Round(Shape::Sphere(ball)) => (ball.radius(), ball.radius()),
            ContactGeometry::Round(Shape::Ellipsoid(ellipsoid)) => {
                (ellipsoid.support(along).dot(along), ellipsoid.semi_axes().max_element())
            }
            ContactGeometry::Round(
                Shape::Point(_)
                | Shape::Segment(_)
                | Shape::Triangle(_)
                | Shape::Polygon(_)
                | Shape::Box(_)
                | Shape::Cylinder(_)
                | Shape::Cone(_)
                | Shape::Capsule(_)
                | Shape::HalfSpace(_)
                | Shape::Cavity(_)
                | Shape::Convex(_)
                | Shape::Solid(_)
                | Shape::Soup(_)
                | Shape::Compound(_),
            )
            | ContactGeometry::HalfSpace(_)
            | ContactGeometry::Cavity(_) => return None,
        };
        reach.farthest = reach.farthest.max(n.dot(pose.translation()) + farthest);
        reach.magnitude = reach.magnitude.max(pose.translation().abs().max_element() + size);
    }
    // No number is no answer.
    (reach.farthest.is_finite() && reach.magnitude.is_finite()).then_some(reach)
}
