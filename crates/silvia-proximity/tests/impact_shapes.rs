//! Times of impact of shapes of every kind: closed forms, and samples of their distance.

#![allow(clippy::unwrap_used)]

mod common;

use common::random::random_motion;
use seeded::Random;
use silvia_proximity::shape::{Shape, ShapeOutcome, distance, time_of_impact};
use silvia_proximity::{ImpactError, ImpactOptions, Motion};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3, primitives};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// One shape of each kind, about a metre large.
fn shapes() -> Vec<Shape> {
    let torus = Solid::from_soup(&primitives::torus(0.6, 0.2, 9, 5).unwrap()).unwrap();
    let prism = Solid::from_soup(&primitives::prism(5, 0.5, 0.7).unwrap()).unwrap();
    vec![
        Shape::point(Vec3::new(0.1, 0.2, 0.0)).unwrap(),
        Shape::segment([Vec3::ZERO, Vec3::X]).unwrap(),
        Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap(),
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(Vec3::new(0.4, 0.7, 1.0)).unwrap(),
        Shape::cylinder(0.4, 0.8).unwrap(),
        Shape::cone(0.5, 0.9).unwrap(),
        Shape::capsule(0.2, 0.8).unwrap(),
        Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
        Shape::half_space(Plane { normal: Vec3::Z, offset: -1.0 }).unwrap(),
        Shape::cavity(2.2).unwrap(),
        Shape::convex(&prism).unwrap(),
        Shape::solid(torus),
        Shape::compound(vec![
            (at(0.4, 0.0, 0.0), Shape::sphere(0.3).unwrap()),
            (Pose::IDENTITY, Shape::cylinder(0.1, 1.0).unwrap()),
        ])
        .unwrap(),
    ]
}

#[test]
fn two_balls_meet_when_their_middles_are_two_radii_apart() {
    let (a, b) = (Shape::sphere(0.5).unwrap(), Shape::sphere(0.25).unwrap());
    let motion = Motion::rigid(at(-4.0, 0.3, 0.0), at(4.0, 0.3, 0.0));
    let options = ImpactOptions::default();
    let impact = time_of_impact(&a, &Motion::still(Pose::IDENTITY), &b, &motion, &options).unwrap();
    let truth = (4.0 - (0.75f64 * 0.75 - 0.09).sqrt()) / 8.0;
    assert_eq!(impact.outcome, ShapeOutcome::Impact);
    assert!(impact.lower <= truth && truth <= impact.upper.unwrap());
    assert!(impact.upper.unwrap() - impact.lower < 1e-9);
    let past = Motion::rigid(at(-4.0, 0.750_001, 0.0), at(4.0, 0.750_001, 0.0));
    let miss = time_of_impact(&a, &Motion::still(Pose::IDENTITY), &b, &past, &options).unwrap();
    assert_eq!((miss.outcome, miss.lower, miss.upper), (ShapeOutcome::Free, 1.0, None));
}

#[test]
fn every_pair_of_shapes_is_never_late_and_ends_in_touch() {
    let shapes = shapes();
    let mut random = Random::new(7);
    let (mut hits, mut misses) = (0, 0);
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            for separation in [0.0, 0.1] {
                let motions = [
                    random_motion(&mut random, Vec3::ZERO),
                    random_motion(&mut random, Vec3::new(2.0, 1.0, 0.5)),
                ];
                let options = ImpactOptions { separation, ..ImpactOptions::default() };
                let impact = match time_of_impact(a, &motions[0], b, &motions[1], &options) {
                    Err(ImpactError::Unbounded) => continue,
                    impact => impact.unwrap(),
                };
                let gap =
                    |t: f64| distance(a, &motions[0].pose_at(t).unwrap(), b, &motions[1].pose_at(t).unwrap());
                const SAMPLES: usize = 50;
                for k in 0..SAMPLES {
                    let t = impact.lower * k as f64 / SAMPLES as f64;
                    assert!(gap(t).lower > separation - 1e-10 || impact.outcome == ShapeOutcome::AtStart);
                }
                match impact.outcome {
                    ShapeOutcome::Impact => {
                        hits += 1;
                        let upper = impact.upper.unwrap();
                        assert!(gap(upper).upper <= separation + 1e-9 && impact.is_complete);
                        assert!(impact.contacts[0].lower - impact.lower < 1e-12, "{impact:?}");
                        assert!((0.0..1e-5).contains(&(upper - impact.lower)), "{} {upper}", impact.lower);
                    }
                    ShapeOutcome::AtStart => assert!(gap(0.0).upper <= separation + 1e-9),
                    ShapeOutcome::Free => misses += 1,
                    ShapeOutcome::Spent => panic!("there was no budget"),
                }
                let swapped = time_of_impact(b, &motions[1], a, &motions[0], &options).unwrap();
                assert!((swapped.lower - impact.lower).abs() < 1e-5, "{} {}", swapped.lower, impact.lower);
            }
        }
    }
    assert!(hits > 30 && misses > 10, "{hits} {misses}");
}

#[test]
fn a_capsule_that_turns_a_half_does_not_miss_a_ball() {
    // Lying along x, it comes to the ball over the y axis after less than a quarter turn.
    let capsule = Shape::capsule(0.05, 2.0).unwrap();
    let ball = Shape::sphere(0.05).unwrap();
    let start = Pose::new(Vec3::ZERO, Quat::from_rotation_y(std::f64::consts::FRAC_PI_2)).unwrap();
    let turn = Motion::turning(start, Vec3::ZERO, Vec3::Z * std::f64::consts::PI, Vec3::ZERO).unwrap();
    let still = Motion::still(at(0.0, 0.8, 0.0));
    let impact = time_of_impact(&ball, &still, &capsule, &turn, &ImpactOptions::default()).unwrap();
    let truth = 0.5 - (0.1f64 / 0.8).asin() / std::f64::consts::PI;
    assert!(
        impact.lower <= truth + 1e-14 && (impact.upper.unwrap() - truth).abs() < 1e-9,
        "{impact:?} {truth}"
    );
}

#[test]
fn a_very_fast_spin_of_a_smooth_shape_ends() {
    let (blade, peg) = (Shape::cuboid(Vec3::new(2.0, 0.1, 0.1)).unwrap(), Shape::sphere(0.1).unwrap());
    let still = Motion::still(at(0.0, 0.8, 0.0));
    for angle in [3e3, 3e5, 1e9, 1e18] {
        let sinking =
            Motion::turning(at(0.0, 0.0, 3.0), Vec3::Z * -3.0, Vec3::Z * angle, Vec3::ZERO).unwrap();
        let options = ImpactOptions { max_visits: Some(100_000), ..ImpactOptions::default() };
        let impact = time_of_impact(&peg, &still, &blade, &sinking, &options).unwrap();
        // From then on a full turn of the blade meets the ball.
        let surely = (3.0 - 0.1) / 3.0;
        assert!(impact.lower <= surely + std::f64::consts::TAU / angle, "late: {angle} {impact:?}");
    }
}

#[test]
fn a_smooth_shape_on_a_nearly_straight_screw_does_not_touch_what_it_passes() {
    let (a, b) = (Shape::cuboid(Vec3::ONE).unwrap(), Shape::sphere(0.5).unwrap());
    let still = Motion::still(Pose::IDENTITY);
    for half_angle in [1e-15, 1e-14, 1e-12, 1e-9] {
        let turn = Quat::from_xyzw(0.0, 0.0, half_angle, 1.0).normalize();
        let way = |y: f64| {
            Motion::screw_between(at(-5.0, y, 0.0), Pose::new(Vec3::new(5.0, y, 0.0), turn).unwrap())
        };
        let options = ImpactOptions::default();
        let passing = time_of_impact(&a, &still, &b, &way(2.0), &options).unwrap();
        assert_eq!(passing.outcome, ShapeOutcome::Free, "half angle {half_angle}");
        let hit = time_of_impact(&a, &still, &b, &way(0.2), &options).unwrap();
        assert!((hit.upper.unwrap() - 0.4).abs() < 1e-9 + half_angle, "{half_angle} {hit:?}");
    }
}

#[test]
fn all_parts_of_a_compound_share_one_budget() {
    let cube = || Shape::solid(Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap());
    let row = || Shape::compound((0..3).map(|i| (at(0.0, 1.5 * f64::from(i), 0.0), cube()))).unwrap();
    let (a, b) = (row(), row());
    let still = Motion::still(Pose::IDENTITY);
    let turn = Pose::new(Vec3::X * -5.0, Quat::from_rotation_x(0.2)).unwrap();
    let flight = Motion::rigid(at(5.0, 0.0, 0.0), turn);
    let ask = |max_visits| {
        let options = ImpactOptions { max_visits: Some(max_visits), ..ImpactOptions::default() };
        time_of_impact(&a, &still, &b, &flight, &options).unwrap()
    };
    let whole = ask(u64::MAX);
    assert_eq!(whole.outcome, ShapeOutcome::Impact);
    // Nine pairs of parts: were each to have all of it, this would be enough for every one.
    let visits_of_one = {
        let options = |most| ImpactOptions { max_visits: Some(most), ..ImpactOptions::default() };
        let alone = |most| time_of_impact(&cube(), &still, &cube(), &flight, &options(most)).unwrap();
        (0..1000).find(|&most| alone(most).outcome != ShapeOutcome::Spent).unwrap()
    };
    let part = ask(visits_of_one);
    assert_eq!(part.outcome, ShapeOutcome::Spent, "{visits_of_one}");
    assert!(part.lower <= whole.lower);
}

#[test]
fn a_budget_proves_what_it_can() {
    let (a, b) = (Shape::cylinder(0.5, 1.0).unwrap(), Shape::cone(0.5, 1.0).unwrap());
    let mut random = Random::new(3);
    let motions = [Motion::still(Pose::IDENTITY), random_motion(&mut random, Vec3::new(3.0, 0.0, 0.0))];
    let ask = |max_visits| {
        let options = ImpactOptions { max_visits, ..ImpactOptions::default() };
        time_of_impact(&a, &motions[0], &b, &motions[1], &options).unwrap()
    };
    let (whole, part, none) = (ask(None), ask(Some(2)), ask(Some(0)));
    assert_eq!((part.outcome, none.outcome), (ShapeOutcome::Spent, ShapeOutcome::Spent));
    assert!(none.lower == 0.0 && none.lower < part.lower && part.lower <= whole.lower);
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let ball = Shape::sphere(0.5).unwrap();
    let space = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let still = Motion::still(Pose::IDENTITY);
    let turned = Pose::new(Vec3::X, Quat::from_rotation_x(1.0)).unwrap();
    let options = ImpactOptions::default();
    let bent = Motion::linear(Pose::IDENTITY, turned);
    assert_eq!(time_of_impact(&ball, &still, &ball, &bent, &options), Err(ImpactError::Bent));
    let upside_down = Pose::new(Vec3::Z * 2.0, Quat::from_rotation_x(std::f64::consts::PI)).unwrap();
    let turn = Motion::turning(upside_down, Vec3::ZERO, Vec3::X, Vec3::ZERO).unwrap();
    assert_eq!(time_of_impact(&space, &still, &space, &turn, &options), Err(ImpactError::Unbounded));
    let backwards = ImpactOptions { interval: [1.0, 0.0], ..options };
    assert!(time_of_impact(&ball, &still, &ball, &still, &backwards).is_err());
}
