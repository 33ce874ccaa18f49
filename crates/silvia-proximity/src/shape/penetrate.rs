//! How deep two shapes of any kind are in each other: the shortest translation that takes them apart (paper 5
//! §3.5).

use super::core::{Class, Core, Rounded};
use super::near::{collide, distance, touches};
use super::order::is_swapped;
use super::sweep::Sweep;
use super::{Shape, cavity_depth, depth, half_space, shortest};
use crate::hierarchy::Surface;
use crate::penetration::{PenetrationOptions, penetration as of_meshes};
use silvia_solid::{Pose, Vec3};

/// Whether and how deep two shapes are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    /// They share no point.
    Apart,
    /// They share a point.
    Deep(ShapePenetration),
    /// They share points, and no translation was found that separates them. Only with half-spaces, and with
    /// cavities that are too small for the other.
    Inseparable,
}

impl Overlap {
    /// How to separate them; `None` if they are apart or inseparable.
    pub fn penetration(&self) -> Option<ShapePenetration> {
        match self {
            Overlap::Deep(found) => Some(*found),
            Overlap::Apart | Overlap::Inseparable => None,
        }
    }
}

/// How to separate two shapes that share a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapePenetration {
    /// No translation shorter than this separates them, m. For flat-faced convex shapes, spheres, capsules,
    /// half-spaces and cavities it equals the depth, to rounding. With a cylinder or a cone it is what a
    /// bounded search reached, which may be 0 for a very thin shape; the depth is accurate all the same.
    /// For shapes that are not convex it may be far below the depth, or 0.
    pub lower: f64,
    /// How far B must move, m, rounded up so that the shapes then share no point.
    pub depth: f64,
    /// Unit vector from A to B along which B moves.
    pub direction: Vec3,
    /// The points of A and B that are nearest to each other once B has moved, where they are now. So
    /// `points[0] - points[1]` is the translation, to rounding.
    pub points: [Vec3; 2],
    /// Whether [`collide`] finds nothing once B has moved. `false` only if no representable translation
    /// separates them.
    pub certified: bool,
}

impl ShapePenetration {
    /// The translation to add to the pose of B.
    pub fn translation(&self) -> Vec3 {
        self.depth * self.direction
    }
}

/// The shortest translation found that takes B out of A. The same in either order, to the last bit, with
/// direction and points exchanged.
///
/// For two convex shapes, and for a half-space or a cavity with anything, it is the shortest there is, as
/// precisely as [`ShapePenetration::lower`] tells. For others it is an upper bound. The translation is
/// always checked.
///
/// ```
/// use silvia_proximity::{Shape, penetration};
/// use silvia_solid::{Pose, Vec3};
/// let (can, ball) = (Shape::cylinder(0.5, 2.0)?, Shape::sphere(0.25)?);
/// let inside = Pose::from_translation(Vec3::new(0.3, 0.0, 0.1))?;
/// let found = penetration(&can, &Pose::IDENTITY, &ball, &inside).penetration().ok_or("it is inside")?;
/// assert!((found.depth - 0.45).abs() < 1e-12 && found.direction.distance(Vec3::X) < 1e-12);
/// assert!(found.certified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Overlap {
    if !is_swapped(a, pose_a, b, pose_b) {
        return ordered(a, pose_a, b, pose_b);
    }
    match ordered(b, pose_b, a, pose_a) {
        Overlap::Deep(mut found) => {
            found.direction = -found.direction;
            found.points.reverse();
            Overlap::Deep(found)
        }
        other => other,
    }
}

fn ordered(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Overlap {
    let b_in_a = pose_a.inverse().compose(pose_b);
    if !touches(a, b, &b_in_a) {
        return Overlap::Apart;
    }
    match way_out(a, b, &b_in_a) {
        Some(way) => Overlap::Deep(certified(a, pose_a, b, pose_b, &way)),
        None => Overlap::Inseparable,
    }
}

/// A translation of the second shape, in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// No shorter one takes them apart, m.
    pub(super) lower: f64,
    /// The length of the translation, m.
    pub(super) depth: f64,
    /// Unit length.
    pub(super) direction: Vec3,
}

/// The way out for shapes that touch: by the one match over all pairs.
fn way_out(a: &Shape, b: &Shape, b_in_a: &Pose) -> Option<Way> {
    let found = match (convex_class(a), convex_class(b)) {
        (Class::Rounded(p), Class::Rounded(q)) => match depth::depth(&p, &q, b_in_a) {
            Some(found) => Way { lower: found.lower, depth: found.depth, direction: found.direction },
            // Of solids that touch by their exact triangles, and not by their rounded support points.
            None => return shortest::way_out(a, b, b_in_a),
        },
        (Class::HalfSpace(a), Class::HalfSpace(b)) => {
            let (p, q) = (a.plane, half_space::placed(b, b_in_a));
            let depth = -half_space::opposite_gap(&p, &q)?;
            Way { lower: depth, depth, direction: p.normal }
        }
        // Nothing unbounded is inside a ball.
        (Class::Cavity(_), Class::HalfSpace(_) | Class::Cavity(_)) => return None,
        (Class::HalfSpace(_), Class::Cavity(_)) => return None,
        (Class::Cavity(c), _) if b.reach().is_finite() => cavity_depth::way_in(c, b, b_in_a)?,
        (_, Class::Cavity(c)) if a.reach().is_finite() => {
            let way = cavity_depth::way_in(c, a, &b_in_a.inverse())?;
            Way { direction: -b_in_a.transform_vector(way.direction), ..way }
        }
        // A compound with an unbounded part.
        (Class::Cavity(_), _) | (_, Class::Cavity(_)) => return None,
        (Class::HalfSpace(h), _) => {
            // A bounded shape must go up; so must a compound, unless it has a half-space itself.
            match b.support(b_in_a.rotation().conjugate() * -h.plane.normal) {
                Some(p) => {
                    let depth = (-h.plane.distance(b_in_a.transform_point(p))).max(0.0);
                    Way { lower: depth, depth, direction: h.plane.normal }
                }
                None => return shortest::way_out(a, b, b_in_a),
            }
        }
        (_, Class::HalfSpace(_)) => {
            let a_in_b = b_in_a.inverse();
            let way = way_out(b, a, &a_in_b)?;
            Way { direction: -b_in_a.transform_vector(way.direction), ..way }
        }
        (Class::Mesh(p), Class::Mesh(q)) => {
            let (here, options) = (Pose::IDENTITY, PenetrationOptions::default());
            let found = of_meshes(&*p.hierarchy, &here, &q.hierarchy, b_in_a, &options).ok().flatten();
            match found {
                Some(found) => Way { lower: found.lower, depth: found.depth, direction: found.direction },
                None => return shortest::way_out(a, b, b_in_a),
            }
        }
        (Class::Mesh(_), Class::Rounded(_))
        | (Class::Rounded(_), Class::Mesh(_))
        | (Class::Compound(_), _)
        | (_, Class::Compound(_)) => return shortest::way_out(a, b, b_in_a),
    };
    Some(found)
}

/// How the queries see a shape, but a solid that is convex as the hull of its vertices: of that the shortest
/// way is known.
fn convex_class(shape: &Shape) -> Class<'_> {
    match shape.class() {
        Class::Mesh(mesh) => match mesh.hierarchy.surface() {
            Surface::Solid(solid) if solid.is_convex() => {
                Class::Rounded(Rounded { core: Core::Points(solid.soup().points()), margin: 0.0 })
            }
            Surface::Solid(_) | Surface::Soup(_) => Class::Mesh(mesh),
        },
        class @ (Class::Rounded(_) | Class::HalfSpace(_) | Class::Cavity(_) | Class::Compound(_)) => class,
    }
}

/// The answer for a way out, lengthened by rounding until the shapes share no point at its end.
fn certified(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, way: &Way) -> ShapePenetration {
    // Each try is twice as far beyond the last: this many go from rounding to many times the size of the
    // shapes.
    const TRIES: usize = 64;
    let direction = pose_a.transform_vector(way.direction).normalize();
    let moved = |pose: &Pose, by: Vec3| Pose::new(pose.translation() + by, pose.rotation()).unwrap_or(*pose);
    let far = pose_a.translation().length() + pose_b.translation().length();
    let mut push = Sweep::new(a, b, &pose_a.inverse().compose(pose_b)).margin + 4.0 * f64::EPSILON * far;
    let mut depth = way.depth;
    // Whichever of the two the user moves.
    let is_free = |depth: f64| {
        let by = depth * direction;
        !collide(a, pose_a, b, &moved(pose_b, by)) && !collide(a, &moved(pose_a, -by), b, pose_b)
    };
    let mut certified = is_free(depth);
    for _ in 0..TRIES {
        if certified {
            break;
        }
        depth += push;
        push *= 2.0;
        certified = is_free(depth);
    }
    let [p, q] = distance(a, pose_a, b, &moved(pose_b, depth * direction)).points;
    let points = [p, q - depth * direction];
    ShapePenetration { lower: way.lower.min(depth), depth, direction, points, certified }
}
