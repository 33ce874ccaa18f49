//! The tables and the plot, as the guide shows them.

use crate::Plan;
use crate::knots::{Duel, Knots, Score, Side, WRONG};
use crate::sheets::{Sheets, Size};
use bench_common::{machine, median};
use std::fmt::Write;

/// How many times faster than parry a query must be.
const PARRY_TARGET: f64 = 50.0;

pub(crate) fn text(knots: &Knots, sheets: &Sheets, plan: &Plan, commit: &str) -> String {
    let mut text = format!(
        "Median of {} rounds in turn; {}. FCL through python-fcl {}, parry3d-f64 0.31. Silvia at commit \
         `{commit}`.\n",
        plan.rounds,
        machine(),
        knots.fcl
    );
    text += &knot_table(knots, plan);
    text += &sheet_table(sheets);
    text
}

fn knot_table(knots: &Knots, plan: &Plan) -> String {
    let mut text = format!(
        "\n### Two knots of {} triangles in rigid motion\n\n\
         Microseconds a query. An answer is wrong if it differs from {} samples of the static test by more \
         than {WRONG} of the interval, or \
         says that the knots are free where they touch, or the other way round. The ratio is over the \
         queries that the peer answers \
         rightly: the sum of its times by that of Silvia's for the same queries.\n\n\
         | motion | touching | side | mean µs | worst µs | wrong | side / silvia, where right \
         |\n|---|--:|---|--:|--:|--:|--:|\n",
        knots.triangles, plan.samples
    );
    for duel in &knots.duels {
        for score in &duel.scores {
            let times: Vec<f64> = score.queries.iter().map(|q| q.0).collect();
            let wrong = score.queries.iter().filter(|q| !q.1).count();
            let ratio = match duel.ratio(score) {
                _ if score.side == Side::Silvia => String::new(),
                Some(ratio) => format!("**{ratio:.1}**"),
                None => "never right".into(),
            };
            let _ = writeln!(
                text,
                "| {} | {} of {} | {} | {:.1} | {:.1} | {wrong} of {} | {ratio} |",
                duel.way.name(),
                duel.hits,
                duel.motions,
                score.side.name(),
                1e6 * times.iter().sum::<f64>() / times.len() as f64,
                1e6 * times.iter().copied().fold(0.0, f64::max),
                times.len(),
            );
        }
    }
    text + &verdict(knots)
}

fn verdict(knots: &Knots) -> String {
    let least = |is: &dyn Fn(Side) -> bool| {
        let ratios = knots
            .duels
            .iter()
            .flat_map(|d| d.scores.iter().filter(|s| is(s.side)).filter_map(|s| d.ratio(s)));
        ratios.fold(f64::INFINITY, f64::min)
    };
    let met = |is_met: bool| if is_met { "met" } else { "not met" };
    let parry = least(&|side| side == Side::Parry);
    // Samplers that are right by luck are no measure: they say free wherever they happen not to look.
    let fcl = least(&|side| matches!(side, Side::FclAdvance | Side::FclSample(1000)));
    format!(
        "\nLeast ratio to parry {parry:.0} (wanted: {PARRY_TARGET}, {}); to FCL, by advancement and by as \
         many samples as the \
         precision asks for, where right: {fcl:.1} (wanted: 1, {}).\n",
        met(parry >= PARRY_TARGET),
        met(fcl >= 1.0)
    )
}

impl Duel {
    /// The peer's time by ours over the queries that it answers rightly.
    fn ratio(&self, peer: &Score) -> Option<f64> {
        let ours = self.scores.iter().find(|s| s.side == Side::Silvia)?;
        let right = peer.queries.iter().zip(&ours.queries).filter(|(p, _)| p.1);
        let (theirs, ours) = right.fold((0.0, 0.0), |sum, (p, o)| (sum.0 + p.0, sum.1 + o.0));
        (ours > 0.0).then(|| theirs / ours)
    }
}

fn sheet_table(sheets: &Sheets) -> String {
    let peer = match &sheets.ipctk {
        Some(version) => format!(
            "the IPC Toolkit (ipctk {version}) finds its collision-free step: candidates and additive CCD"
        ),
        None => "the IPC Toolkit was not there".into(),
    };
    let mut text = format!(
        "\n### Two sheets that deform, vertices on straight lines\n\n\
         Milliseconds. *First* is the time of the first contact; *all* lists each vertex-face and edge-edge \
         pair that touches at any \
         time, with the time of its first touch; {peer}.\n\n\
         | triangles each | build | refit to a new end | first | all | contacts | first touch at | ipctk | \
         its step | ipctk / silvia with refit |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for size in &sheets.sizes {
        let ms = |t: f64| format!("{:.2}", 1e3 * t);
        let (time, step, ratio) = match size.ipctk {
            Some((time, step)) => (
                ms(time),
                step.map_or("free".into(), |s| format!("{s:.4}")),
                format!("**{:.1}**", time / (size.refit + size.first)),
            ),
            None => ("–".into(), "–".into(), "–".into()),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.6} | {time} | {step} | {ratio} |",
            size.triangles,
            ms(size.build),
            ms(size.refit),
            ms(size.first),
            ms(size.all),
            size.contacts,
            size.lower,
        );
    }
    let per_contact: Vec<f64> = sheets.sizes.iter().map(|s| 1e6 * s.all / s.contacts.max(1) as f64).collect();
    text + &format!(
        "\nAll contacts: {:.1} µs a contact in the median over the sizes.\n",
        median(&per_contact)
    )
}

/// Time over triangles, as SVG; the legend has the exponents from the smallest to the largest size.
pub(crate) fn growth(sheets: &Sheets) -> String {
    let points = |of: &dyn Fn(&Size) -> Option<f64>| -> Vec<(f64, f64)> {
        sheets.sizes.iter().filter_map(|s| Some((s.triangles as f64, of(s)?))).collect()
    };
    let mut lines = vec![
        ("refit", "#15803d", points(&|s| Some(s.refit))),
        ("first contact", "#1d4ed8", points(&|s| Some(s.first))),
        ("all contacts", "#c2410c", points(&|s| Some(s.all))),
    ];
    if sheets.ipctk.is_some() {
        lines.push(("ipctk, first", "#7c3aed", points(&|s| s.ipctk.map(|p| p.0))));
    }
    bench_common::plot_with_exponents("Two deforming sheets", "triangles each (n)", "seconds", lines)
}
