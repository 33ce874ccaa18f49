//! Which triangle a vertex or an edge is looked at in, where triangles share it and it must count once (after
//! Curtis, Tamstorf and Manocha, 2008: representative triangles).

use super::Hierarchy;
use crate::bounds::Bound;
use silvia_solid::Soup;
use std::collections::HashSet;

/// Of a triangle, as bits: its corners (the lower three) and sides (the next three) that no earlier triangle
/// has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owned(u8);

impl Owned {
    #[inline(always)]
    pub(crate) fn corner(self, k: usize) -> bool {
        self.0 & (1 << k) != 0
    }

    #[inline(always)]
    pub(crate) fn side(self, k: usize) -> bool {
        self.0 & (8 << k) != 0
    }
}

impl<B: Bound> Hierarchy<B> {
    /// For each triangle, by its number, what it owns: every vertex and every edge of the body is owned once.
    pub(crate) fn owners(&self) -> &[Owned] {
        self.owners.get_or_init(|| owners(self.surface.soup()).into())
    }
}

fn owners(soup: &Soup) -> Vec<Owned> {
    let mut has_owner = vec![false; soup.points().len()];
    let mut sides: HashSet<[u32; 2]> = HashSet::with_capacity(soup.triangles().len() * 3 / 2);
    let of = |triangle: &[u32; 3]| {
        let mut owned = 0;
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            if !std::mem::replace(&mut has_owner[from as usize], true) {
                owned |= 1 << k;
            }
            if sides.insert([from.min(to), from.max(to)]) {
                owned |= 8 << k;
            }
        }
        Owned(owned)
    };
    soup.triangles().iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Obb;
    use silvia_solid::primitives;

    #[test]
    fn every_vertex_and_every_edge_is_owned_once() {
        let ball: Hierarchy<Obb> = Hierarchy::new(primitives::sphere(1.0, 3).unwrap());
        let count = |has: fn(Owned, usize) -> bool| {
            ball.owners().iter().map(|&o| (0..3).filter(|&k| has(o, k)).count()).sum::<usize>()
        };
        let soup = ball.surface().soup();
        assert_eq!(count(Owned::corner), soup.points().len());
        assert_eq!(count(Owned::side), soup.triangles().len() * 3 / 2);
    }
}
