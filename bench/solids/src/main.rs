//! `cargo xtask bench solids`: what `silvia inspect` does, and the same with trimesh, on the same binary STL
//! files.
//!
//! The two run in turn, each time in a process of its own, so that a busy machine hurts both alike and peak
//! memory is each one's own. The time is that of the work: loading the program, or Python and its packages,
//! is not in it.

mod measure;
mod table;

use bench_common::Options;
use measure::Measurement;
use silvia::solid::files::{WriteOptions, write};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// How often each side runs on a file; medians are shown.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    bench_common::finish(match &arguments[..] {
        [word, file] if word == "measure" => measure::here(Path::new(file)),
        _ => Options::read(arguments.into_iter()).map_err(Into::into).and_then(|options| compare(&options)),
    })
}

/// The two sides on one file.
struct Duel {
    part: &'static str,
    ours: Vec<Measurement>,
    theirs: Vec<Measurement>,
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let (sizes, runs): (&[usize], usize) =
        if options.quick { (&[1_000, 10_000], 1) } else { (&[10_000, 100_000, 1_000_000], RUNS) };
    let mut duels = Vec::new();
    for part in ["knot", "sphere"] {
        for &size in sizes {
            let file = make(options, part, size)?;
            duels.push(duel(options, part, &file, runs)?);
        }
    }
    let page = options.output().join("bench-solids.md");
    let text = table::page(&duels, runs, &version_of_trimesh(options)?, &options.commit);
    std::fs::write(&page, &text)?;
    std::fs::write(options.output().join("bench-solids.svg"), table::plot(&duels))?;
    println!("\n{text}");
    println!("written: {}", page.display());
    Ok(())
}

/// A binary STL of about so many triangles.
fn make(options: &Options, part: &str, triangles: usize) -> Result<PathBuf, Box<dyn Error>> {
    let file = options.scratch().join(format!("{part}-{triangles}.stl"));
    let soup = measure::shape(part, triangles)?;
    write(&file, &soup, &WriteOptions::default())?;
    Ok(file)
}

fn duel(options: &Options, part: &'static str, file: &Path, runs: usize) -> Result<Duel, Box<dyn Error>> {
    let script = options.root.join("bench/solids/trimesh_inspect.py");
    let mut duel = Duel { part, ours: Vec::new(), theirs: Vec::new() };
    for run in 1..=runs {
        let ours = ask(Command::new(std::env::current_exe()?).arg("measure").arg(file))?;
        let theirs = ask(Command::new(&options.python).arg(&script).arg(file))?;
        let (a, b) = (ours.seconds.total, theirs.seconds.total);
        println!("{part} {}, run {run}: silvia {a:.4} s, trimesh {b:.4} s", ours.values.triangles);
        ours.values.agree_with(&theirs.values)?;
        duel.ours.push(ours);
        duel.theirs.push(theirs);
    }
    Ok(duel)
}

fn ask(command: &mut Command) -> Result<Measurement, Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn version_of_trimesh(options: &Options) -> Result<String, Box<dyn Error>> {
    let output =
        Command::new(&options.python).args(["-c", "import trimesh; print(trimesh.__version__)"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
