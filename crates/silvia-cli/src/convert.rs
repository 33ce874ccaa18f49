//! `silvia convert`: converts a file to another, elsewhere if asked to, with only the repairs asked for.

use crate::failure::Failure;
use crate::lengths::{self, Way};
use crate::numbers::measure;
use crate::product::must_be_new;
use crate::values;
use silvia::solid::files::{Format, ReadOptions, Unit, WriteOptions, read_with, write};
use silvia::solid::repair::{
    Done, RepairError, Repaired, drop_degenerate, drop_duplicates, orient, plan, repaired, split_t_junctions,
    unite, weld,
};
use silvia::solid::{Solid, Soup, TransformError, Vec3};
use std::path::PathBuf;

/// Converts a part from one file to another: format, unit, scale, place, and the repairs asked for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia convert bolt.stl bolt.ply                        another format
  silvia convert bolt.stl bolt.obj --unit-in in --unit-out mm   inches to millimetres
  silvia convert scan.ply scan.stl --weld 1e-6 --orient   closed and outward, if it only looked open
  silvia convert nut.stl solid.stl --unit-in mm --repair        whatever makes a solid of it
  silvia convert nut.stl nut.ply --unit-in mm --drop-degenerate --split-t-junctions 1e-3
  silvia convert part.stl laid.stl --unit-in mm --rotate 90,0,0 --translate 0,0,12.5   laid on its side

An existing file is replaced only with --force, FROM itself too. Nothing is repaired unless
asked for. --repair finds out which repairs make a solid of the part, and applies these; `silvia
inspect` names them. Those that you name yourself run in this order: weld, drop degenerate, drop
duplicates, split T-junctions, unite, orient. Standard error reports how much each one changed, and
how far any point moved. The part is then scaled, rotated and translated, in this order.")]
pub(crate) struct Convert {
    /// The file to read: STL, OBJ or PLY.
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The file to write; its extension gives the format.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Unit of the numbers in FROM: m, mm, cm, um, in or ft.
    #[arg(long, visible_alias = "unit", value_name = "UNIT", default_value = "m")]
    unit_in: Unit,
    /// Unit of the numbers in TO; by default that of FROM.
    #[arg(long, value_name = "UNIT")]
    unit_out: Option<Unit>,
    /// Scale the part by this factor.
    #[arg(long, value_name = "FACTOR", value_parser = values::positive)]
    scale: Option<f64>,
    /// Rotate the part by so many degrees about the axes x, y and z through the origin, one after the other.
    #[arg(long, value_name = "X,Y,Z", value_parser = degrees, allow_hyphen_values = true)]
    rotate: Option<Vec3>,
    /// Move the part along x, y and z: in the unit of FROM, or with a unit of its own ("0,0,5 mm").
    #[arg(long, value_name = "X,Y,Z", value_parser = lengths::way, allow_hyphen_values = true)]
    translate: Option<Way>,
    /// Apply the repairs that make a solid of the part, as `silvia inspect` finds them; refuse it if none do.
    #[arg(long, conflicts_with_all = [
        "weld", "drop_degenerate", "drop_duplicates", "split_t_junctions", "unite", "orient",
    ])]
    repair: bool,
    /// Merge points nearer than TOL to each other, in the unit of FROM.
    #[arg(long, value_name = "TOL", value_parser = values::not_negative)]
    weld: Option<f64>,
    /// Drop triangles whose corners lie on one line.
    #[arg(long)]
    drop_degenerate: bool,
    /// Drop triangles with the same corners as an earlier one.
    #[arg(long)]
    drop_duplicates: bool,
    /// Split open sides at vertices of others that lie on them within TOL, in the unit of FROM.
    #[arg(long, value_name = "TOL", value_parser = values::not_negative)]
    split_t_junctions: Option<f64>,
    /// Make one shell of closed shells that pass through each other.
    #[arg(long)]
    unite: bool,
    /// Flip triangles so that neighbours agree and closed parts face outwards.
    #[arg(long)]
    orient: bool,
    /// Write the text variant of STL or PLY.
    #[arg(long)]
    text: bool,
    /// Replace an existing file, or the file itself if FROM and TO are one.
    #[arg(long)]
    force: bool,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        must_be_new(&self.to, self.force)?;
        let part = read_with(&self.from, &ReadOptions { unit: self.unit_in, ..ReadOptions::default() })?;
        let soup = self.placed(self.repaired(part.soup)?).map_err(|e| Failure::with_file(&self.from, e))?;
        let unit = self.unit_out.unwrap_or(self.unit_in);
        write(&self.to, &soup, &WriteOptions { unit, format: text_format(&self.to, self.text) })?;
        Ok(())
    }

    /// Tells what a repair did.
    fn tell(&self, what: &str, changed: usize, moved: f64) {
        let moved = match self.unit_in.from_metres(moved) {
            0.0 => String::new(),
            moved => format!(", moved by at most {} {}", measure(moved), self.unit_in),
        };
        eprintln!("{}: {what}: {changed}{moved}", self.from.display());
    }

    /// The part with whatever repairs make a solid of it.
    fn made_solid(&self, soup: Soup) -> Result<Soup, Failure> {
        let refused = |error: &dyn std::fmt::Display| Failure::with_file(&self.from, error);
        let Some(plan) = plan(&soup) else {
            return match Solid::from_soup(&soup) {
                Ok(_) => {
                    eprintln!("{}: there is nothing to repair", self.from.display());
                    Ok(soup)
                }
                Err(_) => Err(refused(
                    &"no repair here makes a solid of it: mend it where it was made (`silvia inspect` shows \
                      what is wrong, and where)",
                )),
            };
        };
        let (soup, done) = repaired(&soup, &plan.repairs, plan.tolerance).map_err(|e| refused(&e))?;
        for Done { repair, changed, moved } in done {
            self.tell(repair.counted(), changed, moved);
        }
        if let Some(place) = plan.crossing {
            let [x, y, z] = place.to_array().map(|x| measure(self.unit_in.from_metres(x)));
            eprintln!(
                "note: {}: its surface still passes through itself, near [{x}, {y}, {z}] {}",
                self.from.display(),
                self.unit_in
            );
        }
        Ok(soup)
    }

    fn repaired(&self, mut soup: Soup) -> Result<Soup, Failure> {
        if self.repair {
            return self.made_solid(soup);
        }
        let mut apply = |what: &str, repair: &dyn Fn(&Soup) -> Result<Repaired, RepairError>| {
            let done = repair(&soup).map_err(|e| Failure::with_file(&self.from, e))?;
            self.tell(what, done.changed, done.moved);
            soup = done.soup;
            Ok::<(), Failure>(())
        };
        if let Some(tolerance) = self.weld {
            let tolerance = self.unit_in.to_metres(tolerance);
            apply("points welded", &|s| weld(s, tolerance))?;
        }
        if self.drop_degenerate {
            apply("degenerate triangles dropped", &drop_degenerate)?;
        }
        if self.drop_duplicates {
            apply("duplicate triangles dropped", &drop_duplicates)?;
        }
        if let Some(tolerance) = self.split_t_junctions {
            let tolerance = self.unit_in.to_metres(tolerance);
            apply("T-junctions split", &|s| split_t_junctions(s, tolerance))?;
        }
        if self.unite {
            apply("shells united", &unite)?;
        }
        if self.orient {
            apply("triangles turned over", &orient)?;
        }
        Ok(soup)
    }

    /// Scales, rotates and translates.
    fn placed(&self, mut soup: Soup) -> Result<Soup, TransformError> {
        if let Some(factor) = self.scale {
            soup = soup.scaled(factor)?;
        }
        if let Some(degrees) = self.rotate {
            soup = soup.rotated(degrees)?;
        }
        if let Some(way) = self.translate {
            let way = way.in_unit(self.unit_in).to_array().map(|x| self.unit_in.to_metres(x));
            let (points, triangles) = soup.into_parts();
            let points = points.into_iter().map(|point| point + Vec3::from(way)).collect();
            soup = Soup::new(points, triangles)?;
        }
        Ok(soup)
    }
}

/// Angles about the three axes.
fn degrees(text: &str) -> Result<Vec3, String> {
    values::point(text.trim().trim_end_matches("deg"))
        .map_err(|_| "give three angles in degrees, about x, y and z: 90,0,0".to_owned())
}

/// The text variant of the format that a file's extension names; `None` leaves the choice to the writer.
pub(crate) fn text_format(path: &std::path::Path, text: bool) -> Option<Format> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "stl" if text => Some(Format::StlText),
        "ply" if text => Some(Format::PlyText),
        _ => None,
    }
}
