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
        "| | Silvia's time over its peer's | aimed at | | overlap, Silvia | the least of the peers | at least {LESS} times less |\n\
         |---|--:|--:|---|--:|--:|---|\n"
    );
    for duel in duels {
        let Some((ours, peers)) = duel.sides.split_first() else { continue };
        let target = TARGETS.iter().find(|t| t.scene == duel.name);
        let time = target.and_then(|t| {
            let peer = peers.iter().find(|side| side.engine == t.peer)?;
            let ratio = time_over(ours, peer)?;
            let reached = if ratio <= t.times { "yes" } else { "**no**" };
            Some(format!("{ratio:.3} ({}) | {} | {reached}", t.peer, t.times))
        });
        let [mine, theirs] = [depth(&ours.finding, usize::MAX), least(ours, peers)];
        let less = match (mine, theirs) {
            (Some(mine), Some(theirs)) if LESS * mine <= theirs => "yes",
            (Some(_), Some(_)) => "**no**",
            _ => "–",
        };
        let (made, all) = (ours.seconds.len(), duel.steps);
        let part = if made < all { format!(" (Silvia: {made} of {all} steps)") } else { String::new() };
        let _ = writeln!(
            text,
            "| {}{part} | {} | {} | {} | {less} |",
            duel.title,
            time.unwrap_or("– | – | –".into()),
            metres(mine),
            metres(theirs)
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
fn least(ours: &Side, peers: &[Side]) -> Option<f64> {
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
