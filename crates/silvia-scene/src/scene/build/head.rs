//! Units, settings, materials, run settings and view.

use super::{Build, Overrides};
use crate::recording::View;
use crate::scene::setup::RunSettings;
use crate::scene::spelling::meant;
use crate::scene::tree::Path;
use crate::scene::written::{Dimension, PlainUnit, dimension};
use silvia_solid::{Remedy, Vec3};
use silvia_world::response::{self, Response};
use silvia_world::{
    AdaptiveStepper, Budget, Level, Material, MaterialError, MaterialId, OnStuck, PairLaw, SettingsError,
    World, WorldSettings,
};
use std::sync::Arc;

/// Default length of a step, s.
const STEP: f64 = 2e-3;
/// Default end time of a run, s.
const UNTIL: f64 = 2.0;
/// Default time between frames, s: 50 per second.
const EVERY: f64 = 0.02;
/// The most steps: more would take years.
const MOST_STEPS: f64 = 1e9;
/// The most threads: more than any machine has.
const MOST_THREADS: usize = 1024;
/// Default vertical angle of view, degrees.
const VIEW_ANGLE: f64 = 35.0;

impl Build<'_> {
    pub(super) fn read_units(&mut self) {
        let table = &self.scene.written().units;
        if let Some(unit) = self.unit::<dimension::OfLength>("length", &table.length) {
            self.units.length = unit;
        }
        if let Some(unit) = self.unit::<dimension::OfMass>("mass", &table.mass) {
            self.units.mass = unit;
        }
        if let Some(unit) = self.unit::<dimension::OfTime>("time", &table.time) {
            self.units.time = unit;
        }
        if let Some(unit) = self.unit::<dimension::OfAngle>("angle", &table.angle) {
            self.units.angle = unit;
        }
    }

    fn unit<D: Dimension>(&mut self, field: &str, given: &Option<String>) -> Option<PlainUnit> {
        let symbol = given.as_ref()?;
        let unit = PlainUnit::named::<D>(symbol);
        if unit.is_err() {
            let path = Path::root().key("units").key(field);
            let remedy = format!("give one of {}", PlainUnit::symbols::<D>().join(", "));
            self.error(&path, format!("`{symbol}` is not a unit of {}", D::NAME), remedy);
        }
        unit.ok()
    }

    /// The settings of the world; none on error.
    pub(super) fn settings(&mut self) -> Option<WorldSettings> {
        let written = self.scene.written();
        let usual = WorldSettings::default();
        let path = Path::root().key("solver");
        let solver = &written.solver;
        let gravity = self.vector_or(&Path::root().key("gravity"), &written.gravity, usual.gravity);
        let impact_speed = match &solver.impact_speed {
            Some(speed) => self.si(&path.key("impact_speed"), speed),
            None => Some(usual.impact_speed),
        };
        for (field, count) in
            [("most_impacts", solver.most_impacts), ("most_iterations", solver.most_iterations)]
        {
            if count == Some(0) {
                self.error(&path.key(field), "this must be 1 or more, not 0", "leave it out for the default");
            }
        }
        let budget = solver.interactive.as_ref().map(|given| {
            let usual = Budget::default();
            let (impacts, iterations) = (given.impacts, given.iterations);
            Budget::new(impacts.unwrap_or(usual.impacts), iterations.unwrap_or(usual.iterations))
        });
        let on_stuck = match solver.on_stuck.as_deref().map(|name| (name, OnStuck::by_name(name))) {
            None => usual.on_stuck,
            Some((_, Some(known))) => known,
            Some((name, None)) => {
                let what = format!("this must be \"end\" or \"hold\", not \"{name}\"");
                self.error(&path.key("on_stuck"), what, "leave it out for \"end\"");
                usual.on_stuck
            }
        };
        let level = match solver.level.as_deref().map(|name| (name, Level::by_name(name))) {
            None => usual.level,
            Some((_, Some(known))) => known,
            Some((name, None)) => {
                let what = format!("there is no level \"{name}\"");
                self.error(&path.key("level"), what, one_of(name, &Level::NAMES));
                usual.level
            }
        };
        let settings = WorldSettings::default()
            .with_gravity(gravity?)
            .with_shell(solver.shell.unwrap_or(usual.shell))
            .with_impact_speed(impact_speed?)
            .with_most_impacts(solver.most_impacts.unwrap_or(usual.most_impacts))
            .with_shortest_cut(solver.shortest_cut.unwrap_or(usual.shortest_cut))
            .with_tolerance(solver.tolerance.unwrap_or(usual.tolerance))
            .with_most_iterations(solver.most_iterations.unwrap_or(usual.most_iterations))
            .with_interactive(budget)
            .with_sleep_after(solver.sleep_after.unwrap_or(usual.sleep_after))
            .with_second_order(solver.second_order.unwrap_or(usual.second_order))
            .with_on_stuck(on_stuck)
            .with_level(level);
        match World::new(settings.clone()) {
            Ok(_) => Some(settings),
            Err(error) => {
                let field = match error {
                    SettingsError::Gravity { .. } => Path::root().key("gravity"),
                    SettingsError::OutOfRange { setting, .. } => path.key(setting),
                    _ => path.clone(),
                };
                self.error(&field, error.to_string(), "leave it out for the default");
                None
            }
        }
    }

    pub(super) fn method(&mut self, overrides: &Overrides) -> Option<Arc<dyn Response>> {
        let given = overrides.method.as_ref().or(self.scene.written().solver.method.as_ref());
        let name = given.map_or("auto", String::as_str);
        let method = response::by_name(name);
        if method.is_none() {
            let what = format!("there is no method \"{name}\"");
            self.error(&Path::root().key("solver").key("method"), what, one_of(name, &response::NAMES));
        }
        method.map(Arc::from)
    }

    pub(super) fn run_settings(&mut self, overrides: &Overrides) -> Option<RunSettings> {
        let written = self.scene.written();
        let (run, path) = (&written.run, Path::root().key("run"));
        let step = match (overrides.step, &run.step) {
            (Some(step), _) => Some(step),
            (None, Some(step)) => self.si(&path.key("step"), step),
            (None, None) => Some(STEP),
        };
        let until = match (overrides.until, &run.until) {
            (Some(until), _) => Some(until),
            (None, Some(until)) => self.si(&path.key("until"), until),
            (None, None) => Some(UNTIL),
        };
        let every_path = Path::root().key("record").key("every");
        let every = match &written.record.every {
            Some(every) => self.si(&every_path, every),
            None => Some(EVERY),
        };
        let threads = overrides.threads.or(run.threads);
        if threads.is_some_and(|threads| threads == 0 || threads > MOST_THREADS) {
            let what = format!("a run has from 1 to {MOST_THREADS} threads, not {}", threads.unwrap_or(0));
            self.error(&path.key("threads"), what, "leave it out for as many as the machine has");
        }
        let accuracy = overrides.accuracy.or(run.accuracy);
        if let Some(Err(error)) = accuracy.map(AdaptiveStepper::new) {
            self.error(&path.key("accuracy"), error.what(), error.remedy());
        }
        let level = written.solver.level.as_deref().and_then(Level::by_name);
        if accuracy.is_some() && level.is_some_and(|level| !level.has_inertia()) {
            let what = "steps cannot be chosen by accuracy at a level without inertia: the shorter they are, \
                        the less moves";
            self.error(&path.key("accuracy"), what, "leave it out, or choose the level \"dynamics\"");
        }
        let positive = |value: &f64| *value > 0.0 && value.is_finite();
        let step = step.filter(|step| {
            let is_right = positive(step);
            if !is_right {
                let what = format!("a step must be longer than 0 s, not {step} s");
                self.error(&path.key("step"), what, "give one like \"2 ms\"");
            }
            is_right
        });
        let until = until.filter(|until| {
            let is_right = positive(until);
            if !is_right {
                let what = format!("a run must end after 0 s, not at {until} s");
                self.error(&path.key("until"), what, "give a time like \"2 s\"");
            }
            is_right
        });
        let every = every.filter(|every| {
            let is_right = positive(every);
            if !is_right {
                let what = format!("frames must be more than 0 s apart, not {every} s");
                self.error(&every_path, what, "give a time like \"20 ms\"");
            }
            is_right
        });
        let (step, until, every) = (step?, until?, every?);
        if step > until {
            if overrides.step.is_some() {
                let what = format!("`--dt {step}`, a step in s, is longer than the whole run of {until} s");
                self.error(&Path::root(), what, "give a shorter one, or a later `--until`");
                return None;
            }
            let what = format!("a step of {step} s is longer than the whole run of {until} s");
            self.error(&path.key("step"), what, "give a shorter step, or a later `until`");
            return None;
        }
        if until / step > MOST_STEPS {
            let what = format!("{until} s in steps of {step} s are more than {MOST_STEPS:e} steps");
            self.error(&path.key("until"), what, "end earlier, or take longer steps");
            return None;
        }
        // At most 1e9, as checked above. If the interval is longer than the run, the only further frame is at
        // the end.
        let steps_a_frame = (every / step).round().clamp(1.0, MOST_STEPS) as u64;
        Some(RunSettings { step, accuracy, until, steps_a_frame, threads })
    }

    pub(super) fn view(&mut self) -> Option<View> {
        let written = self.scene.written().view.as_ref()?;
        let path = Path::root().key("view");
        let eye = self.vector(&path.key("eye"), &written.eye);
        let target = self.vector_or(&path.key("target"), &written.target, Vec3::ZERO);
        let angle = match &written.angle {
            Some(angle) => self.si(&path.key("angle"), angle),
            None => Some(VIEW_ANGLE.to_radians()),
        };
        let (eye, target, angle) = (eye?, target?, angle?);
        if eye == target {
            self.error(&path, "`eye` and `target` are the same point", "put `eye` elsewhere");
        }
        if !(angle > 0.0 && angle < std::f64::consts::PI) {
            let what = format!(
                "the angle must be above 0 and below 180 degrees, not {} degrees",
                angle.to_degrees()
            );
            self.error(&path.key("angle"), what, "leave it out for the default");
        }
        Some(View { eye, target, angle })
    }

    pub(super) fn add_materials(&mut self, world: &mut World) {
        let written = self.scene.written();
        for (index, material) in written.material.iter().enumerate() {
            let path = Path::root().key("material").index(index);
            let usual = Material::default();
            let mut wanted = Material {
                name: material.name.clone(),
                friction: material.friction.unwrap_or(usual.friction),
                static_friction: material.static_friction,
                restitution: material.restitution.unwrap_or(usual.restitution),
            };
            while let Err(error) = world.add_material(wanted.clone()) {
                self.material_error(&path, &error, material.name == usual.name);
                // What is wrong is told; something harmless in its place lets the world look at the rest.
                match error {
                    MaterialError::Friction { .. } => wanted.friction = usual.friction,
                    MaterialError::StaticFriction { .. } => wanted.static_friction = None,
                    MaterialError::Restitution { .. } => wanted.restitution = usual.restitution,
                    _ => break,
                }
            }
        }
        for (index, law) in written.law.iter().enumerate() {
            let path = Path::root().key("law").index(index);
            let [a, b] = [0, 1].map(|side| {
                let name = &law.between[side];
                let id = world.material_id(name);
                self.expect_material(&path.key("between").index(side), name, id);
                id
            });
            let (Some(a), Some(b)) = (a, b) else { continue };
            let Ok(rule) = world.pair_law(a, b) else { continue };
            let mut wanted = PairLaw {
                friction: law.friction.unwrap_or(rule.friction),
                static_friction: law.static_friction.or(match law.friction {
                    Some(_) => None,
                    None => rule.static_friction,
                }),
                restitution: law.restitution.unwrap_or(rule.restitution),
            };
            while let Err(error) = world.set_pair_law(a, b, wanted) {
                self.material_error(&path, &error, false);
                match error {
                    MaterialError::Friction { .. } => wanted.friction = rule.friction,
                    MaterialError::StaticFriction { .. } => wanted.static_friction = None,
                    MaterialError::Restitution { .. } => wanted.restitution = rule.restitution,
                    _ => break,
                }
            }
        }
    }

    fn material_error(&mut self, path: &Path, error: &MaterialError, is_default: bool) {
        let (path, remedy) = match error {
            MaterialError::Friction { .. } => {
                (path.key("friction"), "give 0 (no friction) or more; 1 is already high")
            }
            MaterialError::StaticFriction { .. } => {
                (path.key("static_friction"), "give at least the `friction` of what slides, or leave it out")
            }
            MaterialError::Restitution { .. } => {
                (path.key("restitution"), "give a number from 0 (no rebound) to 1 (full rebound)")
            }
            MaterialError::DuplicateName { .. } if is_default => (
                path.key("name"),
                "every scene has it; give its friction and restitution by a [[law]] between \"default\" and \
                 \"default\"",
            ),
            MaterialError::EmptyName | MaterialError::DuplicateName { .. } => {
                (path.key("name"), "give it another")
            }
            _ => (path.clone(), "please report this"),
        };
        self.refused(&path, error, remedy);
    }

    /// Reports an unknown material, unless it was refused earlier.
    pub(super) fn expect_material(&mut self, path: &Path, name: &str, id: Option<MaterialId>) {
        let own = self.scene.written().material.iter().map(|material| material.name.clone());
        let known: Vec<String> = own.chain([Material::default().name]).collect();
        if id.is_none() && !known.iter().any(|known| known == name) {
            self.no_such(path, "material", name, &known);
        }
    }

    /// Reports an unknown name, and lists the known ones.
    pub(super) fn no_such(&mut self, path: &Path, kind: &str, name: &str, known: &[String]) {
        let remedy = match (meant(name, known.iter().map(String::as_str)), known.len()) {
            (Some(word), _) => format!("did you mean \"{word}\"?"),
            (None, 0) => format!("the scene has none; describe it under [[{kind}]]"),
            (None, 1) => format!("the only one is \"{}\"", known[0]),
            (None, count) => {
                let shown: Vec<String> =
                    known.iter().take(MOST_LISTED).map(|word| format!("\"{word}\"")).collect();
                let more = if count > MOST_LISTED {
                    format!(" and {} more", count - MOST_LISTED)
                } else {
                    String::new()
                };
                format!("use one of {}{more}", shown.join(", "))
            }
        };
        // Not of what was left out because of another fault.
        if !self.scene.lacks_names {
            self.error(path, format!("there is no {kind} \"{name}\""), remedy);
        }
    }
}

/// The most names listed in a message.
const MOST_LISTED: usize = 12;

/// What to write in place of a name that is none of those known.
fn one_of(name: &str, known: &[&'static str]) -> String {
    let all = known.join(", ");
    match meant(name, known.iter().copied()) {
        Some(word) => format!("did you mean \"{word}\"? There are {all}"),
        None => format!("there are {all}"),
    }
}
