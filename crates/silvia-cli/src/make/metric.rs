//! `silvia make hex-bolt` and `hex-nut`.

use super::in_unit;
use crate::lengths::{Length, length, positive_length};
use crate::values;
use silvia::solid::Soup;
use silvia::solid::files::Unit;
use silvia::solid::parts::{HexBoltAndNut, MetricSize, ThreadFit};
use silvia::solid::primitives::PrimitiveError;

/// Size of a metric bolt and its nut; by default M8 x 25 with threads of 6g and 6H.
#[derive(clap::Args)]
pub(super) struct HexArguments {
    /// Size with coarse pitch: M3, M4, M5, M6, M8, M10, M12, M14, M16, M18 or M20.
    #[arg(long, value_name = "SIZE", default_value_t = HexBoltAndNut::default().size)]
    size: MetricSize,
    /// Length of the bolt without its head.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(HexBoltAndNut::default().length))]
    length: Length,
    /// How loose the threads of 6g and 6H are within their tolerances: from 0, as tight as these allow, to 1.
    #[arg(long, value_name = "FRACTION", value_parser = values::fraction, default_value_t = 0.5)]
    tolerance: f64,
    /// Distance between the faces of the threads, in place of a tolerance; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "tolerance")]
    clearance: Option<Length>,
    /// Number of sides of the polygons that replace circles, of the bolt.
    #[arg(long, value_name = "N", default_value_t = HexBoltAndNut::default().segments)]
    segments: usize,
    /// The same of the nut; by default a number that has no common divisor with that of the bolt.
    #[arg(long, value_name = "N")]
    nut_segments: Option<usize>,
    /// Rows of quadrangles on each of the four sides of the thread's profile.
    #[arg(long, value_name = "N", default_value_t = HexBoltAndNut::default().rows)]
    rows: usize,
}

impl HexArguments {
    /// The bolt, in the unit.
    pub(super) fn bolt(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        in_unit(self.fit(unit).bolt()?, unit)
    }

    /// The nut, in the unit.
    pub(super) fn nut(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        in_unit(self.fit(unit).nut()?, unit)
    }

    /// In metres: the standard has lengths of its own.
    fn fit(&self, unit: Unit) -> HexBoltAndNut {
        let metres = |length: &Length| unit.to_metres(length.in_unit(unit));
        let medium = ThreadFit::Medium(self.tolerance);
        HexBoltAndNut {
            size: self.size,
            length: metres(&self.length),
            fit: self.clearance.as_ref().map_or(medium, |clearance| ThreadFit::Clearance(metres(clearance))),
            segments: self.segments,
            nut_segments: self.nut_segments.unwrap_or_else(|| HexBoltAndNut::coprime_above(self.segments)),
            rows: self.rows,
        }
    }
}
