//! Closes the open end of a cut part with a flat cap.

use crate::Vec3;
use crate::triangulate::{Flat, in_sector, rounded_polygon, turn};
use robust::Coord;
use std::collections::{BTreeMap, HashSet};

/// Adds the triangles that close a part. `sides` is 0 for points in the plane; all open edges join such
/// points. `facing` is the direction that the cap faces, away from the part.
pub(super) fn close(points: &[Vec3], sides: &[i8], triangles: &mut Vec<[u32; 3]>, facing: Vec3) {
    let view = View { flat: Flat::along(facing), points };
    let (border, mut taken) = open_edges(sides, triangles);
    for region in view.regions(loops(&view, border)) {
        let boundaries: Vec<&[u32]> = region.iter().map(Vec::as_slice).collect();
        let cap = rounded_polygon(points, &boundaries, facing, &|a, b| taken.contains(&[a.min(b), a.max(b)]));
        taken.extend(
            cap.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]),
        );
        triangles.extend(cap);
    }
}

/// The sides that the cap must have, by starting point; and all edges in the plane that are in use, which no
/// inner side of the cap may duplicate.
fn open_edges(sides: &[i8], triangles: &[[u32; 3]]) -> (BTreeMap<u32, Vec<u32>>, HashSet<[u32; 2]>) {
    let mut open: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for t in triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            if sides[a as usize] == 0 && sides[b as usize] == 0 {
                *open.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        }
    }
    let mut border: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&[low, high], &count) in &open {
        // The cap runs along an open edge in the opposite direction to the triangle there.
        let (from, to) = if count > 0 { (high, low) } else { (low, high) };
        for _ in 0..count.abs() {
            border.entry(from).or_default().push(to);
        }
    }
    (border, open.into_keys().collect())
}

/// Closed walks along all border edges, with the cap on the left. Where several meet at a point, each turns
/// left as sharply as it can, so that they touch there without crossing.
fn loops(view: &View<'_>, mut border: BTreeMap<u32, Vec<u32>>) -> Vec<Vec<u32>> {
    let mut loops = Vec::new();
    while let Some((&start, leaving)) = border.first_key_value() {
        let first = leaving[0];
        let (mut before, mut here) = (start, first);
        let mut walk = vec![start];
        // As many edges arrive at a point as leave it, so the walk continues until it comes back to its first
        // edge.
        while let Some(leaving) = border.get_mut(&here) {
            let next = leaving.swap_remove(view.sharpest_left(before, here, leaving));
            if leaving.is_empty() {
                border.remove(&here);
            }
            if (here, next) == (start, first) {
                break;
            }
            walk.push(here);
            (before, here) = (here, next);
        }
        loops.push(walk);
    }
    loops
}

/// Points projected against the direction that the cap faces.
struct View<'a> {
    flat: Flat,
    points: &'a [Vec3],
}

impl View<'_> {
    fn at(&self, i: u32) -> Coord<f64> {
        self.flat.see(self.points[i as usize])
    }

    /// Which of the `leaving` edges leaves the least of the cap between it and the edge from `before`.
    fn sharpest_left(&self, before: u32, here: u32, leaving: &[u32]) -> usize {
        let (at, back) = (self.at(here), self.at(before));
        (0..leaving.len())
            .reduce(|best, i| {
                let within = in_sector(at, self.at(leaving[best]), back, self.at(leaving[i]));
                if within { i } else { best }
            })
            .unwrap_or(0)
    }

    /// Outer loops, each with the holes inside it.
    fn regions(&self, loops: Vec<Vec<u32>>) -> Vec<Vec<Vec<u32>>> {
        let (outers, holes): (Vec<_>, Vec<_>) =
            loops.into_iter().map(|l| (self.double_area(&l), l)).partition(|(area, _)| *area >= 0.0);
        let areas: Vec<f64> = outers.iter().map(|(area, _)| *area).collect();
        let mut regions: Vec<Vec<Vec<u32>>> = outers.into_iter().map(|(_, l)| vec![l]).collect();
        for (_, hole) in holes {
            let around = (0..areas.len())
                .filter(|&i| self.is_inside(&hole, &regions[i][0]))
                .min_by(|&i, &j| areas[i].total_cmp(&areas[j]));
            match around {
                Some(i) => regions[i].push(hole),
                // Flipped by rounding: too small to matter, but it must be closed.
                None => regions.push(vec![hole]),
            }
        }
        regions
    }

    fn double_area(&self, corners: &[u32]) -> f64 {
        let base = self.at(corners[0]);
        let relative = |i: u32| (self.at(i).x - base.x, self.at(i).y - base.y);
        corners
            .iter()
            .zip(corners.iter().cycle().skip(1))
            .map(|(&a, &b)| (relative(a), relative(b)))
            .map(|((ax, ay), (bx, by))| ax * by - ay * bx)
            .sum()
    }

    /// Whether a loop is inside another that it does not cross. Its first corner that is not also a corner of
    /// the other decides, or the midpoint of a side if they share all corners.
    fn is_inside(&self, hole: &[u32], outer: &[u32]) -> bool {
        let own = hole.iter().find(|i| !outer.contains(i)).map(|&i| self.at(i));
        let probe = own.unwrap_or_else(|| {
            let (a, b) = (self.at(hole[0]), self.at(hole[1]));
            Coord { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y) }
        });
        let mut inside = false;
        for (&a, &b) in outer.iter().zip(outer.iter().cycle().skip(1)) {
            let (a, b) = (self.at(a), self.at(b));
            // Upward sides with the probe on their left, downward sides with the probe on their right.
            if (a.y <= probe.y) != (b.y <= probe.y) && (turn(a, b, probe) > 0.0) == (a.y < b.y) {
                inside = !inside;
            }
        }
        inside
    }
}
