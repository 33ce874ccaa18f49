//! Times of impact with known answers: fast and thin things, turning ones, and motions that are none.

#![allow(clippy::unwrap_used)]

use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{Collision, Deforming, Impact, Moving, Outcome, collide, time_of_impact};
use silvia_proximity::{Extent, Feature, Hierarchy, ImpactError, ImpactOptions, Motion};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::time::Duration;

fn filled(soup: Soup) -> Hierarchy<Obb> {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

fn cuboid(x: f64, y: f64, z: f64) -> Hierarchy<Obb> {
    filled(primitives::cuboid(Vec3::new(x, y, z)).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn rest(pose: Pose) -> Motion {
    Motion::still(pose)
}

fn ask(a: &Hierarchy<Obb>, motion_a: &Motion, b: &Hierarchy<Obb>, motion_b: &Motion) -> Impact {
    time_of_impact(&Moving::new(a, motion_a), &Moving::new(b, motion_b), &ImpactOptions::default()).unwrap()
}

/// The answer is at the right time: its bracket holds it, up to what rounding and the tolerance do, and is
/// narrow.
#[track_caller]
fn hits(impact: &Impact, truth: f64) {
    let upper = impact.upper.unwrap_or(f64::INFINITY);
    assert_eq!(impact.outcome, Outcome::Impact);
    assert!(impact.lower <= truth + 1e-15, "late: {} after {truth}", impact.lower);
    assert!(
        (upper - truth).abs() < 1e-11 && truth - impact.lower < 1e-11,
        "[{}, {upper}] {truth}",
        impact.lower
    );
}

#[test]
fn a_bullet_does_not_pass_through_a_sheet() {
    let corners = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let sheet: Hierarchy<Obb> =
        Hierarchy::new(Soup::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap());
    let soup = primitives::sphere(0.001, 4).unwrap();
    let lowest = soup.bounds().min.z;
    let bullet = filled(soup);
    let truth = (50.0 + lowest) / 100.0;
    let still = rest(Pose::IDENTITY);
    let (from, to) = (at(0.3, 0.2, 50.0), at(0.3, 0.2, -50.0));
    let straight = ask(&sheet, &still, &bullet, &Motion::linear(from, to));
    hits(&straight, truth);
    assert!(straight.contacts[0].normal.distance(Vec3::Z) < 1e-12);
    assert!(matches!(straight.contacts[0].features, [Feature::Face(_), Feature::Vertex(_)]));
    // Spinning about its path by a hundred turns changes nothing.
    let spin = Motion::turning(from, Vec3::Z * -100.0, Vec3::Z * (100.0 * TAU), Vec3::ZERO).unwrap();
    let turned = ask(&sheet, &still, &bullet, &spin);
    hits(&turned, truth);
    // The sheet may as well be thrown at the bullet.
    let thrown = Motion::linear(at(0., 0., -50.), at(0., 0., 50.));
    hits(&ask(&sheet, &thrown, &bullet, &rest(at(0.3, 0.2, 0.0))), (50.0 + lowest) / 100.0);
}

/// When a face through the axis at distance `half`, turning by `angle` over the interval, first meets one of
/// some points.
fn swept_at(points: &[[f64; 2]], half: f64, angle: f64) -> f64 {
    let meets = |[x, y]: &[f64; 2]| (y.atan2(*x) - (half / x.hypot(*y)).asin()).rem_euclid(TAU);
    points.iter().map(meets).fold(f64::INFINITY, f64::min) / angle
}

#[test]
fn a_spinning_blade_does_not_miss_a_peg() {
    // The blade reaches to one side only; three turns in one step.
    let profile = [[0.0, -0.005], [1.0, -0.005], [1.0, 0.005], [0.0, 0.005]];
    let blade = filled(primitives::extrusion(&profile, &[], 0.1).unwrap());
    let peg = cuboid(0.02, 0.02, 1.0);
    let (x, y) = (-0.5, -0.7);
    let corners = [[-0.01, -0.01], [0.01, -0.01], [0.01, 0.01], [-0.01, 0.01]].map(|[u, v]| [x + u, y + v]);
    let angle = 3.0 * TAU;
    let spin = Motion::turning(Pose::IDENTITY, Vec3::ZERO, Vec3::Z * angle, Vec3::ZERO).unwrap();
    let truth = swept_at(&corners, 0.005, angle);
    let impact = ask(&blade, &spin, &peg, &rest(at(x, y, 0.0)));
    hits(&impact, truth);
    hits(&ask(&peg, &rest(at(x, y, 0.0)), &blade, &spin), truth);
}

#[test]
fn a_very_fast_spin_ends_and_is_never_late() {
    // Turning by thousands of radians, the blade sinks onto the height of the peg: a gap is then used up
    // within less than the time to the next number.
    let (blade, peg) = (cuboid(2.0, 0.1, 0.1), cuboid(0.1, 0.1, 1.0));
    let still = rest(at(0.0, 0.8, 0.0));
    for angle in [3e3, 3e4, 3e5, 1e9, 1e18] {
        let sinking =
            Motion::turning(at(0.0, 0.0, 3.0), Vec3::Z * -3.0, Vec3::Z * angle, Vec3::ZERO).unwrap();
        let (a, b) = (Moving::new(&peg, &still), Moving::new(&blade, &sinking));
        let options = ImpactOptions { max_visits: Some(200_000), ..ImpactOptions::default() };
        let impact = time_of_impact(&a, &b, &options).unwrap();
        // They are at one height when the blade has sunk from 3 to 0.55, and within a turn after that they
        // touch.
        let first = 2.45 / 3.0;
        assert!(impact.lower <= first + TAU / angle, "late: {angle} {impact:?}");
        if angle <= 3e4 {
            assert_eq!(impact.outcome, Outcome::Impact);
            assert!(impact.lower > first - 1e-6 * angle.log10(), "{angle} {impact:?}");
        }
    }
}

#[test]
fn a_nearly_straight_screw_does_not_touch_what_it_passes() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let still = rest(Pose::IDENTITY);
    for half_angle in [0.0, 1e-15, 1e-14, 1e-12, 1e-9, 1e-6] {
        let turn = Quat::from_xyzw(0.0, 0.0, half_angle, 1.0).normalize();
        let way = |y: f64| {
            Motion::screw_between(at(-5.0, y, 0.0), Pose::new(Vec3::new(5.0, y, 0.0), turn).unwrap())
        };
        assert_eq!(ask(&cube, &still, &cube, &way(2.0)).outcome, Outcome::Free, "half angle {half_angle}");
        // The way bends by a fraction of the angle, and the front turns by as much.
        let hit = ask(&cube, &still, &cube, &way(0.2));
        assert_eq!(hit.outcome, Outcome::Impact);
        assert!((hit.upper.unwrap() - 0.4).abs() < 1e-11 + half_angle, "{half_angle} {hit:?}");
    }
}

#[test]
fn a_half_turn_within_one_step_finds_what_is_half_way() {
    // At the start and at the end the rod lies in the same place; straight lines between would fold it up.
    let rod = cuboid(2.0, 0.01, 0.01);
    let peg = cuboid(0.02, 0.02, 1.0);
    let corners = [[-0.01, 0.79], [0.01, 0.79], [0.01, 0.81], [-0.01, 0.81]];
    let end = Pose::new(Vec3::ZERO, Quat::from_rotation_z(PI)).unwrap();
    let impact = ask(&peg, &rest(at(0.0, 0.8, 0.0)), &rod, &Motion::rigid(Pose::IDENTITY, end));
    hits(&impact, swept_at(&corners, 0.005, PI));
}

/// A helical ribbon of triangles between two radii, with straight edges outward from the axis.
fn thread(inner: f64, outer: f64, pitch: f64, turns: usize, low: f64) -> Soup {
    const SEGMENTS: usize = 16;
    let count = turns * SEGMENTS;
    let mut points = Vec::new();
    for k in 0..=count {
        let angle = TAU * k as f64 / SEGMENTS as f64;
        let z = low + pitch * k as f64 / SEGMENTS as f64;
        points.extend([inner, outer].map(|r| Vec3::new(r * angle.cos(), r * angle.sin(), z)));
    }
    let quads = (0..count as u32).flat_map(|k| {
        let p = 2 * k;
        [[p, p + 1, p + 3], [p, p + 3, p + 2]]
    });
    Soup::new(points, quads.collect()).unwrap()
}

#[test]
fn a_bolt_turns_through_its_nut_until_its_tip_meets_the_plate() {
    let pitch = 0.2;
    // Threads of the same pitch that interlock half a pitch apart, and a plate below the nut.
    let nut = thread(0.5, 0.9, pitch, 3, 0.0);
    let plate = primitives::cuboid(Vec3::new(3.0, 3.0, 0.1)).unwrap().posed(&at(0.0, 0.0, -0.55));
    let fixed: Hierarchy<Obb> = Hierarchy::new(Soup::joined([&nut, &plate]).unwrap());
    let bolt: Hierarchy<Obb> = Hierarchy::new(thread(0.3, 0.6, pitch, 4, 0.1));
    let still = rest(Pose::IDENTITY);
    // From 0.1 down to the plate's top at -0.5, a screw of five turns.
    let advance = -5.0 * pitch;
    let screw =
        Motion::screw(Pose::IDENTITY, Vec3::new(0.0, 0.0, 7.0), Vec3::Z, -5.0 * TAU, advance).unwrap();
    hits(&ask(&fixed, &still, &bolt, &screw), 0.6);
    // Pushed straight, or turned without advance, the threads meet when about half a pitch is used up.
    let push = Motion::rigid(Pose::IDENTITY, at(0.0, 0.0, advance));
    let spin = Motion::turning(Pose::IDENTITY, Vec3::ZERO, Vec3::Z * (2.0 * TAU), Vec3::ZERO).unwrap();
    for (motion, about) in [(push, 0.5 * pitch / -advance), (spin, 0.25)] {
        let truth = sampled(&fixed, &bolt, &motion);
        assert!((truth - about).abs() < 0.02, "{truth} {about}");
        hits(&ask(&fixed, &still, &bolt, &motion), truth);
    }
}

/// The first touch by the static test at fine samples, and between the last free one and the first that is
/// not by halving.
fn sampled(fixed: &Hierarchy<Obb>, moving: &Hierarchy<Obb>, motion: &Motion) -> f64 {
    let touches =
        |t: f64| collide(fixed, &Pose::IDENTITY, moving, &motion.pose_at(t).unwrap(), Extent::Any).is_some();
    const SAMPLES: usize = 4000;
    let first = (0..=SAMPLES).map(|i| i as f64 / SAMPLES as f64).find(|&t| touches(t)).unwrap();
    let (mut free, mut touching) = (first - 1.0 / SAMPLES as f64, first);
    for _ in 0..40 {
        let middle = 0.5 * (free + touching);
        if touches(middle) { touching = middle } else { free = middle }
    }
    touching
}

#[test]
fn a_near_miss_is_free_and_a_slight_touch_is_not() {
    // A square turns its corner past a wall.
    let square = cuboid(1.0, 1.0, 1.0);
    let wall = cuboid(1.0, 3.0, 3.0);
    let corner = 0.5f64.sqrt();
    let turn = Motion::turning(Pose::IDENTITY, Vec3::ZERO, Vec3::Z * FRAC_PI_2, Vec3::ZERO).unwrap();
    for off in [1e-3, 1e-6, 1e-9] {
        let free = ask(&square, &turn, &wall, &rest(at(0.5 + corner + off, 0.0, 0.0)));
        assert_eq!(free.outcome, Outcome::Free, "{off} off");
        let touch = ask(&square, &turn, &wall, &rest(at(0.5 + corner - off, 0.0, 0.0)));
        let truth = (0.25 * PI - ((corner - off) / corner).acos()) / FRAC_PI_2;
        // Near the turning point a length of 1e-13 is a time of its root.
        let upper = touch.upper.unwrap();
        assert!(touch.lower <= truth + 1e-13 && upper - touch.lower < 1e-6 && (upper - truth).abs() < 1e-6);
    }
}

#[test]
fn all_that_touches_within_the_band_is_listed() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let small = cuboid(0.5, 0.5, 0.5);
    let drop = Motion::linear(at(0.0, 0.0, 3.0), at(0.0, 0.0, 0.0));
    let (a, b) = (Moving::new(&cube, &Motion::still(Pose::IDENTITY)), Moving::new(&small, &drop));
    let first = time_of_impact(&a, &b, &ImpactOptions::default()).unwrap();
    hits(&first, 2.25 / 3.0);
    let corners = |i: &Impact| {
        let on_face = |c: &&silvia_proximity::mesh::ImpactContact| {
            matches!(c.features, [Feature::Face(_), Feature::Vertex(_)]) && c.normal == Vec3::Z
        };
        i.contacts.iter().filter(on_face).count()
    };
    assert_eq!(corners(&first), 4, "{:?}", first.contacts);
    // Later the sides of the small one slide into the large one's top.
    let all = ImpactOptions { band: f64::INFINITY, ..ImpactOptions::default() };
    let later = time_of_impact(&a, &b, &all).unwrap();
    assert!(later.contacts.len() >= first.contacts.len() && later.lower == first.lower);
    assert!(later.contacts.windows(2).all(|w| w[0].lower <= w[1].lower));
    // The rigid way finds the same four.
    let nudge = Pose::new(Vec3::ZERO, Quat::from_rotation_z(1e-6)).unwrap();
    let rigid = Motion::rigid(at(0.0, 0.0, 3.0), nudge);
    let options = ImpactOptions { band: 1e-9, ..ImpactOptions::default() };
    let turned = time_of_impact(&a, &Moving::new(&small, &rigid), &options).unwrap();
    assert_eq!(corners(&turned), 4, "{:?}", turned.contacts);
}

#[test]
fn with_a_band_no_budget_makes_the_bound_late() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let flight = Motion::linear(at(-5.0, 0.1, 0.2), at(5.0, 0.3, 0.1));
    let still = rest(Pose::IDENTITY);
    let (a, b) = (Moving::new(&cube, &still), Moving::new(&cube, &flight));
    let mut spent = 0;
    for visits in 0..60 {
        let options =
            ImpactOptions { band: f64::INFINITY, max_visits: Some(visits), ..ImpactOptions::default() };
        let impact = time_of_impact(&a, &b, &options).unwrap();
        assert!(impact.lower <= 0.4 && impact.upper.is_none_or(|upper| impact.lower <= upper), "{impact:?}");
        assert_eq!(impact.is_complete, impact.outcome != Outcome::Spent);
        spent += usize::from(!impact.is_complete && !impact.contacts.is_empty());
    }
    assert!(spent > 0, "some budgets must run out behind the first contact");
}

#[test]
fn times_are_in_the_given_interval() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let flight = Motion::rigid(at(-5.0, 0.0, 0.0), at(5.0, 0.0, 0.0));
    let options = ImpactOptions { interval: [100.0, 110.0], ..ImpactOptions::default() };
    let still = rest(Pose::IDENTITY);
    let impact = time_of_impact(&Moving::new(&cube, &still), &Moving::new(&cube, &flight), &options).unwrap();
    assert!(
        impact.lower <= 104.0
            && 104.0 <= impact.upper.unwrap()
            && impact.upper.unwrap() - impact.lower < 1e-9
    );
    let away = Motion::rigid(at(-5.0, 0.0, 0.0), at(-9.0, 0.0, 0.0));
    let free = time_of_impact(&Moving::new(&cube, &still), &Moving::new(&cube, &away), &options).unwrap();
    assert_eq!((free.outcome, free.lower, free.upper), (Outcome::Free, 110.0, None));
}

#[test]
fn without_motion_the_answer_is_that_of_the_static_test() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for motion in [Motion::linear as fn(Pose, Pose) -> Motion, Motion::rigid, Motion::screw_between] {
        let apart = at(1.5, 0.0, 0.0);
        assert_eq!(ask(&cube, &rest(Pose::IDENTITY), &cube, &motion(apart, apart)).outcome, Outcome::Free);
        let touching = at(1.0, 0.0, 0.0);
        let impact = ask(&cube, &rest(Pose::IDENTITY), &cube, &motion(touching, touching));
        assert!(matches!(impact.outcome, Outcome::AtStart(Collision::Surfaces(_))));
    }
}

#[test]
fn bodies_that_penetrate_at_the_start_are_said_to() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let leaving =
        Motion::rigid(at(0.9, 0.0, 0.0), Pose::new(Vec3::X * 5.0, Quat::from_rotation_y(1.0)).unwrap());
    let impact = ask(&cube, &rest(Pose::IDENTITY), &cube, &leaving);
    let Outcome::AtStart(Collision::Surfaces(pairs)) = &impact.outcome else {
        panic!("{:?}", impact.outcome)
    };
    let truth = collide(&cube, &Pose::IDENTITY, &cube, &at(0.9, 0.0, 0.0), Extent::All);
    assert_eq!(pairs, truth.pairs());
    assert_eq!((impact.lower, impact.upper), (0.0, Some(0.0)));
    assert!(!impact.contacts.is_empty());
    let options = ImpactOptions { depth: true, ..ImpactOptions::default() };
    let still = rest(Pose::IDENTITY);
    let deep = time_of_impact(&Moving::new(&cube, &still), &Moving::new(&cube, &leaving), &options).unwrap();
    let way = deep.penetration.unwrap();
    assert!((way.depth - 0.1).abs() < 1e-12 && way.direction.distance(Vec3::X) < 1e-12);
}

#[test]
fn bodies_that_penetrate_at_the_start_are_said_to_with_a_separation_too() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let still = rest(Pose::IDENTITY);
    for leave in [Motion::linear as fn(Pose, Pose) -> Motion, Motion::rigid, Motion::screw_between] {
        let end = Pose::new(Vec3::X * 5.0, Quat::from_rotation_y(0.5)).unwrap();
        let away = |x: f64| leave(at(x, 0.1, 0.2), end);
        let options = ImpactOptions { separation: 0.01, depth: true, ..ImpactOptions::default() };
        let ask = |x: f64| {
            time_of_impact(&Moving::new(&cube, &still), &Moving::new(&cube, &away(x)), &options).unwrap()
        };
        let deep = ask(0.5);
        let truth = collide(&cube, &Pose::IDENTITY, &cube, &at(0.5, 0.1, 0.2), Extent::All);
        assert_eq!(deep.outcome, Outcome::AtStart(truth));
        assert!((deep.penetration.unwrap().depth - 0.5).abs() < 1e-12);
        // Only nearer than the separation.
        let near = ask(1.005);
        assert_eq!(near.outcome, Outcome::AtStart(Collision::None));
        assert!(near.penetration.is_none() && near.is_complete);
    }
}

#[test]
fn no_depth_is_looked_for_once_the_time_is_spent() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let (large, small) = (cuboid(3.0, 3.0, 3.0), &cube);
    let still = rest(Pose::IDENTITY);
    let ask = |deadline| {
        let options = ImpactOptions { depth: true, deadline: Some(deadline), ..ImpactOptions::default() };
        time_of_impact(&Moving::new(&large, &still), &Moving::new(small, &still), &options).unwrap()
    };
    let spent = ask(Duration::ZERO);
    assert_eq!(spent.outcome, Outcome::AtStart(Collision::SecondInside));
    assert!(spent.penetration.is_none() && !spent.is_complete);
    let whole = ask(Duration::from_secs(3600));
    assert!((whole.penetration.unwrap().depth - 2.0).abs() < 1e-12 && whole.is_complete);
}

#[test]
fn a_body_inside_a_solid_touches_it_from_the_start() {
    let (large, small) = (cuboid(3.0, 3.0, 3.0), cuboid(1.0, 1.0, 1.0));
    let still = rest(Pose::IDENTITY);
    let out = Motion::linear(Pose::IDENTITY, at(9.0, 0.0, 0.0));
    assert_eq!(ask(&large, &still, &small, &out).outcome, Outcome::AtStart(Collision::SecondInside));
    assert_eq!(ask(&small, &out, &large, &still).outcome, Outcome::AtStart(Collision::FirstInside));
    // A hollow one has room inside: it is hit when the small one gets to its wall.
    let shell: Hierarchy<Obb> = Hierarchy::new(primitives::cuboid(Vec3::splat(3.0)).unwrap());
    hits(&ask(&shell, &still, &small, &out), 1.0 / 9.0);
}

#[test]
fn a_spent_deadline_still_proves_something() {
    let knot = filled(primitives::TorusKnot::TREFOIL.soup(100, 12).unwrap());
    let flight =
        Motion::turning(at(9.0, 0.0, 0.0), Vec3::X * -6.0, Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO).unwrap();
    let still = rest(Pose::IDENTITY);
    let (a, b) = (Moving::new(&knot, &still), Moving::new(&knot, &flight));
    let whole = time_of_impact(&a, &b, &ImpactOptions::default()).unwrap();
    assert_eq!(whole.outcome, Outcome::Impact);
    let none = ImpactOptions { deadline: Some(Duration::ZERO), ..ImpactOptions::default() };
    let spent = time_of_impact(&a, &b, &none).unwrap();
    assert_eq!(spent.outcome, Outcome::Spent);
    assert!(spent.lower <= whole.lower);
    let some = ImpactOptions { max_visits: Some(100), ..ImpactOptions::default() };
    let later = time_of_impact(&a, &b, &some).unwrap();
    assert!(spent.lower < later.lower && later.lower <= whole.lower && later.outcome == Outcome::Spent);
}

#[test]
fn a_sheet_that_billows_meets_the_one_below() {
    // Only its middle point moves, through the sheet below.
    let corners = |z: f64, middle: f64| {
        let mut points =
            [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]].map(|[x, y]| Vec3::new(x, y, z)).to_vec();
        points.push(Vec3::new(0.1, 0.1, middle));
        points
    };
    let fan = vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let sheet = |z: f64| Hierarchy::<Obb>::new(Soup::new(corners(z, z), fan.clone()).unwrap());
    let upper = Deforming::new(sheet(1.0), &corners(1.0, -1.0)).unwrap();
    let lower = Deforming::new(sheet(0.0), &corners(0.0, 0.0)).unwrap();
    let (a, b) = (Moving::Deforming(&lower), Moving::Deforming(&upper));
    let impact = time_of_impact(&a, &b, &ImpactOptions::default()).unwrap();
    hits(&impact, 0.5);
    assert!(Deforming::new(sheet(0.0), &[Vec3::ZERO]).is_err());
    assert!(Deforming::new(sheet(0.0), &corners(0.0, f64::NAN)).is_err());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let still = rest(Pose::IDENTITY);
    let turn = Motion::turning(at(3.0, 0.0, 0.0), Vec3::ZERO, Vec3::Z, Vec3::ZERO).unwrap();
    let (a, b) = (Moving::new(&cube, &still), Moving::new(&cube, &turn));
    let with = |options: ImpactOptions| time_of_impact(&a, &b, &options).unwrap_err();
    let fine = ImpactOptions::default();
    for [start, end] in [[1.0, 0.0], [1.0, 1.0], [0.0, f64::NAN], [f64::NEG_INFINITY, 0.0], [-1e308, 1e308]] {
        let error = with(ImpactOptions { interval: [start, end], ..fine });
        assert!(matches!(error, ImpactError::Interval { .. }), "{start} {end}: {error}");
    }
    assert!(matches!(
        with(ImpactOptions { separation: -1.0, ..fine }),
        ImpactError::NotPositive { name: "separation", .. }
    ));
    assert!(matches!(
        with(ImpactOptions { tolerance: f64::NAN, ..fine }),
        ImpactError::NotPositive { name: "tolerance", .. }
    ));
    assert!(matches!(
        with(ImpactOptions { band: -0.0f64.next_up(), ..fine }),
        ImpactError::NotPositive { name: "band", .. }
    ));
    let bent = Motion::linear(Pose::IDENTITY, Pose::new(Vec3::X, Quat::from_rotation_z(1.0)).unwrap());
    assert_eq!(time_of_impact(&Moving::new(&cube, &bent), &b, &fine), Err(ImpactError::Mixed));
    let far = Motion::linear(at(1e200, 0.0, 0.0), at(-1e200, 0.0, 0.0));
    assert!(matches!(time_of_impact(&a, &Moving::new(&cube, &far), &fine), Err(ImpactError::TooFar { .. })));
}
