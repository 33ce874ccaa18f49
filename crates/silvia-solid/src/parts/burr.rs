//! A puzzle of three boards.

use crate::primitives::{PrimitiveError, above, at_least, clearance_of, extrusion, length};
use crate::{Soup, Vec3};

/// A burr of three pieces: boards at right angles, each of which goes through a slot of the next (the "cross
/// keys" of old books of puzzles). The slot of the third is open to one side. At the same pose the pieces are
/// assembled, with the clearance between all facing faces.
///
/// They go together by three moves along straight lines:
/// 1. the second through the slot of the first, along x, and on by more than twice the thickness;
/// 2. the third through the slot of the second, along z;
/// 3. the second and the third together back along x, until the first is in the slot of the third.
///
/// The first lies in the plane of y and z, along y; the second in that of x and y, along x; the third in that
/// of z and x, along z, with its slot open towards -x.
///
/// ```
/// use silvia_solid::{Solid, parts::CrossKeys};
/// let solids = CrossKeys::default().pieces()?.map(|piece| Solid::from_soup(&piece));
/// assert_eq!(solids.map(|solid| solid.map_or(-1, |solid| solid.genus() as i64)), [1, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossKeys {
    /// Thickness of a board, m.
    pub thickness: f64,
    /// Its width; three times the thickness is usual, m.
    pub width: f64,
    /// Its length, m.
    pub length: f64,
    /// Distance between facing faces, m.
    pub clearance: f64,
}

impl Default for CrossKeys {
    /// Boards of 10 mm x 30 mm x 90 mm, with 0.1 mm of clearance.
    fn default() -> Self {
        CrossKeys { thickness: 10.0e-3, width: 30.0e-3, length: 90.0e-3, clearance: 0.1e-3 }
    }
}

impl CrossKeys {
    /// The three pieces, in the order in which they go together.
    pub fn pieces(&self) -> Result<[Soup; 3], PrimitiveError> {
        self.check()?;
        let closed = self.board_with_slot()?;
        let open = self.board_with_open_slot()?;
        // A board as it is made lies along x, its slot along x, its normal along z.
        let first = turned(&closed, |p| Vec3::new(p.z, p.x, p.y))?;
        let third = turned(&open, |p| Vec3::new(p.y, p.z, p.x))?;
        Ok([first, closed, third])
    }

    /// One of the pieces, by its number from 1.
    pub fn piece(&self, number: usize) -> Result<Soup, PrimitiveError> {
        let [first, second, third] = self.pieces()?;
        match at_least("piece", number, 1)? {
            1 => Ok(first),
            2 => Ok(second),
            3 => Ok(third),
            _ => {
                let (name, value, bound) = ("piece", number as f64, "below");
                let reason = "since there are three";
                Err(PrimitiveError::DoesNotFit { name, value, bound, limit: 4.0, reason })
            }
        }
    }

    /// Half the slot: along the board the width of another goes through it, across it the thickness.
    fn half_slot(&self) -> [f64; 2] {
        [self.width, self.thickness].map(|side| 0.5 * side + self.clearance)
    }

    fn board_with_slot(&self) -> Result<Soup, PrimitiveError> {
        let (x, y, [u, v]) = (0.5 * self.length, 0.5 * self.width, self.half_slot());
        let outline = [[-x, -y], [x, -y], [x, y], [-x, y]];
        extrusion(&outline, &[vec![[-u, -v], [u, -v], [u, v], [-u, v]]], self.thickness)
    }

    /// Open towards -y.
    fn board_with_open_slot(&self) -> Result<Soup, PrimitiveError> {
        let (x, y, [u, v]) = (0.5 * self.length, 0.5 * self.width, self.half_slot());
        let outline = [[-x, -y], [-u, -y], [-u, v], [u, v], [u, -y], [x, -y], [x, y], [-x, y]];
        extrusion(&outline, &[], self.thickness)
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        length("thickness", self.thickness)?;
        length("width", self.width)?;
        length("length", self.length)?;
        let c = clearance_of(self.clearance)?;
        above("width", self.width, self.thickness + 2.0 * c, "the slot across it")?;
        above("length", self.length, self.width + 2.0 * c, "the slot along it")
    }
}

/// The soup with its axes exchanged in a cycle, which is a rotation.
fn turned(soup: &Soup, cycle: impl Fn(Vec3) -> Vec3) -> Result<Soup, PrimitiveError> {
    let points = soup.points().iter().map(|&p| cycle(p)).collect();
    Ok(Soup::new(points, soup.triangles().to_vec())?)
}

#[cfg(test)]
mod tests;
