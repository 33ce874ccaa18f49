//! `silvia inspect`: the properties and defects of a part.

mod findings;
mod json;
mod text;

use crate::failure::Failure;
use crate::values;
use findings::Findings;
use silvia::solid::files::{ReadOptions, Unit, read_with};
use silvia::solid::repair::weld;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reports the properties and defects of parts: counts, closed or not, components, genus, edge classes,
/// volume, area, centre, inertia, bounding box, defects.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia inspect bolt.stl --unit mm               the file's numbers are millimetres
  silvia inspect bolt.stl --unit mm --density 7850   and it is made of steel: mass in kg
  silvia inspect *.stl --json                     one JSON object per line, for programs
  silvia inspect scan.ply --weld 1e-6             after merging points nearer than 1e-6

Text is in the unit given by --unit; JSON is always in SI units (m, m², m³, kg m²), and its inertia
is about the centre for a density of 1 kg/m³. For input that is not a solid (open, non-manifold,
wrongly oriented), properties that only a solid has are null in JSON and left out of the text.

All files are examined, even if one of them is bad; the exit code is 1 if one could not be read.
Defects are findings, not errors: the exit code stays 0.")]
pub(crate) struct Inspect {
    /// STL, OBJ or PLY files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object per file, each on a line.
    #[arg(long)]
    json: bool,
    /// Unit of the numbers in the files: m, mm, cm, um, in or ft.
    #[arg(long, default_value = "m")]
    unit: Unit,
    /// First merge points nearer than TOL to each other, in the given unit.
    #[arg(long, value_name = "TOL", value_parser = values::not_negative)]
    weld: Option<f64>,
    /// Also find triangles that cut through each other (slower).
    #[arg(long)]
    self_intersections: bool,
    /// Also report the mass and the inertia for this density, in kg/m³.
    #[arg(long, value_name = "KG/M3", value_parser = values::positive)]
    density: Option<f64>,
}

impl Inspect {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        let (mut shown, mut failed) = (0, 0);
        for file in &self.files {
            match self.look_at(file) {
                Ok(findings) => {
                    self.show(&findings, shown, &mut out)?;
                    shown += 1;
                }
                Err(failure) => {
                    eprintln!("error: {failure}");
                    failed += 1;
                }
            }
        }
        if failed == 0 { Ok(()) } else { Err(Failure::AlreadyTold) }
    }

    fn look_at(&self, file: &Path) -> Result<Findings, Failure> {
        let part = read_with(file, &ReadOptions { unit: self.unit, ..ReadOptions::default() })?;
        let welded = match self.weld {
            None => None,
            Some(tolerance) => {
                let tolerance = self.unit.to_metres(tolerance);
                Some(weld(&part.soup, tolerance).map_err(|e| Failure::with_file(file, e))?.soup)
            }
        };
        let soup = welded.as_ref().unwrap_or(&part.soup);
        Ok(Findings::of(file, part.format, soup, &part.soup, self.self_intersections))
    }

    fn show(&self, findings: &Findings, shown: usize, out: &mut impl Write) -> Result<(), Failure> {
        if self.json {
            writeln!(out, "{}", json::of(findings, self.density))?;
        } else {
            if shown > 0 {
                writeln!(out)?;
            }
            write!(out, "{}", text::of(findings, self.unit, self.density))?;
        }
        // Flush each answer before the next file is read: that may take long.
        Ok(out.flush()?)
    }
}
