//! Checks that boundaries do not cross themselves or each other.

use super::TriangulateError;
use super::clip::Ring;
use super::flat::{in_sector, properly_cross, strictly_between};

/// Refuses sides that cross, corners inside a side, and boundaries that cross at a common corner. A sweep
/// along the first coordinate: nearly linear for usual polygons, quadratic at worst.
pub(super) fn check(ring: &Ring<'_>) -> Result<(), TriangulateError> {
    check_sides(ring)?;
    check_common_corners(ring)
}

fn check_sides(ring: &Ring<'_>) -> Result<(), TriangulateError> {
    let span = |side: usize| {
        let (a, b) = (ring.at[side].x, ring.at[ring.next[side]].x);
        (a.min(b), a.max(b))
    };
    let mut sides: Vec<usize> = (0..ring.at.len()).collect();
    sides.sort_by(|&a, &b| span(a).0.total_cmp(&span(b).0));
    let mut active: Vec<usize> = Vec::new();
    for &side in &sides {
        active.retain(|&other| span(other).1 >= span(side).0);
        if let Some(&other) = active.iter().find(|&&other| sides_clash(ring, side, other)) {
            let (first, second) = (side.min(other), side.max(other));
            return Err(TriangulateError::Crossing { first, second, near: ring.point(first) });
        }
        active.push(side);
    }
    Ok(())
}

fn sides_clash(ring: &Ring<'_>, first: usize, second: usize) -> bool {
    let [a, b, c, d] = [first, ring.next[first], second, ring.next[second]].map(|n| ring.at[n]);
    if a.y.max(b.y) < c.y.min(d.y) || c.y.max(d.y) < a.y.min(b.y) {
        return false;
    }
    properly_cross(a, b, c, d)
        || strictly_between(a, c, d)
        || strictly_between(b, c, d)
        || strictly_between(c, a, b)
        || strictly_between(d, a, b)
}

/// Refuses boundaries that cross at a common corner; touching there is allowed.
fn check_common_corners(ring: &Ring<'_>) -> Result<(), TriangulateError> {
    // Adding zero turns -0 into 0: they are the same place.
    let key = |n: usize| (ring.at[n].x + 0.0, ring.at[n].y + 0.0);
    let mut nodes: Vec<usize> = (0..ring.at.len()).collect();
    nodes.sort_by(|&a, &b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    for group in nodes.chunk_by(|&a, &b| key(a) == key(b)) {
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[i + 1..] {
                if cross_at_corner(ring, a, b) {
                    let (first, second) = (a.min(b), a.max(b));
                    return Err(TriangulateError::Crossing { first, second, near: ring.point(a) });
                }
            }
        }
    }
    Ok(())
}

fn cross_at_corner(ring: &Ring<'_>, a: usize, b: usize) -> bool {
    let at = ring.at[a];
    let (from, to) = (ring.at[ring.next[a]], ring.at[ring.prev[a]]);
    let (q, r) = (ring.at[ring.next[b]], ring.at[ring.prev[b]]);
    let left = |q| in_sector(at, from, to, q);
    let right = |q| in_sector(at, to, from, q);
    (left(q) && right(r)) || (left(r) && right(q))
}
