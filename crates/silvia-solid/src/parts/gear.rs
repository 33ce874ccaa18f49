//! Spur gears with involute teeth.

use crate::Soup;
use crate::primitives::{PrimitiveError, at_least, below, check_triangles, extrusion, length, turn_fraction};
use std::f64::consts::{FRAC_PI_2, PI};

/// A gear wheel about z with straight teeth and involute flanks (ISO 21771). Two wheels with the same module
/// and pressure angle run on each other at [`centre_distance`](Gear::centre_distance). One tooth points along
/// x.
///
/// Flanks are polygons with their corners on the involute, which is convex: the teeth lie inside the true
/// ones. Below the base circle a flank goes straight to the root. Wheels with fewer teeth than
/// [`least_teeth`](Gear::least_teeth) can jam there, since there is no undercut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Number of teeth.
    pub teeth: usize,
    /// Pitch diameter divided by the number of teeth, m.
    pub module: f64,
    /// Angle between the line of action and the common tangent of the pitch circles, radians.
    pub pressure_angle: f64,
    /// How much thinner a tooth is than a gap, along the pitch circle, m.
    pub backlash: f64,
    /// Width along z, m.
    pub width: f64,
    /// Radius of the hole along the axis, m; zero for none.
    pub bore_radius: f64,
    /// Number of segments of each flank.
    pub flank_segments: usize,
}

impl Default for Gear {
    /// A steel wheel as in small gearboxes: 20 teeth of module 2 mm.
    fn default() -> Self {
        Gear {
            teeth: 20,
            module: 2.0e-3,
            pressure_angle: 20_f64.to_radians(),
            backlash: 0.05e-3,
            width: 10.0e-3,
            bore_radius: 5.0e-3,
            flank_segments: 8,
        }
    }
}

impl Gear {
    /// Height of a tooth above the pitch circle, in modules.
    pub const ADDENDUM: f64 = 1.0;
    /// Depth of a gap below the pitch circle, in modules: a quarter more than the addendum, so that tips
    /// clear roots.
    pub const DEDENDUM: f64 = 1.25;

    /// The wheel as a soup.
    pub fn soup(&self) -> Result<Soup, PrimitiveError> {
        let outline = self.outline()?;
        let bore = (self.bore_radius > 0.0).then(|| {
            let n = 4 * self.teeth;
            (0..n)
                .map(|i| turn_fraction(i, n))
                .map(|(s, c)| [self.bore_radius * c, self.bore_radius * s])
                .collect()
        });
        extrusion(&outline, bore.as_slice(), self.width)
    }

    /// Radius of the pitch circle, which rolls on the other wheel's pitch circle, m.
    pub fn pitch_radius(&self) -> f64 {
        0.5 * self.module * self.teeth as f64
    }

    /// Distance between the axes of two wheels that run on each other, m.
    pub fn centre_distance(&self, other: &Gear) -> f64 {
        self.pitch_radius() + other.pitch_radius()
    }

    /// The fewest teeth that need no undercut to run on any other wheel: `2 / sin^2` of the pressure angle.
    pub fn least_teeth(&self) -> usize {
        (2.0 * Self::ADDENDUM / self.pressure_angle.sin().powi(2)).ceil() as usize
    }

    /// The outline of the teeth, anticlockwise, starting at the lower flank of the tooth on the x axis.
    fn outline(&self) -> Result<Vec<[f64; 2]>, PrimitiveError> {
        self.check()?;
        let flank = self.flank();
        let mut outline = Vec::with_capacity(2 * self.teeth * flank.len());
        for tooth in 0..self.teeth {
            let (s, c) = turn_fraction(tooth, self.teeth);
            let mut put = |radius: f64, angle: f64| {
                let (y, x) = (radius * angle.sin(), radius * angle.cos());
                outline.push([c * x - s * y, s * x + c * y]);
            };
            flank.iter().for_each(|&(radius, angle)| put(radius, -angle));
            flank.iter().rev().for_each(|&(radius, angle)| put(radius, angle));
        }
        Ok(outline)
    }

    /// Points of a flank as radius and angle from the tooth's middle, from root to tip.
    fn flank(&self) -> Vec<(f64, f64)> {
        let (base, root, tip) = (self.base_radius(), self.root_radius(), self.tip_radius());
        let foot = base.max(root);
        let mut flank = Vec::with_capacity(self.flank_segments + 2);
        if root < foot {
            flank.push((root, self.half_angle(foot)));
        }
        flank.extend((0..=self.flank_segments).map(|i| {
            let radius = foot + (tip - foot) * i as f64 / self.flank_segments as f64;
            (radius, self.half_angle(radius))
        }));
        flank
    }

    /// Half the angle of a tooth at a radius on its involute. At the pitch circle it is half the tooth's
    /// share; elsewhere the involute function `tan - id` of the pressure angle at that radius is subtracted.
    fn half_angle(&self, radius: f64) -> f64 {
        let at_pitch = 0.5 * (PI / self.teeth as f64 - self.backlash / self.pitch_radius());
        let involute = |angle: f64| angle.tan() - angle;
        at_pitch + involute(self.pressure_angle) - involute((self.base_radius() / radius).min(1.0).acos())
    }

    fn base_radius(&self) -> f64 {
        self.pitch_radius() * self.pressure_angle.cos()
    }

    fn tip_radius(&self) -> f64 {
        self.pitch_radius() + Self::ADDENDUM * self.module
    }

    fn root_radius(&self) -> f64 {
        self.pitch_radius() - Self::DEDENDUM * self.module
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("teeth", self.teeth, 4)?;
        at_least("flank segments", self.flank_segments, 1)?;
        check_triangles(8.0 * self.teeth as f64 * (self.flank_segments as f64 + 2.0))?;
        length("module", self.module)?;
        length("width", self.width)?;
        if !(self.pressure_angle > 0.0 && self.pressure_angle < FRAC_PI_2) {
            let degrees = self.pressure_angle.to_degrees();
            return Err(PrimitiveError::NotAnAngle { name: "pressure angle", degrees });
        }
        if self.backlash != 0.0 {
            length("backlash", self.backlash)?;
        }
        if self.bore_radius != 0.0 {
            length("bore radius", self.bore_radius)?;
        }
        // Between two teeth the root is a chord; its middle is nearer to the axis than its ends.
        let chord = self.root_radius() * (PI / self.teeth as f64).cos();
        below(
            "bore radius",
            self.bore_radius,
            chord,
            "the distance of the roots between the teeth from the axis",
        )?;
        // A tooth must have some width at its tip, and a gap at its foot.
        let (tip, foot) = (self.half_angle(self.tip_radius()), self.half_angle(self.base_radius()));
        if tip > 0.0 && foot < PI / self.teeth as f64 {
            Ok(())
        } else {
            Err(PrimitiveError::NoTooth { teeth: self.teeth, degrees: self.pressure_angle.to_degrees() })
        }
    }
}
