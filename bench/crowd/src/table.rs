//! The comparison as the guide shows it.

use crate::Duel;
use crate::work::Step;
use bench_common::{machine, median};
use std::fmt::Write;

/// Distances of both sides agree within this, m.
const AGREEMENT: f64 = 1e-9;

/// Silvia against FCL, in Markdown.
pub(crate) fn page(duels: &[Duel], knots: usize, triangles: usize, version: &str, commit: &str) -> String {
    let (rounds, steps) = (duels[0].fcl.len(), duels[0].fcl[0].len());
    let mut text = format!(
        "Milliseconds a step: {knots} knots of {triangles} triangles, {steps} steps, the first not counted; \
         each step is the median of {rounds} rounds in turn; {}.\n\
         FCL is python-fcl {version}, on one thread; its times have some tenths of a microsecond a pair of \
         Python in them. Silvia at commit `{commit}`.\n",
        machine()
    );
    for reach in [None, duels.iter().find_map(|duel| duel.reach)] {
        match reach {
            None => text += "\n### Collide\n\n",
            Some(reach) => {
                _ = write!(
                    text,
                    "\n### Distances of all pairs nearer than {reach} m\n\nThe work is not the same on both \
                     sides. A crowd of Silvia looks no farther than \
                     {reach} m, and remembers what it found in the step before. FCL's manager culls with the \
                     same reach, but its distance query can be given no \
                     bound through python-fcl, and measures every candidate to the end. So does Silvia in \
                     the rows \"to the end\", without memory and on one thread: these \
                     compare the queries themselves.\n\n"
                );
            }
        }
        text += "| step, m | | candidates | found | moving | culling | pair queries | all | FCL / Silvia |\n\
                 |--:|---|--:|--:|--:|--:|--:|--:|--:|\n";
        for duel in duels.iter().filter(|duel| duel.reach == reach) {
            let fcl = Row::of(&duel.fcl);
            for (name, rounds) in [
                ("Silvia, one thread", &duel.silvia_one),
                ("Silvia, all cores", &duel.silvia_all),
                ("Silvia, one thread, to the end", &duel.silvia_full),
                ("FCL", &duel.fcl),
            ] {
                if rounds.is_empty() {
                    continue;
                }
                let row = Row::of(rounds);
                let ratio = if name == "FCL" {
                    String::new()
                } else {
                    format!("**{:.1}**", fcl.total() / row.total())
                };
                let share = |part: f64| format!("{:.3} ({:.0}%)", 1e3 * part, 100.0 * part / row.total());
                let _ = writeln!(
                    text,
                    "| {} | {name} | {:.0} | {:.0} | {} | {} | {} | {:.3} | {ratio} |",
                    duel.pace,
                    row.candidates,
                    row.found,
                    share(row.times[0]),
                    share(row.times[1]),
                    share(row.times[2]),
                    1e3 * row.total()
                );
            }
        }
        let checks = duels.iter().filter(|duel| duel.reach == reach).map(disagreements);
        let (wrong, all) = checks.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let what = match reach {
            None => "that only one side found".into(),
            Some(_) => {
                format!("that only one side found, or whose distances differ by more than {AGREEMENT:e} m")
            }
        };
        let _ = write!(text, "\nDisagreements: {wrong} pairs of {all} {what}.\n");
    }
    text
}

/// Means over the steps.
struct Row {
    /// Moving, culling, asking, s.
    times: [f64; 3],
    candidates: f64,
    found: f64,
}

impl Row {
    fn of(rounds: &[Vec<Step>]) -> Row {
        // The first step builds what the others follow.
        let steps = 1..rounds[0].len();
        let count = steps.len() as f64;
        let mean = |part: fn(&Step) -> f64| {
            let middle =
                |step: usize| median(&rounds.iter().map(|round| part(&round[step])).collect::<Vec<_>>());
            steps.clone().map(middle).sum::<f64>() / count
        };
        Row {
            times: [mean(|s| s.move_), mean(|s| s.cull), mean(|s| s.query)],
            candidates: mean(|s| s.candidates as f64),
            found: mean(|s| s.pairs.len() as f64),
        }
    }

    fn total(&self) -> f64 {
        self.times.iter().sum()
    }
}

/// Pairs on which the sides differ, of all pairs that one of them found, in the last round.
fn disagreements(duel: &Duel) -> (usize, usize) {
    let (mut wrong, mut all) = (0, 0);
    for (ours, theirs) in duel.silvia_one.iter().flatten().zip(duel.fcl.iter().flatten()) {
        let (mut a, mut b) = (ours.pairs.iter().peekable(), theirs.pairs.iter().peekable());
        loop {
            let key = |pair: &&(usize, usize, f64)| (pair.0, pair.1);
            let (next_a, next_b) = (a.peek().map(key), b.peek().map(key));
            let first = match (next_a, next_b) {
                (None, None) => break,
                (Some(x), None) | (None, Some(x)) => x,
                (Some(x), Some(y)) => x.min(y),
            };
            all += 1;
            let mine = a.next_if(|pair| (pair.0, pair.1) == first);
            let other = b.next_if(|pair| (pair.0, pair.1) == first);
            wrong += match (mine, other) {
                (Some(x), Some(y)) => usize::from((x.2 - y.2).abs() > AGREEMENT),
                _ => 1,
            };
        }
    }
    (wrong, all)
}
