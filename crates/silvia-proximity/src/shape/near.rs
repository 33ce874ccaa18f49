//! The distance of two shapes of any kind: one match over all pairs.

use super::compound::Compound;
use super::core::Class;
use super::order::is_swapped;
use super::{Shape, cavity, half_space, mesh, rounded};
use crate::feature::Feature;
use silvia_solid::{Pose, Vec3};

/// The distance of two shapes and where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDistance {
    /// The distance is at least this, m. Where it is below `upper`, it is so by less than 1e-12 of the size
    /// of the coordinates (see the guide).
    pub lower: f64,
    /// The distance is at most this, m: it is the distance of the points. 0 if the shapes share a point.
    pub upper: f64,
    /// The nearest points of the first and the second shape, in the frame of the poses. If the shapes share
    /// points, one of these, twice.
    pub points: [Vec3; 2],
    /// The features that the points lie on; `None` if the shapes share a point that need not be on their
    /// surfaces.
    ///
    /// Features are numbered as follows. Segment, triangle, polygon: vertices in order, edge k from vertex k
    /// to the next, face 0. Box: vertices by bits (bit k is set where coordinate k is positive), edges `4 k`
    /// to `4 k + 3` along axis k, faces `2 k` and `2 k + 1` at the negative and positive end of axis k.
    /// Cylinder: patch 0 is its side, edges and faces 0 and 1 are at its lower and upper end. Cone: patch 0
    /// is its side, edge 0 and face 0 its base, vertex 0 its tip. Sphere: patch 0. Capsule: patch 0 is its
    /// side, 1 and 2 its lower and upper end. Ellipsoid: patch 0. Half-space: face 0. Cavity: patch 0.
    /// Solids and soups: see [`Feature`].
    pub features: [Option<Feature>; 2],
    /// Numbers of the parts of compounds that the points lie on; 0 for other shapes.
    pub parts: [u32; 2],
}

/// The distance of two shapes. The same in either order, to the last bit.
///
/// ```
/// use silvia_proximity::{Shape, distance};
/// use silvia_solid::{Pose, Vec3};
/// let (can, ball) = (Shape::cylinder(0.5, 2.0)?, Shape::sphere(0.25)?);
/// let aside = Pose::from_translation(Vec3::new(2.0, 0.0, 0.3))?;
/// let answer = distance(&can, &Pose::IDENTITY, &ball, &aside);
/// assert!((answer.upper - 1.25).abs() < 1e-14 && (answer.points[0].x - 0.5).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> ShapeDistance {
    if is_swapped(a, pose_a, b, pose_b) {
        let mut answer = ordered(b, pose_b, a, pose_a);
        answer.points.reverse();
        answer.features.reverse();
        answer.parts.reverse();
        return answer;
    }
    ordered(a, pose_a, b, pose_b)
}

/// Whether two shapes share a point; touching counts.
///
/// Exact for two solids or soups, once the second is placed in the frame of the first. Other shapes count as
/// touching if they are nearer than the rounding of their coordinates.
///
/// ```
/// use silvia_proximity::{Shape, collide};
/// use silvia_solid::{Pose, Vec3};
/// let (cube, ball) = (Shape::cuboid(Vec3::ONE)?, Shape::sphere(0.5)?);
/// let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
/// assert!(collide(&cube, &Pose::IDENTITY, &ball, &at(0.9)?));
/// assert!(!collide(&cube, &Pose::IDENTITY, &ball, &at(1.1)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let (a, pose_a, b, pose_b) =
        if is_swapped(a, pose_a, b, pose_b) { (b, pose_b, a, pose_a) } else { (a, pose_a, b, pose_b) };
    touches(a, b, &pose_a.inverse().compose(pose_b))
}

fn ordered(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> ShapeDistance {
    let near = nearest(a, b, &pose_a.inverse().compose(pose_b), f64::INFINITY);
    ShapeDistance {
        lower: near.lower,
        upper: near.upper,
        points: near.points.map(|p| pose_a.transform_point(p)),
        features: near.features,
        parts: near.parts,
    }
}

/// Whether two shapes share a point, the second at a pose in the frame of the first.
pub(super) fn touches(a: &Shape, b: &Shape, b_in_a: &Pose) -> bool {
    nearest(a, b, b_in_a, 0.0).upper == 0.0
}

/// A pair of near points, in the frame of the first shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestPoints {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) points: [Vec3; 2],
    pub(super) features: [Option<Feature>; 2],
    pub(super) parts: [u32; 2],
}

impl NearestPoints {
    /// Nothing is known but that the distance is not less than a bound.
    pub(super) fn beyond(lower: f64) -> NearestPoints {
        NearestPoints {
            lower,
            upper: f64::INFINITY,
            points: [Vec3::ZERO; 2],
            features: [None; 2],
            parts: [0; 2],
        }
    }

    /// The shapes share a point.
    pub(super) fn shared(p: Vec3) -> NearestPoints {
        NearestPoints { lower: 0.0, upper: 0.0, points: [p; 2], features: [None; 2], parts: [0; 2] }
    }

    /// With the shapes in the other order; `pose` is the frame in which the points are, seen from the other
    /// shape.
    #[must_use]
    pub(super) fn swapped(self, pose: &Pose) -> NearestPoints {
        let [p, q] = self.points.map(|p| pose.transform_point(p));
        let ([f, g], [i, j]) = (self.features, self.parts);
        NearestPoints { points: [q, p], features: [g, f], parts: [j, i], ..self }
    }
}

/// The nearest points of two shapes, the second at a pose in the frame of the first. If they are farther
/// apart than `limit` (m) it may say just that; with a limit of 0 it only tells whether they touch.
pub(super) fn nearest(a: &Shape, b: &Shape, b_in_a: &Pose, limit: f64) -> NearestPoints {
    let a_in_b = || b_in_a.inverse();
    match (a.class(), b.class()) {
        (Class::Rounded(a), Class::Rounded(b)) => rounded::nearest(&a, &b, b_in_a, limit),
        (Class::Rounded(a), Class::HalfSpace(b)) => {
            half_space::nearest(b, |d| a.featured_support(d), &a_in_b()).swapped(b_in_a)
        }
        (Class::HalfSpace(a), Class::Rounded(b)) => half_space::nearest(a, |d| b.featured_support(d), b_in_a),
        (Class::HalfSpace(a), Class::HalfSpace(b)) => half_space::nearest_two(a, b, b_in_a),
        (Class::HalfSpace(a), Class::Mesh(b)) => half_space::nearest(a, |d| b.featured_support(d), b_in_a),
        (Class::Mesh(a), Class::HalfSpace(b)) => {
            half_space::nearest(b, |d| a.featured_support(d), &a_in_b()).swapped(b_in_a)
        }
        (Class::Cavity(a), Class::Rounded(_) | Class::Mesh(_) | Class::HalfSpace(_) | Class::Cavity(_)) => {
            cavity::nearest(a, b, b_in_a)
        }
        (Class::Rounded(_) | Class::Mesh(_) | Class::HalfSpace(_), Class::Cavity(of_b)) => {
            cavity::nearest(of_b, a, &a_in_b()).swapped(b_in_a)
        }
        (Class::Mesh(a), Class::Rounded(b)) => mesh::nearest(a, &b, b_in_a, limit),
        (Class::Rounded(a), Class::Mesh(b)) => mesh::nearest(b, &a, &a_in_b(), limit).swapped(b_in_a),
        (Class::Mesh(a), Class::Mesh(b)) => mesh::nearest_two(a, b, b_in_a, limit),
        (Class::Compound(a), _) => nearest_part(a, b, b_in_a, limit),
        (_, Class::Compound(b)) => nearest_part(b, a, &a_in_b(), limit).swapped(b_in_a),
    }
}

/// The nearest part of a compound. Parts are sought by their boxes.
fn nearest_part(compound: &Compound, other: &Shape, pose: &Pose, limit: f64) -> NearestPoints {
    let mut best = NearestPoints::beyond(f64::INFINITY);
    let mut lower = f64::INFINITY;
    compound.visit_near(&other.aabb(pose), limit, |number| {
        let part = &compound.parts()[number];
        let seen = part.pose.inverse().compose(pose);
        let near = nearest(&part.shape, other, &seen, limit.min(best.upper));
        lower = lower.min(near.lower);
        if near.upper < best.upper {
            let points = near.points.map(|p| part.pose.transform_point(p));
            best = NearestPoints { points, parts: [number as u32, near.parts[1]], ..near };
        }
        // Nothing is nearer than touching.
        if best.upper == 0.0 { f64::NEG_INFINITY } else { limit.min(best.upper) }
    });
    // Parts not visited are farther away than the limit or the best.
    NearestPoints { lower: lower.min(limit).min(best.upper), ..best }
}
