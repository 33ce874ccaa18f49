//! Which of two shapes comes first: so that a pair has one answer whichever way it is asked.

use super::{Mesh, Shape};
use silvia_solid::{Pose, Vec3};
use std::cmp::Ordering;
use std::sync::Arc;

/// Whether the second shape comes first. Kinds decide, then poses, then what the shapes are.
pub(super) fn is_swapped(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let by_kind = a.kind().cmp(&b.kind());
    by_kind.then_with(|| poses(pose_a, pose_b)).then_with(|| shapes(a, b)) == Ordering::Greater
}

fn poses(a: &Pose, b: &Pose) -> Ordering {
    let (p, q) = (a.rotation().to_array(), b.rotation().to_array());
    vectors(a.translation(), b.translation()).then_with(|| numbers(&p, &q))
}

fn numbers(a: &[f64], b: &[f64]) -> Ordering {
    let first = a.iter().zip(b).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
    first.unwrap_or_else(|| a.len().cmp(&b.len()))
}

fn vectors(a: Vec3, b: Vec3) -> Ordering {
    numbers(&a.to_array(), &b.to_array())
}

fn points(a: &[Vec3], b: &[Vec3]) -> Ordering {
    let first = a.iter().zip(b).map(|(p, q)| vectors(*p, *q)).find(|o| o.is_ne());
    first.unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// Of one kind.
fn shapes(a: &Shape, b: &Shape) -> Ordering {
    match (a, b) {
        (Shape::Point(a), Shape::Point(b)) => vectors(a.at, b.at),
        (Shape::Segment(a), Shape::Segment(b)) => points(&a.ends, &b.ends),
        (Shape::Triangle(a), Shape::Triangle(b)) => points(&a.corners, &b.corners),
        (Shape::Polygon(a), Shape::Polygon(b)) => points(&a.corners, &b.corners),
        (Shape::Sphere(a), Shape::Sphere(b)) => a.radius.total_cmp(&b.radius),
        (Shape::Box(a), Shape::Box(b)) => vectors(a.half, b.half),
        (Shape::Cylinder(a), Shape::Cylinder(b)) => numbers(&[a.radius, a.half], &[b.radius, b.half]),
        (Shape::Cone(a), Shape::Cone(b)) => numbers(&[a.radius, a.half], &[b.radius, b.half]),
        (Shape::Capsule(a), Shape::Capsule(b)) => numbers(&[a.radius, a.half], &[b.radius, b.half]),
        (Shape::Ellipsoid(a), Shape::Ellipsoid(b)) => vectors(a.semi_axes, b.semi_axes),
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            vectors(a.plane.normal, b.plane.normal).then(a.plane.offset.total_cmp(&b.plane.offset))
        }
        (Shape::Cavity(a), Shape::Cavity(b)) => a.radius.total_cmp(&b.radius),
        (Shape::Convex(a), Shape::Convex(b)) => points(a.points(), b.points()),
        (Shape::Solid(a), Shape::Solid(b)) | (Shape::Soup(a), Shape::Soup(b)) => meshes(a, b),
        (Shape::Compound(a), Shape::Compound(b)) => {
            let both = a.parts().iter().zip(b.parts());
            let first = both
                .map(|(p, q)| {
                    let by_kind = p.shape.kind().cmp(&q.shape.kind());
                    by_kind.then_with(|| poses(&p.pose, &q.pose)).then_with(|| shapes(&p.shape, &q.shape))
                })
                .find(|o| o.is_ne());
            first.unwrap_or_else(|| a.parts().len().cmp(&b.parts().len()))
        }
        (
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
            | Shape::Soup(_)
            | Shape::Compound(_),
            _,
        ) => a.kind().cmp(&b.kind()),
    }
}

fn meshes(a: &Mesh, b: &Mesh) -> Ordering {
    if Arc::ptr_eq(&a.hierarchy, &b.hierarchy) {
        return Ordering::Equal;
    }
    let (a, b) = (a.hierarchy.surface().soup(), b.hierarchy.surface().soup());
    points(a.points(), b.points()).then_with(|| a.triangles().cmp(b.triangles()))
}
