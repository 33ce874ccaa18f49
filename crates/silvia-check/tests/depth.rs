//! Depths at states, against closed forms and against the queries of `silvia-proximity`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{at, cuboid, depth_of, knot, turned};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Solid, Vec3, primitives};

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

#[test]
fn boxes_one_on_the_other_are_as_deep_as_they_overlap() {
    for overlap in [1e-1, 1e-4, 1e-8] {
        let place = at(0.0, 0.0, 1.0 - overlap);
        assert_near(depth_of(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0), &place), overlap, 1e-10);
    }
}

#[test]
fn boxes_that_overlap_crosswise_are_as_deep_as_they_overlap() {
    let place = turned(Vec3::Z, 0.3, Vec3::new(0.2, 0.1, 0.6 - 1e-8));
    assert_near(depth_of(&cuboid(3.0, 1.0, 1.0), &cuboid(1.0, 4.0, 0.2), &place), 1e-8, 1e-10);
}

#[test]
fn a_gap_is_no_depth() {
    for gap in [1e-9, 1e-12] {
        let place = at(0.3, 0.2, 1.0 + gap);
        assert_eq!(depth_of(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0), &place), 0.0);
    }
}

#[test]
fn a_corner_below_a_face_is_as_deep_as_it_is_below() {
    let tip = Vec3::splat(0.5).length();
    let turn = silvia_solid::Quat::from_rotation_arc(Vec3::splat(1.0).normalize(), -Vec3::Z);
    let place = Pose::new(Vec3::new(0.1, 0.2, 0.5 + tip - 1e-8), turn).unwrap();
    assert_near(depth_of(&cuboid(2.0, 2.0, 1.0), &cuboid(1.0, 1.0, 1.0), &place), 1e-8, 1e-10);
}

#[test]
fn an_edge_across_an_edge_is_found() {
    // Both stand on an edge of a right angle; the deepest common points are below both faces by 1/sqrt(2) of
    // the overlap.
    let a = Shape::cuboid(Vec3::ONE).unwrap();
    let diagonal = 0.5_f64.sqrt();
    let lower = turned(Vec3::X, std::f64::consts::FRAC_PI_4, Vec3::ZERO);
    let upper = turned(Vec3::Y, std::f64::consts::FRAC_PI_4, Vec3::new(0.0, 0.0, 2.0 * diagonal - 1e-8));
    let place = lower.inverse().compose(&upper);
    assert_near(depth_of(&a, &a, &place), 1e-8 * diagonal, 1e-10);
}

#[test]
fn coinciding_boxes_overlap() {
    let found = depth_of(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY);
    assert!(found > 0.5, "{found}");
}

#[test]
fn a_body_inside_another_is_deep() {
    let found = depth_of(&cuboid(4.0, 4.0, 4.0), &cuboid(1.0, 1.0, 1.0), &Pose::IDENTITY);
    assert!(found > 1.9, "{found}");
}

#[test]
fn balls_are_as_deep_as_they_overlap_and_points_as_they_are_inside() {
    let ball = Shape::sphere(0.5).unwrap();
    let block = cuboid(2.0, 2.0, 1.0);
    let point = Shape::point(Vec3::ZERO).unwrap();
    assert_near(depth_of(&ball, &ball, &at(0.6, 0.0, 0.0)), 0.4, 1e-15);
    assert_near(depth_of(&block, &ball, &at(0.1, 0.0, 1.0 - 1e-8)), 1e-8, 1e-15);
    assert_near(depth_of(&block, &ball, &at(0.1, 0.0, 0.2)), 0.8, 1e-15);
    assert_near(depth_of(&block, &point, &at(0.1, 0.0, 0.2)), 0.3, 1e-15);
    assert_eq!(depth_of(&block, &ball, &at(0.1, 0.0, 1.0 + 1e-12)), 0.0);
}

#[test]
fn everything_is_as_deep_in_a_half_space_as_its_lowest_point() {
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let shapes = [
        (cuboid(1.0, 2.0, 0.6), 0.3),
        (Shape::sphere(0.4).unwrap(), 0.4),
        (Shape::capsule(0.1, 1.0).unwrap(), 0.6),
        (Shape::cylinder(0.2, 1.0).unwrap(), 0.5),
        (Shape::cone(0.2, 1.0).unwrap(), 0.5),
        (Shape::ellipsoid(Vec3::new(0.2, 0.3, 0.5)).unwrap(), 0.5),
        (Shape::segment([Vec3::new(0.0, 0.0, -0.7), Vec3::Z]).unwrap(), 0.7),
        (Shape::soup(primitives::cuboid(Vec3::ONE).unwrap()), 0.5),
    ];
    for (shape, low) in shapes {
        assert_near(depth_of(&ground, &shape, &at(3.0, 2.0, low - 1e-8)), 1e-8, 1e-15);
        assert_eq!(depth_of(&ground, &shape, &at(3.0, 2.0, low + 1e-12)), 0.0);
    }
}

#[test]
fn everything_is_as_deep_in_the_wall_of_a_cavity_as_its_farthest_point() {
    let bowl = Shape::cavity(2.0).unwrap();
    // Each with how far it reaches from its origin, and a turn.
    let flat = Vec3::new(0.2, 0.3, 0.5);
    let shapes = [
        (cuboid(0.6, 0.8, 1.0), Vec3::new(0.3, 0.4, 0.5)),
        (Shape::sphere(0.4).unwrap(), Vec3::X * 0.4),
        (Shape::capsule(0.1, 1.0).unwrap(), Vec3::Z * 0.6),
        (Shape::cylinder(0.2, 1.0).unwrap(), Vec3::new(0.2, 0.0, 0.5)),
        (Shape::cone(0.2, 1.0).unwrap(), Vec3::new(0.2, 0.0, -0.5)),
        (Shape::cone(0.2, 1.0).unwrap(), Vec3::new(0.0, 0.0, 0.5)),
        (Shape::ellipsoid(flat).unwrap(), Vec3::Z * 0.5),
        (Shape::ellipsoid(flat).unwrap(), Vec3::X * 0.2),
        (Shape::segment([Vec3::new(0.0, 0.0, -0.7), Vec3::Z * 0.1]).unwrap(), Vec3::Z * -0.7),
        (Shape::soup(primitives::cuboid(Vec3::ONE).unwrap()), Vec3::splat(0.5)),
    ];
    for (shape, tip) in shapes {
        // The tip lies outward, as it does of none of them from farther in.
        for depth in [0.3, 1e-8] {
            let away = (2.0 - tip.length() + depth) * tip.normalize();
            let place = turned(Vec3::Y, 0.7, Vec3::ZERO).compose(&at(away.x, away.y, away.z));
            assert_near(depth_of(&bowl, &shape, &place), depth, 4e-15);
            let free = place.moved(-(depth + 1e-12) * place.translation().normalize());
            assert_eq!(depth_of(&bowl, &shape, &free), 0.0, "{shape:?}");
        }
    }
    // Next to the centre of curvature: the farthest point of (a cos, b sin) from (0, -c) has the sine
    // c b / (a² - b²).
    let egg = Shape::ellipsoid(Vec3::new(1.9, 1.2, 0.5)).unwrap();
    let sine: f64 = 0.2 * 1.2 / (1.9 * 1.9 - 1.2 * 1.2);
    let most = (1.9f64.powi(2) * (1.0 - sine * sine) + (1.2 * sine + 0.2).powi(2)).sqrt();
    assert_near(depth_of(&Shape::cavity(1.5).unwrap(), &egg, &at(0.0, 0.2, 0.0)), most - 1.5, 1e-13);
}

#[test]
fn round_shapes_are_as_deep_as_they_overlap() {
    let cylinder = Shape::cylinder(0.5, 2.0).unwrap();
    let cone = Shape::cone(0.5, 1.0).unwrap();
    let capsule = Shape::capsule(0.1, 1.0).unwrap();
    let block = cuboid(4.0, 4.0, 1.0);
    let lying = |z: f64| turned(Vec3::X, std::f64::consts::FRAC_PI_2, Vec3::new(0.3, 0.2, z));
    let d = 1e-8;
    assert_near(depth_of(&block, &cylinder, &at(0.3, 0.2, 1.5 - d)), d, 1e-10);
    assert_near(depth_of(&block, &cylinder, &lying(1.0 - d)), d, 1e-10);
    assert_near(depth_of(&block, &capsule, &lying(0.6 - d)), d, 1e-10);
    assert_near(
        depth_of(&block, &cone, &turned(Vec3::X, std::f64::consts::PI, Vec3::new(0.3, 0.1, 1.0 - d))),
        d,
        1e-10,
    );
    assert_near(depth_of(&cylinder, &cylinder, &at(1.0 - d, 0.0, 0.3)), d, 1e-10);
    assert_near(
        depth_of(
            &cylinder,
            &cylinder,
            &turned(Vec3::X, std::f64::consts::FRAC_PI_2, Vec3::new(1.0 - d, 0.0, 0.0)),
        ),
        d,
        1e-10,
    );
    assert_near(depth_of(&cylinder, &cone, &at(0.0, 0.0, 1.5 - d)), d, 1e-10);
    assert_near(depth_of(&cylinder, &capsule, &at(0.6 - d, 0.0, 0.1)), d, 1e-10);
    for (a, b, place) in [
        (&block, &cylinder, at(0.3, 0.2, 1.5 + 1e-9)),
        (&block, &cylinder, lying(1.0 + 1e-9)),
        (&cylinder, &cylinder, at(1.0 + 1e-9, 0.0, 0.3)),
        (&cylinder, &cone, at(0.0, 0.0, 1.5 + 1e-9)),
    ] {
        assert_eq!(depth_of(a, b, &place), 0.0);
    }
}

#[test]
fn a_knot_through_a_knot_is_found_and_knots_apart_are_not() {
    let shape = Shape::solid(Solid::from_soup(&knot()).unwrap());
    let found = depth_of(&shape, &shape, &turned(Vec3::X, 1.0, Vec3::new(0.3, 0.1, 0.0)));
    assert!(found > 0.05, "{found}");
    assert_eq!(depth_of(&shape, &shape, &at(0.0, 0.0, 10.0)), 0.0);
}

#[test]
fn sheets_that_cross_are_as_deep_as_the_least_end_reaches_through() {
    let sheet =
        Shape::triangle([Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)])
            .unwrap();
    let pin = Shape::segment([Vec3::new(0.0, 0.0, -0.25), Vec3::Z]).unwrap();
    let blade =
        Shape::triangle([Vec3::new(0.0, 0.0, -0.25), Vec3::new(0.1, 0.0, 1.0), Vec3::new(-0.1, 0.0, 1.0)])
            .unwrap();
    assert_near(depth_of(&sheet, &pin, &Pose::IDENTITY), 0.25, 1e-15);
    assert_near(depth_of(&sheet, &blade, &Pose::IDENTITY), 0.25, 1e-15);
    assert_eq!(depth_of(&sheet, &pin, &at(0.0, 0.0, 0.3)), 0.0);
}

#[test]
fn parts_of_compounds_are_looked_at() {
    let two = Shape::compound([
        (at(-1.0, 0.0, 0.0), cuboid(1.0, 1.0, 1.0)),
        (at(1.0, 0.0, 0.0), Shape::sphere(0.5).unwrap()),
    ])
    .unwrap();
    assert_eq!(depth_of(&two, &Shape::sphere(0.4).unwrap(), &Pose::IDENTITY), 0.0);
    assert_near(depth_of(&two, &Shape::sphere(0.4).unwrap(), &at(0.2, 0.0, 0.0)), 0.1, 1e-15);
    assert_near(depth_of(&two, &Shape::sphere(0.4).unwrap(), &at(-0.2, 0.0, 0.0)), 0.1, 1e-15);
}
