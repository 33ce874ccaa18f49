//! The tables and plots for the guide.

use crate::growth::{KINDS, Point, TOLERANCE};
use crate::problems::Problem;
use crate::{LIMIT_SECONDS, REPEATS, Row, TOLERANCES};
use bench_common::{Curve, growth_exponent, growth_plot, machine};
use silvia::contact::Settings;
use silvia::contact::solvers::by_name;
use std::fmt::Write;
use std::time::Duration;

/// Total seconds of a method; an unsolved problem counts as the limit.
pub(crate) fn total(row: &Row) -> f64 {
    row.seconds.iter().map(|s| s.unwrap_or(LIMIT_SECONDS)).sum()
}

pub(crate) fn text(problems: &[Problem], rows: &[Row], growth: &[Point], commit: &str) -> String {
    let mut text = format!(
        "{} problems, {}, commit {commit}. Best of {REPEATS} runs each; an unsolved problem counts as \
         {LIMIT_SECONDS} s in the \
         total. `auto` uses all cores where there are several islands, every other method one.\n\n| method |",
        problems.len(),
        machine()
    );
    for tolerance in TOLERANCES {
        let _ = write!(text, " solved at {tolerance:e} | total, s | of those solved, s |");
    }
    text += "\n|---|---|---|---|---|---|---|\n";
    for row in rows.iter().filter(|r| r.tolerance == TOLERANCES[0]) {
        let _ = write!(text, "| {} |", row.method);
        for tolerance in TOLERANCES {
            if let Some(row) = rows.iter().find(|r| r.method == row.method && r.tolerance == tolerance) {
                let solved = row.seconds.iter().flatten().count();
                let own: f64 = row.seconds.iter().flatten().sum();
                let _ = write!(text, " {solved} | {:.3} | {own:.3} |", total(row));
            }
        }
        text += "\n";
    }
    for tolerance in TOLERANCES {
        text += &each(problems, rows, tolerance);
    }
    text + &growth_table(growth)
}

/// Solver by problem, in milliseconds.
fn each(problems: &[Problem], rows: &[Row], tolerance: f64) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|r| r.tolerance == tolerance).collect();
    let mut text = format!(
        "\nMilliseconds at {tolerance:e}; a dash is not solved within {LIMIT_SECONDS} s.\n\n| problem | \
         contacts |"
    );
    for row in &rows {
        let _ = write!(text, " {} |", row.method);
    }
    text += "\n|---|---|";
    text += &"---|".repeat(rows.len());
    text += "\n";
    for (at, problem) in problems.iter().enumerate() {
        let _ = write!(text, "| {} | {} |", problem.named.name, problem.named.problem.contacts());
        for row in &rows {
            match row.seconds[at] {
                Some(seconds) => {
                    let _ = write!(text, " {:.2} |", 1e3 * seconds);
                }
                None => text += " – |",
            }
        }
        text += "\n";
    }
    text
}

fn growth_table(points: &[Point]) -> String {
    let mut text = format!(
        "\nGrowth of `auto` to {TOLERANCE:e}: time, peak memory of the process, and the exponent of time \
         from the size \
         before.\n\n| | contacts | seconds | MiB | exponent |\n|---|---|---|---|---|\n"
    );
    for kind in KINDS {
        let of_kind: Vec<&Point> = points.iter().filter(|p| p.kind == kind).collect();
        for (at, point) in of_kind.iter().enumerate() {
            let exponent = if at > 0 {
                let before = of_kind[at - 1];
                let from = (before.contacts as f64, before.seconds);
                format!("{:.2}", growth_exponent(from, (point.contacts as f64, point.seconds)))
            } else {
                String::new()
            };
            let unsolved = if point.solved { "" } else { " (not solved)" };
            let _ = writeln!(
                text,
                "| {kind} | {} | {:.4}{unsolved} | {:.0} | {exponent} |",
                point.contacts, point.seconds, point.peak_mib
            );
        }
    }
    text
}

/// Residual over time of every method of Coulomb's law on the largest problem.
pub(crate) fn convergence(problems: &[Problem]) -> String {
    let Some(problem) = problems.iter().max_by_key(|p| p.named.problem.contacts()) else {
        return String::new();
    };
    let methods = [
        ("auto", "#000000"),
        ("proximal", "#1f77b4"),
        ("gauss-seidel", "#d62728"),
        ("admm", "#2ca02c"),
        ("fischer", "#ff7f0e"),
    ];
    let budget = Some(Duration::from_secs_f64(LIMIT_SECONDS));
    let settings = Settings { tolerance: 1e-10, budget, trace: true, max_iterations: Some(3000) };
    let mut curves = Vec::new();
    for (name, color) in methods {
        let Some(solver) = by_name(name) else { continue };
        let report = solver.solve(&problem.named.problem, None, &settings);
        let mut least = f64::INFINITY;
        let mut points: Vec<(f64, f64)> = Vec::new();
        for point in report.trace.iter().filter(|p| p.residual > 0.0 && p.seconds > 0.0) {
            // The best so far, and no more points than a plot can show.
            let worth_a_dot = point.residual < 0.7 * least;
            least = least.min(point.residual);
            if worth_a_dot {
                points.push((point.seconds, least));
            }
        }
        if !points.is_empty() {
            curves.push(Curve { name, color, points });
        }
    }
    let title = format!("Residual over time: {}", problem.named.name);
    growth_plot(&title, "seconds", "relative residual", &curves)
}
