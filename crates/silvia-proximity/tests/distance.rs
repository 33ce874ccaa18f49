//! Distances equal brute force, whatever the bound, the strategy and the budget.

#![allow(clippy::unwrap_used)]

mod common;

use common::{brute_distance, extent, hierarchy, point_triangle, pose, soup, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::{Bound, Obb};
use silvia_proximity::mesh::{Distance, DistanceCache, distance};
use silvia_proximity::{BuildOptions, DistanceError, DistanceOptions, Hierarchy, Split, Strategy as Order};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};
use std::time::Duration;

const ORDERS: [Order; 2] = [Order::Greedy, Order::BestFirst];

fn options(strategy: Order) -> DistanceOptions {
    DistanceOptions { strategy, ..DistanceOptions::default() }
}

fn ask<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>, pose: &Pose, options: &DistanceOptions) -> Distance {
    distance(a, &Pose::IDENTITY, b, pose, options).unwrap()
}

fn agrees<B: Bound>(a: &Soup, b: &Soup, pose: &Pose) -> Result<(), TestCaseError> {
    let posed = b.posed(pose);
    let truth = brute_distance(a, &posed);
    let tolerance = 1e-12 * extent(a, &posed);
    for split in [Split::Principal, Split::SurfaceArea] {
        for leaf_size in [1, 3] {
            let build = BuildOptions { split, leaf_size };
            let ha: Hierarchy<B> = Hierarchy::with_options(a.clone(), &build);
            let hb: Hierarchy<B> = Hierarchy::with_options(b.clone(), &build);
            for order in ORDERS {
                let got = ask(&ha, &hb, pose, &options(order));
                prop_assert!(got.exact && got.lower == got.upper);
                prop_assert!(
                    (got.upper - truth).abs() <= tolerance,
                    "{} {} for {}",
                    B::NAME,
                    got.upper,
                    truth
                );
                let [p, q] = got.witness.points;
                prop_assert!((p.distance(q) - got.upper).abs() <= tolerance);
                for (point, body) in [(p, a), (q, &posed)] {
                    let all = 0..body.triangles().len();
                    let off =
                        all.map(|t| point_triangle(point, &body.corners(t))).fold(f64::INFINITY, f64::min);
                    prop_assert!(off <= tolerance, "{} the witness is {off} from its body", B::NAME);
                }
                let back = ask(&hb, &ha, &pose.inverse(), &options(order));
                prop_assert!((back.upper - truth).abs() <= 4.0 * tolerance);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_bound_and_strategy_equals_brute_force(
        a in soup(), b in soup(), at in pose(2.0), decade in -6i32..=6,
    ) {
        let scale = 10f64.powi(decade);
        let (a, b) = (a.scaled(scale).unwrap(), b.scaled(scale).unwrap());
        let at = Pose::new(at.translation() * scale, at.rotation()).unwrap();
        for_every_bound!(agrees(&a, &b, &at));
    }

    #[test]
    fn lattice_bodies_that_touch_are_at_distance_zero(
        a in soup(), b in soup(), shift in prop::array::uniform3(-2i8..=2),
    ) {
        let at = Pose::from_translation(Vec3::from(shift.map(f64::from))).unwrap();
        for_every_bound!(agrees(&a, &b, &at));
    }

    #[test]
    fn at_every_cut_the_bounds_hold_and_the_lower_never_falls(
        shift in vector(5.0), turn in common::rotation(),
    ) {
        let knot: Hierarchy<Obb> =
            hierarchy(&primitives::TorusKnot::TREFOIL.soup_with_triangles(600).unwrap());
        let at = Pose::new(shift, turn).unwrap();
        for order in ORDERS {
            let truth = ask(&knot, &knot, &at, &options(order)).upper;
            let (mut lower, mut visits) = (0.0, 0);
            loop {
                let cut = DistanceOptions { max_visits: Some(visits), ..options(order) };
                let got = ask(&knot, &knot, &at, &cut);
                prop_assert!(
                    lower <= got.lower && got.lower <= truth && truth <= got.upper,
                    "{lower} {truth} {got:?}"
                );
                lower = got.lower;
                if got.exact {
                    prop_assert_eq!(got.upper, truth);
                    break;
                }
                visits += 1 + visits / 8;
            }
        }
    }

    #[test]
    fn tolerances_and_cut_offs_are_honoured(
        shift in vector(6.0), relative in 0.0..0.5f64, cutoff in 0.1..5.0f64,
    ) {
        let knot: Hierarchy<Obb> =
            hierarchy(&primitives::TorusKnot::TREFOIL.soup_with_triangles(600).unwrap());
        let at = Pose::from_translation(shift).unwrap();
        for order in ORDERS {
            let truth = ask(&knot, &knot, &at, &options(order));
            let loose =
                ask(&knot, &knot, &at, &DistanceOptions { relative_tolerance: relative, ..options(order) });
            prop_assert!(loose.lower <= truth.upper && truth.upper <= loose.upper);
            prop_assert!(loose.upper - loose.lower <= relative * loose.upper + 1e-15);
            let cut = ask(&knot, &knot, &at, &DistanceOptions { cutoff, ..options(order) });
            prop_assert!(cut.lower <= truth.upper && truth.upper <= cut.upper);
            if truth.upper < cutoff {
                prop_assert!(cut.exact && cut.upper == truth.upper);
            } else {
                prop_assert!(cut.lower >= cutoff && cut.visits <= truth.visits);
            }
        }
    }

    /// The cache must change nothing but the cost: along a random walk, with jumps, through contact.
    #[test]
    fn a_cache_changes_no_answer(
        start in vector(4.0),
        steps in prop::collection::vec((vector(0.3), vector(0.2), prop::bool::weighted(0.05)), 40),
    ) {
        let knot: Hierarchy<Obb> =
            hierarchy(&primitives::TorusKnot::TREFOIL.soup_with_triangles(800).unwrap());
        let mut cache = DistanceCache::new();
        let mut at = Pose::from_translation(start).unwrap();
        for (shift, turn, jump) in steps {
            let shift = if jump { shift * 10.0 } else { shift };
            at = Pose::new(
                at.translation() + shift,
                (Quat::from_scaled_axis(turn) * at.rotation()).normalize(),
            )
            .unwrap();
            let plain = ask(&knot, &knot, &at, &DistanceOptions::default());
            let cached =
                cache.distance(&knot, &Pose::IDENTITY, &knot, &at, &DistanceOptions::default()).unwrap();
            prop_assert_eq!(plain.upper, cached.upper);
            prop_assert!(cached.exact && cached.lower == cached.upper);
        }
    }

    /// With a budget the bounds must still hold, however often the search was cut short before.
    #[test]
    fn a_cache_with_a_budget_is_honest(
        start in vector(4.0),
        steps in prop::collection::vec((vector(0.3), 0u64..200), 30),
        relative in 0.0..0.2f64,
    ) {
        let knot: Hierarchy<Obb> =
            hierarchy(&primitives::TorusKnot::TREFOIL.soup_with_triangles(800).unwrap());
        let mut cache = DistanceCache::new();
        let mut at = start;
        for (shift, visits) in steps {
            at += shift;
            let pose = Pose::from_translation(at).unwrap();
            let truth = ask(&knot, &knot, &pose, &DistanceOptions::default()).upper;
            let budget = DistanceOptions {
                max_visits: Some(visits),
                relative_tolerance: relative,
                ..DistanceOptions::default()
            };
            let got = cache.distance(&knot, &Pose::IDENTITY, &knot, &pose, &budget).unwrap();
            prop_assert!(got.lower <= truth && truth <= got.upper, "{got:?} {truth}");
            prop_assert!(!got.exact || got.upper == truth);
        }
    }

    #[test]
    fn moving_vertices_are_followed(a in soup(), b in soup(), by in vector(0.5)) {
        let mut body: Hierarchy<Obb> = hierarchy(&a);
        let moved: Vec<Vec3> = a.points().iter().map(|&p| p + by * p.x.sin()).collect();
        body.refit(&moved).unwrap();
        let other: Hierarchy<Obb> = hierarchy(&b);
        let truth = brute_distance(&Soup::new(moved, a.triangles().to_vec()).unwrap(), &b);
        let got = ask(&body, &other, &Pose::IDENTITY, &DistanceOptions::default());
        prop_assert!((got.upper - truth).abs() <= 1e-12 * extent(&a, &b));
    }
}

#[test]
fn slivers_lose_no_digits() {
    // A small triangle a tenth above the middle of a needle of any thinness, turned so that every product is
    // rounded.
    let turn = Pose::new(Vec3::ZERO, Quat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize()).unwrap();
    for thinness in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        let needle = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.4, thinness, 0.0)];
        let small =
            [(0.0, 0.0), (1e-3, 0.0), (0.0, 1e-3)].map(|(x, z)| Vec3::new(0.4 + x, 0.3 * thinness, 0.1 + z));
        let body =
            |points: Vec<Vec3>| hierarchy::<Obb>(&Soup::new(points, vec![[0, 1, 2]]).unwrap().posed(&turn));
        let got = ask(&body(needle), &body(small.to_vec()), &Pose::IDENTITY, &DistanceOptions::default());
        assert!((got.upper - 0.1).abs() < 1e-14, "{thinness}: {}", got.upper);
    }
}

fn solid(soup: Soup) -> Hierarchy<Obb> {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

/// Coordinates so far out cannot tell the side of a face: the part was said to hold a point of the other.
#[test]
fn solids_very_far_from_each_other_are_not_within_each_other() {
    for part in [primitives::cuboid(Vec3::splat(2.0)).unwrap(), primitives::cylinder(0.01, 0.04, 32).unwrap()]
    {
        let (a, b) = (solid(part.clone()), solid(part));
        for far in [1e3, 1e10, 1e16, 1e17, 1e20, 1e60] {
            let pose = Pose::from_translation(Vec3::new(far, 0.0, 0.0)).unwrap();
            let got = ask(&a, &b, &pose, &DistanceOptions::default());
            assert!((got.upper / far - 1.0).abs() < 1e-2, "{far}: {}", got.upper);
        }
    }
}

#[test]
fn a_solid_within_a_solid_is_at_distance_zero_and_a_shell_is_not() {
    let ball = primitives::sphere(1.0, 4).unwrap();
    let crumb = primitives::cuboid(Vec3::splat(0.1)).unwrap();
    let (big, small) = (solid(ball.clone()), solid(crumb.clone()));
    for (a, b) in [(&big, &small), (&small, &big)] {
        let got = ask(a, b, &Pose::IDENTITY, &DistanceOptions::default());
        assert!(got.exact && got.upper == 0.0);
        assert_eq!(got.witness.points[0], got.witness.points[1]);
        // Cut short, it must not claim what it has not shown.
        let cut = ask(
            a,
            b,
            &Pose::IDENTITY,
            &DistanceOptions { max_visits: Some(0), ..DistanceOptions::default() },
        );
        assert_eq!(cut.lower, 0.0);
    }
    let shell: Hierarchy<Obb> = hierarchy(&ball);
    let got = ask(&shell, &hierarchy(&crumb), &Pose::IDENTITY, &DistanceOptions::default());
    assert!(got.exact && got.upper > 0.8);
}

#[test]
fn a_body_in_a_cavity_is_apart_and_one_in_the_material_is_not() {
    let outer = primitives::cuboid(Vec3::splat(3.0)).unwrap();
    let inner = primitives::cuboid(Vec3::ONE).unwrap();
    let flipped = inner.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let hollow =
        solid(Soup::joined([&outer, &Soup::new(inner.points().to_vec(), flipped).unwrap()]).unwrap());
    let crumb = solid(primitives::cuboid(Vec3::splat(0.1)).unwrap());
    let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let got = ask(&hollow, &crumb, &at(0.0), &DistanceOptions::default());
    assert!((got.upper - 0.45).abs() < 1e-14, "{got:?}");
    assert_eq!(ask(&hollow, &crumb, &at(1.0), &DistanceOptions::default()).upper, 0.0);
}

#[test]
fn of_a_pair_of_crumbs_the_one_inside_counts() {
    let ball = solid(primitives::sphere(1.0, 4).unwrap());
    let crumb = primitives::cuboid(Vec3::splat(0.1)).unwrap();
    let outside = crumb.posed(&Pose::from_translation(Vec3::new(1.2, 0.0, 0.0)).unwrap());
    let both = solid(Soup::joined([&outside, &crumb]).unwrap());
    let got = ask(&ball, &both, &Pose::IDENTITY, &DistanceOptions::default());
    assert_eq!(got.upper, 0.0);
    assert!(got.witness.points[0].length() < 0.1, "a corner of the one inside: {:?}", got.witness);
    assert!(ask(&ball, &solid(outside), &Pose::IDENTITY, &DistanceOptions::default()).upper > 0.1);
}

#[test]
fn no_time_at_all_gives_honest_bounds() {
    let knot = solid(primitives::TorusKnot::TREFOIL.soup_with_triangles(10_000).unwrap());
    let at = Pose::from_translation(Vec3::new(8.0, 0.0, 0.0)).unwrap();
    let truth = ask(&knot, &knot, &at, &DistanceOptions::default()).upper;
    for order in ORDERS {
        let none = DistanceOptions { deadline: Some(Duration::ZERO), ..options(order) };
        let got = ask(&knot, &knot, &at, &none);
        assert!(!got.exact && got.lower <= truth && truth <= got.upper && got.upper.is_finite());
        assert_eq!(got.visits, 0);
    }
}

#[test]
fn nonsense_options_are_refused_by_name() {
    let knot: Hierarchy<Obb> = hierarchy(&primitives::cuboid(Vec3::ONE).unwrap());
    let bad = DistanceOptions { cutoff: f64::NAN, ..DistanceOptions::default() };
    let error = distance(&knot, &Pose::IDENTITY, &knot, &Pose::IDENTITY, &bad).unwrap_err();
    assert!(matches!(error, DistanceError::NotPositive { name: "cut-off", .. }), "{error}");
}

#[test]
fn the_tree_and_its_answers_are_the_same_on_any_number_of_threads() {
    let soup = primitives::TorusKnot::TREFOIL.soup_with_triangles(20_000).unwrap();
    let at = Pose::from_translation(Vec3::new(5.0, 2.0, 1.0)).unwrap();
    let answers: Vec<Distance> = [1, 2, 4]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let knot: Hierarchy<Obb> = pool.install(|| hierarchy(&soup));
            ask(&knot, &knot, &at, &DistanceOptions::default())
        })
        .collect();
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn a_corner_that_rounding_takes_off_the_other_triangle_is_still_the_witness() -> Result<(), TestCaseError> {
    let a = [[1., 2., -1.], [-1., -2., -1.], [1., -1., 2.]].map(Vec3::from);
    let b = [[1., 1., 1.], [-1., 0., 0.], [0., 2., 0.]].map(Vec3::from);
    let [a, b] = [a, b].map(|corners| Soup::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap());
    let at = Pose::from_translation(Vec3::new(-1.0, -2.0, -1.0)).unwrap();
    for_every_bound!(agrees(&a, &b, &at));
    Ok(())
}
