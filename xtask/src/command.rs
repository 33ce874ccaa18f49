//! Starting other programs.

use crate::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace manifest.
pub(crate) fn root() -> PathBuf {
    // Set by `cargo run` to where the sources are now; the compiled-in one is where they were when this was
    // built.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// The cargo that started us, to be run at the root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR").filter(|chosen| !chosen.is_empty());
    root().join(chosen.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Runs a command to its end; any end but success is a failure.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command))) }
}

/// Runs a command and gives its standard output, trimmed.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|e| format!("cannot start {}: {e}", shown(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ended with {}: {}", shown(command), output.status, said.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The commit the sources are at, with `-dirty` when they differ from it; `unknown` outside a repository.
/// Pages under `docs/` do not count: proofs and comparisons write there themselves.
pub(crate) fn commit() -> String {
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(root()).args(arguments));
    let Ok(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return "unknown".into() };
    match git(&["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"]) {
        Ok(changes) if changes.is_empty() => commit,
        _ => commit + "-dirty",
    }
}

/// A command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
