//! A rectangular peg and a block with a matching, chamfered pocket.

use super::bore::bored;
use crate::primitives::{PrimitiveError, above, clearance_of, cuboid, length};
use crate::{Soup, Vec3};

/// A rectangular peg, and a block with a pocket for it whose mouth is chamfered by 45 degrees. At the same
/// pose the peg stands in the middle of the pocket, and on its floor if there is one.
///
/// ```
/// use silvia_solid::{Solid, parts::KeyAndPocket};
/// let fit = KeyAndPocket { clearance: 1e-5, ..KeyAndPocket::default() };
/// assert_eq!(Solid::from_soup(&fit.key()?)?.genus(), 0);
/// assert_eq!(Solid::from_soup(&fit.block()?)?.genus(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyAndPocket {
    /// Sides of the peg along x and y, m.
    pub sides: [f64; 2],
    /// Length of the peg along z, m.
    pub length: f64,
    /// Distance between the sides of the peg and those of the pocket, m.
    pub clearance: f64,
    /// Width and depth of the chamfer around the mouth of the pocket, m; zero for none.
    pub chamfer: f64,
    /// Depth of the pocket, chamfer included, m.
    pub depth: f64,
    /// Thickness of the block below the pocket, m; zero for a through hole.
    pub floor: f64,
    /// Least thickness of the block beside the pocket, m.
    pub wall: f64,
}

impl Default for KeyAndPocket {
    /// A peg of 20 mm x 12 mm in a through hole, with 0.05 mm of clearance and a chamfer of 1 mm.
    fn default() -> Self {
        KeyAndPocket {
            sides: [0.020, 0.012],
            length: 0.040,
            clearance: 0.05e-3,
            chamfer: 1.0e-3,
            depth: 0.030,
            floor: 0.0,
            wall: 0.010,
        }
    }
}

impl KeyAndPocket {
    /// The peg, centred at the origin.
    pub fn key(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        cuboid(Vec3::new(self.sides[0], self.sides[1], self.length))
    }

    /// The block. The pocket opens upwards; a through hole is centred at the origin.
    pub fn block(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let low = if self.floor > 0.0 { -0.5 * self.length } else { -0.5 * self.depth };
        let top = low + self.depth;
        let half = self.sides.map(|side| 0.5 * side + self.clearance);
        let ring = |wider: f64, z: f64| {
            let [x, y] = half.map(|side| side + wider);
            vec![Vec3::new(-x, -y, z), Vec3::new(x, -y, z), Vec3::new(x, y, z), Vec3::new(-x, y, z)]
        };
        let mut rings = vec![ring(0.0, low)];
        if self.chamfer > 0.0 {
            rings.push(ring(0.0, top - self.chamfer));
        }
        rings.push(ring(self.chamfer, top));
        bored(half.map(|side| side + self.chamfer + self.wall), low - self.floor, &rings)
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        length("side along x", self.sides[0])?;
        length("side along y", self.sides[1])?;
        length("length", self.length)?;
        clearance_of(self.clearance)?;
        length("depth", self.depth)?;
        length("wall", self.wall)?;
        if self.chamfer != 0.0 {
            length("chamfer", self.chamfer)?;
        }
        if self.floor != 0.0 {
            length("floor", self.floor)?;
        }
        above("depth", self.depth, self.chamfer, "the depth of the chamfer")
    }
}
