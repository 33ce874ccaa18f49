//! `cargo xtask test`: everything CI runs. All steps run, whatever the earlier ones said.

use crate::{Failure, command, guide, python, width};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One part of the test run.
struct Step {
    name: &'static str,
    what: &'static str,
    run: fn(&mut Counts) -> Result<(), Failure>,
}

const STEPS: &[Step] = &[
    Step { name: "format", what: "cargo fmt --check, bench included; no line too long", run: format },
    Step { name: "lints", what: "cargo clippy, warnings denied; features alone", run: lints },
    Step { name: "tests", what: "cargo test: unit and integration tests", run: tests },
    Step { name: "doctests", what: "cargo test --doc: README, guide and API examples", run: doctests },
    Step { name: "docs", what: "cargo doc, warnings denied", run: docs },
    Step {
        name: "guide",
        what: "README and guide: chapters listed, links and pictures there",
        run: guide_step,
    },
];

/// The sums of cargo test's own `test result:` lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

pub(crate) fn help() -> String {
    let mut text = String::from(
        "Usage: cargo xtask test [STEP…]\n\n\
         Runs everything CI runs, or the steps named. Every step runs even when an earlier one failed; a \
         table and one\n\
         line `N passed, N failed, N skipped` close the run. The exit code is 0 only when every step \
         passed.\n\nSteps:\n",
    );
    for step in STEPS {
        text += &format!("  {:<9} {}\n", step.name, step.what);
    }
    text
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(unknown) = arguments.iter().find(|a| STEPS.iter().all(|s| s.name != *a)) {
        return Err(format!("there is no step `{unknown}`: see `cargo xtask test --help`"));
    }
    let mut counts = Counts::default();
    let mut outcomes: Vec<(&Step, Duration, Result<(), Failure>)> = Vec::new();
    for step in STEPS.iter().filter(|s| arguments.is_empty() || arguments.iter().any(|a| a == s.name)) {
        println!("\n── {}: {}", step.name, step.what);
        let start = Instant::now();
        let outcome = (step.run)(&mut counts);
        if let Err(failure) = &outcome {
            println!("{failure}");
        }
        outcomes.push((step, start.elapsed(), outcome));
    }

    println!("\n{:<10}{:>9}  result", "step", "seconds");
    for (step, took, outcome) in &outcomes {
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("{:<10}{:>9.1}  {verdict}", step.name, took.as_secs_f64());
    }
    let failed: Vec<&str> = outcomes.iter().filter(|o| o.2.is_err()).map(|o| o.0.name).collect();
    if !failed.is_empty() {
        println!("\nsteps that failed: {}", failed.join(", "));
    }
    println!("\n{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.ignored);
    // The table above has said what failed; a step is named here once more for logs that keep only the last
    // lines.
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn format(_: &mut Counts) -> Result<(), Failure> {
    let root = command::run(command::cargo().args(["fmt", "--all", "--check"]));
    let bench = command::run(command::cargo().args([
        "fmt",
        "--all",
        "--check",
        "--manifest-path",
        "bench/Cargo.toml",
    ]));
    root.and(bench).and(width::check())
}

/// The features of `silvia` that it must build with alone. In a check of the workspace they are all on, since
/// the command needs them and cargo unifies features, so that a missing gate is not seen there.
const FEATURES: [&str; 4] = ["scene", "export", "picture", "report"];

/// What to check besides all features at once: the workspace without those that are on by default, and the
/// library with none and with each alone.
fn feature_checks() -> Vec<Vec<&'static str>> {
    let mut checks = vec![
        vec!["check", "--workspace", "--no-default-features", "--quiet"],
        vec!["check", "-p", "silvia", "--quiet"],
    ];
    checks.extend(FEATURES.map(|feature| vec!["check", "-p", "silvia", "--features", feature, "--quiet"]));
    checks
}

/// All features at once, and that it also builds with few.
fn lints(_: &mut Counts) -> Result<(), Failure> {
    let clippy =
        ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet", "--", "-D", "warnings"];
    let linted = command::run(command::cargo().args(clippy));
    // All of them, whatever the first says.
    let checked = feature_checks().into_iter().map(|check| command::run(command::cargo().args(check)));
    checked.fold(linted, |all, one| all.and(one))
}

const TEST: [&str; 4] = ["test", "--workspace", "--all-features", "--no-fail-fast"];

/// What random cases of property tests are drawn from. Anyone may set it.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The seed of a commit: new cases with every commit, and the same wherever it is tested.
fn seed(commit: &str) -> u64 {
    let hash = commit.split('-').next().unwrap_or_default();
    u64::from_str_radix(hash, 16).unwrap_or(0)
}

/// Without the readers, all other tests still run.
fn tests(counts: &mut Counts) -> Result<(), Failure> {
    let readers = readers();
    let mut cargo = command::cargo();
    cargo.args(TEST).args(["--lib", "--bins", "--tests", "--examples"]);
    if std::env::var_os(SEED).is_none() {
        let seed = seed(&command::commit());
        println!("random cases: {SEED}={seed}");
        cargo.env(SEED, seed.to_string());
    }
    if let Ok(python) = &readers {
        cargo.env("SILVIA_READERS", python);
    }
    count(&mut cargo, counts).and(readers.map(drop))
}

/// A Python with the programs that read exported files, under the target directory.
fn readers() -> Result<PathBuf, Failure> {
    let list = command::root().join("crates/silvia-scene/tests/readers/requirements.txt");
    let pins = std::fs::read_to_string(&list).map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let packages: Vec<&str> =
        pins.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    python::environment(&command::target().join("readers"), "readers", &packages)
        .map_err(|e| format!("exported files were not read by other programs: {e}"))
}

fn doctests(counts: &mut Counts) -> Result<(), Failure> {
    count(command::cargo().args(TEST).arg("--doc"), counts)
}

fn docs(_: &mut Counts) -> Result<(), Failure> {
    let doc = ["doc", "--workspace", "--all-features", "--no-deps", "--quiet"];
    command::run(command::cargo().env("RUSTDOCFLAGS", "-D warnings").args(doc))
}

fn guide_step(_: &mut Counts) -> Result<(), Failure> {
    let problems = guide::problems(&command::root())?;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Runs a cargo test, shows what it prints as it comes, and adds up its result lines.
fn count(cargo_test: &mut Command, counts: &mut Counts) -> Result<(), Failure> {
    let shown = command::shown(cargo_test);
    let mut child =
        cargo_test.stdout(Stdio::piped()).spawn().map_err(|e| format!("cannot start {shown}: {e}"))?;
    if let Some(pipe) = child.stdout.take() {
        let mut out = std::io::stdout().lock();
        for line in BufReader::new(pipe).split(b'\n') {
            let line = line.map_err(|e| format!("cannot read what {shown} prints: {e}"))?;
            // A closed standard output must not stop the count.
            let _ = out.write_all(&line).and_then(|()| out.write_all(b"\n"));
            if let Some(found) = result_line(&String::from_utf8_lossy(&line)) {
                counts.passed += found.passed;
                counts.failed += found.failed;
                counts.ignored += found.ignored;
            }
        }
    }
    let status = child.wait().map_err(|e| format!("cannot wait for {shown}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} ended with {status}")) }
}

/// Reads `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn result_line(line: &str) -> Option<Counts> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let of = |word: &str| {
        numbers.split(';').find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok())
    };
    Some(Counts { passed: of("passed")?, failed: of("failed")?, ignored: of("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_line_of_cargo_is_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 2 filtered out; \
         finished in 0.01s";
        assert_eq!(result_line(line), Some(Counts { passed: 12, failed: 3, ignored: 1 }));
    }

    #[test]
    fn a_commit_has_a_seed_whether_there_are_changes_or_not() {
        assert_eq!(seed("00000000000a"), 10);
        assert_eq!(seed("00000000000a-dirty"), 10);
        assert_eq!(seed("unknown"), 0);
    }

    /// `full` is all of them, and `boolean` only adds: nothing here is gated by it.
    #[test]
    fn every_feature_of_the_library_is_checked_alone() {
        let manifest = std::fs::read_to_string(command::root().join("crates/silvia/Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let checks = feature_checks();
        for feature in manifest["features"].as_table().unwrap().keys() {
            let is_alone = |check: &Vec<&str>| {
                check.contains(&"silvia") && check.windows(2).any(|two| two == ["--features", feature])
            };
            let checked = checks.iter().any(is_alone);
            assert!(checked || ["full", "boolean"].contains(&feature.as_str()), "{feature}");
        }
    }

    #[test]
    fn other_lines_are_not_counted() {
        assert_eq!(result_line("test tests::test_result ... ok"), None);
        assert_eq!(result_line("12 passed; 3 failed; 1 ignored"), None);
    }
}
