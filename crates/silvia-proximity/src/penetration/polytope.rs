//! A convex polytope that grows by one point at a time, kept convex by exact orientation tests.

use crate::triangle::closest_on_triangle;
use silvia_solid::Vec3;
use silvia_solid::predicates::side;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A point of the difference of two bodies, `of_a - of_b`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) at: Vec3,
    pub(crate) of_a: Vec3,
    pub(crate) of_b: Vec3,
}

/// A triangle of the polytope's surface, anticlockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    pub(crate) corners: [u32; 3],
    /// The facet beyond each side.
    across: [u32; 3],
    /// Unit length, outward; zero if rounding leaves the facet no direction.
    pub(crate) normal: Vec3,
    /// How far the origin is behind its plane, m.
    pub(crate) offset: f64,
    alive: bool,
}

/// The polytope.
pub(crate) struct Polytope {
    pub(crate) corners: Vec<Corner>,
    facets: Vec<Facet>,
    /// Facets by their offset, least first; those that are gone are left out when they come up.
    waiting: BinaryHeap<Reverse<(Key, u32)>>,
    /// By facet: the round in which it was looked at, and whether the new point is in front of it.
    looked: Vec<(u32, bool)>,
    round: u32,
}

impl Polytope {
    /// The tetrahedron of four points; `None` if they are in one plane.
    pub(crate) fn tetrahedron(corners: [Corner; 4]) -> Option<Polytope> {
        let [a, b, c, d] = corners.map(|c| c.at);
        let height = side(a, b, c, d);
        if height == 0.0 {
            return None;
        }
        let mut corners = corners.to_vec();
        if height > 0.0 {
            corners.swap(0, 1);
        }
        let mut polytope = Polytope {
            corners,
            facets: Vec::new(),
            waiting: BinaryHeap::new(),
            looked: Vec::new(),
            round: 0,
        };
        // The fourth point is behind the first facet; `across` names the facet at each side.
        for (corners, across) in
            [([0, 1, 2], [1, 2, 3]), ([1, 0, 3], [0, 3, 2]), ([2, 1, 3], [0, 1, 3]), ([0, 2, 3], [0, 2, 1])]
        {
            polytope.add(corners, across);
        }
        Some(polytope)
    }

    /// The facet nearest to the origin that has not been taken yet.
    pub(crate) fn take_nearest(&mut self) -> Option<(u32, Facet)> {
        while let Some(Reverse((key, index))) = self.waiting.pop() {
            let facet = self.facets[index as usize];
            if facet.alive && facet.offset == key.0 {
                return Some((index, facet));
            }
        }
        None
    }

    /// Whether a point is strictly in front of a facet.
    pub(crate) fn is_in_front(&self, facet: u32, p: Vec3) -> bool {
        let [a, b, c] = self.facets[facet as usize].corners.map(|i| self.corners[i as usize].at);
        side(a, b, c, p) > 0.0
    }

    /// How far the origin is from a facet at least, m; below zero in front of it. Measured to the triangle
    /// and not to its plane: rounding leaves a sliver any normal, and with it any offset, but its corners are
    /// where they are.
    pub(crate) fn distance(&self, facet: u32) -> f64 {
        let triangle = self.facets[facet as usize].corners.map(|i| self.corners[i as usize].at);
        let distance = closest_on_triangle(Vec3::ZERO, &triangle).0.length();
        if self.is_in_front(facet, Vec3::ZERO) { -distance } else { distance }
    }

    /// Makes a point that is strictly in front of a facet a corner of the polytope. What it sees is connected
    /// and its border is one simple loop, since the orientations are exact; facets whose plane it lies in
    /// stay.
    pub(crate) fn grow(&mut self, facet: u32, corner: Corner) {
        self.corners.push(corner);
        let vertex = self.corners.len() as u32 - 1;
        let horizon = self.remove_seen(facet, corner.at);
        let first = self.facets.len() as u32;
        for side in &horizon {
            let new = self.add([side.from, side.to, vertex], [side.beyond, 0, 0]);
            let beyond = &mut self.facets[side.beyond as usize];
            if let Some(k) = beyond.corners.iter().position(|&c| c == side.to) {
                beyond.across[k] = new;
            }
        }
        for (i, side) in horizon.iter().enumerate() {
            let next = horizon.iter().position(|s| s.from == side.to).unwrap_or(i) as u32;
            self.facets[first as usize + i].across[1] = first + next;
            self.facets[(first + next) as usize].across[2] = first + i as u32;
        }
    }

    /// All facets that are still part of the surface.
    pub(crate) fn surface(&self) -> impl Iterator<Item = &Facet> {
        self.facets.iter().filter(|f| f.alive)
    }

    /// The same with their numbers.
    pub(crate) fn numbered_surface(&self) -> impl Iterator<Item = (u32, &Facet)> {
        (0..).zip(&self.facets).filter(|(_, f)| f.alive)
    }

    fn add(&mut self, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|i| self.corners[i as usize].at);
        let normal = normal_of([a, b, c]);
        let offset = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
        let index = self.facets.len() as u32;
        self.facets.push(Facet { corners, across, normal, offset, alive: true });
        self.looked.push((0, false));
        if normal != Vec3::ZERO {
            self.waiting.push(Reverse((Key(offset), index)));
        }
        index
    }

    /// Takes away what a point sees, and returns the sides where that ends.
    fn remove_seen(&mut self, facet: u32, p: Vec3) -> Vec<Border> {
        self.round += 1;
        let mut seen = vec![facet];
        let mut border = Vec::new();
        self.looked[facet as usize] = (self.round, true);
        let mut next = 0;
        while let Some(&here) = seen.get(next) {
            next += 1;
            let Facet { corners, across, .. } = self.facets[here as usize];
            for k in 0..3 {
                let beyond = across[k];
                if self.looked[beyond as usize].0 != self.round {
                    let sees = self.is_in_front(beyond, p);
                    self.looked[beyond as usize] = (self.round, sees);
                    if sees {
                        seen.push(beyond);
                    }
                }
                if !self.looked[beyond as usize].1 {
                    border.push(Border { from: corners[k], to: corners[(k + 1) % 3], beyond });
                }
            }
        }
        seen.iter().for_each(|&f| self.facets[f as usize].alive = false);
        border
    }
}

/// A side between what is seen and what is not.
struct Border {
    from: u32,
    to: u32,
    /// The facet that stays.
    beyond: u32,
}

/// A unit vector across a triangle, of which the long side is taken away again: there the rounding of a
/// sliver counts.
fn normal_of([a, b, c]: [Vec3; 3]) -> Vec3 {
    let n = (b - a).cross(c - a);
    let sides = [b - a, c - b, a - c];
    let u = sides
        .into_iter()
        .fold(Vec3::ZERO, |u, v| if v.length_squared() > u.length_squared() { v } else { u });
    let uu = u.length_squared();
    if uu > 0.0 { (n - u * (n.dot(u) / uu)).normalize_or_zero() } else { Vec3::ZERO }
}

/// An offset in the order of numbers.
#[derive(Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Three corners that are in one line but for rounding, and one apart from them: the plane of the three
    /// is near to the origin by chance, their line is not.
    #[test]
    fn a_sliver_is_as_far_as_its_longest_side_whatever_its_normal_says() {
        let line = [
            Vec3::new(-0.33339081882185473, 0.5554518912235916, 0.44269318154611625),
            Vec3::new(-0.1105553547565381, 0.41773200053237014, 0.8032485363026544),
            Vec3::new(-0.7782873552889082, 0.8304130722373377, -0.2771645359346834),
        ];
        let corners = [line[0], line[1], line[2], Vec3::new(0.4, -0.6, -0.5)];
        let polytope =
            Polytope::tetrahedron(corners.map(|at| Corner { at, of_a: at, of_b: Vec3::ZERO })).unwrap();
        let along = (line[1] - line[2]).normalize();
        let truth = line[1].reject_from_normalized(along).length();
        let (index, sliver) = polytope.numbered_surface().find(|(_, f)| !f.corners.contains(&3)).unwrap();
        assert!(sliver.offset < truth - 0.3, "{} {truth}: the normal says something else", sliver.offset);
        assert!((polytope.distance(index).abs() - truth).abs() < 1e-15);
    }

    #[test]
    fn the_distance_of_a_facet_has_the_sign_of_the_side_on_which_the_origin_is() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p + Vec3::splat(0.25));
        for (moved, inside) in [(Vec3::ZERO, false), (-Vec3::splat(0.5), true)] {
            let corner = |p: Vec3| Corner { at: p + moved, of_a: p + moved, of_b: Vec3::ZERO };
            let polytope = Polytope::tetrahedron(corners.map(corner)).unwrap();
            let least = polytope.numbered_surface().map(|(i, _)| polytope.distance(i)).fold(1.0, f64::min);
            assert_eq!(least > 0.0, inside, "{least}");
        }
    }
}
