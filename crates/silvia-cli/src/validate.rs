//! `silvia validate`: runs scenes with known answers under every method that claims to handle them.

use crate::failure::Failure;
use crate::numbers::number;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use silvia::world::validation::{Measure, Row, SCENES, Scene, table};
use std::io::Write;

/// Runs scenes with known answers, and compares: the theoretical value, the computed value, and the error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia validate                                   every scene under every method that handles it
  silvia validate slope stack --method auto         two scenes by one method
  silvia validate --list                            the scenes, in a sentence each
  silvia validate --json                            one JSON object per row, each on a line
  silvia validate --markdown                        a table for a page

A name may be shortened as long as only one scene begins with it. Errors are fractions of the
expected value or, if a unit follows, absolute. A row whose error exceeds its tolerance makes the
exit code 1.")]
pub(crate) struct Validate {
    /// Names of scenes; all by default.
    #[arg(value_name = "SCENE")]
    scenes: Vec<String>,
    /// Use only this method: auto, ncp, lcp or bilateral.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// List the scenes without running any.
    #[arg(long)]
    list: bool,
    /// Print one JSON object per row, each on a line.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print a table in Markdown.
    #[arg(long)]
    markdown: bool,
}

impl Validate {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let chosen = self.chosen()?;
        let mut out = std::io::stdout().lock();
        if self.list {
            for scene in chosen {
                writeln!(out, "{}\n  {}\n  by {}", scene.name, scene.what, scene.methods.join(", "))?;
            }
            return Ok(());
        }
        let runs = self.runs(&chosen)?;
        let progress = progress(runs.len());
        let mut rows = Vec::new();
        let mut failed = 0;
        for (scene, method) in runs {
            progress.set_message(format!("{} by {method}", scene.name));
            match scene.rows(method) {
                Ok(found) => {
                    for row in &found {
                        progress.suspend(|| self.show(&mut out, row, rows.is_empty()))?;
                        rows.push(row.clone());
                    }
                }
                Err(error) => {
                    progress.suspend(|| eprintln!("error: {} by {method}: {error}", scene.name));
                    failed += 1;
                }
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        let passed = rows.iter().filter(|row| row.pass).count();
        if self.markdown {
            write!(out, "{}", table(&rows))?;
        } else if !self.json {
            writeln!(out, "{passed} of {} rows within their tolerance", rows.len())?;
        }
        if failed == 0 && passed == rows.len() { Ok(()) } else { Err(Failure::AlreadyTold) }
    }

    /// Writes a row at once. A Markdown table is written at the end.
    fn show(&self, out: &mut impl Write, row: &Row, is_first: bool) -> std::io::Result<()> {
        if self.json {
            writeln!(out, "{}", as_json(row))?;
        } else if !self.markdown {
            if is_first {
                writeln!(out, "{HEADING}")?;
            }
            writeln!(out, "{}", as_line(row))?;
        }
        // Flush each row before the next run: that may take long.
        out.flush()
    }

    fn chosen(&self) -> Result<Vec<&'static Scene>, Failure> {
        if self.scenes.is_empty() {
            return Ok(SCENES.iter().collect());
        }
        self.scenes.iter().map(|name| found(name)).collect()
    }

    /// The pairs of scene and method to run.
    fn runs(&self, scenes: &[&'static Scene]) -> Result<Vec<(&'static Scene, &'static str)>, Failure> {
        let all = scenes.iter().flat_map(|scene| scene.methods.iter().map(|method| (*scene, *method)));
        let Some(wanted) = &self.method else { return Ok(all.collect()) };
        let runs: Vec<_> = all.filter(|(_, method)| method == wanted).collect();
        if runs.is_empty() {
            let mut known: Vec<&str> = scenes.iter().flat_map(|scene| scene.methods).copied().collect();
            known.sort_unstable();
            known.dedup();
            let what = format!("no scene handles the method `{wanted}`: choose {}", known.join(", "));
            return Err(Failure::Bad(what));
        }
        Ok(runs)
    }
}

fn found(name: &str) -> Result<&'static Scene, Failure> {
    if let Some(scene) = Scene::by_name(name) {
        return Ok(scene);
    }
    let mut candidates = SCENES.iter().filter(|scene| scene.name.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(scene), None) => Ok(scene),
        (one, other) => {
            if name.ends_with(".toml") {
                let what = format!(
                    "`{name}` is a file, and `silvia validate` runs the scenes that it has of its own: \
                     `silvia run {name}` runs yours"
                );
                return Err(Failure::Bad(what));
            }
            let wrong = if one.is_some() && other.is_some() { "more than one" } else { "no" };
            let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            let what = format!("{wrong} scene begins with `{name}`: there are {}", known.join(", "));
            Err(Failure::Bad(what))
        }
    }
}

/// A progress bar on standard error, if it is a terminal.
fn progress(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
    let bar = ProgressBar::new(length as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

const HEADING: &str = "scene              method     quantity                                       \
 expected            got      error";

fn as_line(row: &Row) -> String {
    let of_error = match row.measure {
        Measure::Absolute if !row.unit.is_empty() => format!(" {}", row.unit),
        _ => String::new(),
    };
    let mark = if row.pass { "" } else { "  OFF" };
    format!(
        "{:<18} {:<10} {:<42} {:>14} {:>14} {:>10.1e}{of_error}{mark}",
        row.scene,
        row.method,
        row.quantity,
        with_unit(row.expected, row.unit),
        with_unit(row.got, row.unit),
        row.error,
    )
}

fn with_unit(value: f64, unit: &str) -> String {
    let value = number(format!("{value:.5e}").parse().unwrap_or(value));
    if unit.is_empty() { value } else { format!("{value} {unit}") }
}

fn as_json(row: &Row) -> serde_json::Value {
    let measure = match row.measure {
        Measure::Relative => "relative",
        Measure::Absolute => "absolute",
    };
    json!({
        "scene": row.scene,
        "method": row.method,
        "quantity": row.quantity,
        "unit": row.unit,
        "expected": row.expected,
        "got": row.got,
        "error": row.error,
        "measure": measure,
        "tolerance": row.tolerance,
        "pass": row.pass,
    })
}
