//! `cargo xtask bench contact`: Silvia's contact solvers and those of Siconos on the same problems.
//!
//! Every answer of either side is judged by the same residual, computed here. The problems are those in the
//! folder that `SILVIA_CONTACT_PROBLEMS` names (the published ones, as JSON), else some made by rule. Siconos
//! comes from Debian's package `python3-siconos` and runs under the system's Python, or the one that
//! `SICONOS_PYTHON` names.

mod growth;
mod page;
mod problems;
mod siconos;

use bench_common::Options;
use problems::Problem;
use silvia::contact::solvers::by_name;
use silvia::contact::{Settings, residual};
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Longest time for one problem; an unsolved one counts as this much in totals.
const LIMIT_SECONDS: f64 = 10.0;
/// Each solve is repeated so often and the best time counts, on both sides.
const REPEATS: usize = 3;
/// Our solvers whose law is Coulomb's, and so comparable.
const OURS: [&str; 5] = ["auto", "proximal", "gauss-seidel", "admm", "fischer"];
const TOLERANCES: [f64; 2] = [1e-4, 1e-8];

/// One method on all problems at one tolerance.
struct Row {
    method: String,
    tolerance: f64,
    /// Seconds for each problem, where it was solved.
    seconds: Vec<Option<f64>>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    bench_common::finish(match &arguments[..] {
        [word, kind, size] if word == "grow" => growth::measure(kind, size),
        _ => Options::read(arguments.into_iter()).map_err(Into::into).and_then(|options| compare(&options)),
    })
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let problems = problems::load(options)?;
    let mut rows = Vec::new();
    for tolerance in TOLERANCES {
        for method in OURS {
            rows.push(ours(method, tolerance, &problems, options.quick)?);
            told(&rows);
        }
        match siconos::rows(options, tolerance, &problems) {
            Ok(theirs) => rows.extend(theirs),
            Err(error) if options.quick => println!("without Siconos: {error}"),
            // A table without the peer would look like a comparison that was won.
            Err(error) => return Err(format!("no Siconos to compare with: {error}; or use --quick").into()),
        }
    }
    let growth = growth::run(options)?;
    let text = page::text(&problems, &rows, &growth, &options.commit);
    let output = options.output();
    std::fs::write(output.join("bench-contact.md"), &text)?;
    std::fs::write(output.join("bench-contact-convergence.svg"), page::convergence(&problems))?;
    std::fs::write(output.join("bench-contact-growth.svg"), growth::plot(&growth))?;
    println!("\n{text}\nwritten: {}", output.join("bench-contact.md").display());
    Ok(())
}

fn ours(method: &str, tolerance: f64, problems: &[Problem], quick: bool) -> Result<Row, Box<dyn Error>> {
    let solver = by_name(method).ok_or_else(|| format!("no solver `{method}`"))?;
    let budget = Some(Duration::from_secs_f64(LIMIT_SECONDS));
    let settings = Settings { tolerance, budget, ..Settings::default() };
    let repeats = if quick { 1 } else { REPEATS };
    let mut seconds = Vec::new();
    for problem in problems {
        let mut best = None;
        for _ in 0..repeats {
            let start = Instant::now();
            let report = solver.solve(&problem.named.problem, None, &settings);
            let taken = start.elapsed().as_secs_f64();
            if residual(&problem.named.problem, &report.r) > tolerance {
                best = None;
                break;
            }
            best = Some(best.map_or(taken, |b: f64| b.min(taken)));
        }
        seconds.push(best);
    }
    Ok(Row { method: format!("silvia {method}"), tolerance, seconds })
}

fn told(rows: &[Row]) {
    if let Some(row) = rows.last() {
        let solved = row.seconds.iter().flatten().count();
        println!("{} at {:e}: {solved} solved, total {:.4} s", row.method, row.tolerance, page::total(row));
    }
}
