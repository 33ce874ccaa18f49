//! Queries with options and caches, against those without.

use crate::bodies::sample;
use crate::common::random::random_pose;
use seeded::Random;
use silvia_proximity::{
    DistanceError, DistanceOptions, Extent, Shape, ShapeCollisionCache, ShapeDistanceCache, ShapeKind,
    collide, collide_with, collisions, distance, distance_with, mesh,
};
use silvia_solid::{Pose, Solid, Vec3, primitives};
use std::collections::BTreeMap;
use std::time::Duration;

/// What answers may differ by, m.
const ROUNDING: f64 = 1e-12;

/// Two solids and a ball: meshes as parts.
fn parts_with_meshes() -> Shape {
    let at = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.0)).unwrap();
    let ring = Solid::from_soup(&primitives::torus(0.5, 0.2, 24, 12).unwrap()).unwrap();
    Shape::compound([
        (at(0.0, 0.0), Shape::solid(ring.clone())),
        (at(1.0, 0.3), Shape::solid(ring)),
        (at(-0.5, 1.0), Shape::sphere(0.3).unwrap()),
    ])
    .unwrap()
}

fn shapes() -> Vec<Shape> {
    ShapeKind::ALL.into_iter().map(sample).chain([parts_with_meshes()]).collect()
}

/// The second pose of a pair on a way of small steps, from apart through each other.
fn way(random: &mut Random) -> Vec<Pose> {
    let (from, travel, turn) = (random.vector(1.5), random.vector(0.05), random.vector(0.1));
    let step = |i: i32| {
        let rotation = silvia_solid::Quat::from_scaled_axis(f64::from(i) * turn);
        Pose::new(from + f64::from(i) * travel, rotation).unwrap()
    };
    (0..12).map(step).collect()
}

#[test]
fn every_pair_of_kinds_has_the_same_distance_with_a_cache() {
    let mut random = Random::new(3);
    let options = DistanceOptions::default();
    for a in shapes() {
        for b in shapes() {
            let (pose_a, mut cache) = (random_pose(&mut random, 0.5), ShapeDistanceCache::new());
            for pose_b in way(&mut random) {
                let plain = distance(&a, &pose_a, &b, &pose_b);
                let cached = distance_with(&a, &pose_a, &b, &pose_b, &options, &mut cache).unwrap();
                let kinds = (a.kind(), b.kind());
                assert!((cached.upper - plain.upper).abs() <= ROUNDING, "{kinds:?} {cached:?} {plain:?}");
                assert!((cached.lower - plain.lower).abs() <= ROUNDING, "{kinds:?} {cached:?} {plain:?}");
                let apart = cached.points[0].distance(cached.points[1]);
                assert!((apart - cached.upper).abs() <= ROUNDING, "{kinds:?} {cached:?}");
                // The points lie on the parts that are named.
                for (shape, pose, i) in [(&a, &pose_a, 0), (&b, &pose_b, 1)] {
                    let point = Shape::point(cached.points[i]).unwrap();
                    let (part, place) = match shape.as_compound() {
                        Some(c) => (
                            &c.parts()[cached.parts[i] as usize].shape,
                            c.parts()[cached.parts[i] as usize].pose,
                        ),
                        None => (shape, Pose::IDENTITY),
                    };
                    let off = distance(part, &pose.compose(&place), &point, &Pose::IDENTITY).upper;
                    assert!(off <= ROUNDING, "{kinds:?} a point is {off} off its part {}", cached.parts[i]);
                }
            }
        }
    }
}

#[test]
fn every_pair_of_kinds_touches_with_a_cache_if_it_does_without() {
    let mut random = Random::new(4);
    let mut touching = 0;
    for a in shapes() {
        for b in shapes() {
            let (pose_a, mut cache) = (random_pose(&mut random, 0.5), ShapeCollisionCache::new());
            for pose_b in way(&mut random) {
                let plain = collide(&a, &pose_a, &b, &pose_b);
                let cached = collide_with(&a, &pose_a, &b, &pose_b, &mut cache);
                assert_eq!(cached, plain, "{:?} {:?}", a.kind(), b.kind());
                touching += u32::from(plain);
            }
        }
    }
    assert!(touching > 300, "{touching} poses touch");
}

#[test]
fn collisions_are_those_of_all_pairs_of_parts() {
    let mut random = Random::new(5);
    let mut several = 0;
    for a in shapes() {
        for b in shapes() {
            let (pose_a, pose_b) = (random_pose(&mut random, 0.4), random_pose(&mut random, 0.4));
            let parts = |shape: &Shape| match shape.as_compound() {
                Some(c) => c.parts().iter().map(|p| (p.shape.clone(), p.pose)).collect(),
                None => vec![(shape.clone(), Pose::IDENTITY)],
            };
            let mut truth = BTreeMap::new();
            for (i, (of_a, in_a)) in (0..).zip(parts(&a)) {
                for (j, (of_b, in_b)) in (0..).zip(parts(&b)) {
                    let (at_a, at_b) = (pose_a.compose(&in_a), pose_b.compose(&in_b));
                    if collide(&of_a, &at_a, &of_b, &at_b) {
                        let meshes = of_a.as_mesh().zip(of_b.as_mesh()).map(|(p, q)| {
                            mesh::collide(p.hierarchy(), &at_a, q.hierarchy(), &at_b, Extent::All)
                                .pairs()
                                .len()
                        });
                        truth.insert([i, j], meshes);
                    }
                }
            }
            let found = collisions(&a, &pose_a, &b, &pose_b, Extent::All);
            let told = found.iter().map(|c| (c.parts, c.meshes.as_ref().map(|m| m.pairs().len())));
            assert_eq!(told.collect::<Vec<_>>(), truth.clone().into_iter().collect::<Vec<_>>());
            assert_eq!(!found.is_empty(), collide(&a, &pose_a, &b, &pose_b));
            several += usize::from(found.len() > 1);
        }
    }
    assert!(several > 10, "{several} pairs of shapes meet in several parts");
}

#[test]
fn bounds_hold_however_early_a_distance_is_given_up() {
    let (a, here) = (parts_with_meshes(), Pose::IDENTITY);
    for x in [1.9, 2.6, 5.0] {
        let there = Pose::from_translation(Vec3::new(x, 0.4, 0.3)).unwrap();
        let truth = distance(&a, &here, &a, &there).upper;
        let ask = |options: DistanceOptions| {
            distance_with(&a, &here, &a, &there, &options, &mut ShapeDistanceCache::new()).unwrap()
        };
        for visits in [0, 1, 2, 5, 10, 30, 100] {
            let found = ask(DistanceOptions { max_visits: Some(visits), ..Default::default() });
            assert!(
                found.lower <= truth + ROUNDING && truth <= found.upper + ROUNDING,
                "{visits}: {found:?}"
            );
            assert!(found.upper.is_finite());
        }
        let hurried = ask(DistanceOptions { deadline: Some(Duration::ZERO), ..Default::default() });
        assert!(hurried.lower <= truth + ROUNDING && truth <= hurried.upper + ROUNDING);
        let rough = ask(DistanceOptions { relative_tolerance: 0.1, ..Default::default() });
        assert!(rough.lower <= truth + ROUNDING && truth <= rough.upper + ROUNDING);
        assert!(rough.upper - rough.lower <= 0.1 * rough.upper + ROUNDING, "{rough:?}");
        for cutoff in [0.0, 0.5 * truth, 2.0 * truth] {
            let found = ask(DistanceOptions { cutoff, ..Default::default() });
            assert!(found.lower >= cutoff.min(truth) - ROUNDING, "{cutoff}: {found:?} of {truth}");
            assert!(found.lower <= truth + ROUNDING && truth <= found.upper + ROUNDING);
            assert!(found.upper.is_finite());
        }
    }
}

#[test]
fn a_cache_saves_the_search_where_meshes_move_a_little() {
    // By the number of nodes that a budget allows: with the cache, a small one is enough.
    let knot = Shape::solid(Solid::from_soup(&primitives::torus(0.5, 0.2, 60, 30).unwrap()).unwrap());
    let pose = |i: i32| Pose::from_translation(Vec3::new(1.7, 0.3, 0.2 + 1e-4 * f64::from(i))).unwrap();
    let mut cache = ShapeDistanceCache::new();
    let ask = |i: i32, options: &DistanceOptions, cache: &mut ShapeDistanceCache| {
        distance_with(&knot, &Pose::IDENTITY, &knot, &pose(i), options, cache).unwrap()
    };
    let budget = DistanceOptions { max_visits: Some(40), ..Default::default() };
    let fresh = ask(0, &budget, &mut ShapeDistanceCache::new());
    assert!(fresh.lower < fresh.upper, "{fresh:?}");
    ask(0, &DistanceOptions::default(), &mut cache);
    let next = ask(1, &budget, &mut cache);
    assert!(next.lower == next.upper, "{next:?}");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let ball = Shape::sphere(1.0).unwrap();
    let options = DistanceOptions { cutoff: f64::NAN, ..Default::default() };
    let asked = distance_with(
        &ball,
        &Pose::IDENTITY,
        &ball,
        &Pose::IDENTITY,
        &options,
        &mut ShapeDistanceCache::new(),
    );
    assert!(matches!(asked, Err(DistanceError::NotPositive { name: "cut-off", .. })));
}
