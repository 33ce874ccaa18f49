//! The comparison as the guide shows it.

use crate::duel::{Duel, INTERACTIVE, Side};
use crate::growth::{self, Grown};
use crate::judge::Finding;
use crate::rapier_side::TUNED;
use crate::scene::{FRICTION, STEP};
use crate::silvia_side::SHELL;
use crate::store::{Kept, Outcome, Store};
use crate::{live, parts, summary, threads, tuning};
use bench_common::{Options, median};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Before a page that a quick run has made.
const QUICK: &str =
    "**From a quick run: small scenes, few steps. It shows no more than that everything works.**\n\n";

/// Makes the page and its plot of all parts that were run; gives the page's file.
pub(crate) fn write(store: &Store, options: &Options) -> Result<PathBuf, Box<dyn Error>> {
    let all = store.all()?;
    let output = options.output();
    let grown: Vec<&Grown> = all.iter().filter_map(|kept| kept.outcome.growth()).collect();
    if !grown.is_empty() {
        std::fs::write(output.join(growth::PLOT), growth::plot(&grown))?;
    }
    let file = output.join("bench-world.md");
    std::fs::write(&file, text(&all, options.quick))?;
    Ok(file)
}

impl Outcome {
    fn duel(&self) -> Option<&Duel> {
        if let Outcome::Duel(duel) = self { Some(duel) } else { None }
    }

    fn growth(&self) -> Option<&Grown> {
        if let Outcome::Growth(grown) = self { Some(grown) } else { None }
    }
}

/// All parts, in Markdown.
fn text(all: &[Kept], quick: bool) -> String {
    let duels: Vec<&Duel> = all.iter().filter_map(|kept| kept.outcome.duel()).collect();
    let grown: Vec<&Grown> = all.iter().filter_map(|kept| kept.outcome.growth()).collect();
    let mut text = if quick { QUICK.to_owned() } else { "From a full run. ".to_owned() };
    let _ = write!(text, "{}\n\n", made(all));
    if !duels.is_empty() {
        text += &legend(&duels);
        let _ = write!(text, "\n{}", summary::table(&duels));
    }
    duels.iter().for_each(|duel| scene(&mut text, duel));
    for kept in all {
        if let Outcome::Tuning(tried) = &kept.outcome {
            text += &tuning::section(tried);
        }
    }
    if !grown.is_empty() {
        text += &growth::section(&grown);
    }
    for kept in all {
        if let Outcome::Threads(measured) = &kept.outcome {
            text += &threads::section(measured);
        }
    }
    for kept in all {
        if let Outcome::Live(measured) = &kept.outcome {
            text += &live::section(measured);
        }
    }
    text
}

/// On which machine and of which sources: parts may have been run one by one.
fn made(all: &[Kept]) -> String {
    let mut groups: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for kept in all {
        let known = groups.iter_mut().find(|(m, c, _)| *m == kept.machine && *c == kept.commit);
        match known {
            Some((_, _, parts)) => parts.push(&kept.part),
            None => groups.push((&kept.machine, &kept.commit, vec![&kept.part])),
        }
    }
    let group = |(machine, commit, parts): &(&str, &str, Vec<&str>)| match groups.len() {
        1 => format!("{machine}, Silvia at commit `{commit}`"),
        _ => format!("{machine}, Silvia at commit `{commit}`: {}", parts.join(", ")),
    };
    let told: Vec<String> = groups.iter().map(group).collect();
    let missing: Vec<&str> =
        parts().into_iter().filter(|part| !all.iter().any(|kept| kept.part == *part)).collect();
    let not_run =
        if missing.is_empty() { String::new() } else { format!(" Not run: {}.", missing.join(", ")) };
    format!("{}.{not_run}", told.join("; "))
}

fn legend(duels: &[&Duel]) -> String {
    let mujoco = duels.iter().find_map(|duel| duel.mujoco.as_deref()).unwrap_or("not there");
    format!(
        "Every engine on one thread, and nothing sleeps; times are those of the thread on the processor, \
         without what other programs took. Steps of {} ms, friction {FRICTION}, no rebound. Milliseconds a \
         step. *Times Silvia's* is the other's time over the steps \
         that both have made, over Silvia's: above 1 Silvia is faster. *Deepest* is the deepest overlap of \
         any two bodies at about 40 steps of the run, the same for all. *Energy gained* \
         is the most by which the energy rose above its least value so far, of the energy at the start: \
         nothing drives these scenes, so it should be 0. *Height* is that of the centre of \
         mass at the end. A run whose time is over is ended, within a step if need be; what it did until \
         then is shown.\n\n\
         Silvia with its default settings solves every step for Coulomb's law to about 1e-10, and keeps \
         bodies apart by 1e-9 of their size. *{INTERACTIVE}* has its default budget and a shell of \
         {SHELL:e}: bodies are kept apart \
         by that fraction of their size, friction is solved to one or two digits, as tuned peers do, and the \
         certificate is the same.\n\nRapier (crate `rapier3d-f64` 0.36) as it comes, but for sleep, and with \
         wide boxes for half-spaces: parts that lean against its half-spaces were seen 8 mm in them, \
         whatever the settings. Tuned for accuracy it has: {}. MuJoCo is {mujoco}, with its defaults; \
         Python's share of a step is \
         about a microsecond. Of bodies that are not convex it takes the convex hull, which is another body: \
         of those scenes it is left out.\n",
        1e3 * STEP,
        TUNED.told(),
    )
}

fn scene(text: &mut String, duel: &Duel) {
    let [first, second] = &duel.windows;
    let _ = write!(
        text,
        "\n### {}\n\n{} bodies that move, {} steps; *{second}* from step {} on.\n\n\
         | | steps | {first}: median | 99 % | {second}: median | 99 % | times Silvia's | deepest, m | energy \
         gained | height, m |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        duel.title, duel.bodies, duel.steps, duel.second
    );
    let Some(ours) = duel.sides.first() else { return };
    for side in &duel.sides {
        let [a, b] = windows(side, duel.second);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            side.engine,
            side.seconds.len(),
            milliseconds(median(a)),
            milliseconds(high(a)),
            milliseconds(median(b)),
            milliseconds(high(b)),
            over_ours(side, ours),
            depth(&side.finding),
            gain(&side.finding),
            height(&side.finding)
        );
    }
    for side in &duel.sides {
        if let Some(stages) = &side.stages {
            let engine = &side.engine;
            let _ = write!(
                text,
                "\n{engine}: time by stage, and in brackets how much was done a step: {stages}.\n"
            );
        }
    }
    for side in &duel.sides {
        if let Some(why) = &side.ended {
            let (made, all) = (side.seconds.len(), duel.steps);
            let _ = write!(text, "\n{} stopped after {made} of {all} steps: {why}.\n", side.engine);
        }
    }
}

/// One line for the terminal.
pub(crate) fn told(side: &Side) -> String {
    let Side { engine, seconds, ended, finding, .. } = side;
    let whom = finding.deepest.as_ref().map_or(String::new(), |deepest| {
        format!(" ({} and {} at step {})", deepest.names[0], deepest.names[1], deepest.step)
    });
    let ended = ended.as_ref().map_or(String::new(), |why| format!("; stopped: {why}"));
    format!(
        "{engine}: {} steps in {:.2} s, median {} ms, 99 % {} ms; deepest {}{whom}; energy gained {}; height \
         {} m{ended}",
        seconds.len(),
        seconds.iter().sum::<f64>(),
        milliseconds(median(seconds)),
        milliseconds(high(seconds)),
        depth(finding),
        gain(finding),
        height(finding)
    )
}

/// The steps of the two windows.
fn windows(side: &Side, second: usize) -> [&[f64]; 2] {
    let (a, b) = side.seconds.split_at(second.min(side.seconds.len()));
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
fn over_ours(side: &Side, ours: &Side) -> String {
    let common = side.seconds.len().min(ours.seconds.len());
    match common {
        0 => "–".into(),
        _ if std::ptr::eq(side, ours) => String::new(),
        _ => format!("**{}**", short(side.total(common) / ours.total(common))),
    }
}

pub(crate) fn milliseconds(seconds: f64) -> String {
    if seconds.is_nan() { "–".into() } else { short(1e3 * seconds) }
}

pub(crate) fn depth(finding: &Finding) -> String {
    match &finding.deepest {
        _ if finding.depths.is_empty() => "–".into(),
        None => "0".into(),
        Some(deepest) => format!("{:.1e}", deepest.depth),
    }
}

fn gain(finding: &Finding) -> String {
    if finding.gain == 0.0 { "0".into() } else { format!("{:.1e}", finding.gain) }
}

fn height(finding: &Finding) -> String {
    finding.height.map_or("–".into(), |height| format!("{height:.4}"))
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

    #[test]
    fn a_page_of_parts_run_one_by_one_says_which_is_of_which_commit_and_what_is_missing() {
        let kept = |part: &str, commit: &str| {
            let outcome = serde_json::json!({ "Growth": { "kind": "pile", "steps": 1, "points": [] } });
            let kept =
                serde_json::json!({ "part": part, "commit": commit, "machine": "M", "outcome": outcome });
            serde_json::from_value::<Kept>(kept).unwrap()
        };
        let one = made(&[kept("stack", "a"), kept("wall", "a")]);
        assert!(one.starts_with("M, Silvia at commit `a`. Not run: pile-300,"), "{one}");
        let two = made(&[kept("stack", "a"), kept("wall", "b"), kept("chain", "a")]);
        assert!(
            two.starts_with("M, Silvia at commit `a`: stack, chain; M, Silvia at commit `b`: wall."),
            "{two}"
        );
    }
}
