//! What is refused, and what is counted.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{at, cuboid, two};
use silvia_check::{CheckError, Checker};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};

#[test]
fn a_wrong_number_of_poses_is_refused() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    let refused = checker.state(0.0, &[Pose::IDENTITY]);
    assert_eq!(refused, Err(CheckError::PoseCount { state: 0, expected: 2, found: 1 }));
    assert_eq!(checker.verdict().states, 0);
}

#[test]
fn a_pose_that_is_not_finite_is_refused_with_its_body() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    let broken = Pose::IDENTITY.moved(Vec3::new(f64::NAN, 0.0, 0.0));
    let refused = checker.state(0.0, &[at(3.0, 0.0, 0.0), broken]);
    assert_eq!(refused, Err(CheckError::NotFinite { state: 0, body: 1, name: "b".to_owned() }));
}

#[test]
fn times_must_grow() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    let poses = [Pose::IDENTITY, at(3.0, 0.0, 0.0)];
    checker.state(1.0, &poses).unwrap();
    assert_eq!(checker.state(1.0, &poses), Err(CheckError::Time { state: 1, time: 1.0, before: 1.0 }));
    assert!(matches!(checker.state(f64::NAN, &poses), Err(CheckError::Time { state: 1, .. })));
}

#[test]
fn bodies_that_do_not_exist_are_refused() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    assert_eq!(checker.ignore(0, 2), Err(CheckError::NoBody { body: 2, bodies: 2 }));
    assert_eq!(checker.centre(2, Vec3::ZERO), Err(CheckError::NoBody { body: 2, bodies: 2 }));
    assert_eq!(checker.centre(1, Vec3::NAN), Err(CheckError::Centre { body: 1 }));
}

#[test]
fn pairs_that_are_ignored_are_not_looked_at() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    checker.ignore(1, 0).unwrap();
    checker.state(0.0, &[Pose::IDENTITY; 2]).unwrap();
    assert!(checker.verdict().is_clean(0.0));
    assert_eq!(checker.verdict().pairs, 0);
}

#[test]
fn the_deepest_in_metres_and_the_largest_fraction_are_kept_apart() {
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let bodies = [("ground", ground), ("large", cuboid(2.0, 2.0, 2.0)), ("small", cuboid(0.2, 0.2, 0.2))];
    let mut checker = Checker::new(bodies.map(|(name, shape)| (name.to_owned(), shape))).unwrap();
    checker.state(0.0, &[Pose::IDENTITY, at(0.0, 0.0, 0.98), at(5.0, 0.0, 0.09)]).unwrap();
    let found = checker.verdict();
    let (deepest, largest) = (found.deepest.clone().unwrap(), found.largest.clone().unwrap());
    assert_eq!(deepest.names, ["ground", "large"]);
    assert!((deepest.depth - 0.02).abs() < 1e-15);
    assert_eq!(largest.names, ["ground", "small"]);
    assert!((largest.fraction - 0.01 / (0.2 * 3.0_f64.sqrt())).abs() < 1e-15);
    assert!(!found.is_clean(1e-3) && found.is_clean(0.1));
}
