//! Bad requests are refused, and change nothing.

use silvia_proximity::culling::{BoxId, Culling, CullingError, CullingMethod, Which};
use silvia_solid::{Aabb, Vec3};

fn unit(x: f64) -> Aabb {
    Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) }
}

/// Three boxes, of which the first two overlap.
fn started(method: CullingMethod) -> Box<dyn Culling> {
    let mut culling = method.start();
    culling.insert(&[unit(0.0), unit(0.5), unit(9.0)]).unwrap();
    culling.update();
    culling
}

fn is_as_started(culling: &mut dyn Culling) {
    assert_eq!((culling.len(), culling.pair_count()), (3, 1));
    assert_eq!([0, 1, 2].map(|i| culling.bounds(BoxId(i))), [unit(0.0), unit(0.5), unit(9.0)].map(Some));
    let changes = culling.update();
    assert!(changes.began.is_empty() && changes.ended.is_empty());
    assert_eq!(culling.insert_one(unit(20.0)), Ok(BoxId(3)), "an id was lost");
}

#[test]
fn nan_and_infinity_are_refused_by_name() {
    for method in CullingMethod::ALL {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for corner in 0..6 {
                let mut b = unit(0.0);
                if corner < 3 {
                    b.min[corner] = bad
                } else {
                    b.max[corner - 3] = bad
                }
                let mut culling = started(method);
                let moved = culling.relocate(&[(BoxId(0), unit(9.0)), (BoxId(2), b)]);
                assert_eq!(moved, Err(CullingError::NotFinite { which: Which::Known(BoxId(2)) }));
                let added = culling.insert(&[unit(1.0), b]);
                assert_eq!(added, Err(CullingError::NotFinite { which: Which::New(1) }));
                is_as_started(&mut *culling);
            }
        }
        let mut culling = started(method);
        let empty = culling.relocate_one(BoxId(1), Aabb::EMPTY);
        assert_eq!(empty, Err(CullingError::NotFinite { which: Which::Known(BoxId(1)) }));
        is_as_started(&mut *culling);
    }
}

#[test]
fn inverted_boxes_are_refused_by_name() {
    for method in CullingMethod::ALL {
        for axis in 0..3 {
            let mut b = unit(0.0);
            b.min[axis] = 1.0 + f64::EPSILON;
            let mut culling = started(method);
            let moved = culling.relocate(&[(BoxId(2), unit(0.0)), (BoxId(1), b)]);
            assert_eq!(moved, Err(CullingError::Inverted { which: Which::Known(BoxId(1)), axis }));
            let added = culling.insert(&[b]);
            assert_eq!(added, Err(CullingError::Inverted { which: Which::New(0), axis }));
            is_as_started(&mut *culling);
        }
    }
}

#[test]
fn ids_that_name_no_box_are_refused() {
    for method in CullingMethod::ALL {
        let mut culling = started(method);
        for id in [BoxId(3), BoxId(u32::MAX)] {
            let moved = culling.relocate(&[(BoxId(0), unit(5.0)), (id, unit(0.0))]);
            assert_eq!(moved, Err(CullingError::NoSuchBox { id }));
            assert_eq!(culling.remove(&[BoxId(0), id]), Err(CullingError::NoSuchBox { id }));
            assert_eq!(culling.bounds(id), None);
        }
        is_as_started(&mut *culling);
        culling.remove_one(BoxId(1)).unwrap();
        assert_eq!(culling.remove_one(BoxId(1)), Err(CullingError::NoSuchBox { id: BoxId(1) }));
        assert_eq!(culling.insert_one(unit(0.0)), Ok(BoxId(1)), "the least free id comes first");
    }
}

#[test]
fn errors_say_what_to_do() {
    let which = Which::Known(BoxId(7));
    let inverted = CullingError::Inverted { which, axis: 1 }.to_string();
    assert_eq!(inverted, "box 7 is inverted: its min is greater than its max along y; order its corners");
    let new = CullingError::NotFinite { which: Which::New(2) }.to_string();
    assert!(new.starts_with("the new box at position 2 has a coordinate that is NaN"), "{new}");
}
