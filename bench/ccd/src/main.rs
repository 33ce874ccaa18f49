//! `cargo xtask bench ccd`: Silvia's elementary tests and those of ipc-toolkit on the same queries.
//!
//! The queries are the CSV files in the folder that `SILVIA_CCD_DATA` names, else some made by rule, whose
//! labels the exact method gives.

mod sets;

use bench_common::{Options, machine};
use serde::Deserialize;
use sets::Set;
use silvia::proximity::elementary::{Method, first_touch, interpolated_touch};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Each side runs so often over a set, and its best time counts.
const REPEATS: usize = 5;
/// Queries of a set in a quick run.
const QUICK: usize = 100;

/// One method on one set.
struct Row {
    method: String,
    false_positives: usize,
    false_negatives: usize,
    mean_us: f64,
    /// Of our methods: the longest query.
    max_us: Option<f64>,
}

#[derive(Deserialize)]
struct Reply {
    version: String,
    call_us: f64,
    methods: BTreeMap<String, Answers>,
}

#[derive(Deserialize)]
struct Answers {
    mean_us: f64,
    answers: Vec<bool>,
}

fn main() -> ExitCode {
    bench_common::run(compare)
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let most = if options.quick { QUICK } else { usize::MAX };
    let sets = sets::load(options, most)?;
    let replies = ask_peer(options, &sets, most)?;
    let (version, call) = replies.first().map_or(("?", f64::NAN), |r| (r.version.as_str(), r.call_us));
    let mut text = format!(
        "{}, commit {}. Best of {REPEATS} runs. ipc-toolkit {version} is called through Python, of which a \
         call that does next to nothing takes {call:.1} us here. FP and FN are false positives and \
         negatives.\n\n\
         | set | queries (touch) | method | FP | FN | mean us | longest us |\n\
         |---|---|---|---|---|---|---|\n",
        machine(),
        options.commit
    );
    let mut lags = Vec::new();
    for (set, reply) in sets.iter().zip(&replies) {
        let mut rows = vec![ours(set, Method::Exact), ours(set, Method::Interpolated)];
        rows.extend(reply.methods.iter().map(|(name, answers)| theirs(set, name, answers)));
        for (at, row) in rows.iter().enumerate() {
            let touching = set.queries.iter().filter(|q| q.label == Some(true)).count();
            let name = if at == 0 {
                format!("{} | {} ({touching})", set.name, set.queries.len())
            } else {
                " | ".into()
            };
            let longest = row.max_us.map_or(String::new(), |us| format!("{us:.1}"));
            writeln!(
                text,
                "| {name} | {} | {} | {} | {:.2} | {longest} |",
                row.method, row.false_positives, row.false_negatives, row.mean_us
            )?;
        }
        lags.extend(
            set.queries
                .iter()
                .filter_map(|q| Some(interpolated_touch(&q.pair)? - first_touch(&q.pair)?.lower)),
        );
    }
    let late = lags.iter().filter(|lag| **lag > 1e-9).count();
    let off: Vec<f64> = lags.iter().map(|lag| lag.abs()).collect();
    writeln!(
        text,
        "\nWhere both find a touch ({} queries), the interpolated time is off by {:.1e} of the interval in \
         the mean and {:.1e} at \
         most; it is late in {late}.",
        off.len(),
        off.iter().sum::<f64>() / off.len().max(1) as f64,
        off.iter().copied().fold(0.0, f64::max),
    )?;
    let file = options.output().join("bench-ccd.md");
    std::fs::write(&file, &text)?;
    println!("{text}\nwritten: {}", file.display());
    Ok(())
}

fn ours(set: &Set, method: Method) -> Row {
    let mut answers = Vec::new();
    let mut mean = f64::INFINITY;
    for _ in 0..REPEATS {
        answers.clear();
        let start = Instant::now();
        answers.extend(set.queries.iter().map(|q| black_box(method.time(black_box(&q.pair))).is_some()));
        mean = mean.min(1e6 * start.elapsed().as_secs_f64() / set.queries.len() as f64);
    }
    let longest = set.queries.iter().map(|q| {
        let times = (0..REPEATS).map(|_| {
            let start = Instant::now();
            black_box(method.time(black_box(&q.pair)));
            1e6 * start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    });
    let max_us = Some(longest.fold(0.0, f64::max));
    let name = match method {
        Method::Exact => "**silvia exact**",
        Method::Interpolated => "silvia interpolated",
    };
    judged(set, name.into(), &answers, mean, max_us)
}

fn theirs(set: &Set, name: &str, answers: &Answers) -> Row {
    judged(set, format!("ipc-toolkit {name}"), &answers.answers, answers.mean_us, None)
}

fn judged(set: &Set, method: String, answers: &[bool], mean_us: f64, max_us: Option<f64>) -> Row {
    let count = |answer: bool| {
        set.queries.iter().zip(answers).filter(|(q, a)| **a == answer && q.label == Some(!answer)).count()
    };
    Row { method, false_positives: count(true), false_negatives: count(false), mean_us, max_us }
}

fn ask_peer(options: &Options, sets: &[Set], most: usize) -> Result<Vec<Reply>, Box<dyn Error>> {
    let repeats = if options.quick { 1 } else { REPEATS };
    let output = Command::new(&options.python)
        .arg(options.root.join("bench/ccd/peer.py"))
        .args([repeats.to_string(), most.min(1_000_000_000).to_string()])
        .args(sets.iter().map(|set| &set.file))
        .output()?;
    if !output.status.success() {
        return Err(format!("ipc-toolkit failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let replies = text.lines().map(serde_json::from_str).collect::<Result<Vec<Reply>, _>>()?;
    if replies.len() == sets.len() {
        Ok(replies)
    } else {
        Err("ipc-toolkit did not answer for every set".into())
    }
}
