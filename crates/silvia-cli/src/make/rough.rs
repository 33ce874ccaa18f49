//! `silvia make screw`, `nut`, `key`, `pocket` and `stone`.

use crate::values;
use silvia::solid::parts::{KeyAndPocket, RoughStone, ScrewAndNut};

/// Sizes of a screw and its nut; by default M16 with 0.1 mm of clearance, in metres.
#[derive(clap::Args)]
pub(super) struct ScrewArguments {
    /// Number of sides of the polygons that replace circles.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().segments)]
    segments: usize,
    /// Rows of quadrangles on each of the four sides of the thread's profile.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().rows)]
    rows: usize,
    /// Radius of the screw's crests.
    #[arg(long, value_parser = values::positive, default_value_t = ScrewAndNut::default().radius)]
    radius: f64,
    /// Rise of the thread in a turn.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = ScrewAndNut::default().pitch)]
    pitch: f64,
    /// Turns of the thread of the screw.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().screw_turns)]
    screw_turns: usize,
    /// Turns of the thread of the nut.
    #[arg(long, value_name = "N", default_value_t = ScrewAndNut::default().nut_turns)]
    nut_turns: usize,
    /// Distance between the faces of the threads, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = ScrewAndNut::default().clearance)]
    clearance: f64,
    /// Distance between opposite sides of the head and of the nut.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = ScrewAndNut::default().across)]
    across: f64,
    /// Height of the head.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = ScrewAndNut::default().head)]
    head: f64,
}

impl ScrewArguments {
    pub(super) fn fit(&self) -> ScrewAndNut {
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
        ScrewAndNut { segments, rows, radius, pitch, screw_turns, nut_turns, clearance, across, head }
    }
}

/// Sizes of a rectangular peg and its pocket; by default 20 mm x 12 mm with 0.05 mm of clearance, in metres.
#[derive(clap::Args)]
pub(super) struct KeyArguments {
    /// Side of the peg along x.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = KeyAndPocket::default().sides[0])]
    along_x: f64,
    /// Side of the peg along y.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = KeyAndPocket::default().sides[1])]
    along_y: f64,
    /// Length of the peg along z.
    #[arg(long, value_parser = values::positive, default_value_t = KeyAndPocket::default().length)]
    length: f64,
    /// Distance between the sides of peg and pocket; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = KeyAndPocket::default().clearance)]
    clearance: f64,
    /// Width and depth of the chamfer around the mouth of the pocket; 0 for none.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = KeyAndPocket::default().chamfer)]
    chamfer: f64,
    /// Depth of the pocket, chamfer included.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = KeyAndPocket::default().depth)]
    depth: f64,
    /// Thickness of the block below the pocket; 0 for a through hole.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = KeyAndPocket::default().floor)]
    floor: f64,
    /// Least thickness of the block beside the pocket.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = KeyAndPocket::default().wall)]
    wall: f64,
}

impl KeyArguments {
    pub(super) fn fit(&self) -> KeyAndPocket {
        let &KeyArguments { along_x, along_y, length, clearance, chamfer, depth, floor, wall } = self;
        KeyAndPocket { sides: [along_x, along_y], length, clearance, chamfer, depth, floor, wall }
    }
}

/// Sizes of a stone, in metres unless `--unit` is given.
#[derive(clap::Args)]
pub(super) struct StoneArguments {
    /// Mean radius.
    #[arg(long, value_parser = values::positive, default_value_t = RoughStone::default().radius)]
    radius: f64,
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
    pub(super) fn stone(&self) -> RoughStone {
        let &StoneArguments { radius, roughness, triangles, seed } = self;
        RoughStone { radius, roughness, triangles, seed }
    }
}
