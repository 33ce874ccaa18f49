//! `silvia ccd`: elementary continuous collision queries from files.

use crate::failure::Failure;
use serde_json::json;
use silvia::proximity::elementary::{Method, Query, read_queries};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs files of elementary queries (a moving vertex and face, or two moving edges) and counts wrong answers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia ccd cloth.csv                              wrong answers, and microseconds per query
  silvia ccd *.csv --method interpolated            the test of paper 1: fast but not exact
  silvia ccd cloth.csv --json                       one JSON object per file, for programs

One query per line: kind, label and 24 numbers, separated by commas. Kind is `vf` (a vertex, then
the corners of a face) or `ee` (the ends of one edge, then of the other). The label is 1 if they
touch at some time in [0, 1], 0 if not, empty if unknown. Then come 4 points at the start and the
same 4 at the end; they move along straight lines. Empty lines and lines that begin with # are
skipped.

Each query runs three times and the shortest time counts, so that other load on the machine matters
little. It includes finding the time of touch.

Wrong answers are findings, not errors: the exit code stays 0. It is 1 if a file cannot be read.")]
pub(crate) struct Ccd {
    /// CSV files of queries.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The method.
    #[arg(long, value_enum, default_value_t = MethodName::Exact)]
    method: MethodName,
    /// Print one JSON object per file, each on a line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    /// Exact; never wrong.
    Exact,
    /// The linearly interpolated distances of paper 1.
    Interpolated,
}

impl Ccd {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let method = match self.method {
            MethodName::Exact => Method::Exact,
            MethodName::Interpolated => Method::Interpolated,
        };
        let mut out = std::io::stdout().lock();
        let mut failed = false;
        let mut shown = false;
        for file in &self.files {
            match read(file) {
                Ok(queries) => {
                    let tally = Tally::of(&queries, method);
                    if self.json {
                        writeln!(out, "{}", tally.as_json(file))?;
                    } else {
                        if !shown {
                            writeln!(out, "{HEADING}")?;
                        }
                        writeln!(out, "{}", tally.as_line(file))?;
                    }
                    shown = true;
                    out.flush()?;
                }
                Err(failure) => {
                    eprintln!("error: {failure}");
                    failed = true;
                }
            }
        }
        if failed { Err(Failure::AlreadyTold) } else { Ok(()) }
    }
}

const HEADING: &str = "queries   touch  false positives  false negatives  mean us   max us  file";

/// Each query runs this many times, and the shortest time counts.
const RUNS: usize = 3;

/// The results of a file.
struct Tally {
    queries: usize,
    touching: usize,
    false_positives: usize,
    false_negatives: usize,
    mean_us: f64,
    max_us: f64,
}

impl Tally {
    fn of(queries: &[Query], method: Method) -> Tally {
        let mut least = vec![f64::INFINITY; queries.len()];
        let mut answers = vec![false; queries.len()];
        for _ in 0..RUNS {
            for (at, query) in queries.iter().enumerate() {
                let start = Instant::now();
                let time = std::hint::black_box(method.time(std::hint::black_box(&query.pair)));
                let taken = start.elapsed().as_secs_f64();
                least[at] = least[at].min(1e6 * taken);
                answers[at] = time.is_some();
            }
        }
        let count = |answer: bool, label: bool| {
            queries.iter().zip(&answers).filter(|(q, a)| **a == answer && q.label == Some(label)).count()
        };
        Tally {
            queries: queries.len(),
            touching: answers.iter().filter(|a| **a).count(),
            false_positives: count(true, false),
            false_negatives: count(false, true),
            mean_us: least.iter().sum::<f64>() / queries.len() as f64,
            max_us: least.iter().copied().fold(0.0, f64::max),
        }
    }

    fn as_line(&self, file: &Path) -> String {
        format!(
            "{:>7}  {:>6}  {:>15}  {:>15}  {:>7.3}  {:>7.2}  {}",
            self.queries,
            self.touching,
            self.false_positives,
            self.false_negatives,
            self.mean_us,
            self.max_us,
            file.display()
        )
    }

    fn as_json(&self, file: &Path) -> serde_json::Value {
        json!({
            "file": file.display().to_string(),
            "queries": self.queries,
            "touching": self.touching,
            "false_positives": self.false_positives,
            "false_negatives": self.false_negatives,
            "mean_us": self.mean_us,
            "max_us": self.max_us,
        })
    }
}

fn read(file: &Path) -> Result<Vec<Query>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::with_file(file, "there is no such file or folder: check the name")
        }
        _ => Failure::with_file(file, format!("cannot be read ({e})")),
    })?;
    read_queries(&text).map_err(|e| Failure::with_file(file, e))
}
