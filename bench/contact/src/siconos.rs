//! The peer: Siconos, through its Python package.

use crate::problems::Problem;
use crate::{LIMIT_SECONDS, REPEATS, Row};
use bench_common::Options;
use serde::Deserialize;
use silvia::contact::residual;
use std::error::Error;
use std::process::Command;

/// Its solvers that do best on such problems, and how people call them.
const SOLVERS: [(&str, &str); 5] = [
    ("NSGS", "Gauss-Seidel"),
    ("NSN_AC", "Alart-Curnier"),
    ("NSN_FB", "Fischer-Burmeister"),
    ("PROX", "proximal"),
    ("ADMM", "ADMM"),
];

/// A solver that stops by its own measure may stop early by ours; it is then given a tolerance this much
/// tighter, up to twice, and the time of the run that passes counts.
const TIGHTER: f64 = 1e-2;

#[derive(Deserialize)]
struct Line {
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    seconds: f64,
    r: Vec<f64>,
}

pub(crate) fn rows(
    options: &Options,
    tolerance: f64,
    problems: &[Problem],
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for (solver, name) in SOLVERS {
        let mut seconds = vec![None; problems.len()];
        let mut open: Vec<usize> = (0..problems.len()).collect();
        for asked in [tolerance, tolerance * TIGHTER, tolerance * TIGHTER * TIGHTER] {
            if open.is_empty() {
                break;
            }
            let lines = ask(options, solver, asked, &open, problems)?;
            for (&at, line) in open.iter().zip(&lines) {
                let problem = &problems[at].named.problem;
                seconds[at] = line
                    .answers
                    .iter()
                    .filter(|a| a.seconds <= LIMIT_SECONDS && residual(problem, &a.r) <= tolerance)
                    .map(|a| a.seconds)
                    .reduce(f64::min);
            }
            // One that ran out of time would do so again.
            let in_time: Vec<bool> =
                lines.iter().map(|line| line.answers.iter().any(|a| a.seconds <= LIMIT_SECONDS)).collect();
            open = open
                .into_iter()
                .zip(in_time)
                .filter(|&(at, ok)| ok && seconds[at].is_none())
                .map(|o| o.0)
                .collect();
        }
        rows.push(Row { method: format!("Siconos {name}"), tolerance, seconds });
        crate::told(&rows);
    }
    Ok(rows)
}

fn ask(
    options: &Options,
    solver: &str,
    tolerance: f64,
    which: &[usize],
    problems: &[Problem],
) -> Result<Vec<Line>, Box<dyn Error>> {
    let python = std::env::var("SICONOS_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".into());
    let repeats = if options.quick { 1 } else { REPEATS };
    let output = Command::new(&python)
        .arg(options.root.join("bench/contact/siconos_solve.py"))
        .args([tolerance.to_string(), LIMIT_SECONDS.to_string(), repeats.to_string(), solver.to_string()])
        .args(which.iter().map(|&p| &problems[p].file))
        // One thread, like ours on one island.
        .env("OMP_NUM_THREADS", "1")
        .env("OPENBLAS_NUM_THREADS", "1")
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default().to_string();
        return Err(format!("{last} (install Debian's python3-siconos and python3-scipy)").into());
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}
