//! Collide and distance of every pair.

use crate::bodies::{Body, sample, tessellated_distance};
use crate::common::{pose, vector};
use proptest::prelude::*;
use seeded::Random;
use silvia_proximity::shape::{ShapeDistance, collide, distance};
use silvia_proximity::{Feature, Shape, ShapeKind};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use std::sync::OnceLock;

/// What answers may differ by, as a fraction of the size of the coordinates.
const ROUNDING: f64 = 1e-12;

fn samples() -> &'static [Shape] {
    static ALL: OnceLock<Vec<Shape>> = OnceLock::new();
    ALL.get_or_init(|| ShapeKind::ALL.iter().map(|&kind| sample(kind)).collect())
}

/// Every kind with every kind, itself included.
fn for_all_pairs(
    mut check: impl FnMut(&Shape, &Shape) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    for a in samples() {
        for b in samples() {
            check(a, b)?;
        }
    }
    Ok(())
}

fn mirrored(mut d: ShapeDistance) -> ShapeDistance {
    d.points.reverse();
    d.features.reverse();
    d.parts.reverse();
    d
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_pair_is_the_same_in_either_order_to_the_last_bit(p in pose(0.8), q in pose(0.8)) {
        for_all_pairs(|a, b| {
            prop_assert_eq!(
                distance(a, &p, b, &q),
                mirrored(distance(b, &q, a, &p)),
                "{:?} {:?}",
                a.kind(),
                b.kind()
            );
            prop_assert_eq!(collide(a, &p, b, &q), collide(b, &q, a, &p));
            Ok(())
        })?;
    }

    #[test]
    fn bounds_meet_points_lie_on_the_shapes_and_collide_agrees(p in pose(1.0), q in pose(1.0)) {
        for_all_pairs(|a, b| {
            let d = distance(a, &p, b, &q);
            let kinds = (a.kind(), b.kind());
            prop_assert!(d.lower <= d.upper && d.upper - d.lower <= ROUNDING, "{:?} {:?}", kinds, d);
            prop_assert!(
                (d.points[0].distance(d.points[1]) - d.upper).abs() <= ROUNDING,
                "{:?} {:?}",
                kinds,
                d
            );
            for (shape, at, point) in [(a, &p, d.points[0]), (b, &q, d.points[1])] {
                let off = distance(shape, at, &Shape::point(point).unwrap(), &Pose::IDENTITY).upper;
                prop_assert!(off <= ROUNDING, "{:?} a witness of {:?} is {} off", kinds, shape.kind(), off);
            }
            prop_assert_eq!(d.features[0].is_some() && d.features[1].is_some(), d.upper > 0.0);
            prop_assert_eq!(collide(a, &p, b, &q), d.upper == 0.0, "{:?} {:?}", kinds, d);
            Ok(())
        })?;
    }

    #[test]
    fn a_point_is_no_farther_than_by_way_of_the_other_shape(
        p in pose(1.5), q in pose(1.5), x in vector(2.0),
    ) {
        let point = Shape::point(x).unwrap();
        let here = Pose::IDENTITY;
        for_all_pairs(|a, b| {
            let between = distance(a, &p, b, &q);
            let direct = distance(a, &p, &point, &here).upper;
            // On the way over the nearest point of the other shape.
            prop_assert!(direct <= between.upper + between.points[1].distance(x) + ROUNDING);
            // And no point of the other shape is nearer than the shape.
            let nearest = distance(b, &q, &point, &here).points[0];
            let of_other = distance(a, &p, &Shape::point(nearest).unwrap(), &here).upper;
            prop_assert!(
                between.lower <= of_other + ROUNDING,
                "{:?} {:?} {} {}",
                a.kind(),
                b.kind(),
                between.lower,
                of_other
            );
            Ok(())
        })?;
    }

    #[test]
    fn moving_both_or_scaling_all_changes_nothing_else(
        p in pose(1.0), q in pose(1.0), m in pose(3.0), decade in -6.0..6.0f64,
    ) {
        let k = 10f64.powf(decade);
        for_all_pairs(|a, b| {
            let kinds = (a.kind(), b.kind());
            let d = distance(a, &p, b, &q).upper;
            let moved = distance(a, &m.compose(&p), b, &m.compose(&q)).upper;
            prop_assert!((d - moved).abs() <= ROUNDING, "{:?} {} {}", kinds, d, moved);
            Ok(())
        })?;
        let at = |p: &Pose| Pose::new(p.translation() * k, p.rotation()).unwrap();
        for_all_pairs(|a, b| {
            let d = distance(a, &p, b, &q).upper;
            let scaled = distance(&a.scaled(k).unwrap(), &at(&p), &b.scaled(k).unwrap(), &at(&q)).upper;
            prop_assert!(
                (k * d - scaled).abs() <= ROUNDING * k,
                "{:?} {:?} {} {}",
                a.kind(),
                b.kind(),
                k * d,
                scaled
            );
            Ok(())
        })?;
    }

    #[test]
    fn boxes_and_reaches_enclose_the_shape(p in pose(2.0), d in vector(1.0)) {
        for shape in samples() {
            let Some(far) = shape.support(d) else {
                prop_assert!(shape.reach().is_infinite());
                continue;
            };
            prop_assert!(far.length() <= shape.reach() * (1.0 + ROUNDING));
            let (bounds, far) = (shape.aabb(&p), p.transform_point(far));
            prop_assert!(far.cmpge(bounds.min).all() && far.cmple(bounds.max).all());
        }
    }
}

#[test]
fn every_pair_agrees_with_its_fine_tessellation() {
    let bodies = Body::all(60);
    let mut random = Random::new(1);
    let mut apart = 0;
    for a in &bodies {
        for b in &bodies {
            for _ in 0..4 {
                let (p, q) = (random_pose(&mut random, 0.9), random_pose(&mut random, 0.9));
                let (coarse, excess) = tessellated_distance(a, &p, b, &q);
                let d = distance(&a.shape, &p, &b.shape, &q).upper;
                let kinds = (a.shape.kind(), b.shape.kind());
                assert!(d <= coarse + ROUNDING, "{kinds:?} {d} {coarse}");
                assert!(d >= coarse - excess - ROUNDING, "{kinds:?} {d} {coarse} {excess}");
                apart += usize::from(d > 0.0);
            }
        }
    }
    assert!(apart > 300, "only {apart} of the pairs were apart");
}

#[test]
fn tessellations_approach_round_shapes_with_the_square_of_the_segment_length() {
    // Averaged over poses: where the nearest point falls on a segment is chance.
    let mean = |kinds: [ShapeKind; 2], fine: usize| {
        let [a, b] = kinds.map(|kind| Body::of(kind, fine));
        let mut random = Random::new(7);
        let errors = (0..40).map(|_| {
            let p = random_pose(&mut random, 0.2);
            let q = Pose::new(random.direction() * 2.0, random.rotation()).unwrap();
            tessellated_distance(&a, &p, &b, &q).0 - distance(&a.shape, &p, &b.shape, &q).upper
        });
        errors.sum::<f64>() / 40.0
    };
    for kinds in [
        [ShapeKind::Sphere, ShapeKind::Box],
        [ShapeKind::Cylinder, ShapeKind::Cylinder],
        [ShapeKind::Cylinder, ShapeKind::Cone],
        [ShapeKind::Capsule, ShapeKind::Cone],
    ] {
        let ratio = mean(kinds, 40) / mean(kinds, 80);
        assert!((2.8..5.7).contains(&ratio), "{kinds:?} {ratio}");
    }
}

#[test]
fn closed_forms_hold() {
    let here = Pose::IDENTITY;
    let at = |x, y, z| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let check = |a: &Shape, b: &Shape, pose: &Pose, expected: f64| {
        let d = distance(a, &here, b, pose).upper;
        assert!((d - expected).abs() < 1e-14, "{:?} {:?} {d} for {expected}", a.kind(), b.kind());
    };
    let ball = Shape::sphere(0.5).unwrap();
    let (can, cone) = (Shape::cylinder(1.0, 2.0).unwrap(), Shape::cone(1.0, 2.0).unwrap());
    let (pill, cube) = (Shape::capsule(0.5, 2.0).unwrap(), Shape::cuboid(Vec3::splat(2.0)).unwrap());
    check(&ball, &ball, &at(2.0, 3.0, 6.0), 6.0);
    check(&cube, &ball, &at(3.0, 3.0, 2.0), 3.0 - 0.5);
    // Over the rim of the can: 3-4-5.
    check(&can, &ball, &at(4.0, 0.0, 5.0), 5.0 - 0.5);
    check(&can, &can, &at(0.0, 5.0, 0.0), 3.0);
    check(&can, &can, &at(0.0, 0.0, 5.0), 3.0);
    // Rim to rim, side by side: the circles are nearest on the line between the axes.
    check(&can, &can, &at(5.0, 0.0, 6.0), 5.0);
    // The side of the cone: from its slant line to a point beside its middle.
    let slant = Vec3::new(2.0, 0.0, 1.0) / 5f64.sqrt();
    let beside = Vec3::new(0.5, 0.0, 0.0) + 2.0 * slant;
    check(&cone, &ball, &at(beside.x, 0.0, beside.z), 1.5);
    check(&cone, &cone, &at(0.0, 0.0, 5.0), 3.0);
    check(&pill, &pill, &at(3.0, 0.0, 0.7), 2.0);
    check(&pill, &ball, &at(0.0, 0.0, 4.0), 2.0);
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    check(&ground, &cone, &at(0.0, 0.0, 3.0), 2.0);
    check(&ground, &pill, &at(7.0, 0.0, 3.0), 1.5);
    let ceiling = Shape::half_space(Plane { normal: -Vec3::Z, offset: -2.5 }).unwrap();
    check(&ground, &ceiling, &here, 2.5);
    let tilted = Pose::new(Vec3::ZERO, Quat::from_rotation_x(1e-3)).unwrap();
    assert!(collide(&ground, &here, &ceiling, &tilted), "planes that are not parallel meet somewhere");
    // A capsule across another, turned.
    let across = Pose::new(Vec3::new(0.2, 3.0, 0.1), Quat::from_rotation_y(0.5)).unwrap();
    check(&pill, &pill, &across, 2.0);
}

#[test]
fn features_are_named() {
    let here = Pose::IDENTITY;
    let features = |a: &Shape, b: &Shape, x: f64, y: f64, z: f64| {
        let pose = Pose::from_translation(Vec3::new(x, y, z)).unwrap();
        distance(a, &here, b, &pose).features.map(|f| f.unwrap())
    };
    let ball = Shape::sphere(0.5).unwrap();
    let cube = Shape::cuboid(Vec3::splat(2.0)).unwrap();
    assert_eq!(features(&cube, &ball, 3.0, 0.1, 0.2), [Feature::Face(1), Feature::Patch(0)]);
    assert_eq!(features(&cube, &ball, 3.0, 0.1, -3.0), [Feature::Edge(4 + 2), Feature::Patch(0)]);
    assert_eq!(features(&cube, &ball, 3.0, -3.0, 3.0), [Feature::Vertex(0b101), Feature::Patch(0)]);
    let can = Shape::cylinder(1.0, 2.0).unwrap();
    assert_eq!(features(&can, &ball, 2.0, 2.0, 0.1)[0], Feature::Patch(0));
    assert_eq!(features(&can, &ball, 0.1, 0.2, -3.0)[0], Feature::Face(0));
    assert_eq!(features(&can, &ball, 2.0, 2.0, 3.0)[0], Feature::Edge(1));
    let cone = Shape::cone(1.0, 2.0).unwrap();
    assert_eq!(features(&cone, &ball, 0.1, 0.0, 3.0)[0], Feature::Vertex(0));
    assert_eq!(features(&cone, &ball, 2.0, 2.0, 0.5)[0], Feature::Patch(0));
    assert_eq!(features(&cone, &ball, 2.0, 2.0, -1.5)[0], Feature::Edge(0));
    assert_eq!(features(&cone, &ball, 0.1, 0.1, -3.5)[0], Feature::Face(0));
    let pill = Shape::capsule(0.5, 2.0).unwrap();
    assert_eq!(features(&pill, &ball, 3.0, 0.0, 0.1)[0], Feature::Patch(0));
    assert_eq!(features(&pill, &ball, 3.0, 0.0, -2.0)[0], Feature::Patch(1));
    let flat = Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
    assert_eq!(features(&flat, &ball, 0.2, 0.3, 3.0)[0], Feature::Face(0));
    assert_eq!(features(&flat, &ball, -3.0, -1.0, 0.0)[0], Feature::Vertex(0));
    assert_eq!(features(&flat, &ball, 0.4, -3.0, 1.0)[0], Feature::Edge(0));
    assert_eq!(features(&flat, &ball, 2.0, 2.0, 1.0)[0], Feature::Edge(1));
}

#[test]
fn a_convex_solid_and_a_solid_name_the_same_features() {
    use silvia_solid::{Solid, primitives};
    let solid = Solid::from_soup(&primitives::prism(7, 1.0, 0.8).unwrap()).unwrap();
    let (convex, mesh) = (Shape::convex(&solid).unwrap(), Shape::solid(solid));
    let ball = Shape::sphere(0.1).unwrap();
    let mut random = Random::new(5);
    for _ in 0..300 {
        let at = Pose::from_translation(random.direction() * 2.0).unwrap();
        let [a, b] = [&convex, &mesh].map(|s| distance(s, &Pose::IDENTITY, &ball, &at));
        assert_eq!(a.features, b.features);
        assert!((a.upper - b.upper).abs() < 1e-14);
    }
}

#[test]
fn solids_are_filled_and_soups_are_not() {
    let here = Pose::IDENTITY;
    let hull = silvia_solid::primitives::cuboid(Vec3::splat(4.0)).unwrap();
    let solid = Shape::solid(silvia_solid::Solid::from_soup(&hull).unwrap());
    let shell = Shape::soup(hull);
    for shape in samples() {
        if matches!(shape.kind(), ShapeKind::HalfSpace | ShapeKind::Cavity) {
            continue;
        }
        assert!(collide(&solid, &here, shape, &here), "{:?}", shape.kind());
        assert!(!collide(&shell, &here, shape, &here), "{:?}", shape.kind());
        assert!(distance(&shell, &here, shape, &here).upper > 0.5);
    }
    // And a convex shape around a soup or solid.
    let around = Shape::sphere(5.0).unwrap();
    assert!(collide(&around, &here, &solid, &here) && collide(&around, &here, &shell, &here));
}

pub(crate) fn random_pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.vector(reach), random.rotation()).unwrap()
}
