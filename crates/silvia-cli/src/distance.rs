//! `silvia distance`: the distance of two parts, and their nearest points.

use crate::failure::Failure;
use crate::numbers::number;
use crate::pair::{Pair, with_bound};
use crate::values;
use serde_json::{Value, json};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{Distance, DistanceCache, distance};
use silvia::proximity::{DistanceOptions, Feature, Hierarchy, Strategy, Surface};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};
use std::time::Duration;

/// Reports the distance of two parts, and their nearest points.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia distance peg.stl plate.stl --unit mm --pose 0,0,30   B moved up by 30 mm
  silvia distance a.ply b.ply --deadline 200us                the best bounds within 200 microseconds
  silvia distance a.ply b.ply --tolerance 1e-3                to a thousandth of the distance: faster
  silvia distance a.ply b.ply --poses path.csv --cache --json   along a path of small steps

Closed parts are filled: if one is inside the other, the distance is 0. Open parts are surfaces
only.

Text is in the unit given by --unit; JSON is always in metres. It has the keys `distance` (the best
known: the upper bound), `lower`, `upper`, `exact` (whether the bounds are equal), `a` and `b` (the
nearest points, in A's frame), `features` and `triangles` (on which they lie). The last line has
`queries` and `mean_us`, the time of the queries alone. A query that runs out of time is not an
error: its bounds say what is known.")]
pub(crate) struct Measure {
    #[command(flatten)]
    pair: Pair,
    /// Which pair of bounds to open next; affects speed, never the answer.
    #[arg(long, value_enum, default_value_t = StrategyKind::of(Strategy::default()))]
    strategy: StrategyKind,
    /// Stop after this time and report the bounds so far: 5ms, 200us, 0.
    #[arg(long, value_name = "TIME", value_parser = time)]
    deadline: Option<Duration>,
    /// Stop after opening this many nodes and report the bounds so far.
    #[arg(long, value_name = "COUNT")]
    max_visits: Option<u64>,
    /// Stop when the bounds differ by at most this fraction of the distance.
    #[arg(long, value_name = "FRACTION", default_value = "0", value_parser = values::not_negative)]
    tolerance: f64,
    /// Stop when the parts are known to be at least this far apart, in the given unit.
    #[arg(long, value_name = "LENGTH", value_parser = values::not_negative)]
    cutoff: Option<f64>,
    /// Start each query from the result of the last one: for poses that differ little. Opens the nearest pair
    /// first.
    #[arg(long, conflicts_with = "strategy")]
    cache: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum StrategyKind {
    /// Depth first, the nearest child first.
    Greedy,
    /// The pair with the smallest lower bound first.
    BestFirst,
}

impl StrategyKind {
    fn of(strategy: Strategy) -> StrategyKind {
        match strategy {
            Strategy::Greedy => StrategyKind::Greedy,
            Strategy::BestFirst => StrategyKind::BestFirst,
        }
    }
}

impl Measure {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let poses = self.pair.poses()?;
        let surfaces = self.pair.load()?;
        with_bound!(self.pair.bound, run(self, surfaces, &poses))
    }

    fn options(&self) -> DistanceOptions {
        DistanceOptions {
            strategy: match self.strategy {
                StrategyKind::Greedy => Strategy::Greedy,
                StrategyKind::BestFirst => Strategy::BestFirst,
            },
            relative_tolerance: self.tolerance,
            cutoff: self.cutoff.map_or(f64::INFINITY, |c| self.pair.unit.to_metres(c)),
            deadline: self.deadline,
            max_visits: self.max_visits,
            ..DistanceOptions::default()
        }
    }
}

fn run<B: Bound>(command: &Measure, surfaces: [Surface; 2], poses: &[Pose]) -> Result<(), Failure> {
    let [a, b] = surfaces.map(Hierarchy::<B>::new);
    let options = command.options();
    let mut cache = DistanceCache::new();
    let here = Pose::IDENTITY;
    let query = |pose: &Pose| {
        let answer = if command.cache {
            cache.distance(&a, &here, &b, pose, &options)
        } else {
            distance(&a, &here, &b, pose, &options)
        };
        answer.map_err(|e| Failure::Bad(e.to_string()))
    };
    let text = Text { unit: command.pair.unit, cutoff: options.cutoff };
    command.pair.ask(poses, query, |index, answer| match poses.len() {
        _ if command.pair.json => as_json(answer).to_string(),
        1 => text.page(answer),
        _ => format!("{}: {}", index + 1, text.line(answer)),
    })
}

fn as_json(answer: &Distance) -> Value {
    let [a, b] = answer.witness.points.map(|p| (p + Vec3::ZERO).to_array());
    let feature = |feature: Feature| {
        let (kind, id) = named(feature);
        json!({ kind: id })
    };
    json!({
        "distance": answer.upper,
        "lower": answer.lower,
        "upper": answer.upper,
        "exact": answer.exact,
        "a": a,
        "b": b,
        "features": answer.witness.features.map(feature),
        "triangles": answer.witness.triangles.map(|t| t.0),
    })
}

/// Formats answers for people.
struct Text {
    unit: Unit,
    /// Cut-off distance, m.
    cutoff: f64,
}

impl Text {
    /// The full report of one answer.
    fn page(&self, answer: &Distance) -> String {
        let mut text = format!("distance  {}", self.line(answer));
        for (index, name) in ["A", "B"].into_iter().enumerate() {
            let (kind, id) = named(answer.witness.features[index]);
            let [x, y, z] = answer.witness.points[index].to_array().map(|c| self.length(c));
            let triangle = answer.witness.triangles[index].0;
            text +=
                &format!("\non {name}      ({x}, {y}, {z}) {}, {kind} {id}, triangle {triangle}", self.unit);
        }
        text
    }

    /// One line with the bounds of the distance.
    fn line(&self, answer: &Distance) -> String {
        let (lower, upper, unit) = (self.length(answer.lower), self.length(answer.upper), self.unit);
        if answer.exact {
            let why = if answer.upper == 0.0 { " (they share a point)" } else { "" };
            format!("{upper} {unit}{why}")
        } else if answer.lower >= self.cutoff {
            format!("at least {lower} {unit} (beyond the cut-off)")
        } else {
            format!("between {lower} and {upper} {unit}")
        }
    }

    fn length(&self, metres: f64) -> String {
        number(self.unit.from_metres(metres + 0.0))
    }
}

/// The user's name for a feature, and its number.
pub(crate) fn named(feature: Feature) -> (&'static str, u32) {
    match feature {
        Feature::Vertex(id) => ("vertex", id),
        Feature::Edge(id) => ("edge", id),
        Feature::Face(id) => ("face", id),
        Feature::Patch(id) => ("patch", id),
    }
}

/// Parses a time with its unit; 0 needs none.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let seconds = match &text[digits.len()..] {
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" | "μs" => 1e-6,
        "ns" => 1e-9,
        "" if values::not_negative(digits) == Ok(0.0) => 1.0,
        _ => return Err("give a time with its unit, s, ms, us or ns: 5ms".into()),
    };
    Duration::try_from_secs_f64(seconds * values::not_negative(digits)?).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_needs_its_unit_unless_it_is_none() {
        assert_eq!(time("5ms"), Ok(Duration::from_millis(5)));
        assert_eq!(time("0.2 ms"), Ok(Duration::from_micros(200)));
        assert_eq!(time("7us"), Ok(Duration::from_micros(7)));
        assert_eq!(time("0"), Ok(Duration::ZERO));
        for bad in ["5", "-1ms", "nanms", "ms", "", "5 minutes", "1e300s", "inf"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
