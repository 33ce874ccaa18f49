//! Ellipsoids where they are hard: next to touching and a little in each other, flat and long, as balls, and
//! along the axes.

use crate::bodies::sample;
use crate::distance::random_pose;
use seeded::Random;
use silvia_proximity::shape::{Overlap, collide, contacts, distance, penetration, point_distance};
use silvia_proximity::{Ray, Shape, ShapeContact, ShapeError, ShapeKind, cast_ray};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use std::f64::consts::FRAC_PI_2;

fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    Shape::ellipsoid(Vec3::new(x, y, z)).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// Round, flat and long ones.
fn all() -> [Shape; 5] {
    [
        ellipsoid(0.3, 0.6, 0.45),
        ellipsoid(0.5, 0.5, 0.005),
        ellipsoid(0.006, 0.6, 0.006),
        ellipsoid(0.5, 0.3, 0.003),
        ellipsoid(0.4, 0.4, 0.4),
    ]
}

/// The contact that holds with the least gap.
fn nearest_contact(a: &Shape, p: &Pose, b: &Shape, q: &Pose) -> ShapeContact {
    let found = contacts(a, p, b, q, 0.01).unwrap();
    let held = found.into_iter().filter(|contact| contact.state.holds);
    held.min_by(|x, y| x.state.gap.total_cmp(&y.state.gap)).unwrap()
}

/// Two shapes that are moved towards each other along their common normal keep it, and are as far apart as
/// they were less the way.
#[test]
fn gaps_and_normals_have_all_their_digits_next_to_touching() {
    let kinds = [
        ShapeKind::Point,
        ShapeKind::Segment,
        ShapeKind::Sphere,
        ShapeKind::Capsule,
        ShapeKind::Cylinder,
        ShapeKind::Cone,
        ShapeKind::Ellipsoid,
    ];
    let mut random = Random::new(21);
    let mut worst = [0.0_f64; 3];
    for a in &all() {
        for b in kinds.map(sample).iter().chain(&all()) {
            for _ in 0..40 {
                let (here, far) =
                    (random_pose(&mut random, 0.5), random_pose(&mut random, 0.5).moved(Vec3::X * 4.0));
                let apart = distance(a, &here, b, &far);
                let normal = (apart.points[1] - apart.points[0]).normalize();
                for gap in [1e-3, 1e-6, 1e-9, 1e-12] {
                    let near = far.moved(normal * (gap - apart.upper));
                    let found = distance(a, &here, b, &near);
                    let about = || format!("{:?} {:?} for {gap:e}: {found:?}", a, b.kind());
                    assert!(found.upper - found.lower <= 2e-14, "{}", about());
                    worst[0] = worst[0].max((found.upper - gap).abs());
                    let state = nearest_contact(a, &here, b, &near).state;
                    worst[1] = worst[1].max((state.gap - gap).abs());
                    worst[2] = worst[2].max(state.normal.distance(normal));
                    let deep =
                        nearest_contact(a, &here, b, &far.moved(-normal * (gap.min(1e-7) + apart.upper)))
                            .state;
                    worst[1] = worst[1].max((deep.gap + gap.min(1e-7)).abs());
                    worst[2] = worst[2].max(deep.normal.distance(normal));
                }
            }
        }
    }
    println!("distances off by {:e} m, gaps by {:e} m, normals by {:e} rad", worst[0], worst[1], worst[2]);
    assert!(worst[0] <= 1e-14 && worst[1] <= 1e-14 && worst[2] <= 2e-10, "{worst:?}");
}

#[test]
fn one_with_equal_axes_is_a_ball() {
    let (ball, same) = (Shape::sphere(0.4).unwrap(), ellipsoid(0.4, 0.4, 0.4));
    let mut random = Random::new(22);
    for kind in ShapeKind::ALL {
        let other = sample(kind);
        for _ in 0..20 {
            let (p, q) = (random_pose(&mut random, 0.6), random_pose(&mut random, 0.6));
            let [d, e] = [&ball, &same].map(|shape| distance(shape, &p, &other, &q));
            assert!((d.upper - e.upper).abs() < 1e-12, "{kind:?}: {d:?} {e:?}");
            if d.upper > 1e-3 {
                assert!(d.points[0].distance(e.points[0]) < 1e-9, "{kind:?}: {d:?} {e:?}");
            }
            let deep = [&ball, &same].map(|shape| penetration(shape, &p, &other, &q));
            if let (true, [Overlap::Deep(d), Overlap::Deep(e)]) = (kind < ShapeKind::Solid, deep) {
                assert!((d.depth - e.depth).abs() < 1e-11, "{kind:?}: {d:?} {e:?}");
            }
        }
    }
    for _ in 0..200 {
        let (p, x) = (random_pose(&mut random, 0.6), random.vector(1.0));
        let [d, e] = [&ball, &same].map(|shape| point_distance(shape, &p, x).unwrap());
        assert!((d.distance - e.distance).abs() < 1e-14 && d.nearest.distance(e.nearest) < 1e-13);
        let ray = Ray { origin: x, direction: random.direction(), reach: f64::INFINITY };
        match [&ball, &same].map(|shape| cast_ray(shape, &p, &ray).unwrap()) {
            [Some(d), Some(e)] => {
                assert!(d.point.distance(e.point) < 1e-12 && d.normal.distance(e.normal) < 1e-12)
            }
            [None, None] => {}
            [d, e] => panic!("{d:?} {e:?}"),
        }
    }
}

#[test]
fn along_the_axes_closed_forms_hold() {
    let egg = ellipsoid(0.3, 0.5, 0.7);
    let cube = Shape::cuboid(Vec3::splat(2.0)).unwrap();
    let can = Shape::cylinder(0.5, 2.0).unwrap();
    let cone = Shape::cone(0.5, 2.0).unwrap();
    let ball = Shape::sphere(0.25).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let here = Pose::IDENTITY;
    let pairs = [
        (&egg, at(2.0, 0.0, 0.0), 2.0 - 0.6),
        (&egg, at(0.0, -2.0, 0.0), 2.0 - 1.0),
        (&egg, at(0.0, 0.0, 2.0), 2.0 - 1.4),
        (&cube, at(0.0, 0.0, 2.0), 2.0 - 1.7),
        (&cube, at(2.0, 0.3, 0.4), 2.0 - 1.3),
        (&can, at(0.0, 2.0, 0.0), 2.0 - 1.0),
        (&can, at(0.0, 0.0, 2.0), 2.0 - 1.7),
        (&cone, at(0.0, 0.0, -2.0), 2.0 - 1.7),
        (&ball, at(0.0, 0.0, 2.0), 2.0 - 0.95),
        (&ground, at(0.1, 0.2, -1.0), 1.0 - 0.7),
    ];
    for (other, place, gap) in pairs {
        let found = distance(&egg, &here, other, &place);
        assert!((found.upper - gap).abs() < 4e-15 && found.upper - found.lower < 4e-15, "{gap}: {found:?}");
        let way = (found.points[0] - found.points[1]).normalize();
        // Touching exactly, and a rounding or two apart.
        let touching = place.moved(way * gap);
        assert!(distance(&egg, &here, other, &touching).upper < 4e-15);
        assert!(!collide(&egg, &here, other, &place.moved(way * (gap - 1e-13))));
        assert!(collide(&egg, &here, other, &place.moved(way * (gap + 1e-13))));
        let deep = penetration(&egg, &here, other, &place.moved(way * (gap + 1e-3)));
        let deep = deep.penetration().unwrap();
        assert!((deep.depth - 1e-3).abs() < 1e-12 && deep.direction.distance(-way) < 1e-6, "{deep:?}");
    }
}

#[test]
fn a_flat_one_lies_on_another_and_stands_on_its_border() {
    let disc = ellipsoid(1.0, 1.0, 0.01);
    let here = Pose::IDENTITY;
    let over = |gap: f64| at(0.0, 0.0, 0.02 + gap);
    let edgewise =
        |gap: f64| Pose::new(Vec3::new(0.0, 0.0, 1.01 + gap), Quat::from_rotation_x(FRAC_PI_2)).unwrap();
    for gap in [5e-3, 1e-6, 1e-9, 1e-13] {
        for pose in [over(gap), edgewise(gap)] {
            let found = distance(&disc, &here, &disc, &pose);
            assert!(
                (found.upper - gap).abs() < 1e-14 && found.upper - found.lower < 1e-14,
                "{gap}: {found:?}"
            );
            let state = nearest_contact(&disc, &here, &disc, &pose).state;
            assert!((state.gap - gap).abs() < 1e-14 && state.normal.distance(Vec3::Z) < 1e-12, "{state:?}");
        }
    }
    let deep = penetration(&disc, &here, &disc, &over(-0.005)).penetration().unwrap();
    assert!((deep.depth - 0.005).abs() < 1e-12 && deep.certified, "{deep:?}");
}

#[test]
fn what_is_too_long_or_no_length_is_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let made = Shape::ellipsoid(Vec3::new(1.0, bad, 1.0));
        let Err(ShapeError::NotALength { name, .. }) = made else { panic!("{made:?}") };
        assert_eq!(name, "semi-axis along y");
    }
    assert!(Shape::ellipsoid(Vec3::new(1.0, 1e-3, 1.0)).is_ok());
    let long = Shape::ellipsoid(Vec3::new(2.0, 1e-3, 1.0)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "the longest axis of the ellipsoid is 2000 times as long as the shortest: it may be up to 1000 times \
         as long; use a part made of triangles"
    );
    assert!(Shape::ellipsoid(Vec3::splat(1e61)).is_err());
}

#[test]
fn one_drawn_in_is_within_by_the_distance_everywhere() {
    let egg = ellipsoid(0.3, 0.9, 0.6);
    let thinner = egg.inset(1e-4).unwrap();
    let mut random = Random::new(23);
    for _ in 0..200 {
        let n = random.direction();
        let in_by = (egg.support(n).unwrap() - thinner.support(n).unwrap()).dot(n);
        assert!((1e-4..1.2e-4).contains(&in_by), "{in_by}");
    }
}
