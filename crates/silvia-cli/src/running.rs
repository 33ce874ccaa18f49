//! Shared by `run` and `resume`: options, the progress bar, Ctrl-C, and the summary.

use crate::failure::Failure;
use crate::numbers::{measure, time};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use silvia::scene::recording::{Ending, GoalSummary, ProfileTable, Summary, Why};
use silvia::scene::run::{Ended, Progress, RunError};
use silvia::scene::scene::length_unit;
use silvia::scene::{RunOptions, Runner};
use silvia::world::LengthUnit;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Options of both commands.
#[derive(clap::Args)]
pub(crate) struct Running {
    /// Number of threads; affects speed, never results. By default that of the scene, or all of the machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Do not check each step for penetration; `max_penetration` is then unknown.
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Report the time of each stage of the steps, in the summary and in the recording; the results stay the
    /// same.
    #[arg(long)]
    profile: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Exit with code 1 unless the run reaches every `[[goal]]` of the scene.
    #[arg(long)]
    require_success: bool,
}

/// Resolution of the progress bar: a thousandth is visible.
const BAR: u64 = 1000;
/// How often the bar is redrawn.
const REDRAW: Duration = Duration::from_millis(100);
/// The exit code that shells use for a program ended by Ctrl-C.
const ENDED_BY_CTRL_C: i32 = 130;

impl Running {
    /// Whether a run with this summary is good enough.
    pub(crate) fn judge(&self, summary: &Summary) -> Result<(), Failure> {
        match self.require_success && summary.success != Some(true) {
            true => Err(Failure::Bad(no_success(summary))),
            false => Ok(()),
        }
    }

    pub(crate) fn options(&self) -> RunOptions {
        RunOptions {
            threads: self.threads.map(usize::from),
            is_checked: !self.no_check,
            is_profiled: self.profile,
            stop: Arc::default(),
        }
    }

    /// Runs to the end, shows the progress, and prints the summary.
    pub(crate) fn run(&self, runner: Runner, stop: &Arc<AtomicBool>, file: &Path) -> Result<(), Failure> {
        let asked = stop.clone();
        let on_ctrl_c = move || {
            // A second Ctrl-C means: do not wait for the step.
            if asked.swap(true, Ordering::Relaxed) {
                std::process::exit(ENDED_BY_CTRL_C);
            }
        };
        ctrlc::set_handler(on_ctrl_c)
            .map_err(|error| Failure::Bad(format!("Ctrl-C cannot be watched for: {error}")))?;
        let bar = bar();
        let mut drawn = Instant::now();
        let ended = runner.run(|progress| {
            if drawn.elapsed() >= REDRAW {
                drawn = Instant::now();
                show(&bar, progress);
            }
        });
        bar.finish_and_clear();
        let Ended { ending: Ending { why, summary }, setup } = ended.map_err(|error| told(&error))?;
        let unit = setup.header.source.unit_of_length();
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", as_json(&summary, &why, file))?;
        } else {
            out.write_all(table(&summary, length_unit(&unit), file).as_bytes())?;
        }
        if let Some(warning) = summary.warning(measure) {
            eprintln!("note: {warning}");
        }
        let folder = file.parent().unwrap_or(file).display();
        match why {
            Why::Finished => self.judge(&summary),
            Why::Stopped => Err(Failure::Bad(format!(
                "stopped at {} s; `silvia resume {folder}` goes on from here",
                time(summary.sim_seconds)
            ))),
            Why::Refused(why) => Err(Failure::Bad(format!(
                "the run ended at {} s, since the next step was refused: {why}; all before it is recorded",
                time(summary.sim_seconds)
            ))),
        }
    }
}

/// Why a run is no success.
fn no_success(summary: &Summary) -> String {
    if summary.success.is_none() {
        return "the scene has no goal, so that nothing can succeed: give it a [[goal]], or leave \
                `--require-success` out"
            .to_owned();
    }
    let missed = summary.goals.iter().filter(|goal| goal.reached_at.is_none());
    let missed: Vec<String> = missed.map(|goal| format!("{}: {}", goal.body, goal.about)).collect();
    format!("the run did not succeed: {}", missed.join("; "))
}

/// What became of the goals; empty if there are none.
fn success(summary: &Summary) -> String {
    let Some(all) = summary.success else { return String::new() };
    let goal = |goal: &GoalSummary| match goal.reached_at {
        Some(at) => format!("{} at {} s", goal.body, time(at)),
        None => format!("{} not: {}", goal.body, goal.about),
    };
    let goals: Vec<String> = summary.goals.iter().map(goal).collect();
    format!("{}: {}", if all { "yes" } else { "no" }, goals.join(", "))
}

/// The message of a run that was aborted.
pub(crate) fn told(error: &RunError) -> Failure {
    Failure::Bad(error.to_string())
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {msg}");
    ProgressBar::new(BAR).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, progress: &Progress) {
    let Progress { time: now, until, steps_here, contacts, wall_seconds, .. } = *progress;
    let rate = steps_here as f64 / wall_seconds.max(f64::MIN_POSITIVE);
    let step = now / progress.steps.max(1) as f64;
    let to_go = (until - now).max(0.0) / step / rate;
    bar.set_position((BAR as f64 * (now / until).clamp(0.0, 1.0)) as u64);
    bar.set_message(format!(
        "{now:.3} of {until} s, {rate:.0} steps/s, {contacts} contacts, {to_go:.0} s to go"
    ));
}

fn as_json(summary: &Summary, why: &Why, file: &Path) -> Value {
    let (end, reason) = match why {
        Why::Finished => ("finished", Value::Null),
        Why::Stopped => ("stopped", Value::Null),
        Why::Refused(reason) => ("refused", json!(reason)),
    };
    let mut all = json!(summary);
    if let Some(fields) = all.as_object_mut() {
        fields.insert("end".to_owned(), json!(end));
        fields.insert("reason".to_owned(), reason);
        fields.insert("recording".to_owned(), json!(file.display().to_string()));
    }
    all
}

/// The summary as a table, with lengths in the unit of the scene; also for a run that had already ended.
pub(crate) fn table(summary: &Summary, unit: LengthUnit<'_>, file: &Path) -> String {
    let Summary { steps, sim_seconds, wall_seconds, max_penetration, contacts_max, .. } = summary;
    let Summary { cut_steps, shortfall_steps, numerical_loss, stuck_steps, .. } = summary;
    let Summary { energy, momentum_error, accuracy, hash, profile, .. } = summary;
    let penetration = max_penetration.map_or("not checked".to_owned(), |depth| {
        format!("{} {}", measure(depth * unit.in_a_metre), unit.symbol)
    });
    let short = match shortfall_steps {
        0 => "none".to_owned(),
        count => {
            let lost = measure(*numerical_loss);
            format!("in {count} steps forces were inexact or bodies gave way ({lost} J lost)")
        }
    };
    let unknown = || "not recorded".to_owned();
    let flowed = energy.as_ref().map_or_else(unknown, |energy| energy.in_words(measure));
    let error = energy.as_ref().map_or_else(unknown, |energy| energy.error_in_words(measure));
    let momentum = momentum_error.map_or_else(unknown, |part| format!("{} of what flowed", measure(part)));
    let stuck = if *stuck_steps > 0 { format!(", {stuck_steps} stuck") } else { String::new() };
    [
        ("simulated", format!("{} s in {steps} steps ({cut_steps} cut{stuck})", time(*sim_seconds))),
        ("took", format!("{} s{}", measure(*wall_seconds), real_time(*sim_seconds, *wall_seconds))),
        ("contacts", format!("{contacts_max} at most")),
        ("penetration", penetration),
        ("shortfalls", short),
        ("energy", flowed),
        ("  error", error),
        ("momentum", format!("error {momentum}")),
        ("accuracy", accuracy.as_ref().map_or_else(String::new, |told| told.in_words(measure))),
        ("success", success(summary)),
        ("hash", hash.clone()),
        ("recording", file.display().to_string()),
    ]
    .iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| format!("{name:<13}{value}\n"))
    .chain(profile.as_ref().map(profile_table))
    .collect()
}

/// How fast the run was, beside what it shows.
fn real_time(simulated: f64, took: f64) -> String {
    if simulated > 0.0 && took > 0.0 {
        // Two digits: the time it takes is hardly ever the same twice.
        let factor = simulated / took;
        let decimals = (1.0 - factor.log10().floor()).clamp(0.0, 9.0) as usize;
        format!(" ({factor:.decimals$} times real time)")
    } else {
        String::new()
    }
}

/// One row per stage, with aligned numbers.
fn profile_table(profile: &ProfileTable) -> String {
    let ProfileTable { steps, ms_a_step, stages } = profile;
    let head = format!(
        "{:<13}{steps} steps of {ms_a_step:.3} ms\n  {:<11}{:>7}{:>12}{:>12}\n",
        "profile", "stage", "share", "ms a step", "a step"
    );
    let rows = stages.iter().map(|row| {
        let done = match (&row.count_a_step, &row.counted) {
            (Some(count), Some(of)) => format!("{count:>12.1} {of}"),
            _ => String::new(),
        };
        format!("  {:<11}{:>5.1} %{:>12.4}{done}\n", row.stage, 100.0 * row.share, row.ms_a_step)
    });
    head + &rows.collect::<String>()
}
