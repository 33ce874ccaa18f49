//! `silvia make screw`, `nut`, `key`, `pocket` and `stone`.

use crate::lengths::{Length, length, positive_length};
use crate::values;
use silvia::solid::files::Unit;
use silvia::solid::parts::{KeyAndPocket, RoughStone, ScrewAndNut};

/// Sizes of a screw and its nut; by default M16 with 0.1 mm of clearance.
#[derive(clap::Args)]
pub(super) struct ScrewArguments {
    /// Number of sides of the polygons that replace circles.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().segments)]
    segments: usize,
    /// Rows of quadrangles on each of the four sides of the thread's profile.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().rows)]
    rows: usize,
    /// Radius of the screw's crests.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(ScrewAndNut::default().radius))]
    radius: Length,
    /// Rise of the thread in a turn.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(ScrewAndNut::default().pitch))]
    pitch: Length,
    /// Turns of the thread of the screw.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().screw_turns)]
    screw_turns: usize,
    /// Turns of the thread of the nut.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().nut_turns)]
    nut_turns: usize,
    /// Distance between the faces of the threads, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(ScrewAndNut::default().clearance))]
    clearance: Length,
    /// Distance between opposite sides of the head and of the nut.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(ScrewAndNut::default().across))]
    across: Length,
    /// Height of the head.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(ScrewAndNut::default().head))]
    head: Length,
}

impl ScrewArguments {
    pub(super) fn fit(&self, unit: Unit) -> ScrewAndNut {
        let &ScrewArguments {
            segments,
            rows,
            radius,
            pitch,
            screw_turns,
            nut_turns,
            clearance,
            across,
            head,
        } = self;
        let [radius, pitch, clearance, across, head] =
            [radius, pitch, clearance, across, head].map(|length| length.in_unit(unit));
        ScrewAndNut { segments, rows, radius, pitch, screw_turns, nut_turns, clearance, across, head }
    }
}

/// Sizes of a rectangular peg and its pocket; by default 20 mm x 12 mm with 0.05 mm of clearance.
#[derive(clap::Args)]
pub(super) struct KeyArguments {
    /// Side of the peg along x.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().sides[0]))]
    along_x: Length,
    /// Side of the peg along y.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().sides[1]))]
    along_y: Length,
    /// Length of the peg along z.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().length))]
    length: Length,
    /// Distance between the sides of peg and pocket; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().clearance))]
    clearance: Length,
    /// Width and depth of the chamfer around the mouth of the pocket; 0 for none.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().chamfer))]
    chamfer: Length,
    /// Depth of the pocket, chamfer included.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().depth))]
    depth: Length,
    /// Thickness of the block below the pocket; 0 for a through hole.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().floor))]
    floor: Length,
    /// Least thickness of the block beside the pocket.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(KeyAndPocket::default().wall))]
    wall: Length,
}

impl KeyArguments {
    pub(super) fn fit(&self, unit: Unit) -> KeyAndPocket {
        let &KeyArguments { along_x, along_y, length, clearance, chamfer, depth, floor, wall } = self;
        let sides = [along_x, along_y].map(|length| length.in_unit(unit));
        let [length, clearance, chamfer, depth, floor, wall] =
            [length, clearance, chamfer, depth, floor, wall].map(|length| length.in_unit(unit));
        KeyAndPocket { sides, length, clearance, chamfer, depth, floor, wall }
    }
}

/// Sizes of a stone.
#[derive(clap::Args)]
pub(super) struct StoneArguments {
    /// Mean radius.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(RoughStone::default().radius))]
    radius: Length,
    /// The most that a point is off the mean radius, as a fraction of it; below 1.
    #[arg(long, value_name = "FRACTION", value_parser = values::not_negative)]
    #[arg(default_value_t = RoughStone::default().roughness)]
    roughness: f64,
    /// Approximate number of triangles.
    #[arg(long, value_name = "COUNT", default_value_t = RoughStone::default().triangles)]
    triangles: usize,
    /// Stones of different seeds differ.
    #[arg(long, value_name = "N", default_value_t = RoughStone::default().seed)]
    seed: u64,
}

impl StoneArguments {
    pub(super) fn stone(&self, unit: Unit) -> RoughStone {
        let &StoneArguments { radius, roughness, triangles, seed } = self;
        RoughStone { radius: radius.in_unit(unit), roughness, triangles, seed }
    }
}
