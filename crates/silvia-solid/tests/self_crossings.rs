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
fn boxes_that_overlap_with_their_sides_in_one_plane_pass_through_each_other() {
    let half = Vec3::splat(0.5);
    for (size, apart) in [
        (Vec3::ONE, Vec3::new(0.5, 0.0, 0.0)),    // four sides in common planes
        (Vec3::ONE, Vec3::new(0.5, 0.5, 0.0)),    // two
        (half, Vec3::new(0.0, 0.0, 0.25)),        // flush with the top, from within
        (half, Vec3::new(0.25, 0.25, 0.25)),      // in a corner
        (Vec3::ONE, Vec3::ZERO + 1e-9 * Vec3::X), // nearly the same
    ] {
        let soup = boxes([Vec3::ONE, size], apart);
        assert!(self_crossings(&soup, 1000).is_some(), "{size} {apart}");
    }
}

/// Its sides go through the face along edges, of which each triangle is on one side only.
#[test]
fn a_box_cut_at_the_face_that_it_goes_through_passes_through_it() {
    let (mut points, mut triangles) = cuboid(Vec3::ONE).unwrap().into_parts();
    let ring = |z: f64| [[-0.1, -0.2], [0.2, -0.1], [0.1, 0.2], [-0.2, 0.1]].map(|[x, y]| Vec3::new(x, y, z));
    points.extend([0.0, 0.5, 1.0].into_iter().flat_map(ring));
    for low in [8, 12] {
        for k in 0..4 {
            let (a, b) = (low + k, low + (k + 1) % 4);
            triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    triangles.extend([[8, 10, 9], [8, 11, 10], [16, 17, 18], [16, 18, 19]]);
    let soup = Soup::new(points, triangles).unwrap();
    assert!(silvia_solid::check::Report::of(&soup).is_closed());
    assert!(self_crossings(&soup, 1000).is_some());
}

/// A cavity whose wall has no thickness at one place is open there; what lies in it against its wall is not.
#[test]
fn a_cavity_flush_with_the_outside_counts_and_a_block_in_a_cavity_does_not() {
    let inwards = |soup: Soup| {
        let (points, mut triangles) = soup.into_parts();
        triangles[12..24].iter_mut().for_each(|corners| corners.swap(0, 1));
        Soup::new(points, triangles).unwrap()
    };
    let half = Vec3::splat(0.5);
    let flush = inwards(boxes([Vec3::ONE, half], Vec3::new(0.0, 0.0, 0.25)));
    assert!(self_crossings(&flush, 1000).is_some());
    let within = inwards(boxes([Vec3::ONE, half], Vec3::ZERO));
    assert_eq!(self_crossings(&within, 1000), None);
    let (mut points, mut triangles) = within.into_parts();
    let (block, sides) = cuboid(Vec3::splat(0.2)).unwrap().into_parts();
    // From the bottom of the cavity upwards, with coordinates that are equal as numbers.
    points.extend(block.iter().map(|p| Vec3::new(p.x, p.y, if p.z < 0.0 { -0.25 } else { 0.0 })));
    triangles.extend(sides.iter().map(|t| t.map(|v| v + 16)));
    let held = Soup::new(points, triangles).unwrap();
    assert_eq!(self_crossings(&held, 1000), None);
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
