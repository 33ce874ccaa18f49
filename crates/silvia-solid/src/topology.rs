//! Finds which corners are one vertex and which sides are one edge: the combinatorics behind [`crate::check`]
//! and [`crate::Solid`].
//!
//! A *side* is a directed side of a triangle: side `3 t + k` runs from corner `k` of triangle `t` to corner
//! `(k + 1) % 3`. Everything here takes linear time in the number of triangles and ignores angles and
//! lengths.

use crate::{Soup, Vec3};

/// In [`Mesh::mate`]: no other triangle has this side.
pub(crate) const OPEN: u32 = u32::MAX;
/// In [`Mesh::mate`]: three or more triangles have this side.
pub(crate) const CROWDED: u32 = u32::MAX - 1;
/// In [`Mesh::mate`]: the side begins and ends at the same vertex.
pub(crate) const NULL: u32 = u32::MAX - 2;

/// Triangles over distinct points, with their sides matched.
pub(crate) struct Mesh {
    pub(crate) points: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// For each side, the side of the other triangle between the same two vertices, in either direction; or
    /// [`OPEN`], [`CROWDED`], [`NULL`].
    pub(crate) mate: Vec<u32>,
    /// Number of distinct undirected sides, null ones excluded.
    pub(crate) undirected: usize,
    /// The groups of three or more sides between the same two vertices, in order.
    pub(crate) crowds: Vec<Vec<u32>>,
}

impl Mesh {
    pub(crate) fn of(soup: &Soup) -> Mesh {
        let (points, triangles) = weld_equal(soup.points(), soup.triangles());
        let (mate, undirected, crowds) = match_sides(points.len(), &triangles);
        Mesh { points, triangles, mate, undirected, crowds }
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|i| self.points[i as usize])
    }

    /// Where a side begins.
    pub(crate) fn from(&self, side: u32) -> u32 {
        from(&self.triangles, side)
    }

    /// Where a side ends.
    pub(crate) fn to(&self, side: u32) -> u32 {
        from(&self.triangles, next(side))
    }

    /// Whether a side has exactly one mate, running either way.
    pub(crate) fn is_paired(&self, side: u32) -> bool {
        self.mate[side as usize] < NULL
    }

    /// Whether a side and its only mate run the same way, which means that one of the two triangles is
    /// flipped.
    pub(crate) fn is_flipped(&self, side: u32) -> bool {
        self.is_paired(side) && self.from(self.mate[side as usize]) == self.from(side)
    }

    /// The component of each triangle, and the number of components. Triangles are connected if they share a
    /// side, not if they share only a point. Components are numbered by their first triangle.
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        let mut sets = Sets::new(self.triangles.len());
        for (side, &mate) in self.mate.iter().enumerate() {
            if mate < NULL && mate as usize > side {
                sets.join(side as u32 / 3, mate / 3);
            }
        }
        for crowd in &self.crowds {
            for pair in crowd.windows(2) {
                sets.join(pair[0] / 3, pair[1] / 3);
            }
        }
        sets.number()
    }

    /// The number of fans at each vertex: groups of its triangles connected across sides. A manifold vertex
    /// has one, inside the surface or on its border. Crowded sides end a fan, so vertices at their ends have
    /// more than one.
    pub(crate) fn fans(&self) -> Vec<u32> {
        let mut fans = vec![0u32; self.points.len()];
        let mut seen = vec![false; self.mate.len()];
        for start in 0..self.mate.len() as u32 {
            if seen[start as usize] {
                continue;
            }
            let vertex = self.from(start);
            fans[vertex as usize] += 1;
            seen[start as usize] = true;
            // Leave the corner by one of its two sides and turn until blocked or back; if blocked, turn the
            // other way too.
            let back_at_start = self.turn(vertex, start, start, &mut seen);
            if !back_at_start {
                self.turn(vertex, start, previous(start), &mut seen);
            }
        }
        fans
    }

    /// Walks around a vertex from the corner `start`, leaving it by the side `leave`, and marks the corners
    /// it meets. Returns true if it comes back to `start`.
    fn turn(&self, vertex: u32, start: u32, mut leave: u32, seen: &mut [bool]) -> bool {
        loop {
            let mate = self.mate[leave as usize];
            if mate >= NULL {
                return false;
            }
            // The corner of the mate's triangle at the vertex, and that triangle's other side there.
            let (corner, other) =
                if self.from(mate) == vertex { (mate, previous(mate)) } else { (next(mate), next(mate)) };
            if seen[corner as usize] {
                return corner == start;
            }
            seen[corner as usize] = true;
            leave = other;
        }
    }
}

/// The following side of the same triangle.
pub(crate) fn next(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// The preceding side of the same triangle.
pub(crate) fn previous(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}

/// The vertex at which a side begins.
pub(crate) fn from(triangles: &[[u32; 3]], side: u32) -> u32 {
    triangles[side as usize / 3][side as usize % 3]
}

/// Merges equal points (0 equals -0) and drops unused ones. Points are numbered in order of first use.
fn weld_equal(points: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const VACANT: u32 = u32::MAX;
    let mut renumbered = vec![VACANT; points.len()];
    // Open addressing with linear probing, never more than half full.
    let slots = (2 * points.len().min(3 * triangles.len())).next_power_of_two();
    let mut table = vec![VACANT; slots];
    let mut kept: Vec<Vec3> = Vec::with_capacity(points.len().min(triangles.len()));
    let mut vertex_of = |i: u32| -> u32 {
        if renumbered[i as usize] != VACANT {
            return renumbered[i as usize];
        }
        let p = points[i as usize] + Vec3::ZERO; // adding zero turns -0 into 0
        let mut slot = hash(p) as usize & (slots - 1);
        let id = loop {
            let found = table[slot];
            if found == VACANT {
                table[slot] = kept.len() as u32;
                kept.push(p);
                break table[slot];
            }
            if kept[found as usize] == p {
                break found;
            }
            slot = (slot + 1) & (slots - 1);
        };
        renumbered[i as usize] = id;
        id
    };
    let triangles = triangles.iter().map(|t| t.map(&mut vertex_of)).collect();
    kept.shrink_to_fit();
    (kept, triangles)
}

/// Mixes the bits of a point.
fn hash(p: Vec3) -> u64 {
    let mut h = 0u64;
    for x in p.to_array() {
        h = (h.rotate_left(23) ^ x.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    h ^ (h >> 29)
}

/// Pairs the sides of triangles. Returns the mates, the number of undirected sides, and the groups of three
/// or more.
fn match_sides(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, usize, Vec<Vec<u32>>) {
    // Counting sort by the lower vertex; each vertex has few sides.
    let ends = |side: u32| {
        let (a, b) = (from(triangles, side), from(triangles, next(side)));
        (a.min(b), a.max(b))
    };
    let sides = 3 * triangles.len() as u32;
    let mut first = vec![0u32; vertices + 1];
    for side in 0..sides {
        let (low, high) = ends(side);
        first[low as usize + 1] += u32::from(low != high);
    }
    for v in 0..vertices {
        first[v + 1] += first[v];
    }
    let mut sorted = vec![(0u32, 0u32); first[vertices] as usize];
    let mut fill = first.clone();
    for side in 0..sides {
        let (low, high) = ends(side);
        if low != high {
            sorted[fill[low as usize] as usize] = (high, side);
            fill[low as usize] += 1;
        }
    }
    drop(fill);
    let mut mate = vec![NULL; sides as usize];
    let (mut undirected, mut crowds) = (0, Vec::new());
    for v in 0..vertices {
        let bucket = &mut sorted[first[v] as usize..first[v + 1] as usize];
        bucket.sort_unstable();
        for group in bucket.chunk_by(|a, b| a.0 == b.0) {
            undirected += 1;
            match *group {
                [(_, only)] => mate[only as usize] = OPEN,
                [(_, a), (_, b)] => {
                    mate[a as usize] = b;
                    mate[b as usize] = a;
                }
                _ => {
                    let crowd: Vec<u32> = group.iter().map(|&(_, side)| side).collect();
                    crowd.iter().for_each(|&side| mate[side as usize] = CROWDED);
                    crowds.push(crowd);
                }
            }
        }
    }
    (mate, undirected, crowds)
}

/// Disjoint sets of the numbers `0..n`; the representative of a set is its least number.
pub(crate) struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    pub(crate) fn new(n: usize) -> Sets {
        Sets { parent: (0..n as u32).collect() }
    }

    pub(crate) fn find(&mut self, mut x: u32) -> u32 {
        while self.parent[x as usize] != x {
            let grandparent = self.parent[self.parent[x as usize] as usize];
            self.parent[x as usize] = grandparent;
            x = grandparent;
        }
        x
    }

    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Numbers the sets by their least members. Returns the set of each element, and the number of sets.
    pub(crate) fn number(mut self) -> (Vec<u32>, usize) {
        let mut numbers = vec![0u32; self.parent.len()];
        let mut count = 0u32;
        for x in 0..self.parent.len() as u32 {
            let root = self.find(x);
            if root == x {
                numbers[x as usize] = count;
                count += 1;
            } else {
                numbers[x as usize] = numbers[root as usize];
            }
        }
        (numbers, count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
        Mesh::of(&Soup::new(points.iter().map(|&p| p.into()).collect(), triangles.to_vec()).unwrap())
    }

    #[test]
    fn equal_points_are_welded_and_zero_has_no_sign() {
        let m = mesh(
            &[
                [0., 0., 0.],
                [1., 0., 0.],
                [0., 1., 0.],
                [-0., 0., -0.],
                [0., 1., 0.],
                [0., 0., 1.],
                [9., 9., 9.],
            ],
            &[[0, 1, 2], [3, 4, 5]],
        );
        assert_eq!(m.points.len(), 4);
        assert_eq!(m.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(m.undirected, 5);
        assert_eq!(m.mate[2], 3, "side 2 -> 0 of the first meets side 0 -> 2 of the second");
        assert_eq!(m.mate[0], OPEN);
    }

    #[test]
    fn two_triangles_with_one_corner_in_common_make_two_fans_and_two_components() {
        let m = mesh(
            &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [-1., 0., 0.], [0., -1., 0.]],
            &[[0, 1, 2], [0, 3, 4]],
        );
        assert_eq!(m.fans(), [2, 1, 1, 1, 1]);
        assert_eq!(m.components(), (vec![0, 1], 2));
    }

    #[test]
    fn a_flipped_neighbour_does_not_break_the_fan() {
        // A square pyramid's four sides, the second flipped.
        let m = mesh(
            &[[0., 0., 1.], [1., 0., 0.], [0., 1., 0.], [-1., 0., 0.], [0., -1., 0.]],
            &[[0, 1, 2], [0, 3, 2], [0, 3, 4], [0, 4, 1]],
        );
        assert_eq!(m.fans()[0], 1);
        assert_eq!((0..12).filter(|&s| m.is_flipped(s)).count(), 4);
    }

    #[test]
    fn three_triangles_on_one_side_are_a_crowd() {
        let m = mesh(
            &[[0., 0., 0.], [0., 0., 1.], [1., 0., 0.], [0., 1., 0.], [-1., -1., 0.]],
            &[[0, 1, 2], [0, 1, 3], [1, 0, 4]],
        );
        assert_eq!(m.crowds, [vec![0, 3, 6]]);
        assert_eq!(m.components().1, 1);
    }

    #[test]
    fn a_triangle_with_a_repeated_corner_has_a_null_side() {
        let m = mesh(&[[0., 0., 0.], [1., 0., 0.]], &[[0, 1, 1]]);
        assert_eq!(m.mate, [2, NULL, 0]);
    }
}
