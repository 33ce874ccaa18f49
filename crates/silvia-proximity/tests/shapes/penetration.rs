//! Penetration of every pair.

use crate::bodies::{Body, Tessellation, sample};
use crate::common::pose;
use crate::distance::random_pose;
use proptest::prelude::*;
use seeded::Random;
use silvia_proximity::shape::{Overlap, collide, distance, penetration};
use silvia_proximity::{Expansion, Shape, ShapeKind, convex_depth};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use std::sync::OnceLock;

/// What answers may differ by, as a fraction of the size of the coordinates.
const ROUNDING: f64 = 1e-11;

const CONVEX: [ShapeKind; 11] = [
    ShapeKind::Point,
    ShapeKind::Segment,
    ShapeKind::Triangle,
    ShapeKind::Polygon,
    ShapeKind::Sphere,
    ShapeKind::Box,
    ShapeKind::Cylinder,
    ShapeKind::Cone,
    ShapeKind::Capsule,
    ShapeKind::Ellipsoid,
    ShapeKind::Convex,
];

fn samples() -> &'static [Shape] {
    static ALL: OnceLock<Vec<Shape>> = OnceLock::new();
    ALL.get_or_init(|| ShapeKind::ALL.iter().map(|&kind| sample(kind)).collect())
}

fn moved(pose: &Pose, by: Vec3) -> Pose {
    Pose::new(pose.translation() + by, pose.rotation()).unwrap()
}

fn mirrored(overlap: Overlap) -> Overlap {
    match overlap {
        Overlap::Deep(mut p) => {
            p.direction = -p.direction;
            p.points.reverse();
            Overlap::Deep(p)
        }
        other => other,
    }
}

/// The least that any of some directions needs by the supports of two convex shapes: each is enough to
/// separate them.
fn sampled_depth(a: &Shape, p: &Pose, b: &Shape, q: &Pose, around: Vec3) -> f64 {
    let mut random = Random::new(11);
    let reach = |shape: &Shape, pose: &Pose, n: Vec3| {
        let far = shape.support(pose.rotation().conjugate() * n).unwrap();
        n.dot(pose.transform_point(far))
    };
    let all = (0..400).map(|_| random.direction());
    let mut random = Random::new(12);
    let near = (1..400).map(|i| (around + random.vector(0.5f64.powi(i / 20))).normalize());
    all.chain(near).map(|n| reach(a, p, n) + reach(b, q, -n)).fold(f64::INFINITY, f64::min)
}

proptest! {
    // Each case is a hundred pairs, half of them searched as shapes that are not convex: seconds.
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn the_translation_separates_every_pair_and_is_the_same_in_either_order(p in pose(0.4), q in pose(0.4)) {
        for (i, a) in samples().iter().enumerate() {
            for b in &samples()[i..] {
                let kinds = (a.kind(), b.kind());
                let overlap = penetration(a, &p, b, &q);
                prop_assert_eq!(overlap, mirrored(penetration(b, &q, a, &p)), "{:?}", kinds);
                prop_assert_eq!(overlap == Overlap::Apart, !collide(a, &p, b, &q), "{:?}", kinds);
                match overlap {
                    Overlap::Apart => {}
                    Overlap::Inseparable => {
                        let is_endless = |k| matches!(k, ShapeKind::HalfSpace | ShapeKind::Cavity);
                        prop_assert!(is_endless(kinds.0) && is_endless(kinds.1), "{:?}", kinds)
                    }
                    Overlap::Deep(found) => {
                        prop_assert!(
                            found.certified && found.lower <= found.depth,
                            "{:?} {:?}",
                            kinds,
                            found
                        );
                        prop_assert!((found.direction.length() - 1.0).abs() < 1e-14);
                        let after = distance(a, &p, b, &moved(&q, found.translation()));
                        prop_assert!(after.upper > 0.0, "{:?} {:?}", kinds, found);
                        prop_assert!(after.upper < 1e-8, "{:?} {:?} leaves {:?}", kinds, found, after);
                        let span = found.points[0] - found.points[1];
                        // The nearest points of round shapes that all but touch are known to no more than
                        // that.
                        prop_assert!(
                            span.distance(found.translation()) < 1e-8,
                            "{:?} {:?} off by {}",
                            kinds,
                            found,
                            span.distance(found.translation())
                        );
                    }
                }
            }
        }
    }

}

/// The search for the nearest points stalls beside the rim of the cylinder.
#[test]
fn a_point_near_the_rim_of_a_cylinder_is_known_to_be_inside() {
    let at = |t: [f64; 3], r: [f64; 4]| Pose::new(Vec3::from_array(t), Quat::from_array(r)).unwrap();
    let p = at(
        [-0.059527424181600175, 0.28078340645534905, -0.057129123579736645],
        [0.335072233762275, -0.020618139221749626, -0.41042977314347834, -0.8478495690946508],
    );
    let q = at(
        [0.19213587300773713, 0.026009623863209517, 0.1270129198435118],
        [-0.8584138374294864, 0.3553049101274724, 0.20282247028230732, 0.3094303638906089],
    );
    let (point, can) = (sample(ShapeKind::Point), sample(ShapeKind::Cylinder));
    let found = penetration(&point, &p, &can, &q).penetration().unwrap();
    assert!(found.depth - found.lower <= 1e-4, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn of_convex_pairs_no_sampled_direction_is_shorter(p in pose(0.3), q in pose(0.3)) {
        for a in CONVEX.map(sample) {
            for b in CONVEX.map(sample) {
                if let Some(found) = penetration(&a, &p, &b, &q).penetration() {
                    let sampled = sampled_depth(&a, &p, &b, &q, found.direction);
                    prop_assert!(
                        found.depth <= sampled + ROUNDING,
                        "{:?} {:?} {:?} {}",
                        a.kind(),
                        b.kind(),
                        found,
                        sampled
                    );
                    let is_curved = [&a, &b]
                        .iter()
                        .any(|s| matches!(s, Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_)));
                    let gap = if is_curved { 1e-4 } else { ROUNDING };
                    prop_assert!(
                        found.depth - found.lower <= gap,
                        "{:?} {:?} {:?}",
                        a.kind(),
                        b.kind(),
                        found
                    );
                }
            }
        }
    }

    #[test]
    fn moving_both_or_scaling_all_scales_the_depth_of_convex_pairs(
        p in pose(0.3), q in pose(0.3), m in pose(2.0), decade in -6.0..6.0f64,
    ) {
        let k = 10f64.powf(decade);
        for a in CONVEX.map(sample) {
            for b in CONVEX.map(sample) {
                let Some(found) = penetration(&a, &p, &b, &q).penetration() else { continue };
                let both = penetration(&a, &m.compose(&p), &b, &m.compose(&q)).penetration().unwrap();
                prop_assert!(
                    (found.depth - both.depth).abs() <= ROUNDING,
                    "{:?} {:?} {:?} {:?}",
                    a.kind(),
                    b.kind(),
                    found,
                    both
                );
                let at = |p: &Pose| Pose::new(p.translation() * k, p.rotation()).unwrap();
                let scaled = penetration(&a.scaled(k).unwrap(), &at(&p), &b.scaled(k).unwrap(), &at(&q));
                let Some(scaled) = scaled.penetration() else {
                    panic!("{:?} {:?} {found:?} {scaled:?}", a.kind(), b.kind())
                };
                prop_assert!(
                    (k * found.depth - scaled.depth).abs() <= ROUNDING * k,
                    "{:?} {:?} {:?} {:?}",
                    a.kind(),
                    b.kind(),
                    found,
                    scaled
                );
            }
        }
    }
}

#[test]
fn convex_pairs_agree_with_the_depth_of_their_fine_tessellations() {
    let points = |body: &Body, pose: &Pose| -> Option<(Vec<Vec3>, f64)> {
        let [(_, Tessellation::Triangles { hierarchy, sagitta })] = &body.parts[..] else { return None };
        let all = hierarchy.surface().soup().points().iter();
        Some((all.map(|&x| pose.transform_point(x)).collect(), *sagitta))
    };
    let bodies: Vec<Body> = CONVEX.iter().map(|&kind| Body::of(kind, 40)).collect();
    let mut random = Random::new(3);
    let mut deep = 0;
    for a in &bodies {
        for b in &bodies {
            let (p, q) = (random_pose(&mut random, 0.15), random_pose(&mut random, 0.15));
            let ((pa, ea), (pb, eb)) = (points(a, &p).unwrap(), points(b, &q).unwrap());
            let Expansion::Deep(coarse) = convex_depth(&pa, &pb).unwrap() else { continue };
            let found = penetration(&a.shape, &p, &b.shape, &q).penetration().unwrap();
            let kinds = (a.shape.kind(), b.shape.kind());
            assert!(found.depth >= coarse.depth - ROUNDING, "{kinds:?} {found:?} {coarse:?}");
            assert!(found.depth <= coarse.depth + ea + eb + ROUNDING, "{kinds:?} {found:?} {coarse:?}");
            deep += 1;
        }
    }
    assert!(deep > 60, "only {deep} pairs were deep");
}

#[test]
fn closed_forms_hold_deep_and_concentric_too() {
    let here = Pose::IDENTITY;
    let at = |x, y, z| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let check = |a: &Shape, b: &Shape, pose: &Pose, depth: f64| {
        let found = penetration(a, &here, b, pose).penetration().unwrap();
        assert!((found.depth - depth).abs() < 1e-11, "{:?} {:?} {found:?} for {depth}", a.kind(), b.kind());
        assert!(found.lower > depth - 1e-2, "{:?} {:?} {found:?}", a.kind(), b.kind());
        found
    };
    let (ball, cube) = (Shape::sphere(0.5).unwrap(), Shape::cuboid(Vec3::splat(2.0)).unwrap());
    let (can, cone) = (Shape::cylinder(0.5, 4.0).unwrap(), Shape::cone(1.0, 2.0).unwrap());
    let pill = Shape::capsule(0.25, 2.0).unwrap();
    check(&ball, &ball, &at(0.6, 0.0, 0.0), 0.4);
    check(&ball, &ball, &here, 1.0);
    let found = check(&cube, &ball, &at(0.1, 0.7, 0.2), 0.8);
    assert!(found.direction.distance(Vec3::Y) < 1e-12);
    check(&cube, &cube, &at(1.5, 1.2, 0.3), 0.5);
    check(&cube, &cube, &here, 2.0);
    check(&can, &can, &here, 1.0);
    check(&can, &can, &at(0.25, 0.0, 0.0), 0.75);
    check(&can, &ball, &here, 1.0);
    // Coaxial cones, tip up: sideways from slant to slant of the other side is the sum of two half widths.
    let slant = 2.0 / 5f64.sqrt();
    check(&cone, &cone, &here, 2.0f64.min(2.0 * slant * 1.0));
    check(&cone, &ball, &at(0.0, 0.0, -0.75), 0.75);
    let across = Pose::new(Vec3::ZERO, Quat::from_rotation_x(1.0)).unwrap();
    let found = check(&pill, &pill, &across, 0.5);
    assert!(found.direction.x.abs() > 1.0 - 1e-9, "the way out of crossing axes is across both");
    check(&pill, &pill, &here, 0.5);
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let found = check(&ground, &cone, &at(3.0, 0.0, 0.4), 0.6);
    assert_eq!(found.direction, Vec3::Z);
    let ceiling = Shape::half_space(Plane { normal: -Vec3::Z, offset: 0.3 }).unwrap();
    check(&ground, &ceiling, &here, 0.3);
    assert_eq!(penetration(&ground, &here, &ground, &here), Overlap::Inseparable);
    // Flat shapes that cross have a way out of no length.
    let cross = Shape::segment([-Vec3::Y, Vec3::Y]).unwrap();
    let flat = check(&Shape::segment([-Vec3::X, Vec3::X]).unwrap(), &cross, &here, 0.0);
    assert!(flat.direction.z.abs() > 1.0 - 1e-12);
}

#[test]
fn distance_and_depth_are_continuous_across_touching() {
    let mut random = Random::new(21);
    let mut crossed = 0;
    for a in samples() {
        for b in samples() {
            let kinds = (a.kind(), b.kind());
            let is_endless = |k: &ShapeKind| matches!(k, ShapeKind::HalfSpace | ShapeKind::Cavity);
            if is_endless(&kinds.0) && is_endless(&kinds.1) {
                continue;
            }
            let has_cavity = [kinds.0, kinds.1].contains(&ShapeKind::Cavity);
            // In a cavity only the hull of a shape matters.
            let is_convex =
                [kinds.0, kinds.1].iter().all(|k| CONVEX.contains(k) || is_endless(k)) || has_cavity;
            let (p, q) = (random_pose(&mut random, 0.1), random_pose(&mut random, 0.1));
            // From far away along a line through both, in until they touch.
            let plane = Plane { normal: Vec3::new(2.0, -1.0, 2.0) / 3.0, offset: -0.2 };
            let away = if kinds.0 == ShapeKind::HalfSpace {
                p.transform_vector(plane.normal)
            } else if kinds.1 == ShapeKind::HalfSpace {
                -q.transform_vector(plane.normal)
            } else {
                random.direction()
            };
            // In a cavity, from its middle.
            let (mut s, mut touches) = (if has_cavity { 0.0 } else { 4.0 }, false);
            for _ in 0..400 {
                let d = distance(a, &p, b, &moved(&q, s * away)).upper;
                s -= d;
                touches = d < 1e-13;
                if touches || s < -4.0 {
                    break;
                }
            }
            if !touches {
                assert!(s < -3.0, "{kinds:?} neither touch nor pass at {s}");
                continue;
            }
            // A point goes through a triangle, a line past a line; what has more dimensions meets for a
            // while.
            let stays = dimension(kinds.0) + dimension(kinds.1) >= 3;
            for inward in [1e-3, 1e-6, 1e-9] {
                let before = distance(a, &p, b, &moved(&q, (s + inward) * away)).upper;
                assert!(before <= inward + ROUNDING, "{kinds:?} {before} at {inward}");
                let at = moved(&q, (s - inward) * away);
                // Moving back by as much separates them; what is found is no longer, but for shapes that are
                // not convex.
                match penetration(a, &p, b, &at) {
                    Overlap::Deep(found) => {
                        let most = if is_convex { inward } else { 1.05 * inward };
                        assert!(found.depth <= most + 2e-12, "{kinds:?} {found:?} at {inward}");
                        // Too short would not separate.
                        assert!(found.certified && collide(a, &p, b, &at), "{kinds:?} {found:?} at {inward}");
                        let gone = moved(&at, found.translation());
                        assert!(!collide(a, &p, b, &gone), "{kinds:?} {found:?} at {inward}");
                        crossed += 1;
                    }
                    other => assert!(!stays && other == Overlap::Apart, "{kinds:?} {other:?} at {inward}"),
                }
            }
        }
    }
    assert!(crossed > 300, "only {crossed} overlaps were looked at");
}

/// Of what a shape is: a point 0, a line 1, a surface 2, a body 3.
fn dimension(kind: ShapeKind) -> u32 {
    match kind {
        ShapeKind::Point => 0,
        ShapeKind::Segment => 1,
        ShapeKind::Triangle | ShapeKind::Polygon | ShapeKind::Soup => 2,
        ShapeKind::Sphere
        | ShapeKind::Box
        | ShapeKind::Cylinder
        | ShapeKind::Cone
        | ShapeKind::Capsule
        | ShapeKind::Ellipsoid
        | ShapeKind::HalfSpace
        | ShapeKind::Cavity
        | ShapeKind::Convex
        | ShapeKind::Solid
        | ShapeKind::Compound => 3,
    }
}

#[test]
fn of_shapes_that_are_not_convex_the_depth_is_near_the_best_of_many_directions() {
    let mut random = Random::new(5);
    let (mut good, mut all) = (0, 0);
    for kind in [ShapeKind::Sphere, ShapeKind::Cylinder, ShapeKind::Cone, ShapeKind::Box, ShapeKind::Capsule]
    {
        for other in [ShapeKind::Solid, ShapeKind::Compound, ShapeKind::Soup] {
            let (a, b) = (sample(other), sample(kind).scaled(0.5).unwrap());
            for _ in 0..2 {
                let (p, q) = (random_pose(&mut random, 0.2), random_pose(&mut random, 0.2));
                let Some(found) = penetration(&a, &p, &b, &q).penetration() else { continue };
                let mut turn = Random::new(9);
                let best =
                    (0..60).map(|_| stepwise(&a, &p, &b, &q, turn.direction())).fold(f64::INFINITY, f64::min);
                all += 1;
                good += usize::from(found.depth <= 1.05 * best);
            }
        }
    }
    assert!(all >= 20 && good * 20 >= all * 19, "{good} of {all}");
}

/// The default tries a hundred directions or so: of twenty times as many none may be much shorter.
#[test]
fn of_shapes_that_are_not_convex_hardly_one_of_2000_directions_is_shorter() {
    const STEP: f64 = 0.02;
    let mut random = Random::new(6);
    let (mut good, mut all) = (0, 0);
    for other in [ShapeKind::Solid, ShapeKind::Compound, ShapeKind::Soup] {
        for kind in [ShapeKind::Cylinder, ShapeKind::Box] {
            let (a, b) = (sample(other), sample(kind).scaled(0.5).unwrap());
            let (p, q) = (random_pose(&mut random, 0.2), random_pose(&mut random, 0.2));
            let Some(found) = penetration(&a, &p, &b, &q).penetration() else { continue };
            let limit = found.depth / 1.05;
            let steps = 1 + (limit / STEP) as u32;
            let free = |s: f64, n: Vec3| !collide(&a, &p, &b, &moved(&q, s * n));
            let is_shorter = |n: Vec3| (1..=steps).any(|i| free(limit * f64::from(i) / f64::from(steps), n));
            let mut turn = Random::new(10);
            all += 1;
            good += usize::from(!(0..2000).any(|_| is_shorter(turn.direction())));
        }
    }
    assert!(all >= 5 && good + 1 >= all, "{good} of {all}");
}

/// The least translation along a direction, by small steps and then halving: no way of the search is shared.
fn stepwise(a: &Shape, p: &Pose, b: &Shape, q: &Pose, direction: Vec3) -> f64 {
    const STEP: f64 = 0.02;
    let free = |s: f64| !collide(a, p, b, &moved(q, s * direction));
    let Some(first) = (1..200).map(|i| STEP * f64::from(i)).find(|&s| free(s)) else { return f64::INFINITY };
    let (mut low, mut high) = (first - STEP, first);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if free(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[test]
fn a_compound_may_have_a_half_space() {
    let here = Pose::IDENTITY;
    let at = |x, z| Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap();
    let floor = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let step = Shape::cuboid(Vec3::splat(1.0)).unwrap();
    let room = Shape::compound([(here, floor.clone()), (at(0.0, 0.5), step)]).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    // In the corner between floor and step: a tenth in each.
    let found = penetration(&room, &here, &ball, &at(0.9, 0.4)).penetration().unwrap();
    assert!((found.depth - 0.02f64.sqrt()).abs() < 1e-6 && found.certified, "{found:?}");
    assert!((distance(&room, &here, &ball, &at(3.0, 2.0)).upper - 1.5).abs() < 1e-14);
    assert_eq!(distance(&room, &here, &ball, &at(0.0, 3.0)).parts, [1, 0]);
    // Another floor is no way apart, a ceiling is, and so is anything above one.
    assert_eq!(penetration(&room, &here, &floor, &here), Overlap::Inseparable);
    let ceiling = Shape::half_space(Plane { normal: -Vec3::Z, offset: -0.75 }).unwrap();
    let found = penetration(&room, &here, &ceiling, &here).penetration().unwrap();
    assert!((found.depth - 0.25).abs() < 1e-11 && found.direction == Vec3::Z, "{found:?}");
    let bounds = room.aabb(&here);
    assert!(bounds.max.x.is_infinite() && bounds.min.z.is_infinite() && (bounds.max.z - 1.0).abs() < 1e-14);
    assert!(room.reach().is_infinite() && room.support(Vec3::X).is_none());
}
