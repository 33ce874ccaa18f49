//! States in which only some bodies move.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{at, cuboid};
use proptest::prelude::*;
use silvia_check::{CheckError, Checker};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};

/// A ground, and some boxes and balls; every third pair of neighbours is ignored.
fn checker(count: usize) -> Checker {
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let body =
        |i: usize| if i.is_multiple_of(2) { cuboid(0.2, 0.2, 0.2) } else { Shape::sphere(0.1).unwrap() };
    let bodies = (0..count).map(|i| (format!("body {i}"), body(i)));
    let mut checker = Checker::new([("ground".to_owned(), ground)].into_iter().chain(bodies)).unwrap();
    (1..count).step_by(3).for_each(|i| checker.ignore(i, i + 1).unwrap());
    checker
}

proptest! {
    #[test]
    fn some_bodies_that_move_are_judged_like_all(
        places in prop::collection::vec([-0.6..0.6, -0.6..0.6, 0.05..0.6_f64], 3..12),
        moves in prop::collection::vec(
            prop::collection::vec((0..100_usize, [-0.4..0.4, -0.4..0.4, -0.3..0.3_f64], 0.0..0.5_f64), 0..4),
            1..6,
        ),
    ) {
        let mut poses = vec![Pose::IDENTITY];
        poses.extend(places.iter().map(|&[x, y, z]| at(x, y, z)));
        let [mut some, mut all] = [checker(places.len()), checker(places.len())];
        some.start(0.0, &poses).unwrap();
        all.start(0.0, &poses).unwrap();
        let mut told = Vec::new();
        for (number, moved) in moves.iter().enumerate() {
            let time = (number + 1) as f64;
            let mut next: Vec<(usize, Pose)> = Vec::new();
            for &(body, by, angle) in moved {
                let body = 1 + body % places.len();
                let turn = Quat::from_rotation_x(angle) * poses[body].rotation();
                let to = Pose::new(poses[body].translation() + Vec3::from(by), turn.normalize()).unwrap();
                if !next.iter().any(|(known, _)| *known == body) {
                    next.push((body, to));
                }
            }
            next.iter().for_each(|&(body, to)| poses[body] = to);
            all.state(time, &poses).unwrap();
            told.push((time, next));
        }
        some.moves(&told).unwrap();
        // It counts only the pairs that it looks at.
        let [mut some, mut all] = [some.verdict(), all.verdict()];
        prop_assert!(some.pairs <= all.pairs);
        (some.pairs, all.pairs) = (0, 0);
        prop_assert_eq!(format!("{some:?}"), format!("{all:?}"));
    }
}

#[test]
fn moves_that_cannot_be_are_refused_and_change_nothing() {
    let mut checker = checker(2);
    assert!(matches!(checker.moves(&[(1.0, vec![])]), Err(CheckError::PoseCount { found: 0, .. })));
    checker.start(0.0, &[Pose::IDENTITY, at(0.0, 0.0, 1.0), at(0.0, 0.0, 2.0)]).unwrap();
    let good = (1.0, vec![(1, at(0.0, 0.0, 0.5))]);
    assert!(matches!(checker.moves(&[good.clone(), (1.0, vec![])]), Err(CheckError::Time { .. })));
    assert!(matches!(checker.moves(&[(1.0, vec![(3, Pose::IDENTITY)])]), Err(CheckError::NoBody { .. })));
    assert_eq!(checker.verdict().states, 0);
    checker.moves(&[good]).unwrap();
    assert_eq!(checker.verdict().states, 1);
}
