//! `silvia make`: writes a primitive or a part to a file.

mod metric;
mod parts;
mod puzzle;
mod recess;
mod rough;

use crate::convert::text_format;
use crate::failure::Failure;
use crate::lengths::{self, Length, Size, positive_length};
use crate::numbers::measure;
use crate::product::must_be_new;
use crate::values::Outline;
use clap::Subcommand;
use metric::HexArguments;
use parts::{BoltArguments, BracketArguments, DovetailArguments, GearArguments, PegArguments};
use puzzle::{BurrArguments, SnapArguments};
use recess::RecessArguments;
use rough::{KeyArguments, ScrewArguments, StoneArguments};
use silvia::solid::Soup;
use silvia::solid::files::{Unit, WriteOptions, write_numbers};
use silvia::solid::primitives::{self, PrimitiveError, TorusKnot};
use std::io::Write;
use std::path::PathBuf;

/// Writes a shape to a file: box, prism, cylinder, cone, sphere, torus, knot, peg, hole, bolt, countersink,
/// screw, nut, hex-bolt, hex-nut, cross-screw, screwdriver, key, pocket, tail, socket, snap-hook, snap-slot,
/// burr, l-bracket, t-bracket, gear or stone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia make box --size 40,20,10 -o plate.stl
  silvia make prism --outline \"0,0 2,0 2,1 1,1 1,2 0,2\" --height 1 -o l.obj
  silvia make torus --ring 3 --tube 1 --unit mm --unit-out m -o ring.ply
  silvia make knot --triangles 1000000 -o knot.stl
  silvia make peg --facets 6 --clearance 0.01 --radius 5 --length 30 --unit mm -o peg.stl
  silvia make bolt --unit mm -o bolt.stl
  silvia make hole --facets 6 --clearance 0.01 --radius 5 --depth 20 --wall 5 --unit mm -o hole.stl

A length is a number in the unit of `--unit`, or has a unit of its own: `30` or `30 mm`.
An existing file is replaced only with --force. Shapes stand upright along the z axis, centred at
the origin. Round ones are polyhedra with their corners on the true surface. Peg and hole,
bolt and countersink, screw and nut, cross-screw and screwdriver, key and pocket, tail and socket
share a frame: with equal sizes, they are assembled when both are at the origin.
`silvia make SHAPE --help` lists the parameters of each.")]
pub(crate) struct Make {
    #[command(subcommand)]
    shape: Shape,
}

#[derive(Subcommand)]
enum Shape {
    /// A box.
    Box {
        /// Edge lengths along x, y and z; one number makes a cube.
        #[arg(long, value_name = "X,Y,Z", value_parser = lengths::size, default_value = "1 m",
            allow_hyphen_values = true)]
        size: Size,
        #[command(flatten)]
        output: Output,
    },
    /// An upright prism over a regular polygon, or over any outline with holes.
    Prism {
        /// Number of corners of the regular polygon.
        #[arg(long, value_name = "N", default_value_t = 6)]
        sides: usize,
        /// Distance from the axis to the corners of the regular polygon.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        radius: Length,
        /// Any polygon in place of the regular one: its corners in order.
        #[arg(long, value_name = "X,Y X,Y …", conflicts_with_all = ["sides", "radius"])]
        outline: Option<Outline>,
        /// A hole in the outline; may be given several times.
        #[arg(long, value_name = "X,Y X,Y …", requires = "outline")]
        hole: Vec<Outline>,
        /// Height along z.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        height: Length,
        #[command(flatten)]
        output: Output,
    },
    /// An upright cylinder.
    Cylinder {
        /// Distance from the axis to the corners.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        radius: Length,
        /// Height along z.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        height: Length,
        /// Number of sides of the polygon that replaces the circle.
        #[arg(long, value_name = "N", default_value_t = 32)]
        segments: usize,
        #[command(flatten)]
        output: Output,
    },
    /// An upright cone or frustum.
    Cone {
        /// Distance from the axis to the corners at the bottom.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        radius: Length,
        /// Radius at the top, for a frustum.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
        top: Option<Length>,
        /// Height along z.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        height: Length,
        /// Number of sides of the polygon that replaces the circle.
        #[arg(long, value_name = "N", default_value_t = 32)]
        segments: usize,
        #[command(flatten)]
        output: Output,
    },
    /// A geodesic sphere: 20 N² triangles of nearly equal size.
    Sphere {
        /// Distance from the centre to the corners.
        #[arg(long, value_parser = positive_length, default_value = "1 m")]
        radius: Length,
        /// N: number of parts of each edge of the icosahedron.
        #[arg(long, value_name = "N", default_value_t = 8)]
        frequency: usize,
        /// Choose N for about this many triangles.
        #[arg(long, value_name = "COUNT", conflicts_with = "frequency")]
        triangles: Option<usize>,
        #[command(flatten)]
        output: Output,
    },
    /// A torus about the z axis.
    Torus {
        /// Distance from the axis to the middle of the tube.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length, default_value = "2 m")]
        ring: Length,
        /// Radius of the tube.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length, default_value = "0.5 m")]
        tube: Length,
        /// Segments along the ring.
        #[arg(long, value_name = "N", default_value_t = 48)]
        along: usize,
        /// Segments around the tube.
        #[arg(long, value_name = "N", default_value_t = 16)]
        around: usize,
        #[command(flatten)]
        output: Output,
    },
    /// A tube along a torus knot; by default the trefoil.
    Knot {
        /// Turns around the z axis.
        #[arg(long, value_name = "P", default_value_t = TorusKnot::TREFOIL.around_axis)]
        around_axis: u32,
        /// Turns around the ring; coprime to P.
        #[arg(long, value_name = "Q", default_value_t = TorusKnot::TREFOIL.around_ring)]
        around_ring: u32,
        /// Distance from the axis to the ring that the knot winds around.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
        #[arg(default_value_t = Length::metres(TorusKnot::TREFOIL.ring_radius))]
        ring: Length,
        /// Distance from the ring to the middle of the tube.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
        #[arg(default_value_t = Length::metres(TorusKnot::TREFOIL.coil_radius))]
        coil: Length,
        /// Radius of the tube.
        #[arg(long, value_name = "RADIUS", value_parser = positive_length)]
        #[arg(default_value_t = Length::metres(TorusKnot::TREFOIL.tube_radius))]
        tube: Length,
        /// Approximate number of triangles.
        #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
        triangles: usize,
        #[command(flatten)]
        output: Output,
    },
    /// A peg with any number of facets, for `hole`.
    Peg {
        #[command(flatten)]
        sizes: PegArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A block with the hole for `peg`.
    Hole {
        #[command(flatten)]
        sizes: PegArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A bolt with a conical head, for `countersink`.
    Bolt {
        #[command(flatten)]
        sizes: BoltArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A block with the countersunk hole for `bolt`.
    Countersink {
        #[command(flatten)]
        sizes: BoltArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A screw with a hexagonal head, for `nut`.
    Screw {
        #[command(flatten)]
        sizes: ScrewArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A nut whose thread fits that of `screw`.
    Nut {
        #[command(flatten)]
        sizes: ScrewArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A metric bolt with a hexagonal head (ISO 4017), for `hex-nut`.
    HexBolt {
        #[command(flatten)]
        sizes: HexArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A metric nut (ISO 4032) whose thread fits that of `hex-bolt`.
    HexNut {
        #[command(flatten)]
        sizes: HexArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A screw with a cross recess (Phillips), for `screwdriver`.
    CrossScrew {
        #[command(flatten)]
        sizes: RecessArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A screwdriver that fits `cross-screw`.
    Screwdriver {
        #[command(flatten)]
        sizes: RecessArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A rectangular peg, for `pocket`.
    Key {
        #[command(flatten)]
        sizes: KeyArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A block with a chamfered pocket for `key`.
    Pocket {
        #[command(flatten)]
        sizes: KeyArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A rail with a dovetail, for `socket`.
    Tail {
        #[command(flatten)]
        sizes: DovetailArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A block with the groove for `tail`.
    Socket {
        #[command(flatten)]
        sizes: DovetailArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A cantilever hook on a base plate, for `snap-slot`.
    SnapHook {
        #[command(flatten)]
        sizes: SnapArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A plate with the slot for `snap-hook`.
    SnapSlot {
        #[command(flatten)]
        sizes: SnapArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A piece of a puzzle of three boards.
    Burr {
        #[command(flatten)]
        sizes: BurrArguments,
        #[command(flatten)]
        output: Output,
    },
    /// Two plates at right angles, an L seen along z.
    LBracket {
        #[command(flatten)]
        sizes: BracketArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A plate with a web on its middle, an inverted T seen along z.
    TBracket {
        #[command(flatten)]
        sizes: BracketArguments,
        #[command(flatten)]
        output: Output,
    },
    /// A gear wheel with involute teeth.
    Gear {
        #[command(flatten)]
        sizes: GearArguments,
        #[command(flatten)]
        output: Output,
    },
    /// An irregular stone.
    Stone {
        #[command(flatten)]
        sizes: StoneArguments,
        #[command(flatten)]
        output: Output,
    },
}

/// Where the shape is written.
#[derive(clap::Args)]
struct Output {
    /// The file to write: .stl, .obj or .ply.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: PathBuf,
    /// Unit of lengths given without one, and of the file: m, mm, cm, um, in or ft. Defaults stay the lengths
    /// that they are.
    #[arg(long, default_value = "m")]
    unit: Unit,
    /// Unit of the numbers in the file; by default that of the lengths.
    #[arg(long, value_name = "UNIT")]
    unit_out: Option<Unit>,
    /// Write the text variant of STL or PLY.
    #[arg(long)]
    text: bool,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
}

impl Make {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (soup, output) = self.shape.made();
        let soup = soup.map_err(|e| Failure::Bad(e.to_string()))?;
        must_be_new(&output.file, output.force)?;
        output.save(soup, self.shape.is_machined())
    }
}

/// Few parts of machines are larger than this, m.
const LARGE: f64 = 2.0;
/// What to do where one is.
const SMALLER: &str = "give `--unit mm`, or lengths like \"5 mm\", if that is too large";

impl Shape {
    /// Whether it is a part of a machine, of which the defaults are some millimetres.
    fn is_machined(&self) -> bool {
        !matches!(
            self,
            Shape::Box { .. }
                | Shape::Prism { .. }
                | Shape::Cylinder { .. }
                | Shape::Cone { .. }
                | Shape::Sphere { .. }
                | Shape::Torus { .. }
                | Shape::Knot { .. }
                | Shape::Stone { .. }
        )
    }

    /// The triangles, in the unit of the given lengths.
    fn made(&self) -> (Result<Soup, PrimitiveError>, &Output) {
        match self {
            Shape::Box { size, output } => (primitives::cuboid(size.in_unit(output.unit)), output),
            Shape::Prism { outline: Some(outline), hole, height, output, .. } => {
                let holes: Vec<Vec<[f64; 2]>> = hole.iter().map(|hole| hole.0.clone()).collect();
                (primitives::extrusion(&outline.0, &holes, height.in_unit(output.unit)), output)
            }
            Shape::Prism { sides, radius, height, output, .. } => {
                let [radius, height] = output.numbers([radius, height]);
                (primitives::prism(*sides, radius, height), output)
            }
            Shape::Cylinder { radius, height, segments, output } => {
                let [radius, height] = output.numbers([radius, height]);
                (primitives::cylinder(radius, height, *segments), output)
            }
            Shape::Cone { radius, top: None, height, segments, output } => {
                let [radius, height] = output.numbers([radius, height]);
                (primitives::cone(radius, height, *segments), output)
            }
            Shape::Cone { radius, top: Some(top), height, segments, output } => {
                let [radius, top, height] = output.numbers([radius, top, height]);
                (primitives::frustum(radius, top, height, *segments), output)
            }
            Shape::Sphere { radius, frequency, triangles, output } => {
                let frequency = triangles.map_or(*frequency, frequency_for);
                (primitives::sphere(radius.in_unit(output.unit), frequency), output)
            }
            Shape::Torus { ring, tube, along, around, output } => {
                let [ring, tube] = output.numbers([ring, tube]);
                (primitives::torus(ring, tube, *along, *around), output)
            }
            Shape::Knot { around_axis, around_ring, ring, coil, tube, triangles, output } => {
                let [ring_radius, coil_radius, tube_radius] = output.numbers([ring, coil, tube]);
                let (around_axis, around_ring) = (*around_axis, *around_ring);
                let knot = TorusKnot { around_axis, around_ring, ring_radius, coil_radius, tube_radius };
                (knot.soup_with_triangles(*triangles), output)
            }
            Shape::Peg { sizes, output } => (sizes.fit(output.unit).peg(), output),
            Shape::Hole { sizes, output } => (sizes.fit(output.unit).block(), output),
            Shape::Bolt { sizes, output } => (sizes.fit(output.unit).bolt(), output),
            Shape::Countersink { sizes, output } => (sizes.fit(output.unit).block(), output),
            Shape::Screw { sizes, output } => (sizes.fit(output.unit).screw(), output),
            Shape::Nut { sizes, output } => (sizes.fit(output.unit).nut(), output),
            Shape::HexBolt { sizes, output } => (sizes.bolt(output.unit), output),
            Shape::HexNut { sizes, output } => (sizes.nut(output.unit), output),
            Shape::CrossScrew { sizes, output } => (sizes.screw(output.unit), output),
            Shape::Screwdriver { sizes, output } => (sizes.driver(output.unit), output),
            Shape::Key { sizes, output } => (sizes.fit(output.unit).key(), output),
            Shape::Pocket { sizes, output } => (sizes.fit(output.unit).block(), output),
            Shape::Tail { sizes, output } => (sizes.fit(output.unit).tail(), output),
            Shape::Socket { sizes, output } => (sizes.fit(output.unit).socket(), output),
            Shape::SnapHook { sizes, output } => (sizes.fit(output.unit).hook(), output),
            Shape::SnapSlot { sizes, output } => (sizes.fit(output.unit).slot(), output),
            Shape::Burr { sizes, output } => (sizes.piece(output.unit), output),
            Shape::LBracket { sizes, output } => (sizes.l(output.unit), output),
            Shape::TBracket { sizes, output } => (sizes.t(output.unit), output),
            Shape::Gear { sizes, output } => (sizes.gear(output.unit).soup(), output),
            Shape::Stone { sizes, output } => (sizes.stone(output.unit).soup(), output),
        }
    }
}

impl Output {
    /// Lengths as numbers in the given unit.
    fn numbers<const N: usize>(&self, lengths: [&Length; N]) -> [f64; N] {
        lengths.map(|length| length.in_unit(self.unit))
    }

    /// Writes the file. Of a part of a machine, `is_machined`, a doubtful size is told.
    fn save(&self, soup: Soup, is_machined: bool) -> Result<(), Failure> {
        let unit_out = self.unit_out.unwrap_or(self.unit);
        // If the units are equal, the file holds the given numbers to the bit.
        let soup = if unit_out == self.unit {
            soup
        } else {
            soup.scaled(self.unit.metres() / unit_out.metres())
                .map_err(|e| Failure::with_file(&self.file, e))?
        };
        let options = WriteOptions { format: text_format(&self.file, self.text), unit: unit_out };
        write_numbers(&self.file, &soup, &options)?;
        let size = unit_out.to_metres(soup.bounds().size().length());
        if is_machined && size > LARGE {
            let size = measure(size);
            eprintln!("note: this part is {size} m across: plain lengths are in {}; {SMALLER}", self.unit);
        }
        let (name, count) = (self.file.display(), soup.triangles().len());
        Ok(writeln!(std::io::stdout(), "{name}: {count} triangles, in {unit_out}")?)
    }
}

/// The frequency N whose 20 N² is nearest to a number of triangles.
fn frequency_for(triangles: usize) -> usize {
    ((triangles as f64 / 20.0).sqrt().round() as usize).max(1)
}

/// A part made in metres, in another unit.
fn in_unit(soup: Soup, unit: Unit) -> Result<Soup, PrimitiveError> {
    let points = soup.points().iter().map(|&p| p / unit.metres()).collect();
    Ok(Soup::new(points, soup.triangles().to_vec())?)
}
