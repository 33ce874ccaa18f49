//! `silvia make peg`, `hole`, `bolt`, …: parts that fit together. The two parts of a fit share their
//! parameters.

use crate::values;
use silvia::scene::scene::forms::BRACKET;
use silvia::solid::Soup;
use silvia::solid::parts::{CountersunkBolt, Dovetail, Gear, PegAndHole, l_bracket, t_bracket};
use silvia::solid::primitives::PrimitiveError;

/// Sizes of a peg and its hole; by default a peg of 20 mm with 0.04 mm of clearance, in metres.
#[derive(clap::Args)]
pub(super) struct PegArguments {
    /// Number of facets of the peg and of the hole.
    #[arg(long, value_name = "N", default_value_t = PegAndHole::default().facets)]
    facets: usize,
    /// Distance from the peg's axis to its corners.
    #[arg(long, value_parser = values::positive, default_value_t = PegAndHole::default().radius)]
    radius: f64,
    /// Distance between the facets of peg and hole, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = PegAndHole::default().clearance)]
    clearance: f64,
    /// Length of the peg.
    #[arg(long, value_parser = values::positive, default_value_t = PegAndHole::default().length)]
    length: f64,
    /// Depth of the hole.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = PegAndHole::default().depth)]
    depth: f64,
    /// Thickness of the block below the hole; 0 for a through hole.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = PegAndHole::default().floor)]
    floor: f64,
    /// Least thickness of the block beside the hole.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = PegAndHole::default().wall)]
    wall: f64,
}

impl PegArguments {
    pub(super) fn fit(&self) -> PegAndHole {
        let &PegArguments { facets, radius, clearance, length, depth, floor, wall } = self;
        PegAndHole { facets, radius, clearance, length, depth, floor, wall }
    }
}

/// Sizes of a bolt and its countersunk hole; by default M6 with a 90 degree head, in metres.
#[derive(clap::Args)]
pub(super) struct BoltArguments {
    /// Number of sides of the polygons that replace circles.
    #[arg(long, value_name = "N", default_value_t = CountersunkBolt::default().segments)]
    segments: usize,
    /// Radius of the shank.
    #[arg(long, value_name = "RADIUS", value_parser = values::positive)]
    #[arg(default_value_t = CountersunkBolt::default().shank_radius)]
    shank: f64,
    /// Largest radius of the head.
    #[arg(long, value_name = "RADIUS", value_parser = values::positive)]
    #[arg(default_value_t = CountersunkBolt::default().head_radius)]
    head: f64,
    /// Height of the cone under the head.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = CountersunkBolt::default().head_height)]
    head_height: f64,
    /// Length of the whole bolt.
    #[arg(long, value_parser = values::positive, default_value_t = CountersunkBolt::default().length)]
    length: f64,
    /// Distance between the faces of bolt and hole, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = CountersunkBolt::default().clearance)]
    clearance: f64,
    /// Height of the block.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = CountersunkBolt::default().thickness)]
    thickness: f64,
    /// Least thickness of the block beside the hole.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = CountersunkBolt::default().wall)]
    wall: f64,
}

impl BoltArguments {
    pub(super) fn fit(&self) -> CountersunkBolt {
        let &BoltArguments { segments, shank, head, head_height, length, clearance, thickness, wall } = self;
        let (shank_radius, head_radius) = (shank, head);
        CountersunkBolt {
            segments,
            shank_radius,
            head_radius,
            head_height,
            length,
            clearance,
            thickness,
            wall,
        }
    }
}

/// Sizes of a dovetail, in metres unless `--unit` is given.
#[derive(clap::Args)]
pub(super) struct DovetailArguments {
    /// Width of the tail where it leaves the rail.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = Dovetail::default().neck)]
    neck: f64,
    /// Height of the tail.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = Dovetail::default().height)]
    height: f64,
    /// Angle between a side of the tail and the rail, in degrees, below 90.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 60.0)]
    angle: f64,
    /// Distance between the faces of tail and groove, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = Dovetail::default().clearance)]
    clearance: f64,
    /// Thickness of the rail under the tail, and least thickness of the block around the groove.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = Dovetail::default().wall)]
    wall: f64,
    /// Length along z, in which they slide.
    #[arg(long, value_parser = values::positive, default_value_t = Dovetail::default().length)]
    length: f64,
}

impl DovetailArguments {
    pub(super) fn fit(&self) -> Dovetail {
        let &DovetailArguments { neck, height, angle, clearance, wall, length } = self;
        Dovetail { neck, height, angle: angle.to_radians(), clearance, wall, length }
    }
}

/// Sizes of a bracket, in metres unless `--unit` is given.
#[derive(clap::Args)]
pub(super) struct BracketArguments {
    /// Length along x.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive, default_value_t = BRACKET[0])]
    along: f64,
    /// Height along y.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive, default_value_t = BRACKET[1])]
    up: f64,
    /// Thickness of the plates.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive, default_value_t = BRACKET[2])]
    thickness: f64,
    /// Width along z.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive, default_value_t = BRACKET[3])]
    width: f64,
}

impl BracketArguments {
    pub(super) fn l(&self) -> Result<Soup, PrimitiveError> {
        l_bracket(self.along, self.up, self.thickness, self.width)
    }

    pub(super) fn t(&self) -> Result<Soup, PrimitiveError> {
        t_bracket(self.along, self.up, self.thickness, self.width)
    }
}

/// Sizes of a gear wheel, in metres unless `--unit` is given.
#[derive(clap::Args)]
pub(super) struct GearArguments {
    /// Number of teeth.
    #[arg(long, value_name = "N", default_value_t = Gear::default().teeth)]
    teeth: usize,
    /// Pitch diameter divided by the number of teeth.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = Gear::default().module)]
    module: f64,
    /// Pressure angle in degrees, below 90.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 20.0)]
    pressure_angle: f64,
    /// How much thinner a tooth is than a gap, along the pitch circle.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    #[arg(default_value_t = Gear::default().backlash)]
    backlash: f64,
    /// Width along z.
    #[arg(long, value_name = "LENGTH", value_parser = values::positive)]
    #[arg(default_value_t = Gear::default().width)]
    width: f64,
    /// Radius of the hole along the axis; 0 for none.
    #[arg(long, value_name = "RADIUS", value_parser = values::not_negative)]
    #[arg(default_value_t = Gear::default().bore_radius)]
    bore: f64,
    /// Number of segments of each flank.
    #[arg(long, value_name = "N", default_value_t = Gear::default().flank_segments)]
    flank_segments: usize,
}

impl GearArguments {
    pub(super) fn gear(&self) -> Gear {
        let &GearArguments { teeth, module, pressure_angle, backlash, width, bore, flank_segments } = self;
        let pressure_angle = pressure_angle.to_radians();
        Gear { teeth, module, pressure_angle, backlash, width, bore_radius: bore, flank_segments }
    }
}
