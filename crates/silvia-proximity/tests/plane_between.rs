//! A plane between two bodies is never seen where the exact check sees a crossing.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use proptest::prelude::*;
use silvia_proximity::{ContactBody, RigidPath, Shape, check_path, is_plane_between};
use silvia_solid::{Pose, Quat, Vec3};

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(1.6), vector(2.0)).prop_map(|(at, turn)| Pose::new(at, Quat::from_scaled_axis(turn)).unwrap())
}

fn path() -> impl Strategy<Value = RigidPath> {
    (pose(), vector(0.5), vector(0.5)).prop_map(|(from, step, turn)| {
        let to =
            Pose::new(from.translation() + step, Quat::from_scaled_axis(turn) * from.rotation()).unwrap();
        RigidPath { from, to, about: Vec3::ZERO }
    })
}

proptest! {
    #[test]
    fn what_a_plane_parts_is_free_by_the_exact_check(
        a in path(), b in path(), n in vector(1.0), is_ball in any::<bool>(),
    ) {
        let cube = ContactBody::new(&Shape::cuboid(Vec3::new(1.0, 0.6, 0.8)).unwrap());
        let other = if is_ball { ContactBody::new(&Shape::sphere(0.5).unwrap()) } else { cube.clone() };
        // Half of the directions are likely to be good ones.
        let n = if n.x > 0.0 { n } else { b.from.translation() - a.from.translation() };
        if is_plane_between(&cube, &a, &other, &b, n) {
            prop_assert!(check_path(&cube, &a, &other, &b).is_free());
            prop_assert!(!is_plane_between(&cube, &a, &other, &b, -n));
        }
    }
}

#[test]
fn a_plane_is_seen_between_boxes_a_billionth_apart_and_not_between_those_that_overlap_by_as_much() {
    let cube = ContactBody::new(&Shape::cuboid(Vec3::ONE).unwrap());
    let at = |z: f64| RigidPath::still(Pose::from_translation(Vec3::new(0.3, 0.1, z)).unwrap());
    let below = RigidPath::still(Pose::IDENTITY);
    assert!(is_plane_between(&cube, &below, &cube, &at(1.0 + 1e-9), Vec3::Z));
    assert!(!is_plane_between(&cube, &below, &cube, &at(1.0 - 1e-9), Vec3::Z));
    assert!(!is_plane_between(&cube, &below, &cube, &at(1.0 + 1e-9), Vec3::ZERO));
}
