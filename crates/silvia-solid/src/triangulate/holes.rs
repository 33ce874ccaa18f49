//! Joins holes to the outer boundary, so that one ring remains.

use super::TriangulateError;
use super::clip::Ring;
use super::flat::{in_sector, properly_cross, strictly_between};
use robust::Coord;

/// How far the caller vouches for the holes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Refuse a hole that sees no corner of the boundary.
    Nothing,
    /// Every hole belongs here: if rounding hides the boundary, take the nearest corner.
    Caller,
}

/// From how many of its corners a hole searches for the boundary. The first (rightmost) one sees it unless it
/// touches something.
const LOOKOUTS: usize = 16;

/// Joins every hole to the first boundary, at a common point or by a bridge (a side there and back). Holes
/// are taken from right to left: the rightmost corner of each then sees a corner of what is already joined.
pub(super) fn bridge(ring: &mut Ring<'_>, trust: Trust) -> Result<(), TriangulateError> {
    let mut joined: Vec<usize> = ring.around(ring.starts[0]).collect();
    let mut holes: Vec<(usize, Vec<usize>)> = (1..ring.starts.len())
        .map(|hole| {
            let mut nodes: Vec<usize> = ring.around(ring.starts[hole]).collect();
            nodes.sort_by(|&a, &b| compare(ring.at[b], ring.at[a]));
            (hole, nodes)
        })
        .collect();
    holes.sort_by(|a, b| compare(ring.at[b.1[0]], ring.at[a.1[0]]));
    for (hole, nodes) in holes {
        if let Some((outer, inner)) = common_point(ring, &joined, &nodes) {
            ring.next.swap(outer, inner);
            let (after_outer, after_inner) = (ring.next[outer], ring.next[inner]);
            ring.prev[after_outer] = outer;
            ring.prev[after_inner] = inner;
        } else {
            let seen = nodes.iter().take(LOOKOUTS).find_map(|&m| Some((visible_from(ring, &joined, m)?, m)));
            let nearest =
                || (trust == Trust::Caller).then(|| (by_distance(ring, &joined, nodes[0])[0], nodes[0]));
            let (outer, inner) = seen.or_else(nearest).ok_or(TriangulateError::HoleOutside { hole })?;
            joined.extend(build_bridge(ring, outer, inner));
        }
        joined.extend(nodes);
    }
    Ok(())
}

fn compare(a: Coord<f64>, b: Coord<f64>) -> std::cmp::Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// Two nodes, one from each set, that use the same point, with the hole on the inner side of the boundary.
fn common_point(ring: &Ring<'_>, joined: &[usize], hole: &[usize]) -> Option<(usize, usize)> {
    let mut by_index: Vec<(u32, usize)> = hole.iter().map(|&m| (ring.index[m], m)).collect();
    by_index.sort_unstable();
    joined.iter().find_map(|&p| {
        let first = by_index.partition_point(|&(i, _)| i < ring.index[p]);
        by_index[first..]
            .iter()
            .take_while(|&&(i, _)| i == ring.index[p])
            .find(|&&(_, m)| sees(ring, p, ring.at[ring.next[m]]) || sees(ring, p, ring.at[ring.prev[m]]))
            .map(|&(_, m)| (p, m))
    })
}

/// Whether the direction to `q` is on the inner side of the corner at `node`.
fn sees(ring: &Ring<'_>, node: usize, q: Coord<f64>) -> bool {
    in_sector(ring.at[node], ring.at[ring.next[node]], ring.at[ring.prev[node]], q)
}

fn by_distance(ring: &Ring<'_>, joined: &[usize], from: usize) -> Vec<usize> {
    let at = ring.point(from);
    let mut sorted: Vec<(f64, usize)> =
        joined.iter().map(|&p| (ring.point(p).distance_squared(at), p)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    sorted.into_iter().map(|(_, p)| p).collect()
}

/// The nearest joined corner that a straight bridge from `from` can reach without obstruction.
fn visible_from(ring: &Ring<'_>, joined: &[usize], from: usize) -> Option<usize> {
    by_distance(ring, joined, from).into_iter().find(|&p| {
        let (a, b) = (ring.at[p], ring.at[from]);
        a != b && sees(ring, p, b) && sees(ring, from, a) && is_clear(ring, a, b)
    })
}

fn is_clear(ring: &Ring<'_>, a: Coord<f64>, b: Coord<f64>) -> bool {
    (0..ring.at.len()).all(|n| {
        let (c, d) = (ring.at[n], ring.at[ring.next[n]]);
        !strictly_between(c, a, b) && !properly_cross(a, b, c, d)
    })
}

/// Duplicates both ends and links them; returns the two new nodes.
fn build_bridge(ring: &mut Ring<'_>, outer: usize, inner: usize) -> [usize; 2] {
    let [inner_again, outer_again] = [inner, outer].map(|node| {
        ring.index.push(ring.index[node]);
        ring.at.push(ring.at[node]);
        ring.next.push(0);
        ring.prev.push(0);
        ring.at.len() - 1
    });
    let (after_outer, before_inner) = (ring.next[outer], ring.prev[inner]);
    for (a, b) in
        [(outer, inner), (before_inner, inner_again), (inner_again, outer_again), (outer_again, after_outer)]
    {
        ring.next[a] = b;
        ring.prev[b] = a;
    }
    [inner_again, outer_again]
}
