//! Penetration against the hull of all differences, against unions of intervals, and against many directions.

#![allow(clippy::unwrap_used)]

mod common;

use common::{pose, rotation, solid, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::Obb;
use silvia_proximity::{
    AlongError, ClosestFaces, Extent, Feature, Hierarchy, Penetration, PenetrationError, PenetrationMethod,
    PenetrationOptions, collide, deepest_points, penetration, point_distance, separation_along,
    spread_directions,
};
use silvia_solid::hull::convex_hull;
use silvia_solid::primitives::{self, TorusKnot};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, triangles_intersect};

type Body = Hierarchy<Obb>;

fn body(soup: &Soup) -> Body {
    Hierarchy::new(Solid::from_soup(soup).unwrap())
}

fn deep(a: &Body, b: &Body, at: &Pose, options: &PenetrationOptions) -> Option<Penetration> {
    penetration(a, &Pose::IDENTITY, b, at, options).unwrap()
}

fn by(method: PenetrationMethod) -> PenetrationOptions {
    PenetrationOptions { method, ..PenetrationOptions::default() }
}

/// Whether the translation separates, said by `collide`, and the points are where they are said to be.
fn holds(a: &Body, b: &Body, at: &Pose, found: &Penetration) -> Result<(), TestCaseError> {
    let gone = Pose::new(at.translation() + found.translation(), at.rotation()).unwrap();
    prop_assert!(found.certified);
    prop_assert!(!collide(a, &Pose::IDENTITY, b, &gone, Extent::Any).is_some(), "{:?}", found);
    prop_assert!((found.direction.length() - 1.0).abs() < 1e-12);
    let size = a.bounds().magnitude() + b.bounds().magnitude();
    let [on_a, on_b] = found.points;
    let far = |body: &Body, pose: &Pose, p: Vec3| point_distance(body, pose, p).unwrap().distance.abs();
    prop_assert!(far(a, &Pose::IDENTITY, on_a) < 1e-9 * size && far(b, at, on_b) < 1e-9 * size);
    Ok(())
}

/// The depth of two convex bodies: the least distance of the origin to a plane of the hull of all differences of vertices.
fn minkowski_depth(a: &[Vec3], b: &[Vec3]) -> f64 {
    let differences: Vec<Vec3> = a.iter().flat_map(|&p| b.iter().map(move |&q| p - q)).collect();
    let hull = convex_hull(&differences).unwrap().soup;
    let offset = |t: usize| {
        let [p, q, r] = hull.corners(t);
        (q - p).cross(r - p).try_normalize().map_or(f64::INFINITY, |n| n.dot(p))
    };
    (0..hull.triangles().len()).map(offset).fold(f64::INFINITY, f64::min)
}

fn convex() -> impl Strategy<Value = Solid> {
    prop_oneof![
        prop::array::uniform3(0.2..2.0f64).prop_map(|s| primitives::cuboid(s.into()).unwrap()),
        (0.2..1.0f64, 1usize..4).prop_map(|(r, f)| primitives::sphere(r, f).unwrap()),
        (0.2..1.0f64, 0.2..2.0f64, 3usize..9).prop_map(|(r, h, n)| primitives::prism(n, r, h).unwrap()),
        prop::collection::vec(vector(1.0), 8..24).prop_map(|p| convex_hull(&p).unwrap().soup),
    ]
    .prop_map(|soup| Solid::from_soup(&soup).unwrap())
}

/// General poses, and those in which faces and edges are parallel.
fn placed() -> impl Strategy<Value = Pose> {
    let lattice = (prop::array::uniform3(-2i8..=2), 0..4i8).prop_map(|(t, turn)| {
        let q = Quat::from_rotation_z(f64::from(turn) * std::f64::consts::FRAC_PI_2);
        Pose::new(0.25 * Vec3::from(t.map(f64::from)), q).unwrap()
    });
    prop_oneof![pose(1.0), lattice]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn convex_solids_are_as_deep_as_the_hull_of_their_differences_says(a in convex(), b in convex(), at in placed()) {
        let moved: Vec<Vec3> = b.soup().points().iter().map(|&p| at.transform_point(p)).collect();
        let truth = minkowski_depth(a.soup().points(), &moved);
        let (a, b): (Body, Body) = (Hierarchy::new(a), Hierarchy::new(b));
        match deep(&a, &b, &at, &PenetrationOptions::default()) {
            Some(found) => {
                prop_assert!(found.exact && found.method == PenetrationMethod::Convex);
                prop_assert!((found.depth - truth.max(0.0)).abs() < 1e-12, "{} {}", found.depth, truth);
                holds(&a, &b, &at, &found)?;
                let [p, q] = found.points;
                prop_assert!((p - q).distance(found.translation()) < 1e-9);
            }
            None => prop_assert!(truth < 1e-12, "{}", truth),
        }
    }
}

/// All `s >= 0` for which a pair of triangles touches are an interval; the least free place by sorting them all. The ends are
/// found by bisection of the exact test, which shares nothing with the formulas.
fn brute_along(a: &Solid, b: &Solid, at: &Pose, direction: Vec3) -> f64 {
    let far = 4.0 * (a.bounds().magnitude() + b.bounds().magnitude() + at.translation().length());
    let shifted =
        |s: f64| b.soup().posed(&Pose::new(at.translation() + s * direction, at.rotation()).unwrap());
    let mut s = 0.0;
    'further: loop {
        let moved = shifted(s);
        for i in 0..a.triangle_count() {
            for j in 0..b.triangle_count() {
                let (ta, tb) = (a.soup().corners(i), moved.corners(j));
                if triangles_intersect(&ta, &tb) {
                    let (mut low, mut high) = (0.0, far);
                    for _ in 0..60 {
                        let middle = 0.5 * (low + high);
                        // Convex sets touch over an interval, so bisection finds its end.
                        if triangles_intersect(&ta, &tb.map(|p| p + middle * direction)) {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    s += high + 1e-12;
                    continue 'further;
                }
            }
        }
        let winding =
            |solid: &Soup, p: Vec3| silvia_solid::winding_number(solid.points(), solid.triangles(), p);
        if winding(a.soup(), moved.points()[0]) > 0.5 || winding(&moved, a.soup().points()[0]) > 0.5 {
            s += 1e-3;
            continue;
        }
        return s;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_separation_along_a_direction_is_the_first_gap_between_the_intervals(
        a in solid(), b in solid(), at in pose(0.7), direction in vector(1.0)
    ) {
        prop_assume!(direction.length() > 0.1);
        let (ha, hb): (Body, Body) = (Hierarchy::new(a.clone()), Hierarchy::new(b.clone()));
        let found = separation_along(&ha, &Pose::IDENTITY, &hb, &at, 3.0 * direction).unwrap();
        let truth = brute_along(&a, &b, &at, direction.normalize());
        // Through the inside the brute force goes by steps of a millimetre.
        prop_assert!((found - truth).abs() < 2e-3, "{} {}", found, truth);
        prop_assert!(found < truth + 1e-9, "{} {}", found, truth);
        let gone = Pose::new(at.translation() + found * direction.normalize(), at.rotation()).unwrap();
        prop_assert!(!collide(&ha, &Pose::IDENTITY, &hb, &gone, Extent::Any).is_some());
    }

    #[test]
    fn whatever_the_method_the_translation_separates(a in solid(), b in solid(), at in placed()) {
        let (a, b): (Body, Body) = (Hierarchy::new(a), Hierarchy::new(b));
        let touching = collide(&a, &Pose::IDENTITY, &b, &at, Extent::Any).is_some();
        for method in [PenetrationMethod::Auto, PenetrationMethod::Slide, PenetrationMethod::Stepwise] {
            let found = deep(&a, &b, &at, &by(method));
            prop_assert_eq!(found.is_some(), touching);
            if let Some(found) = found {
                holds(&a, &b, &at, &found)?;
            }
        }
    }

    #[test]
    fn swapping_the_bodies_turns_the_direction_round(a in convex(), b in convex(), at in pose(0.8)) {
        let (a, b): (Body, Body) = (Hierarchy::new(a), Hierarchy::new(b));
        let one = penetration(&a, &Pose::IDENTITY, &b, &at, &PenetrationOptions::default()).unwrap();
        let other = penetration(&b, &at, &a, &Pose::IDENTITY, &PenetrationOptions::default()).unwrap();
        prop_assert_eq!(one.is_some(), other.is_some());
        if let (Some(one), Some(other)) = (one, other) {
            prop_assert!((one.depth - other.depth).abs() < 1e-12);
        }
    }
}

/// The three pairs that the proofs use: knots, brackets, and a peg in a hole.
fn scene(kind: usize) -> [Soup; 2] {
    match kind {
        0 => {
            let knot = TorusKnot::TREFOIL.soup_with_triangles(1000).unwrap().scaled(0.4).unwrap();
            [knot.clone(), knot]
        }
        1 => {
            let l = [[0., 0.], [2., 0.], [2., 0.6], [0.6, 0.6], [0.6, 2.], [0., 2.]];
            let l = primitives::extrusion(&l, &[], 0.5).unwrap();
            [l.clone(), l]
        }
        _ => {
            let hole: Vec<[f64; 2]> = (0..24)
                .map(|i| {
                    0.31 * Vec3::from_array([
                        (0.2618 * f64::from(i)).cos(),
                        (0.2618 * f64::from(i)).sin(),
                        0.0,
                    ])
                })
                .map(|p| [p.x, p.y])
                .collect();
            let plate =
                primitives::extrusion(&[[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]], &[hole], 0.5).unwrap();
            [plate, primitives::cylinder(0.3, 1.5, 24).unwrap()]
        }
    }
}

fn scene_pose(kind: usize) -> BoxedStrategy<Pose> {
    match kind {
        2 => (vector(0.1), -0.25..0.25f64, -0.25..0.25f64)
            .prop_map(|(t, x, y)| Pose::new(t, Quat::from_rotation_x(x) * Quat::from_rotation_y(y)).unwrap())
            .boxed(),
        1 => (vector(0.8), rotation()).prop_map(|(t, q)| Pose::new(t, q).unwrap()).boxed(),
        _ => (vector(0.8), rotation()).prop_map(|(t, q)| Pose::new(t, q).unwrap()).boxed(),
    }
}

/// The best of so many directions, each answered exactly.
fn best_of(a: &Body, b: &Body, at: &Pose, count: usize) -> f64 {
    let along = |d: Vec3| separation_along(a, &Pose::IDENTITY, b, at, d).unwrap();
    spread_directions(count).map(along).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "an experiment"]
fn quality() {
    for kind in 0..3 {
        let [a, b] = scene(kind).map(|s| body(&s));
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let (mut ratios, mut took, mut took_brute) = (Vec::new(), 0.0, 0.0);
        let count: usize = std::env::var("N").map_or(40, |n| n.parse().unwrap());
        while ratios.len() < count {
            let at = scene_pose(kind).new_tree(&mut runner).unwrap().current();
            let start = std::time::Instant::now();
            let Some(found) = deep(&a, &b, &at, &PenetrationOptions::default()) else { continue };
            took += start.elapsed().as_secs_f64();
            let start = std::time::Instant::now();
            let best = best_of(&a, &b, &at, 2000);
            took_brute += start.elapsed().as_secs_f64();
            ratios.push(found.depth / best);
        }
        ratios.sort_by(f64::total_cmp);
        let n = ratios.len();
        println!(
            "kind {kind}: {:.2} ms each ({:.1} ms brute) ratio median {:.4} 90% {:.4} 95% {:.4} max {:.4}",
            1e3 * took / n as f64,
            1e3 * took_brute / n as f64,
            ratios[n / 2],
            ratios[n * 9 / 10],
            ratios[n * 19 / 20],
            ratios[n - 1]
        );
    }
}
