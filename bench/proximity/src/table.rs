//! The comparison's tables and plot, as the guide shows them.

use crate::duel::{AGREEMENT, Duel, Duels, Side};
use crate::path::Path;
use crate::peer::Question;
use crate::variants::{Growth, Variant};
use crate::work::Way;
use bench_common::{machine, median};
use silvia::proximity::{Split, Strategy};
use std::fmt::Write;

/// The distance without coherence must be this many times faster than the faster peer; done when above the
/// floor.
const DISTANCE_TARGET: f64 = 5.0;
const DISTANCE_FLOOR: f64 = 3.0;
/// The median ratio to aim at when asked for any hit, and for all pairs; the former must be nowhere below 1.
const COLLIDE_TARGET: f64 = 2.0;
/// What the cache must gain on a path.
/// A thousandth of the knot's size, m: what a body moves in a millisecond at walking speed.
const FINE_STEP: f64 = 6.6e-3;
const CACHE_TARGET: f64 = 3.0;

/// Silvia against its peers, in Markdown.
pub(crate) fn peers(all: &Duels, paths: &[Path], rounds: usize, poses: usize, commit: &str) -> String {
    let mut text = format!(
        "Microseconds a query: mean over {poses} poses, median of {rounds} rounds in turn; {}. {}, \
         parry3d-f64 0.31 (one round, few poses).\n\
         Coal is timed by its own clock inside C++, FCL around the call from Python (some tenths of a \
         microsecond).\n\
         Silvia at commit `{commit}`.\n",
        machine(),
        all.versions
    );
    for question in Question::EVERY {
        let duels: Vec<&Duel> = all.duels.iter().filter(|d| d.question == question).collect();
        let _ = write!(
            text,
            "\n### {}\n\n| triangles each | centres apart, m | touching | {}silvia | coal | FCL | parry | \
             faster peer / silvia |\n\
             |--:|--:|--:|{}--:|--:|--:|--:|--:|\n",
            title(question),
            if question == Question::All { "pairs | " } else { "" },
            if question == Question::All { "--:|" } else { "" },
        );
        for duel in &duels {
            let time = |side| duel.time(side).map_or("–".into(), |t| format!("{:.1}", 1e6 * t));
            let pairs =
                if question == Question::All { format!("{:.0} | ", duel.pairs) } else { String::new() };
            let _ = writeln!(
                text,
                "| {} | {} | {:.0}% | {pairs}{} | {} | {} | {} | **{:.1}** |",
                duel.triangles,
                duel.separation,
                100.0 * duel.touching,
                time(Side::Silvia),
                time(Side::Coal),
                time(Side::Fcl),
                time(Side::Parry),
                duel.ratio()
            );
        }
        let _ = write!(text, "\n{}\n{}\n", verdict(question, &duels), disagreements(question, &duels));
    }
    text + &path_table(paths) + &build_table(all)
}

fn build_table(all: &Duels) -> String {
    let mut text = String::from(
        "\n### Building the hierarchy\n\nMilliseconds, once; Silvia on all cores, the others on one.\n\n\
         | triangles | silvia | coal | FCL | parry |\n|--:|--:|--:|--:|--:|\n",
    );
    for build in &all.builds {
        let times = build.times.map(|time| format!("{:.1}", 1e3 * time));
        let _ = writeln!(text, "| {} | {} |", build.triangles, times.join(" | "));
    }
    text
}

fn title(question: Question) -> &'static str {
    match question {
        Question::Distance => "Distance",
        Question::Any => "Collide, any hit",
        Question::All => "Collide, all pairs",
    }
}

fn verdict(question: Question, duels: &[&Duel]) -> String {
    // Where no pair meets, asking for all is asking for any.
    let counted = duels.iter().filter(|d| question != Question::All || d.pairs > 0.0);
    let ratios: Vec<f64> = counted.map(|d| d.ratio()).collect();
    let (least, middle) = (ratios.iter().copied().fold(f64::INFINITY, f64::min), median(&ratios));
    let (target, floor) = match question {
        Question::Distance => (DISTANCE_TARGET, DISTANCE_FLOOR),
        Question::Any => (COLLIDE_TARGET, 1.0),
        Question::All => (COLLIDE_TARGET, COLLIDE_TARGET),
    };
    let met = |is_met: bool| if is_met { "met" } else { "not met" };
    let which = if question == Question::All { "Where pairs meet: least ratio" } else { "Least ratio" };
    format!(
        "{which} {least:.1} (wanted everywhere: {floor}, {}), median {middle:.1} (wanted: {target}, {}).",
        met(least >= floor),
        met(middle >= target)
    )
}

fn disagreements(question: Question, duels: &[&Duel]) -> String {
    let what = match question {
        Question::Distance => format!("distances that differ from Silvia's by more than {AGREEMENT:.0e} m"),
        Question::Any => "other answers than Silvia's".into(),
        Question::All => "other numbers of pairs than Silvia's".into(),
    };
    let count = |(side, name): (Side, &str)| {
        let scores: Vec<_> = duels.iter().filter_map(|d| d.score(side)).collect();
        let (differ, asked) = scores.iter().fold((0, 0), |s, x| (s.0 + x.disagreements, s.1 + x.poses));
        (asked > 0).then(|| format!("{name} {differ} of {asked}"))
    };
    let counts: Vec<String> = [(Side::Coal, "coal"), (Side::Fcl, "FCL"), (Side::Parry, "parry")]
        .into_iter()
        .filter_map(count)
        .collect();
    format!("Disagreements ({what}): {}.", counts.join(", "))
}

fn path_table(paths: &[Path]) -> String {
    let mut text = String::from(
        "\n### Distance along a path in small steps\n\n\
         | triangles each | way | poses | step, mm | touching | silvia | with `DistanceCache` | coal | FCL | \
         gain of the cache | faster peer / cached | largest difference, m |\n\
         |--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for path in paths {
        let us = |t: f64| format!("{:.1}", 1e6 * t);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} | {:.0}% | {} | {} | {} | {} | **{:.1}** | **{:.1}** | {:.0e} |",
            path.triangles,
            match path.way {
                Way::Around => "around, apart",
                Way::Through => "through",
            },
            path.poses,
            1e3 * path.step,
            100.0 * path.touching,
            us(path.plain),
            us(path.cached),
            us(path.coal),
            us(path.fcl),
            path.plain / path.cached,
            path.coal.min(path.fcl) / path.cached,
            path.difference
        );
    }
    let least = |is_fine: bool| {
        let gains = paths.iter().filter(|p| (p.step < FINE_STEP) == is_fine).map(|p| p.plain / p.cached);
        gains.fold(f64::INFINITY, f64::min)
    };
    let met = if least(true) >= CACHE_TARGET { "met" } else { "not met" };
    let (fine, coarse) = (least(true), least(false));
    text + &format!(
        "\nLeast gain in steps of less than a thousandth of the knot's size {fine:.1} (wanted: \
         {CACHE_TARGET}, {met}), in \
         longer ones {coarse:.1}: there more of the front must be looked at again after each step.\n"
    )
}

/// Bounds, strategies, splits and leaf sizes, in Markdown.
pub(crate) fn variants(bounds: &[Variant], builds: &[Variant], triangles: usize, commit: &str) -> String {
    let mut text = format!(
        "Distance of two knots of {triangles} triangles, centres 4, 6.5 and 8 m apart; {}, commit \
         `{commit}`.\n\n\
         | bound | strategy | build, ms | bytes a triangle | µs at 4 | at 6.5 | at 8 | mean µs | nodes \
         opened | triangle pairs |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        machine()
    );
    for variant in bounds {
        let name = format!("{} | {}", variant.bound, word(variant.strategy));
        row(&mut text, &name, variant);
    }
    text.push_str(&choice(bounds));
    text.push_str(
        "\nThe default bound, built in other ways:\n\n\
         | split | leaf size | build, ms | bytes a triangle | µs at 4 | at 6.5 | at 8 | mean µs | nodes \
         opened | triangle pairs |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for variant in builds {
        let split = match variant.build.split {
            Split::Principal => "principal axes",
            Split::SurfaceArea => "surface area",
            Split::Patches => "patches",
        };
        row(&mut text, &format!("{split} | {}", variant.build.leaf_size), variant);
    }
    text
}

fn row(text: &mut String, name: &str, variant: &Variant) {
    let bold = if variant.is_default() { "**" } else { "" };
    let times: Vec<String> = variant.at.iter().map(|cost| format!("{:.1}", 1e6 * cost.time)).collect();
    let mean = |of: fn(&crate::variants::Cost) -> f64| {
        variant.at.iter().map(of).sum::<f64>() / variant.at.len() as f64
    };
    let _ = writeln!(
        text,
        "| {name} | {:.1} | {:.0} | {} | {bold}{:.1}{bold} | {:.0} | {:.0} |",
        1e3 * variant.build_time,
        variant.bytes_per_triangle,
        times.join(" | "),
        1e6 * variant.time(),
        mean(|cost| cost.visits),
        mean(|cost| cost.tests)
    );
}

/// Which is fastest, and where the default stands.
fn choice(bounds: &[Variant]) -> String {
    let fastest = bounds.iter().min_by(|a, b| a.time().total_cmp(&b.time()));
    let default = bounds.iter().find(|v| v.is_default());
    let (Some(fastest), Some(default)) = (fastest, default) else { return String::new() };
    let others = bounds.iter().filter(|v| v.bound != default.bound);
    let next = others.map(Variant::time).fold(f64::INFINITY, f64::min);
    format!(
        "\nFastest in the mean: {}, {}. The default, {}, {}, takes {:.2} times as long as that one; the best \
         with another \
         bound takes {:.2} times as long as the default.\n",
        fastest.bound,
        word(fastest.strategy),
        default.bound,
        word(default.strategy),
        default.time() / fastest.time(),
        next / default.time()
    )
}

fn word(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Greedy => "greedy",
        Strategy::BestFirst => "best first",
    }
}

/// Time over triangles, as SVG; the legend has the exponents from the smallest to the largest size.
pub(crate) fn growth_plot(growth: &[Growth]) -> String {
    let points = |of: fn(&Growth) -> f64| -> Vec<(f64, f64)> {
        growth.iter().map(|g| (g.triangles as f64, of(g))).collect()
    };
    let lines = [
        ("build", "#15803d", points(|g| g.build)),
        ("distance", "#1d4ed8", points(|g| g.distance)),
        ("all pairs", "#c2410c", points(|g| g.all)),
        ("any hit", "#7c3aed", points(|g| g.any)),
    ];
    bench_common::plot_with_exponents(
        "Two knots: build, distance, collide",
        "triangles each (n)",
        "seconds",
        lines,
    )
}
