//! Screws, bolts, nuts and screwdrivers; keys and their pockets; snap hooks; the pieces of a puzzle; stones.

use super::{Form, FormError, few, or, or_angle, si, solid};
use crate::scene::written::{Burr, CrossScrew, HexBolt, Key, Screw, SnapHook, Stone, Units};
use silvia_proximity::Shape;
use silvia_solid::parts;

impl Screw {
    /// The screw.
    pub fn screw(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.screw())
    }

    /// The nut.
    pub fn nut(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.nut())
    }

    fn fit(&self, units: &Units) -> Result<parts::ScrewAndNut, FormError> {
        let usual = parts::ScrewAndNut::default();
        let (segments, rows) = (self.segments.unwrap_or(usual.segments), self.rows.unwrap_or(usual.rows));
        let screw_turns = self.screw_turns.unwrap_or(usual.screw_turns);
        few(8.0 * segments as f64 * (rows as f64 * screw_turns as f64 + 2.0))?;
        Ok(parts::ScrewAndNut {
            segments,
            rows,
            radius: or("radius", &self.radius, usual.radius, units)?,
            pitch: or("pitch", &self.pitch, usual.pitch, units)?,
            screw_turns,
            nut_turns: self.nut_turns.unwrap_or(usual.nut_turns),
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            across: or("across", &self.across, usual.across, units)?,
            head: or("head", &self.head, usual.head, units)?,
        })
    }
}

impl HexBolt {
    /// The bolt.
    pub fn bolt(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.bolt())
    }

    /// The nut.
    pub fn nut(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.nut())
    }

    fn fit(&self, units: &Units) -> Result<parts::HexBoltAndNut, FormError> {
        let usual = parts::HexBoltAndNut::default();
        let size = self.size.as_ref().map_or(Ok(usual.size), |size| size.parse())?;
        let (segments, rows) = (self.segments.unwrap_or(usual.segments), self.rows.unwrap_or(usual.rows));
        let coprime = || parts::HexBoltAndNut::coprime_above(segments);
        let nut_segments = self.nut_segments.unwrap_or_else(coprime);
        let fit = match (&self.clearance, self.tolerance) {
            (None, None) => usual.fit,
            (Some(clearance), None) => parts::ThreadFit::Clearance(si("clearance", clearance, units)?),
            (None, Some(share)) => parts::ThreadFit::Medium(share),
            (Some(_), Some(_)) => return Err(FormError::TwoFits),
        };
        let length = or("length", &self.length, usual.length, units)?;
        let fit = parts::HexBoltAndNut { size, length, fit, segments, nut_segments, rows };
        let turns = fit.bolt_turns().max(fit.nut_turns()) as f64;
        few(8.0 * segments.max(nut_segments) as f64 * (rows as f64 * turns + 2.0))?;
        Ok(fit)
    }
}

impl CrossScrew {
    /// The screw.
    pub fn screw(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.screw())
    }

    /// The screwdriver.
    pub fn driver(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.driver())
    }

    fn fit(&self, units: &Units) -> Result<parts::CrossRecess, FormError> {
        let usual = parts::CrossRecess::default();
        let segments = self.segments.unwrap_or(usual.segments);
        few(12.0 * segments as f64)?;
        Ok(parts::CrossRecess {
            size: self.size.unwrap_or(usual.size),
            mouth: or("mouth", &self.mouth, usual.mouth, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            head_radius: or("head", &self.head, usual.head_radius, units)?,
            head_height: or("head_height", &self.head_height, usual.head_height, units)?,
            shank_radius: or("shank", &self.shank, usual.shank_radius, units)?,
            length: or("length", &self.length, usual.length, units)?,
            shaft_radius: or("shaft", &self.shaft, usual.shaft_radius, units)?,
            shaft_length: or("shaft_length", &self.shaft_length, usual.shaft_length, units)?,
            segments,
        })
    }
}

impl Key {
    /// The peg.
    pub fn key(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.key())
    }

    /// The block with the pocket.
    pub fn pocket(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.block())
    }

    fn fit(&self, units: &Units) -> Result<parts::KeyAndPocket, FormError> {
        let usual = parts::KeyAndPocket::default();
        let sides = match &self.sides {
            Some([x, y]) => [si("sides", x, units)?, si("sides", y, units)?],
            None => usual.sides,
        };
        Ok(parts::KeyAndPocket {
            sides,
            length: or("length", &self.length, usual.length, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            chamfer: or("chamfer", &self.chamfer, usual.chamfer, units)?,
            depth: or("depth", &self.depth, usual.depth, units)?,
            floor: or("floor", &self.floor, usual.floor, units)?,
            wall: or("wall", &self.wall, usual.wall, units)?,
        })
    }
}

impl SnapHook {
    /// The hook.
    pub fn hook(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.hook())
    }

    /// The plate with the slot.
    pub fn slot(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.slot())
    }

    fn fit(&self, units: &Units) -> Result<parts::SnapHook, FormError> {
        let usual = parts::SnapHook::default();
        Ok(parts::SnapHook {
            thickness: or("thickness", &self.thickness, usual.thickness, units)?,
            width: or("width", &self.width, usual.width, units)?,
            overhang: or("overhang", &self.overhang, usual.overhang, units)?,
            entry: or_angle("entry", &self.entry, usual.entry, units)?,
            hold: or_angle("hold", &self.hold, usual.hold, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            plate: or("plate", &self.plate, usual.plate, units)?,
            base: or("base", &self.base, usual.base, units)?,
            wall: or("wall", &self.wall, usual.wall, units)?,
        })
    }
}

impl Form for Burr {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let usual = parts::CrossKeys::default();
        let puzzle = parts::CrossKeys {
            thickness: or("thickness", &self.thickness, usual.thickness, units)?,
            width: or("width", &self.width, usual.width, units)?,
            length: or("length", &self.length, usual.length, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
        };
        solid(puzzle.piece(self.piece.unwrap_or(1)))
    }
}

impl Form for Stone {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let usual = parts::RoughStone::default();
        let stone = parts::RoughStone {
            radius: or("radius", &self.radius, usual.radius, units)?,
            roughness: self.roughness.unwrap_or(usual.roughness),
            triangles: self.triangles.unwrap_or(usual.triangles),
            seed: self.seed.unwrap_or(usual.seed),
        };
        solid(stone.soup())
    }

    fn triangles(&self) -> f64 {
        self.triangles.unwrap_or(parts::RoughStone::default().triangles) as f64
    }
}
