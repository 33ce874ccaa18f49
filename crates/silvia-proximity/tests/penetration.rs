//! Penetration against the hull of all differences, against unions of intervals, and against many directions.

#![allow(clippy::unwrap_used)]

mod common;

use common::{pose, solid, vector};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{
    Penetration, PenetrationMethod, PenetrationOptions, collide, penetration, point_distance,
    separation_along,
};
use silvia_proximity::{Convex, Expansion, Extent, Hierarchy, convex_penetration, spread_directions};
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

/// The depth of two convex bodies: the least distance of the origin to a plane of the hull of all differences
/// of vertices. A sliver of the hull may have a normal that is off; how far the differences reach along it is
/// an upper bound all the same.
fn minkowski_depth(a: &[Vec3], b: &[Vec3]) -> f64 {
    let differences: Vec<Vec3> = a.iter().flat_map(|&p| b.iter().map(move |&q| p - q)).collect();
    let hull = convex_hull(&differences).unwrap().soup;
    let reach = |n: Vec3| hull.points().iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    let normal = |t: usize| {
        let [p, q, r] = hull.corners(t);
        (q - p).cross(r - p).try_normalize()
    };
    (0..hull.triangles().len()).filter_map(normal).map(reach).fold(f64::INFINITY, f64::min)
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
    fn convex_solids_are_as_deep_as_the_hull_of_their_differences_says(
        a in convex(), b in convex(), at in placed(),
    ) {
        let moved: Vec<Vec3> = b.soup().points().iter().map(|&p| at.transform_point(p)).collect();
        let truth = minkowski_depth(a.soup().points(), &moved);
        let (ca, cb) = (Convex::new(&a).unwrap(), Convex::new(&b).unwrap());
        let (a, b): (Body, Body) = (Hierarchy::new(a), Hierarchy::new(b));
        match deep(&a, &b, &at, &PenetrationOptions::default()) {
            Some(found) => {
                prop_assert!(found.exact && found.method == PenetrationMethod::Convex);
                prop_assert!((truth.max(0.0) - found.lower).abs() < 1e-12, "{:?} {}", found, truth);
                prop_assert!(found.lower < found.depth, "the depth is lengthened, its lower bound is not");
                prop_assert!((found.depth - truth.max(0.0)).abs() < 1e-12, "{} {}", found.depth, truth);
                holds(&a, &b, &at, &found)?;
                let [p, q] = found.points;
                prop_assert!((p - q).distance(found.translation()) < 1e-9);
                match convex_penetration(&ca, &Pose::IDENTITY, &cb, &at) {
                    Expansion::Deep(same) => {
                        prop_assert!((same.depth - truth).abs() < 1e-12 && same.lower > truth - 1e-12);
                        let [p, q] = same.points;
                        prop_assert!((p - q).distance(same.depth * same.direction) < 1e-12);
                    }
                    Expansion::Apart(_) => prop_assert!(truth < 1e-12),
                    Expansion::Flat => prop_assert!(false, "solids have volume"),
                }
            }
            None => prop_assert!(truth < 1e-12, "{}", truth),
        }
    }
}

/// Edges of these balls are parallel: corners of their difference stand in one line but for rounding, and a
/// facet between these may face anywhere. The radii are two of few for which one does.
#[test]
fn slivers_of_the_difference_do_not_loosen_the_lower_bound() {
    let ball = |radius, frequency| Solid::from_soup(&primitives::sphere(radius, frequency).unwrap()).unwrap();
    let (a, b) = (ball(0.8462435001682712, 1), ball(0.7211107095130763, 2));
    let at = Pose::new(Vec3::new(-0.25, 0.25, 0.5), Quat::from_rotation_z(std::f64::consts::PI)).unwrap();
    let moved: Vec<Vec3> = b.soup().points().iter().map(|&p| at.transform_point(p)).collect();
    let truth = minkowski_depth(a.soup().points(), &moved);
    let (a, b) = (Convex::new(&a).unwrap(), Convex::new(&b).unwrap());
    let Expansion::Deep(found) = convex_penetration(&a, &Pose::IDENTITY, &b, &at) else {
        panic!("they overlap")
    };
    assert!((found.depth - truth).abs() < 1e-12, "{found:?} {truth}");
    assert!((found.lower - truth).abs() < 1e-12, "{found:?} {truth}");
}

/// All `s >= 0` for which a pair of triangles touches are an interval; the least free place by sorting them
/// all. The ends are found by bisection of the exact test, which shares nothing with the formulas.
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
            // The other way of an equal length may be taken; turned round, each must separate as the other
            // does.
            let mut back = other;
            back.direction = -other.direction;
            back.points.reverse();
            holds(&a, &b, &at, &back)?;
            let is_unique = second_shortest(&a, &b, &at, one.direction) > one.depth + 1e-3;
            prop_assert!(
                !is_unique || one.direction.distance(-other.direction) < 1e-6,
                "{:?} {:?}",
                one,
                other
            );
        }
    }
}

/// The least that any of some directions away from a given one needs.
fn second_shortest(a: &Body, b: &Body, at: &Pose, but: Vec3) -> f64 {
    let reach = |body: &Body, pose: &Pose, n: Vec3| {
        let points = body.surface().soup().points().iter();
        points.map(|&p| n.dot(pose.transform_point(p))).fold(f64::NEG_INFINITY, f64::max)
    };
    let needs = |n: Vec3| reach(a, &Pose::IDENTITY, n) + reach(b, at, -n);
    let aside = spread_directions(2000).filter(|n| n.distance(but) > 0.2);
    aside.map(needs).fold(f64::INFINITY, f64::min)
}

fn bracket() -> Soup {
    let l = [[0., 0.], [2., 0.], [2., 0.6], [0.6, 0.6], [0.6, 2.], [0., 2.]];
    primitives::extrusion(&l, &[], 0.5).unwrap()
}

/// The best of so many directions, each answered exactly.
fn best_of(a: &Body, b: &Body, at: &Pose, count: usize) -> f64 {
    let along = |d: Vec3| separation_along(a, &Pose::IDENTITY, b, at, d).unwrap();
    spread_directions(count).map(along).fold(f64::INFINITY, f64::min)
}

/// `cargo xtask prove penetration` and `shortest` show this on knots and pegs, with many more directions and
/// trials.
#[test]
fn brackets_come_apart_as_shortly_as_the_best_of_many_directions() {
    let l = body(&bracket());
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut trials, mut within) = (0, 0);
    while trials < 30 {
        let at = pose(0.8).new_tree(&mut runner).unwrap().current();
        let Some(found) = deep(&l, &l, &at, &PenetrationOptions::default()) else { continue };
        trials += 1;
        within += usize::from(found.depth <= 1.05 * best_of(&l, &l, &at, 300));
    }
    assert!(within >= 29, "{within} of {trials}");
}

#[test]
fn a_ball_in_the_inner_corner_of_an_l_goes_out_the_short_way() {
    let ball = body(&primitives::sphere(0.1, 6).unwrap());
    let l = body(&bracket());
    // In the leg along x, which ends at y = 0.6, under the notch: the hull of the L would push it to another
    // side.
    let at = Pose::from_translation(Vec3::new(1.2, 0.55, 0.0)).unwrap();
    let found = deep(&l, &ball, &at, &PenetrationOptions::default()).unwrap();
    assert!((found.depth - 0.15).abs() < 2e-3, "{found:?}");
    assert!(found.direction.dot(Vec3::Y) > 0.99, "{found:?}");
}

#[test]
fn a_solid_deep_inside_another_is_taken_out() {
    let knot = body(&TorusKnot::TREFOIL.soup_with_triangles(500).unwrap().scaled(0.1).unwrap());
    let block = body(&primitives::cuboid(Vec3::new(4.0, 6.0, 8.0)).unwrap());
    for (a, b, sign) in [(&block, &knot, 1.0), (&knot, &block, -1.0)] {
        let at = Pose::from_translation(sign * Vec3::new(0.5, 0.0, 0.0)).unwrap();
        let found = deep(a, b, &at, &PenetrationOptions::default()).unwrap();
        let extent = knot.bounds();
        let least = if sign > 0.0 { 1.5 - extent.min.x } else { extent.max.x + 2.5 }.min(1.5 - extent.min.x);
        assert!(found.certified && (found.depth - least).abs() < 1e-9, "{found:?} {least}");
    }
}

#[test]
fn solids_that_only_touch_are_taken_apart_by_rounding() {
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let l = body(&bracket());
    for (a, b, at) in [
        (&cube, &cube, Vec3::new(1.0, 0.25, 0.0)),
        (&cube, &cube, Vec3::ONE),
        (&l, &l, Vec3::new(0.0, 0.0, 0.5)),
    ] {
        let found = deep(a, b, &Pose::from_translation(at).unwrap(), &PenetrationOptions::default()).unwrap();
        assert!(found.certified && found.depth < 1e-12, "{found:?}");
    }
}

#[test]
fn bodies_apart_have_no_depth() {
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let far = Pose::from_translation(Vec3::new(1.5, 0.0, 0.0)).unwrap();
    for method in [PenetrationMethod::Auto, PenetrationMethod::Slide, PenetrationMethod::Stepwise] {
        assert_eq!(deep(&cube, &cube, &far, &by(method)), None);
    }
}

#[test]
fn a_surface_without_inside_is_taken_apart_from_what_it_crosses() {
    let sheet = Soup::new(
        vec![Vec3::new(-3.0, -3.0, 0.2), Vec3::new(3.0, -3.0, 0.2), Vec3::new(0.0, 4.0, 0.2)],
        vec![[0, 1, 2]],
    );
    let sheet: Body = Hierarchy::new(sheet.unwrap());
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let found = deep(&cube, &sheet, &Pose::IDENTITY, &PenetrationOptions::default()).unwrap();
    assert!((found.depth - 0.3).abs() < 1e-9 && found.direction.dot(Vec3::Z) > 0.999, "{found:?}");
    // Inside an open shell nothing touches.
    let shell: Body = Hierarchy::new(primitives::cuboid(Vec3::splat(3.0)).unwrap());
    assert_eq!(deep(&shell, &cube, &Pose::IDENTITY, &PenetrationOptions::default()), None);
}

#[test]
fn a_direction_to_try_first_is_used() {
    let l = body(&bracket());
    let at = Pose::from_translation(Vec3::new(0.1, 0.1, 0.45)).unwrap();
    let none = PenetrationOptions { directions: 0, slides: 0, ..PenetrationOptions::default() };
    let hinted = PenetrationOptions { hint: Some(Vec3::new(0.0, 0.0, 1e-3)), ..none };
    let found = deep(&l, &l, &at, &hinted).unwrap();
    assert!((found.depth - 0.05).abs() < 1e-9, "{found:?}");
}

#[test]
fn the_same_question_has_the_same_answer_to_the_bit() {
    let knot = TorusKnot::TREFOIL.soup_with_triangles(300).unwrap().scaled(0.4).unwrap();
    let (a, b) = (body(&knot), body(&knot));
    let at = Pose::new(Vec3::new(0.2, 0.1, 0.3), Quat::from_rotation_x(0.7)).unwrap();
    let first = deep(&a, &b, &at, &PenetrationOptions::default());
    assert!(first.is_some());
    assert_eq!(first, deep(&a, &b, &at, &PenetrationOptions::default()));
}
