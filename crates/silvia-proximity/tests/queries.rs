//! Collisions, near features, points and rays against brute force.

#![allow(clippy::unwrap_used)]

mod common;

use common::{hierarchy, point_triangle, pose, segment_segment, solid, soup, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::{Bound, Obb};
use silvia_proximity::mesh::{Collision, cast_ray, collide, point_distance, within};
use silvia_proximity::{Extent, Feature, Hierarchy, Ray, RayError};
use silvia_solid::{Pose, Solid, Soup, TriangleId, Vec3, primitives, triangles_intersect, winding_number};
use std::collections::BTreeMap;

fn touching_pairs(a: &Soup, b: &Soup) -> Vec<[TriangleId; 2]> {
    let mut pairs = Vec::new();
    for i in 0..a.triangles().len() {
        for j in 0..b.triangles().len() {
            if triangles_intersect(&a.corners(i), &b.corners(j)) {
                pairs.push([TriangleId(i as u32), TriangleId(j as u32)]);
            }
        }
    }
    pairs
}

fn collides<B: Bound>(a: &Soup, b: &Soup) -> Result<(), TestCaseError> {
    let truth = touching_pairs(a, b);
    let (ha, hb): (Hierarchy<B>, Hierarchy<B>) = (hierarchy(a), hierarchy(b));
    let all = collide(&ha, &Pose::IDENTITY, &hb, &Pose::IDENTITY, Extent::All);
    prop_assert_eq!(all.pairs(), truth.as_slice());
    let any = collide(&ha, &Pose::IDENTITY, &hb, &Pose::IDENTITY, Extent::Any);
    prop_assert_eq!(any.is_some(), !truth.is_empty());
    prop_assert!(any.pairs().iter().all(|p| truth.contains(p)));
    Ok(())
}

/// All vertex-face and edge-edge pairs of two solids within reach, by their features.
fn near_features(a: &Solid, b: &Solid, reach: f64) -> BTreeMap<[Feature; 2], f64> {
    let mut near: BTreeMap<[Feature; 2], f64> = BTreeMap::new();
    let mut note = |features: [Feature; 2], distance: f64| {
        if distance < reach {
            let known = near.entry(features).or_insert(distance);
            *known = known.min(distance);
        }
    };
    let corners = |s: &Solid, t: TriangleId| s.soup().corners(t.index());
    for v in a.vertices() {
        for t in b.triangles() {
            let face = Feature::Face(b.face_of_triangle(t).0);
            note([Feature::Vertex(v.0), face], point_triangle(a.point(v), &corners(b, t)));
        }
    }
    for t in a.triangles() {
        let face = Feature::Face(a.face_of_triangle(t).0);
        for v in b.vertices() {
            note([face, Feature::Vertex(v.0)], point_triangle(b.point(v), &corners(a, t)));
        }
    }
    let ends = |s: &Solid, e| s.edge(e).vertices.map(|v| s.point(v));
    for e in a.edges() {
        for f in b.edges() {
            note([Feature::Edge(e.0), Feature::Edge(f.0)], segment_segment(ends(a, e), ends(b, f)));
        }
    }
    near
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_touching_triangles_are_found_and_no_others(a in soup(), b in soup()) {
        for_every_bound!(collides(&a, &b));
    }

    #[test]
    fn solids_collide_exactly_if_their_surfaces_cross_or_one_holds_the_other(
        a in solid(), b in solid(), at in pose(2.0),
    ) {
        let (ha, hb): (Hierarchy<Obb>, Hierarchy<Obb>) =
            (Hierarchy::new(a.clone()), Hierarchy::new(b.clone()));
        let got = collide(&ha, &Pose::IDENTITY, &hb, &at, Extent::All);
        let posed = b.soup().posed(&at);
        let inside = |s: &Soup, p: Vec3| winding_number(s.points(), s.triangles(), p) > 0.5;
        let crossing = !touching_pairs(a.soup(), &posed).is_empty();
        prop_assert_eq!(matches!(got, Collision::Surfaces(_)), crossing);
        if !crossing {
            prop_assert_eq!(got == Collision::SecondInside, inside(a.soup(), posed.points()[0]));
            prop_assert_eq!(got == Collision::FirstInside, inside(&posed, a.soup().points()[0]));
        }
    }

    #[test]
    fn near_features_equal_brute_force(a in solid(), b in solid(), at in pose(1.5), reach in 0.01..0.5f64) {
        // The second body is placed beforehand, so that both sides see the same coordinates.
        let b = Solid::from_soup(&b.soup().posed(&at)).unwrap();
        let (ha, hb): (Hierarchy<Obb>, Hierarchy<Obb>) =
            (Hierarchy::new(a.clone()), Hierarchy::new(b.clone()));
        let got = within(&ha, &Pose::IDENTITY, &hb, &Pose::IDENTITY, reach).unwrap();
        let truth = near_features(&a, &b, reach);
        let clearly: Vec<_> = truth.iter().filter(|(_, d)| **d < reach - 1e-12).collect();
        for (features, distance) in clearly {
            let found = got.iter().find(|p| p.features == *features);
            prop_assert!(
                found.is_some_and(|p| (p.distance - distance).abs() < 1e-12),
                "{:?} at {}",
                features,
                distance
            );
        }
        for pair in &got {
            prop_assert!(truth.contains_key(&pair.features) || pair.distance > reach - 1e-12);
        }
        prop_assert!(got.windows(2).all(|w| w[0].features < w[1].features), "each once, in order");
    }

    #[test]
    fn points_are_as_far_as_the_nearest_triangle_and_inside_by_winding(
        body in solid(), p in vector(2.0), at in pose(1.0),
    ) {
        let h: Hierarchy<Obb> = Hierarchy::new(body.clone());
        let got = point_distance(&h, &at, p).unwrap();
        let posed = body.soup().posed(&at);
        let truth = (0..posed.triangles().len())
            .map(|t| point_triangle(p, &posed.corners(t)))
            .fold(f64::INFINITY, f64::min);
        prop_assert!((got.distance.abs() - truth).abs() < 1e-13);
        prop_assert!((got.nearest.distance(p) - truth).abs() < 1e-13);
        if truth > 1e-9 {
            prop_assert_eq!(got.distance < 0.0, winding_number(posed.points(), posed.triangles(), p) > 0.5);
        }
    }

    #[test]
    fn rays_hit_what_brute_force_hits(
        body in solid(), origin in vector(3.0), direction in vector(1.0), at in pose(1.0),
    ) {
        prop_assume!(direction.length() > 1e-3);
        let posed = body.soup().posed(&at);
        let mut truth = f64::INFINITY;
        for t in 0..posed.triangles().len() {
            let [a, b, c] = posed.corners(t);
            let m = silvia_solid::Mat3::from_cols(-direction, b - a, c - a);
            if m.determinant().abs() > 1e-12 {
                let x = m.inverse() * (origin - a);
                if x.x >= 0.0 && x.y >= 0.0 && x.z >= 0.0 && x.y + x.z <= 1.0 {
                    truth = truth.min(x.x);
                }
            }
        }
        let ray = Ray { origin, direction, reach: f64::INFINITY };
        let hits = |h: Option<silvia_proximity::mesh::RayHit>| h.map_or(f64::INFINITY, |h| h.parameter);
        let obb: Hierarchy<Obb> = Hierarchy::new(body.clone());
        let sphere: Hierarchy<silvia_proximity::bounds::Sphere> = Hierarchy::new(body.clone());
        let dop: Hierarchy<silvia_proximity::bounds::Dop18> = Hierarchy::new(body.clone());
        let got = [
            hits(cast_ray(&obb, &at, &ray).unwrap()),
            hits(cast_ray(&sphere, &at, &ray).unwrap()),
            hits(cast_ray(&dop, &at, &ray).unwrap()),
        ];
        for t in got {
            prop_assert!(t == truth || (t - truth).abs() < 1e-9, "{t} {truth}");
        }
        if truth.is_finite() {
            let short = Ray { reach: truth * 0.999, ..ray };
            prop_assert_eq!(cast_ray(&obb, &at, &short).unwrap(), None);
        }
    }
}

#[test]
fn a_soup_has_no_inside() {
    let ball: Hierarchy<Obb> = hierarchy(&primitives::sphere(1.0, 3).unwrap());
    let crumb: Hierarchy<Obb> = hierarchy(&primitives::cuboid(Vec3::splat(0.1)).unwrap());
    assert_eq!(collide(&ball, &Pose::IDENTITY, &crumb, &Pose::IDENTITY, Extent::Any), Collision::None);
    assert!(point_distance(&ball, &Pose::IDENTITY, Vec3::ZERO).unwrap().distance > 0.9);
}

#[test]
fn a_soup_within_a_solid_collides_with_it() {
    let ball: Hierarchy<Obb> =
        Hierarchy::new(Solid::from_soup(&primitives::sphere(1.0, 3).unwrap()).unwrap());
    let crumb: Hierarchy<Obb> = hierarchy(&primitives::cuboid(Vec3::splat(0.1)).unwrap());
    assert_eq!(
        collide(&ball, &Pose::IDENTITY, &crumb, &Pose::IDENTITY, Extent::Any),
        Collision::SecondInside
    );
    assert_eq!(collide(&crumb, &Pose::IDENTITY, &ball, &Pose::IDENTITY, Extent::Any), Collision::FirstInside);
}

/// A wedge of 30 degrees whose sharp edge is split on one side only: a triangle without area fills the
/// T-joint, and has no normal to tell inside from outside by.
#[test]
fn a_joint_filled_by_a_triangle_without_area_does_not_turn_outside_in() {
    let (low, high) = (Vec3::new(1.0, 0.0, -0.27), Vec3::new(1.0, 0.0, 0.27));
    let y = Vec3::Y;
    // 0, 1 the sharp edge; 2, 3 below; 4, 5 above; 6 the middle of the edge.
    let points = vec![Vec3::ZERO, y, low, low + y, high, high + y, 0.5 * y];
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3], // below, whole edge
        [0, 6, 4],
        [6, 5, 4],
        [6, 1, 5], // above, edge in two
        [0, 1, 6], // the filler
        [2, 4, 3],
        [3, 4, 5], // back
        [0, 4, 2],
        [1, 3, 5], // ends
    ];
    let outward = silvia_solid::repair::orient(&Soup::new(points, triangles).unwrap()).unwrap().soup;
    let wedge = Solid::from_soup(&outward).unwrap();
    let body: Hierarchy<Obb> = Hierarchy::new(wedge.clone());
    for i in 0..100 {
        let angle = std::f64::consts::TAU * f64::from(i) / 100.0;
        let p = Vec3::new(0.01 * angle.cos(), 0.3 + 0.004 * f64::from(i), 0.01 * angle.sin());
        let inside = winding_number(wedge.soup().points(), wedge.soup().triangles(), p) > 0.5;
        assert_eq!(point_distance(&body, &Pose::IDENTITY, p).unwrap().distance < 0.0, inside, "at {p}");
    }
}

#[test]
fn a_ray_through_a_shared_edge_or_corner_is_not_lost() {
    let cube: Hierarchy<Obb> =
        Hierarchy::new(Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap());
    for target in [Vec3::ZERO, Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.5, 0.5, 0.0), Vec3::splat(0.5)] {
        let direction = target - Vec3::splat(3.0);
        let ray = Ray { origin: Vec3::splat(3.0), direction, reach: f64::INFINITY };
        assert!(cast_ray(&cube, &Pose::IDENTITY, &ray).unwrap().is_some(), "towards {target}");
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let cube: Hierarchy<Obb> = hierarchy(&primitives::cuboid(Vec3::ONE).unwrap());
    let nan = Vec3::new(f64::NAN, 0.0, 0.0);
    assert!(point_distance(&cube, &Pose::IDENTITY, nan).is_err());
    let still = Ray { origin: Vec3::ZERO, direction: Vec3::ZERO, reach: 1.0 };
    assert_eq!(cast_ray(&cube, &Pose::IDENTITY, &still), Err(RayError::NoDirection));
    let backwards = Ray { direction: Vec3::X, reach: -1.0, ..still };
    assert_eq!(cast_ray(&cube, &Pose::IDENTITY, &backwards), Err(RayError::Reach { given: -1.0 }));
    let tiny = Ray { direction: Vec3::X * 1e-200, reach: f64::INFINITY, ..still };
    let hit = cast_ray(&cube, &Pose::IDENTITY, &tiny).unwrap().unwrap();
    assert!((hit.parameter * 1e-200 - 0.5).abs() < 1e-15);
    assert!(within(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, -1.0).is_err());
}
