//! `silvia fit`: whether parts can be assembled, and how.

mod drawing;
mod json;
mod products;
mod text;

use crate::failure::Failure;
use crate::pair::load_part;
use crate::poses::{self, Placement};
use crate::values;
use indicatif::{ProgressBar, ProgressStyle};
use products::Products;
use silvia::fit::{Answer, FitOptions, Method, Part, Progress, assemble};
use silvia::proximity::{Shape, Surface};
use silvia::solid::Pose;
use silvia::solid::files::Unit;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Finds out whether parts can be assembled, and how.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia fit block.stl bolt.stl --unit mm --out fits/bolt    and a recording, the path, a picture
  silvia fit case.stl board.stl lid.stl --goal 0,0,2 --goal 0,0,10      board and lid are put there
  silvia fit bottle.stl ship.stl --budget 60s --json

The parts lie at their goal: assembled, as their files have them, or where --goal puts them. The first
stays where it is. The others leave it one by one, in an order that is found too, until each is clear
of the box of what is left; reversed, that is the way to assemble them. Two methods look for it:
  pushes  a hand pushes and twists a part in a world without gravity and friction, along and about
          its axes, those of the world, and along its contacts, which guide it: so a nut screws itself
          off its thread
  trees   placements drawn at random, moved out of contact, joined by motions that are free
Each leg of a way that was found is tested again, exactly: between two poses every vertex goes
straight and touches nothing. How far a rigid motion departs from that is told.

That none was found proves nothing. Then the largest copy of the part is looked for that does pass,
and told where on its way the part itself lacks most room: the narrowest place; and what stops the
part next to it. `impossible` is said of parts that overlap at their goal alone, by exact tests.

The folder of --out gets recording.silvia, for `silvia render`, `report` and `export`; NAME.csv with the
poses of each part that moves, for `silvia collide --poses`; and picture.png. Exit codes: 0 found; 3 not
found; 4 impossible. Text and CSV are in the unit given by --unit; JSON is always in metres.")]
pub(crate) struct Fit {
    /// The parts: STL, OBJ or PLY files of closed solids. The first stays where it is.
    #[arg(value_name = "PART", num_args = 2.., required = true)]
    parts: Vec<PathBuf>,
    /// Pose of the second part at the goal, tx,ty,tz,qw,qx,qy,qz or tx,ty,tz; given again, of the third, and
    /// so on. By default where their files put them.
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with = "goals")]
    goal: Vec<Placement>,
    /// A CSV file of such poses, one per row.
    #[arg(long, value_name = "FILE")]
    goals: Option<PathBuf>,
    /// Unit of the numbers in the files and of the poses' translations: m, mm, cm, um, in or ft.
    #[arg(long, default_value = "m")]
    unit: Unit,
    /// How to look: `pushes`, `trees`, or `both`, one after the other.
    #[arg(long, value_enum, default_value = "both")]
    method: MethodKind,
    /// Most pushes and twists in all.
    #[arg(long, value_name = "COUNT", default_value_t = FitOptions::default().tries)]
    tries: usize,
    /// Most placements drawn for random trees in all.
    #[arg(long, value_name = "COUNT", default_value_t = FitOptions::default().samples)]
    samples: usize,
    /// Give up after this time: 60s, 500ms. With it, what is found depends on the speed of the machine.
    #[arg(long, value_name = "TIME", value_parser = values::seconds)]
    budget: Option<f64>,
    /// What random choices begin with.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// The folder for recording, paths and picture; by default nothing is written.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace what is in the folder.
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MethodKind {
    Pushes,
    Trees,
    Both,
}

/// The exit code of parts for which no way was found.
const NOT_FOUND: u8 = 3;
/// The exit code of parts that overlap at their goal.
const IMPOSSIBLE: u8 = 4;
/// How often the bar is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

impl Fit {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let parts = self.load()?;
        let products =
            self.out.as_deref().map(|folder| Products::new(folder, &parts, self.force)).transpose()?;
        let options = self.options();
        let stop = options.stop.clone();
        // What was found by then is told.
        let on_ctrl_c = move || stop.store(true, Ordering::Relaxed);
        ctrlc::set_handler(on_ctrl_c)
            .map_err(|error| Failure::Bad(format!("Ctrl-C cannot be watched for: {error}")))?;
        let start = Instant::now();
        let bar = bar();
        let mut drawn = Instant::now();
        let answer = assemble(&parts, &options, |progress| {
            if drawn.elapsed() >= REDRAW {
                drawn = Instant::now();
                show(&bar, progress, &parts, self.unit);
            }
        });
        bar.finish_and_clear();
        let answer = answer.map_err(|error| Failure::Bad(error.to_string()))?;
        let seconds = start.elapsed().as_secs_f64();
        let files = match products {
            Some(products) => products.write(&parts, &answer, self.unit)?,
            None => products::Files::default(),
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", json::of(&parts, &answer, &files, seconds))?;
        } else {
            out.write_all(text::of(&parts, &answer, &files, self.unit, seconds).as_bytes())?;
        }
        match answer {
            Answer::Assembled(_) => Ok(()),
            Answer::Impossible { .. } => Err(Failure::Answered(IMPOSSIBLE)),
            _ => Err(Failure::Answered(NOT_FOUND)),
        }
    }

    fn options(&self) -> FitOptions {
        let methods = match self.method {
            MethodKind::Pushes => vec![Method::Pushes],
            MethodKind::Trees => vec![Method::Trees],
            MethodKind::Both => Method::ALL.to_vec(),
        };
        let wait = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
        FitOptions {
            methods,
            tries: self.tries,
            samples: self.samples,
            seed: self.seed,
            // One that no clock can tell is none.
            deadline: self.budget.and_then(wait).and_then(|budget| Instant::now().checked_add(budget)),
            stop: Arc::new(AtomicBool::new(false)),
        }
    }

    fn load(&self) -> Result<Vec<Part>, Failure> {
        let goals = self.goal_poses()?;
        let moved = self.parts.len() - 1;
        if goals.len() > moved {
            let what = format!("{} goals for {moved} parts that move: the first part stays", goals.len());
            return Err(Failure::Bad(what));
        }
        let names = names(&self.parts);
        let mut parts = Vec::new();
        for (number, (path, name)) in self.parts.iter().zip(names).enumerate() {
            let shape = match load_part(path, self.unit, false)? {
                Surface::Solid(solid) => Shape::solid(solid),
                Surface::Soup(soup) if number == 0 => Shape::soup(Arc::unwrap_or_clone(soup)),
                Surface::Soup(_) => {
                    let what = "a part that moves must be a closed solid: `silvia inspect` says what is \
                                wrong with it, and `silvia convert --repair` mends it";
                    return Err(Failure::with_file(path, what));
                }
            };
            let goal = number.checked_sub(1).and_then(|at| goals.get(at)).copied().unwrap_or(Pose::IDENTITY);
            parts.push(Part::new(name, shape, goal));
        }
        Ok(parts)
    }

    fn goal_poses(&self) -> Result<Vec<Pose>, Failure> {
        if let Some(file) = &self.goals {
            return poses::read(file, self.unit);
        }
        let pose = |goal: &Placement| {
            let pose = goal.near_enough().and_then(|goal| Ok(goal.in_metres(self.unit)?));
            pose.map_err(|error| Failure::Bad(error.to_string()))
        };
        self.goal.iter().map(pose).collect()
    }
}

/// Names of parts: those of their files, with a number where that is taken.
fn names(files: &[PathBuf]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |file: &PathBuf| {
        let stem = file.file_stem().map_or("part".into(), |stem| stem.to_string_lossy());
        let numbered = (2_u32..).map(|number| format!("{stem}-{number}"));
        let mut free = std::iter::once(stem.to_string()).chain(numbered);
        // Numbers do not end before names do.
        free.find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    files.iter().map(name).collect()
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {msg}");
    ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, progress: &Progress, parts: &[Part], unit: Unit) {
    let &Progress { part, method, removed, to_remove, tried, most, places, left, .. } = progress;
    bar.set_length(most as u64);
    bar.set_position(tried as u64);
    let left = crate::numbers::measure(unit.from_metres(left.max(0.0)));
    bar.set_message(format!(
        "{removed} of {to_remove} parts out; {}, {}: {tried} of {most} tried, {places} places, \
         {left} {unit} to go",
        parts[part].name,
        method.name()
    ));
}

/// A file name that a part's name makes.
fn file_of(folder: &Path, part: &Part, extension: &str) -> PathBuf {
    folder.join(format!("{}.{extension}", part.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_from_files_of_one_name_get_numbers() {
        let files = ["a/bolt.stl", "b/bolt.ply", "bolt-2.obj", "c/bolt.stl"].map(PathBuf::from);
        assert_eq!(names(&files), ["bolt", "bolt-2", "bolt-2-2", "bolt-3"]);
    }
}
