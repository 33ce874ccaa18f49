//! The comparison's table and plot, as the guide shows them.

use crate::Duel;
use crate::measure::Measurement;
use bench_common::{Curve, growth_exponent, growth_plot, machine, median};
use std::fmt::Write;

/// The page, in Markdown.
pub(crate) fn page(duels: &[Duel], runs: usize, trimesh: &str, commit: &str) -> String {
    let mut text = format!(
        "Median of {runs} runs, in turn, each in a process of its own; {}. Trimesh {trimesh}; silvia at \
         commit `{commit}`.\n\n\
         | part | triangles | silvia, ms | of this reading | trimesh, ms | of this reading | ratio | silvia, \
         MiB | trimesh, MiB |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        machine()
    );
    for duel in duels {
        let (ours, theirs) = (total(&duel.ours), total(&duel.theirs));
        let (read, their_read) =
            (middle(&duel.ours, |m| m.seconds.read), middle(&duel.theirs, |m| m.seconds.read));
        let (peak, their_peak) = (middle(&duel.ours, |m| m.peak_mib), middle(&duel.theirs, |m| m.peak_mib));
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | **{:.1}** | {peak:.0} | {their_peak:.0} |",
            duel.part,
            duel.triangles(),
            1e3 * ours,
            1e3 * read,
            1e3 * theirs,
            1e3 * their_read,
            theirs / ours
        );
    }
    text.push_str(
        "\nGrowth from the smallest to the largest file, as the exponent p of (triangles)^p:\n\n| \
     part | silvia | trimesh |\n|---|--:|--:|\n",
    );
    for part in parts(duels) {
        let of: Vec<&Duel> = duels.iter().filter(|d| d.part == part).collect();
        if let (Some(first), Some(last)) = (of.first(), of.last()) {
            let growth = |side: fn(&Duel) -> &Vec<Measurement>| {
                let point = |d: &Duel| (d.triangles() as f64, total(side(d)));
                growth_exponent(point(first), point(last))
            };
            let _ = writeln!(text, "| {part} | {:.2} | {:.2} |", growth(|d| &d.ours), growth(|d| &d.theirs));
        }
    }
    text
}

/// Time over triangles, as SVG.
pub(crate) fn plot(duels: &[Duel]) -> String {
    let knots: Vec<&Duel> = duels.iter().filter(|d| d.part == "knot").collect();
    let curve = |name, color, side: fn(&Duel) -> &Vec<Measurement>| Curve {
        name,
        color,
        points: knots.iter().map(|d| (d.triangles() as f64, total(side(d)))).collect(),
    };
    let curves = [curve("trimesh", "#c2410c", |d| &d.theirs), curve("silvia", "#1d4ed8", |d| &d.ours)];
    growth_plot("Read and inspect a knot (binary STL)", "triangles", "seconds", &curves)
}

impl Duel {
    fn triangles(&self) -> usize {
        self.ours.first().map_or(0, |m| m.values.triangles)
    }
}

fn parts(duels: &[Duel]) -> Vec<&'static str> {
    let mut parts: Vec<&'static str> = duels.iter().map(|d| d.part).collect();
    parts.dedup();
    parts
}

fn total(side: &[Measurement]) -> f64 {
    middle(side, |m| m.seconds.total)
}

fn middle(side: &[Measurement], of: fn(&Measurement) -> f64) -> f64 {
    median(&side.iter().map(of).collect::<Vec<f64>>())
}
