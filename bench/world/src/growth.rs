//! Time of a step and memory of Silvia by number of bodies. Every size runs in a process of its own, so that
//! its peak of memory is its own.

use crate::task::{self, Task, Which, Who};
use bench_common::{Options, growth_exponent, median, plot_with_exponents};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt::Write;

/// The file of the plot.
pub(crate) const PLOT: &str = "bench-world-growth.svg";
/// What grows, with the names and colours of its curves: time, and memory in a lighter one.
const KINDS: [(&str, [&str; 2], [&str; 2]); 3] = [
    ("stacks", ["stacks, ms", "stacks, MiB"], ["#1f77b4", "#aec7e8"]),
    ("pile", ["pile, ms", "pile, MiB"], ["#d62728", "#ff9896"]),
    ("pile, interactive", ["quick, ms", "quick, MiB"], ["#2ca02c", "#98df8a"]),
];
const SIZES: [usize; 4] = [10, 100, 1000, 10_000];
const QUICK_SIZES: [usize; 3] = [10, 30, 100];
/// Steps of each size: in a pile all layers have met by then.
const STEPS: usize = 200;
const QUICK_STEPS: usize = 60;
/// Longest time of one size, s: four of them end within eight minutes.
const LIMIT: f64 = 60.0;
const QUICK_LIMIT: f64 = 5.0;

/// How one kind grows.
#[derive(Serialize, Deserialize)]
pub(crate) struct Grown {
    kind: String,
    steps: usize,
    points: Vec<Point>,
}

/// A size.
#[derive(Serialize, Deserialize)]
struct Point {
    bodies: usize,
    /// Of each step made, on the processor, s.
    seconds: Vec<f64>,
    /// Of the process; none if it made no step.
    peak_mib: Option<f64>,
    ended: Option<String>,
}

pub(crate) fn run(kind: &str, options: &Options) -> Result<Grown, Box<dyn Error>> {
    let (steps, limit) = if options.quick { (QUICK_STEPS, QUICK_LIMIT) } else { (STEPS, LIMIT) };
    let sizes: &[usize] = if options.quick { &QUICK_SIZES } else { &SIZES };
    let mut points = Vec::new();
    for &bodies in sizes {
        let scene = match kind {
            "stacks" => Which::Stacks { bodies, steps },
            _ => Which::Bed { bodies, steps },
        };
        let task = Task {
            scene,
            engine: Who::Silvia { profiled: false, interactive: kind == "pile, interactive" },
            threads: 1,
            limit,
        };
        let run = task::run(&task, &format!("{kind} of {bodies}"), steps)?;
        println!(
            "{}: {} of {steps} steps, median {:.3} ms, {:.0} MiB{}",
            run.engine,
            run.seconds.len(),
            1e3 * median(&run.seconds),
            run.peak_mib,
            run.ended.as_ref().map_or(String::new(), |why| format!("; stopped: {why}"))
        );
        let peak_mib = Some(run.peak_mib).filter(|mib| mib.is_finite());
        points.push(Point { bodies, seconds: run.seconds, peak_mib, ended: run.ended });
    }
    Ok(Grown { kind: kind.into(), steps, points })
}

impl Grown {
    /// Bodies and milliseconds a step of each size that made a step, over the second half of the steps that
    /// all of these have made.
    fn times(&self) -> Vec<(f64, f64)> {
        let made = || self.points.iter().filter(|point| !point.seconds.is_empty());
        let common = made().map(|point| point.seconds.len()).min().unwrap_or(0);
        let time = |point: &Point| 1e3 * median(&point.seconds[common / 2..common]);
        made().map(|point| (point.bodies as f64, time(point))).collect()
    }

    /// Bodies and MiB of each size that made a step.
    fn memory(&self) -> Vec<(f64, f64)> {
        self.points.iter().filter_map(|point| Some((point.bodies as f64, point.peak_mib?))).collect()
    }
}

/// For the page.
pub(crate) fn section(grown: &[&Grown]) -> String {
    let mut text = String::from(
        "\n### Growth\n\nSilvia on one thread; times are those of the thread on the processor, memory is the \
         most that the process had. *Stacks* are of ten cubes each, apart from each other; a *pile* is five \
         layers of convex parts that \
         fall on each other between four walls, wider for more bodies; *interactive*, *quick* in the plot, \
         is the same in an interactive world. Nothing sleeps. The time is the median of the second half of \
         those steps that every size has made. The exponent is that of \
         growth from the size before: 1 is linear.\n\n\
         | | bodies | steps made | ms a step | exponent | ms a body and step | MiB | exponent \
         |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for one in grown {
        let (times, memory) = (one.times(), one.memory());
        for point in &one.points {
            let bodies = point.bodies as f64;
            let [ms, mib] = [&times, &memory].map(|curve| value(curve, bodies));
            let _ = writeln!(
                text,
                "| {} | {bodies} | {} | {} | {} | {} | {} | {} |",
                one.kind,
                point.seconds.len(),
                ms.map_or("–".into(), |ms| format!("{ms:.3}")),
                exponent(&times, bodies),
                ms.map_or("–".into(), |ms| format!("{:.4}", ms / bodies)),
                mib.map_or("–".into(), |mib| format!("{mib:.0}")),
                exponent(&memory, bodies),
            );
        }
    }
    for one in grown {
        let slope = |curve: Vec<(f64, f64)>| match (curve.first(), curve.last()) {
            (Some(&first), Some(&last)) if last.0 > first.0 => format!("{:.2}", growth_exponent(first, last)),
            _ => "–".into(),
        };
        let (time, memory) = (slope(one.times()), slope(one.memory()));
        let _ = write!(
            text,
            "\n{}: from the smallest to the largest, time grows as n^{time} and memory as n^{memory}.\n",
            one.kind
        );
    }
    for one in grown {
        for Point { bodies, seconds, ended, .. } in &one.points {
            if let Some(why) = ended {
                let (kind, made, all) = (&one.kind, seconds.len(), one.steps);
                let _ = write!(text, "\n{kind} of {bodies}: stopped after {made} of {all} steps: {why}.\n");
            }
        }
    }
    text
}

fn value(curve: &[(f64, f64)], bodies: f64) -> Option<f64> {
    curve.iter().find(|point| point.0 == bodies).map(|point| point.1)
}

/// Of growth from the point before.
fn exponent(curve: &[(f64, f64)], bodies: f64) -> String {
    let pair = curve.windows(2).find(|pair| pair[1].0 == bodies);
    pair.map_or(String::new(), |pair| format!("{:.2}", growth_exponent(pair[0], pair[1])))
}

pub(crate) fn plot(grown: &[&Grown]) -> String {
    let mut lines = Vec::new();
    for (kind, names, colours) in KINDS {
        for one in grown.iter().filter(|one| one.kind == kind) {
            lines.push((names[0], colours[0], one.times()));
            lines.push((names[1], colours[1], one.memory()));
        }
    }
    let title = "Time of a step and memory, by number of bodies";
    plot_with_exponents(title, "bodies", "ms a step, or MiB of the process", lines)
}
