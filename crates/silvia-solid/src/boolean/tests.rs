use super::*;
use crate::primitives::{TorusKnot, cuboid, cylinder, sphere};
use crate::testing::assert_closed;
use crate::{Pose, Quat};
use Operation::{Difference, Intersection, Union};
use proptest::prelude::*;

fn solid(soup: &Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

fn brick(size: [f64; 3], middle: [f64; 3]) -> Solid {
    let pose = Pose::from_translation(Vec3::from(middle)).unwrap();
    solid(&cuboid(Vec3::from(size)).unwrap().posed(&pose))
}

/// Volumes of union, difference and intersection, each of them closed.
fn volumes(a: &Solid, b: &Solid) -> [f64; 3] {
    [Union, Difference, Intersection].map(|operation| {
        let result = boolean(operation, a, b).unwrap();
        result.map_or(0.0, |s| {
            assert_closed(s.soup());
            s.mass().volume
        })
    })
}

fn assert_volumes(a: &Solid, b: &Solid, expected: [f64; 3]) {
    let found = volumes(a, b);
    assert!(
        found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-13 * (1.0 + e)),
        "{found:?} {expected:?}"
    );
}

#[test]
fn boxes_that_share_a_face_join_to_one_box() {
    let (a, b) = (brick([2.0; 3], [0.0; 3]), brick([2.0; 3], [2.0, 0.0, 0.0]));
    assert_volumes(&a, &b, [16.0, 8.0, 0.0]);
    assert_eq!(boolean(Union, &a, &b).unwrap().map(|s| (s.face_count(), s.is_convex())), Some((6, true)));
    assert_volumes(&a, &brick([1.0; 3], [1.5, 0.25, 0.125]), [9.0, 8.0, 0.0]);
}

#[test]
fn boxes_that_share_only_an_edge_or_a_corner_make_no_solid() {
    let a = brick([2.0; 3], [0.0; 3]);
    for middle in [[2.0, 2.0, 0.0], [2.0, 2.0, 2.0]] {
        let b = brick([2.0; 3], middle);
        assert!(matches!(boolean(Union, &a, &b), Err(BooleanError::TouchesItself { operation: Union, .. })));
        assert_eq!(boolean(Difference, &a, &b).unwrap().map(|s| s.mass().volume), Some(8.0));
        assert!(boolean(Intersection, &a, &b).unwrap().is_none());
    }
}

#[test]
fn equal_bodies_leave_nothing_of_each_other() {
    let a = brick([2.0; 3], [0.0; 3]);
    assert_volumes(&a, &a, [8.0, 0.0, 8.0]);
    let ball = solid(&sphere(1.0, 6).unwrap());
    let v = ball.mass().volume;
    assert_volumes(&ball, &ball, [v, 0.0, v]);
}

#[test]
fn a_box_of_equal_footprint_is_taken_off_flush() {
    assert_volumes(&brick([2.0; 3], [0.0; 3]), &brick([2.0, 2.0, 1.0], [0.0, 0.0, 0.5]), [8.0, 4.0, 4.0]);
    assert_volumes(&brick([2.0; 3], [0.0; 3]), &brick([1.0; 3], [0.5; 3]), [8.0, 7.0, 1.0]);
}

#[test]
fn a_hole_flush_at_both_ends_goes_through() {
    let (block, bolt) = (brick([2.0; 3], [0.0; 3]), solid(&cylinder(0.5, 2.0, 32).unwrap()));
    let v = bolt.mass().volume;
    assert_volumes(&block, &bolt, [8.0, 8.0 - v, v]);
    assert_eq!(
        boolean(Difference, &block, &bolt).unwrap().map(|s| (s.genus(), s.face_count())),
        Some((1, 38))
    );
}

#[test]
fn a_body_inside_another_becomes_a_cavity() {
    let (a, b) = (brick([2.0; 3], [0.0; 3]), brick([1.0; 3], [0.0; 3]));
    assert_volumes(&a, &b, [8.0, 7.0, 1.0]);
    assert_volumes(&b, &a, [8.0, 0.0, 1.0]);
    assert_eq!(boolean(Difference, &a, &b).unwrap().map(|s| s.component_count()), Some(2));
    assert_volumes(&a, &brick([1.0; 3], [5.0; 3]), [9.0, 8.0, 0.0]);
}

#[test]
fn tangled_knots_are_combined() {
    let knot = TorusKnot::TREFOIL.soup_with_triangles(2000).unwrap();
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 2.0) / 3.0, 0.7);
    let other = solid(&knot.posed(&Pose::new(Vec3::new(0.5, 0.2, 0.1), turn).unwrap()));
    let knot = solid(&knot);
    let [union, difference, intersection] = volumes(&knot, &other);
    let v = knot.mass().volume;
    assert!((union + intersection - 2.0 * v).abs() < 1e-12 && (difference + intersection - v).abs() < 1e-12);
    assert!(intersection > 0.01 * v);
}

#[test]
fn the_same_solids_give_the_same_bits_every_time() {
    // The library alone gives a different triangulation of the bored block in most runs.
    let (block, bolt) = (brick([2.0; 3], [0.0; 3]), solid(&cylinder(0.5, 2.0, 32).unwrap()));
    let ball = solid(&sphere(1.2, 8).unwrap());
    for (a, b) in [(&block, &bolt), (&ball, &bolt), (&ball, &block)] {
        for operation in [Union, Difference, Intersection] {
            let once = boolean(operation, a, b).unwrap().map(|s| s.soup().clone());
            for _ in 0..10 {
                assert_eq!(boolean(operation, a, b).unwrap().map(|s| s.soup().clone()), once);
            }
        }
    }
}

/// A box on a lattice, as its least and greatest corner.
fn lattice_boxes() -> impl Strategy<Value = ([i32; 3], [i32; 3])> {
    (prop::array::uniform3(0..4), prop::array::uniform3(1..4))
        .prop_map(|(low, size)| (low, [0, 1, 2].map(|k| low[k] + size[k])))
}

fn lattice_brick((low, high): ([i32; 3], [i32; 3])) -> Solid {
    let size = [0, 1, 2].map(|k| f64::from(high[k] - low[k]));
    brick(size, [0, 1, 2].map(|k| 0.5 * f64::from(low[k] + high[k])))
}

fn holds((low, high): &([i32; 3], [i32; 3]), cell: [i32; 3]) -> bool {
    (0..3).all(|k| low[k] <= cell[k] && cell[k] < high[k])
}

proptest! {
    #[test]
    fn boxes_on_a_lattice_have_the_volumes_that_counting_cells_gives(
        boxes in [lattice_boxes(), lattice_boxes(), lattice_boxes()], first in 0..3usize, second in 0..3usize
    ) {
        let operations = [Union, Difference, Intersection];
        let apply = |operation, a: bool, b: bool| match operation {
            Union => a || b,
            Difference => a && !b,
            Intersection => a && b,
        };
        let count = |inside: &dyn Fn([i32; 3]) -> bool| {
            (0..512).filter(|i| inside([i % 8, i / 8 % 8, i / 64])).count() as f64
        };
        let [a, b, c] = boxes.map(lattice_brick);
        let two = |cell| apply(operations[first], holds(&boxes[0], cell), holds(&boxes[1], cell));
        let three = |cell| apply(operations[second], two(cell), holds(&boxes[2], cell));
        match boolean(operations[first], &a, &b) {
            Ok(result) => {
                prop_assert!((result.as_ref().map_or(0.0, |s| s.mass().volume) - count(&two)).abs() < 1e-12);
                let Some(result) = result else { return Ok(()) };
                match boolean(operations[second], &result, &c) {
                    Ok(result) => {
                        let found = result.as_ref().map_or(0.0, |s| s.mass().volume);
                        prop_assert!((found - count(&three)).abs() < 1e-12);
                    }
                    Err(e) => prop_assert!(matches!(e, BooleanError::TouchesItself { .. }), "{e}"),
                }
            }
            // Boxes that meet in an edge or a corner alone.
            Err(e) => {
                prop_assert_eq!(operations[first], Union);
                prop_assert!(matches!(e, BooleanError::TouchesItself { .. }), "{}", e);
            }
        }
    }

    #[test]
    fn boxes_that_coincide_but_for_rounding_are_right_or_refused(
        boxes in [lattice_boxes(), lattice_boxes()], axis in prop::array::uniform3(-1.0f64..1.0),
        angle in 0.1f64..6.0,
    ) {
        let axis = Vec3::from(axis);
        prop_assume!(axis.length() > 0.1);
        let pose =
            Pose::new(Vec3::new(0.1, 0.2, 0.3), Quat::from_axis_angle(axis.normalize(), angle)).unwrap();
        let [a, b] = boxes.map(|x| solid(&lattice_brick(x).soup().posed(&pose)));
        let common: i32 = (0..3)
            .map(|k| (boxes[0].1[k].min(boxes[1].1[k]) - boxes[0].0[k].max(boxes[1].0[k])).max(0))
            .product();
        let (common, va, vb) = (f64::from(common), a.mass().volume, b.mass().volume);
        for (operation, expected) in
            [(Union, va + vb - common), (Difference, va - common), (Intersection, common)]
        {
            match boolean(operation, &a, &b) {
                Ok(result) => {
                    let found = result.as_ref().map_or(0.0, |s| s.mass().volume);
                    prop_assert!((found - expected).abs() < 1e-11, "{:?}: {} {}", operation, found, expected);
                    let again = boolean(operation, &a, &b).unwrap();
                    prop_assert_eq!(again.map(|s| s.soup().clone()), result.map(|s| s.soup().clone()));
                }
                // Slits of no width: what comes out is no solid, or its faces fold back on themselves. Never
                // a wrong volume, and never a silent one.
                Err(e) => {
                    let refused =
                        matches!(e, BooleanError::TouchesItself { .. } | BooleanError::Volume { .. });
                    prop_assert!(refused, "{}", e);
                }
            }
        }
    }
}
