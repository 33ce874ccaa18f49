//! `--growth`: time of a step and memory of Silvia by number of bodies, and what a second thread brings. Every size runs in a process
//! of its own, so that its peak of memory is its own.

use crate::run::Engine;
use crate::scene::Scene;
use crate::scenes;
use crate::silvia_side::Silvia;
use bench_common::{Options, growth_exponent, machine, median, peak_memory_mib, plot_with_exponents};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What grows, with the colours of its curves: time, and memory in a lighter one.
const KINDS: [(&str, [&str; 2]); 2] = [("stacks", ["#1f77b4", "#aec7e8"]), ("pile", ["#d62728", "#ff9896"])];
/// In each kind's legend.
const CURVES: [[&str; 2]; 2] = [["stacks, ms", "stacks, MiB"], ["pile, ms", "pile, MiB"]];
/// Steps of each size: in a pile all layers have met by then.
const STEPS: usize = 200;
const QUICK_STEPS: usize = 60;
/// Longest time of one size: the whole ends within 20 minutes.
const LIMIT: Duration = Duration::from_secs(90);
const QUICK_LIMIT: Duration = Duration::from_secs(5);
/// The pile that shows what threads bring.
const THREADED: usize = 1000;
const QUICK_THREADED: usize = 100;

/// What a process is asked to measure.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Task {
    kind: String,
    bodies: usize,
    steps: usize,
    threads: usize,
    /// Whether Silvia tells where its time goes.
    profiled: bool,
    limit: Duration,
}

/// What it found.
#[derive(Serialize, Deserialize)]
struct Point {
    /// Of each step made, s.
    seconds: Vec<f64>,
    /// Of the state at the end.
    hash: u64,
    /// Of the process.
    peak_mib: f64,
    ended: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.output())?;
    let (steps, limit) = if options.quick { (QUICK_STEPS, QUICK_LIMIT) } else { (STEPS, LIMIT) };
    let sizes: &[usize] = if options.quick { &[10, 100] } else { &[10, 100, 1000, 10_000] };
    let mut grown = Vec::new();
    for (kind, _) in KINDS {
        let mut points = Vec::new();
        for &bodies in sizes {
            let task = Task { kind: kind.into(), bodies, steps, threads: 1, profiled: false, limit };
            points.push((bodies, measured(&task)?));
        }
        grown.push(points);
    }
    let bodies = if options.quick { QUICK_THREADED } else { THREADED };
    let mut threaded: Vec<(&str, Point)> = Vec::new();
    for (name, threads, profiled) in
        [("1", 1, false), ("2", 2, false), ("4", 4, false), ("1, profiled", 1, true)]
    {
        // The same steps for all, or their states could not be compared.
        let (steps, limit) = threaded
            .first()
            .map_or((steps, limit), |(_, one)| (one.seconds.len(), Duration::from_secs(3600)));
        let task = Task { kind: "pile".into(), bodies, steps, threads, profiled, limit };
        threaded.push((name, measured(&task)?));
    }
    let text = page(&grown, bodies, &threaded, options);
    let output = options.output();
    std::fs::write(output.join("bench-world-growth.md"), &text)?;
    std::fs::write(output.join("bench-world-growth.svg"), plot(&grown))?;
    println!("\n{text}\nwritten: {}", output.join("bench-world-growth.md").display());
    Ok(())
}

/// Has a process of its own measure, and waits for it.
fn measured(task: &Task) -> Result<Point, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?)
        .args(["grow", &serde_json::to_string(task)?])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("measuring {} bodies ended with {}", task.bodies, output.status).into());
    }
    let point: Point = serde_json::from_slice(&output.stdout)?;
    let Task { kind, bodies, threads, steps, .. } = task;
    println!(
        "{kind} of {bodies}, {threads} thread(s): {} of {steps} steps, median {:.3} ms, {:.0} MiB{}",
        point.seconds.len(),
        1e3 * median(&point.seconds),
        point.peak_mib,
        point.ended.as_ref().map_or(String::new(), |why| format!("; stopped: {why}"))
    );
    Ok(point)
}

/// Measures in this process and prints what it found.
pub(crate) fn measure(task: &str) -> Result<(), Box<dyn Error>> {
    let task: Task = serde_json::from_str(task)?;
    let scene = match task.kind.as_str() {
        "stacks" => scenes::stacks(task.bodies, task.steps)?,
        _ => scenes::bed(task.bodies, task.steps)?,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(task.threads).build()?;
    let point = pool.install(|| stepped(&scene, &task).map_err(|error| error.to_string()))?;
    println!("{}", serde_json::to_string(&point)?);
    Ok(())
}

fn stepped(scene: &Scene, task: &Task) -> Result<Point, Box<dyn Error>> {
    let mut silvia = Silvia::new(scene)?;
    silvia.world.set_profiling(task.profiled);
    let (mut seconds, mut ended) = (Vec::new(), None);
    let begin = Instant::now();
    while seconds.len() < scene.steps && ended.is_none() {
        let start = Instant::now();
        match silvia.step() {
            Ok(()) => seconds.push(start.elapsed().as_secs_f64()),
            Err(why) => ended = Some(why),
        }
        if begin.elapsed() > task.limit && seconds.len() < scene.steps {
            ended = Some(crate::run::too_slow(task.limit));
        }
    }
    Ok(Point { seconds, hash: silvia.world.hash(), peak_mib: peak_memory_mib().unwrap_or(f64::NAN), ended })
}

fn page(
    grown: &[Vec<(usize, Point)>],
    bodies: usize,
    threaded: &[(&str, Point)],
    options: &Options,
) -> String {
    let mut text = format!(
        "{}, commit `{}`. Silvia on one thread; memory is the most that the process had. *Stacks* are of ten cubes each, apart from each other; a *pile* is five layers of convex parts that \
         fall on each other between four walls, wider for more bodies. The time is the median of the second half of those steps that every size has made. The exponent is that of \
         growth from the size before: 1 is linear.\n\n\
         | | bodies | steps made | ms a step | exponent | ms a body and step | MiB | exponent |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
        machine(),
        options.commit
    );
    for ((kind, _), points) in KINDS.iter().zip(grown) {
        let times = times(points);
        for (i, (bodies, point)) in points.iter().enumerate() {
            let exponent = |value: &dyn Fn(usize) -> f64| match i.checked_sub(1) {
                None => String::new(),
                Some(before) => {
                    let at = |k: usize| (points[k].0 as f64, value(k));
                    format!("{:.2}", growth_exponent(at(before), at(i)))
                }
            };
            let _ = writeln!(
                text,
                "| {kind} | {bodies} | {} | {:.3} | {} | {:.4} | {:.0} | {} |",
                point.seconds.len(),
                times[i],
                exponent(&|k| times[k]),
                times[i] / *bodies as f64,
                point.peak_mib,
                exponent(&|k| points[k].1.peak_mib)
            );
        }
    }
    for ((kind, _), points) in KINDS.iter().zip(grown) {
        for (bodies, point) in points {
            if let Some(why) = &point.ended {
                let made = point.seconds.len();
                let _ = write!(text, "\nThe {kind} of {bodies} stopped after {made} steps: {why}.\n");
            }
        }
    }
    threads(&mut text, bodies, threaded);
    text
}

fn threads(text: &mut String, bodies: usize, threaded: &[(&str, Point)]) {
    let Some((_, one)) = threaded.first() else { return };
    let _ = write!(
        text,
        "\n### Threads\n\nThe pile of {bodies}, {} steps. All states at the end must have the same hash.\n\n\
         | threads | seconds in all | times as fast as one | hash |\n|--:|--:|--:|---|\n",
        one.seconds.len()
    );
    let all = |point: &Point| point.seconds.iter().sum::<f64>();
    for (threads, point) in threaded {
        let same = if point.hash == one.hash { "" } else { " **differs**" };
        let _ = writeln!(
            text,
            "| {threads} | {:.2} | {:.2} | `{:016x}`{same} |",
            all(point),
            all(one) / all(point),
            point.hash
        );
    }
}

/// Milliseconds a step of each size, over the second half of the steps that all have made.
fn times(points: &[(usize, Point)]) -> Vec<f64> {
    let common = points.iter().map(|(_, point)| point.seconds.len()).min().unwrap_or(0);
    points.iter().map(|(_, point)| 1e3 * median(&point.seconds[common / 2..common])).collect()
}

fn plot(grown: &[Vec<(usize, Point)>]) -> String {
    let mut lines = Vec::new();
    for (((_, colours), names), points) in KINDS.iter().zip(CURVES).zip(grown) {
        let time = points.iter().zip(times(points)).map(|((bodies, _), ms)| (*bodies as f64, ms));
        // A size without a step has no time.
        let time = time.filter(|(_, ms)| *ms > 0.0).collect();
        let memory = points.iter().map(|(bodies, point)| (*bodies as f64, point.peak_mib)).collect();
        lines.push((names[0], colours[0], time));
        lines.push((names[1], colours[1], memory));
    }
    let title = "Time of a step and memory, by number of bodies";
    plot_with_exponents(title, "bodies", "ms a step, or MiB of the process", lines)
}
