//! How Rapier was tuned: settings tried on scenes of ours, small enough to be tried all.

use crate::duel::Side;
use crate::judge::Judge;
use crate::page::{depth, milliseconds};
use crate::rapier_side::{Parameters, TUNED, TUNED_ALIKE, Tuning};
use crate::scenes;
use crate::task::{self, Task, Which, Who};
use bench_common::{Options, median};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt::Write;

/// On which scenes; the small ones, so that all settings are tried in some minutes.
const SCENES: [&str; 4] = ["stack", "wall", "pile-300", "pile-1000"];
/// Longest time of one of them, s.
const LIMIT: f64 = 8.0;

/// Settings, and what they gave in each scene.
#[derive(Serialize, Deserialize)]
pub(crate) struct Tried {
    titles: Vec<String>,
    rows: Vec<(Option<Parameters>, Vec<Side>)>,
}

/// One thing is changed at a time, from what was chosen.
fn candidates() -> Vec<Option<Parameters>> {
    let of = |parts: usize, substeps: usize, sweeps: usize| Parameters { parts, substeps, sweeps, ..TUNED };
    let with = |hertz: f64, damping: f64| Parameters { hertz, damping, ..TUNED };
    let tuned = [
        TUNED,
        of(1, 16, 4),
        of(2, 8, 4),
        of(8, 2, 4),
        of(8, 4, 4),
        of(4, 4, 1),
        of(4, 2, 4),
        with(1000.0, 1.0),
        with(2000.0, 1.0),
        with(8000.0, 1.0),
        with(4000.0, 5.0),
        Parameters { prediction: 0.005, ..TUNED },
        Parameters { prediction: 0.01, ..TUNED },
        Parameters { push: 0.3, ..TUNED },
        Parameters { ahead: 0.02, ..TUNED },
    ];
    std::iter::once(None).chain(tuned.map(Some)).collect()
}

pub(crate) fn run(options: &Options) -> Result<Tried, Box<dyn Error>> {
    let mut rows: Vec<(Option<Parameters>, Vec<Side>)> =
        candidates().into_iter().map(|candidate| (candidate, Vec::new())).collect();
    let mut titles = Vec::new();
    // A quick run shows that this works, with two settings.
    rows.truncate(if options.quick { 2 } else { rows.len() });
    for name in SCENES {
        let scene = scenes::named(name, true)?;
        println!("Rapier's settings: {}", scene.title);
        let judge = Judge::new(&scene)?;
        for (parameters, sides) in &mut rows {
            let tuning = parameters.map_or(Tuning::Defaults, Tuning::Accurate);
            let which = Which::Named { name: name.into(), quick: true };
            let task = Task { scene: which, engine: Who::Rapier(tuning), threads: 1, limit: LIMIT };
            let said = parameters.map_or("as it comes".to_owned(), |parameters| short(&parameters));
            sides.push(Side::of(task::run(&task, &said, scene.steps)?, &judge, &scene)?);
        }
        titles.push(scene.title);
    }
    Ok(Tried { titles, rows })
}

fn short(parameters: &Parameters) -> String {
    let Parameters { parts, substeps, sweeps, hertz, damping, prediction, push, ahead } = parameters;
    format!("{parts} × {substeps} × {sweeps}, {hertz} Hz, {damping}, {prediction} m, {push} m/s, {ahead} m")
}

/// For the page.
pub(crate) fn section(tried: &Tried) -> String {
    let mut text = format!(
        "\n### How Rapier was tuned\n\nInto how many a step is parted × substeps of each × sweeps of each of \
         these; frequency of the contact springs, and how much of critical their damping is; distance from \
         which on contacts are \
         made; how fast overlaps are pushed out at most; how far ahead its soft continuous detection looks. \
         One thing at a time is changed from the row in bold, which is what is compared with. In all rows \
         but the first: {TUNED_ALIKE}. Small scenes; *deepest* overlap in m, and the median of ms a \
         step.\n\n| |"
    );
    tried.titles.iter().for_each(|title| {
        let _ = write!(text, " {title}: deepest | ms |");
    });
    text += "\n|---|";
    tried.titles.iter().for_each(|_| text += "--:|--:|");
    for (parameters, sides) in &tried.rows {
        let name = match parameters {
            None => "as it comes".to_owned(),
            Some(parameters) if *parameters == TUNED => format!("**{}**", short(parameters)),
            Some(parameters) => short(parameters),
        };
        let _ = write!(text, "\n| {name} |");
        for side in sides {
            let _ = write!(text, " {} | {} |", depth(&side.finding), milliseconds(median(&side.seconds)));
        }
    }
    text + "\n"
}
