//! The comparison's tables and plot, as the guide shows them.

use crate::duel::{Duel, Effort, Side};
use crate::fits::Fit;
use bench_common::machine;
use std::fmt::Write;

/// Silvia against parry, in Markdown.
pub(crate) fn page(duels: &[Duel], growth: &[Duel], effort: &Effort, commit: &str) -> String {
    let mut text = format!(
        "Milliseconds a query: mean over {} poses without anything kept (cold) and over {} poses of a path \
         in small steps (coherent: with \
         `ContactCache`, and with parry's own manifolds and workspace), median of {} rounds in turn (parry: \
         {} and {} poses, {} rounds); {}. parry3d-f64 0.31. Silvia at commit `{commit}`.\n\n\
         | fit | triangles | reach, mm | | points | cold | coherent | normals judged | wrong | askew |\n\
         |---|--:|--:|---|--:|--:|--:|--:|--:|--:|\n",
        effort.cold,
        effort.path,
        effort.rounds,
        effort.peer.cold,
        effort.peer.path,
        effort.peer.rounds,
        machine()
    );
    for duel in duels {
        let [m, n] = duel.triangles;
        let first = format!("{} | {m} + {n} | {:.3}", duel.fit.name(), 1e3 * duel.reach);
        row(&mut text, &first, "silvia", &duel.silvia);
        row(&mut text, " | | ", "parry", &duel.parry);
    }
    text.push_str(
        "\n| fit | pairs that may come to hold too | parry / silvia, cold | coherent | gain of the \
     cache |\n|---|--:|--:|--:|--:|\n",
    );
    for duel in duels {
        let _ = writeln!(
            text,
            "| {} | {:.0} | **{:.2}** | **{:.2}** | {:.1} |",
            duel.fit.name(),
            duel.pairs - duel.silvia.points,
            duel.parry.cold / duel.silvia.cold,
            duel.parry.coherent / duel.silvia.coherent,
            duel.silvia.cold / duel.silvia.coherent
        );
    }
    text.push_str(
        "\nGrowth:\n\n| fit | triangles | points | silvia cold | coherent | parry cold | coherent \
     |\n|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for duel in growth {
        let ms = |t: f64| if t.is_nan() { "–".into() } else { format!("{:.3}", 1e3 * t) };
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {} | {} | {} | {} |",
            duel.fit.name(),
            duel.triangles[1],
            duel.silvia.points,
            ms(duel.silvia.cold),
            ms(duel.silvia.coherent),
            ms(duel.parry.cold),
            ms(duel.parry.coherent)
        );
    }
    text
}

fn row(text: &mut String, first: &str, name: &str, side: &Side) {
    let percent = |count: usize| match side.verdict.judged {
        0 => "–".into(),
        judged => format!("{count} ({:.1} %)", 100.0 * count as f64 / judged as f64),
    };
    let _ = writeln!(
        text,
        "| {first} | {name} | {:.0} | {:.3} | {:.3} | {} | {} | {} |",
        side.points,
        1e3 * side.cold,
        1e3 * side.coherent,
        side.verdict.judged,
        percent(side.verdict.wrong),
        percent(side.verdict.askew)
    );
}

/// Time over triangles of pegs, as SVG; the legend has the exponents from the smallest to the largest size.
pub(crate) fn growth_plot(growth: &[Duel]) -> String {
    let points = |of: fn(&Duel) -> f64| -> Vec<(f64, f64)> {
        let pegs = growth.iter().filter(|duel| duel.fit == Fit::Peg);
        pegs.map(|duel| (duel.triangles[1] as f64, of(duel))).filter(|(_, time)| !time.is_nan()).collect()
    };
    let lines = [
        ("cold", "#1d4ed8", points(|duel| duel.silvia.cold)),
        ("coherent", "#60a5fa", points(|duel| duel.silvia.coherent)),
        ("parry", "#c2410c", points(|duel| duel.parry.cold)),
        ("parry coh.", "#fb923c", points(|duel| duel.parry.coherent)),
    ];
    bench_common::plot_with_exponents("Contacts of a peg in its hole", "triangles each (n)", "seconds", lines)
}
