//! `cargo xtask figures`: draws the pictures of the README and the guide. The package `figures` does the work.

use crate::{Failure, command};
use std::path::Path;

pub(crate) fn help() -> String {
    "Usage: cargo xtask figures\n\n\
     Draws every picture in docs/src/figures/ again, with the engine as it is now.\n"
        .into()
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = arguments.first() {
        return Err(format!("figures takes no `{unknown}`: it draws all of them"));
    }
    let folder = command::root().join("docs/src/figures");
    command::run(
        command::cargo().args(["run", "--quiet", "--release", "--package", "figures", "--"]).arg(&folder),
    )?;
    bolt_contacts(&folder)
}

/// The contacts of a bolt in its countersink, as the command draws them.
fn bolt_contacts(folder: &Path) -> Result<(), Failure> {
    let scratch = command::root().join("target/figures");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("cannot make {}: {e}", scratch.display()))?;
    let (block, bolt) = (scratch.join("block.obj"), scratch.join("bolt.obj"));
    let picture = folder.join("contacts.svg");
    let silvia = || {
        let mut silvia = command::cargo();
        silvia.args(["run", "--quiet", "--release", "--package", "silvia-cli", "--"]);
        silvia
    };
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
