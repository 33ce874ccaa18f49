//! `silvia penetration`: how deep two parts overlap, and the shortest separating translation found.

use crate::failure::Failure;
use crate::numbers::number;
use crate::pair::{Pair, with_bound};
use crate::values;
use serde_json::{Value, json};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{
    Distance, Penetration, PenetrationError, PenetrationMethod, PenetrationOptions, distance, penetration,
};
use silvia::proximity::{DistanceOptions, Hierarchy, Surface};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};

/// Reports how far, and in which direction, B must move to come out of A.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia penetration peg.stl plate.stl --unit mm          the shortest way out that was found
  silvia penetration a.ply b.ply --poses path.csv --json  one answer per pose
  silvia penetration a.ply b.ply --directions 100 --slides 2   a quicker search for non-convex parts
  silvia penetration a.ply b.ply --method stepwise        the method of paper 5

Moved by the answer, B shares no point with A: this is checked (`certified`). For two convex parts
no shorter way exists (`exact`); for others the depth is an upper bound. Closed parts are filled;
for open parts only the surfaces are separated.

Text is in the unit given by --unit; JSON is always in metres. It has the keys `depth` (0 if the
parts are apart), `direction` (unit vector along which B moves; null if apart), `a` and `b` (points
on A and B as they are: A - B is the translation; the nearest points if apart), `certified`,
`exact`, `method` (the one that found it; null if apart) and `distance` (0 unless apart). The last
line has `queries` and `mean_us`.")]
pub(crate) struct Depth {
    #[command(flatten)]
    pair: Pair,
    /// How to search for the shortest translation.
    #[arg(long, value_enum, default_value_t = MethodKind::Auto)]
    method: MethodKind,
    /// Slide: number of directions to try, at most 100000.
    #[arg(long, value_name = "COUNT", value_parser = directions)]
    #[arg(default_value_t = PenetrationOptions::default().directions)]
    directions: usize,
    /// Slide: number of the best directions to refine to a local minimum.
    #[arg(long, value_name = "COUNT", default_value_t = PenetrationOptions::default().slides)]
    slides: usize,
    /// Stepwise: growth of the length from step to step, as a fraction from 0.001 to 10.
    #[arg(long, value_name = "FRACTION", value_parser = growth)]
    #[arg(default_value_t = PenetrationOptions::default().growth)]
    growth: f64,
}

fn growth(text: &str) -> Result<f64, String> {
    let given = values::finite(text)?;
    match PenetrationOptions::GROWTH.contains(&given) {
        true => Ok(given),
        false => Err(PenetrationError::Growth { given }.to_string()),
    }
}

fn directions(text: &str) -> Result<usize, String> {
    let given = text.parse().map_err(|_| "this is not a count".to_owned())?;
    match given <= PenetrationOptions::MAX_DIRECTIONS {
        true => Ok(given),
        false => Err(PenetrationError::Directions { given }.to_string()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MethodKind {
    /// Convex for two convex parts, otherwise slide.
    Auto,
    /// The expanding polytope algorithm: exact, for convex parts only.
    Convex,
    /// Many directions, and slides from the best.
    Slide,
    /// 26 directions at growing lengths (paper 5).
    Stepwise,
    /// From a vertex inside a convex part to its closest face (paper 5); if that does not separate them,
    /// auto.
    ClosestFace,
}

impl MethodKind {
    fn method(self) -> PenetrationMethod {
        match self {
            MethodKind::Auto => PenetrationMethod::Auto,
            MethodKind::Convex => PenetrationMethod::Convex,
            MethodKind::Slide => PenetrationMethod::Slide,
            MethodKind::Stepwise => PenetrationMethod::Stepwise,
            MethodKind::ClosestFace => PenetrationMethod::ClosestFace,
        }
    }
}

impl Depth {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let poses = self.pair.poses()?;
        let surfaces = self.pair.load()?;
        with_bound!(self.pair.bound, run(self, surfaces, &poses))
    }
}

/// The depth, or the distance.
enum Answer {
    Deep(Penetration),
    Apart(Distance),
}

fn run<B: Bound>(command: &Depth, surfaces: [Surface; 2], poses: &[Pose]) -> Result<(), Failure> {
    let [a, b] = surfaces.map(Hierarchy::<B>::new);
    let options = PenetrationOptions {
        method: command.method.method(),
        directions: command.directions,
        slides: command.slides,
        growth: command.growth,
        hint: None,
    };
    let here = Pose::IDENTITY;
    let query = |pose: &Pose| {
        let bad = |e: &dyn std::fmt::Display| Failure::Bad(e.to_string());
        match penetration(&a, &here, &b, pose, &options).map_err(|e| bad(&e))? {
            Some(found) => Ok(Answer::Deep(found)),
            None => distance(&a, &here, &b, pose, &DistanceOptions::default())
                .map(Answer::Apart)
                .map_err(|e| bad(&e)),
        }
    };
    let text = Text { unit: command.pair.unit };
    command.pair.ask(poses, query, |index, answer| match poses.len() {
        _ if command.pair.json => as_json(answer).to_string(),
        1 => text.page(answer),
        _ => format!("{}: {}", index + 1, text.line(answer)),
    })
}

fn as_json(answer: &Answer) -> Value {
    // Adding zero turns -0 into 0.
    let point = |p: Vec3| (p + Vec3::ZERO).to_array();
    match answer {
        Answer::Deep(found) => json!({
            "depth": found.depth,
            "direction": point(found.direction),
            "a": point(found.points[0]),
            "b": point(found.points[1]),
            "certified": found.certified,
            "exact": found.exact,
            "method": name(found.method),
            "distance": 0.0,
        }),
        Answer::Apart(apart) => json!({
            "depth": 0.0,
            "direction": null,
            "a": point(apart.witness.points[0]),
            "b": point(apart.witness.points[1]),
            "certified": true,
            "exact": true,
            "method": null,
            "distance": apart.upper,
        }),
    }
}

fn name(method: PenetrationMethod) -> &'static str {
    match method {
        PenetrationMethod::Auto => "auto",
        PenetrationMethod::Convex => "convex",
        PenetrationMethod::Slide => "slide",
        PenetrationMethod::Stepwise => "stepwise",
        PenetrationMethod::ClosestFace => "closest-face",
    }
}

/// Formats answers for people.
struct Text {
    unit: Unit,
}

impl Text {
    /// The full report of one answer.
    fn page(&self, answer: &Answer) -> String {
        let Answer::Deep(found) = answer else { return self.line(answer) };
        let [x, y, z] = found.direction.to_array().map(|c| number(c + 0.0));
        let certified = if found.certified { "yes" } else { "no" };
        let mut text = format!("depth      {}\ndirection  ({x}, {y}, {z})", self.line(answer));
        for (label, p) in ["on A", "on B"].into_iter().zip(found.points) {
            let [x, y, z] = p.to_array().map(|c| number(self.unit.from_metres(c + 0.0)));
            text += &format!("\n{label}       ({x}, {y}, {z}) {}", self.unit);
        }
        text + &format!("\ncertified  {certified}")
    }

    /// One line with the depth and how exact it is.
    fn line(&self, answer: &Answer) -> String {
        let length = |metres: f64| number(self.unit.from_metres(metres));
        match answer {
            Answer::Deep(found) => {
                let worth = if found.exact { "exact" } else { "at most" };
                format!("{} {} ({worth}, by {})", length(found.depth), self.unit, name(found.method))
            }
            Answer::Apart(apart) => format!("apart by {} {}", length(apart.upper), self.unit),
        }
    }
}
