//! What the comparison should show, and what it does.

use crate::duel::{Duel, Side};
use crate::judge::Finding;
use std::fmt::Write;

/// Silvia's time should be at most so many times that of a peer.
struct Target {
    scene: &'static str,
    peer: &'static str,
    times: f64,
}

const TARGETS: [Target; 5] = [
    Target { scene: "stack", peer: "MuJoCo", times: 1.0 },
    Target { scene: "wall", peer: "Rapier, tuned", times: 2.0 },
    Target { scene: "pile-300", peer: "Rapier, tuned", times: 2.0 },
    Target { scene: "pile-1000", peer: "Rapier, tuned", times: 2.0 },
    Target { scene: "knots", peer: "Rapier", times: 1.0 },
];

/// Overlaps should be so many times less than the least of any peer.
const LESS: f64 = 1000.0;

/// One line a scene, in Markdown.
pub(crate) fn table(duels: &[&Duel]) -> String {
    let mut text = format!(
        "| | peer | Silvia's time over its peer's | interactive | aimed at | | overlap, Silvia | interactive \
         | the least of the peers | at least {LESS} times less |\n\
         |---|---|--:|--:|--:|---|--:|--:|--:|---|\n"
    );
    for duel in duels {
        let (ours, peers): (Vec<&Side>, Vec<&Side>) = duel.sides.iter().partition(|side| side.is_ours());
        let target = TARGETS.iter().find(|t| t.scene == duel.name);
        let time = target.and_then(|t| {
            let peer = peers.iter().find(|side| side.engine == t.peer)?;
            let ratios: Vec<f64> = ours.iter().map(|side| time_over(side, peer)).collect::<Option<_>>()?;
            let told: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
            // Who was ended before the hard part has reached nothing.
            let is_whole = |side: &Side| side.seconds.len() >= duel.steps.min(peer.seconds.len());
            let reached = match (0..ours.len()).position(|at| is_whole(ours[at]) && ratios[at] <= t.times) {
                Some(0) => "yes",
                Some(_) => "interactive",
                None => "**no**",
            };
            Some(format!("{} | {} | {} | {reached}", t.peer, told.join(" | "), t.times))
        });
        let pairs = ours.iter().map(|side| [depth(&side.finding, usize::MAX), least(side, &peers)]);
        let are_less = pairs.clone().map(|[mine, theirs]| Some(LESS * mine? <= theirs?));
        let less = match are_less.collect::<Option<Vec<bool>>>() {
            Some(all) if all.iter().all(|&is_less| is_less) => "yes",
            Some(_) => "**no**",
            None => "–",
        };
        let part: Vec<String> = ours
            .iter()
            .filter(|side| side.seconds.len() < duel.steps)
            .map(|side| format!(" ({}: {} of {} steps)", side.engine, side.seconds.len(), duel.steps))
            .collect();
        let depths: Vec<String> = pairs.clone().map(|[mine, _]| metres(mine)).collect();
        let _ = writeln!(
            text,
            "| {}{} | {} | {} | {} | {less} |",
            duel.title,
            part.join(""),
            time.unwrap_or("– | – | – | – | –".into()),
            depths.join(" | "),
            metres(pairs.filter_map(|[_, theirs]| theirs).min_by(f64::total_cmp))
        );
    }
    text
}

/// Our time over another's, over the steps that both have made.
fn time_over(ours: &Side, other: &Side) -> Option<f64> {
    let common = ours.seconds.len().min(other.seconds.len());
    (common > 0).then(|| ours.total(common) / other.total(common))
}

/// The deepest overlap of the first so many samples, m, if anything was looked at.
fn depth(finding: &Finding, samples: usize) -> Option<f64> {
    finding.depths.iter().take(samples).copied().max_by(f64::total_cmp)
}

/// The least of the peers that came as far as we did, until there.
fn least(ours: &Side, peers: &[&Side]) -> Option<f64> {
    let samples = ours.finding.depths.len();
    let as_far = peers.iter().filter(|side| side.finding.depths.len() >= samples);
    as_far.filter_map(|side| depth(&side.finding, samples)).min_by(f64::total_cmp)
}

fn metres(depth: Option<f64>) -> String {
    match depth {
        None => "–".into(),
        Some(0.0) => "none".into(),
        Some(depth) => format!("{depth:.1e} m"),
    }
}
