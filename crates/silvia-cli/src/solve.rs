//! `silvia solve`: solves contact problems from files, by any method.

use crate::failure::Failure;
use crate::values;
use serde_json::json;
use silvia::contact::solvers::{Lemke, NAMES, by_name};
use silvia::contact::{NamedProblem, Report, Settings, Solver, from_json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Solves contact problems: finds the impulses at contacts with friction, by a method of your choice.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia solve tower.json                           by the best method, to a residual of 1e-8
  silvia solve *.json --tol 1e-4 --method admm      another method, a looser tolerance
  silvia solve tower.json --method all              every method, one line each
  silvia solve tower.json --json                    one JSON object per line, with the impulses

A file holds one problem as JSON: name, contacts, mu, q, and W as rows, cols, vals (three rows per
contact: normal and two tangents). The residual is the norm of the natural map divided by that of q;
lemke and bilateral solve laws of their own, and are measured by those.

A problem that a method cannot solve is a finding, not an error: the exit code stays 0. It is 1 if a
file cannot be read.")]
pub(crate) struct Solve {
    /// JSON files of contact problems.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The method: auto, proximal, gauss-seidel, admm, fischer, lemke, bilateral; or all.
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = known_method)]
    method: String,
    /// Facets of the pyramid that approximates the friction cone in lemke, 3 to 64.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(3..=64))]
    facets: u8,
    /// Residual at which a problem counts as solved.
    #[arg(long, value_name = "TOL", default_value = "1e-8", value_parser = values::positive)]
    tol: f64,
    /// The most iterations; with auto, for each group of coupled contacts.
    #[arg(long, value_name = "N")]
    max_iterations: Option<usize>,
    /// The most seconds for each problem and method.
    #[arg(long, value_name = "SECONDS", value_parser = values::positive)]
    time_limit: Option<f64>,
    /// Print one JSON object per problem, each on a line.
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        let budget = self.time_limit.map(|seconds| Duration::from_secs_f64(seconds.min(MOST_SECONDS)));
        let settings =
            Settings { tolerance: self.tol, max_iterations: self.max_iterations, budget, trace: false };
        let solvers = chosen(&self.method, usize::from(self.facets));
        let mut failed = 0;
        let mut shown = 0;
        for file in &self.files {
            let named = match read(file) {
                Ok(named) => named,
                Err(failure) => {
                    eprintln!("error: {failure}");
                    failed += 1;
                    continue;
                }
            };
            for solver in &solvers {
                let start = Instant::now();
                let report = solver.solve(&named.problem, None, &settings);
                let seconds = start.elapsed().as_secs_f64();
                if self.json {
                    writeln!(out, "{}", as_json(&named, &report, seconds))?;
                } else {
                    if shown == 0 {
                        writeln!(out, "{HEADING}")?;
                    }
                    writeln!(out, "{}", as_line(&named, &report, seconds))?;
                    for note in &report.notes {
                        eprintln!("{}: {}: {note}", named.name, report.method);
                    }
                }
                shown += 1;
                // Flush each answer before the next problem: that may take long.
                out.flush()?;
            }
        }
        if failed == 0 { Ok(()) } else { Err(Failure::AlreadyTold) }
    }
}

/// A year: a longer limit is no limit, and this keeps the clock's arithmetic from overflowing.
const MOST_SECONDS: f64 = 3.2e7;

const HEADING: &str =
    "problem                          contacts  method        outcome         residual  iterations   seconds";

fn as_line(named: &NamedProblem, report: &Report, seconds: f64) -> String {
    format!(
        "{:<32} {:>8}  {:<13} {:<14} {:>9.1e}  {:>10}  {:>8.5}",
        named.name,
        named.problem.contacts(),
        report.method,
        report.outcome.as_str(),
        report.residual,
        report.iterations,
        seconds
    )
}

fn as_json(named: &NamedProblem, report: &Report, seconds: f64) -> serde_json::Value {
    json!({
        "name": named.name,
        "contacts": named.problem.contacts(),
        "method": report.method,
        "outcome": report.outcome.as_str(),
        // JSON has no infinity: a residual that is not finite is null.
        "residual": report.residual,
        "iterations": report.iterations,
        "seconds": seconds,
        "r": report.r,
        "notes": report.notes,
    })
}

fn read(file: &Path) -> Result<NamedProblem, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::with_file(file, "there is no such file or folder: check the name")
        }
        _ => Failure::with_file(file, format!("cannot be read ({e})")),
    })?;
    from_json(&text).map_err(|e| Failure::with_file(file, e))
}

fn chosen(method: &str, facets: usize) -> Vec<Box<dyn Solver>> {
    let names = if method == "all" { NAMES.to_vec() } else { vec![method] };
    let named = |name: &str| -> Option<Box<dyn Solver>> {
        if name == "lemke" { Some(Box::new(Lemke::new(facets))) } else { by_name(name) }
    };
    names.into_iter().filter_map(named).collect()
}

fn known_method(name: &str) -> Result<String, String> {
    if name == "all" || by_name(name).is_some() {
        Ok(name.to_string())
    } else {
        Err(format!("there is {}, or all", NAMES.join(", ")))
    }
}
