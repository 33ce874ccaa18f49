//! Linked rings of corners, and ear clipping.

use super::TriangulateError;
use super::flat::{Flat, in_sector, strictly_between, turn};
use crate::Vec3;
use robust::Coord;

/// Boundaries as doubly linked rings of nodes. A node is one use of a point; bridges to holes use a point
/// twice.
pub(super) struct Ring<'a> {
    points: &'a [Vec3],
    /// The point a node uses.
    pub(super) index: Vec<u32>,
    /// The projected point.
    pub(super) at: Vec<Coord<f64>>,
    pub(super) next: Vec<usize>,
    pub(super) prev: Vec<usize>,
    /// One node of each boundary; the first is of the outer one.
    pub(super) starts: Vec<usize>,
}

/// What to do when no corner can be cut off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenStuck {
    Refuse,
    CutAnyway,
}

/// Ears thinner than this (height over longest side) wait until there are no others. Otherwise corners that
/// are convex only by rounding would become needles where better triangles exist.
const NEEDLE: f64 = 1e-6;

/// How selective the search for an ear is; each level applies when the one before finds nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Good,
    Needle,
    Forbidden,
}

impl<'a> Ring<'a> {
    pub(super) fn new(flat: &Flat, points: &'a [Vec3], boundaries: &[&[u32]]) -> Ring<'a> {
        let index: Vec<u32> = boundaries.iter().flat_map(|b| b.iter().copied()).collect();
        let at = index.iter().map(|&i| flat.see(points[i as usize])).collect();
        let (mut next, mut prev, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for corners in boundaries {
            let (start, n) = (next.len(), corners.len());
            starts.push(start);
            next.extend((0..n).map(|i| start + (i + 1) % n));
            prev.extend((0..n).map(|i| start + (i + n - 1) % n));
        }
        Ring { points, index, at, next, prev, starts }
    }

    /// The point of a node.
    pub(super) fn point(&self, node: usize) -> Vec3 {
        self.points[self.index[node] as usize]
    }

    /// The nodes of the boundary through `start`, in order.
    pub(super) fn around(&self, start: usize) -> impl Iterator<Item = usize> + '_ {
        let mut node = Some(start);
        std::iter::from_fn(move || {
            let here = node?;
            node = Some(self.next[here]).filter(|&n| n != start);
            Some(here)
        })
    }

    /// Makes every hole run clockwise.
    pub(super) fn turn_holes(&mut self) {
        for hole in 1..self.starts.len() {
            let nodes: Vec<usize> = self.around(self.starts[hole]).collect();
            let base = self.at[nodes[0]];
            let area: f64 = nodes
                .iter()
                .map(|&a| {
                    let (a, b) = (self.at[a], self.at[self.next[a]]);
                    (a.x - base.x) * (b.y - base.y) - (a.y - base.y) * (b.x - base.x)
                })
                .sum();
            if area > 0.0 {
                for node in nodes {
                    std::mem::swap(&mut self.next[node], &mut self.prev[node]);
                }
            }
        }
    }

    /// Positive if the corner is convex.
    fn bend(&self, node: usize) -> f64 {
        turn(self.at[self.prev[node]], self.at[node], self.at[self.next[node]])
    }

    pub(super) fn clip(&mut self, stuck: WhenStuck) -> Result<Vec<[u32; 3]>, TriangulateError> {
        self.clip_avoiding(stuck, &|_, _| false)
    }

    /// Clips ears off the first boundary until three corners are left.
    pub(super) fn clip_avoiding(
        &mut self,
        stuck: WhenStuck,
        forbidden: &dyn Fn(u32, u32) -> bool,
    ) -> Result<Vec<[u32; 3]>, TriangulateError> {
        let mut node = self.starts[0];
        let mut left = self.around(node).count();
        let mut triangles = Vec::with_capacity(left.saturating_sub(2));
        let mut blockers = Blockers::new(self);
        let mut level = Level::Good;
        while left > 3 {
            let mut cut = false;
            let once_around = left;
            for _ in 0..once_around {
                if left <= 3 {
                    break;
                }
                if self.is_ear(node, level, forbidden, &blockers) {
                    triangles.push(self.triangle(node));
                    (node, left) = self.cut_off(node, left, &mut blockers);
                    cut = true;
                }
                // Move on even after a cut: taking every other corner avoids fans.
                node = self.next[node];
            }
            level = match (cut, level, stuck) {
                (true, ..) => Level::Good,
                (false, Level::Good, _) => Level::Needle,
                (false, Level::Needle, WhenStuck::CutAnyway) => Level::Forbidden,
                (false, Level::Forbidden, WhenStuck::CutAnyway) => {
                    let best = self.least_harm(node, forbidden);
                    triangles.push(self.triangle(best));
                    (node, left) = self.cut_off(best, left, &mut blockers);
                    Level::Good
                }
                (false, _, WhenStuck::Refuse) => {
                    return Err(TriangulateError::Folded { near: self.point(node), left });
                }
            };
        }
        if left == 3 {
            if stuck == WhenStuck::Refuse && self.bend(node) <= 0.0 {
                return Err(TriangulateError::Folded { near: self.point(node), left });
            }
            triangles.push(self.triangle(node));
        }
        Ok(triangles)
    }

    fn is_ear(
        &self,
        node: usize,
        level: Level,
        forbidden: &dyn Fn(u32, u32) -> bool,
        blockers: &Blockers,
    ) -> bool {
        self.bend(node) > 0.0
            && (level >= Level::Needle || !self.is_needle(node))
            && (level >= Level::Forbidden
                || !forbidden(self.index[self.prev[node]], self.index[self.next[node]]))
            && !blockers.any_in_ear(self, node)
    }

    fn triangle(&self, node: usize) -> [u32; 3] {
        [self.index[self.prev[node]], self.index[node], self.index[self.next[node]]]
    }

    /// Unlinks a node; returns the next one and the number of nodes left.
    fn cut_off(&mut self, node: usize, left: usize, blockers: &mut Blockers) -> (usize, usize) {
        let (mut before, mut after, mut left) = (self.prev[node], self.next[node], left - 1);
        blockers.remove(node);
        self.link(before, after);
        // Where the polygon hangs together by a single point, a part may have shrunk to a side there and
        // back. Its triangles are all made, so remove it.
        while left > 2 {
            let (tip, end) = if self.index[self.prev[before]] == self.index[after] {
                (before, after)
            } else if self.index[before] == self.index[self.next[after]] {
                (after, self.next[after])
            } else {
                break;
            };
            (before, after) = (self.prev[tip], self.next[end]);
            blockers.remove(tip);
            blockers.remove(end);
            self.link(before, after);
            left -= 2;
        }
        for neighbour in [before, after] {
            if self.bend(neighbour) > 0.0 {
                blockers.remove(neighbour);
            } else {
                blockers.add(neighbour);
            }
        }
        (after, left)
    }

    fn link(&mut self, before: usize, after: usize) {
        self.next[before] = after;
        self.prev[after] = before;
    }

    fn is_needle(&self, node: usize) -> bool {
        let [a, b, c] = [self.prev[node], node, self.next[node]].map(|n| self.point(n));
        let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
        (b - a).cross(c - a).length() < NEEDLE * longest
    }

    /// The corner with the smallest triangle, for when every choice overlaps something.
    fn least_harm(&self, start: usize, forbidden: &dyn Fn(u32, u32) -> bool) -> usize {
        let harm = |node: usize| {
            let (a, c) = (self.prev[node], self.next[node]);
            let area = (self.point(a) - self.point(node)).cross(self.point(c) - self.point(node)).length();
            (forbidden(self.index[a], self.index[c]) || self.index[a] == self.index[c], area)
        };
        let worse = |a: &usize, b: &usize| {
            let (a, b) = (harm(*a), harm(*b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        };
        self.around(start).min_by(worse).unwrap_or(start)
    }

    /// Whether `node` lies in the ear at `tip` and so rules the ear out. A node at one of the ear's corners
    /// only counts if its boundary enters the ear from there.
    fn blocks(&self, node: usize, tip: usize) -> bool {
        let [p, t, n] = [self.prev[tip], tip, self.next[tip]].map(|i| self.at[i]);
        let q = self.at[node];
        let out_of_box =
            |q: f64, a: f64, b: f64, c: f64| (q < a && q < b && q < c) || (q > a && q > b && q > c);
        if out_of_box(q.x, p.x, t.x, n.x) || out_of_box(q.y, p.y, t.y, n.y) {
            return false;
        }
        let goes_into = |at, from, to| {
            [self.prev[node], self.next[node]].iter().any(|&m| in_sector(at, from, to, self.at[m]))
        };
        if q == t {
            return goes_into(t, n, p);
        }
        if q == p {
            return goes_into(p, t, n);
        }
        if q == n {
            return goes_into(n, p, t);
        }
        let inside = turn(p, t, q) > 0.0 && turn(t, n, q) > 0.0 && turn(n, p, q) > 0.0;
        let on_side = || strictly_between(q, p, t) || strictly_between(q, t, n);
        inside
            || strictly_between(q, p, n)
            || (on_side() && [self.prev[node], self.next[node]].iter().any(|&m| self.is_within(m, [p, t, n])))
    }

    fn is_within(&self, node: usize, [p, t, n]: [Coord<f64>; 3]) -> bool {
        let q = self.at[node];
        turn(p, t, q) > 0.0 && turn(t, n, q) > 0.0
    }
}

/// The corners that are not convex. Only they can block an ear: of all corners inside it, the one nearest to
/// the tip is reflex.
struct Blockers {
    nodes: Vec<usize>,
    /// The position of each node in `nodes`, or `NOT_IN`.
    place: Vec<usize>,
}

const NOT_IN: usize = usize::MAX;

impl Blockers {
    fn new(ring: &Ring<'_>) -> Blockers {
        let mut blockers = Blockers { nodes: Vec::new(), place: vec![NOT_IN; ring.at.len()] };
        for node in ring.around(ring.starts[0]).filter(|&n| ring.bend(n) <= 0.0) {
            blockers.add(node);
        }
        blockers
    }

    fn any_in_ear(&self, ring: &Ring<'_>, tip: usize) -> bool {
        let (p, n) = (ring.prev[tip], ring.next[tip]);
        self.nodes.iter().any(|&q| q != p && q != n && ring.blocks(q, tip))
    }

    fn add(&mut self, node: usize) {
        if self.place[node] == NOT_IN {
            self.place[node] = self.nodes.len();
            self.nodes.push(node);
        }
    }

    fn remove(&mut self, node: usize) {
        let place = std::mem::replace(&mut self.place[node], NOT_IN);
        if place != NOT_IN {
            self.nodes.swap_remove(place);
            if let Some(&moved) = self.nodes.get(place) {
                self.place[moved] = place;
            }
        }
    }
}
