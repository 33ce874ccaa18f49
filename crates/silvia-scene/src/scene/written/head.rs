//! The tables of a scene other than parts and bodies.

use super::quantity::{Acceleration, Angle, Length, Speed, Time};
use super::{WrittenBody, WrittenPart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene: parts, the bodies made of them, what moves them, and how to run and record it all.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "Silvia scene", rename = "scene")]
pub struct WrittenScene {
    /// For headings; the name of the file if nothing is said.
    pub title: Option<String>,
    /// What there is to see: a sentence or more.
    pub about: Option<String>,
    /// What numbers without a unit of their own are in.
    pub units: UnitTable,
    /// Acceleration of everything free; 9.81 m/s² downwards along z if nothing is said, whatever the units.
    pub gravity: Option<[Acceleration; 3]>,
    /// How contacts are answered.
    pub solver: Solver,
    /// How far to run, and how finely.
    pub run: Run,
    /// What to keep of a run.
    pub record: Record,
    /// Where pictures are taken from; from where all is seen if nothing is said.
    pub view: Option<WrittenView>,
    /// What bodies are made of, as far as it matters where they touch.
    pub material: Vec<Material>,
    /// What two materials do to each other, where the rule between materials does not serve.
    pub law: Vec<Law>,
    /// Shapes with a name, for bodies and other parts to use.
    pub part: Vec<WrittenPart>,
    /// What moves, and what it meets.
    pub body: Vec<WrittenBody>,
    /// Pairs of bodies that pass through each other, by name. The name of a repeated body stands for all its
    /// copies.
    pub pairs_off: Vec<[String; 2]>,
}

/// What numbers without a unit of their own are in. All others are made of these: with `length = "mm"` and
/// the rest as it is, a speed is in mm/s, a density in kg/mm³ and a force in kg mm/s². A text with a unit
/// means the same whatever is said here.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "units")]
pub struct UnitTable {
    /// `m` (if nothing is said), `mm`, `cm`, `dm`, `km`, `um`, `in` or `ft`. Also of the numbers in part
    /// files that do not say otherwise.
    pub length: Option<String>,
    /// `kg` (if nothing is said), `g`, `mg`, `t` or `lb`.
    pub mass: Option<String>,
    /// `s` (if nothing is said), `ms`, `us`, `min` or `h`.
    pub time: Option<String>,
    /// `deg` (if nothing is said), `rad` or `turn`. Angular speeds are in this a unit of time.
    pub angle: Option<String>,
}

/// How contacts are answered.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "solver")]
pub struct Solver {
    /// `auto` (if nothing is said), `ncp`, `lcp` or `bilateral`. The last knows no friction.
    pub method: Option<String>,
    /// Gaps are kept at or above this fraction of the size of the smaller body; 1e-9 if nothing is said.
    pub shell: Option<f64>,
    /// A pair that closes faster than this rebounds, a slower one comes to rest; 1 mm/s if nothing is said.
    pub impact_speed: Option<Speed>,
    /// Most impacts of an island of bodies in a step, after which its bodies no longer rebound until the step
    /// ends; 64 if nothing is said.
    pub most_impacts: Option<usize>,
    /// A step is cut where it must be, but to no less than this fraction of it; 1e-6 if nothing is said.
    pub shortest_cut: Option<f64>,
    /// To what residual contact problems are solved, relative to the velocities that contacts must stop;
    /// 1e-11 if nothing is said.
    pub tolerance: Option<f64>,
    /// Most iterations of a solver on one contact problem; 1000 if nothing is said.
    pub most_iterations: Option<usize>,
    /// A fixed budget of work in a step, for interaction: friction and rebounds become less exact, the
    /// certificate does not.
    pub interactive: Option<Interactive>,
    /// Bodies that have rested for so many steps, with all that they touch, sleep until something comes near;
    /// 0, never, if nothing is said.
    pub sleep_after: Option<u32>,
}

/// How much work an island of bodies may be in a step.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "interactive")]
pub struct Interactive {
    /// Impacts, after which its bodies no longer rebound until the step ends; 1 if nothing is said.
    pub impacts: Option<usize>,
    /// Sweeps over the contacts of an island for one contact problem; 100 if nothing is said.
    pub iterations: Option<usize>,
}

/// How far to run, and how finely.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "run")]
pub struct Run {
    /// Length of a step; 2 ms if nothing is said.
    pub step: Option<Time>,
    /// When to end; 2 s if nothing is said.
    pub until: Option<Time>,
    /// How many threads to use; as many as the machine has if nothing is said. The results are the same.
    pub threads: Option<usize>,
}

/// What to keep of a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "record")]
pub struct Record {
    /// From one recorded frame to the next, rounded to whole steps; 20 ms if nothing is said.
    pub every: Option<Time>,
}

/// Where pictures are taken from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "view")]
pub struct WrittenView {
    /// Where the eye is.
    pub eye: [Length; 3],
    /// What it looks at; the origin if nothing is said.
    pub target: Option<[Length; 3]>,
    /// Angle of the picture's height; 35 degrees if nothing is said.
    pub angle: Option<Angle>,
}

/// What bodies are made of, as far as it matters where they touch. Between two materials without a law,
/// friction is the geometric mean of theirs, and restitution the larger.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "material")]
pub struct Material {
    /// No two have the same; `default` is that of bodies of which nothing is said, with friction 0.5 and no
    /// rebound.
    pub name: String,
    /// Coulomb's friction coefficient of this material on itself, 0 or more; 0.5 if nothing is said.
    pub friction: Option<f64>,
    /// Newton's restitution coefficient of this material on itself, 0 to 1; 0 if nothing is said.
    pub restitution: Option<f64>,
}

/// What two materials do to each other.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "law")]
pub struct Law {
    /// The names of two materials, or of one twice. `default` is that of bodies of which nothing is said.
    pub between: [String; 2],
    /// Coulomb's friction coefficient, 0 or more; by the rule between materials if nothing is said.
    pub friction: Option<f64>,
    /// Newton's restitution coefficient, 0 to 1; by the rule between materials if nothing is said.
    pub restitution: Option<f64>,
}
