//! Surfaces that pass through themselves, and those that only touch.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use seeded::Random;
use silvia_solid::primitives::cuboid;
use silvia_solid::{Soup, Vec3, self_crossings, self_intersections};

/// Two boxes in one surface.
fn boxes(sizes: [Vec3; 2], apart: Vec3) -> Soup {
    let (mut points, mut triangles) = cuboid(sizes[0]).unwrap().into_parts();
    let first = points.len() as u32;
    let (others, of_others) = cuboid(sizes[1]).unwrap().into_parts();
    points.extend(others.iter().map(|p| *p + apart));
    triangles.extend(of_others.iter().map(|t| t.map(|v| v + first)));
    Soup::new(points, triangles).unwrap()
}

#[test]
fn boxes_that_touch_in_any_way_do_not_pass_through_each_other() {
    let half = Vec3::splat(0.5);
    for (size, apart) in [
        (Vec3::ONE, Vec3::new(0.0, 0.0, 1.0)),  // face on face
        (Vec3::ONE, Vec3::new(0.3, 0.2, 1.0)),  // face on face, beside
        (half, Vec3::new(0.1, -0.2, 0.75)),     // a small one on a large one
        (half, Vec3::new(0.25, 0.25, 0.75)),    // with sides in one plane
        (Vec3::ONE, Vec3::new(1.0, 0.0, 1.0)),  // edge on edge
        (Vec3::ONE, Vec3::new(1.0, 0.25, 1.0)), // edge on edge, beside
        (Vec3::ONE, Vec3::ONE),                 // corner on corner
        (half, Vec3::ZERO),                     // one in the other
    ] {
        let soup = boxes([Vec3::ONE, size], apart);
        assert_eq!(self_crossings(&soup, 1000), None, "{size} {apart}");
    }
}

#[test]
fn boxes_that_overlap_pass_through_each_other_however_they_are_aligned() {
    let slab = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    for (sizes, apart) in [
        ([Vec3::ONE, Vec3::ONE], Vec3::new(0.3, 0.2, 0.5)),
        ([Vec3::ONE, Vec3::ONE], Vec3::new(0.5, 0.5, 0.5)),
        ([slab(3.0, 1.0, 1.0), slab(1.0, 1.0, 3.0)], Vec3::ZERO), // a cross with sides in one plane
        ([slab(3.0, 1.0, 1.0), slab(1.0, 0.5, 3.0)], Vec3::ZERO),
    ] {
        let found = self_crossings(&boxes(sizes, apart), 1000).unwrap();
        assert!(found.count > 0 && found.first.0 < found.first.1, "{found:?}");
    }
}

#[test]
fn random_triangles_cross_just_where_they_intersect() {
    let mut random = Random::new(7);
    let (mut crossing, mut apart) = (0, 0);
    for _ in 0..20_000 {
        let points: Vec<Vec3> =
            (0..6).map(|_| Vec3::from_array(std::array::from_fn(|_| random.between(-1.0, 1.0)))).collect();
        let soup = Soup::new(points, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        // In general position touching and crossing are the same.
        let intersects = !self_intersections(&soup).is_empty();
        assert_eq!(self_crossings(&soup, 10).is_some(), intersects, "{soup:?}");
        if intersects { crossing += 1 } else { apart += 1 }
    }
    assert!(crossing > 1000 && apart > 1000, "{crossing} {apart}");
}

#[test]
fn of_very_many_pairs_about_as_many_are_counted_as_asked_for() {
    // Thin needles through the origin: each passes through each.
    let mut random = Random::new(3);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let way = Vec3::from_array(std::array::from_fn(|_| random.between(-1.0, 1.0)));
        let wide = 1e-2 * way.any_orthogonal_vector();
        let first = points.len() as u32;
        points.extend([way, -way + wide, -way - wide]);
        triangles.push([first, first + 1, first + 2]);
    }
    let soup = Soup::new(points, triangles).unwrap();
    let all = self_crossings(&soup, usize::MAX).unwrap();
    assert!(all.count > 1000, "{all:?}");
    let some = self_crossings(&soup, 100).unwrap();
    assert!(some.count >= 100 && some.count <= all.count, "{some:?}");
}
