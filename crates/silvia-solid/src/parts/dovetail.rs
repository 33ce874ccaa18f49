//! A dovetail: a rail that slides in a groove and cannot be lifted out.

use crate::Soup;
use crate::primitives::{PrimitiveError, clearance_of, extrusion, length};
use std::f64::consts::FRAC_PI_2;

/// A rail with a tail that widens upwards (y), and a block with the matching groove; they slide along z. At
/// the same pose they are assembled, with the clearance between all facing faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dovetail {
    /// Width of the tail where it leaves the rail, at y = 0, m.
    pub neck: f64,
    /// Height of the tail, m.
    pub height: f64,
    /// Angle between a side of the tail and the plane of the rail, radians; below a right angle.
    pub angle: f64,
    /// Distance between faces of the tail and the groove, and between rail and block, m.
    pub clearance: f64,
    /// Thickness of the rail under the tail, and the least thickness of the block around the groove, m.
    pub wall: f64,
    /// Length along z, m.
    pub length: f64,
}

impl Default for Dovetail {
    /// A tail of 20 mm with sides at 60 degrees.
    fn default() -> Self {
        Dovetail {
            neck: 0.020,
            height: 0.010,
            angle: 60_f64.to_radians(),
            clearance: 0.05e-3,
            wall: 0.008,
            length: 0.060,
        }
    }
}

impl Dovetail {
    /// The rail with its tail.
    pub fn tail(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let (half, top) = (0.5 * self.neck, 0.5 * self.neck + self.height / self.angle.tan());
        let (side, h) = (self.half_width(), self.height);
        let outline = [
            [-side, -self.wall],
            [side, -self.wall],
            [side, 0.0],
            [half, 0.0],
            [top, h],
            [-top, h],
            [-half, 0.0],
            [-side, 0.0],
        ];
        extrusion(&outline, &[], self.length)
    }

    /// The block with the groove.
    pub fn socket(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let (low, high) = (self.clearance, self.height + self.clearance);
        let (side, top) = (self.half_width(), high + self.wall);
        let (mouth, root) = (self.groove_at(low), self.groove_at(high));
        let outline = [
            [-side, low],
            [-mouth, low],
            [-root, high],
            [root, high],
            [mouth, low],
            [side, low],
            [side, top],
            [-side, top],
        ];
        extrusion(&outline, &[], self.length)
    }

    /// Half the groove's width at a height: the tail's side, offset outwards by the clearance.
    fn groove_at(&self, y: f64) -> f64 {
        0.5 * self.neck + y / self.angle.tan() + self.clearance / self.angle.sin()
    }

    fn half_width(&self) -> f64 {
        self.groove_at(self.height + self.clearance) + self.wall
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        length("neck", self.neck)?;
        length("height", self.height)?;
        clearance_of(self.clearance)?;
        length("wall", self.wall)?;
        length("length", self.length)?;
        if self.angle > 0.0 && self.angle < FRAC_PI_2 {
            Ok(())
        } else {
            Err(PrimitiveError::NotAnAngle { name: "angle", degrees: self.angle.to_degrees() })
        }
    }
}
