//! Time and memory of `auto` on chains, stacks and walls of growing size, each in a process of its own.

use bench_common::{Curve, Options, growth_plot, peak_memory_mib};
use serde::{Deserialize, Serialize};
use silvia::contact::samples::{chain, grid, stack};
use silvia::contact::solvers::Auto;
use silvia::contact::{Outcome, Settings, Solver, System};
use std::error::Error;
use std::process::Command;
use std::time::Instant;

pub(crate) const KINDS: [&str; 3] = ["chain", "stack", "wall"];
/// Names of the two curves of each kind: time and memory.
const CURVES: [[&str; 2]; 3] =
    [["chain, s", "chain, MiB"], ["stack, s", "stack, MiB"], ["wall, s", "wall, MiB"]];
/// Their colours: memory is the lighter one.
const COLOURS: [[&str; 2]; 3] = [["#1f77b4", "#aec7e8"], ["#d62728", "#ff9896"], ["#2ca02c", "#98df8a"]];
/// Relative residual asked for.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// One point of the curves.
#[derive(Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) kind: String,
    pub(crate) contacts: usize,
    pub(crate) seconds: f64,
    pub(crate) peak_mib: f64,
    pub(crate) solved: bool,
}

pub(crate) fn run(options: &Options) -> Result<Vec<Point>, Box<dyn Error>> {
    let sizes: &[usize] = if options.quick { &[10, 100] } else { &[10, 100, 1000, 3000, 10_000] };
    let mut points = Vec::new();
    for kind in KINDS {
        for size in sizes {
            let output =
                Command::new(std::env::current_exe()?).args(["grow", kind, &size.to_string()]).output()?;
            let point: Point = serde_json::from_slice(&output.stdout)?;
            println!(
                "{kind} of {} contacts: {:.4} s, {:.0} MiB",
                point.contacts, point.seconds, point.peak_mib
            );
            points.push(point);
        }
    }
    Ok(points)
}

/// Measures one size and prints it.
pub(crate) fn measure(kind: &str, size: &str) -> Result<(), Box<dyn Error>> {
    let system = made(kind, size.parse()?);
    let assembled = system.assemble()?;
    let start = Instant::now();
    let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
    let report = Auto.solve(assembled.problem(), None, &settings);
    let point = Point {
        kind: kind.to_string(),
        contacts: assembled.problem().contacts(),
        seconds: start.elapsed().as_secs_f64(),
        peak_mib: peak_memory_mib().unwrap_or(f64::NAN),
        solved: report.outcome == Outcome::Solved,
    };
    println!("{}", serde_json::to_string(&point)?);
    Ok(())
}

fn made(kind: &str, contacts: usize) -> System {
    match kind {
        "chain" => chain(contacts, 0.5),
        "stack" => stack(contacts.div_ceil(4), 1.0, 0.5),
        _ => {
            // A brick of a wall has about eight contacts.
            let side = (contacts as f64 / 8.0).sqrt().ceil() as usize;
            grid(side, side, 0.5)
        }
    }
}

pub(crate) fn plot(points: &[Point]) -> String {
    let mut curves: Vec<Curve<'_>> = Vec::new();
    for ((kind, names), colours) in KINDS.into_iter().zip(CURVES).zip(COLOURS) {
        let of_kind: Vec<&Point> = points.iter().filter(|p| p.kind == kind).collect();
        let against = |value: fn(&Point) -> f64| -> Vec<(f64, f64)> {
            of_kind.iter().map(|p| (p.contacts as f64, value(p))).collect()
        };
        curves.push(Curve { name: names[0], color: colours[0], points: against(|p| p.seconds) });
        curves.push(Curve { name: names[1], color: colours[1], points: against(|p| p.peak_mib) });
    }
    let title = "Time and memory of auto to 1e-6, by number of contacts";
    growth_plot(title, "contacts", "seconds, or MiB of the process", &curves)
}
