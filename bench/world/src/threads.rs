//! What more threads bring on a pile, and that they and the profile change no bit.

use crate::scenes;
use crate::task::{self, Task, Which, Who};
use bench_common::Options;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt::Write;

/// The scene of the comparison.
const SCENE: &str = "pile-1000";
/// Longest time of a thread, s.
const LIMIT: f64 = 60.0;
const QUICK_LIMIT: f64 = 5.0;
/// Two threads should be so many times as fast as one.
const AIM: f64 = 1.6;

/// What was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Threads {
    title: String,
    steps: usize,
    windows: [String; 2],
    second: usize,
    rows: Vec<Row>,
}

/// A run.
#[derive(Serialize, Deserialize)]
struct Row {
    threads: String,
    /// Of each step, by the clock, s.
    walls: Vec<f64>,
    /// After each step.
    hashes: Vec<u64>,
    ended: Option<String>,
}

pub(crate) fn run(interactive: bool, options: &Options) -> Result<Threads, Box<dyn Error>> {
    let scene = scenes::named(SCENE, options.quick)?;
    let limit = if options.quick { QUICK_LIMIT } else { LIMIT };
    println!("Threads: {}", scene.title);
    let mut rows: Vec<Row> = Vec::new();
    for (name, threads, profiled) in
        [("1", 1, false), ("2", 2, false), ("4", 4, false), ("1, profiled", 1, true)]
    {
        let which = Which::Named { name: SCENE.into(), quick: options.quick };
        let task = Task { scene: which, engine: Who::Silvia { profiled, interactive }, threads, limit };
        let run = task::run(&task, &format!("threads: {name}"), scene.steps)?;
        println!("  {}: {} steps, {:.2} s", run.engine, run.walls.len(), run.walls.iter().sum::<f64>());
        rows.push(Row { threads: name.into(), walls: run.walls, hashes: run.hashes, ended: run.ended });
    }
    let windows = scene.windows.map(str::to_owned);
    let title = if interactive { format!("{}, interactive", scene.title) } else { scene.title };
    Ok(Threads { title, steps: scene.steps, windows, second: scene.second, rows })
}

/// For the page.
pub(crate) fn section(measured: &Threads) -> String {
    let Threads { title, steps, windows: [first, second], second: from, rows } = measured;
    let common = rows.iter().map(|row| row.walls.len()).min().unwrap_or(0);
    let mut text = format!(
        "\n### Threads: {title}\n\nSilvia, the {common} of {steps} steps that all have made, by the clock on \
         the wall: other programs on the machine are in it. *{second}* is from step {from} \
         on. The hash is that of the state after the last of these steps: all must be the same. Aimed at: \
         two threads {AIM} times as fast as one.\n\n\
         | threads | seconds in all | times as fast as one | {first} | {second} | hash \
         |\n|--:|--:|--:|--:|--:|---|\n"
    );
    let Some(one) = rows.first() else { return text };
    let middle = (*from).min(common);
    for row in rows {
        let sum = |row: &Row, from: usize, to: usize| row.walls[from..to].iter().sum::<f64>();
        let times = |from: usize, to: usize| match sum(row, from, to) {
            all if all > 0.0 => format!("{:.2}", sum(one, from, to) / all),
            _ => "–".into(),
        };
        let hash = |row: &Row| common.checked_sub(1).and_then(|last| row.hashes.get(last).copied());
        let same = if hash(row) == hash(one) { "" } else { " **differs**" };
        let _ = writeln!(
            text,
            "| {} | {:.2} | {} | {} | {} | `{:016x}`{same} |",
            row.threads,
            sum(row, 0, common),
            times(0, common),
            times(0, middle),
            times(middle, common),
            hash(row).unwrap_or_default()
        );
    }
    for row in rows {
        if let Some(why) = &row.ended {
            let made = row.walls.len();
            let _ =
                write!(text, "\nThreads: {}; stopped after {made} of {steps} steps: {why}.\n", row.threads);
        }
    }
    text
}
