//! `cargo xtask figures`: draws the pictures of the README and the guide. The package `figures` does the
//! work.

use crate::{Failure, command};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn help() -> String {
    "Usage: cargo xtask figures [SCENE...]\n\n\
     Draws every picture in docs/src/figures/ again, with the engine as it is now; or only those of the \
     scenes that are\n\
     named, such as `stack` for scenes/stack.toml or `fitting/peg` for scenes/fitting/peg.toml.\n"
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
        fits(&folder)?;
        falling_stack(&folder)?;
    }
    scenes.iter().try_for_each(|scene| moments(scene, &folder.join("scenes")))
}

/// The first scene of the quick start, as the page shows it.
fn falling_stack(folder: &Path) -> Result<(), Failure> {
    let page = command::root().join("docs/src/quick-start.md");
    let text = std::fs::read_to_string(&page).map_err(|e| format!("cannot read {}: {e}", page.display()))?;
    let scene = text.split("```toml\n").nth(1).and_then(|after| after.split("```").next());
    let scene = scene.ok_or_else(|| format!("{} has no scene", page.display()))?;
    let file = command::root().join("target/figures/stack.toml");
    std::fs::create_dir_all(file.with_file_name("quick-start"))
        .and_then(|()| std::fs::write(&file, scene))
        .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    let run = file.with_file_name("quick-start");
    command::run(silvia().arg("run").arg(&file).arg("--out").arg(&run).arg("--force"))?;
    film(&run, &folder.join("stack.gif"))
}

/// Folders of scenes that the gallery shows, in `scenes`.
const FOLDERS: [&str; 2] = ["", "fitting"];

/// The named scenes, or all of them: their names, which are paths in `scenes` without `.toml`.
fn scenes(names: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let path = command::root().join("scenes").join(folder);
        let cannot_read = |e| format!("cannot read {}: {e}", path.display());
        for entry in std::fs::read_dir(&path).map_err(cannot_read)? {
            let file = entry.map_err(cannot_read)?.file_name();
            if Path::new(&file).extension().is_some_and(|extension| extension == "toml") {
                all.push(Path::new(folder).join(file).with_extension(""));
            }
        }
    }
    all.sort();
    if let Some(unknown) = names.iter().find(|name| !all.contains(&PathBuf::from(name))) {
        return Err(format!("there is no scene `{unknown}` in {}", command::root().join("scenes").display()));
    }
    all.retain(|scene| names.is_empty() || names.iter().any(|name| scene == Path::new(name)));
    Ok(all)
}

/// Three moments of a scene, as the commands run and draw it.
fn moments(name: &Path, folder: &Path) -> Result<(), Failure> {
    let scene = command::root().join("scenes").join(name).with_extension("toml");
    let run = command::root().join("target/figures").join(name);
    let picture = folder.join(name).with_extension("png");
    let place = picture.parent().unwrap_or(folder);
    std::fs::create_dir_all(place).map_err(|e| format!("cannot make {}: {e}", place.display()))?;
    command::run(silvia().arg("run").arg(scene).arg("--out").arg(&run).arg("--force"))?;
    command::run(
        silvia()
            .arg("render")
            .arg(&run)
            .args(["--strip", "3", "--size", "480x320", "--force", "-o"])
            .arg(&picture),
    )?;
    println!("{}", picture.display());
    shrink(&picture)?;
    match name.to_str() {
        Some("bolt" | "dominoes") => film(&run, &folder.with_file_name(name).with_extension("gif")),
        Some("arch") => forces(&run, &folder.with_file_name("forces.png")),
        _ => Ok(()),
    }
}

/// One moment with the contact forces as arrows.
fn forces(run: &Path, picture: &Path) -> Result<(), Failure> {
    let options = ["--contacts", "--at", "1", "--size", "900x420", "--force", "-o"];
    command::run(silvia().arg("render").arg(run).args(options).arg(picture))?;
    println!("{}", picture.display());
    shrink(picture)
}

/// Writes a picture anew with a palette.
fn shrink(picture: &Path) -> Result<(), Failure> {
    let figures = ["run", "--quiet", "--release", "--package", "figures", "--", "--shrink"];
    command::run(command::cargo().args(figures).arg(picture))
}

/// A moving picture of the README or the guide.
fn film(run: &Path, picture: &Path) -> Result<(), Failure> {
    let options = ["--fps", "20", "--size", "480x300", "--force", "-o"];
    command::run(silvia().arg("render").arg(run).args(options).arg(picture))?;
    println!("{}", picture.display());
    Ok(())
}

fn silvia() -> Command {
    let mut silvia = command::cargo();
    silvia.args(["run", "--quiet", "--release", "--package", "silvia-cli", "--"]);
    silvia
}

/// A way that `silvia fit` finds, and one that it does not.
fn fits(folder: &Path) -> Result<(), Failure> {
    let scratch = command::root().join("target/figures");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("cannot make {}: {e}", scratch.display()))?;
    let (block, bolt) = (scratch.join("block.stl"), scratch.join("bolt.stl"));
    for (part, file) in [("countersink", &block), ("bolt", &bolt)] {
        command::run(silvia().args(["make", part, "--unit", "mm", "--force", "-o"]).arg(file))?;
    }
    let parts = command::root().join("parts");
    let (bottle, ship) = (parts.join("bottle.stl"), parts.join("ship.stl"));
    for (name, pair) in [("fit-bolt", [block, bolt]), ("fit-ship", [bottle, ship])] {
        let out = scratch.join(name);
        let mut fit = silvia();
        fit.arg("fit").args(pair).args(["--unit", "mm", "--method", "pushes", "--tries", "200"]);
        fit.arg("--force").arg("--out").arg(&out);
        // That the ship does not get out is an answer, with an exit code of its own.
        let _ = command::run(&mut fit);
        let picture = folder.join(name).with_extension("png");
        std::fs::copy(out.join("picture.png"), &picture)
            .map_err(|e| format!("cannot write {}: {e}", picture.display()))?;
        println!("{}", picture.display());
        shrink(&picture)?;
    }
    Ok(())
}

/// The contacts of a bolt in its countersink, as the command draws them.
fn bolt_contacts(folder: &Path) -> Result<(), Failure> {
    let scratch = command::root().join("target/figures");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("cannot make {}: {e}", scratch.display()))?;
    let (block, bolt) = (scratch.join("block.obj"), scratch.join("bolt.obj"));
    let picture = folder.join("contacts.svg");
    for (part, file) in [("countersink", &block), ("bolt", &bolt)] {
        command::run(silvia().args(["make", part, "--segments", "12", "--force", "-o"]).arg(file))?;
    }
    command::run(
        silvia()
            .args(["contacts", "--reach", "2e-4", "--reduce", "velocities", "--unit", "m"])
            .args(["--force", "--svg"])
            .arg(&picture)
            .args([&block, &bolt]),
    )?;
    println!("{}", picture.display());
    Ok(())
}
