//! `silvia decompose`: divides a part into convex pieces, with a verified error.

use crate::failure::Failure;
use crate::numbers::number;
use crate::product::must_be_new;
use crate::values;
use serde_json::{Value, json};
use silvia::solid::Solid;
use silvia::solid::files::{ReadOptions, Unit, WriteOptions, read_with, write};
use silvia::solid::pieces::{DecomposeOptions, Decomposition, decompose};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Divides a part into convex pieces that cover it, and reports how far they stick out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia decompose bracket.stl                            how many pieces, and how well they fit
  silvia decompose gear.stl --error 0.005 --max-pieces 200  closer, with more pieces
  silvia decompose gear.stl --unit mm --out pieces --format obj   a file for each piece

The error is a fraction of the diagonal of the part's bounding box: no point of a piece may be
further from the part than that. The reported `concavity` is verified: it holds for every point of
every piece. For convex parts it is the tolerance of their faces. If the pieces run out before the
error is reached, the command says so and the exit code is 0: the pieces still cover the part. Each
separate component needs a piece, so fewer pieces than components are refused.

Text is in the unit given by --unit; JSON is always in metres. It has the keys `count`, `concavity`,
`complete` (whether the error was reached; convex parts need no more cuts, whatever the error),
`solid_volume`, `piece_volume` and `pieces`, each with `vertices`, `triangles`, `volume`,
`concavity` and `file`.")]
pub(crate) struct Decompose {
    /// The part: an STL, OBJ or PLY file of a closed solid.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How far a piece may stick out, as a fraction of the part's size.
    #[arg(long, value_name = "FRACTION", value_parser = values::fraction)]
    #[arg(default_value_t = DecomposeOptions::default().error)]
    error: f64,
    /// The most pieces.
    #[arg(long, value_name = "COUNT", default_value_t = DecomposeOptions::default().max_pieces)]
    max_pieces: usize,
    /// Write the pieces into this folder, one file each; it is created if necessary.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace files that are there.
    #[arg(long, requires = "out")]
    force: bool,
    /// Format of these files.
    #[arg(long, value_enum, default_value_t = PieceFormat::Stl, requires = "out")]
    format: PieceFormat,
    /// Unit of the numbers in the file and of the pieces: m, mm, cm, um, in or ft.
    #[arg(long, default_value = "m")]
    unit: Unit,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PieceFormat {
    Stl,
    Obj,
    Ply,
}

impl PieceFormat {
    fn extension(self) -> &'static str {
        match self {
            PieceFormat::Stl => "stl",
            PieceFormat::Obj => "obj",
            PieceFormat::Ply => "ply",
        }
    }
}

impl Decompose {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let soup = read_with(&self.file, &ReadOptions { unit: self.unit, ..ReadOptions::default() })?.soup;
        let bad = |e: &dyn std::fmt::Display| Failure::with_file(&self.file, e);
        let solid = Solid::from_soup(&soup).map_err(|e| bad(&e))?;
        let options = DecomposeOptions { error: self.error, max_pieces: self.max_pieces };
        let found = decompose(&solid, &options).map_err(|e| bad(&e))?;
        let files = self.out.as_deref().map(|folder| self.save(folder, &found)).transpose()?;
        let mut out = std::io::stdout().lock();
        let told = if self.json {
            as_json(&found, files.as_deref()).to_string()
        } else {
            self.text(&found, self.error * solid.bounds().size().length())
        };
        Ok(writeln!(out, "{told}")?)
    }

    /// Writes the pieces, and returns their file names.
    fn save(&self, folder: &Path, found: &Decomposition) -> Result<Vec<PathBuf>, Failure> {
        let cannot =
            |e: std::io::Error| Failure::with_file(folder, format!("the folder cannot be made: {e}"));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let digits = found.pieces.len().to_string().len();
        let name = |i: usize| folder.join(format!("piece-{:0digits$}.{}", i + 1, self.format.extension()));
        // All of them, before the first is written.
        let files: Vec<PathBuf> = (0..found.pieces.len()).map(name).collect();
        files.iter().try_for_each(|path| must_be_new(path, self.force))?;
        for (path, piece) in files.iter().zip(&found.pieces) {
            write(path, piece.hull.soup(), &WriteOptions { unit: self.unit, ..WriteOptions::default() })?;
        }
        Ok(files)
    }

    fn text(&self, found: &Decomposition, wanted: f64) -> String {
        let length = |metres: f64| number(self.unit.from_metres(metres));
        let cube = self.unit.from_metres(1.0).powi(3);
        let volume = |v: f64| number(v * cube);
        let unit = self.unit;
        let asked = format!("the {} {unit} asked for", length(wanted));
        let reached = match found.complete {
            false => format!("NOT within {asked}"),
            true if found.concavity <= wanted => format!("within {asked}"),
            true => "the tolerance of its faces: every piece is a convex part".to_owned(),
        };
        format!(
            "pieces     {}\nconcavity  at most {} {unit}, {reached}\nvolume     {} {unit}³, of the pieces {} \
             {unit}³ (+{:.2}%)",
            found.pieces.len(),
            length(found.concavity),
            volume(found.solid_volume),
            volume(found.piece_volume),
            100.0 * (found.piece_volume / found.solid_volume - 1.0).max(0.0),
        )
    }
}

fn as_json(found: &Decomposition, files: Option<&[PathBuf]>) -> Value {
    let piece = |(i, p): (usize, &silvia::solid::pieces::Piece)| {
        json!({
            "vertices": p.hull.vertex_count(),
            "triangles": p.hull.triangle_count(),
            "volume": p.hull.mass().volume,
            "concavity": p.concavity,
            "file": files.map(|f| f[i].display().to_string()),
        })
    };
    json!({
        "count": found.pieces.len(),
        "concavity": found.concavity,
        "complete": found.complete,
        "solid_volume": found.solid_volume,
        "piece_volume": found.piece_volume,
        "pieces": found.pieces.iter().enumerate().map(piece).collect::<Vec<_>>(),
    })
}
