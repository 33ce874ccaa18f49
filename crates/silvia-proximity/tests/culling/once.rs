//! The pairs of boxes given all at once.

use crate::scenes::KINDS;
use seeded::Random;
use silvia_proximity::culling::{BruteForce, Culling, CullingError, Which, overlapping_pairs};
use silvia_solid::{Aabb, Vec3};

/// As brute force finds them.
fn expected(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let mut oracle = BruteForce::default();
    oracle.insert(boxes).unwrap();
    oracle.update().began.iter().map(|pair| [pair.first.0, pair.second.0]).collect()
}

fn check(boxes: &[Aabb], what: &dyn std::fmt::Debug) -> usize {
    let mut found = overlapping_pairs(boxes).unwrap();
    found.sort_unstable();
    assert!(found == expected(boxes), "{what:?}, {} boxes", boxes.len());
    found.len()
}

#[test]
fn every_kind_of_scene_in_every_number_of_boxes_equals_brute_force() {
    for kind in KINDS {
        for (count, rounds) in
            [(0, 1), (1, 1), (2, 40), (7, 20), (8, 20), (9, 20), (64, 10), (65, 10), (600, 3)]
        {
            let mut pairs = 0;
            for round in 0..rounds {
                let mut r = Random::new(100 * count as u64 + round);
                let boxes: Vec<Aabb> = (0..count).map(|_| kind.fresh(&mut r)).collect();
                pairs += check(&boxes, &kind);
            }
            assert!(count < 64 || pairs > 0, "{kind:?} has no pairs");
        }
    }
}

#[test]
fn a_crowd_shared_among_tasks_equals_brute_force() {
    let mut r = Random::new(2);
    let mut boxes: Vec<Aabb> = (0..9000).map(|_| crowded(&mut r)).collect();
    assert!(check(&boxes, &"a crowd") > 1000);
    // One far away leaves all others in one cell of the curve.
    boxes[77] = Aabb { min: Vec3::splat(1e12), max: Vec3::splat(2e12) };
    assert!(check(&boxes, &"with one far away") > 1000);
}

#[test]
fn neighbours_in_a_mesh_touch_exactly_and_are_found_far_from_the_origin_too() {
    for origin in [0.0, 1e6 / 3.0, -1e9 / 7.0] {
        // One corner each is shared with the next, whatever it is rounded to.
        let at = |i: usize| Vec3::new(origin + 0.1 * i as f64, (0.3 * i as f64).sin(), 0.01 * i as f64);
        let boxes: Vec<Aabb> = (0..500).map(|i| Aabb::of([at(i), at(i + 1)])).collect();
        let pairs = check(&boxes, &origin);
        assert!(pairs >= 499, "{pairs}");
    }
}

#[test]
fn the_greatest_and_the_least_numbers_are_boxes_too() {
    let mut r = Random::new(8);
    let scales = [0.0, f64::MIN_POSITIVE, 1e-300, 1.0, 1e39, 1e300, f64::MAX];
    for round in 0..30 {
        let boxes: Vec<Aabb> = (0..10 + 10 * round)
            .map(|_| {
                let mut corner =
                    || Vec3::from([(); 3].map(|()| scales[r.below(7)] * [-1.0, 1.0][r.below(2)]));
                Aabb::of([corner(), corner()])
            })
            .collect();
        check(&boxes, &round);
    }
}

#[test]
fn one_two_and_four_threads_list_the_same_pairs_in_the_same_order() {
    let mut r = Random::new(4);
    let boxes: Vec<Aabb> = (0..20_000).map(|_| crowded(&mut r)).collect();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| overlapping_pairs(&boxes).unwrap())
    };
    let one = with(1);
    assert!(one.len() > 5000);
    assert!(one == with(2), "two threads differ");
    assert!(one == with(4), "four threads differ");
}

#[test]
fn bad_boxes_are_refused_by_position() {
    let good = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    for axis in 0..3 {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (mut low, mut high) = (good, good);
            (low.min[axis], high.max[axis]) = (bad, bad);
            for wrong in [low, high] {
                let refused = Err(CullingError::NotFinite { which: Which::New(1) });
                assert_eq!(overlapping_pairs(&[good, wrong, good]), refused);
            }
        }
        let mut inverted = good;
        inverted.min[axis] = 1.0 + f64::EPSILON;
        let refused = Err(CullingError::Inverted { which: Which::New(2), axis });
        assert_eq!(overlapping_pairs(&[good, good, inverted]), refused);
    }
    assert_eq!(overlapping_pairs(&[Aabb::EMPTY]), Err(CullingError::NotFinite { which: Which::New(0) }));
}

/// In a cube where each box overlaps a few others.
fn crowded(r: &mut Random) -> Aabb {
    let corner = r.vector(14.0);
    Aabb { min: corner, max: corner + Vec3::splat(r.between(0.5, 1.5)) }
}
