//! A real browser, if there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Chromium, if one is installed; `SILVIA_CHROMIUM` names another.
pub(crate) fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("SILVIA_CHROMIUM").map(PathBuf::from);
    let known = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(PathBuf::from);
    let found = named.into_iter().chain(known).find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!(
            "SKIPPED: no Chromium is installed (Debian: `apt install chromium`), so no browser has seen the \
             report"
        );
    }
    found
}

/// Opens a page as a person would, with a software renderer: the document as it is after a while, and what
/// went wrong; and a picture of it, if a file for it is named.
pub(crate) fn browsed(
    chromium: &Path,
    page: &str,
    fragment: &str,
    options: &[&str],
    picture: Option<&Path>,
) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, page).unwrap();
    let run = |what: &[String]| {
        let output = Command::new(chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
            ])
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"])
            .args(["--window-size=1280,1000", "--virtual-time-budget=3000", "--enable-logging=stderr"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .args(options)
            .args(what)
            .arg(format!("file://{}#{fragment}", file.display()))
            .output()
            .unwrap();
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (dom, errors) = run(&["--dump-dom".to_owned()]);
    if let Some(picture) = picture {
        run(&[format!("--screenshot={}", picture.display())]);
    }
    (dom, errors)
}
