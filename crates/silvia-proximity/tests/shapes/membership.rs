//! What is inside a shape, by its definition alone.

use silvia_proximity::Shape;
use silvia_solid::{Solid, Vec3, winding_number};

/// Whether a point is in a filled shape, both in its frame; `None` of shapes that have no inside, and of
/// compounds.
pub(crate) fn is_inside(shape: &Shape, p: Vec3) -> Option<bool> {
    let aside = p.x.hypot(p.y);
    let in_solid = |solid: &Solid| {
        let soup = solid.soup();
        winding_number(soup.points(), soup.triangles(), p) > 0.5
    };
    match shape {
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => None,
        Shape::Sphere(s) => Some(p.length() <= s.radius()),
        Shape::Box(s) => Some((0..3).all(|k| 2.0 * p[k].abs() <= s.size()[k])),
        Shape::Cylinder(s) => Some(aside <= s.radius() && 2.0 * p.z.abs() <= s.height()),
        Shape::Cone(s) => {
            let from_tip = 0.5 * s.height() - p.z;
            Some(aside <= s.radius() * from_tip / s.height() && 0.0 <= from_tip && from_tip <= s.height())
        }
        Shape::Capsule(s) => {
            let beyond = (p.z.abs() - 0.5 * s.height()).max(0.0);
            Some(aside.hypot(beyond) <= s.radius())
        }
        Shape::Ellipsoid(s) => Some((p / s.semi_axes()).length() <= 1.0),
        Shape::HalfSpace(s) => Some(s.plane().normal.dot(p) <= s.plane().offset),
        Shape::Cavity(s) => Some(p.length() >= s.radius()),
        Shape::Convex(s) => Some(in_solid(s.solid())),
        Shape::Solid(s) => {
            let silvia_proximity::Surface::Solid(solid) = s.hierarchy().surface() else { return None };
            Some(in_solid(solid))
        }
    }
}
