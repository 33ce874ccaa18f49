//! `silvia export`: writes a recording as files for other programs.

use crate::failure::Failure;
use crate::numbers::file_size;
use crate::product::opened;
use crate::values;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use silvia::scene::export::{Choice, Format, export};
use silvia::scene::recording::{FILE_NAME, file_of};
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Writes a recording for other programs: tables, ParaView, glTF players such as Blender, Foxglove.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia export run --to csv                        run/csv: bodies, contacts, impacts, energy, steps
  silvia export run --to vtu -o paraview            paraview/bodies.pvd and contacts.pvd, for ParaView
  silvia export run --to gltf --every 2             run/recording.glb, with every second frame
  silvia export run --to mcap --from 1 --until 2.5  run/recording.mcap, from 1 s to 2.5 s

Lengths are in m, times in s, forces in N, angles in rad. z is up as in the scene; in glTF, y is up.
The last frame is always included. Existing files are replaced only with --force, or at the default
place in the folder of a run, since they are products of the same run.")]
pub(crate) struct Export {
    /// The recording: a file, or the folder of a run.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Kind,
    /// The folder (csv, vtu) or file (gltf, mcap) to write; by default beside the recording.
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    output: Option<PathBuf>,
    /// Leave out frames before this time, s.
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_negative_numbers = true)]
    from: Option<f64>,
    /// Leave out frames after this time, s.
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Take one frame out of N.
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::at_least_one)]
    every: NonZeroUsize,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Report what was written as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A folder of CSV tables.
    Csv,
    /// A folder of grids for ParaView.
    Vtu,
    /// A binary glTF file with an animation.
    Gltf,
    /// A file of messages for Foxglove.
    Mcap,
}

impl Export {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let recording = opened(&self.recording)?;
        let (path, replace) = self.place()?;
        let choice = Choice {
            from: self.from.unwrap_or(f64::NEG_INFINITY),
            until: self.until.unwrap_or(f64::INFINITY),
            every: self.every,
        };
        let bar = progress();
        let mut told = |done: usize, of: usize| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        };
        let done = export(&recording, self.to.format(), &path, &choice, replace, &mut told);
        bar.finish_and_clear();
        let done = done.map_err(|e| Failure::with_file(&self.recording, e))?;
        let mut out = std::io::stdout().lock();
        let name = path.display();
        if self.json {
            let (frames, files, bytes) = (done.frames, done.files, done.bytes);
            let line = json!({ "path": name.to_string(), "frames": frames, "files": files, "bytes": bytes });
            return Ok(writeln!(out, "{line}")?);
        }
        let frames = if done.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", done.frames) };
        let files = if done.files == 1 { String::new() } else { format!(" in {} files", done.files) };
        Ok(writeln!(out, "{name}: {frames}{files}, {}", file_size(done.bytes))?)
    }

    /// Where to write, and whether existing files may be replaced.
    fn place(&self) -> Result<(PathBuf, bool), Failure> {
        let file = file_of(&self.recording);
        let Some(path) = &self.output else {
            let in_run = file.file_name().is_some_and(|name| name == FILE_NAME);
            return Ok((self.to.beside(&file, in_run), self.force || in_run));
        };
        if path.canonicalize().is_ok_and(|path| file.canonicalize().is_ok_and(|file| path == file)) {
            return Err(Failure::with_file(path, "this is the recording itself: choose another name"));
        }
        Ok((path.clone(), self.force))
    }
}

impl Kind {
    fn format(self) -> Format {
        match self {
            Kind::Csv => Format::Csv,
            Kind::Vtu => Format::Vtu,
            Kind::Gltf => Format::Gltf,
            Kind::Mcap => Format::Mcap,
        }
    }

    /// The default path beside a recording's file, which may be in the folder of a run.
    fn beside(self, file: &Path, in_run: bool) -> PathBuf {
        let folder = |name: &str| match file.file_stem() {
            Some(stem) if !in_run => file.with_file_name(format!("{}-{name}", stem.to_string_lossy())),
            _ => file.with_file_name(name),
        };
        match self {
            Kind::Csv => folder("csv"),
            Kind::Vtu => folder("vtu"),
            Kind::Gltf => file.with_extension("glb"),
            Kind::Mcap => file.with_extension("mcap"),
        }
    }
}

/// A progress bar on standard error, if it is a terminal.
fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} to go");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
