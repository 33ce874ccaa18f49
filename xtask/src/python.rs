//! Python environments inside the project's folders, with packages at pinned versions.

use crate::{Failure, command};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a virtual environment, puts packages into it unless they are there, and gives its Python. Several
/// sets of packages may share it, each under a name of its own. A second run needs no network.
pub(crate) fn environment(folder: &Path, set: &str, packages: &[&str]) -> Result<PathBuf, Failure> {
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        println!("making a Python environment in {}", folder.display());
        command::run(Command::new("python3").args(["-m", "venv"]).arg(folder)).map_err(|e| {
            format!(
                "{e}: this needs Python 3 with its venv module; install it (Debian and Ubuntu: `apt install \
                 python3 \
                 python3-venv`; Fedora: `dnf install python3`; macOS: `brew install python`) and try again"
            )
        })?;
    }
    // What was installed.
    let stamp = folder.join(format!("installed-{set}.txt"));
    let wanted = packages.join("\n");
    // A set may have nothing that pip could install.
    if packages.is_empty() || std::fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(python);
    }
    println!("installing {}", packages.join(", "));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    command::run(Command::new(&python).args(pip).args(packages)).map_err(|e| {
        format!(
            "{e}: it needs the network the first time; if it was interrupted before, delete {}",
            folder.display()
        )
    })?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("cannot write {}: {e}", stamp.display()))?;
    Ok(python)
}
