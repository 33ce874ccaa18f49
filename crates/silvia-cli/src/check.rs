//! `silvia check`: finds problems of a scene without running it.

use crate::failure::Failure;
use serde_json::{Value, json};
use silvia::scene::Scene;
use silvia::scene::scene::{Finding, Severity, folded, schema};
use std::io::Write;
use std::path::PathBuf;

/// Reports problems of scenes without running them: file, line, field, problem and remedy.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia check scenes/slope.toml      one line per finding
  silvia check scenes/*.toml --json   one JSON object per finding, for programs
  silvia check --schema               the JSON Schema of scene files, for editors

Errors prevent a run: unknown or missing fields, values of the wrong type or out of range, missing
files, bodies that overlap (with the translation that separates them), friction under a method that
ignores it. Warnings point at what was probably not meant: unused parts and materials, bodies denser
than any metal or lighter than any foam, densities that look like g/cm³, bodies of more than 100 m or
less than 0.1 mm that can move, machine parts of more than 2 m, parts of a compound that overlap,
bodies that move further than their own size in a step, sizes a thousand times apart (300 times of
bodies that can move), part files that look as if they were in another unit, masses ten million times
apart, gaps that look like rounding, bodies far away from all others, scenes in which nothing is
fixed, end times that are not a whole number of steps. Many of one kind are told in one line.

Notes say what was done that the scene asked for, such as repairs of its parts.

Each JSON object has the keys `file`, `line`, `column` (from 1, or null), `field`, `severity`
(`error`, `warning` or `note`), `what` and `remedy`. The exit code is 1 if there is an error, and 0 if
there are only warnings and notes.")]
pub(crate) struct Check {
    /// Scene files.
    #[arg(required_unless_present = "schema", value_name = "SCENE.toml")]
    scenes: Vec<PathBuf>,
    /// Print one JSON object per finding, each on a line.
    #[arg(long)]
    json: bool,
    /// Print the JSON Schema of scene files instead.
    #[arg(long, conflicts_with_all = ["scenes", "json"])]
    schema: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        if self.schema {
            // JSON can hold any schema: it consists only of texts and numbers.
            return Ok(writeln!(out, "{schema:#}", schema = schema())?);
        }
        let mut errors = 0;
        for path in &self.scenes {
            let name = path.display().to_string();
            let findings = match Scene::check_file(path) {
                Ok(findings) => findings,
                Err(error) => {
                    errors += 1;
                    for finding in error.findings() {
                        self.show(&mut out, &name, &finding)?;
                    }
                    continue;
                }
            };
            let wrong = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
            errors += wrong;
            let told = if self.json { findings.clone() } else { folded(&findings) };
            for finding in &told {
                self.show(&mut out, &name, finding)?;
            }
            if !self.json {
                let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning);
                writeln!(out, "{name}: {}", closing(wrong, warnings.count()))?;
            }
        }
        if errors == 0 { Ok(()) } else { Err(Failure::AlreadyTold) }
    }

    fn show(&self, out: &mut impl Write, name: &str, finding: &Finding) -> std::io::Result<()> {
        if self.json {
            writeln!(out, "{}", in_json(name, finding))
        } else {
            writeln!(out, "{}", finding.in_file(name))
        }
    }
}

fn closing(errors: usize, warnings: usize) -> String {
    let counted = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    match (errors, warnings) {
        (0, 0) => "nothing is wrong".to_owned(),
        (0, warnings) => format!("can be run, with {}", counted(warnings, "warning")),
        (errors, 0) => counted(errors, "error"),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

fn in_json(name: &str, finding: &Finding) -> Value {
    json!({
        "file": name,
        "line": finding.place.map(|place| place.line),
        "column": finding.place.map(|place| place.column),
        "field": finding.field,
        "severity": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "what": finding.what,
        "remedy": finding.remedy,
    })
}
