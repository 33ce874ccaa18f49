//! `silvia contacts`: which features hold two parts apart.

mod drawing;
mod lines;
mod view;

use crate::failure::Failure;
use crate::numbers::number;
use crate::pair::{Pair, with_bound};
use crate::values;
use serde_json::{Value, json};
use silvia::contact::{GapRow, Keep, reduce};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{ContactCache, ContactPair, collide, contacts};
use silvia::proximity::{ContactOptions, Extent, Feature, Hierarchy, Surface};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};
use std::path::PathBuf;

/// The reach unless one is given: this part of the diagonal of the smaller part's box.
const DEFAULT_REACH: f64 = 0.01;

/// An overlap deeper than this part of the smaller part's diagonal is no rounding.
const OVERLAP: f64 = 1e-9;

/// Says which pairs of features hold two parts apart: where, in which direction, and how far they are from
/// touching.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia contacts block.stl peg.stl --unit mm --reach 0.05     all within 0.05 mm
  silvia contacts block.stl peg.stl --reduce velocities        only those that the others do not imply
  silvia contacts block.stl peg.stl --svg contacts.svg         a picture with points and normals
  silvia contacts a.ply b.ply --poses path.csv --json          one JSON object a pose, for programs

A contact is a vertex of one part over a face of the other, or an edge of one across an edge of the other. \
It holds if
its points lie on the features and its normal is one that both can have there: then, and only then, it keeps \
the parts
apart. Pairs that do not hold may come to by a displacement within reach; --all shows them too. The normal \
points from
A to B. The parts are taken to be apart, or to overlap no more than by rounding.

Text is in the unit given with --unit; JSON is always in metres and radians. It has the keys `reach`, \
`turn`, `pairs`
(how many were looked at) and `contacts`, a list of objects with `features` (of A, of B), `a` and `b` (the \
points, in A's
frame), `normal`, `gap` and `holds`. The last line has `queries` and `mean_us`, the time inside the queries \
alone.")]
pub(crate) struct Contacts {
    #[command(flatten)]
    pair: Pair,
    /// How far apart features may be, in the unit given; a hundredth of the smaller part's diagonal unless
    /// given.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    reach: Option<f64>,
    /// By how much the parts may turn until the next query; unless given, what a displacement within the
    /// reach allows.
    #[arg(long, value_name = "DEGREES", value_parser = values::not_negative)]
    turn: Option<f64>,
    /// Show also pairs that do not hold yet, but may after a displacement within reach.
    #[arg(long)]
    all: bool,
    /// Leave out contacts that others make superfluous.
    #[arg(long, value_enum, value_name = "WHAT TO KEEP", conflicts_with = "all")]
    reduce: Option<KeepKind>,
    /// Draw both parts with the contacts' points and normals into this SVG file.
    #[arg(long, value_name = "FILE", conflicts_with = "poses")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum KeepKind {
    /// Keep the velocities that the contacts admit: enough without friction.
    Velocities,
    /// Keep the extent of each patch of contacts: for friction.
    Extent,
}

impl Contacts {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let poses = self.pair.poses()?;
        let surfaces = self.pair.load()?;
        with_bound!(self.pair.bound, run(self, surfaces, &poses))
    }

    fn options<B: Bound>(&self, a: &Hierarchy<B>, b: &Hierarchy<B>) -> ContactOptions {
        let reach = self.reach.map_or(DEFAULT_REACH * smaller(a, b), |reach| self.pair.unit.to_metres(reach));
        let options = ContactOptions::within(reach, a, b);
        ContactOptions { turn: self.turn.map_or(options.turn, f64::to_radians), ..options }
    }
}

/// What a query found, and what of it is told.
struct Answer {
    /// How many pairs there are within reach.
    pairs: usize,
    /// How many of them hold.
    holding: usize,
    shown: Vec<ContactPair>,
}

fn run<B: Bound>(command: &Contacts, surfaces: [Surface; 2], poses: &[Pose]) -> Result<(), Failure> {
    let [a, b] = surfaces.map(Hierarchy::<B>::new);
    let options = command.options(&a, &b);
    let here = Pose::IDENTITY;
    let find = |pose: &Pose, cache: &mut ContactCache| {
        let mut shown =
            contacts(&a, &here, &b, pose, &options, cache).map_err(|e| Failure::Bad(e.to_string()))?;
        let pairs = shown.len();
        let holding = shown.iter().filter(|pair| pair.state.holds).count();
        if !command.all {
            shown.retain(|pair| pair.state.holds);
        }
        if let Some(keep) = command.reduce {
            shown = reduced(&shown, keep);
        }
        Ok(Answer { pairs, holding, shown })
    };
    if let (Some(file), Some(pose)) = (&command.svg, poses.first()) {
        let found = find(pose, &mut ContactCache::new())?;
        let picture = drawing::draw([&a, &b], [&here, pose], &found.shown, command.pair.unit);
        std::fs::write(file, picture)
            .map_err(|e| Failure::with_file(file, format!("cannot be written ({e})")))?;
    }
    let mut cache = ContactCache::new();
    let text = Text { unit: command.pair.unit, options, reduces: command.reduce.is_some() };
    command.pair.ask(
        poses,
        |pose| find(pose, &mut cache),
        |index, answer| {
            if overlaps(&a, &b, &poses[index], answer) {
                let what = if poses.len() == 1 { String::new() } else { format!("pose {}: ", index + 1) };
                eprintln!(
                    "note: {what}the parts overlap: contacts tell of parts that are apart or just touch"
                );
            }
            match poses.len() {
                _ if command.pair.json => as_json(answer, &options).to_string(),
                1 => text.page(answer),
                _ => format!("{}: {}", index + 1, text.line(answer)),
            }
        },
    )
}

fn reduced(contacts: &[ContactPair], keep: KeepKind) -> Vec<ContactPair> {
    let keep = match keep {
        KeepKind::Velocities => Keep::Velocities,
        KeepKind::Extent => Keep::Extent,
    };
    let rows: Vec<GapRow> = contacts.iter().map(|pair| GapRow::new(&pair.state, [Vec3::ZERO; 2])).collect();
    reduce(&rows, keep).into_iter().map(|i| contacts[i]).collect()
}

/// Whether the parts share a point though no contact says that they just touch there.
fn overlaps<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>, pose: &Pose, answer: &Answer) -> bool {
    let held = answer.shown.iter().filter(|pair| pair.state.holds);
    let least = held.map(|pair| pair.state.gap).fold(f64::INFINITY, f64::min);
    let rounding = OVERLAP * smaller(a, b);
    least.abs() > rounding && collide(a, &Pose::IDENTITY, b, pose, Extent::Any).is_some()
}

/// The diagonal of the smaller part's box, m.
fn smaller<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>) -> f64 {
    a.bounds().size().length().min(b.bounds().size().length())
}

fn as_json(answer: &Answer, options: &ContactOptions) -> Value {
    let plain = |v: Vec3| (v + Vec3::ZERO).to_array();
    let contact = |pair: &ContactPair| {
        json!({
            "features": pair.key.features.map(|feature| {
                let (kind, id) = named(feature);
                json!({ kind: id })
            }),
            "a": plain(pair.state.points[0]),
            "b": plain(pair.state.points[1]),
            "normal": plain(pair.state.normal),
            "gap": pair.state.gap,
            "holds": pair.state.holds,
        })
    };
    json!({
        "reach": options.reach,
        "turn": options.turn,
        "pairs": answer.pairs,
        "contacts": answer.shown.iter().map(contact).collect::<Vec<_>>(),
    })
}

/// Answers for people.
struct Text {
    unit: Unit,
    options: ContactOptions,
    reduces: bool,
}

impl Text {
    /// All about one answer.
    fn page(&self, answer: &Answer) -> String {
        let mut text = format!(
            "{}\nwithin a reach of {} {} and a turn of {} degrees",
            self.line(answer),
            self.length(self.options.reach),
            self.unit,
            number(self.options.turn.to_degrees())
        );
        if answer.shown.is_empty() {
            return text;
        }
        let unit = self.unit;
        let head = ["on A", "on B", "holds", "gap", "point on A", "point on B", "normal"];
        let head = head.map(|name| match name {
            "gap" | "point on A" | "point on B" => format!("{name}, {unit}"),
            _ => name.into(),
        });
        let rows: Vec<[String; 7]> =
            std::iter::once(head).chain(answer.shown.iter().map(|p| self.row(p))).collect();
        let widths: [usize; 7] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for row in rows {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
            text += &format!("\n  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        text
    }

    fn row(&self, pair: &ContactPair) -> [String; 7] {
        let [of_a, of_b] = pair.key.features.map(|feature| {
            let (kind, id) = named(feature);
            format!("{kind} {id}")
        });
        let triple = |values: [String; 3]| format!("({})", values.join(", "));
        let [on_a, on_b] = pair.state.points.map(|p| triple(p.to_array().map(|c| self.length(c))));
        let normal = triple(pair.state.normal.to_array().map(|c| number(c + 0.0)));
        let holds = if pair.state.holds { "yes" } else { "no" };
        [of_a, of_b, holds.into(), self.length(pair.state.gap), on_a, on_b, normal]
    }

    /// The counts.
    fn line(&self, answer: &Answer) -> String {
        let held = answer.shown.iter().filter(|pair| pair.state.holds);
        let least = held.map(|pair| pair.state.gap).fold(f64::INFINITY, f64::min);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut text = format!("{} contact{}", answer.holding, plural(answer.holding));
        if least.is_finite() {
            text += &format!(", least gap {} {}", self.length(least), self.unit);
        }
        if self.reduces {
            text += &format!(", {} kept", answer.shown.len());
        }
        let others = answer.pairs - answer.holding;
        text + &format!("; {others} more pair{} that may come to hold", plural(others))
    }

    fn length(&self, metres: f64) -> String {
        number(self.unit.from_metres(metres + 0.0))
    }
}

fn named(feature: Feature) -> (&'static str, u32) {
    match feature {
        Feature::Vertex(id) => ("vertex", id),
        Feature::Edge(id) => ("edge", id),
        Feature::Face(id) => ("face", id),
        Feature::Patch(id) => ("patch", id),
    }
}
