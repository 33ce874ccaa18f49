//! The table and the plot for the guide.

use crate::duel::{ALL_AT_ONCE, Duel, Effort, OURS, Score, label};
use crate::ipctk::Hello;
use crate::work::Scene;
use bench_common::{Curve, growth_exponent, growth_plot, machine};
use std::fmt::Write;

/// What was aimed at: this many times as fast as the best peer where a tenth moves.
const AIM: f64 = 2.0;

pub(crate) fn text(duels: &[Duel], effort: &Effort, ipctk: &Hello, commit: &str) -> String {
    let mut text = format!(
        "{}, commit {commit}; parry3d-f64 0.31, ipctk {} on {} threads. Milliseconds a step, median of {} \
         rounds of {} steps \
         ({} of the sheet). Silvia and parry say which pairs began and ended, in order; for parry this takes \
         a hash map, and in some ways of use \
         lists of partners, around its tree, and the time in brackets is that of the tree alone. ipctk and \
         Silvia's `overlapping_pairs` (all at once) start afresh in every step and only list pairs. On the \
         sheet every side lists all \
         pairs of the new boxes, and it is this function that is compared with the best peer; elsewhere it \
         is the tree, which is \
         the default.\n\n| boxes | moving | pairs | changes a step |",
        machine(),
        ipctk.version,
        ipctk.threads,
        effort.rounds,
        effort.steps,
        effort.sheet_steps
    );
    for method in OURS {
        let _ = write!(text, " {} |", label(method));
    }
    let _ = write!(text, " {ALL_AT_ONCE} |");
    text += " best parry | best ipctk | best peer / Silvia | tree alone / Silvia |\n|---|---|---|---|";
    text += &"---|".repeat(OURS.len() + 5);
    text += "\n";
    for duel in duels {
        row(&mut text, duel);
    }
    text += &verdict(duels);
    text + &every_side(duels)
}

fn row(text: &mut String, duel: &Duel) {
    let moving = match duel.moving {
        None => "sheet, swept".into(),
        Some((share, Scene::Flying)) => format!("{:.0} %", 100.0 * share),
        Some((share, scene)) => format!("{:.0} % {}", 100.0 * share, scene.motion()),
    };
    let _ = write!(text, "| {} | {moving} | {} | {:.0} |", duel.boxes, duel.pairs, duel.news);
    for score in duel.scores.iter().filter(|s| s.ours) {
        let _ = write!(text, " {:.3} |", 1e3 * score.seconds());
    }
    let (parry, ipctk) = (best(duel, "parry"), best(duel, "ipctk"));
    if let (Some(parry), Some(ipctk)) = (parry, ipctk) {
        let usage = parry.side.trim_start_matches("parry, ");
        let method = ipctk.side.trim_start_matches("ipctk, ");
        let _ = write!(
            text,
            " {:.3} ({:.3}; {usage}) | {:.2} ({method}) |",
            1e3 * parry.seconds(),
            1e3 * fastest_search(duel, "parry"),
            1e3 * ipctk.seconds()
        );
    }
    let _ = writeln!(text, " {:.2} | {:.2} |", lead(duel), fastest_search(duel, "") / our_seconds(duel));
}

fn best<'a>(duel: &'a Duel, peer: &str) -> Option<&'a Score> {
    let of_peer = duel.scores.iter().filter(|s| !s.ours && s.side.starts_with(peer));
    of_peer.min_by(|a, b| a.seconds().total_cmp(&b.seconds()))
}

fn fastest_search(duel: &Duel, peer: &str) -> f64 {
    let of_peer = duel.scores.iter().filter(|s| !s.ours && s.side.starts_with(peer));
    of_peer.map(Score::search_seconds).fold(f64::INFINITY, f64::min)
}

/// Of ours that is made for the case.
fn our_seconds(duel: &Duel) -> f64 {
    let side = if duel.moving.is_some() { label(OURS[0]) } else { ALL_AT_ONCE.into() };
    duel.scores.iter().find(|s| s.side == side).map_or(f64::NAN, Score::seconds)
}

/// How many times as long the best peer takes.
fn lead(duel: &Duel) -> f64 {
    best(duel, "").map_or(f64::NAN, Score::seconds) / our_seconds(duel)
}

fn verdict(duels: &[Duel]) -> String {
    let slower: Vec<String> = duels.iter().filter(|d| lead(d) < 1.0).map(name).collect();
    let tenth = duels.iter().filter(|d| d.moving == Some((0.1, Scene::Flying)) && d.boxes >= 10_000);
    let short: Vec<String> = tenth.filter(|d| lead(d) < AIM).map(name).collect();
    let disagreeing: Vec<String> = duels.iter().flat_map(disagreements).collect();
    let list = |cases: &[String]| if cases.is_empty() { "none".to_string() } else { cases.join("; ") };
    format!(
        "\nSlower than the best peer: {}. A tenth moving among 10,000 or more, less than {AIM} times as \
         fast: {}. Sides that \
         found other pairs than Silvia: {}.\n",
        list(&slower),
        list(&short),
        list(&disagreeing)
    )
}

/// What each side found that differs, and how many sides say the same as Silvia.
fn disagreements(duel: &Duel) -> Vec<String> {
    let agreeing = duel.scores.iter().filter(|s| s.differs.is_none()).count();
    let told = |score: &Score| {
        let [found, expected] = score.differs.as_ref()?;
        let numbers = |list: &[usize]| list.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        Some(format!(
            "{} on {}: {} pairs in the steps it was asked about, where the {agreeing} others all find {}",
            score.side,
            name(duel),
            numbers(found),
            numbers(expected)
        ))
    };
    duel.scores.iter().filter_map(told).collect()
}

fn name(duel: &Duel) -> String {
    match duel.moving {
        Some((share, scene)) => format!("{} boxes, {:.0} % {}", duel.boxes, 100.0 * share, scene.motion()),
        None => "the sheet".into(),
    }
}

/// Every side in every case, milliseconds.
fn every_side(duels: &[Duel]) -> String {
    let mut text = String::from(
        "\nEvery side, milliseconds a step (tree alone in brackets; ipctk's grids run out of memory where \
         there is a floor):\n\n| |",
    );
    for duel in duels {
        let _ = write!(text, " {} |", name(duel));
    }
    text += "\n|---|";
    text += &"---|".repeat(duels.len());
    text += "\n";
    let sides = duels.first().map_or(&[][..], |d| &d.scores);
    for side in sides {
        let _ = write!(text, "| {} |", side.side);
        for duel in duels {
            let Some(score) = duel.scores.iter().find(|score| score.side == side.side) else {
                text += " - |";
                continue;
            };
            let _ = write!(text, " {:.3}", 1e3 * score.seconds());
            if score.side.starts_with("parry") {
                let _ = write!(text, " ({:.3})", 1e3 * score.search_seconds());
            }
            text += " |";
        }
        text += "\n";
    }
    text + &exponents(duels)
}

/// What the plot shows, in numbers.
fn exponents(duels: &[Duel]) -> String {
    let mut text = String::from(
        "\nGrowth of Silvia's tree: exponent of time over boxes that move plus pairs that change, from the \
         least to the greatest number \
         of boxes:",
    );
    for (_, points) in curves(duels) {
        if let (Some(&(_, first)), Some(&(_, last))) = (points.first(), points.last()) {
            let share = points[0].0;
            let _ = write!(text, " {:.2} with {:.0} % moving;", growth_exponent(first, last), 100.0 * share);
        }
    }
    text.trim_end_matches(';').to_string() + ".\n"
}

/// A share and, for its sizes, (share, (work, seconds)).
type Points = Vec<(f64, (f64, f64))>;

fn curves(duels: &[Duel]) -> Vec<(f64, Points)> {
    let mut curves: Vec<(f64, Points)> = Vec::new();
    for duel in duels {
        let Some((share, Scene::Flying)) = duel.moving else { continue };
        let point = (share, (share * duel.boxes as f64 + duel.news, our_seconds(duel)));
        match curves.iter_mut().find(|(s, _)| *s == share) {
            Some((_, points)) => points.push(point),
            None => curves.push((share, vec![point])),
        }
    }
    curves
}

pub(crate) fn growth(duels: &[Duel]) -> String {
    let curves = curves(duels);
    let names: Vec<String> =
        curves.iter().map(|(share, _)| format!("{:.0} % moving", 100.0 * share)).collect();
    let drawn: Vec<Curve<'_>> = curves
        .iter()
        .zip(&names)
        .zip(["#1b6ca8", "#c8553d", "#3d8b37"])
        .map(|(((_, points), name), color)| Curve {
            name,
            color,
            points: points.iter().map(|&(_, (work, seconds))| (work, 1e3 * seconds)).collect(),
        })
        .collect();
    growth_plot(
        "Culling: time of a step",
        "boxes that move + pairs that begin or end",
        "milliseconds",
        &drawn,
    )
}
