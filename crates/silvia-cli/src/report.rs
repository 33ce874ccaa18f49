//! `silvia report`: a recording as a single web page.

use crate::failure::Failure;
use crate::numbers::file_size;
use crate::product::{Place, opened};
use serde_json::json;
use silvia::scene::report::page;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes one HTML page from a recording: playback in 3D, plots, tables. It opens anywhere, without a network.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia report run --open                  writes run/report.html and opens it in a browser
  silvia report run -o stack.html --force   writes another file, replacing an existing one

The recording is a file or the folder that `silvia run --out` made. The page is one file of at most
about 25 MB: for long recordings it has fewer frames, and says so. In the page: space plays, comma
and full stop step, R resets the view, C shows forces, I shows impacts; a click on a body describes
it. A link can name a moment and more: report.html#t=0.5&forces&body=2.")]
pub(crate) struct Report {
    /// The recording: a file, or the folder of a run.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// The file to write; by default report.html in the run's folder.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Replace an existing FILE.
    #[arg(long)]
    force: bool,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Report what was written as a line of JSON.
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let place = Place::new(self.file.as_deref(), &self.recording, "report.html", self.force);
        let ending = place.path.extension().map(|ending| ending.to_ascii_lowercase());
        if ending.is_some_and(|ending| ending != "html" && ending != "htm") {
            let what = "a report is a web page: give the file the ending .html (`silvia export` writes \
                        data, and `silvia render` pictures)";
            return Err(Failure::with_file(&place.path, what));
        }
        place.check()?;
        let recording = opened(&self.recording)?;
        let page = page(&recording).map_err(|e| Failure::with_file(&self.recording, e))?;
        place.write(page.as_bytes())?;
        let file = place.path.display();
        if self.json {
            println!(
                "{}",
                json!({ "file": file.to_string(), "bytes": page.len(), "frames": recording.len() })
            );
        } else {
            println!("{file}: {} frames, {}", recording.len(), file_size(page.len() as u64));
        }
        if self.open {
            show(&place.path);
        }
        Ok(())
    }
}

/// Writes the page of a finished run beside its recording, and opens it in the browser if asked for.
pub(crate) fn after_run(recording: &Path, open: bool) -> Result<PathBuf, Failure> {
    let place = Place::new(None, recording, "report.html", false);
    let page = page(&opened(recording)?).map_err(|e| Failure::with_file(recording, e))?;
    place.write(page.as_bytes())?;
    if open {
        show(&place.path);
    }
    Ok(place.path)
}

/// Opens a file with the system's default program; where there is none, says where the file is.
fn show(path: &Path) {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut start = Command::new("cmd");
            // The empty word is the window title; `start` would otherwise take the path for it.
            start.args(["/C", "start", ""]);
            start
        }
        _ => Command::new("xdg-open"),
    };
    command.arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // What was asked for is there: that a machine has no browser is no failure.
    if command.spawn().is_err() {
        eprintln!("note: no browser was found here; open {} in one", path.display());
    }
}
