//! `cargo xtask bench scenes`: scene files of a folder, and scenes of our own parts, each exact and
//! interactive.
//!
//! It has no peers. Each scene has a process of its own with a time limit; `silvia-check` looks at its
//! states. What came of each is kept in `bench/out`, so that scenes can be run one by one, and the page is
//! always made of all of them.

mod judge;
mod own;
mod page;
mod run;
mod task;

use page::{Kept, Store};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use task::{Task, Which};

/// Where scene files are looked for, from the folder of the repository.
const FOLDER: &str = "../shared/data/rigid-ipc";

const HELP: &str = "Options:
  --folder PATH       folder with scene files (*.toml); by default ../shared/data/rigid-ipc beside the
                      repository, if it is there
  --limit SECONDS     time on the processor for the steps of a scene in a mode (60)
  --only NAME[,NAME]  these scenes alone; a name is that of a file without .toml, or `own:` and more
  --mode MODE         `exact` or `interactive` alone
  --quick             one second a scene; the page stays in bench/out";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    bench_common::finish(match &arguments[..] {
        [word, task] if word == task::WORD => task::work(task),
        _ => Request::read(arguments.into_iter()).map_err(Into::into).and_then(|request| all(&request)),
    })
}

/// What the command line asks for.
struct Request {
    root: PathBuf,
    commit: String,
    folder: Option<PathBuf>,
    limit: f64,
    only: Vec<String>,
    modes: Vec<bool>,
    quick: bool,
}

impl Request {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Request, String> {
        let mut request = Request {
            root: PathBuf::from("."),
            commit: "unknown".to_owned(),
            folder: None,
            limit: 60.0,
            only: Vec::new(),
            modes: vec![false, true],
            quick: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--root" => request.root = value()?.into(),
                "--commit" => request.commit = value()?,
                "--folder" => request.folder = Some(value()?.into()),
                "--limit" => {
                    let text = value()?;
                    let given = text.parse().ok().filter(|limit: &f64| *limit > 0.0 && limit.is_finite());
                    request.limit = given.ok_or_else(|| format!("--limit {text}: give seconds above 0"))?;
                }
                "--only" => request.only.extend(value()?.split(',').map(str::to_owned)),
                "--mode" => {
                    request.modes = match value()?.as_str() {
                        "exact" => vec![false],
                        "interactive" => vec![true],
                        other => return Err(format!("--mode {other}: give `exact` or `interactive`")),
                    }
                }
                "--quick" => request.quick = true,
                other => return Err(format!("`{other}` is not understood.\n\n{HELP}")),
            }
        }
        if request.quick {
            request.limit = 1.0;
        }
        Ok(request)
    }
}

fn all(request: &Request) -> Result<(), Box<dyn Error>> {
    let scenes = scenes(request)?;
    let order: Vec<String> = scenes.iter().map(|(name, _)| name.clone()).collect();
    if let Some(unknown) = request.only.iter().find(|name| !order.contains(name)) {
        return Err(format!("there is no scene `{unknown}`: there are {}", order.join(", ")).into());
    }
    let out = request.root.join("bench/out");
    let store = if request.quick {
        Store { file: out.join("scenes-quick.json"), page: out.join("bench-scenes.md") }
    } else {
        let page = request.root.join("docs/src/generated/bench-scenes.md");
        Store { file: out.join("scenes.json"), page }
    };
    for (name, scene) in &scenes {
        if !request.only.is_empty() && !request.only.contains(name) {
            continue;
        }
        for &is_interactive in &request.modes {
            let task = Task { scene: scene.clone(), is_interactive, limit: request.limit };
            let run = task::run(&task)?;
            let kept = Kept::new(name, is_interactive, request.limit, &request.commit, run);
            print!("{}", kept.row());
            store.keep(kept, &order)?;
        }
    }
    println!("written: {}", store.page.display());
    Ok(())
}

/// All scenes with their names: files first, then our own.
fn scenes(request: &Request) -> Result<Vec<(String, Which)>, Box<dyn Error>> {
    let folder = request.folder.clone().unwrap_or_else(|| request.root.join(FOLDER));
    let mut scenes = Vec::new();
    if folder.is_dir() {
        scenes = files(&folder)?;
    } else if request.folder.is_some() {
        return Err(
            format!("{}: there is no such folder: give one with scene files", folder.display()).into()
        );
    } else {
        println!(
            "there is no folder {FOLDER} beside the repository: it holds scenes of the rigid-ipc project, as \
             scene files with their meshes. Only our own scenes are run; --folder PATH names another"
        );
    }
    scenes.extend(own::names().into_iter().map(|name| (name.clone(), Which::Own(name))));
    Ok(scenes)
}

/// The scene files of a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<(String, Which)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, Which::File(path)));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}
