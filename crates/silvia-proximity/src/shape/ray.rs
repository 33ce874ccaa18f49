//! Where a ray first meets a shape.
//!
//! Along a line, a convex shape is an interval: the one in which the line is inside all its bounding
//! surfaces. Each kind gives its intervals in closed form, and the ray meets the shape at the start of what
//! they have in common, or at its end if it starts inside. Rims and edges need no care: an interval has no
//! gaps.

use super::ellipsoid::normal_at;
use super::{Capsule, Cavity, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, Shape};
use crate::convex::Convex;
use crate::feature::Feature;
use crate::ray::{LocalRay, Ray, RayError, meet};
use crate::triangle::TriangleFeature;
use silvia_solid::{Pose, TriangleId, Vec3};

/// Where a ray first meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeRayHit {
    /// Where on the ray, as a multiple of its direction.
    pub parameter: f64,
    /// Where it is met, m.
    pub point: Vec3,
    /// The unit normal there, out of the shape. For triangles, polygons and soups, which have no inside, it
    /// is that of the order of their corners.
    pub normal: Vec3,
    /// The feature met, numbered as in [`ShapeDistance`](super::ShapeDistance). A ray through the border of
    /// two faces or patches meets one of these.
    pub feature: Feature,
    /// Of a solid or a soup, the triangle met.
    pub triangle: Option<TriangleId>,
    /// Number of the part of a compound; 0 for other shapes.
    pub part: u32,
}

/// Where a ray first meets the surface of a shape, from outside or from inside; `None` if it does not.
///
/// A ray that starts inside a filled shape meets it where it leaves it. A compound is met at the surface of
/// one of its parts, even if that is inside another part; of parts met at the same place, the first counts.
/// What has no area is never met: points, segments, triangles whose corners lie on a line, and any triangle
/// or polygon seen exactly edge-on.
///
/// ```
/// use silvia_proximity::{Ray, Shape, cast_ray};
/// use silvia_solid::{Pose, Vec3};
/// let can = Shape::cylinder(0.5, 2.0)?;
/// let ray = Ray { origin: Vec3::new(-3.0, 0.0, 0.2), direction: Vec3::X, reach: f64::INFINITY };
/// let hit = cast_ray(&can, &Pose::IDENTITY, &ray)?.ok_or("it meets the side")?;
/// assert!((hit.parameter - 2.5).abs() < 1e-15 && hit.normal == -Vec3::X);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray(shape: &Shape, pose: &Pose, ray: &Ray) -> Result<Option<ShapeRayHit>, RayError> {
    let local = LocalRay::new(ray, pose)?;
    let Some((part, met)) = first(shape, &local) else { return Ok(None) };
    let parameter = met.at / local.scale;
    Ok(Some(ShapeRayHit {
        parameter,
        point: ray.origin + parameter * ray.direction,
        normal: pose.transform_vector(met.normal),
        feature: met.feature,
        triangle: met.triangle,
        part,
    }))
}

/// Where a ray meets a shape, in the frame of the shape.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// In multiples of the local ray's direction.
    at: f64,
    normal: Vec3,
    feature: Feature,
    triangle: Option<TriangleId>,
}

fn first(shape: &Shape, ray: &LocalRay) -> Option<(u32, Met)> {
    let met = match shape {
        Shape::Point(_) | Shape::Segment(_) => None,
        Shape::Triangle(triangle) => {
            let [a, b, c] = triangle.corners;
            meet_polygon(&triangle.corners, (b - a).cross(c - a).normalize_or_zero(), ray)
        }
        Shape::Polygon(polygon) => meet_polygon(&polygon.corners, polygon.normal, ray),
        Shape::Sphere(sphere) => {
            let span = in_ball(Vec3::ZERO, sphere.radius, ray);
            surface(span, ray, |p, _| (p.normalize_or_zero(), Feature::Patch(0)))
        }
        Shape::Box(cuboid) => meet_box(cuboid, ray),
        Shape::Cylinder(cylinder) => meet_cylinder(cylinder, ray),
        Shape::Cone(cone) => meet_cone(cone, ray),
        Shape::Capsule(capsule) => meet_capsule(capsule, ray),
        Shape::Ellipsoid(ellipsoid) => meet_ellipsoid(ellipsoid, ray),
        Shape::HalfSpace(half_space) => meet_half_space(half_space, ray),
        Shape::Cavity(cavity) => meet_cavity(cavity, ray),
        Shape::Convex(convex) => meet_convex(convex, ray),
        Shape::Solid(mesh) | Shape::Soup(mesh) => meet_mesh(mesh, ray),
        Shape::Compound(compound) => return first_part(compound, ray),
    };
    met.map(|met| (0, met))
}

/// The part of a compound that is met first.
fn first_part(compound: &Compound, ray: &LocalRay) -> Option<(u32, Met)> {
    let mut best: Option<(u32, Met)> = None;
    compound.visit_along(ray, |number| {
        let part = &compound.parts()[number];
        let number = number as u32;
        if let Some((_, met)) = first(&part.shape, &ray.seen_from(&part.pose))
            && best.is_none_or(|(n, b)| met.at < b.at || met.at == b.at && number < n)
        {
            best = Some((number, Met { normal: part.pose.transform_vector(met.normal), ..met }));
        }
        best.map_or(ray.reach, |(_, met)| met.at)
    });
    best
}

/// Where a line is inside a convex shape: from where to where, and through which of its surfaces (as numbers
/// of its own choice) it goes in and out.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: (f64, usize),
    to: (f64, usize),
}

impl Span {
    const ALL: Span = Span { from: (f64::NEG_INFINITY, 0), to: (f64::INFINITY, 0) };

    fn new(from: f64, to: f64, surface: usize) -> Span {
        Span { from: (from, surface), to: (to, surface) }
    }

    /// What two spans have in common.
    fn and(self, other: Span) -> Span {
        Span {
            from: if other.from.0 > self.from.0 { other.from } else { self.from },
            to: if other.to.0 < self.to.0 { other.to } else { self.to },
        }
    }

    /// Where `slope t <= rest`.
    fn below(slope: f64, rest: f64, surface: usize) -> Option<Span> {
        let at = rest / slope;
        if slope > 0.0 {
            Some(Span { to: (at, surface), ..Span::ALL })
        } else if slope < 0.0 {
            Some(Span { from: (at, surface), ..Span::ALL })
        } else {
            (rest >= 0.0).then_some(Span::ALL)
        }
    }
}

/// Where a ray meets the surface of a convex shape: where it goes in or, if it starts inside, where it comes
/// out. `place` tells the outward normal and the feature at a point of a surface.
fn surface(
    span: Option<Span>,
    ray: &LocalRay,
    place: impl Fn(Vec3, usize) -> (Vec3, Feature),
) -> Option<Met> {
    let Span { from, to } = span.filter(|span| span.from.0 <= span.to.0)?;
    let (at, surface) = [from, to].into_iter().find(|(at, _)| *at >= 0.0)?;
    // Infinite where the ray stays inside for ever.
    if !at.is_finite() || at > ray.reach {
        return None;
    }
    let (normal, feature) = place(ray.at(at), surface);
    Some(Met { at, normal, feature, triangle: None })
}

/// Where a line is within a radius of a point.
fn in_ball(center: Vec3, radius: f64, ray: &LocalRay) -> Option<Span> {
    // From the point of the line nearest to the centre, so that a far origin costs no digits.
    let along = ray.direction.length_squared();
    let middle = (center - ray.origin).dot(ray.direction) / along;
    let aside = ray.at(middle).distance(center);
    half_chord(radius, aside, along).map(|half| Span::new(middle - half, middle + half, 0))
}

/// Where a line is within a radius of the z axis; `None` also if it is nowhere.
fn in_tube(radius: f64, ray: &LocalRay, surface: usize) -> Option<Span> {
    let (origin, direction) = (ray.origin.truncate(), ray.direction.truncate());
    let along = direction.length_squared();
    if along == 0.0 {
        return (origin.length() <= radius).then_some(Span::ALL);
    }
    let middle = -origin.dot(direction) / along;
    // Across the direction, which costs no digits however steep the line is.
    let aside = origin.perp_dot(direction).abs() / along.sqrt();
    half_chord(radius, aside, along).map(|half| Span::new(middle - half, middle + half, surface))
}

/// Half of what a circle leaves of a line that passes its centre at a distance, as a multiple of a direction
/// whose length has this square.
fn half_chord(radius: f64, aside: f64, along: f64) -> Option<f64> {
    (aside <= radius).then(|| ((radius - aside) * (radius + aside) / along).sqrt())
}

/// Where a line is between two planes across the z axis; they are surfaces 0 and 1.
fn in_slab(half: f64, ray: &LocalRay) -> Option<Span> {
    let (z, slope) = (ray.origin.z, ray.direction.z);
    Some(Span::below(-slope, half + z, 0)?.and(Span::below(slope, half - z, 1)?))
}

fn meet_box(cuboid: &Cuboid, ray: &LocalRay) -> Option<Met> {
    let slab = |k: usize| {
        let (x, slope, half) = (ray.origin[k], ray.direction[k], cuboid.half[k]);
        Some(Span::below(-slope, half + x, 2 * k)?.and(Span::below(slope, half - x, 2 * k + 1)?))
    };
    let span = || Some(slab(0)?.and(slab(1)?).and(slab(2)?));
    surface(span(), ray, |_, face| {
        let sign = if face % 2 == 1 { 1.0 } else { -1.0 };
        (sign * Vec3::AXES[face / 2], Feature::Face(face as u32))
    })
}

/// The side of a round shape, besides its lower and upper end.
const SIDE: usize = 2;

fn meet_cylinder(cylinder: &Cylinder, ray: &LocalRay) -> Option<Met> {
    let span = || Some(in_tube(cylinder.radius, ray, SIDE)?.and(in_slab(cylinder.half, ray)?));
    surface(span(), ray, |p, surface| match surface {
        SIDE => (p.with_z(0.0).normalize_or_zero(), Feature::Patch(0)),
        end => (end_normal(end), Feature::Face(end as u32)),
    })
}

fn end_normal(end: usize) -> Vec3 {
    if end == 1 { Vec3::Z } else { -Vec3::Z }
}

fn meet_cone(cone: &Cone, ray: &LocalRay) -> Option<Met> {
    let span = || {
        // The slab has the tip as its upper end, which no line passes but through the side.
        let slab = in_slab(cone.half, ray)?;
        Some(in_nappe(cone, ray)?.and(slab))
    };
    let slope = Vec3::new(2.0 * cone.half, 0.0, cone.radius).normalize();
    surface(span(), ray, |p, surface| match surface {
        0 => (-Vec3::Z, Feature::Face(0)),
        _ => {
            let radial = p.with_z(0.0).normalize_or_zero();
            let normal = if radial == Vec3::ZERO { Vec3::Z } else { slope.x * radial + slope.z * Vec3::Z };
            (normal, Feature::Patch(0))
        }
    })
}

/// Where a line is inside the endless cone below a cone's tip, or inside its mirror image above.
fn in_nappe(cone: &Cone, ray: &LocalRay) -> Option<Span> {
    // From the point of the line nearest to the cone's middle, so that a far origin costs no digits.
    let d = ray.direction;
    let shift = -ray.origin.dot(d) / d.length_squared();
    let p = ray.at(shift);
    // In units in which the cone opens at a right angle: x² + y² <= z², with z downwards from the tip.
    let opening = cone.radius / (2.0 * cone.half);
    let (z, slope) = (opening * (cone.half - p.z), -opening * d.z);
    let (xy, across) = (p.truncate(), d.truncate());
    // a t² + 2 b t + c <= 0, factored where both terms are squares.
    let (xy_length, across_length) = (xy.length(), across.length());
    let a = (across_length - slope) * (across_length + slope);
    let b = xy.dot(across) - z * slope;
    let c = (xy_length - z) * (xy_length + z);
    // b² - a c, as a sum of squares but for one: what the line passes the tip at counts, not how far it is.
    let (cross, along_x, along_y) =
        (xy.perp_dot(across), xy.x * slope - z * across.x, xy.y * slope - z * across.y);
    let discriminant = along_x * along_x + along_y * along_y - cross * cross;
    let side = |from: f64, to: f64| Some(Span::new(from + shift, to + shift, SIDE));
    if a > 0.0 {
        if discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        let (first, second) = stable_roots(a, b, c, root);
        side(first.min(second), first.max(second))
    } else if a == 0.0 {
        // Along the side.
        let span = Span::below(2.0 * b, -c, SIDE)?;
        side(span.from.0, span.to.0)
    } else {
        // A line steeper than the side is inside both, but not between them: the lower one counts.
        let (first, second) = stable_roots(a, b, c, discriminant.max(0.0).sqrt());
        if slope > 0.0 {
            side(first.max(second), f64::INFINITY)
        } else {
            side(f64::NEG_INFINITY, first.min(second))
        }
    }
}

/// The roots of `a t² + 2 b t + c`, given the root of `b² - a c`, without cancellation.
fn stable_roots(a: f64, b: f64, c: f64, root: f64) -> (f64, f64) {
    let q = -(b + root.copysign(b));
    if q == 0.0 { (0.0, 0.0) } else { (q / a, c / q) }
}

fn meet_capsule(capsule: &Capsule, ray: &LocalRay) -> Option<Met> {
    let Capsule { radius, half } = *capsule;
    let middle = || in_tube(radius, ray, 0).and_then(|tube| Some(tube.and(in_slab(half, ray)?)));
    let ball = |z: f64| in_ball(Vec3::new(0.0, 0.0, z), radius, ray);
    // A convex shape is met in one interval, so that of all pieces together has no gaps.
    let pieces = [middle(), ball(-half), ball(half)];
    let spans = pieces.into_iter().flatten().filter(|span| span.from.0 <= span.to.0);
    let span = spans.reduce(|one, other| Span {
        from: if other.from.0 < one.from.0 { other.from } else { one.from },
        to: if other.to.0 > one.to.0 { other.to } else { one.to },
    });
    surface(span, ray, |p, _| {
        let from_axis = p - Vec3::new(0.0, 0.0, p.z.clamp(-half, half));
        let feature = match p.z {
            z if z < -half => Feature::Patch(1),
            z if z > half => Feature::Patch(2),
            _ => Feature::Patch(0),
        };
        (from_axis.normalize_or_zero(), feature)
    })
}

/// Seen so that it is a ball, the parameters of a line stay what they are.
fn meet_ellipsoid(ellipsoid: &Ellipsoid, ray: &LocalRay) -> Option<Met> {
    let semi_axes = ellipsoid.semi_axes;
    let (origin, direction) = (ray.origin / semi_axes, ray.direction / semi_axes);
    let along = direction.length_squared();
    let middle = -origin.dot(direction) / along;
    let aside = (origin + middle * direction).length();
    let span = half_chord(1.0, aside, along).map(|half| Span::new(middle - half, middle + half, 0));
    surface(span, ray, |p, _| (normal_at(semi_axes, p), Feature::Patch(0)))
}

fn meet_half_space(half_space: &HalfSpace, ray: &LocalRay) -> Option<Met> {
    let plane = half_space.plane;
    let height = plane.distance(ray.origin);
    let span = Span::below(plane.normal.dot(ray.direction), -height, 0);
    surface(span, ray, |_, _| (plane.normal, Feature::Face(0)))
}

/// A ray that starts in the material meets it where it comes into the ball that is empty.
fn meet_cavity(cavity: &Cavity, ray: &LocalRay) -> Option<Met> {
    let span = in_ball(Vec3::ZERO, cavity.radius, ray);
    surface(span, ray, |p, _| (-p.normalize_or_zero(), Feature::Patch(0)))
}

fn meet_convex(convex: &Convex, ray: &LocalRay) -> Option<Met> {
    let planes = convex.planes();
    let inside = |face: usize| {
        let plane = &planes[face];
        Span::below(plane.normal.dot(ray.direction), -plane.distance(ray.origin), face)
    };
    let span = (0..planes.len()).try_fold(Span::ALL, |span, face| Some(span.and(inside(face)?)));
    surface(span, ray, |_, face| (planes[face].normal, convex.data.face_features[face]))
}

/// A flat convex polygon, as a fan of triangles.
fn meet_polygon(corners: &[Vec3], normal: Vec3, ray: &LocalRay) -> Option<Met> {
    let fan = corners[1..].windows(2).map(|next| [corners[0], next[0], next[1]]);
    let hits = fan.filter_map(|triangle| meet(ray.origin, ray.direction, &triangle));
    let at = hits.reduce(f64::min).filter(|&at| at <= ray.reach)?;
    Some(Met { at, normal, feature: Feature::Face(0), triangle: None })
}

fn meet_mesh(mesh: &Mesh, ray: &LocalRay) -> Option<Met> {
    let surface = mesh.hierarchy.surface();
    let (at, id) = ray.first_triangle(&mesh.hierarchy)?;
    let [a, b, c] = surface.soup().corners(id as usize);
    Some(Met {
        at,
        normal: (b - a).cross(c - a).normalize_or_zero(),
        feature: Feature::of(surface, id, TriangleFeature::Face),
        triangle: Some(TriangleId(id)),
    })
}
