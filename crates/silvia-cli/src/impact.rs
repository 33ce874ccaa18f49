//! `silvia impact`: when two moving parts first touch.

use crate::distance::{named, time};
use crate::failure::Failure;
use crate::numbers::number;
use crate::pair::{BoundKind, load_part, with_bound};
use crate::poses::Placement;
use crate::values;
use serde_json::{Value, json};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{
    Collision, Impact, ImpactContact, Moving, Outcome, Penetration, time_of_impact,
};
use silvia::proximity::{Hierarchy, ImpactOptions, Motion, Surface};
use silvia::solid::files::Unit;
use silvia::solid::{Pose, Vec3};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Reports when and where two moving parts first touch.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia impact sheet.stl bullet.stl --motion linear --start 0,0,50 --end 0,0,-50    B thrown at A
  silvia impact peg.stl blade.stl --end 0,0,0,0,0,0,1        B turns by 180 degrees about z in place
  silvia impact nut.stl bolt.stl --motion screw --start 0,0,5 --end 0,0,-5,1,0,0,0 --unit mm
  silvia impact a.ply b.ply --start 3,0,0 --end -3,0,0 --separation 0.1 --interval 10,20 --json
  silvia impact a.ply b.ply --start 3,0,0 --end -3,0,0 --deadline 1ms    what a millisecond can tell

Poses are tx,ty,tz,qw,qx,qy,qz or tx,ty,tz. The motions:
  rigid   the part's origin moves straight; the part turns at a constant rate by the smaller angle
  screw   about and along one axis, by the smaller angle
  linear  every vertex moves straight, which bends a part that turns; decided exactly

Closed parts are filled: one inside the other touches it from the start. Open parts are surfaces
only.

Text is in the unit given by --unit; JSON is always in metres. It has the keys `impact` (whether
they touch; null if the deadline came first), `time` (the same as `lower`: never late), `lower`
(free until then), `upper` (touching then), `features`, `point`, `normal` (from A to B) of the first
touch, all null if there is none; then `outcome` (`free`, `impact`, `at-start`, `spent`), `inside`
(\"a\" or \"b\" if that part is inside the other at the start), `depth` (how far B must move to be free
if they overlap at the start), `contacts` (all that touch within the band), `complete` (whether
contacts and depth are complete; false if the deadline or the budget of visits came first) and `us`,
the time taken. Whether the parts touch does not change the exit code.")]
pub(crate) struct Find {
    /// The first part: an STL, OBJ or PLY file.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second part.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// How the parts move from start to end.
    #[arg(long, value_enum, default_value = "rigid")]
    motion: MotionKind,
    /// Pose of B at the start; by default where its file puts it.
    #[arg(long, visible_alias = "pose", value_name = "POSE", allow_hyphen_values = true)]
    start: Option<Placement>,
    /// Pose of B at the end; by default as at the start.
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    end: Option<Placement>,
    /// Pose of A at the start; by default where its file puts it.
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    start_a: Option<Placement>,
    /// Pose of A at the end; by default as at the start.
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    end_a: Option<Placement>,
    /// Start and end of the motion, in any unit of time.
    #[arg(long, value_name = "FROM,TO", allow_hyphen_values = true, value_parser = interval)]
    #[arg(default_value = "0,1")]
    interval: [f64; 2],
    /// Parts touch when they are no further apart than this, in the given unit.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = values::not_negative)]
    #[arg(default_value = "0")]
    separation: f64,
    /// For parts that turn rigidly: gaps smaller than this count as touching, in the given unit. By default
    /// the smallest possible.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = values::not_negative)]
    #[arg(default_value = "0")]
    tolerance: f64,
    /// Also list contacts up to this long after the first touch, in the unit of the interval, or `all`.
    #[arg(long, value_name = "TIME", default_value = "0", allow_negative_numbers = true, value_parser = band)]
    band: f64,
    /// Stop after this time and report what is known so far: 5ms, 200us, 0.
    #[arg(long, value_name = "TIME", value_parser = time)]
    deadline: Option<Duration>,
    /// Stop after opening this many nodes and report what is known so far.
    #[arg(long, value_name = "COUNT")]
    max_visits: Option<u64>,
    /// Unit of the numbers in the files and of the given lengths: m, mm, cm, um, in or ft.
    #[arg(long, default_value = "m")]
    unit: Unit,
    /// The bounding volume of the hierarchy; affects speed, never the answer.
    #[arg(long, value_enum, default_value = "obb")]
    bound: BoundKind,
    /// Treat both parts as surfaces, without an inside even if they are closed.
    #[arg(long)]
    surface: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MotionKind {
    Rigid,
    Linear,
    Screw,
}

impl Find {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let motions = [self.motion(self.start_a, self.end_a)?, self.motion(self.start, self.end)?];
        let load = |path| load_part(path, self.unit, self.surface);
        let surfaces = [load(&self.a)?, load(&self.b)?];
        with_bound!(self.bound, run(self, surfaces, motions))
    }

    fn motion(&self, start: Option<Placement>, end: Option<Placement>) -> Result<Motion, Failure> {
        let in_metres =
            |placement: Placement| placement.in_metres(self.unit).map_err(|e| Failure::Bad(e.to_string()));
        let start: Pose = in_metres(start.unwrap_or(Placement::IDENTITY))?;
        let end = end.map_or(Ok(start), in_metres)?;
        Ok(match self.motion {
            MotionKind::Rigid => Motion::rigid(start, end),
            MotionKind::Linear => Motion::linear(start, end),
            MotionKind::Screw => Motion::screw_between(start, end),
        })
    }

    fn options(&self) -> ImpactOptions {
        ImpactOptions {
            interval: self.interval,
            separation: self.unit.to_metres(self.separation),
            tolerance: self.unit.to_metres(self.tolerance),
            band: self.band,
            deadline: self.deadline,
            max_visits: self.max_visits,
            depth: true,
        }
    }
}

fn run<B: Bound>(command: &Find, surfaces: [Surface; 2], motions: [Motion; 2]) -> Result<(), Failure> {
    let bodies = surfaces.map(Hierarchy::<B>::new);
    let [a, b] = [0, 1].map(|i| Moving::new(&bodies[i], &motions[i]));
    let start = Instant::now();
    let impact = time_of_impact(&a, &b, &command.options()).map_err(|e| Failure::Bad(e.to_string()))?;
    let us = 1e6 * start.elapsed().as_secs_f64();
    if command.json {
        println!("{}", as_json(&impact, us));
    } else {
        print!("{}", as_text(&impact, command.unit));
        println!("1 query, {us:.1} us");
    }
    Ok(())
}

fn as_json(impact: &Impact, us: f64) -> Value {
    let (does_touch, outcome) = match impact.outcome {
        Outcome::Free => (Some(false), "free"),
        Outcome::Impact => (Some(true), "impact"),
        Outcome::AtStart(_) => (Some(true), "at-start"),
        Outcome::Spent => (None, "spent"),
    };
    let first = impact.contacts.first().filter(|_| does_touch == Some(true));
    json!({
        "impact": does_touch,
        "time": (does_touch == Some(true)).then_some(impact.lower),
        "lower": impact.lower,
        "upper": impact.upper,
        "features": first.map(features),
        "point": first.map(|c| middle(c).to_array()),
        "normal": first.map(|c| (c.normal + Vec3::ZERO).to_array()),
        "outcome": outcome,
        "inside": inside(&impact.outcome),
        "depth": impact.penetration.map(|p| p.depth),
        "contacts": impact.contacts.iter().map(contact).collect::<Vec<_>>(),
        "complete": impact.is_complete,
        "us": us,
    })
}

fn contact(contact: &ImpactContact) -> Value {
    json!({
        "lower": contact.lower,
        "upper": contact.upper,
        "features": features(contact),
        "triangles": contact.triangles.map(|t| t.0),
        "points": contact.points.map(|p| (p + Vec3::ZERO).to_array()),
        "normal": (contact.normal + Vec3::ZERO).to_array(),
        "gap": contact.gap,
    })
}

fn features(contact: &ImpactContact) -> [Value; 2] {
    contact.features.map(|feature| {
        let (kind, id) = named(feature);
        json!({ kind: id })
    })
}

/// The midpoint of the contact points of both parts: equal to both up to rounding, unless a separation is
/// given.
fn middle(contact: &ImpactContact) -> Vec3 {
    0.5 * (contact.points[0] + contact.points[1]) + Vec3::ZERO
}

fn inside(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::AtStart(Collision::FirstInside) => Some("a"),
        Outcome::AtStart(Collision::SecondInside) => Some("b"),
        _ => None,
    }
}

/// Formats the answer for people.
fn as_text(impact: &Impact, unit: Unit) -> String {
    let lower = number(impact.lower);
    let mut text = match (&impact.outcome, impact.upper) {
        (Outcome::Free, _) => format!("no impact: free until {lower}, the end\n"),
        (Outcome::Impact, Some(upper)) if number(upper) != lower => {
            format!("impact    between {lower} and {}\n", number(upper))
        }
        (Outcome::Impact, _) => format!("impact    at {lower}\n"),
        (Outcome::AtStart(Collision::None), _) => "nearer than the separation at the start\n".into(),
        (Outcome::AtStart(_), _) => {
            let how = match inside(&impact.outcome) {
                Some("a") => ": A is inside B",
                Some(_) => ": B is inside A",
                None => "",
            };
            let deep = |p: Penetration| number(unit.from_metres(p.depth));
            let depth = match (impact.penetration, impact.is_complete) {
                (Some(p), true) => format!(", {} {unit} deep", deep(p)),
                (Some(p), false) => format!(", at most {} {unit} deep", deep(p)),
                (None, true) => String::new(),
                (None, false) => ", how deep not known in time".into(),
            };
            format!("touching at the start{how}{depth}\n")
        }
        (Outcome::Spent, Some(upper)) => {
            format!("free until {lower}; touching at {}; in between not known in time\n", number(upper))
        }
        (Outcome::Spent, None) => format!("free until {lower}; further not known in time\n"),
    };
    /// The most contacts shown to people; JSON has all.
    const SHOWN: usize = 12;
    for contact in impact.contacts.iter().take(SHOWN) {
        let vector = |v: Vec3, scale: &dyn Fn(f64) -> f64| {
            let [x, y, z] = v.to_array().map(|c| number(scale(c) + 0.0));
            format!("({x}, {y}, {z})")
        };
        let [a, b] = contact.features.map(|f| {
            let (kind, id) = named(f);
            format!("{kind} {id}")
        });
        let point = vector(middle(contact), &|c| unit.from_metres(c));
        let normal = vector(contact.normal, &|c| c);
        let when =
            if impact.contacts.len() > 1 { format!("{}: ", number(contact.lower)) } else { String::new() };
        text += &format!("  {when}{a} of A, {b} of B, at {point} {unit}, normal {normal}\n");
    }
    if impact.contacts.len() > SHOWN {
        text += &format!("  and {} more\n", impact.contacts.len() - SHOWN);
    }
    if !impact.is_complete && !impact.contacts.is_empty() {
        text += "  perhaps more that were not found in time\n";
    }
    text
}

/// Parses two finite numbers; the library checks their order.
fn interval(text: &str) -> Result<[f64; 2], String> {
    let numbers = text.split(',').map(values::finite).collect::<Result<Vec<f64>, String>>()?;
    <[f64; 2]>::try_from(numbers).map_err(|_| "give two times with a comma: 0,1".into())
}

fn band(text: &str) -> Result<f64, String> {
    if text == "all" { Ok(f64::INFINITY) } else { values::not_negative(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_two_finite_numbers() {
        assert_eq!(interval("-1, 2.5"), Ok([-1.0, 2.5]));
        assert!(interval("1").is_err() && interval("1,2,3").is_err() && interval("0,inf").is_err());
    }

    #[test]
    fn a_band_may_be_all() {
        assert_eq!(band("all"), Ok(f64::INFINITY));
        assert!(band("-1").is_err() && band("inf").is_err());
    }
}
