//! The signed distance of a point to every kind, against membership and fine tessellations.

use crate::bodies::{Body, Tessellation, sample};
use crate::common::{point_triangle, pose, vector};
use crate::membership::is_inside;
use proptest::prelude::*;
use silvia_proximity::{Feature, Shape, ShapeKind, distance, mesh, point_distance};
use silvia_solid::{Pose, Vec3};
use std::sync::OnceLock;

/// Tessellations so fine that they are nowhere farther than a thousandth from the surface.
fn bodies() -> &'static [Body] {
    static ALL: OnceLock<Vec<Body>> = OnceLock::new();
    ALL.get_or_init(|| Body::all(200))
}

/// The unsigned distance to the triangles of a part, and by how much it can be off.
fn to_surface(part: &Tessellation, p: Vec3) -> (f64, f64) {
    match part {
        Tessellation::Triangles { hierarchy, sagitta } => {
            let soup = hierarchy.surface().soup();
            let all = (0..soup.triangles().len()).map(|t| point_triangle(p, &soup.corners(t)));
            (all.fold(f64::INFINITY, f64::min), *sagitta)
        }
        Tessellation::Cavity(radius) => ((p.length() - radius).abs(), 0.0),
        Tessellation::HalfSpace(plane) => ((plane.normal.dot(p) - plane.offset).abs(), 0.0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_kind_agrees_with_membership_and_its_tessellation(p in vector(1.2), at in pose(1.0)) {
        for body in bodies() {
            let shape = &body.shape;
            let parts: Vec<(Pose, Shape)> = match shape.as_compound() {
                Some(c) => c.parts().iter().map(|part| (part.pose, part.shape.clone())).collect(),
                None => vec![(Pose::IDENTITY, shape.clone())],
            };
            let mut truth = (f64::INFINITY, 0.0, 0);
            for (number, ((place, part), (_, triangles))) in parts.iter().zip(&body.parts).enumerate() {
                let local = place.inverse().transform_point(p);
                let (unsigned, slack) = to_surface(triangles, local);
                let is_in = is_inside(part, local).unwrap_or(false);
                let signed = if is_in { -unsigned } else { unsigned };
                if signed < truth.0 {
                    truth = (signed, slack, number as u32);
                }
            }
            let found = point_distance(shape, &at, at.transform_point(p)).unwrap();
            let kind = shape.kind();
            let off = (found.distance - truth.0).abs();
            prop_assert!(off <= truth.1 + 1e-12, "{:?} {:?} {:?}", kind, found, truth);
            prop_assert_eq!(found.part, truth.2, "{:?}", kind);
            // The nearest point is as far away as is said, and on the surface.
            let near = at.inverse().transform_point(found.nearest);
            prop_assert!((near.distance(p) - found.distance.abs()).abs() < 1e-12, "{:?} {:?}", kind, found);
            let (place, _) = &parts[found.part as usize];
            let triangles = &body.parts[found.part as usize].1;
            let (off, slack) = to_surface(triangles, place.inverse().transform_point(near));
            prop_assert!(off <= slack + 1e-12, "{:?} {} off the surface", kind, off);
            prop_assert!(found.feature.is_some());
        }
    }
}

#[test]
fn closed_forms_hold_in_the_middle_and_on_the_surface() {
    let at = |shape: &Result<Shape, _>, p: Vec3| {
        let shape: &Shape = shape.as_ref().unwrap_or_else(|e: &silvia_proximity::ShapeError| panic!("{e}"));
        point_distance(shape, &Pose::IDENTITY, p).unwrap()
    };
    for (shape, in_the_middle) in [
        (Shape::sphere(0.5), -0.5),
        (Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)), -0.5),
        (Shape::cylinder(0.5, 2.0), -0.5),
        (Shape::capsule(0.5, 2.0), -0.5),
        (Shape::segment([-Vec3::X, Vec3::X]), 0.0),
        (Shape::point(Vec3::ZERO), 0.0),
    ] {
        let found = at(&shape, Vec3::ZERO);
        assert_eq!(found.distance, in_the_middle);
        assert_eq!(found.nearest.length(), -in_the_middle);
    }
    let cone = Shape::cone(3.0, 4.0);
    // Its side is at 3-4-5 to its axis.
    assert!((at(&cone, Vec3::new(0.0, 0.0, 1.0)).distance + 0.6).abs() < 1e-15);
    assert!((at(&cone, Vec3::new(0.0, 0.0, 3.0)).distance - 1.0).abs() < 1e-15);
    let on = at(&Shape::cylinder(0.5, 2.0), Vec3::new(0.5, 0.0, 0.3));
    assert!(on.distance.abs() < 1e-15 && on.feature == Some(Feature::Patch(0)));
}

#[test]
fn a_mesh_is_measured_as_by_the_query_for_meshes() {
    let shape = sample(ShapeKind::Solid);
    for (x, y) in [(0.1, 0.1), (0.5, 0.5), (-1.0, 2.0)] {
        let p = Vec3::new(x, y, 0.2);
        let one = mesh::point_distance(shape.as_mesh().unwrap().hierarchy(), &Pose::IDENTITY, p).unwrap();
        let other = point_distance(&shape, &Pose::IDENTITY, p).unwrap();
        assert_eq!(
            (one.distance, one.nearest, Some(one.feature)),
            (other.distance, other.nearest, other.feature)
        );
    }
}

#[test]
fn points_that_are_not_finite_are_refused_by_every_kind() {
    for kind in ShapeKind::ALL {
        let nan = Vec3::new(0.0, f64::NAN, 0.0);
        assert!(point_distance(&sample(kind), &Pose::IDENTITY, nan).is_err());
    }
}

#[test]
fn inside_a_compound_the_part_counts_in_which_the_point_is_deepest() {
    let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let ball = |radius: f64| Shape::sphere(radius).unwrap();
    let shape =
        Shape::compound([(at(0.0), ball(1.0)), (at(2.0), ball(0.75)), (at(-0.5), ball(1.0))]).unwrap();
    let ask = |x: f64| {
        let found = point_distance(&shape, &Pose::IDENTITY, Vec3::new(x, 0.0, 0.0)).unwrap();
        (found.distance, found.part, found.nearest.x)
    };
    // 0.25 deep in the first, though nearer to the surface of the second.
    assert_eq!(ask(0.75), (-0.25, 0, 1.0));
    assert_eq!(ask(1.125), (0.125, 0, 1.0));
    assert_eq!(ask(2.5), (-0.25, 1, 2.75));
    assert_eq!(ask(-0.375), (-0.875, 2, 0.5));
}

#[test]
fn features_are_named_as_in_distances() {
    let feature = |shape: Result<Shape, _>, p: Vec3| {
        let shape: Shape = shape.unwrap_or_else(|e: silvia_proximity::ShapeError| panic!("{e}"));
        let found = point_distance(&shape, &Pose::IDENTITY, p).unwrap();
        // From outside, the distance of shapes says the same.
        if found.distance > 0.0 {
            let of_shapes = distance(&shape, &Pose::IDENTITY, &Shape::point(p).unwrap(), &Pose::IDENTITY);
            assert_eq!(found.feature, of_shapes.features[0]);
        }
        found.feature.unwrap()
    };
    let capsule = || Shape::capsule(0.25, 1.0);
    for (x, z, patch) in
        [(1.0, 0.2, 0), (0.1, 0.2, 0), (0.1, -2.0, 1), (0.1, -0.6, 1), (0.1, 2.0, 2), (0.1, 0.6, 2)]
    {
        assert_eq!(feature(capsule(), Vec3::new(x, 0.0, z)), Feature::Patch(patch));
    }
    let cuboid = || Shape::cuboid(Vec3::ONE);
    for (k, axis) in Vec3::AXES.into_iter().enumerate() {
        let off = Vec3::new(0.01, 0.02, 0.03);
        for along in [0.3, 2.0] {
            assert_eq!(feature(cuboid(), off - along * axis), Feature::Face(2 * k as u32));
            assert_eq!(feature(cuboid(), off + along * axis), Feature::Face(2 * k as u32 + 1));
        }
    }
    for (p, name) in [
        (Vec3::new(0.1, 0.0, 0.45), Feature::Face(1)),
        (Vec3::new(0.1, 0.0, -2.0), Feature::Face(0)),
        (Vec3::new(0.45, 0.0, 0.1), Feature::Patch(0)),
        (Vec3::new(2.0, 0.0, 2.0), Feature::Edge(1)),
    ] {
        assert_eq!(feature(Shape::cylinder(0.5, 1.0), p), name);
    }
    for (p, name) in [
        (Vec3::new(0.1, 0.0, -0.45), Feature::Face(0)),
        (Vec3::new(0.2, 0.0, 0.0), Feature::Patch(0)),
        (Vec3::new(0.0, 0.0, 2.0), Feature::Vertex(0)),
    ] {
        assert_eq!(feature(Shape::cone(0.5, 1.0), p), name);
    }
}
