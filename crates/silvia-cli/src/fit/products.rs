//! What is written: the ways as CSV, a recording, a picture.

use super::drawing::{self, Shown};
use super::file_of;
use super::json::of_pose;
use crate::failure::Failure;
use crate::running::told;
use silvia::check::{CheckError, Checker};
use silvia::fit::{Answer, Assembly, Blocked, Part};
use silvia::scene::recording::{FILE_NAME, RecordingWriter};
use silvia::scene::scene::Played;
use silvia::scene::{RunOptions, Runner, Setup};
use silvia::solid::Pose;
use silvia::solid::files::Unit;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A recording of a way lasts about so long, s,
const PLAYED: f64 = 6.0;
/// but each leg at least and at most this, s.
const LEG: [f64; 2] = [0.005, 0.1];

/// The folder for them.
pub(super) struct Products {
    folder: PathBuf,
    force: bool,
}

/// The name of the picture.
const PICTURE: &str = "picture.png";

/// The files that were written.
#[derive(Default)]
pub(super) struct Files(Vec<PathBuf>);

impl Files {
    pub(super) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter()
    }
}

/// A part that moves, with its poses in order.
type Way<'a> = (usize, &'a [Pose]);

impl Products {
    /// Makes the folder. Refuses one that has what is to be written, unless that may be replaced.
    pub(super) fn new(folder: &Path, parts: &[Part], force: bool) -> Result<Products, Failure> {
        let folder = crate::run::named(folder)?;
        let others = [FILE_NAME, PICTURE].map(|name| folder.join(name));
        let tables = parts.iter().skip(1).map(|part| file_of(&folder, part, "csv"));
        for file in others.into_iter().chain(tables) {
            crate::product::must_be_new(&file, force)?;
        }
        Ok(Products { folder, force })
    }

    /// Writes all that there is to show of an answer.
    pub(super) fn write(&self, parts: &[Part], answer: &Answer, unit: Unit) -> Result<Files, Failure> {
        let mut files = Files::default();
        match answer {
            Answer::Assembled(assembly) => {
                for step in &assembly.moves {
                    files.0.push(self.csv(&parts[step.part], &step.path, unit)?);
                }
                let title = format!("Assembly of {}", names(parts));
                let about = "Each part goes in by a way that was proved free.";
                files.0.push(self.recording(parts, title, about, &assembly.timeline(parts).moments, unit)?);
                files.0.push(self.picture(parts, &shown(assembly))?);
            }
            Answer::NotFound { blocked, .. } => {
                for part in blocked {
                    files.0.push(self.csv(&parts[part.part], &part.path, unit)?);
                }
                // The first is shown; each is told.
                if let Some(part) = blocked.first() {
                    let there = staying(parts, answer);
                    let moments = moments(parts, &there, (part.part, &part.path));
                    let shown: Vec<Part> = there.iter().map(|&number| parts[number].clone()).collect();
                    let title = format!("Where {} stops", parts[part.part].name);
                    let about = "From the goal to where the part stopped; no way out was found.";
                    files.0.push(self.recording(&shown, title, about, &moments, unit)?);
                    files.0.push(self.picture(parts, &stopped(&there, part))?);
                }
            }
            _ => {}
        }
        Ok(files)
    }

    /// One pose a line.
    fn csv(&self, part: &Part, path: &[Pose], unit: Unit) -> Result<PathBuf, Failure> {
        let mut text = "tx,ty,tz,qw,qx,qy,qz\n".to_owned();
        for pose in path {
            let [x, y, z, turn @ ..] = of_pose(pose);
            let numbers = [x, y, z].map(|length| unit.from_metres(length)).into_iter().chain(turn);
            let words: Vec<String> = numbers.map(|number| number.to_string()).collect();
            let _ = writeln!(text, "{}", words.join(","));
        }
        let file = file_of(&self.folder, part, "csv");
        self.save(&file, text.as_bytes())?;
        Ok(file)
    }

    fn recording(
        &self,
        parts: &[Part],
        title: String,
        about: &str,
        moments: &[Vec<Pose>],
        unit: Unit,
    ) -> Result<PathBuf, Failure> {
        let mut moments = moments.to_vec();
        // What does not move at all rests for a moment.
        moments.resize(moments.len().max(2), moments.last().cloned().unwrap_or_default());
        judge(parts, &moments)?;
        let played = Played {
            title,
            about: about.to_owned(),
            unit: unit.symbol().to_owned(),
            bodies: parts.iter().map(|part| (part.name.clone(), part.shape.clone())).collect(),
            step: (PLAYED / moments.len() as f64).clamp(LEG[0], LEG[1]),
            moments,
        };
        let bad = |error: &dyn std::fmt::Display| Failure::Bad(error.to_string());
        let setup = Setup::played(&played).map_err(|e| bad(&e))?;
        let file = self.folder.join(FILE_NAME);
        let writer = RecordingWriter::create(&file, &setup.header, self.force).map_err(|e| bad(&e))?;
        let runner = Runner::new(setup, RunOptions::default()).map_err(|error| told(&error))?;
        runner.recorded(writer).run(|_| ()).map_err(|error| told(&error))?;
        Ok(file)
    }

    fn picture(&self, parts: &[Part], shown: &[Shown]) -> Result<PathBuf, Failure> {
        let file = self.folder.join(PICTURE);
        self.save(&file, &drawing::picture(parts, shown).map_err(|e| Failure::with_file(&file, e))?)?;
        Ok(file)
    }

    fn save(&self, file: &Path, content: &[u8]) -> Result<(), Failure> {
        crate::product::must_be_new(file, self.force)?;
        let bad = |error| Failure::with_file(file, format!("cannot be written ({error})"));
        std::fs::write(file, content).map_err(bad)
    }
}

/// Has a motion judged by a checker that shares no code with what found it, and tells what it objects to:
/// parts that wait may be in each other's way.
fn judge(parts: &[Part], moments: &[Vec<Pose>]) -> Result<(), Failure> {
    /// Overlap below this fraction of a part's size is rounding.
    const ROUNDING: f64 = 1e-8;
    let bad = |error: CheckError| Failure::Bad(error.to_string());
    let shapes = parts.iter().map(|part| (part.name.clone(), part.shape.clone()));
    let mut checker = Checker::new(shapes).map_err(bad)?;
    for (number, poses) in moments.iter().enumerate() {
        checker.state(number as f64, poses).map_err(bad)?;
    }
    let verdict = checker.verdict();
    if !verdict.is_clean(ROUNDING) {
        let overlapping = verdict.largest.map(|found| found.names.join(" and "));
        let crossing = verdict.crossings.first().map(|found| found.names.join(" and "));
        let who = overlapping.or(crossing).unwrap_or_else(|| "parts".to_owned());
        eprintln!("note: in the recording {who} are in each other's way, on the way to where a part begins");
    }
    Ok(())
}

fn names(parts: &[Part]) -> String {
    parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Parts that have not left.
fn staying(parts: &[Part], answer: &Answer) -> Vec<usize> {
    let gone: Vec<usize> = match answer {
        Answer::NotFound { removed, .. } => removed.iter().map(|step| step.part).collect(),
        _ => Vec::new(),
    };
    (0..parts.len()).filter(|part| !gone.contains(part)).collect()
}

/// The poses of parts while one of them moves.
fn moments(parts: &[Part], there: &[usize], (moving, path): Way<'_>) -> Vec<Vec<Pose>> {
    let at = |pose: &Pose| {
        there.iter().map(|&part| if part == moving { *pose } else { parts[part].goal }).collect()
    };
    path.iter().map(at).collect()
}

/// All parts at their goal, and those that move on their way, too.
fn shown(assembly: &Assembly) -> Vec<Shown> {
    let mut all = vec![Shown::Still(0)];
    for step in &assembly.moves {
        all.push(Shown::Way(step.part, step.path.iter().rev().copied().collect()));
    }
    all
}

/// A part on its way to where it stopped, and where it would be at the narrowest place.
fn stopped(there: &[usize], blocked: &Blocked) -> Vec<Shown> {
    let others = there.iter().filter(|part| **part != blocked.part);
    let mut all: Vec<Shown> = others.map(|&part| Shown::Still(part)).collect();
    all.push(Shown::Stopped(blocked.clone()));
    all
}
