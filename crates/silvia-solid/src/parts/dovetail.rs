//! A dovetail: a rail that slides in a groove and cannot be lifted out.

use crate::Soup;
use crate::primitives::{PrimitiveError, clearance_of, extrusion, length};
use std::f64::consts::FRAC_PI_2;

/// A rail with a tail that widens upwards (y), and the block with the groove for it; they slide along z. At
/// one pose they are assembled, with the clearance between all faces that look at each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dovetail {
    /// Width of the tail where it leaves the rail, at y = 0.
    pub neck: f64,
    /// Height of the tail.
    pub height: f64,
    /// Between a side of the tail and the plane of the rail, in radians, below a right angle.
    pub angle: f64,
    /// Between faces of the tail and of the groove, and between rail and block.
    pub clearance: f64,
    /// Of the rail under the tail, and of the block over and beside the groove where it is thinnest.
    pub wall: f64,
    /// Along z.
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

    /// Half the groove's width at a height: the tail's side, moved outward by the clearance.
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
