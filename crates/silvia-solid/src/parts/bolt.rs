//! A countersunk bolt and a matching block.

use super::bore::{Ring, bored_block};
use crate::primitives::{PrimitiveError, above, at_least, check_triangles, circle, clearance_of, length};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};
use std::f64::consts::PI;

/// A bolt with a conical head and a block with a matching countersunk hole. At the same pose the bolt sits in
/// the hole with the clearance on all sides, the top of its head and of the block at z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountersunkBolt {
    /// Number of sides of the polygons that replace circles.
    pub segments: usize,
    /// Radius of the shank, to its corners, m.
    pub shank_radius: f64,
    /// Largest radius of the head, to its corners, m.
    pub head_radius: f64,
    /// Height of the cone under the head, m.
    pub head_height: f64,
    /// Length of the whole bolt, m.
    pub length: f64,
    /// Distance between the faces of the bolt and those of the hole, m.
    pub clearance: f64,
    /// Height of the block, m.
    pub thickness: f64,
    /// Least thickness of the block beside the hole, m.
    pub wall: f64,
}

impl Default for CountersunkBolt {
    /// An M6 bolt with a 90 degree head.
    fn default() -> Self {
        CountersunkBolt {
            segments: 48,
            shank_radius: 3.0e-3,
            head_radius: 6.0e-3,
            head_height: 3.0e-3,
            length: 20.0e-3,
            clearance: 0.1e-3,
            thickness: 12.0e-3,
            wall: 5.0e-3,
        }
    }
}

impl CountersunkBolt {
    /// The bolt, pointing down.
    pub fn bolt(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        check_triangles(6.0 * self.segments as f64)?;
        let rings = [
            (self.shank_radius, -self.length),
            (self.shank_radius, -self.head_height),
            (self.head_radius, 0.0),
        ];
        let points: Vec<Vec3> = rings.iter().flat_map(|&(r, z)| circle(r, z, self.segments)).collect();
        let n = self.segments as u32;
        let tip: Vec<u32> = (0..n).rev().collect();
        let top: Vec<u32> = (2 * n..3 * n).collect();
        let mut triangles = polygon_with_holes(&points, &tip, &[])?;
        triangles.extend(polygon_with_holes(&points, &top, &[])?);
        for ring in 0..2 {
            for i in 0..n {
                let (a, b) = (ring * n + i, ring * n + (i + 1) % n);
                triangles.extend([[a, b, b + n], [a, b + n, a + n]]);
            }
        }
        Ok(Soup::new(points, triangles)?)
    }

    /// The block, its top at z = 0.
    pub fn block(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let rings = self.rings();
        let mouth = rings[2].radius;
        bored_block(mouth + self.wall, -self.thickness, &rings, self.segments)
    }

    /// The hole: the faces of the bolt, offset outwards by the clearance. A side of the cone leans by the
    /// angle whose tangent is `slope`, so an offset of `c` moves its intersection with a level plane by
    /// `c / cos`.
    fn rings(&self) -> [Ring; 3] {
        let to_side = (PI / self.segments as f64).cos();
        let slope = (self.head_radius - self.shank_radius) * to_side / self.head_height;
        let (c, along) = (self.clearance, self.clearance * slope.hypot(1.0));
        let shank = self.shank_radius + c / to_side;
        [
            Ring { radius: shank, z: -self.thickness },
            Ring { radius: shank, z: -self.head_height + (c - along) / slope },
            Ring { radius: self.head_radius + along / to_side, z: 0.0 },
        ]
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("segments", self.segments, 3)?;
        length("shank radius", self.shank_radius)?;
        length("head radius", self.head_radius)?;
        length("head height", self.head_height)?;
        length("length", self.length)?;
        clearance_of(self.clearance)?;
        length("thickness", self.thickness)?;
        length("wall", self.wall)?;
        above("head radius", self.head_radius, self.shank_radius, "the radius of the shank")?;
        above("length", self.length, self.head_height, "the height of the head")?;
        above("thickness", self.thickness, -self.rings()[1].z, "the depth of the countersink")
    }
}
