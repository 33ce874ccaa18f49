//! Rays and every kind, against where membership changes along the ray, and against all triangles.

use crate::bodies::sample;
use crate::common::random::random_pose;
use crate::common::{pose, vector};
use crate::membership::is_inside;
use proptest::prelude::*;
use seeded::Random;
use silvia_proximity::{Feature, Ray, RayError, Shape, ShapeKind, ShapeRayHit, cast_ray, mesh};
use silvia_solid::{Mat3, Pose, Quat, Solid, Soup, TriangleId, Vec3, primitives};

/// How far the samples along a ray are apart. What is inside for less may be missed.
const STEP: f64 = 2e-3;
/// Beyond this, nothing of the samples is in the way of rays from near the origin.
const FAR: f64 = 8.0;

fn hit(shape: &Shape, at: &Pose, ray: &Ray) -> Option<ShapeRayHit> {
    cast_ray(shape, at, ray).unwrap()
}

/// Where along a ray (in the frame of the shape) membership first changes, by samples and then by bisection;
/// `None` if it does not.
fn first_change(shape: &Shape, ray: &Ray) -> Option<f64> {
    let inside = |t: f64| is_inside(shape, ray.origin + t * ray.direction).unwrap();
    let at_start = inside(0.0);
    let step = STEP / ray.direction.length();
    let after = (1..).map(|i| f64::from(i) * step).take_while(|t| t * ray.direction.length() < FAR);
    let (mut high, mut low) = (after.into_iter().find(|&t| inside(t) != at_start)?, 0.0_f64);
    low = low.max(high - step);
    for _ in 0..60 {
        let middle = low.midpoint(high);
        if inside(middle) == at_start { low = middle } else { high = middle }
    }
    Some(high)
}

/// The first of all triangles that a ray meets, by solving for each; and how near to the border of a triangle
/// it came, so that a doubtful case can be left out.
fn first_triangle(soup: &Soup, ray: &Ray) -> (Option<f64>, f64) {
    let (mut first, mut doubt): (Option<f64>, f64) = (None, f64::INFINITY);
    for t in 0..soup.triangles().len() {
        let [a, b, c] = soup.corners(t);
        let m = Mat3::from_cols(-ray.direction, b - a, c - a);
        if m.determinant().abs() < 1e-12 {
            continue;
        }
        let x = m.inverse() * (ray.origin - a);
        let inner = x.x.min(x.y).min(x.z).min(1.0 - x.y - x.z);
        doubt = doubt.min(inner.abs());
        if inner >= 0.0 && first.is_none_or(|t| x.x < t) {
            first = Some(x.x);
        }
    }
    (first, doubt)
}

fn corners(shape: &Shape) -> Option<Soup> {
    let fan = |corners: &[Vec3]| {
        let triangles = (2..corners.len() as u32).map(|i| [0, i - 1, i]).collect();
        Soup::new(corners.to_vec(), triangles).unwrap()
    };
    match shape {
        Shape::Triangle(s) => Some(fan(&s.corners())),
        Shape::Polygon(s) => Some(fan(s.corners())),
        Shape::Solid(s) | Shape::Soup(s) => Some(s.hierarchy().surface().soup().clone()),
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Compound(_) => None,
    }
}

/// That a ray (in the frame of the shape, which is no compound) meets the shape where it must.
fn check(shape: &Shape, ray: &Ray) -> Result<(), TestCaseError> {
    let found = hit(shape, &Pose::IDENTITY, ray);
    let kind = shape.kind();
    if let Some(soup) = corners(shape) {
        let (truth, doubt) = first_triangle(&soup, ray);
        if doubt > 1e-9 {
            let (got, truth) = (found.map_or(f64::INFINITY, |h| h.parameter), truth.unwrap_or(f64::INFINITY));
            prop_assert!(got == truth || (got - truth).abs() < 1e-9, "{:?} {} {}", kind, got, truth);
        }
    }
    if is_inside(shape, Vec3::ZERO).is_some() {
        let truth = first_change(shape, ray);
        match (found, truth) {
            (None, None) => {}
            (None, Some(t)) => prop_assert!(false, "{:?} is met at {}", kind, t),
            (Some(h), truth) => {
                // What is met before is shorter than the samples are apart; what follows shows that it is
                // there.
                prop_assert!(truth.is_none_or(|t| h.parameter <= t + 1e-9), "{:?} {:?} {:?}", kind, h, truth);
                let at = |off: f64| is_inside(shape, h.point + off * h.normal).unwrap();
                prop_assert!(at(-1e-7) && !at(1e-7), "{:?} no surface at {:?}", kind, h);
            }
        }
    }
    let Some(h) = found else { return Ok(()) };
    prop_assert!((h.normal.length() - 1.0).abs() < 1e-12, "{:?} {:?}", kind, h);
    prop_assert!(h.point.distance(ray.origin + h.parameter * ray.direction) < 1e-12);
    prop_assert_eq!(h.part, 0);
    // Of convex shapes, nothing is beyond the plane of the surface.
    let is_convex = match shape {
        Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::Convex(_) => true,
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => false,
    };
    if is_convex {
        let farthest = shape.support(h.normal).unwrap();
        prop_assert!((farthest - h.point).dot(h.normal) < 1e-9, "{:?} {:?}", kind, h);
    }
    // A shorter ray does not get there; a longer direction says the same.
    let short = Ray { reach: 0.999 * h.parameter, ..*ray };
    prop_assert!(h.parameter == 0.0 || hit(shape, &Pose::IDENTITY, &short).is_none());
    let scaled = Ray { direction: 8.0 * ray.direction, ..*ray };
    let again = hit(shape, &Pose::IDENTITY, &scaled).map(|h| 8.0 * h.parameter);
    prop_assert!(again.is_some_and(|t| (t - h.parameter).abs() < 1e-12), "{:?} {:?}", kind, again);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_ray_meets_every_kind_where_membership_changes_or_a_triangle_is(
        origin in vector(2.0),
        target in vector(0.6),
    ) {
        prop_assume!(origin.distance(target) > 1e-2);
        for kind in ShapeKind::ALL.into_iter().filter(|&kind| kind != ShapeKind::Compound) {
            check(&sample(kind), &Ray { origin, direction: target - origin, reach: f64::INFINITY })?;
        }
    }

    #[test]
    fn along_axes_and_faces_a_ray_is_met_as_any_other(
        axis in 0..3usize,
        x in -4..=4i32,
        y in -4..=4i32,
        back in any::<bool>(),
    ) {
        // On a lattice, so that sides, rims and ends are met edge-on and along their lines; a hair off each,
        // for there membership is clear.
        let off = 1e-5 * Vec3::new(0.3, 0.5, 0.7);
        let place = Vec3::new(0.1 * f64::from(x), 0.1 * f64::from(y), 0.0);
        let turned = Quat::from_rotation_arc(Vec3::Z, Vec3::AXES[axis]);
        let sign = if back { -1.0 } else { 1.0 };
        let (origin, direction) = (turned * (place - sign * 2.0 * Vec3::Z) + off, sign * Vec3::AXES[axis]);
        for kind in ShapeKind::ALL.into_iter().filter(|&kind| kind != ShapeKind::Compound) {
            check(&sample(kind), &Ray { origin, direction, reach: f64::INFINITY })?;
        }
    }

    #[test]
    fn a_pose_moves_the_answer_with_the_shape(at in pose(1.0), origin in vector(2.0), target in vector(0.6)) {
        prop_assume!(origin.distance(target) > 1e-2);
        let local = Ray { origin, direction: target - origin, reach: f64::INFINITY };
        let placed = Ray {
            origin: at.transform_point(origin),
            direction: at.transform_vector(local.direction),
            ..local
        };
        for kind in ShapeKind::ALL {
            let shape = sample(kind);
            match (hit(&shape, &Pose::IDENTITY, &local), hit(&shape, &at, &placed)) {
                (Some(one), Some(other)) if (one.parameter - other.parameter).abs() < 1e-9 => {
                    prop_assert!(at.transform_point(one.point).distance(other.point) < 1e-9);
                    prop_assert!(at.transform_vector(one.normal).distance(other.normal) < 1e-6);
                }
                (None, None) => {}
                // A ray that grazes may pass or not, by rounding: then one a hair aside does, too.
                (one, other) => {
                    let aside = |i: usize| {
                        let shift = 1e-9 * Vec3::AXES[i % 3] * if i < 3 { 1.0 } else { -1.0 };
                        hit(&shape, &Pose::IDENTITY, &Ray { origin: origin + shift, ..local })
                    };
                    let near = |h: Option<ShapeRayHit>, t: Option<ShapeRayHit>| match (h, t) {
                        (Some(h), Some(t)) => (h.parameter - t.parameter).abs() < 1e-4,
                        (h, t) => h.is_none() && t.is_none(),
                    };
                    let has = |wanted: Option<ShapeRayHit>| (0..6).any(|i| near(aside(i), wanted));
                    prop_assert!(has(one) && has(other), "{:?} {:?} {:?}", kind, one, other);
                }
            }
        }
    }
}

#[test]
fn a_compound_is_met_at_the_first_of_its_parts() {
    let mut random = Random::new(7);
    let compound = sample(ShapeKind::Compound);
    let parts = compound.as_compound().unwrap().parts();
    let mut hits = [0; 4];
    for _ in 0..4000 {
        let (origin, target) = (random.vector(2.0), random.vector(0.7));
        let ray = Ray { origin, direction: target - origin, reach: f64::INFINITY };
        let all = parts.iter().map(|part| hit(&part.shape, &part.pose, &ray));
        let truth =
            all.zip(0..).filter_map(|(h, i)| h.map(|h| (h.parameter, i))).min_by(|x, y| x.0.total_cmp(&y.0));
        let found = hit(&compound, &Pose::IDENTITY, &ray).map(|h| (h.parameter, h.part));
        match (found, truth) {
            (Some(found), Some(truth)) => {
                assert!((found.0 - truth.0).abs() < 1e-12 && found.1 == truth.1, "{found:?} {truth:?}");
                hits[found.1 as usize] += 1;
            }
            (found, truth) => assert_eq!(found, truth),
        }
    }
    assert!(hits.iter().all(|&count| count > 20), "{hits:?}");
}

#[test]
fn a_mesh_is_met_as_by_the_query_for_meshes_to_the_bit() {
    let mut random = Random::new(11);
    let shape = sample(ShapeKind::Solid);
    for _ in 0..500 {
        let (at, origin, target) = (random_pose(&mut random, 1.0), random.vector(2.0), random.vector(0.7));
        let ray = Ray { origin, direction: target - origin, reach: f64::INFINITY };
        let one = mesh::cast_ray(shape.as_mesh().unwrap().hierarchy(), &at, &ray).unwrap();
        let other = hit(&shape, &at, &ray);
        let told = |h: &mesh::RayHit| (h.parameter, h.point, h.normal, Some(h.triangle));
        let got = |h: &ShapeRayHit| (h.parameter, h.point, h.normal, h.triangle);
        assert_eq!(one.as_ref().map(told), other.as_ref().map(got));
    }
}

#[test]
fn points_and_segments_are_never_met() {
    let (at, from) = (Vec3::new(0.5, 0.25, 0.125), Vec3::new(2.0, 1.0, 0.5));
    let ray = Ray { origin: from, direction: at - from, reach: f64::INFINITY };
    assert_eq!(hit(&Shape::point(at).unwrap(), &Pose::IDENTITY, &ray), None);
    let across = Shape::segment([at - Vec3::Z, at + Vec3::Z]).unwrap();
    assert_eq!(hit(&across, &Pose::IDENTITY, &ray), None);
    let along = Shape::segment([at, 2.0 * at]).unwrap();
    assert_eq!(hit(&along, &Pose::IDENTITY, &ray), None);
    let line = Shape::triangle([at - Vec3::Z, at, at + Vec3::Z]).unwrap();
    assert_eq!(hit(&line, &Pose::IDENTITY, &ray), None);
    let edge_on = Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
    let level = Ray { origin: Vec3::new(-1.0, 0.2, 0.0), direction: Vec3::X, reach: f64::INFINITY };
    assert_eq!(hit(&edge_on, &Pose::IDENTITY, &level), None);
}

#[test]
fn a_ray_that_starts_inside_meets_the_surface_where_it_leaves() {
    let up = Ray { origin: Vec3::ZERO, direction: Vec3::Z, reach: f64::INFINITY };
    for (shape, parameter) in [
        (Shape::sphere(0.5), 0.5),
        (Shape::cuboid(Vec3::splat(2.0)), 1.0),
        (Shape::cylinder(0.5, 3.0), 1.5),
        (Shape::cone(0.5, 3.0), 1.5),
        (Shape::capsule(0.5, 3.0), 2.0),
    ] {
        let found = hit(&shape.unwrap(), &Pose::IDENTITY, &up).unwrap();
        assert_eq!((found.parameter, found.normal), (parameter, Vec3::Z));
    }
    // Into a half-space for ever.
    let ground = Shape::half_space(silvia_solid::Plane { normal: Vec3::Z, offset: 1.0 }).unwrap();
    assert_eq!(hit(&ground, &Pose::IDENTITY, &up).unwrap().parameter, 1.0);
    assert_eq!(hit(&ground, &Pose::IDENTITY, &Ray { direction: -Vec3::Z, ..up }), None);
    assert_eq!(hit(&ground, &Pose::IDENTITY, &Ray { direction: Vec3::X, ..up }), None);
}

#[test]
fn features_are_named_as_in_distances() {
    let from = |x: f64, y: f64, z: f64| {
        let origin = Vec3::new(x, y, z);
        Ray { origin, direction: Vec3::new(0.05, 0.03, 0.02) - origin, reach: f64::INFINITY }
    };
    let feature =
        |shape: Result<Shape, _>, ray: &Ray| hit(&shape.unwrap(), &Pose::IDENTITY, ray).unwrap().feature;
    let cuboid = || Shape::cuboid(Vec3::ONE);
    assert_eq!(feature(cuboid(), &from(3.0, 0.0, 0.0)), Feature::Face(1));
    assert_eq!(feature(cuboid(), &from(-3.0, 0.0, 0.0)), Feature::Face(0));
    assert_eq!(feature(cuboid(), &from(0.0, 3.0, 0.0)), Feature::Face(3));
    assert_eq!(feature(cuboid(), &from(0.0, 0.0, -3.0)), Feature::Face(4));
    assert_eq!(feature(Shape::cylinder(0.5, 1.0), &from(0.0, 0.0, 3.0)), Feature::Face(1));
    assert_eq!(feature(Shape::cylinder(0.5, 1.0), &from(0.0, 0.0, -3.0)), Feature::Face(0));
    assert_eq!(feature(Shape::cylinder(0.5, 1.0), &from(3.0, 0.0, 0.0)), Feature::Patch(0));
    assert_eq!(feature(Shape::cone(0.5, 1.0), &from(3.0, 0.0, 0.0)), Feature::Patch(0));
    assert_eq!(feature(Shape::cone(0.5, 1.0), &from(0.0, 0.0, -3.0)), Feature::Face(0));
    assert_eq!(feature(Shape::capsule(0.25, 1.0), &from(3.0, 0.0, 0.0)), Feature::Patch(0));
    assert_eq!(feature(Shape::capsule(0.25, 1.0), &from(0.0, 0.0, -3.0)), Feature::Patch(1));
    assert_eq!(feature(Shape::capsule(0.25, 1.0), &from(0.0, 0.0, 3.0)), Feature::Patch(2));
    // Of a solid the polygonal face, not the triangle.
    let solid = Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap();
    let found = hit(&Shape::solid(solid.clone()), &Pose::IDENTITY, &from(3.0, 0.0, 0.0)).unwrap();
    let TriangleId(triangle) = found.triangle.unwrap();
    assert_eq!(found.feature, Feature::Face(solid.face_of_triangle(TriangleId(triangle)).0));
    let convex = hit(&Shape::convex(&solid).unwrap(), &Pose::IDENTITY, &from(3.0, 0.0, 0.0)).unwrap();
    assert_eq!((convex.feature, convex.triangle), (found.feature, None));
}

#[test]
fn a_far_origin_and_a_tiny_shape_cost_no_more_than_rounding() {
    for scale in [1e-30, 1.0, 1e30] {
        for kind in [
            ShapeKind::Sphere,
            ShapeKind::Cylinder,
            ShapeKind::Cone,
            ShapeKind::Capsule,
            ShapeKind::Ellipsoid,
            ShapeKind::Box,
        ] {
            let (shape, unit) = (sample(kind).scaled(scale).unwrap(), sample(kind));
            let towards = Vec3::new(0.05, 0.02, -0.1);
            for from in [Vec3::new(3.0, 1.0, 0.5), Vec3::new(300.0, -200.0, 150.0), Vec3::new(1e4, 2e4, -3e4)]
            {
                let ray =
                    |s: f64| Ray { origin: s * from, direction: s * (towards - from), reach: f64::INFINITY };
                let found = hit(&shape, &Pose::IDENTITY, &ray(scale)).unwrap();
                let point = found.point / scale;
                let inside = |off: f64| is_inside(&unit, point + off * found.normal).unwrap();
                // What rounding of the origin does.
                let slack = 1e-14 * from.length() + 1e-13;
                assert!(inside(-slack) && !inside(slack), "{kind:?} at {scale}, from {from}: {found:?}");
            }
        }
    }
}

#[test]
fn bad_rays_are_refused_by_every_kind() {
    let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X, reach: 1.0 };
    for kind in ShapeKind::ALL {
        let cast = |ray: &Ray| cast_ray(&sample(kind), &Pose::IDENTITY, ray);
        assert_eq!(cast(&Ray { direction: Vec3::ZERO, ..ray }), Err(RayError::NoDirection));
        assert_eq!(cast(&Ray { reach: -1.0, ..ray }), Err(RayError::Reach { given: -1.0 }));
        assert!(cast(&Ray { reach: f64::NAN, ..ray }).is_err());
        assert!(cast(&Ray { origin: Vec3::new(f64::NAN, 0.0, 0.0), ..ray }).is_err());
        assert!(cast(&Ray { direction: Vec3::new(f64::INFINITY, 0.0, 0.0), ..ray }).is_err());
    }
}
