//! `cargo xtask publish`: is everything ready to be published? It publishes nothing.
//!
//! What takes no time and no network (manifests, licence files, versions) the tests of this file check.

use crate::{Failure, command};
use std::path::PathBuf;
use std::process::Command;

/// The version of cargo-deny that `deny.toml` is written for.
const CARGO_DENY: &str = "0.20.2";

/// One part of the check.
struct Part {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<(), Failure>,
}

const PARTS: &[Part] = &[
    Part {
        name: "packages",
        what: "cargo publish --dry-run: every crate packed, unpacked and built, in order",
        run: packages,
    },
    Part {
        name: "dependencies",
        what: "cargo deny: known vulnerabilities, licences, sources",
        run: dependencies,
    },
    Part { name: "oldest", what: "cargo check with the oldest Rust that the manifest promises", run: oldest },
];

pub(crate) fn help() -> String {
    let mut text = String::from(
        "Usage: cargo xtask publish [PART…]\n\n\
         Checks that every crate can be published, and publishes nothing. Commit first: cargo packs what \
         is committed. All\n\
         parts need the network; cargo-deny and the oldest Rust are installed under the target \
         directory.\n\nParts:\n",
    );
    for part in PARTS {
        text += &format!("  {:<13} {}\n", part.name, part.what);
    }
    text
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = arguments.iter().find(|a| PARTS.iter().all(|p| p.name != *a)) {
        return Err(format!("there is no part `{unknown}`: see `cargo xtask publish --help`"));
    }
    let mut failed = Vec::new();
    for part in PARTS.iter().filter(|p| arguments.is_empty() || arguments.iter().any(|a| a == p.name)) {
        println!("\n── {}: {}", part.name, part.what);
        if let Err(failure) = (part.run)() {
            println!("{failure}");
            failed.push(part.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Cargo leaves out what is marked `publish = false`, and finds the order by itself.
fn packages() -> Result<(), Failure> {
    command::run(command::cargo().args(["publish", "--workspace", "--dry-run"]))
}

/// Advisories come from the network; without it, the rest is still checked.
fn dependencies() -> Result<(), Failure> {
    let deny = installed_deny()?;
    let check = |what: &[&str]| {
        command::run(Command::new(&deny).current_dir(command::root()).arg("check").args(what))
    };
    let rest = check(&["bans", "licenses", "sources"]);
    let advisories = check(&["advisories"])
        .map_err(|e| format!("{e}: an advisory applies, or the advisory database could not be fetched"));
    rest.and(advisories)
}

fn installed_deny() -> Result<PathBuf, Failure> {
    let tools = command::target().join("tools");
    let program = tools.join("bin").join(if cfg!(windows) { "cargo-deny.exe" } else { "cargo-deny" });
    let version = program.exists().then(|| command::output(Command::new(&program).arg("--version")));
    if !version.is_some_and(|version| version.is_ok_and(|text| text.ends_with(CARGO_DENY))) {
        let install =
            ["install", "cargo-deny", "--locked", "--force", "--debug", "--version", CARGO_DENY, "--root"];
        command::run(command::cargo().args(install).arg(&tools))?;
    }
    Ok(program)
}

/// The libraries and the command, with the oldest Rust that the workspace manifest promises.
fn oldest() -> Result<(), Failure> {
    let manifest = std::fs::read_to_string(command::root().join("Cargo.toml"))
        .map_err(|e| format!("cannot read Cargo.toml: {e}"))?;
    let version = value(&manifest, "rust-version").ok_or("Cargo.toml has no `rust-version`")?;
    let folder = command::target().join("oldest");
    let rustup = || {
        let mut rustup = Command::new("rustup");
        rustup.current_dir(command::root()).env("RUSTUP_HOME", folder.join("rustup"));
        // Set by rustup for whatever cargo starts; it would choose the toolchain once more.
        rustup.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC").env_remove("RUSTDOC");
        rustup
    };
    let install = ["toolchain", "install", &version, "--profile", "minimal", "--no-self-update"];
    command::run(rustup().args(install))?;
    let check = ["run", &version, "cargo", "check", "--all-features"];
    command::run(rustup().env("CARGO_TARGET_DIR", folder.join("target")).args(check))
}

/// The text of `key = "text"` in a manifest.
fn value(manifest: &str, key: &str) -> Option<String> {
    let text = manifest.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix("= \""))?;
    text.split_once('"').map(|(text, _)| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The folders of all library crates and of the command.
    fn crates() -> Vec<PathBuf> {
        let folder = command::root().join("crates");
        let found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        assert!(found.len() >= 8);
        found
    }

    #[test]
    fn every_crate_says_what_a_registry_asks() {
        for folder in crates() {
            let manifest = read(&folder.join("Cargo.toml"));
            let name = folder.display();
            for key in ["description = ", "keywords = ", "categories = ", "readme = ", "include = "] {
                assert!(manifest.lines().any(|line| line.starts_with(key)), "{name}: no `{key}`");
            }
            let keywords = manifest.lines().find(|line| line.starts_with("keywords")).unwrap();
            assert!(keywords.matches('"').count() <= 10, "{name}: a registry takes five keywords");
            assert!(!manifest.lines().any(|line| line.starts_with("publish")), "{name}");
            let readme = value(&manifest, "readme").unwrap();
            assert!(folder.join(readme).exists(), "{name}: no readme");
        }
    }

    #[test]
    fn every_package_has_the_licences() {
        for folder in crates() {
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
                assert_eq!(read(&folder.join(licence)), read(&command::root().join(licence)));
            }
        }
    }

    #[test]
    fn tools_are_never_published() {
        for folder in ["", "figures", "proofs", "seeded"] {
            let manifest = read(&command::root().join("xtask").join(folder).join("Cargo.toml"));
            assert!(manifest.lines().any(|line| line == "publish = false"), "xtask/{folder}");
        }
    }

    #[test]
    fn one_version_stands_everywhere() {
        let root = command::root();
        let manifest = read(&root.join("Cargo.toml"));
        let version = value(&manifest, "version").unwrap();
        let needs: Vec<&str> = manifest.lines().filter(|line| line.contains("path = \"crates/")).collect();
        assert!(needs.len() >= 7);
        for need in needs {
            assert!(need.contains(&format!("version = \"{version}\"")), "{need}");
        }
        let citation = read(&root.join("CITATION.cff"));
        assert!(citation.lines().any(|line| line == format!("version: {version}")));
        let rust = value(&manifest, "rust-version").unwrap();
        for page in ["README.md", "CONTRIBUTING.md"] {
            assert!(read(&root.join(page)).contains(&format!("{rust} or newer")), "{page}");
        }
    }
}
