//! A cantilever snap hook and the plate that it snaps into.

use super::bore::bored;
use crate::primitives::{PrimitiveError, above, clearance_of, extrusion, length};
use crate::{Soup, Vec3};
use std::f64::consts::FRAC_PI_2;

/// A beam with a hook at its end, on a base plate, and a plate with a slot for it. At the same pose the
/// hook is behind the plate, with the clearance between all facing faces; the top of the slotted plate is
/// at z = 0, and the hook points down, its overhang towards x.
///
/// Beam and hook are wider than the slot by the overhang, less twice the clearance: to go in, the beam must
/// bend by that much, which a rigid body does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapHook {
    /// Thickness of the beam along x, m.
    pub thickness: f64,
    /// Width of the beam along y, m.
    pub width: f64,
    /// How far the hook stands out from the beam, m.
    pub overhang: f64,
    /// Angle between the face that slides in and the axis of the beam, radians; below a right angle.
    pub entry: f64,
    /// Angle between the face that holds and the axis of the beam, radians; up to a right angle, which cannot
    /// be pulled out.
    pub hold: f64,
    /// Distance between facing faces, m.
    pub clearance: f64,
    /// Thickness of the slotted plate, m.
    pub plate: f64,
    /// Thickness of the base plate that the beam stands on, m.
    pub base: f64,
    /// Least thickness of material beside the slot, and of the base plate beside the beam, m.
    pub wall: f64,
}

impl Default for SnapHook {
    /// A hook as on housings: a beam of 2 mm x 8 mm with an overhang of 1 mm, and 0.1 mm of clearance.
    fn default() -> Self {
        SnapHook {
            thickness: 2.0e-3,
            width: 8.0e-3,
            overhang: 1.0e-3,
            entry: 30_f64.to_radians(),
            hold: FRAC_PI_2,
            clearance: 0.1e-3,
            plate: 12.0e-3,
            base: 3.0e-3,
            wall: 5.0e-3,
        }
    }
}

impl SnapHook {
    /// The beam with its hook and base plate.
    pub fn hook(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let (half, c) = (0.5 * self.thickness, self.clearance);
        let out = half + self.overhang;
        let under = -self.plate - self.catch_depth();
        // Where the holding face leaves the beam, where it ends, and where the entry face ends at the tip.
        let ends = under - self.overhang / self.hold.tan();
        let tip = ends - self.overhang / self.entry.tan();
        let side = half + c + self.wall;
        let outline = [
            [half, under],
            [half, c],
            [side, c],
            [side, c + self.base],
            [-side, c + self.base],
            [-side, c],
            [-half, c],
            [-half, tip],
            [half, tip],
            [out, ends],
        ];
        // Drawn in x and z, and as wide along y.
        let soup = extrusion(&outline, &[], self.width)?;
        let points = soup.points().iter().map(|p| Vec3::new(p.x, -p.z, p.y)).collect();
        Ok(Soup::new(points, soup.triangles().to_vec())?)
    }

    /// The plate with the slot.
    pub fn slot(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let [x, y] = [self.thickness, self.width].map(|side| 0.5 * side + self.clearance);
        let ring =
            |z: f64| vec![Vec3::new(-x, -y, z), Vec3::new(x, -y, z), Vec3::new(x, y, z), Vec3::new(-x, y, z)];
        bored([x + self.wall, y + self.wall], -self.plate, &[ring(-self.plate), ring(0.0)])
    }

    /// How far below the plate the holding face begins, m. A level one is below it by the clearance. A
    /// steep one starts at the beam, and keeps the clearance from the lower edge of the slot, which it
    /// leans away from.
    fn catch_depth(&self) -> f64 {
        let (sine, cosine) = self.hold.sin_cos();
        // The edge is the clearance beside the beam.
        self.clearance * (1.0 - cosine) / sine
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        length("thickness", self.thickness)?;
        length("width", self.width)?;
        length("overhang", self.overhang)?;
        clearance_of(self.clearance)?;
        length("plate", self.plate)?;
        length("base", self.base)?;
        length("wall", self.wall)?;
        let angle = |name, angle: f64, is_right_allowed: bool| {
            if angle > 0.0 && (angle < FRAC_PI_2 || is_right_allowed && angle == FRAC_PI_2) {
                Ok(())
            } else {
                Err(PrimitiveError::NotAnAngle { name, degrees: angle.to_degrees() })
            }
        };
        angle("angle of entry", self.entry, false)?;
        angle("angle of hold", self.hold, true)?;
        let play = 2.0 * self.clearance;
        above("overhang", self.overhang, play, "twice the clearance, or the hook holds nothing")
    }
}

#[cfg(test)]
mod tests;
