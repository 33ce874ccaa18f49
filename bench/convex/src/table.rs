//! The page and the plot.

use crate::measure::{Duel, Effort};
use crate::work::STEPS;
use bench_common::{Curve, growth_exponent, machine};
use std::fmt::Write;

/// How many times as fast tracking must be at high coherence, and without a cache.
const WANTED: [f64; 2] = [2.0, 1.0];

/// The table and its summary, in Markdown.
pub(crate) fn page(duels: &[Duel], effort: &Effort, commit: &str) -> String {
    let mut text = format!(
        "Two subdivided icosahedra of radius 1 m rotating past each other, gaps between 0.1 and 1 m; {} \
         poses (fewer of large ones), median of {} \
         rounds in which both sides take turns; nanoseconds a query from two poses. Parry 0.31's GJK starts \
         from the last direction when warm. {}, \
         commit `{commit}`.\n\n\
         | vertices each | step | V-Clip | parry | ratio | pairs looked at | cold: V-Clip | parry | ratio | \
         pairs looked at | largest difference, m |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        effort.poses,
        effort.rounds,
        machine()
    );
    for d in duels {
        let ns = |t: f64| format!("{:.0}", 1e9 * t);
        let _ = writeln!(
            text,
            "| {} | {}° | {} | {} | **{:.1}** | {:.1} | {} | {} | **{:.1}** | {:.1} | {:.0e} |",
            d.vertices,
            d.step,
            ns(d.warm[0]),
            ns(d.warm[1]),
            d.warm[1] / d.warm[0],
            d.looks[0],
            ns(d.cold[0]),
            ns(d.cold[1]),
            d.cold[1] / d.cold[0],
            d.looks[1],
            d.difference
        );
    }
    text + &summary(duels)
}

fn summary(duels: &[Duel]) -> String {
    let high = || duels.iter().filter(|d| d.step == STEPS[0]);
    let warm = high().map(|d| d.warm[1] / d.warm[0]).fold(f64::INFINITY, f64::min);
    let cold = duels.iter().map(|d| d.cold[1] / d.cold[0]).fold(f64::INFINITY, f64::min);
    let met = |is: f64, wanted: f64| if is >= wanted { "met" } else { "not met" };
    let points: Vec<(f64, f64)> = high().map(|d| (d.vertices as f64, d.warm[0])).collect();
    let grows = match (points.first(), points.last()) {
        (Some(&first), Some(&last)) => format!("n^{:.2}", growth_exponent(first, last)),
        _ => "unknown".into(),
    };
    format!(
        "\nLeast ratio at high coherence {warm:.1} (wanted: {}, {}), cold {cold:.1} (wanted: {}, {}). From \
         the smallest to the largest number of vertices n the cost at high coherence grows as {grows}. \
         Fallbacks of V-Clip: {}.\n",
        WANTED[0],
        met(warm, WANTED[0]),
        WANTED[1],
        met(cold, WANTED[1]),
        duels.iter().map(|d| d.fallbacks).sum::<usize>()
    )
}

/// Time over vertices, as SVG.
pub(crate) fn plot(duels: &[Duel]) -> String {
    let line = |of: &dyn Fn(&Duel) -> f64, step: f64| -> Vec<(f64, f64)> {
        let points = duels.iter().filter(|d| d.step == step);
        points.map(|d| (d.vertices as f64, 1e9 * of(d))).collect()
    };
    let [high, middle, low] = STEPS;
    let warm = |side: usize| move |d: &Duel| d.warm[side];
    let cold = |side: usize| move |d: &Duel| d.cold[side];
    let curves = [
        ("V-Clip, 0.1°", "#1d4ed8", line(&warm(0), high)),
        ("V-Clip, 1°", "#60a5fa", line(&warm(0), middle)),
        ("V-Clip, 10°", "#93c5fd", line(&warm(0), low)),
        ("V-Clip, cold", "#15803d", line(&cold(0), low)),
        ("parry, 0.1°", "#c2410c", line(&warm(1), high)),
        ("parry, 1°", "#f97316", line(&warm(1), middle)),
        ("parry, 10°", "#fdba74", line(&warm(1), low)),
        ("parry, cold", "#7c3aed", line(&cold(1), low)),
    ]
    .map(|(name, color, points)| Curve { name, color, points });
    bench_common::growth_plot(
        "Closest features of two convex solids",
        "vertices each",
        "nanoseconds a query",
        &curves,
    )
}
