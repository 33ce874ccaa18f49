//! `silvia make cross-screw` and `screwdriver`.

use super::in_unit;
use crate::lengths::{Length, length, positive_length};
use silvia::solid::Soup;
use silvia::solid::files::Unit;
use silvia::solid::parts::CrossRecess;
use silvia::solid::primitives::PrimitiveError;

/// Sizes of a screw with a cross recess and of its screwdriver; by default M4 with a pan head, and a driver
/// of 6 mm with 0.03 mm of clearance.
#[derive(clap::Args)]
pub(super) struct RecessArguments {
    /// Number of the recess (ISO 4757, type H): 1 to 4. With another number, give the mouth as well.
    #[arg(long, value_name = "N", default_value_t = CrossRecess::default().size)]
    size: usize,
    /// Diameter over the ends of the recess's wings at the top of the head.
    #[arg(long, value_name = "DIAMETER", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().mouth))]
    mouth: Length,
    /// Distance between the faces of driver and recess, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().clearance))]
    clearance: Length,
    /// Radius of the head.
    #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().head_radius))]
    head: Length,
    /// Height of the head.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().head_height))]
    head_height: Length,
    /// Radius of the screw's shank.
    #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().shank_radius))]
    shank: Length,
    /// Length of the screw's shank.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().length))]
    length: Length,
    /// Radius of the driver's shaft.
    #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().shaft_radius))]
    shaft: Length,
    /// Height of the end of the driver's shaft above the head.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossRecess::default().shaft_length))]
    shaft_length: Length,
    /// Number of sides of the polygons that replace circles.
    #[arg(long, value_name = "N", default_value_t = CrossRecess::default().segments)]
    segments: usize,
}

impl RecessArguments {
    /// The screw, in the unit.
    pub(super) fn screw(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        in_unit(self.fit(unit).screw()?, unit)
    }

    /// The screwdriver, in the unit.
    pub(super) fn driver(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        in_unit(self.fit(unit).driver()?, unit)
    }

    /// In metres: the standard has lengths of its own.
    fn fit(&self, unit: Unit) -> CrossRecess {
        let RecessArguments { mouth, clearance, head, head_height, shank, length, .. } = self;
        let [mouth, clearance, head_radius, head_height, shank_radius, length, shaft_radius, shaft_length] =
            [mouth, clearance, head, head_height, shank, length, &self.shaft, &self.shaft_length]
                .map(|length| unit.to_metres(length.in_unit(unit)));
        CrossRecess {
            size: self.size,
            mouth,
            clearance,
            head_radius,
            head_height,
            shank_radius,
            length,
            shaft_radius,
            shaft_length,
            segments: self.segments,
        }
    }
}
