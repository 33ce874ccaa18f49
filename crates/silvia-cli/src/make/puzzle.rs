//! `silvia make snap-hook`, `snap-slot` and `burr`.

use crate::lengths::{Length, length, positive_length};
use crate::values;
use silvia::solid::Soup;
use silvia::solid::files::Unit;
use silvia::solid::parts::{CrossKeys, SnapHook};
use silvia::solid::primitives::PrimitiveError;

/// Sizes of a snap hook and its slot; by default a beam of 2 mm x 8 mm with an overhang of 1 mm.
#[derive(clap::Args)]
pub(super) struct SnapArguments {
    /// Thickness of the beam along x.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().thickness))]
    thickness: Length,
    /// Width of the beam along y.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().width))]
    width: Length,
    /// How far the hook stands out from the beam, towards x.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().overhang))]
    overhang: Length,
    /// Angle between the face that slides in and the beam's axis, degrees.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 30.0)]
    entry: f64,
    /// Angle between the face that holds and the beam's axis, degrees; at most 90.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 90.0)]
    hold: f64,
    /// Distance between facing faces; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().clearance))]
    clearance: Length,
    /// Thickness of the plate with the slot.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().plate))]
    plate: Length,
    /// Thickness of the plate that the beam stands on.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().base))]
    base: Length,
    /// Least thickness beside the slot.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(SnapHook::default().wall))]
    wall: Length,
}

impl SnapArguments {
    pub(super) fn fit(&self, unit: Unit) -> SnapHook {
        let &SnapArguments { thickness, width, overhang, entry, hold, clearance, plate, base, wall } = self;
        let [thickness, width, overhang, clearance, plate, base, wall] =
            [thickness, width, overhang, clearance, plate, base, wall].map(|length| length.in_unit(unit));
        let [entry, hold] = [entry, hold].map(f64::to_radians);
        SnapHook { thickness, width, overhang, entry, hold, clearance, plate, base, wall }
    }
}

/// Sizes of a puzzle of three boards, each of which goes through a slot of the next; by default of
/// 10 mm x 30 mm x 90 mm with 0.1 mm of clearance.
#[derive(clap::Args)]
pub(super) struct BurrArguments {
    /// Which piece, in the order in which they go together: 1, 2 or 3.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3), default_value_t = 1)]
    piece: u8,
    /// Thickness of the boards.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossKeys::default().thickness))]
    thickness: Length,
    /// Width of the boards.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossKeys::default().width))]
    width: Length,
    /// Length of the boards.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CrossKeys::default().length))]
    length: Length,
    /// Distance between facing faces; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(CrossKeys::default().clearance))]
    clearance: Length,
}

impl BurrArguments {
    pub(super) fn piece(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        let &BurrArguments { piece, thickness, width, length, clearance } = self;
        let [thickness, width, length, clearance] =
            [thickness, width, length, clearance].map(|length| length.in_unit(unit));
        CrossKeys { thickness, width, length, clearance }.piece(piece.into())
    }
}
