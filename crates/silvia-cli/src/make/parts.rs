//! `silvia make peg`, `hole`, `bolt`, …: parts that fit together. The two parts of a fit share their
//! parameters.

use crate::lengths::{Length, length, positive_length};
use crate::values;
use silvia::scene::scene::forms::BRACKET;
use silvia::solid::Soup;
use silvia::solid::files::Unit;
use silvia::solid::parts::{CountersunkBolt, Dovetail, Gear, PegAndHole, l_bracket, t_bracket};
use silvia::solid::primitives::PrimitiveError;

/// Sizes of a peg and its hole; by default a peg of 20 mm with 0.04 mm of clearance.
#[derive(clap::Args)]
pub(super) struct PegArguments {
    /// Number of facets of the peg and of the hole.
    #[arg(long, value_name = "N", default_value_t = PegAndHole::default().facets)]
    facets: usize,
    /// Distance from the peg's axis to its corners.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().radius))]
    radius: Length,
    /// Distance between the facets of peg and hole, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().clearance))]
    clearance: Length,
    /// Length of the peg.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().length))]
    length: Length,
    /// Depth of the hole.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().depth))]
    depth: Length,
    /// Thickness of the block below the hole; 0 for a through hole.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().floor))]
    floor: Length,
    /// Least thickness of the block beside the hole.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(PegAndHole::default().wall))]
    wall: Length,
}

impl PegArguments {
    pub(super) fn fit(&self, unit: Unit) -> PegAndHole {
        let &PegArguments { facets, radius, clearance, length, depth, floor, wall } = self;
        let [radius, clearance, length, depth, floor, wall] =
            [radius, clearance, length, depth, floor, wall].map(|length| length.in_unit(unit));
        PegAndHole { facets, radius, clearance, length, depth, floor, wall }
    }
}

/// Sizes of a bolt and its countersunk hole; by default M6 with a 90 degree head.
#[derive(clap::Args)]
pub(super) struct BoltArguments {
    /// Number of sides of the polygons that replace circles.
    #[arg(long, value_name = "N", default_value_t = CountersunkBolt::default().segments)]
    segments: usize,
    /// Radius of the shank.
    #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().shank_radius))]
    shank: Length,
    /// Largest radius of the head.
    #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().head_radius))]
    head: Length,
    /// Height of the cone under the head.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().head_height))]
    head_height: Length,
    /// Length of the whole bolt.
    #[arg(long, value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().length))]
    length: Length,
    /// Distance between the faces of bolt and hole, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().clearance))]
    clearance: Length,
    /// Height of the block.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().thickness))]
    thickness: Length,
    /// Least thickness of the block beside the hole.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(CountersunkBolt::default().wall))]
    wall: Length,
}

impl BoltArguments {
    pub(super) fn fit(&self, unit: Unit) -> CountersunkBolt {
        let &BoltArguments { segments, shank, head, head_height, length, clearance, thickness, wall } = self;
        let [shank_radius, head_radius, head_height, length, clearance, thickness, wall] =
            [shank, head, head_height, length, clearance, thickness, wall].map(|length| length.in_unit(unit));
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

/// Sizes of a dovetail.
#[derive(clap::Args)]
pub(super) struct DovetailArguments {
    /// Width of the tail where it leaves the rail.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(Dovetail::default().neck))]
    neck: Length,
    /// Height of the tail.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(Dovetail::default().height))]
    height: Length,
    /// Angle between a side of the tail and the rail, in degrees, below 90.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 60.0)]
    angle: f64,
    /// Distance between the faces of tail and groove, measured across them; 0 is an exact fit.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(Dovetail::default().clearance))]
    clearance: Length,
    /// Thickness of the rail under the tail, and least thickness of the block around the groove.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(Dovetail::default().wall))]
    wall: Length,
    /// Length along z, in which they slide.
    #[arg(long, value_parser = positive_length, default_value_t = Length::metres(Dovetail::default().length))]
    length: Length,
}

impl DovetailArguments {
    pub(super) fn fit(&self, unit: Unit) -> Dovetail {
        let &DovetailArguments { neck, height, angle, clearance, wall, length } = self;
        let [neck, height, clearance, wall, length] =
            [neck, height, clearance, wall, length].map(|length| length.in_unit(unit));
        Dovetail { neck, height, angle: angle.to_radians(), clearance, wall, length }
    }
}

/// Sizes of a bracket.
#[derive(clap::Args)]
pub(super) struct BracketArguments {
    /// Length along x.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(BRACKET[0]))]
    along: Length,
    /// Height along y.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(BRACKET[1]))]
    up: Length,
    /// Thickness of the plates.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(BRACKET[2]))]
    thickness: Length,
    /// Width along z.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(BRACKET[3]))]
    width: Length,
}

impl BracketArguments {
    pub(super) fn l(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        let [along, up, thickness, width] = self.lengths(unit);
        l_bracket(along, up, thickness, width)
    }

    pub(super) fn t(&self, unit: Unit) -> Result<Soup, PrimitiveError> {
        let [along, up, thickness, width] = self.lengths(unit);
        t_bracket(along, up, thickness, width)
    }

    fn lengths(&self, unit: Unit) -> [f64; 4] {
        [self.along, self.up, self.thickness, self.width].map(|length| length.in_unit(unit))
    }
}

/// Sizes of a gear wheel.
#[derive(clap::Args)]
pub(super) struct GearArguments {
    /// Number of teeth.
    #[arg(long, value_name = "N", default_value_t = Gear::default().teeth)]
    teeth: usize,
    /// Pitch diameter divided by the number of teeth.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(Gear::default().module))]
    module: Length,
    /// Pressure angle in degrees, below 90.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive, default_value_t = 20.0)]
    pressure_angle: f64,
    /// How much thinner a tooth is than a gap, along the pitch circle.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    #[arg(default_value_t = Length::metres(Gear::default().backlash))]
    backlash: Length,
    /// Width along z.
    #[arg(long, value_name = "LENGTH", value_parser = positive_length)]
    #[arg(default_value_t = Length::metres(Gear::default().width))]
    width: Length,
    /// Radius of the hole along the axis; 0 for none.
    #[arg(long, value_name = "RADIUS", value_parser = length)]
    #[arg(default_value_t = Length::metres(Gear::default().bore_radius))]
    bore: Length,
    /// Number of segments of each flank.
    #[arg(long, value_name = "N", default_value_t = Gear::default().flank_segments)]
    flank_segments: usize,
}

impl GearArguments {
    pub(super) fn gear(&self, unit: Unit) -> Gear {
        let &GearArguments { teeth, module, pressure_angle, backlash, width, bore, flank_segments } = self;
        let [module, backlash, width, bore_radius] =
            [module, backlash, width, bore].map(|length| length.in_unit(unit));
        let pressure_angle = pressure_angle.to_radians();
        Gear { teeth, module, pressure_angle, backlash, width, bore_radius, flank_segments }
    }
}
