//! A peg and the block with the hole it goes into.

use super::bore::{Ring, bored_block};
use crate::Soup;
use crate::primitives::{PrimitiveError, above, at_least, clearance_of, length, prism};
use std::f64::consts::PI;

/// A peg of any number of facets and a block with the hole for it. At one pose, the peg stands in the middle
/// of the hole, its lower end at the depth of the hole if that has a floor, its facets parallel to the
/// hole's.
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
    /// Sides of the peg and of the hole.
    pub facets: usize,
    /// From the peg's axis to its corners.
    pub radius: f64,
    /// Between the facets of the peg and those of the hole.
    pub clearance: f64,
    /// Length of the peg.
    pub length: f64,
    /// Depth of the hole.
    pub depth: f64,
    /// Of the block, below the hole; zero for a hole that goes through.
    pub floor: f64,
    /// Of the block, beside the hole where it is thinnest.
    pub wall: f64,
}

impl Default for PegAndHole {
    /// A peg of 20 mm in a through hole of 64 facets with 0.04 mm of clearance.
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
    /// The peg, along z, its middle at the origin.
    pub fn peg(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        prism(self.facets, self.radius, self.length)
    }

    /// The block. The hole's mouth faces up; a hole that goes through has its middle at the origin.
    pub fn block(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let radius = self.hole_radius();
        let low = if self.floor > 0.0 { -0.5 * self.length } else { -0.5 * self.depth };
        let rings = [Ring { radius, z: low }, Ring { radius, z: low + self.depth }];
        bored_block(radius + self.wall, low - self.floor, &rings, self.facets)
    }

    /// From the hole's axis to its corners.
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
