use super::*;
use crate::hull::convex_hull;
use crate::primitives::{TorusKnot, cone, cuboid, cylinder, extrusion, sphere, torus};
use crate::testing::assert_closed;
use crate::{Quat, Soup};
use proptest::prelude::*;

fn solid(soup: &Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

fn volume(part: &Option<Solid>) -> f64 {
    part.as_ref().map_or(0.0, |s| s.mass().volume)
}

fn stairs() -> Soup {
    let outline =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 1.0], [3.0, 2.0], [2.0, 2.0], [2.0, 3.0], [0.0, 3.0]];
    let hole = vec![[0.5, 0.5], [1.0, 0.5], [1.0, 2.0], [0.5, 2.0]];
    extrusion(&outline, &[hole], 1.0).unwrap()
}

/// A box in the cavity of a box.
fn nested_boxes() -> Soup {
    let inside_out = |s: f64| {
        let (points, triangles) = cuboid(Vec3::splat(s)).unwrap().into_parts();
        Soup::new(points, triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()).unwrap()
    };
    Soup::joined([&cuboid(Vec3::splat(6.0)).unwrap(), &inside_out(4.0), &cuboid(Vec3::splat(2.0)).unwrap()])
        .unwrap()
}

/// Cuts, and checks all that must hold whatever the plane: closed parts on their own side of it, and moments
/// of order zero and one that add up.
fn checked_cut(whole: &Solid, plane: &Plane) -> Result<(Option<Solid>, Option<Solid>), CutError> {
    let parts = cut(whole, plane)?;
    let reach = whole.bounds().magnitude() + plane.offset.abs();
    for (part, sign) in [(&parts.0, 1.0), (&parts.1, -1.0)] {
        if let Some(part) = part {
            assert_closed(part.soup());
            assert!(part.mass().volume > 0.0);
            assert!(part.soup().points().iter().all(|&p| sign * plane.distance(p) < 1e-14 * reach));
        }
    }
    let first_moment = |s: &Solid| s.mass().center * s.mass().volume;
    let (v, m) = (whole.mass().volume, first_moment(whole));
    let both = [&parts.0, &parts.1].into_iter().flatten();
    let (sum_v, sum_m) =
        both.fold((0.0, Vec3::ZERO), |(v, m), part| (v + part.mass().volume, m + first_moment(part)));
    assert!((sum_v - v).abs() <= 1e-12 * v, "volumes {sum_v} and {v}");
    assert!((sum_m - m).length() <= 1e-12 * v * reach, "moments {sum_m} and {m}");
    Ok(parts)
}

#[test]
fn a_box_is_cut_in_exact_parts() {
    let brick = solid(&cuboid(Vec3::new(2.0, 3.0, 4.0)).unwrap());
    for (normal, offset, behind) in [(Vec3::X, 0.25, 15.0), (Vec3::Y, -1.0, 4.0), (Vec3::NEG_Z, 1.0, 18.0)] {
        let parts = checked_cut(&brick, &Plane { normal, offset }).unwrap();
        assert!(
            (volume(&parts.0) - behind).abs() < 1e-14 && (volume(&parts.1) - (24.0 - behind)).abs() < 1e-14
        );
        let counts = |s: &Option<Solid>| s.as_ref().map(|s| (s.face_count(), s.is_convex()));
        assert_eq!((counts(&parts.0), counts(&parts.1)), (Some((6, true)), Some((6, true))));
    }
}

#[test]
fn a_plane_that_misses_or_touches_leaves_the_solid_whole() {
    let brick = solid(&cuboid(Vec3::splat(2.0)).unwrap());
    for offset in [1.0, 1.5] {
        let (behind, in_front) = checked_cut(&brick, &Plane { normal: Vec3::Z, offset }).unwrap();
        assert!(behind.is_some() && in_front.is_none());
        let (behind, in_front) = checked_cut(&brick, &Plane { normal: Vec3::Z, offset: -offset }).unwrap();
        assert!(behind.is_none() && in_front.is_some());
    }
    // Touching in one vertex.
    let normal = Vec3::ONE.normalize();
    let (behind, in_front) = checked_cut(&brick, &Plane::through(Vec3::ONE, normal)).unwrap();
    assert!(behind.is_some() && in_front.is_none());
}

#[test]
fn a_plane_along_inner_faces_uses_them_as_cap() {
    let stairs = solid(&stairs());
    // The treads lie in the planes y = 1 and y = 2.
    for (offset, behind) in [(1.0, 4.0 - 0.25), (2.0, 7.0 - 0.75), (0.5, 2.0)] {
        let parts = checked_cut(&stairs, &Plane { normal: Vec3::Y, offset }).unwrap();
        assert!((volume(&parts.0) - behind).abs() < 1e-14);
    }
    for (offset, behind) in [(2.0, 6.0 - 0.75), (3.0, 8.0 - 0.75), (1.0, 3.0 - 0.75)] {
        let parts = checked_cut(&stairs, &Plane { normal: Vec3::X, offset }).unwrap();
        assert!((volume(&parts.0) - behind).abs() < 1e-14);
    }
}

#[test]
fn a_ring_gets_a_cap_with_a_hole_or_two_caps() {
    let ring = solid(&torus(2.0, 0.5, 48, 24).unwrap());
    let (below, above) = checked_cut(&ring, &Plane { normal: Vec3::Z, offset: 0.1 }).unwrap();
    assert_eq!(below.map(|s| (s.genus(), s.component_count())), Some((1, 1)));
    assert_eq!(above.map(|s| (s.genus(), s.component_count())), Some((1, 1)));
    let (left, right) = checked_cut(&ring, &Plane { normal: Vec3::X, offset: 0.1 }).unwrap();
    assert_eq!(left.map(|s| (s.genus(), s.component_count())), Some((0, 1)));
    assert_eq!(right.map(|s| (s.genus(), s.component_count())), Some((0, 1)));
}

#[test]
fn nested_boundaries_are_capped_one_in_the_other() {
    let (below, above) =
        checked_cut(&solid(&nested_boxes()), &Plane { normal: Vec3::Z, offset: 0.5 }).unwrap();
    // The shell becomes two open bowls, the inner box two boxes.
    assert!((volume(&below) - ((36.0 * 3.5 - 16.0 * 2.5) + 4.0 * 1.5)).abs() < 1e-12);
    assert!((volume(&above) - ((36.0 * 2.5 - 16.0 * 1.5) + 4.0 * 0.5)).abs() < 1e-12);
    assert_eq!(below.map(|s| s.component_count()), Some(2));
    // Through the cavity's floor: its face closes the lower part.
    let (below, above) =
        checked_cut(&solid(&nested_boxes()), &Plane { normal: Vec3::Z, offset: -2.0 }).unwrap();
    assert!((volume(&below) - 36.0).abs() < 1e-12);
    assert_eq!(above.map(|s| s.component_count()), Some(2));
}

#[test]
fn a_groove_that_just_reaches_the_plane_does_not_break_the_cut() {
    // A roof-shaped groove from below whose ridge is at y = 1.
    let outline = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]];
    let body = solid(&extrusion(&outline, &[], 1.0).unwrap());
    let plane = Plane { normal: Vec3::Y, offset: 1.0 };
    let (below, above) = checked_cut(&body, &plane).unwrap();
    // Below are two wedges that touch in the ridge; the cap goes over it without using it as a side.
    assert!((volume(&below) - 3.0).abs() < 1e-14);
    assert!((volume(&above) - 4.0).abs() < 1e-14);
    // Upside down: now the part in front touches itself.
    let plane = Plane { normal: Vec3::NEG_Y, offset: -1.0 };
    let (below, above) = checked_cut(&body, &plane).unwrap();
    assert!((volume(&below) - 4.0).abs() < 1e-14 && (volume(&above) - 3.0).abs() < 1e-14);
}

#[test]
fn a_knot_cut_through_its_middle_falls_into_pieces_that_add_up() {
    let knot = solid(&TorusKnot::TREFOIL.soup(120, 16).unwrap());
    for (normal, offset) in [(Vec3::Z, 0.0), (Vec3::X, 0.0), (Vec3::Y, 0.3), (Vec3::new(0.6, 0.0, 0.8), 0.05)]
    {
        let (behind, in_front) = checked_cut(&knot, &Plane { normal, offset }).unwrap();
        assert!(behind.is_some_and(|s| s.genus() == 0) && in_front.is_some());
    }
}

#[test]
fn planes_that_are_none_are_refused() {
    let brick = solid(&cuboid(Vec3::ONE).unwrap());
    for (normal, offset) in
        [(Vec3::ZERO, 0.0), (Vec3::NAN, 0.0), (2.0 * Vec3::X, 0.0), (Vec3::X, f64::INFINITY)]
    {
        assert!(matches!(cut(&brick, &Plane { normal, offset }), Err(CutError::Plane { .. })));
    }
}

fn bodies() -> Vec<Soup> {
    vec![
        cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(),
        cylinder(1.0, 2.0, 24).unwrap(),
        cone(1.0, 2.0, 17).unwrap(),
        sphere(1.0, 4).unwrap(),
        // From here on not convex.
        torus(1.0, 0.4, 20, 12).unwrap(),
        stairs(),
        nested_boxes(),
        TorusKnot::TREFOIL.soup(60, 6).unwrap(),
    ]
}

const CONVEX_BODIES: usize = 4;

fn directions() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0f64..1.0)
        .prop_map(Vec3::from)
        .prop_filter("short", |v| v.length() > 0.1)
        .prop_map(Vec3::normalize)
}

fn turned(soup: &Soup, axis: Vec3, angle: f64) -> Solid {
    solid(&soup.posed(&Pose::new(Vec3::new(0.1, 0.2, 0.3), Quat::from_axis_angle(axis, angle)).unwrap()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn parts_by_any_plane_are_closed_and_add_up(
        body in 0..8usize, normal in directions(), along in -1.0f64..1.0, axis in directions(),
        angle in 0.0f64..6.0,
    ) {
        let whole = turned(&bodies()[body], axis, angle);
        let offset = normal.dot(whole.mass().center) + along * whole.bounds().size().length() / 2.0;
        checked_cut(&whole, &Plane { normal, offset }).unwrap();
    }

    #[test]
    fn planes_through_three_vertices_cut_as_well(
        body in 0..8usize, axis in directions(), angle in 0.0f64..6.0,
        pick in prop::array::uniform3(0..10_000usize),
    ) {
        let whole = turned(&bodies()[body], axis, angle);
        let points = whole.soup().points();
        let [a, b, c] = pick.map(|i| points[i % points.len()]);
        let normal = (b - a).cross(c - a);
        prop_assume!(normal.length() > 1e-3);
        match checked_cut(&whole, &Plane::through(a, normal.normalize())) {
            // A part of a body that is not convex may touch itself in the plane: in a vertex, or with a
            // cavity.
            Err(CutError::Part { source: SolidError::Unfit { report }, .. }) if body >= CONVEX_BODIES => {
                prop_assert!(report.is_closed() && !report.is_solid());
            }
            other => {
                other.unwrap();
            }
        }
    }

    #[test]
    fn parts_of_convex_bodies_are_the_hulls_of_their_points(
        body in 0..CONVEX_BODIES, normal in directions(), along in -0.9f64..0.9
    ) {
        let whole = solid(&bodies()[body]);
        let plane = Plane { normal, offset: along * 0.5 };
        let (behind, in_front) = checked_cut(&whole, &plane).unwrap();
        // Vertices on one side, and where segments between any two vertices cross the plane.
        let points = whole.soup().points();
        for (part, sign) in [(behind, 1.0), (in_front, -1.0)] {
            let mut all: Vec<Vec3> =
                points.iter().copied().filter(|&p| sign * plane.distance(p) <= 0.0).collect();
            for &p in points.iter().take(60) {
                for &q in points {
                    let (dp, dq) = (plane.distance(p), plane.distance(q));
                    if dp * dq < 0.0 {
                        all.push((p * dq - q * dp) / (dq - dp));
                    }
                }
            }
            let expected = convex_hull(&all).map_or(0.0, |h| solid(&h.soup).mass().volume);
            let found = volume(&part);
            if points.len() <= 60 {
                prop_assert!(
                    (found - expected).abs() < 1e-12 * whole.mass().volume,
                    "{} {}",
                    found,
                    expected
                );
            } else {
                prop_assert!(found > expected - 1e-12 * whole.mass().volume);
            }
        }
    }
}
