//! A canonical triangulation.
//!
//! `boolmesh` iterates over hash maps in an order that changes from run to run, and triangulates its polygons
//! accordingly. The polygons themselves do not change, but for corners in the middle of straight edges, which
//! it takes out in one run and leaves in the next. Here all of these are taken out, and the polygons sorted
//! and triangulated again: the same input gives the same bits.

use super::FLAT;
use crate::triangulate::rounded_polygon;
use crate::{Solid, Soup, SoupError, Vec3};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The faces of a body, sorted by their corners and triangulated again, over points sorted by coordinates.
pub(super) fn canonical(solid: &Solid) -> Result<Soup, SoupError> {
    let loops = loops_without_straight_corners(solid);
    let used: BTreeSet<u32> = loops.iter().flatten().flatten().copied().collect();
    let mut order: Vec<u32> = used.into_iter().collect();
    let at = |i: u32| solid.soup().points()[i as usize].to_array();
    order.sort_by(|&i, &j| at(i).partial_cmp(&at(j)).unwrap_or(std::cmp::Ordering::Equal));
    let mut number = vec![0; solid.vertex_count()];
    (0..).zip(&order).for_each(|(new, &old): (u32, _)| number[old as usize] = new);
    let points: Vec<Vec3> = order.iter().map(|&i| solid.soup().points()[i as usize]).collect();

    let mut faces: Vec<Vec<Vec<u32>>> = loops
        .into_iter()
        .map(|mut loops| {
            loops.iter_mut().flatten().for_each(|corner| *corner = number[*corner as usize]);
            loops.iter_mut().for_each(|l| start_at_least(l));
            loops.sort();
            // The outer boundary has the largest area.
            let size = |l: &Vec<u32>| area(&points, l).length();
            let outer = (0..loops.len()).max_by(|&i, &j| size(&loops[i]).total_cmp(&size(&loops[j])));
            loops.swap(0, outer.unwrap_or(0));
            loops
        })
        .collect();
    faces.sort();

    let undirected = |a: u32, b: u32| [a.min(b), a.max(b)];
    let sides_of = |l: &Vec<u32>| {
        let next = l.iter().cycle().skip(1);
        l.iter().zip(next).map(|(&a, &b)| undirected(a, b)).collect::<Vec<_>>()
    };
    let mut taken: HashSet<[u32; 2]> = faces.iter().flatten().flat_map(sides_of).collect();
    let mut triangles = Vec::with_capacity(solid.triangle_count());
    for face in &faces {
        let boundaries: Vec<&[u32]> = face.iter().map(Vec::as_slice).collect();
        let facing = area(&points, &face[0]);
        let cut = rounded_polygon(&points, &boundaries, facing, &|a, b| taken.contains(&undirected(a, b)));
        taken
            .extend(cut.iter().flat_map(|&[a, b, c]| [undirected(a, b), undirected(b, c), undirected(c, a)]));
        triangles.extend(cut);
    }
    Soup::new(points, triangles)
}

/// The corners around every face, but for those in the middle of a straight edge between two faces.
fn loops_without_straight_corners(solid: &Solid) -> Vec<Vec<Vec<u32>>> {
    let corners = |sides: &[crate::SideId]| -> Vec<u32> {
        sides.iter().map(|&side| solid.start_of_side(side).index() as u32).collect()
    };
    let mut faces: Vec<Vec<Vec<u32>>> =
        solid.faces().map(|face| solid.loops_of_face(face).map(corners).collect()).collect();
    // By corner: the corners before and after it, in each loop around it.
    let mut around: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    for corners in faces.iter().flatten() {
        for (i, &corner) in corners.iter().enumerate() {
            let [before, after] = [i + corners.len() - 1, i + 1].map(|k| corners[k % corners.len()]);
            around.entry(corner).or_default().push([before, after]);
        }
    }
    let near = FLAT * solid.bounds().magnitude();
    let at = |i: u32| solid.soup().points()[i as usize];
    let is_straight = |corner: &u32| match around[corner][..] {
        [[a, b], [c, d]] if [a, b] == [d, c] && a != b => {
            let (way, along) = (at(*corner) - at(a), at(b) - at(a));
            let is_between = (0.0..along.length_squared()).contains(&way.dot(along));
            is_between && way.cross(along).length() <= near * along.length()
        }
        _ => false,
    };
    let straight: BTreeSet<u32> = around.keys().copied().filter(is_straight).collect();
    let left = |corners: &[u32]| corners.iter().filter(|corner| !straight.contains(corner)).count();
    if faces.iter().flatten().all(|corners| left(corners) >= 3) {
        faces.iter_mut().flatten().for_each(|corners| corners.retain(|corner| !straight.contains(corner)));
    }
    faces
}

/// Rotates a loop so that its lowest corner comes first; of several equal ones, the one with the lowest
/// successor.
fn start_at_least(corners: &mut [u32]) {
    let n = corners.len();
    let first = (0..n).min_by_key(|&i| (corners[i], corners[(i + 1) % n])).unwrap_or(0);
    corners.rotate_left(first);
}

/// Twice the vector area.
fn area(points: &[Vec3], corners: &[u32]) -> Vec3 {
    let at = |i: u32| points[i as usize] - points[corners[0] as usize];
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| at(a).cross(at(b))).sum()
}
