use super::*;
use crate::{Quat, Vec3};
use proptest::prelude::*;
use std::collections::HashMap;

fn at(coordinates: &[[f64; 2]]) -> Vec<Vec3> {
    coordinates.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect()
}

fn all(n: usize) -> Vec<u32> {
    (0..n as u32).collect()
}

/// Twice the area, in integers: the oracle for polygons on a lattice.
fn double_area(points: &[Vec3], corners: &[u32]) -> i64 {
    let p = |i: usize| points[corners[i % corners.len()] as usize];
    (0..corners.len())
        .map(|i| (p(i).x as i64) * (p(i + 1).y as i64) - (p(i).y as i64) * (p(i + 1).x as i64))
        .sum()
}

/// Every boundary side is used once, as given; every other side twice, in opposite directions.
fn assert_boundary(boundaries: &[&[u32]], triangles: &[[u32; 3]]) {
    let mut count: HashMap<(u32, u32), i32> = HashMap::new();
    for t in triangles {
        for i in 0..3 {
            *count.entry((t[i], t[(i + 1) % 3])).or_default() += 1;
            *count.entry((t[(i + 1) % 3], t[i])).or_default() -= 1;
        }
    }
    for b in boundaries {
        for i in 0..b.len() {
            *count.entry((b[i], b[(i + 1) % b.len()])).or_default() -= 1;
            *count.entry((b[(i + 1) % b.len()], b[i])).or_default() += 1;
        }
    }
    assert!(count.values().all(|&c| c == 0), "{count:?}");
}

/// For an anticlockwise polygon on a lattice: right boundary, only positive triangles, right area. Positive
/// triangles with the right boundary and the right total cannot overlap.
fn assert_triangulates(points: &[Vec3], outer: &[u32], holes: &[Vec<u32>]) {
    let triangles = polygon_with_holes(points, outer, holes).unwrap();
    let boundaries: Vec<&[u32]> = std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).collect();
    assert_boundary(&boundaries, &triangles);
    let areas: Vec<i64> = triangles.iter().map(|t| double_area(points, t)).collect();
    assert!(areas.iter().all(|&a| a > 0), "{areas:?}");
    assert_eq!(areas.iter().sum::<i64>(), boundaries.iter().map(|b| double_area(points, b)).sum::<i64>());
}

#[test]
fn the_number_of_triangles_follows_from_the_corners_and_holes() {
    let p = at(&[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0]]);
    assert_eq!(polygon(&p, &[0, 1, 2, 3]).unwrap().len(), 2);
    assert_eq!(
        polygon_with_holes(&p, &[0, 1, 2], &[vec![4, 3, 5]]),
        Err(TriangulateError::Crossing { first: 2, second: 3, near: p[2] })
    );
    let inner = at(&[[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0]]);
    assert_eq!(polygon_with_holes(&inner, &[0, 1, 2], &[vec![4, 3, 5]]).unwrap().len(), 6);
}

#[test]
fn corners_on_straight_sides_are_kept() {
    let p =
        at(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [0.0, 3.0], [0.0, 1.0]]);
    assert_triangulates(&p, &all(8), &[]);
    let triangle = at(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 3.0]]);
    assert_triangulates(&triangle, &all(5), &[]);
}

#[test]
fn a_comb_is_cut_whatever_its_number_of_teeth() {
    let mut c = vec![];
    for i in 0..200 {
        c.push([f64::from(2 * i), 10.0]);
        c.push([f64::from(2 * i + 1), 1.0]);
    }
    c.push([400.0, 10.0]);
    c.push([400.0, 0.0]);
    c.push([0.0, 0.0]);
    c.reverse();
    assert_triangulates(&at(&c), &all(c.len()), &[]);
}

#[test]
fn a_polygon_may_touch_itself_at_a_corner() {
    // Two squares joined at the point (2, 2), as one boundary; then a ring that closes on itself at a corner.
    let p = at(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0], [0.0, 2.0]]);
    assert_triangulates(&p, &[0, 1, 2, 3, 4, 5, 2, 6], &[]);
    let p = at(&[[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0], [2.0, 4.0], [4.0, 4.0], [4.0, 2.0]]);
    assert_triangulates(&p, &[0, 1, 2, 3, 0, 4, 5, 6], &[]);
    let q =
        at(&[[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0], [0.0, 0.0], [2.0, 4.0], [4.0, 4.0], [4.0, 2.0]]);
    assert_triangulates(&q, &all(8), &[]);
}

#[test]
fn holes_of_either_direction_are_left_out() {
    let p = at(&[
        [0.0, 0.0],
        [10.0, 0.0],
        [10.0, 10.0],
        [0.0, 10.0], // outer
        [1.0, 1.0],
        [1.0, 3.0],
        [3.0, 3.0],
        [3.0, 1.0], // clockwise
        [6.0, 1.0],
        [8.0, 1.0],
        [8.0, 3.0], // anticlockwise
        [6.0, 6.0],
        [6.0, 8.0],
        [8.0, 8.0],
    ]);
    let holes = [vec![4, 5, 6, 7], vec![10, 9, 8], vec![11, 12, 13]];
    assert_triangulates(&p, &[0, 1, 2, 3], &holes);
    let turned = [vec![7, 6, 5, 4], vec![8, 9, 10], vec![13, 12, 11]];
    let triangles = polygon_with_holes(&p, &[0, 1, 2, 3], &turned).unwrap();
    assert_eq!(triangles.iter().map(|t| double_area(&p, t)).sum::<i64>(), 200 - 8 - 4 - 4);
}

#[test]
fn holes_may_touch_the_boundary_and_each_other_at_common_points() {
    let p = at(&[
        [0.0, 0.0],
        [6.0, 0.0],
        [6.0, 6.0],
        [0.0, 6.0],
        [2.0, 1.0],
        [1.0, 2.0],
        [3.0, 3.0],
        [4.0, 5.0],
        [5.0, 4.0],
    ]);
    // One hole starts in the outer corner 0, the other touches the first at 6.
    assert_triangulates(&p, &[0, 1, 2, 3], &[vec![0, 5, 6, 4], vec![6, 7, 8]]);
    // A hole whose three corners are all corners of the outer boundary.
    let hexagon = at(&[[0.0, 0.0], [4.0, -2.0], [8.0, 0.0], [8.0, 4.0], [4.0, 6.0], [0.0, 4.0]]);
    assert_triangulates(&hexagon, &all(6), &[vec![0, 4, 2]]);
}

#[test]
fn a_lattice_of_holes_is_left_out() {
    let mut c = vec![[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]];
    let mut holes = vec![];
    for i in 0..10 {
        for j in 0..10 {
            let (x, y) = (f64::from(6 * i + 1), f64::from(6 * j + 1));
            let k = c.len() as u32;
            c.extend([[x, y], [x, y + 3.0], [x + 3.0, y + 3.0], [x + 3.0, y]]);
            holes.push(vec![k, k + 1, k + 2, k + 3]);
        }
    }
    assert_triangulates(&at(&c), &all(4), &holes);
}

#[test]
fn bad_polygons_are_refused_with_the_reason() {
    let p = at(&[
        [0.0, 0.0],
        [2.0, 2.0],
        [2.0, 0.0],
        [0.0, 2.0],
        [1.0, 0.0],
        [f64::NAN, 0.0],
        [3.0, 3.0],
        [5.0, 1.0],
    ]);
    assert!(matches!(polygon(&p, &[0, 1]), Err(TriangulateError::TooFewCorners { corners: 2, .. })));
    assert!(matches!(polygon(&p, &[0, 1, 9]), Err(TriangulateError::IndexOutOfRange { index: 9, .. })));
    assert!(matches!(polygon(&p, &[0, 1, 5]), Err(TriangulateError::NotFinite { index: 5, .. })));
    assert!(matches!(polygon(&p, &[0, 1, 1, 2]), Err(TriangulateError::RepeatedCorner { corner: 1 })));
    assert!(matches!(polygon(&p, &[0, 1, 6]), Err(TriangulateError::NoArea)));
    // A bow tie of unequal wings; a corner inside a side; a side that goes back over itself.
    assert!(matches!(
        polygon(&p, &[0, 1, 7, 3]),
        Err(TriangulateError::Crossing { first: 0, second: 2, .. })
    ));
    assert!(matches!(polygon(&p, &[0, 2, 1, 4, 3]), Err(TriangulateError::Crossing { .. })));
    assert!(matches!(polygon(&p, &[0, 2, 4, 1, 3]), Err(TriangulateError::Crossing { .. })));
    assert!(matches!(polygon(&p, &[0, 2, 1, 2, 1, 3]), Err(TriangulateError::Folded { .. })));
}

#[test]
fn boundaries_that_cross_in_a_common_corner_are_refused() {
    // A curl: an inner loop and an outer one, both anticlockwise, that cross in their one common corner.
    let p =
        at(&[[0.0, 0.0], [4.0, 4.0], [-4.0, 4.0], [10.0, -5.0], [10.0, 15.0], [-10.0, 15.0], [-10.0, -5.0]]);
    let curl = [0, 1, 2, 0, 3, 4, 5, 6];
    assert!(matches!(polygon(&p, &curl), Err(TriangulateError::Crossing { first: 0, second: 3, .. })));
}

#[test]
fn holes_outside_or_inside_other_holes_are_refused() {
    let square = |x: f64, y: f64, s: f64| [[x, y], [x + s, y], [x + s, y + s], [x, y + s]];
    let c: Vec<[f64; 2]> =
        [square(0.0, 0.0, 10.0), square(20.0, 0.0, 1.0), square(1.0, 1.0, 8.0), square(4.0, 4.0, 1.0)]
            .concat();
    let p = at(&c);
    let quad = |k: u32| vec![k, k + 1, k + 2, k + 3];
    assert_eq!(polygon_with_holes(&p, &quad(0), &[quad(4)]), Err(TriangulateError::HoleOutside { hole: 1 }));
    assert_eq!(
        polygon_with_holes(&p, &quad(0), &[quad(12), quad(8)]),
        Err(TriangulateError::HoleOutside { hole: 1 })
    );
}

#[test]
fn ten_thousand_corners_are_no_trouble() {
    // A gear on a lattice: half of its corners are reflex.
    let n = 10_000;
    let c: Vec<[f64; 2]> = (0..n)
        .map(|i| {
            let (r, a) =
                (if i % 2 == 0 { 1e9 } else { 0.8e9 }, f64::from(i) * std::f64::consts::TAU / f64::from(n));
            [(r * a.cos()).round(), (r * a.sin()).round()]
        })
        .collect();
    assert_triangulates(&at(&c), &all(c.len()), &[]);
}

/// A polygon on a lattice that winds once around the origin: corners sorted by exact angle, one a direction.
fn star(mut c: Vec<(i32, i32)>) -> Vec<Vec3> {
    c.retain(|&p| p != (0, 0));
    let half = |p: &(i32, i32)| p.1 < 0 || (p.1 == 0 && p.0 < 0);
    let cross =
        |a: &(i32, i32), b: &(i32, i32)| i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0);
    c.sort_by(|a, b| half(a).cmp(&half(b)).then(0.cmp(&cross(a, b))));
    c.dedup_by(|a, b| half(a) == half(b) && cross(a, b) == 0);
    c.iter().map(|&(x, y)| Vec3::new(f64::from(x), f64::from(y), 0.0)).collect()
}

proptest! {
    #[test]
    fn star_shaped_polygons_give_exact_areas(c in prop::collection::vec((-30i32..30, -30i32..30), 8..80)) {
        let p = star(c);
        // Around the origin, every turn must be less than half a turn.
        let turns = |i: usize| { let (a, b) = (p[i], p[(i + 1) % p.len()]); a.x * b.y - a.y * b.x };
        prop_assume!(p.len() > 2 && (0..p.len()).all(|i| turns(i) > 0.0));
        assert_triangulates(&p, &all(p.len()), &[]);
    }

    #[test]
    fn staircases_and_their_mirror_images_give_exact_areas(
        tops in prop::collection::vec(1i32..20, 2..60), bottoms in prop::collection::vec(1i32..20, 2..60)
    ) {
        // Columns of random height above and below a line: concave, with many straight runs.
        let n = tops.len().min(bottoms.len());
        let mut c = vec![[0.0, 0.0]];
        for (i, b) in bottoms[..n].iter().enumerate() {
            c.extend([[i as f64, -f64::from(*b)], [(i + 1) as f64, -f64::from(*b)]]);
        }
        for (i, t) in tops[..n].iter().enumerate().rev() {
            c.extend([[(i + 1) as f64, f64::from(*t)], [i as f64, f64::from(*t)]]);
        }
        c.dedup();
        assert_triangulates(&at(&c), &all(c.len()), &[]);
    }

    #[test]
    fn any_order_of_any_points_gives_triangles_or_an_error(
        c in prop::collection::vec((0i32..5, 0i32..5), 0..14), hole in prop::collection::vec(0u32..14, 0..6)
    ) {
        let p: Vec<Vec3> = c.iter().map(|&(x, y)| Vec3::new(f64::from(x), f64::from(y), 0.0)).collect();
        let holes = if hole.is_empty() { vec![] } else { vec![hole] };
        if let Ok(triangles) = polygon_with_holes(&p, &all(p.len()), &holes) {
            let sign = double_area(&p, &all(p.len())).signum();
            prop_assert!(triangles.iter().all(|t| double_area(&p, t) * sign > 0));
            let whole = double_area(&p, &all(p.len())).abs()
                - holes.iter().map(|h| double_area(&p, h).abs()).sum::<i64>();
            prop_assert_eq!(triangles.iter().map(|t| double_area(&p, t).abs()).sum::<i64>(), whole);
        }
    }

    #[test]
    fn a_polygon_turned_in_space_keeps_its_area(
        c in prop::collection::vec((-30i32..30, -30i32..30), 8..40),
        axis in prop::array::uniform3(-1.0f64..1.0), angle in 0.0f64..6.0,
    ) {
        let p = star(c);
        let turns = |i: usize| {
            let (a, b) = (p[i], p[(i + 1) % p.len()]);
            a.x * b.y - a.y * b.x
        };
        prop_assume!(p.len() > 2 && (0..p.len()).all(|i| turns(i) > 0.0));
        let axis = Vec3::from(axis);
        prop_assume!(axis.length() > 0.1);
        let q = Quat::from_axis_angle(axis.normalize(), angle);
        let turned: Vec<Vec3> = p.iter().map(|&x| q * x).collect();
        // Rounding may make straight runs cross themselves: then an error is right.
        if let Ok(triangles) = polygon(&turned, &all(p.len())) {
            let area: Vec3 = triangles
                .iter()
                .map(|t| {
                    let [a, b, c] = t.map(|i| turned[i as usize]);
                    (b - a).cross(c - a)
                })
                .sum();
            let expected = q * Vec3::new(0.0, 0.0, double_area(&p, &all(p.len())) as f64);
            prop_assert!((area - expected).length() < 1e-12 * expected.length());
        }
    }
}
