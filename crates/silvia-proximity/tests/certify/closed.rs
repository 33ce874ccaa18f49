//! Times that can be worked out on paper.

use super::{at, body, floor, ground, path};
use silvia_proximity::shape::Shape;
use silvia_proximity::{Feature, RigidPath, check_path, swept_box};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3, primitives};

fn solid_box() -> Shape {
    Shape::solid(Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap())
}

#[test]
fn what_falls_reaches_the_ground_when_its_lowest_point_does() {
    let still = RigidPath::still(Pose::IDENTITY);
    let fall = path(at(0.0, 0.0, 2.5), at(0.0, 0.0, -1.5));
    let things = [
        (Shape::point(Vec3::new(0.0, 0.0, -0.5)).unwrap(), 0.5),
        (Shape::segment([Vec3::new(0.0, 0.0, -0.5), Vec3::X]).unwrap(), 0.5),
        (Shape::sphere(0.5).unwrap(), 0.5),
        (Shape::capsule(0.25, 0.5).unwrap(), 0.5),
        (Shape::cylinder(0.3, 1.0).unwrap(), 0.5),
        (Shape::cone(0.3, 1.0).unwrap(), 0.5),
        (Shape::ellipsoid(Vec3::new(0.3, 0.7, 0.5)).unwrap(), 0.5),
        (Shape::cuboid(Vec3::ONE).unwrap(), 0.5),
        (solid_box(), 0.5),
    ];
    for (thing, time) in things {
        for below in [ground(), floor(3.0, 4)] {
            let check = check_path(&body(&below), &still, &body(&thing), &fall);
            let crossing = check.crossing.unwrap();
            assert!(check.free_until <= time && check.free_until > time - 1e-9, "{thing:?}: {check:?}");
            assert!(
                crossing.upper <= time + 1e-9 && crossing.upper >= check.free_until,
                "{thing:?}: {check:?}"
            );
            assert!(crossing.normal.distance(Vec3::Z) < 1e-9, "{thing:?}: {check:?}");
            assert!(crossing.points.iter().all(|p| p.z.abs() < 1e-8), "{thing:?}: {check:?}");
            assert!(!check.at_start);
            let other = check_path(&body(&thing), &fall, &body(&below), &still);
            assert_eq!(other.free_until, check.free_until);
            assert_eq!(other.crossing.unwrap().normal, -crossing.normal);
        }
    }
}

#[test]
fn balls_meet_when_their_middles_are_two_radii_apart() {
    let (a, b) = (body(&Shape::sphere(0.5).unwrap()), body(&Shape::sphere(0.25).unwrap()));
    // They pass at 0.45 m: they meet where sqrt(0.75² - 0.45²) = 0.6 m are left of the way.
    let check =
        check_path(&a, &path(at(-3.0, 0.45, 0.0), at(3.0, 0.45, 0.0)), &b, &RigidPath::still(Pose::IDENTITY));
    let crossing = check.crossing.unwrap();
    assert!((check.free_until - 0.4).abs() < 1e-12 && check.free_until <= 0.4, "{check:?}");
    assert!(crossing.normal.distance(Vec3::new(0.8, -0.6, 0.0)) < 1e-9, "{check:?}");
    assert_eq!(crossing.features, [Some(Feature::Patch(0)); 2]);
    // And they pass.
    for (aside, is_free) in [(0.75 + 1e-12, true), (0.75 - 1e-12, false)] {
        let pass = path(at(-3.0, aside, 0.0), at(3.0, aside, 0.0));
        let check = check_path(&a, &pass, &b, &RigidPath::still(Pose::IDENTITY));
        assert_eq!(check.is_free(), is_free, "{aside}: {check:?}");
    }
}

#[test]
fn touching_at_the_start_is_said_and_so_is_being_inside() {
    let still = RigidPath::still(Pose::IDENTITY);
    let ball = body(&Shape::sphere(0.1).unwrap());
    let away = |x: f64| path(at(x, 0.0, 0.0), at(5.0, 0.0, 0.0));
    for x in [0.0, 0.2, 0.5, 0.6] {
        let check = check_path(&body(&solid_box()), &still, &ball, &away(x));
        assert!(
            check.at_start && check.free_until == 0.0 && check.crossing.unwrap().upper == 0.0,
            "{x} {check:?}"
        );
    }
    assert!(check_path(&body(&solid_box()), &still, &ball, &away(0.6 + 1e-12)).is_free());
    assert!(check_path(&ball, &still, &ball, &away(0.2)).at_start);
    assert!(check_path(&ball, &still, &ball, &away(0.2 + 1e-12)).is_free());
}

#[test]
fn a_half_space_that_tilts_is_followed() {
    // A wall through the y axis that tips by 90 degrees onto a point at 45 degrees: its normal goes straight,
    // so halfway.
    let wall = body(&Shape::half_space(Plane { normal: Vec3::X, offset: 0.0 }).unwrap());
    let tip = path(
        Pose::IDENTITY,
        Pose::new(Vec3::ZERO, Quat::from_rotation_y(std::f64::consts::FRAC_PI_2)).unwrap(),
    );
    let point = Shape::point(Vec3::new(1.0, 0.0, 1.0)).unwrap();
    let fine =
        Shape::triangle([Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 0.0, 1.0)])
            .unwrap();
    for thing in [point, fine] {
        let check = check_path(&wall, &tip, &body(&thing), &RigidPath::still(Pose::IDENTITY));
        assert!((check.free_until - 0.5).abs() < 1e-12 && check.free_until <= 0.5, "{check:?}");
    }
    let ball = body(&Shape::sphere(0.5f64.sqrt()).unwrap());
    let check = check_path(&wall, &tip, &ball, &RigidPath::still(at(2.0, 0.0, 1.0)));
    // (2 - 3 t) / |n| = 1 / sqrt 2 where 8 t² - 11 t + 3.5 = 0 (n = (1 - t, -t)).
    let time = (11.0 - 9.0f64.sqrt()) / 16.0;
    assert!((check.free_until - time).abs() < 1e-9, "{check:?} {time}");
}

#[test]
fn the_box_around_a_path_holds_both_ends_and_what_is_between() {
    let capsule = body(&Shape::capsule(0.1, 0.8).unwrap());
    let turned = Pose::new(Vec3::new(2.0, 0.0, 0.0), Quat::from_rotation_y(1.0)).unwrap();
    let bounds = swept_box(&capsule, &path(Pose::IDENTITY, turned));
    let high = 0.5f64;
    assert!(bounds.min.x <= -0.1 && bounds.min.x > -0.1 - 1e-13);
    assert!(bounds.max.z >= high && bounds.max.z < high + 1e-13);
    assert!((bounds.max.x - (2.1 + 0.4 * 1f64.sin())).abs() < 1e-13);
    assert_eq!(swept_box(&body(&ground()), &RigidPath::still(Pose::IDENTITY)).min.x, f64::NEG_INFINITY);
}

#[test]
fn in_a_cavity_what_is_inside_at_both_ends_stays_and_what_is_not_is_told_when_it_leaves() {
    let bowl = body(&Shape::cavity(1.0).unwrap());
    let still = RigidPath::still(Pose::IDENTITY);
    let cube = Shape::cuboid(Vec3::new(0.2, 0.2, 0.2)).unwrap();
    let ring = Shape::solid(Solid::from_soup(&primitives::torus(0.3, 0.1, 24, 12).unwrap()).unwrap());
    let tilt = Quat::from_scaled_axis(Vec3::new(0.4, -0.3, 0.2));
    for (thing, margin) in [
        (Shape::sphere(0.3).unwrap(), 0.3),
        (Shape::capsule(0.1, 0.3).unwrap(), 0.0),
        (Shape::cylinder(0.2, 0.3).unwrap(), 0.0),
        (Shape::cone(0.2, 0.3).unwrap(), 0.0),
        (Shape::ellipsoid(Vec3::new(0.1, 0.3, 0.2)).unwrap(), 0.0),
        (cube, 0.0),
        (ring, 0.0),
    ] {
        let start = Pose::new(Vec3::new(-0.2, 0.1, 0.0), tilt).unwrap();
        let way = |x: f64| path(start, Pose::new(Vec3::new(x, 0.1, 0.0), tilt).unwrap());
        // By bisection on the distance: the shape does not turn.
        let place = |x: f64| way(x).to;
        let apart =
            |x: f64| silvia_proximity::distance(&Shape::cavity(1.0).unwrap(), &still.from, &thing, &place(x));
        let (mut low, mut high) = (-0.2, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            (low, high) = if apart(middle).upper > 0.0 { (middle, high) } else { (low, middle) };
        }
        assert!(margin == 0.0 || (low - ((0.49f64 - 0.01).sqrt())).abs() < 1e-14);
        let thing = body(&thing);
        for back in [1e-12, 1e-3] {
            assert!(check_path(&bowl, &still, &thing, &way(low - back)).is_free());
        }
        let check = check_path(&bowl, &still, &thing, &way(2.0));
        let time = (low + 0.2) / 2.2;
        assert!(check.free_until <= time && check.free_until > time - 1e-11, "{time}: {check:?}");
        let crossing = check.crossing.unwrap();
        assert!(crossing.points[0].distance(crossing.points[1]) < 1e-10, "{check:?}");
        assert!(crossing.normal.distance(-crossing.points[0]) < 1e-10 && !check.at_start, "{check:?}");
        assert!(check.work < 200, "{check:?}");
        let swapped = check_path(&thing, &way(2.0), &bowl, &still);
        assert_eq!(
            (swapped.free_until, swapped.crossing.unwrap().normal),
            (check.free_until, -crossing.normal)
        );
        // Beyond, or where both go on for ever, nothing is free.
        assert!(check_path(&bowl, &still, &thing, &path(way(low + 1e-9).to, start)).at_start);
        assert!(check_path(&bowl, &still, &body(&ground()), &still).at_start);
    }
}
