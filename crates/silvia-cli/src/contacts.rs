//! `silvia contacts`: the features that hold two parts apart.

mod drawing;
mod lines;
mod view;

use crate::failure::Failure;
use crate::numbers::number;
use crate::pair::{Pair, with_bound};
use crate::product::must_be_new;
use crate::values;
use serde_json::{Value, json};
use silvia::contact::{GapRow, Keep, reduce};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{ContactCache, ContactPair, collide, contacts};
use silvia::proximity::{ContactOptions, Extent, Feature, Hierarchy, Surface};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};
use std::path::PathBuf;

/// Default reach, as a fraction of the diagonal of the smaller part's box.
const DEFAULT_REACH: f64 = 0.01;

/// An overlap deeper than this fraction of the smaller part's diagonal is not rounding.
const OVERLAP: f64 = 1e-9;

/// Lists the pairs of features that hold two parts apart: place, direction and gap.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia contacts block.stl peg.stl --unit mm --reach 0.05     all within 0.05 mm
  silvia contacts block.stl peg.stl --reduce velocities        without those that the others imply
  silvia contacts block.stl peg.stl --svg contacts.svg         a picture with points and normals
  silvia contacts a.ply b.ply --poses path.csv --json          one JSON object per pose, for programs

A contact is a vertex of one part over a face of the other, or an edge of one across an edge of the
other. It holds if its points lie on the features and both features can have its normal there: only
then does it keep the parts apart. A pair that does not hold may do so after a displacement within
reach; --all lists these too. The normal points from A to B. The parts must be apart, or overlap no
more than by rounding.

Text is in the unit given by --unit; JSON is always in metres and radians. It has the keys `reach`,
`turn`, `pairs` (how many were examined) and `contacts`, a list of objects with `features` (of A, of
B), `a` and `b` (the points, in A's frame), `normal`, `gap` and `holds`. The last line has `queries`
and `mean_us`, the time of the queries alone.")]
pub(crate) struct Contacts {
    #[command(flatten)]
    pair: Pair,
    /// How far apart features may be, in the given unit; by default a hundredth of the smaller part's
    /// diagonal.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    reach: Option<f64>,
    /// How far the parts may turn before the next query; by default what a displacement within the reach
    /// allows.
    #[arg(long, value_name = "DEGREES", value_parser = values::not_negative)]
    turn: Option<f64>,
    /// Also list pairs that do not hold yet, but may after a displacement within reach.
    #[arg(long)]
    all: bool,
    /// Leave out contacts that others make redundant.
    #[arg(long, value_enum, value_name = "WHAT TO KEEP", conflicts_with = "all")]
    reduce: Option<KeepKind>,
    /// Draw both parts with the points and normals of the contacts into this SVG file.
    #[arg(long, value_name = "FILE", conflicts_with = "poses")]
    svg: Option<PathBuf>,
    /// Replace that file if it is there.
    #[arg(long, requires = "svg")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum KeepKind {
    /// Keep the same set of admissible velocities: enough without friction.
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

/// The result of a query, and how much of it to show.
struct Answer {
    /// Number of pairs within reach.
    pairs: usize,
    /// Number of pairs that hold.
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
        must_be_new(file, command.force)?;
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

/// Whether the parts share a point although no contact just touches there.
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

/// Formats answers for people.
struct Text {
    unit: Unit,
    options: ContactOptions,
    reduces: bool,
}

impl Text {
    /// The full report of one answer.
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

    /// One line of counts.
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
