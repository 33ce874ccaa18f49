//! `silvia convert`: converts a file to another, with only the repairs asked for.

use crate::failure::Failure;
use crate::numbers::measure;
use crate::product::must_be_new;
use crate::values;
use silvia::solid::Soup;
use silvia::solid::files::{Format, ReadOptions, Unit, WriteOptions, read_with, write};
use silvia::solid::repair::{
    RepairError, Repaired, drop_degenerate, drop_duplicates, orient, split_t_junctions, unite, weld,
};
use std::path::PathBuf;

/// Converts a part from one file to another: format, unit, scale, and the repairs asked for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia convert bolt.stl bolt.ply                        another format
  silvia convert bolt.stl bolt.obj --unit-in in --unit-out mm   inches to millimetres
  silvia convert scan.ply scan.stl --weld 1e-6 --orient   closed and outward, if it only looked open
  silvia convert nut.stl nut.ply --unit-in mm --drop-degenerate --split-t-junctions 1e-3

An existing file is replaced only with --force, FROM itself too. Nothing is repaired unless
asked for; `silvia inspect` says which repairs make a solid of a part that is none. They run in this
order: weld, drop degenerate, drop duplicates, split T-junctions, unite, orient. Standard error
reports how much each one changed, and how far any point moved.")]
pub(crate) struct Convert {
    /// The file to read: STL, OBJ or PLY.
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The file to write; its extension gives the format.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Unit of the numbers in FROM: m, mm, cm, um, in or ft.
    #[arg(long, value_name = "UNIT", default_value = "m")]
    unit_in: Unit,
    /// Unit of the numbers in TO; by default that of FROM.
    #[arg(long, value_name = "UNIT")]
    unit_out: Option<Unit>,
    /// Scale the part by this factor.
    #[arg(long, value_name = "FACTOR", value_parser = values::positive)]
    scale: Option<f64>,
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
        let soup = self.scaled(self.repaired(part.soup)?)?;
        let unit = self.unit_out.unwrap_or(self.unit_in);
        write(&self.to, &soup, &WriteOptions { unit, format: text_format(&self.to, self.text) })?;
        Ok(())
    }

    fn repaired(&self, mut soup: Soup) -> Result<Soup, Failure> {
        let mut apply = |what: &str, repair: &dyn Fn(&Soup) -> Result<Repaired, RepairError>| {
            let done = repair(&soup).map_err(|e| Failure::with_file(&self.from, e))?;
            let moved = match self.unit_in.from_metres(done.moved) {
                0.0 => String::new(),
                moved => format!(", moved by at most {} {}", measure(moved), self.unit_in),
            };
            eprintln!("{}: {what} {}{moved}", self.from.display(), done.changed);
            soup = done.soup;
            Ok::<(), Failure>(())
        };
        if let Some(tolerance) = self.weld {
            let tolerance = self.unit_in.to_metres(tolerance);
            apply("points welded:", &|s| weld(s, tolerance))?;
        }
        if self.drop_degenerate {
            apply("degenerate triangles dropped:", &drop_degenerate)?;
        }
        if self.drop_duplicates {
            apply("duplicate triangles dropped:", &drop_duplicates)?;
        }
        if let Some(tolerance) = self.split_t_junctions {
            let tolerance = self.unit_in.to_metres(tolerance);
            apply("T-junctions split:", &|s| split_t_junctions(s, tolerance))?;
        }
        if self.unite {
            apply("shells united:", &unite)?;
        }
        if self.orient {
            apply("triangles turned over:", &orient)?;
        }
        Ok(soup)
    }

    fn scaled(&self, soup: Soup) -> Result<Soup, Failure> {
        let Some(factor) = self.scale else { return Ok(soup) };
        soup.scaled(factor).map_err(|e| Failure::with_file(&self.from, e))
    }
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
