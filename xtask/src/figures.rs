//! `cargo xtask figures`: draws the pictures of the README and the guide. The package `figures` does the work.

use crate::{Failure, command};

pub(crate) fn help() -> String {
    "Usage: cargo xtask figures\n\n\
     Draws every picture in docs/src/figures/ again, with the engine as it is now.\n"
        .into()
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = arguments.first() {
        return Err(format!("figures takes no `{unknown}`: it draws all of them"));
    }
    command::run(
        command::cargo()
            .args(["run", "--quiet", "--release", "--package", "figures", "--"])
            .arg(command::root().join("docs/src/figures")),
    )
}
