//! The comparison as the guide shows it.

use crate::Duel;
use crate::judge::Finding;
use crate::rapier_side::TUNED;
use crate::run::{Run, total};
use crate::scene::{FRICTION, STEP};
use crate::summary;
use bench_common::{Options, machine, median};
use std::fmt::Write;

/// All scenes, in Markdown.
pub(crate) fn text(duels: &[Duel], mujoco: &str, options: &Options) -> String {
    let mut text = format!(
        "{}, Silvia at commit `{}`. Every engine on one thread; steps of {} ms, friction {FRICTION}, no rebound. Milliseconds a step. *Times Silvia's* is the other's time over the steps \
         that both have made, over Silvia's: above 1 Silvia is faster. *Deepest* is the deepest overlap of any two bodies at about 40 steps of the run, the same for all. *Energy gained* \
         is the most by which the energy rose above its least value so far, of the energy at the start: nothing drives these scenes, so it should be 0. *Height* is that of the centre of \
         mass at the end.\n\nRapier (crate `rapier3d-f64` 0.36) as it comes lets bodies sleep. Tuned for accuracy it has: {TUNED}. MuJoCo is {mujoco}, with its defaults; Python's share of a step is \
         about a microsecond. Of bodies that are not convex it takes the convex hull, which is another body: of those scenes it is left out.\n",
        machine(),
        options.commit,
        1e3 * STEP
    );
    let _ = write!(text, "\n{}", summary::table(duels));
    for duel in duels {
        scene(&mut text, duel);
    }
    text
}

fn scene(text: &mut String, duel: &Duel) {
    let scene = &duel.scene;
    let [first, second] = scene.windows;
    let _ = write!(
        text,
        "\n### {}\n\n{} bodies that move, {} steps; *{second}* from step {} on.\n\n\
         | | steps | {first}: median | 99 % | {second}: median | 99 % | times Silvia's | deepest, m | energy gained | height, m |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        scene.title,
        scene.free(),
        scene.steps,
        scene.second
    );
    let Some((ours, _)) = duel.runs.first() else { return };
    for (run, finding) in &duel.runs {
        let [a, b] = windows(run, scene.second);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.4} |",
            run.engine,
            run.seconds.len(),
            milliseconds(median(a)),
            milliseconds(high(a)),
            milliseconds(median(b)),
            milliseconds(high(b)),
            over_ours(run, ours),
            depth(finding),
            gain(finding),
            finding.height
        );
    }
    if let Some(stages) = &ours.stages {
        let _ =
            write!(text, "\nSilvia's time by stage, and in brackets how much was done a step: {stages}.\n");
    }
    for (run, _) in &duel.runs {
        if let Some(why) = &run.ended {
            let _ = write!(
                text,
                "\n{} stopped after {} of {} steps: {why}.\n",
                run.engine,
                run.seconds.len(),
                scene.steps
            );
        }
    }
}

/// One line for the terminal.
pub(crate) fn told(run: &Run, finding: &Finding) -> String {
    let whom = finding
        .deepest
        .as_ref()
        .map_or(String::new(), |(step, p)| format!(" ({} and {} at step {step})", p.names[0], p.names[1]));
    let ended = run.ended.as_ref().map_or(String::new(), |why| format!("; stopped: {why}"));
    format!(
        "{}: {} steps in {:.2} s, median {} ms, 99 % {} ms; deepest {}{whom}; energy gained {}; height {:.4} m{ended}",
        run.engine,
        run.seconds.len(),
        run.seconds.iter().sum::<f64>(),
        milliseconds(median(&run.seconds)),
        milliseconds(high(&run.seconds)),
        depth(finding),
        gain(finding),
        finding.height
    )
}

/// The steps of the two windows.
fn windows(run: &Run, second: usize) -> [&[f64]; 2] {
    let (a, b) = run.seconds.split_at(second.min(run.seconds.len()));
    [a, b]
}

/// The 99th percentile: the least value that 99 of 100 do not exceed. NaN for none.
fn high(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (0.99 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// Time of all steps that both have made, over ours.
fn over_ours(run: &Run, ours: &Run) -> String {
    let common = run.seconds.len().min(ours.seconds.len());
    match common {
        0 => "–".into(),
        _ if std::ptr::eq(run, ours) => String::new(),
        _ => format!("**{}**", short(total(run, common) / total(ours, common))),
    }
}

fn milliseconds(seconds: f64) -> String {
    if seconds.is_nan() { "–".into() } else { short(1e3 * seconds) }
}

fn depth(finding: &Finding) -> String {
    match &finding.deepest {
        _ if finding.samples == 0 => "–".into(),
        None => "0".into(),
        Some((_, p)) => format!("{:.1e}", p.depth),
    }
}

fn gain(finding: &Finding) -> String {
    if finding.gain == 0.0 { "0".into() } else { format!("{:.1e}", finding.gain) }
}

/// Three digits.
fn short(value: f64) -> String {
    let digits = (2.0 - value.abs().max(1e-9).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_leaves_one_of_a_hundred_above() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(high(&values), 198.0);
        assert_eq!(high(&[5.0]), 5.0);
        assert!(high(&[]).is_nan());
    }
}
