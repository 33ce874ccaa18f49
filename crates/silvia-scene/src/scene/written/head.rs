//! The tables of a scene other than parts and bodies.

use super::quantity::{Acceleration, Angle, Length, Speed, Time};
use super::{WrittenBody, WrittenGoal, WrittenHand, WrittenPart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene: parts, the bodies made from them, their motion, and how to run and record it all.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "Silvia scene", rename = "scene")]
pub struct WrittenScene {
    /// Title for headings; by default the file name.
    pub title: Option<String>,
    /// A description, one sentence or more.
    pub about: Option<String>,
    /// Units of numbers without a unit of their own.
    pub units: UnitTable,
    /// Gravitational acceleration; by default 9.81 m/s² along -z, whatever the units.
    pub gravity: Option<[Acceleration; 3]>,
    /// How contacts are solved.
    pub solver: Solver,
    /// Length and resolution of the run.
    pub run: Run,
    /// What to record of a run.
    pub record: Record,
    /// The view of pictures; by default one that shows everything.
    pub view: Option<WrittenView>,
    /// Contact properties of materials.
    pub material: Vec<Material>,
    /// Contact properties of pairs of materials, where the rule between materials does not fit.
    pub law: Vec<Law>,
    /// Named shapes for bodies and other parts to use.
    pub part: Vec<WrittenPart>,
    /// The bodies.
    pub body: Vec<WrittenBody>,
    /// Pairs of bodies that pass through each other, by name. The name of a repeated body means all its
    /// copies.
    pub pairs_off: Vec<[String; 2]>,
    /// Hands that pull free bodies by springs. Their forces are recorded in every step.
    pub hand: Vec<WrittenHand>,
    /// What the run is to reach.
    pub goal: Vec<WrittenGoal>,
    /// Bodies and pairs whose motion and contact forces are recorded in every step.
    pub watch: Vec<WrittenWatch>,
}

/// A body or a pair whose motion and contact forces are recorded in every step, not only in every frame: they
/// are plots in the report and columns of `watch.csv`. Give either `body` or `pair`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "watch")]
pub struct WrittenWatch {
    /// The name of a body: where it is, how it moves, and the force and torque of all its contacts.
    pub body: Option<String>,
    /// The names of two bodies: the force of the first on the second, and their gap where they touch.
    pub pair: Option<[String; 2]>,
}

/// Units of numbers without a unit of their own. All other units follow from these: with `length = "mm"` and
/// the rest by default, a speed is in mm/s, a density in kg/mm³ and a force in kg mm/s². A text with a unit
/// means the same whatever this table says.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "units")]
pub struct UnitTable {
    /// `m` (by default), `mm`, `cm`, `dm`, `km`, `um`, `in` or `ft`. It also applies to part files that do
    /// not name a unit.
    pub length: Option<String>,
    /// `kg` (by default), `g`, `mg`, `t` or `lb`.
    pub mass: Option<String>,
    /// `s` (by default), `ms`, `us`, `min` or `h`.
    pub time: Option<String>,
    /// `deg` (by default), `rad` or `turn`. Angular speeds are in this unit per unit of time.
    pub angle: Option<String>,
}

/// How contacts are solved.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "solver")]
pub struct Solver {
    /// `auto` (by default), `ncp`, `lcp` or `bilateral`. The last ignores friction.
    pub method: Option<String>,
    /// The smallest gap that is kept, as a fraction of the size of the smaller body; 1e-9 by default.
    pub shell: Option<f64>,
    /// A pair that closes faster than this rebounds, a slower one comes to rest; 1 mm/s by default.
    pub impact_speed: Option<Speed>,
    /// The most impacts of an island of bodies in a step; after that its bodies do not rebound until the step
    /// ends, and after half as many more what lands does so as a contact. 64 by default.
    pub most_impacts: Option<usize>,
    /// The shortest piece a step may be cut to, as a fraction of the step; 1e-6 by default.
    pub shortest_cut: Option<f64>,
    /// Largest residual of contact problems, relative to the velocities that contacts must stop; 1e-11 by
    /// default.
    pub tolerance: Option<f64>,
    /// The most iterations of a solver on one contact problem; 1000 by default.
    pub most_iterations: Option<usize>,
    /// A fixed budget of work per step, for interaction. Friction and rebounds become less exact, the
    /// certificate does not.
    pub interactive: Option<Interactive>,
    /// Bodies that have rested for this many steps, together with all that they touch, sleep until something
    /// comes near; 0 (never) by default.
    pub sleep_after: Option<u32>,
    /// What becomes of a script that cannot go on because nothing in its way can give way: `end` (by default)
    /// ends the run, `hold` holds its body where it is.
    pub on_stuck: Option<String>,
    /// Whether what rolls, slides or spins on something does so to second order in the step; `true` by
    /// default. It has no effect with `interactive`.
    pub second_order: Option<bool>,
    /// How much of mechanics acts. `non-penetration`: bodies are moved by hands and scripts alone, and push
    /// each other aside. `quasi-static`: gravity, loads and friction act as well, but no body keeps its
    /// speed. `dynamics`: bodies have inertia, and do not rebound. `impacts` (by default): all of it.
    pub level: Option<String>,
}

/// How much work an island of bodies may take in a step.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "interactive")]
pub struct Interactive {
    /// The most impacts; after that its bodies do not rebound until the step ends. 1 by default.
    pub impacts: Option<usize>,
    /// Sweeps over the contacts of an island for one contact problem; 500 by default.
    pub iterations: Option<usize>,
}

/// Length and resolution of a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "run")]
pub struct Run {
    /// Length of a step; 2 ms by default. With an `accuracy`, no step is longer.
    pub step: Option<Time>,
    /// Lets the world choose its steps by an estimate of their error: as large as this in a second, of places
    /// by the size of bodies and of velocities by their speed. From 1e-9 to 1; all steps are `step` by
    /// default.
    pub accuracy: Option<f64>,
    /// End time; 2 s by default.
    pub until: Option<Time>,
    /// Number of threads; by default as many as the machine has. It affects speed, never results.
    pub threads: Option<usize>,
}

/// What to record of a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "record")]
pub struct Record {
    /// Time between recorded frames, rounded to whole steps; 20 ms by default.
    pub every: Option<Time>,
}

/// The view of pictures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "view")]
pub struct WrittenView {
    /// Position of the eye.
    pub eye: [Length; 3],
    /// The point it looks at; by default the origin.
    pub target: Option<[Length; 3]>,
    /// Vertical angle of view; 35 degrees by default.
    pub angle: Option<Angle>,
}

/// Contact properties of a material. Between two materials without a law, friction is the geometric mean of
/// theirs, and restitution the larger one.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "material")]
pub struct Material {
    /// Unique name. `default` is taken: bodies without a material have it, with friction 0.5 and no rebound.
    pub name: String,
    /// Coulomb friction coefficient of this material on itself, 0 or more; 0.5 by default.
    pub friction: Option<f64>,
    /// The same where nothing slides, at least `friction`; by default the same as `friction`.
    pub static_friction: Option<f64>,
    /// Newton restitution coefficient of this material on itself, 0 to 1; 0 by default.
    pub restitution: Option<f64>,
}

/// Contact properties of a pair of materials.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "law")]
pub struct Law {
    /// The names of two materials, or of one twice. `default` is the material of bodies that name none.
    pub between: [String; 2],
    /// Coulomb friction coefficient, 0 or more; by default from the rule between materials.
    pub friction: Option<f64>,
    /// The same where nothing slides, at least `friction`; by default the same as `friction` if that is given
    /// here, else from the rule between materials.
    pub static_friction: Option<f64>,
    /// Newton restitution coefficient, 0 to 1; by default from the rule between materials.
    pub restitution: Option<f64>,
}
