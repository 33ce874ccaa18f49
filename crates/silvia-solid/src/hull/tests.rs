use super::*;
use crate::testing::{assert_closed, euler, is_convex, volume};
use crate::{Quat, primitives};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

type Int3 = [i64; 3];

fn det(a: Int3, b: Int3, c: Int3, d: Int3) -> i128 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| i128::from(p[k] - a[k])));
    u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}

/// The oracle, in integers and by brute force: every plane through three points that has all others on one
/// side is a face; its corners are found in the plane. Gives six times the volume, and the extreme points.
fn by_brute_force(points: &[Int3]) -> (i128, BTreeSet<Int3>) {
    let (mut volume, mut extreme, mut done) = (0, BTreeSet::new(), HashSet::new());
    let n = points.len();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                let (a, b, c) = (points[i], points[j], points[k]);
                let on_line = (0..3).all(|axis| {
                    let mut beside = a;
                    beside[axis] += 1;
                    det(a, b, c, beside) == 0
                });
                // Each face once, anticlockwise: with all other points behind.
                if on_line || points.iter().any(|&d| det(a, b, c, d) > 0) {
                    continue;
                }
                let face: BTreeSet<Int3> = points.iter().copied().filter(|&d| det(a, b, c, d) == 0).collect();
                if done.insert(face.clone()) {
                    let corners = polygon_around(&face, [a, b, c]);
                    for t in 1..corners.len() - 1 {
                        volume += det([0; 3], corners[0], corners[t], corners[t + 1]);
                    }
                    extreme.extend(corners);
                }
            }
        }
    }
    (volume, extreme)
}

/// The corners of the convex polygon around points of one plane, turning like the given triangle: gift
/// wrapping.
fn polygon_around(face: &BTreeSet<Int3>, [a, b, c]: [Int3; 3]) -> Vec<Int3> {
    let sub = |p: Int3, q: Int3| [0, 1, 2].map(|k| i128::from(p[k] - q[k]));
    let cross = |u: [i128; 3], v: [i128; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let normal = cross(sub(b, a), sub(c, a));
    let turn = |p: Int3, q: Int3, r: Int3| {
        let t = cross(sub(q, p), sub(r, p));
        // In one plane, the turn is along the normal or against it: the sign of any non-zero component
        // decides.
        (0..3).find(|&k| normal[k] != 0).map_or(0, |k| (t[k] * normal[k].signum()).signum())
    };
    let length = |p: Int3, q: Int3| sub(p, q).iter().map(|x| x * x).sum::<i128>();
    let first = *face.iter().next().unwrap();
    let mut corners = vec![first];
    loop {
        let here = *corners.last().unwrap();
        let next = face
            .iter()
            .copied()
            .filter(|&p| p != here)
            .reduce(|best, p| match turn(here, best, p) {
                -1 => p,
                0 if length(here, p) > length(here, best) => p,
                _ => best,
            })
            .unwrap();
        if next == first {
            return corners;
        }
        corners.push(next);
    }
}

fn is_flat(points: &[Int3]) -> bool {
    let n = points.len();
    (0..n).all(|i| {
        (0..i).all(|j| (0..j).all(|k| points.iter().all(|&d| det(points[i], points[j], points[k], d) == 0)))
    })
}

/// Against the oracle; `scale` takes the integers to metres without rounding.
fn assert_is_hull_of(lattice: &[Int3], scale: Vec3) {
    let to_metres = |p: &Int3| Vec3::new(p[0] as f64, p[1] as f64, p[2] as f64) * scale;
    let points: Vec<Vec3> = lattice.iter().map(to_metres).collect();
    let hull = convex_hull(&points).unwrap();
    assert_closed(&hull.soup);
    assert_eq!(euler(&hull.soup), 2);
    assert_contains(&hull, &points);
    let (volume, extreme) = by_brute_force(lattice);
    let found: BTreeSet<Int3> = hull.sources.iter().map(|&i| lattice[i as usize]).collect();
    assert_eq!(found, extreme);
    let corners = |t: &[u32; 3]| t.map(|i| lattice[hull.sources[i as usize] as usize]);
    let found: i128 = hull.soup.triangles().iter().map(corners).map(|[a, b, c]| det([0; 3], a, b, c)).sum();
    assert_eq!(found, volume);
}

fn assert_contains(hull: &Hull, points: &[Vec3]) {
    for t in 0..hull.soup.triangles().len() {
        let [a, b, c] = hull.soup.corners(t);
        assert!(points.iter().all(|&p| side(a, b, c, p) <= 0.0));
    }
    for (&source, &p) in hull.sources.iter().zip(hull.soup.points()) {
        assert_eq!(points[source as usize], p);
    }
}

#[test]
fn the_oracle_knows_a_cube_and_a_tetrahedron() {
    let cube: Vec<Int3> = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]).collect();
    let (volume, extreme) = by_brute_force(&cube);
    assert_eq!((volume, extreme.len()), (48, 8));
    let (volume, extreme) = by_brute_force(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]);
    assert_eq!((volume, extreme.len()), (1, 4));
}

#[test]
fn a_lattice_gives_its_eight_corners() {
    let lattice: Vec<Vec3> = (0..1000)
        .map(|i| Vec3::new(f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100)) * 0.1)
        .collect();
    let hull = convex_hull(&lattice).unwrap();
    assert_closed(&hull.soup);
    assert_eq!((hull.soup.points().len(), hull.soup.triangles().len()), (8, 12));
    assert_contains(&hull, &lattice);
}

#[test]
fn flat_input_is_refused_and_says_how_flat() {
    let p = Vec3::new(0.1, 0.2, 0.3);
    assert_eq!(convex_hull(&[]), Err(HullError::Empty));
    assert_eq!(convex_hull(&[p, p, p, p, p]), Err(HullError::OnePoint { points: 5, at: p }));
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::new(1.0, 2.0, -4.0) * f64::from(i)).collect();
    assert!(matches!(convex_hull(&line), Err(HullError::OneLine { line: [8, 0] | [0, 8] })));
    let plane: Vec<Vec3> = (0..81).map(|i| Vec3::new(f64::from(i % 9), f64::from(i / 9), 7.0)).collect();
    assert!(matches!(convex_hull(&plane), Err(HullError::OnePlane { .. })));
    let bad = [p, Vec3::ZERO, Vec3::X, Vec3::new(0.0, f64::NAN, 0.0)];
    assert!(matches!(convex_hull(&bad), Err(HullError::NotFinite { point: 3, .. })));
}

#[test]
fn one_point_off_the_plane_by_the_least_possible_is_enough() {
    let mut points: Vec<Vec3> = (0..81).map(|i| Vec3::new(f64::from(i % 9), f64::from(i / 9), 7.0)).collect();
    points[40].z = 7f64.next_up();
    let hull = convex_hull(&points).unwrap();
    assert_closed(&hull.soup);
    assert_eq!(hull.sources, [0, 8, 40, 72, 80]);
    assert!((volume(&hull.soup) / (64.0 / 3.0 * (7f64.next_up() - 7.0)) - 1.0).abs() < 1e-12);
}

#[test]
fn the_hull_of_a_convex_body_is_that_body() {
    for soup in [primitives::sphere(1.0, 12).unwrap(), primitives::cylinder(1.0, 2.0, 400).unwrap()] {
        let hull = convex_hull(soup.points()).unwrap();
        assert_closed(&hull.soup);
        assert!(is_convex(&hull.soup));
        // Rounding makes the facets of a cylinder not quite flat, hence the allowance.
        assert!((volume(&hull.soup) / volume(&soup) - 1.0).abs() < 1e-12);
        assert_eq!(hull.soup.points().len(), soup.points().len());
    }
}

#[test]
fn many_points_on_a_sphere_are_all_extreme() {
    // The golden spiral.
    let n = 20_000;
    let points: Vec<Vec3> = (0..n)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
            let (s, c) = (f64::from(i) * 2.399_963_229_728_653).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * c, r * s, z)
        })
        .collect();
    let hull = convex_hull(&points).unwrap();
    assert_closed(&hull.soup);
    assert_eq!(hull.sources.len(), points.len());
    assert!((volume(&hull.soup) / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 1e-3);
}

fn small_sets(range: [i64; 3], count: usize) -> impl Strategy<Value = Vec<Int3>> {
    let [x, y, z] = range;
    let point = (-x..=x, -y..=y, -z..=z).prop_map(|(x, y, z)| [x, y, z]);
    prop::collection::vec(point, 4..count).prop_filter("flat", |p| !is_flat(p))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_points_have_the_hull_of_the_oracle(points in small_sets([1 << 20; 3], 20)) {
        assert_is_hull_of(&points, Vec3::splat(2f64.powi(-20)));
    }

    #[test]
    fn lattice_points_have_the_hull_of_the_oracle(points in small_sets([2; 3], 40)) {
        assert_is_hull_of(&points, Vec3::ONE);
    }

    #[test]
    fn nearly_flat_points_have_the_hull_of_the_oracle(points in small_sets([1 << 20, 1 << 20, 2], 24)) {
        assert_is_hull_of(&points, Vec3::new(2f64.powi(-20), 2f64.powi(-20), 2f64.powi(-60)));
    }

    #[test]
    fn nearly_straight_points_have_the_hull_of_the_oracle(points in small_sets([1 << 20, 1, 1], 24)) {
        assert_is_hull_of(&points, Vec3::new(1.0, 2f64.powi(-40), 2f64.powi(-45)));
    }

    #[test]
    fn a_turned_lattice_keeps_its_volume(
        points in small_sets([3; 3], 60), axis in prop::array::uniform3(-1.0f64..1.0), angle in 0.1f64..6.0
    ) {
        let axis = Vec3::from(axis);
        prop_assume!(axis.length() > 0.1);
        let q = Quat::from_axis_angle(axis.normalize(), angle);
        let straight: Vec<Vec3> =
            points.iter().map(|p| Vec3::new(p[0] as f64, p[1] as f64, p[2] as f64)).collect();
        let turned: Vec<Vec3> = straight.iter().map(|&p| q * p + Vec3::new(10.0, 20.0, 30.0)).collect();
        let hull = convex_hull(&turned).unwrap();
        assert_closed(&hull.soup);
        assert_contains(&hull, &turned);
        let expected = volume(&convex_hull(&straight).unwrap().soup);
        prop_assert!((volume(&hull.soup) - expected).abs() < 1e-11);
    }
}
