//! Convex pairs of many vertices are answered as exactly as those of few.

use crate::bodies::sample;
use crate::distance::random_pose;
use seeded::Random;
use silvia_proximity::shape::penetration;
use silvia_proximity::{Convex, Expansion, Shape, ShapeKind, convex_penetration};
use silvia_solid::{Pose, Quat, Solid, Vec3, primitives};

/// Balls nearly on one centre have nearly equal ways out all around, so that all of the difference has to be
/// looked at.
#[test]
fn balls_of_hundreds_of_vertices_are_as_deep_as_the_difference_of_the_solids_says() {
    let mut random = Random::new(31);
    for frequency in [6, 8] {
        let solid = Solid::from_soup(&primitives::sphere(1.0, frequency).unwrap()).unwrap();
        assert_eq!(solid.vertex_count(), 10 * frequency * frequency + 2);
        let (convex, shape) = (Convex::new(&solid).unwrap(), Shape::convex(&solid).unwrap());
        for far in [0.0, 1e-3, 0.05, 0.5] {
            let here = Pose::IDENTITY;
            let turned = Pose::new(far * random.direction(), random.rotation()).unwrap();
            for at in [turned, Pose::from_translation(turned.translation()).unwrap()] {
                let Expansion::Deep(truth) = convex_penetration(&convex, &here, &convex, &at) else {
                    panic!("they overlap at {at:?}")
                };
                let found = penetration(&shape, &here, &shape, &at).penetration().unwrap();
                assert!((found.depth - truth.depth).abs() < 1e-12, "{found:?} {truth:?}");
                assert!(found.depth - found.lower < 1e-12, "{found:?}");
            }
        }
    }
}

/// The same body as `Shape::Convex`, and as a solid that happens to be convex.
#[test]
fn a_solid_that_is_convex_is_as_deep_as_a_convex_solid() {
    let soup = primitives::sphere(0.5, 3).unwrap().scaled_axes(Vec3::new(1.0, 0.7, 1.3)).unwrap();
    let solid = Solid::from_soup(&soup).unwrap();
    let (convex, solid) = (Shape::convex(&solid).unwrap(), Shape::solid(solid));
    let mut random = Random::new(32);
    let mut deep = 0;
    let is_convex = |k: &ShapeKind| !matches!(k, ShapeKind::Solid | ShapeKind::Soup | ShapeKind::Compound);
    for kind in ShapeKind::ALL.into_iter().filter(is_convex) {
        let other = sample(kind);
        for _ in 0..8 {
            let (p, q) = (random_pose(&mut random, 0.3), random_pose(&mut random, 0.3));
            let [as_solid, as_convex] =
                [&solid, &convex].map(|shape| penetration(shape, &p, &other, &q).penetration());
            assert_eq!(as_solid.is_some(), as_convex.is_some(), "{kind:?}");
            if let (Some(one), Some(two)) = (as_solid, as_convex) {
                assert!((one.depth - two.depth).abs() < 1e-11, "{kind:?} {one:?} {two:?}");
                assert!((one.lower - two.lower).abs() < 1e-4, "{kind:?} {one:?} {two:?}");
                deep += 1;
            }
        }
    }
    assert!(deep > 50, "only {deep} were deep");
}

/// A flat cone in a high one: the bounded search proves nothing, and says so.
#[test]
fn the_lower_bound_of_very_thin_cones_may_be_nothing_but_the_depth_is_right() {
    let flat = Shape::cone(2.693_049, 0.012_436).unwrap();
    let high = Shape::cone(3.435_164, 36.465_714).unwrap();
    let at = Pose::from_translation(Vec3::new(1e-3, -2e-3, 1e-3)).unwrap();
    let found = penetration(&high, &Pose::IDENTITY, &flat, &at).penetration().unwrap();
    assert!(found.certified && 0.0 <= found.lower && found.lower <= found.depth, "{found:?}");
    // The best of many directions, each by the supports of both.
    let reach = |shape: &Shape, n: Vec3| n.dot(shape.support(n).unwrap());
    let needs = |n: Vec3| reach(&high, n) + reach(&flat, -n) - n.dot(at.translation());
    let best = silvia_proximity::spread_directions(200_000).map(needs).fold(f64::INFINITY, f64::min);
    assert!(found.depth <= best + 1e-9, "{found:?} {best}");
}

/// The direction between a point and a surface that it is on but for rounding is noise; it was taken for the
/// way out.
#[test]
fn a_ball_with_its_centre_on_the_surface_of_a_can_goes_straight_out() {
    let (can, ball) = (Shape::cylinder(0.4, 0.9).unwrap(), Shape::sphere(0.4).unwrap());
    let turned = Quat::from_xyzw(
        -0.643_214_152_021_264,
        -0.658_047_747_317_002_1,
        0.388_572_295_387_381_14,
        -0.047_542_487_818_446_354,
    );
    let at = Vec3::new(-0.095_725_299_251_477_03, -0.139_780_591_857_423_3, 0.027_380_941_262_484_196);
    let mut poses = vec![(
        Pose::new(at, turned.normalize()).unwrap(),
        Vec3::new(-0.260_240_551_878_581_25, 0.135_610_704_741_669_3, -0.214_533_860_601_652_8),
    )];
    let mut random = Random::new(33);
    for _ in 0..2000 {
        let pose = random_pose(&mut random, 0.3);
        let (sine, cosine) = (3.0 * random.direction().x).sin_cos();
        let rim = Vec3::new(0.4 * cosine, 0.4 * sine, 0.4 * random.direction().z);
        poses.push((pose, pose.transform_point(rim)));
    }
    for (pose, center) in poses {
        let local = pose.inverse().transform_point(center);
        let truth = 0.4 + (0.4 - local.truncate().length()).min(0.45 - local.z.abs());
        let there = Pose::from_translation(center).unwrap();
        let found = penetration(&can, &pose, &ball, &there).penetration().unwrap();
        assert!((found.depth - truth).abs() < 1e-11, "{found:?} {truth} {local}");
    }
}
