//! `silvia run`: makes the steps of a scene and records them.

use crate::failure::Failure;
use crate::numbers::time;
use crate::report::after_run;
use crate::running::{Running, told};
use crate::values;
use clap::builder::PossibleValuesParser;
use silvia::scene::recording::{FILE_NAME, RecordingWriter};
use silvia::scene::scene::folded;
use silvia::scene::{Overrides, Runner, Scene, Setup};
use silvia::world::response;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Runs a scene and records it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia run scenes/stack.toml                    into the new folder runs/stack
  silvia run stack.toml --until 10 --method ncp   longer than the scene says, by another method
  silvia run stack.toml --open                    with a report, opened in the browser
  silvia run stack.toml --accuracy 1e-3           in steps as long as their error allows
  silvia run stack.toml --profile                 with a table of the time of each stage
  silvia run stack.toml --out here --json         into the folder `here`, with the summary as JSON

The recording is the file `recording.silvia` in the folder. Ctrl-C ends the run after the current
step and keeps everything before it; a crash or a power cut costs less than the last second. `silvia
resume FOLDER` continues, to the same bits as if nothing had happened.

In the summary, `penetration` is the deepest overlap of two bodies at any state, found by a checker
that shares no code with the engine; `energy` says where the energy went, and its `error` is what of
that nothing explains, in J and relative to what flowed; `momentum` likewise; `profile`, with
`--profile`, is the cost of each stage of a step: its share, its time (summed over threads), and the
amount of work; `success`, of a scene with goals, says which were reached and how near the others
came. A note says so if the motion or the energy may be off by more than 1 %. If a step is
refused (stuck, overlapping bodies), the run ends with exit code 1; everything before it is recorded.")]
pub(crate) struct Run {
    /// The scene: a TOML file.
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// The response method: auto, ncp, lcp or bilateral; by default that of the scene.
    #[arg(long, value_name = "METHOD", value_parser = PossibleValuesParser::new(response::NAMES))]
    method: Option<String>,
    /// Length of a step, s; by default that of the scene.
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Choose the steps by an estimate of their error: as large as this in a second, of places by the size of
    /// bodies and of velocities by their speed. No step is longer than that of the scene or of --dt.
    #[arg(long, value_name = "ERROR", value_parser = values::finite, allow_negative_numbers = true)]
    accuracy: Option<f64>,
    /// End time, s of simulated time; by default that of the scene.
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    until: Option<f64>,
    /// The folder for the recording; by default `runs/NAME` with the scene's name, or `runs/NAME-2` and so on
    /// if that exists.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace a recording in the folder.
    #[arg(long, requires = "out")]
    force: bool,
    /// Make a report of the recording after the run, as `silvia report` does.
    #[arg(long)]
    report: bool,
    /// Make the report and open it in the browser.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    running: Running,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let scene = Scene::load(&self.scene).map_err(|error| Failure::Bad(error.to_string()))?;
        let overrides = Overrides {
            method: self.method.clone(),
            step: self.dt,
            accuracy: self.accuracy,
            until: self.until,
            threads: self.running.threads.map(usize::from),
        };
        let (setup, told_before) =
            scene.setup_with_doubts(&overrides).map_err(|error| Failure::Bad(error.to_string()))?;
        let name = self.scene.display().to_string();
        // That the run ends elsewhere is told below; of frames the scene knows nothing under another step.
        let is_told = |field: &str| field == "run.until" || field == "record.every" && self.dt.is_some();
        for finding in folded(&told_before).iter().filter(|finding| !is_told(&finding.field)) {
            eprintln!("{}", finding.in_file(&name));
        }
        note_other_end(&setup);
        let options = self.running.options();
        let stop = options.stop.clone();
        let header = setup.header.clone();
        let runner = Runner::new(setup, options).map_err(|error| told(&error))?;
        let folder = match &self.out {
            Some(folder) => named(folder)?,
            None => new_folder(&self.scene)?,
        };
        let file = folder.join(FILE_NAME);
        let writer = RecordingWriter::create(&file, &header, self.force)
            .map_err(|error| Failure::Bad(error.to_string()))?;
        let ended = self.running.run(runner.recorded(writer), &stop, &file);
        if self.report || self.open {
            // Also after a run that was stopped or refused a step: there is something to see.
            match after_run(&file, self.open) {
                Ok(page) => eprintln!("{}: the report", page.display()),
                Err(failure) if ended.is_ok() => return Err(failure),
                Err(_) => {}
            }
        }
        ended
    }
}

/// Says so where the run ends at another time than it was told to.
pub(crate) fn note_other_end(setup: &Setup) {
    let (end, until, step) = (setup.end(), setup.run.until, setup.run.step);
    // A millionth of a step is rounding.
    if (end - until).abs() > 1e-6 * step {
        let [end, until, step] = [end, until, step].map(time);
        eprintln!("note: {until} s is not a whole number of steps of {step} s; the run ends at {end} s");
    }
}

/// The folder that the user named.
pub(crate) fn named(folder: &Path) -> Result<PathBuf, Failure> {
    if folder.is_file() {
        let what = "the folder cannot be made: this is a file; choose another with `--out FOLDER`";
        return Err(Failure::with_file(folder, what));
    }
    match fs::create_dir_all(folder) {
        Ok(()) => Ok(folder.to_owned()),
        Err(error) => Err(cannot_make(folder, &error)),
    }
}

/// A new folder with the scene's name.
fn new_folder(scene: &Path) -> Result<PathBuf, Failure> {
    let stem = scene.file_stem().map_or("scene".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let runs = named(Path::new("runs"))?;
    for number in 1_u32.. {
        let folder = runs.join(if number == 1 { stem.clone() } else { format!("{stem}-{number}") });
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_make(&folder, &error)),
        }
    }
    Err(Failure::with_file(&runs, "is full: take old runs away"))
}

fn cannot_make(folder: &Path, error: &io::Error) -> Failure {
    Failure::with_file(
        folder,
        format!("the folder cannot be made ({error}): choose another with `--out FOLDER`"),
    )
}
