//! A metric nut on its bolt.

#![allow(dead_code, clippy::unwrap_used)]

use silvia_solid::{Soup, Vec3};
use std::f64::consts::TAU;

/// An M16 thread: two meshes whose threads are apart by a clearance on both flanks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NutAndBolt {
    /// Facets around.
    pub(crate) facets: usize,
    /// Rows of facets on a flank.
    pub(crate) rows: usize,
    /// Whole turns of the nut; the bolt has four more.
    pub(crate) turns: usize,
    /// Between flanks, m.
    pub(crate) clearance: f64,
}

impl NutAndBolt {
    /// m
    pub(crate) const PITCH: f64 = 2e-3;
    const CREST: f64 = 8e-3;
    const ROOT: f64 = 6.9e-3;
    const OUTER: f64 = 12e-3;

    /// Along z, from the origin upwards.
    pub(crate) fn bolt(&self) -> Soup {
        let grid = Winding::new(&self.profile(0.0), self.turns + 4, self.facets);
        let (mut points, mut triangles) = (grid.points.clone(), grid.triangles());
        let (low, high) = (points.len() as u32, points.len() as u32 + 1);
        let height = Self::PITCH * (self.turns + 5) as f64;
        points.extend([Vec3::ZERO, Vec3::new(0.0, 0.0, height)]);
        let top = grid.height;
        for i in 0..grid.facets {
            triangles.push([grid.at(i + 1, 0), grid.at(i, 0), low]);
            triangles.push([grid.at(i, top), grid.at(i + 1, top), high]);
        }
        for j in 0..grid.rise {
            triangles.push([grid.at(0, j), grid.at(0, j + 1), low]);
            triangles.push([grid.at(0, top + j + 1), grid.at(0, top + j), high]);
        }
        Soup::new(points, triangles).unwrap()
    }

    /// Fits on the bolt wherever it is turned by an angle and raised by that part of the pitch; at the origin
    /// at the lower end of the bolt.
    pub(crate) fn nut(&self) -> Soup {
        // A flank is inclined by 60 degrees.
        let inner = Winding::new(&self.profile(2.0 * self.clearance), self.turns, self.facets);
        let outer = Winding::new(&[[Self::OUTER, 0.0]], self.turns, self.facets);
        let first = inner.points.len() as u32;
        let out = |i: usize, j: usize| first + outer.at(i, j);
        let mut triangles = inner.triangles();
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
        triangles.extend(outer.triangles().iter().map(|t| t.map(|v| first + v)));
        let (top, out_top) = (inner.height, outer.height);
        for i in 0..inner.facets {
            triangles.push([inner.at(i, 0), inner.at(i + 1, 0), out(i + 1, 0)]);
            triangles.push([inner.at(i, 0), out(i + 1, 0), out(i, 0)]);
            triangles.push([inner.at(i + 1, top), inner.at(i, top), out(i, out_top)]);
            triangles.push([inner.at(i + 1, top), out(i, out_top), out(i + 1, out_top)]);
        }
        for j in 0..inner.rise {
            triangles.push([out(0, 1), inner.at(0, j + 1), inner.at(0, j)]);
            triangles.push([inner.at(0, top + j), inner.at(0, top + j + 1), out(0, out_top + 1)]);
        }
        triangles.push([out(0, 1), inner.at(0, 0), out(0, 0)]);
        triangles.push([out(0, out_top + 1), out(0, out_top), inner.at(0, top)]);
        let points = [inner.points, outer.points].concat();
        Soup::new(points, triangles).unwrap()
    }

    /// Radius and height of the rows of one turn.
    fn profile(&self, wider: f64) -> Vec<[f64; 2]> {
        let (crest, root) = (Self::CREST + wider, Self::ROOT + wider);
        let flank = |from: [f64; 2], to: [f64; 2]| {
            (0..self.rows).map(move |k| {
                let t = k as f64 / self.rows as f64;
                [0, 1].map(|c| (1.0 - t) * from[c] + t * to[c])
            })
        };
        let down = flank([crest, 0.25e-3], [root, 0.875e-3]);
        let up = flank([root, 1.375e-3], [crest, Self::PITCH]);
        [[crest, 0.0]].into_iter().chain(down).chain([[root, 0.875e-3]]).chain(up).collect()
    }
}

/// A strip of rows, wound up so that its upper border meets the lower one a turn later.
struct Winding {
    points: Vec<Vec3>,
    facets: usize,
    /// Rows by which a turn rises, and rows in all.
    rise: usize,
    height: usize,
}

impl Winding {
    fn new(profile: &[[f64; 2]], turns: usize, facets: usize) -> Winding {
        let rise = profile.len();
        let height = rise * turns;
        let point = |i: usize, j: usize| {
            let around = i as f64 / facets as f64;
            let [radius, z] = profile[j % rise];
            let turns = (j / rise) as f64 + around;
            let (s, c) = (TAU * around).sin_cos();
            Vec3::new(radius * c, radius * s, z + NutAndBolt::PITCH * turns)
        };
        // The first column goes on where the last one ends.
        let first = (0..=height + rise).map(|j| point(0, j));
        let others = (1..facets).flat_map(|i| (0..=height).map(move |j| (i, j)));
        let points = first.chain(others.map(|(i, j)| point(i, j))).collect();
        Winding { points, facets, rise, height }
    }

    fn at(&self, i: usize, j: usize) -> u32 {
        let index = match i {
            0 => j,
            i if i == self.facets => self.rise + j,
            i => self.height + self.rise + 1 + (i - 1) * (self.height + 1) + j,
        };
        index as u32
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let cells = (0..self.facets).flat_map(|i| (0..self.height).map(move |j| (i, j)));
        cells
            .flat_map(|(i, j)| {
                let [a, b] = [self.at(i, j), self.at(i + 1, j)];
                let [c, d] = [self.at(i + 1, j + 1), self.at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect()
    }
}
