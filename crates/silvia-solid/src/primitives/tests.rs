use super::*;
use crate::testing::{assert_closed, euler, is_convex, volume};
use std::f64::consts::{PI, TAU};

fn assert_near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
}

/// What turns pi into the area of the inscribed polygon.
fn polygon_pi(n: usize) -> f64 {
    0.5 * n as f64 * (TAU / n as f64).sin()
}

#[test]
fn a_cuboid_has_its_closed_form() {
    let soup = cuboid(Vec3::new(2.0, 3.0, 5.0)).unwrap();
    assert_closed(&soup);
    assert!(is_convex(&soup));
    assert_eq!((soup.points().len(), soup.triangles().len(), euler(&soup)), (8, 12, 2));
    assert_eq!(volume(&soup), 30.0);
    assert_eq!(
        (soup.bounds().min, soup.bounds().max),
        (Vec3::new(-1.0, -1.5, -2.5), Vec3::new(1.0, 1.5, 2.5))
    );
}

#[test]
fn prisms_cylinders_cones_and_frustums_have_their_closed_forms() {
    for n in [3, 4, 5, 6, 7, 8, 31, 32, 1000] {
        let (r, h) = (0.7, 1.9);
        for soup in [prism(n, r, h).unwrap(), cylinder(r, h, n).unwrap()] {
            assert_closed(&soup);
            assert_eq!((soup.triangles().len(), euler(&soup)), (4 * n - 4, 2));
            assert_near(volume(&soup), polygon_pi(n) * r * r * h, 1e-12);
        }
        let soup = cone(r, h, n).unwrap();
        assert_closed(&soup);
        assert_eq!((soup.triangles().len(), euler(&soup)), (2 * n - 2, 2));
        assert_near(volume(&soup), polygon_pi(n) / 3.0 * r * r * h, 1e-12);
        let soup = frustum(r, 0.4, h, n).unwrap();
        assert_closed(&soup);
        assert_near(volume(&soup), polygon_pi(n) / 3.0 * (r * r + r * 0.4 + 0.16) * h, 1e-12);
    }
}

#[test]
fn a_cylinder_with_segments_divisible_by_four_fills_its_box_exactly() {
    let bounds = cylinder(0.3, 1.0, 20).unwrap().bounds();
    assert_eq!((bounds.min, bounds.max), (Vec3::new(-0.3, -0.3, -0.5), Vec3::new(0.3, 0.3, 0.5)));
}

#[test]
fn an_extrusion_has_the_area_of_its_outline_times_its_height() {
    let square = |x: f64, s: f64| vec![[x, x], [x + s, x], [x + s, x + s], [x, x + s]];
    for reverse in [false, true] {
        let (mut outer, mut hole) = (square(0.0, 10.0), square(1.0, 2.0));
        if reverse {
            outer.reverse();
            hole.reverse();
        }
        let soup = extrusion(&outer, &[hole, square(5.0, 3.0)], 2.0).unwrap();
        assert_closed(&soup);
        assert_near(volume(&soup), 2.0 * (100.0 - 4.0 - 9.0), 1e-14);
        assert_eq!(euler(&soup), 2 - 4);
    }
    let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    assert_eq!(volume(&extrusion(&l, &[], 1.0).unwrap()), 3.0);
}

#[test]
fn a_geodesic_sphere_converges_with_the_square_of_its_frequency() {
    let mut last: Option<f64> = None;
    for f in [1, 2, 3, 4, 8, 16, 32] {
        let soup = sphere(2.0, f).unwrap();
        assert_closed(&soup);
        assert_eq!((soup.triangles().len(), euler(&soup)), (20 * f * f, 2));
        assert!(soup.points().iter().all(|p| (p.length() - 2.0).abs() < 1e-15 * 4.0));
        let missing = 4.0 / 3.0 * PI * 8.0 - volume(&soup);
        assert!(missing > 0.0);
        if let (Some(last), true) = (last, f > 4) {
            assert!((last / missing - 4.0).abs() < 0.2, "{}", last / missing);
        }
        last = Some(missing);
    }
    // The icosahedron in the unit sphere.
    let edge = 1.0 / (0.4 * PI).sin();
    assert_near(volume(&sphere(1.0, 1).unwrap()), 5.0 * (3.0 + 5f64.sqrt()) / 12.0 * edge.powi(3), 1e-14);
    assert!(is_convex(&sphere(1.0, 5).unwrap()));
}

#[test]
fn a_torus_converges_to_the_volume_of_pappus() {
    let missing = |n: usize| {
        let soup = torus(2.0, 0.5, 2 * n, n).unwrap();
        assert_closed(&soup);
        assert_eq!((soup.triangles().len(), euler(&soup)), (4 * n * n, 0));
        2.0 * PI * PI * 2.0 * 0.25 - volume(&soup)
    };
    let ratio = missing(32) / missing(64);
    assert!((ratio - 4.0).abs() < 0.05, "{ratio}");
}

#[test]
fn a_knot_is_one_closed_tube_and_converges_to_the_volume_of_pappus() {
    let knot = TorusKnot::TREFOIL;
    let whole = PI * 0.09 * knot.curve_length();
    let missing = |n: usize| {
        let soup = knot.soup(12 * n, n).unwrap();
        assert_closed(&soup);
        assert_eq!(euler(&soup), 0);
        whole - volume(&soup)
    };
    let (coarse, fine) = (missing(24), missing(48));
    assert!(fine > 0.0 && (coarse / fine - 4.0).abs() < 0.1, "{coarse} {fine}");
    for (p, q) in [(3, 2), (2, 5), (1, 1), (3, 4)] {
        let knot = TorusKnot { around_axis: p, around_ring: q, tube_radius: 0.1, ..knot };
        let soup = knot.soup(40 * q as usize, 8).unwrap();
        assert_closed(&soup);
        assert!(volume(&soup) > 0.0);
    }
}

#[test]
fn the_trefoil_of_the_comparisons_runs_along_its_curve() {
    let knot = TorusKnot::TREFOIL;
    for i in 0..50 {
        let t = f64::from(i) * 0.13;
        let reach = 2.0 + (3.0 * t).cos();
        let expected = Vec3::new(reach * (2.0 * t).cos(), reach * (2.0 * t).sin(), -(3.0 * t).sin());
        assert!(knot.curve(t).distance(expected) < 1e-14);
    }
    // Every point of a ring is on the circle across the curve.
    let soup = knot.soup(100, 10).unwrap();
    for (i, ring) in soup.points().chunks(10).enumerate() {
        let t = TAU * i as f64 / 100.0;
        let along = (knot.curve(t + 1e-5) - knot.curve(t - 1e-5)).normalize();
        for &p in ring {
            assert_near(p.distance(knot.curve(t)), 0.3, 1e-14);
            assert!((p - knot.curve(t)).dot(along).abs() < 1e-8);
        }
    }
}

#[test]
fn a_number_of_triangles_can_be_asked_for() {
    for target in [1_000, 10_000, 100_000] {
        let found = TorusKnot::TREFOIL.soup_with_triangles(target).unwrap().triangles().len();
        assert!(found.abs_diff(target) * 50 <= target, "{found} for {target}");
    }
}

#[test]
fn nonsense_is_refused_by_name() {
    type E = PrimitiveError;
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(cuboid(Vec3::new(1.0, bad, 1.0)), Err(E::NotALength { name: "size.y", .. })));
        assert!(matches!(cylinder(bad, 1.0, 8), Err(E::NotALength { name: "radius", .. })));
        assert!(matches!(cylinder(1.0, bad, 8), Err(E::NotALength { name: "height", .. })));
        assert!(matches!(cone(bad, 1.0, 8), Err(E::NotALength { name: "radius", .. })));
        assert!(matches!(frustum(1.0, bad, 1.0, 8), Err(E::NotALength { name: "top", .. })));
        assert!(matches!(sphere(bad, 1), Err(E::NotALength { .. })));
        assert!(matches!(torus(2.0, bad, 8, 8), Err(E::NotALength { name: "tube radius", .. })));
        assert!(matches!(
            extrusion(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], &[], bad),
            Err(E::NotALength { .. })
        ));
    }
    assert_eq!(cylinder(1.0, 1.0, 2), Err(E::TooFew { name: "segments", value: 2, least: 3 }));
    assert_eq!(prism(2, 1.0, 1.0), Err(E::TooFew { name: "sides", value: 2, least: 3 }));
    assert_eq!(sphere(1.0, 0), Err(E::TooFew { name: "frequency", value: 0, least: 1 }));
    assert!(matches!(sphere(1.0, usize::MAX), Err(E::TooManyTriangles { .. })));
    assert!(matches!(torus(2.0, 1.0, usize::MAX, 3), Err(E::TooManyTriangles { .. })));
    assert!(matches!(cone(2.0, 1.0, usize::MAX), Err(E::TooManyTriangles { .. })));
    assert_eq!(torus(1.0, 1.0, 8, 8), Err(E::TubeTooThick { tube: 1.0, limit: 1.0 }));
    assert!(matches!(extrusion(&[], &[], 1.0), Err(E::Outline(TriangulateError::TooFewCorners { .. }))));
    assert!(matches!(
        extrusion(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.5]], &[], 1.0),
        Err(E::Outline(TriangulateError::Crossing { .. }))
    ));
}

#[test]
fn knots_that_are_none_or_run_into_themselves_are_refused() {
    let knot = TorusKnot::TREFOIL;
    for (p, q) in [(2, 4), (0, 1), (3, 0), (1000, 1)] {
        let found = TorusKnot { around_axis: p, around_ring: q, ..knot }.soup(100, 8);
        assert_eq!(found, Err(PrimitiveError::Windings { around_axis: p, around_ring: q }));
    }
    for tube_radius in [0.9, 1.5, 100.0] {
        let found = TorusKnot { tube_radius, ..knot }.soup(100, 8);
        assert!(matches!(found, Err(PrimitiveError::TubeTooThick { .. })), "{found:?}");
    }
    assert!(matches!(knot.soup(5, 8), Err(PrimitiveError::TooFew { name: "segments along", .. })));
    assert!(matches!(knot.soup_with_triangles(0), Err(PrimitiveError::TooFew { .. })));
    assert!(matches!(
        TorusKnot { coil_radius: f64::NAN, ..knot }.soup(100, 8),
        Err(PrimitiveError::NotALength { .. })
    ));
}
