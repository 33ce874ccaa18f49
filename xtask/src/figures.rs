//! `cargo xtask figures`: draws the pictures of the README and the guide. The package `figures` does the
//! work.

use crate::{Failure, command};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn help() -> String {
    "Usage: cargo xtask figures [SCENE...]\n\n\
     Draws every picture in docs/src/figures/ again, with the engine as it is now; or only those of the \
     scenes that are\n\
     named, such as `stack` for scenes/stack.toml.\n"
        .into()
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let folder = command::root().join("docs/src/figures");
    let scenes = scenes(arguments)?;
    if arguments.is_empty() {
        command::run(
            command::cargo().args(["run", "--quiet", "--release", "--package", "figures", "--"]).arg(&folder),
        )?;
        bolt_contacts(&folder)?;
    }
    scenes.iter().try_for_each(|scene| moments(scene, &folder.join("scenes")))
}

/// The files of the named scenes, or of all of them.
fn scenes(names: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let folder = command::root().join("scenes");
    let cannot_read = |e| format!("cannot read {}: {e}", folder.display());
    let entries = std::fs::read_dir(&folder).map_err(cannot_read)?;
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(cannot_read)?;
    all.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    all.sort();
    let is_named = |path: &PathBuf, name: &String| path.file_stem().is_some_and(|stem| stem == name.as_str());
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|path| is_named(path, name))) {
        return Err(format!("there is no scene `{unknown}` in {}", folder.display()));
    }
    all.retain(|path| names.is_empty() || names.iter().any(|name| is_named(path, name)));
    Ok(all)
}

/// Three moments of a scene, as the commands run and draw it.
fn moments(scene: &Path, folder: &Path) -> Result<(), Failure> {
    let name = Path::new(scene.file_stem().unwrap_or_default());
    let run = command::root().join("target/figures").join(name);
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let picture = folder.join(name.with_extension("png"));
    command::run(silvia().arg("run").arg(scene).arg("--out").arg(&run).arg("--force"))?;
    command::run(
        silvia()
            .arg("render")
            .arg(&run)
            .args(["--strip", "3", "--size", "480x320", "--force", "-o"])
            .arg(&picture),
    )?;
    println!("{}", picture.display());
    if name == Path::new("bolt") {
        film(&run, folder)?;
    }
    Ok(())
}

/// The moving picture of the README and the guide.
fn film(run: &Path, scenes: &Path) -> Result<(), Failure> {
    let picture = scenes.with_file_name("bolt.gif");
    let options = ["--fps", "20", "--size", "480x300", "--force", "-o"];
    command::run(silvia().arg("render").arg(run).args(options).arg(&picture))?;
    println!("{}", picture.display());
    Ok(())
}

fn silvia() -> Command {
    let mut silvia = command::cargo();
    silvia.args(["run", "--quiet", "--release", "--package", "silvia-cli", "--"]);
    silvia
}

/// The contacts of a bolt in its countersink, as the command draws them.
fn bolt_contacts(folder: &Path) -> Result<(), Failure> {
    let scratch = command::root().join("target/figures");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("cannot make {}: {e}", scratch.display()))?;
    let (block, bolt) = (scratch.join("block.obj"), scratch.join("bolt.obj"));
    let picture = folder.join("contacts.svg");
    for (part, file) in [("countersink", &block), ("bolt", &bolt)] {
        command::run(silvia().args(["make", part, "--segments", "12", "-o"]).arg(file))?;
    }
    command::run(
        silvia()
            .args(["contacts", "--reach", "2e-4", "--reduce", "velocities", "--unit", "m", "--svg"])
            .arg(&picture)
            .args([&block, &bolt]),
    )?;
    println!("{}", picture.display());
    Ok(())
}
