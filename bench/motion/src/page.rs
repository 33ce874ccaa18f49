//! Tables and plots of errors over cost.

use crate::{Duel, Run, Series};
use bench_common::{Curve, Options, growth_exponent, growth_plot, machine};
use std::fmt::Write;

/// Time on the processor a simulated second at which engines are compared, s.
const BUDGETS: [f64; 7] = [2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2];

const COLORS: [(&str, &str); 3] = [("Silvia", "#c0392b"), ("Rapier", "#2980b9"), ("MuJoCo", "#27ae60")];

/// The page, and plots by the names of their files.
pub(crate) fn make(duels: &[Duel], mujoco: &str, options: &Options) -> (String, Vec<(String, String)>) {
    let mut page = format!(
        "{}, one thread; Silvia at commit `{}`, Rapier 0.36 (f64), MuJoCo {mujoco}. *Error*: how far \
         the body is at the end from where its equations of motion put it, by its centre and by its \
         rotation together, as a share of its radius. Rapier rolls the convex hull of 6000 points on an \
         ellipsoid, the others the ellipsoid; its bowl is a mesh of 32,000 triangles, MuJoCo's that of \
         its plugin for signed distances. *Cost*: time on the processor for each simulated second. The \
         table has the least error that each engine reaches at a cost, with any length of step and any \
         of the settings tried.\n",
        machine(),
        options.commit
    );
    let mut plots = Vec::new();
    for duel in duels {
        let _ = write!(page, "\n### {}\n\n{}", duel.scene.what, at_equal_cost(duel));
        let _ = write!(page, "\n{}", at_steps(duel));
        plots.push((format!("bench-motion-{}.svg", duel.scene.name), plot(duel)));
    }
    plots.push(("bench-motion-order.svg".to_owned(), orders(duels)));
    (page, plots)
}

/// Silvia's error over the length of steps of at most a millisecond, with the order that it falls by.
fn orders(duels: &[Duel]) -> String {
    const HUES: [&str; 4] = ["#c0392b", "#2980b9", "#27ae60", "#8e44ad"];
    let lines: Vec<(String, Vec<(f64, f64)>)> = duels
        .iter()
        .map(|duel| {
            let silvia = duel.series.iter().filter(|series| series.engine == "Silvia");
            let runs = silvia.flat_map(|series| &series.runs).filter(|run| run.step < 1.001e-3);
            let points: Vec<(f64, f64)> = runs.map(|run| (1e3 * run.step, run.error)).collect();
            let order = match points[..] {
                [first, .., last] => growth_exponent(first, last),
                _ => f64::NAN,
            };
            (format!("{}: order {order:.2}", duel.scene.name), points)
        })
        .collect();
    let curves: Vec<Curve<'_>> = lines
        .iter()
        .zip(HUES.iter().cycle())
        .map(|((name, points), color)| Curve { name, color, points: points.clone() })
        .collect();
    growth_plot("Silvia's error over its step", "step, ms", "error, of the radius", &curves)
}

/// The least error of each engine at each cost.
fn at_equal_cost(duel: &Duel) -> String {
    let mut table = String::from("| at most, ms a simulated second |");
    COLORS.iter().for_each(|(engine, _)| _ = write!(table, " {engine} |"));
    table += " least |\n|--:|--:|--:|--:|---|\n";
    for budget in BUDGETS {
        let errors = COLORS.map(|(engine, _)| least_at(duel, engine, budget));
        let least = errors.iter().flatten().fold(f64::INFINITY, |a, &b| a.min(b));
        let _ = write!(table, "| {} |", 1e3 * budget);
        errors.iter().for_each(|error| _ = write!(table, " {} |", error.map_or("–".into(), short)));
        let who: Vec<&str> = COLORS
            .iter()
            .zip(errors)
            .filter(|(_, e)| *e == Some(least))
            .map(|((name, _), _)| *name)
            .collect();
        let _ = writeln!(table, " {} |", who.join(", "));
    }
    table
}

fn least_at(duel: &Duel, engine: &str, budget: f64) -> Option<f64> {
    let of_engine = duel.series.iter().filter(|series| series.engine == engine);
    let runs = of_engine.flat_map(|series| &series.runs).filter(|run| run.cost <= budget);
    runs.map(|run| run.error).min_by(f64::total_cmp)
}

/// All runs, by length of step.
fn at_steps(duel: &Duel) -> String {
    let mut table = String::from(
        "| engine | settings | step, ms | cost, ms | error | energy lost |\n|---|---|--:|--:|--:|--:|\n",
    );
    for Series { engine, setting, runs } in &duel.series {
        for Run { step, cost, error, lost } in runs {
            let (error, lost) = (short(*error), short(*lost));
            let _ = writeln!(
                table,
                "| {engine} | {setting} | {:.3} | {:.1} | {error} | {lost} |",
                1e3 * step,
                1e3 * cost
            );
        }
    }
    format!("<details><summary>All runs</summary>\n\n{table}\n</details>\n")
}

/// The least error so far over the cost, of each engine.
fn plot(duel: &Duel) -> String {
    let curves: Vec<Curve<'_>> = COLORS
        .iter()
        .map(|&(name, color)| {
            let of_engine = duel.series.iter().filter(|series| series.engine == name);
            let mut points: Vec<(f64, f64)> =
                of_engine.flat_map(|s| &s.runs).map(|run| (1e3 * run.cost, run.error)).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut least = f64::INFINITY;
            points.retain(|(_, error)| {
                let is_better = *error < least;
                least = least.min(*error);
                is_better
            });
            Curve { name, color, points }
        })
        .collect();
    growth_plot(
        duel.scene.name,
        "time on the processor a simulated second, ms",
        "error, of the radius",
        &curves,
    )
}

/// A row of runs on the terminal.
pub(crate) fn told(runs: &[Run]) -> String {
    let one = |run: &Run| format!("{:.3} ms: {}", 1e3 * run.step, short(run.error));
    runs.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn short(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-3..1e3).contains(&size) => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}
