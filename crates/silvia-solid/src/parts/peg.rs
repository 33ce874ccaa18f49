//! A peg and a block with a matching hole.

use super::bore::{Ring, bored_block};
use crate::Soup;
use crate::primitives::{PrimitiveError, above, at_least, clearance_of, length, prism};
use std::f64::consts::PI;

/// A peg with any number of facets and a block with a matching hole. At the same pose the peg stands in the
/// middle of the hole with its facets parallel to the hole's, and on the floor of the hole if there is one.
///
/// ```
/// use silvia_solid::{Solid, parts::PegAndHole};
/// let fit = PegAndHole { facets: 6, clearance: 1e-5, ..PegAndHole::default() };
/// let block = Solid::from_soup(&fit.block()?)?;
/// assert_eq!(block.genus(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PegAndHole {
    /// Number of facets of the peg and of the hole.
    pub facets: usize,
    /// Distance from the peg's axis to its corners, m.
    pub radius: f64,
    /// Distance between the facets of the peg and those of the hole, m.
    pub clearance: f64,
    /// Length of the peg, m.
    pub length: f64,
    /// Depth of the hole, m.
    pub depth: f64,
    /// Thickness of the block below the hole, m; zero for a through hole.
    pub floor: f64,
    /// Least thickness of the block beside the hole, m.
    pub wall: f64,
}

impl Default for PegAndHole {
    /// A peg of 20 mm in a through hole with 64 facets and 0.04 mm of clearance.
    fn default() -> Self {
        PegAndHole {
            facets: 64,
            radius: 0.010,
            clearance: 0.04e-3,
            length: 0.040,
            depth: 0.030,
            floor: 0.0,
            wall: 0.010,
        }
    }
}

impl PegAndHole {
    /// The peg along z, centred at the origin.
    pub fn peg(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        prism(self.facets, self.radius, self.length)
    }

    /// The block. The hole opens upwards; a through hole is centred at the origin.
    pub fn block(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let radius = self.hole_radius();
        let low = if self.floor > 0.0 { -0.5 * self.length } else { -0.5 * self.depth };
        let rings = [Ring { radius, z: low }, Ring { radius, z: low + self.depth }];
        bored_block(radius + self.wall, low - self.floor, &rings, self.facets)
    }

    /// Distance from the hole's axis to its corners, m.
    pub fn hole_radius(&self) -> f64 {
        self.radius + self.clearance / (PI / self.facets as f64).cos()
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("facets", self.facets, 3)?;
        length("radius", self.radius)?;
        clearance_of(self.clearance)?;
        length("length", self.length)?;
        length("depth", self.depth)?;
        length("wall", self.wall)?;
        if self.floor != 0.0 {
            length("floor", self.floor)?;
        }
        let hole = self.hole_radius();
        above("wall", hole + self.wall, hole, "the radius of the hole, which so thin a wall does not change")
    }
}
