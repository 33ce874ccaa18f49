//! The answer for people.

use super::products::Files;
use crate::distance::named;
use crate::numbers::measure;
use silvia::fit::{Answer, Assembly, Blocked, Move, Narrow, Part, Push, Stop};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};
use std::fmt::Write;

/// The most contacts shown that stop a part; JSON has all.
const SHOWN: usize = 4;
/// A direction this near to an axis is named by it.
const ALONG_AXIS: f64 = 0.999;

pub(super) fn of(parts: &[Part], answer: &Answer, files: &Files, unit: Unit, seconds: f64) -> String {
    let told = Told { parts, unit };
    let mut text = match answer {
        Answer::Assembled(assembly) => told.assembled(assembly),
        Answer::NotFound { removed, blocked, tries, samples } => {
            told.not_found(removed, blocked, *tries, *samples)
        }
        Answer::Impossible { overlaps } => {
            let mut text = "impossible: parts overlap at their goal\n".to_owned();
            for overlap in overlaps {
                let [a, b] = overlap.parts.map(|part| &parts[part].name);
                let depth = told.length(overlap.depth);
                let _ = writeln!(text, "  {a} and {b}: one must move by {depth} to be free of the other");
            }
            text
        }
        _ => String::new(),
    };
    let _ = writeln!(text, "took         {} s", measure(seconds));
    for file in files.all() {
        let _ = writeln!(text, "wrote        {}", file.display());
    }
    text
}

struct Told<'a> {
    parts: &'a [Part],
    unit: Unit,
}

impl Told<'_> {
    fn assembled(&self, assembly: &Assembly) -> String {
        let Assembly { moves, tries, samples, .. } = assembly;
        let order: Vec<&str> = moves.iter().map(|step| self.name(step.part)).collect();
        let mut text = format!("found: {} stays, then {}\n", self.name(0), order.join(", "));
        moves.iter().for_each(|step| text += &self.step(step));
        let _ = writeln!(text, "tried        {}", tried(*tries, *samples));
        text
    }

    fn step(&self, step: &Move) -> String {
        let Move { part, path, sag, short, drawn_in, .. } = step;
        let (legs, length, turn) = (path.len().saturating_sub(1), self.length(length(path)), turn(path));
        let turn = if turn > 0.5 { format!(" and {} degrees", measure(turn.round())) } else { String::new() };
        let mut text = format!("{:<13}{legs} legs over {length}{turn}\n", self.name(*part));
        let how: Vec<String> = step.pushes.iter().map(pushed).collect();
        let _ = match how.is_empty() {
            true => writeln!(text, "  way out    by random trees"),
            false => writeln!(text, "  way out    {}", how.join("; ")),
        };
        let _ = writeln!(text, "  proved     each leg is free: vertices go straight and touch nothing");
        if *sag > 0.0 {
            let _ = writeln!(
                text,
                "  rigidly    a rigid motion departs from that by {} at most",
                self.length(*sag)
            );
        }
        if *short > 0.0 {
            let _ =
                writeln!(text, "  touching   at the goal; the way ends {} before it", self.length(*short));
        }
        if *drawn_in > 0.0 {
            let by = self.length(*drawn_in);
            let _ =
                writeln!(text, "  exact fit  without clearance; its surface was drawn in by {by} for this");
        }
        text
    }

    fn not_found(&self, removed: &[Move], blocked: &[Blocked], tries: usize, samples: usize) -> String {
        let mut text =
            format!("not found within {}: there may be a way all the same\n", tried(tries, samples));
        if !removed.is_empty() {
            let names: Vec<&str> = removed.iter().map(|step| self.name(step.part)).collect();
            let _ = writeln!(text, "out          {}", names.join(", "));
        }
        for part in blocked {
            let way = length(&part.path);
            let _ = writeln!(text, "{:<13}stopped after {}", self.name(part.part), self.length(way));
            for stop in part.stops.iter().take(SHOWN) {
                let _ = writeln!(text, "  by         {}", self.stop(part, stop));
            }
            if part.stops.len() > SHOWN {
                let _ = writeln!(text, "             and {} more", part.stops.len() - SHOWN);
            }
            text += &match &part.narrow {
                Some(narrow) => self.narrow(part, narrow),
                None => "  narrowest  not known: no smaller copy of it was found to pass either\n".to_owned(),
            };
        }
        text
    }

    fn stop(&self, part: &Blocked, stop: &Stop) -> String {
        let [own, theirs] = stop.features.map(|feature| {
            let (kind, number) = named(feature);
            format!("{kind} {number}")
        });
        let (name, other, at) = (self.name(part.part), self.name(stop.other), self.place(stop.at));
        let share = measure((100.0 * stop.share).round());
        format!("{theirs} of {other} against {own} of {name} at {at}, {share} % of the force")
    }

    fn narrow(&self, part: &Blocked, narrow: &Narrow) -> String {
        let (name, other, at) = (self.name(part.part), self.name(narrow.other), self.place(narrow.at));
        let feature = narrow.feature.map(|feature| {
            let (kind, number) = named(feature);
            format!(" ({kind} {number})")
        });
        let (clearance, feature) = (self.length(narrow.clearance), feature.unwrap_or_default());
        let scale = measure(narrow.scale);
        format!(
            "  narrowest  at {at}: clearance {clearance} between {name} and {other}{feature}\n             \
             on the way of a copy of {scale} times its size, the largest found to pass\n"
        )
    }

    fn name(&self, part: usize) -> &str {
        &self.parts[part].name
    }

    fn length(&self, metres: f64) -> String {
        format!("{} {}", measure(self.unit.from_metres(metres)), self.unit)
    }

    fn place(&self, at: Vec3) -> String {
        let [x, y, z] = at.to_array().map(|c| measure(self.unit.from_metres(c) + 0.0));
        format!("({x}, {y}, {z})")
    }
}

/// What a hand did, from the goal outwards.
fn pushed(push: &Push) -> String {
    let is = |v: Vec3| v != Vec3::ZERO;
    match (is(push.along), is(push.about)) {
        (true, false) => format!("pushed along {}", direction(push.along)),
        (false, true) => format!("twisted about {}", direction(push.about)),
        _ => format!("pushed along {} and twisted about {}", direction(push.along), direction(push.about)),
    }
}

fn direction(way: Vec3) -> String {
    let unit = way.normalize_or_zero();
    let axes = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
    match axes.into_iter().find(|(_, axis)| unit.dot(*axis).abs() > ALONG_AXIS) {
        Some((name, axis)) => format!("{}{name}", if unit.dot(axis) > 0.0 { "+" } else { "-" }),
        None => {
            let [x, y, z] = unit.to_array().map(|c| measure((1e3 * c).round() / 1e3 + 0.0));
            format!("({x}, {y}, {z})")
        }
    }
}

fn tried(tries: usize, samples: usize) -> String {
    let of = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match (tries, samples) {
        (_, 0) => of(tries, "push").replace("pushs", "pushes"),
        (0, _) => of(samples, "placement"),
        _ => format!("{} and {}", of(tries, "push").replace("pushs", "pushes"), of(samples, "placement")),
    }
}

/// The length of the way of a part's origin, m.
fn length(path: &[Pose]) -> f64 {
    path.windows(2).map(|ends| ends[0].translation().distance(ends[1].translation())).sum()
}

/// How far it turns on the way, degrees.
pub(super) fn turn(path: &[Pose]) -> f64 {
    path.windows(2).map(|ends| ends[0].rotation().angle_between(ends[1].rotation())).sum::<f64>().to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_is_told_by_its_axes() {
        let push = |along, about| pushed(&Push { along, about });
        assert_eq!(push(Vec3::Z, Vec3::ZERO), "pushed along +z");
        assert_eq!(push(Vec3::ZERO, Vec3::NEG_X), "twisted about -x");
        assert_eq!(
            push(Vec3::new(0.6, 0.8, 0.0), Vec3::Y),
            "pushed along (0.6, 0.8, 0) and twisted about +y"
        );
        assert_eq!(
            [tried(1, 0), tried(0, 2), tried(2, 1)],
            ["1 push", "2 placements", "2 pushes and 1 placement"]
        );
    }
}
