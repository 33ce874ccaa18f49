//! A canonical triangulation.
//!
//! `boolmesh` iterates over hash maps in an order that changes from run to run, and triangulates its polygons
//! accordingly. The polygons themselves do not change, so they are sorted and triangulated again here: the
//! same input gives the same bits.

use crate::triangulate::rounded_polygon;
use crate::{Solid, Soup, SoupError, Vec3};
use std::collections::HashSet;

/// The faces of a body, sorted by their corners and triangulated again, over points sorted by coordinates.
pub(super) fn canonical(solid: &Solid) -> Result<Soup, SoupError> {
    let mut order: Vec<u32> = (0..solid.vertex_count() as u32).collect();
    let at = |i: u32| solid.soup().points()[i as usize].to_array();
    order.sort_by(|&i, &j| at(i).partial_cmp(&at(j)).unwrap_or(std::cmp::Ordering::Equal));
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, &old): (u32, _)| number[old as usize] = new);
    let points: Vec<Vec3> = order.iter().map(|&i| solid.soup().points()[i as usize]).collect();

    let mut faces: Vec<Vec<Vec<u32>>> = solid
        .faces()
        .map(|face| {
            let corners = |sides: &[crate::SideId]| -> Vec<u32> {
                sides.iter().map(|&s| number[solid.start_of_side(s).index()]).collect()
            };
            let mut loops: Vec<Vec<u32>> = solid.loops_of_face(face).map(corners).collect();
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
