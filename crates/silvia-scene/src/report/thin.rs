//! Reduces amounts of data.

use crate::drawing::Mesh;
use silvia_solid::Vec3;
use std::collections::BTreeMap;

/// At most `most` of `count` indices, evenly spread, including the first and the last.
pub(super) fn evenly(count: usize, most: usize) -> Vec<usize> {
    let most = most.max(2);
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| (i * (count - 1) + (most - 1) / 2) / (most - 1)).collect()
}

/// Reduces a mesh to about this many triangles or fewer by merging all vertices in a cell of a grid. The
/// surface moves by at most a cell.
pub(super) fn coarser(mesh: &Mesh, triangles: usize) -> Mesh {
    let (low, high) = mesh
        .points
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
    let size = (high - low).max_element();
    // A surface N cells wide covers about 6 N² cells and has twice as many triangles.
    let mut cells = (triangles as f64 / 12.0).sqrt().ceil().max(2.0);
    loop {
        let coarse = clustered(mesh, low, size / cells);
        if coarse.triangles.len() <= triangles.max(MOST_COARSE) || cells <= 2.0 {
            return coarse;
        }
        cells = (0.7 * cells).max(2.0);
    }
}

/// A mesh with fewer triangles than this is never reduced.
const MOST_COARSE: usize = 200;

fn clustered(mesh: &Mesh, low: Vec3, cell: f64) -> Mesh {
    let mut places: BTreeMap<[i64; 3], (u32, Vec3, f64)> = BTreeMap::new();
    let key = |p: Vec3| ((p - low) / cell).floor().to_array().map(|c| c as i64);
    for &point in &mesh.points {
        let next = places.len() as u32;
        let place = places.entry(key(point)).or_insert((next, Vec3::ZERO, 0.0));
        (place.1, place.2) = (place.1 + point, place.2 + 1.0);
    }
    let mut points = vec![Vec3::ZERO; places.len()];
    places.values().for_each(|(number, sum, count)| points[*number as usize] = *sum / *count);
    let of = |corner: u32| places.get(&key(mesh.points[corner as usize])).map_or(0, |place| place.0);
    let moved = mesh.triangles.iter().map(|triangle| triangle.map(of));
    let triangles = moved.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    Mesh { points, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::primitives;

    #[test]
    fn what_is_kept_is_evenly_spread_with_both_ends() {
        assert_eq!(evenly(5, 10), [0, 1, 2, 3, 4]);
        assert_eq!(evenly(101, 11), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        let kept = evenly(1000, 7);
        assert_eq!((kept.len(), kept[0], kept[6]), (7, 0, 999));
        assert!(kept.windows(2).all(|pair| (166..=167).contains(&(pair[1] - pair[0]))));
        assert!(evenly(0, 5).is_empty());
    }

    #[test]
    fn a_coarser_mesh_is_small_and_near_the_old_one() {
        let sphere = Mesh::from(&primitives::sphere(1.0, 40).unwrap());
        let coarse = coarser(&sphere, 2000);
        assert!((200..=2000).contains(&coarse.triangles.len()), "{}", coarse.triangles.len());
        assert!(coarse.points.iter().all(|p| (0.85..=1.0).contains(&p.length())));
    }
}
