//! Finds what was probably not meant.

use super::{Check, body_path};
use crate::scene::finding::{Finding, Severity};
use crate::scene::load::Scene;
use crate::scene::setup::Setup;
use crate::scene::tree::Path;
use silvia_solid::Pose;
use silvia_world::{BodyBuilder, BodyId, MaterialId, Role, Script, World, WorldSettings};
use std::collections::BTreeSet;

/// Density of osmium, the densest material, kg/m³.
const DENSEST: f64 = 22_590.0;
/// Lighter than any foam, kg/m³: an aerogel has about 1.
const LIGHTEST: f64 = 0.1;
/// Few things are lighter than this, kg/m³; as a plain number it was probably meant in g/cm³, in which
/// nothing is above 23.
const LIGHT: f64 = 20.0;
/// Gravity on the Earth, m/s².
const EARTH: f64 = 9.81;
/// Gravity below this, but not 0, was probably given in another unit, m/s²: the Moon has a sixth of the
/// Earth's.
const WEAK_GRAVITY: f64 = EARTH / 50.0;
/// How far a time may be from a whole number of steps: a millionth of a step is rounding.
const WHOLE: f64 = 1e-6;
/// A body that turns by more than this in a step is not followed well, since its corners move straight in a
/// step, rad.
const MOST_TURN: f64 = 1.0;
/// Friction coefficients above this are hardly ever measured.
const MOST_FRICTION: f64 = 3.0;

impl Scene {
    /// Finds unused parts and materials.
    pub(super) fn find_unused(&self, used_parts: &[bool], findings: &mut Vec<Finding>) {
        let written = self.written();
        for (index, part) in written.part.iter().enumerate() {
            if used_parts.get(index) == Some(&false) {
                let path = Path::root().key("part").index(index);
                let what = format!("no body uses the part \"{}\"", part.name);
                let remedy = "leave it out, or name it in a body's `part`".to_owned();
                findings.push(self.tree.finding(Severity::Warning, &path, what, remedy));
            }
        }
        let used: BTreeSet<&str> = written.body.iter().filter_map(|body| body.material.as_deref()).collect();
        for (index, material) in written.material.iter().enumerate() {
            let path = Path::root().key("material").index(index);
            if !used.contains(material.name.as_str()) {
                let what = format!("no body uses the material \"{}\"", material.name);
                let remedy = "leave it out, or name it in a body's `material`".to_owned();
                findings.push(self.tree.finding(Severity::Warning, &path, what, remedy));
            }
            if material.friction.is_some_and(|friction| friction > MOST_FRICTION && friction.is_finite()) {
                let what = format!("a friction coefficient above {MOST_FRICTION} is hardly ever seen");
                let remedy = "check it; rubber on stone has about 1".to_owned();
                findings.push(self.tree.finding(Severity::Warning, &path.key("friction"), what, remedy));
            }
        }
    }
}

impl Check<'_> {
    /// Finds friction under a method that ignores it.
    pub(super) fn friction(&mut self) {
        let world = self.world;
        if world.response().handles_friction() || !world.settings().level.has_forces() {
            return;
        }
        let used: BTreeSet<MaterialId> =
            self.entries.iter().filter_map(|(id, _)| world.material(*id).ok()).collect();
        let rough = used.iter().flat_map(|&a| used.iter().map(move |&b| (a, b)));
        let rough = rough.filter_map(|(a, b)| Some((a, b, world.pair_law(a, b).ok()?.friction)));
        let Some((a, b, friction)) = rough.into_iter().find(|(.., friction)| *friction > 0.0) else { return };
        let name = |id| world.material_by_id(id).map_or("default", |material| material.name.as_str());
        let what = format!(
            "`{}` does not handle friction, but between \"{}\" and \"{}\" it is {friction}",
            world.response().name(),
            name(a),
            name(b)
        );
        let remedy =
            "choose another method, or give all materials (\"default\" by a [[law]]) friction 0".to_owned();
        self.find(Severity::Error, &Path::root().key("solver").key("method"), what, remedy);
    }

    /// Finds times that are not a whole number of steps.
    pub(super) fn times(&mut self, setup: &Setup) {
        let run = setup.run;
        let is_whole = |time: f64| {
            let steps = time / run.step;
            (steps - steps.round()).abs() <= WHOLE * steps.max(1.0)
        };
        if !is_whole(run.until) {
            let end = shown((run.until / run.step).round() * run.step);
            let what = format!(
                "{} s is not a whole number of steps of {} s: the run ends at {end} s",
                run.until, run.step
            );
            let remedy = "give a multiple of the step".to_owned();
            self.find(Severity::Warning, &Path::root().key("run").key("until"), what, remedy);
        }
        let every = self.scene.written().record.every.as_ref();
        let every = every.and_then(|every| every.si(&self.scene.units()).ok());
        if let Some(every) = every.filter(|every| !is_whole(*every)) {
            let frame = shown(run.step * run.steps_a_frame as f64);
            let what = format!(
                "{every} s is not a whole number of steps of {} s: frames are {frame} s apart",
                run.step
            );
            let remedy = "give a multiple of the step".to_owned();
            self.find(Severity::Warning, &Path::root().key("record").key("every"), what, remedy);
        }
    }

    /// Finds bodies that move further than their own size in a step, or turn too far; and scenes in which
    /// nothing moves.
    pub(super) fn motion(&mut self, setup: &Setup) {
        let world = self.world;
        let step = setup.run.step;
        let mut is_moving = false;
        let mut found = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(role), Ok(shape)) = (world.role(id), world.shape(id)) else { continue };
            is_moving |= !matches!(role, Role::Fixed);
            let (speed, spin) = self.fastest(setup, id);
            let size = shape.aabb(&Pose::IDENTITY).size().min_element();
            if size.is_finite() && size > 0.0 && speed * step > size {
                found.push((entry, "goes farther than its own size", size / speed));
            } else if spin * step > MOST_TURN {
                found.push((entry, "turns by more than a sixth of a turn", MOST_TURN / spin));
            }
        }
        for (entry, what, longest) in found {
            let what = format!("it {what} in a step of {step} s");
            let shorter = below(0.5 * longest);
            let remedy = format!("give `step` in [run] as {shorter} s or less");
            self.find(Severity::Warning, &body_path(entry), what, remedy);
        }
        let is_free =
            |(id, _): &(BodyId, usize)| world.role(*id).is_ok_and(|role| matches!(role, Role::Free));
        let has_gravity = world.settings().gravity.length() > 0.0;
        if has_gravity && self.entries.len() > 1 && self.entries.iter().all(is_free) {
            let what = "nothing here is fixed: all bodies fall side by side".to_owned();
            let remedy = "give the ground `role = \"fixed\"`, or the scene `gravity = [0, 0, 0]`".to_owned();
            self.find(Severity::Warning, &Path::root(), what, remedy);
        }
        if !is_moving {
            let remedy = "leave `role` out for what is to move".to_owned();
            self.find(Severity::Warning, &Path::root(), "nothing in this scene can move".to_owned(), remedy);
        }
    }

    /// The largest speed, m/s, and angular speed, rad/s, that the scene itself gives to a body.
    fn fastest(&self, setup: &Setup, id: BodyId) -> (f64, f64) {
        let world = self.world;
        let mut twists: Vec<silvia_contact::Twist> = world.velocity(id).into_iter().collect();
        match world.role(id) {
            Ok(Role::Scripted(Script::Velocity(velocity))) => twists.push(*velocity),
            Ok(Role::Scripted(Script::Poses(poses))) => {
                let way = |pair: &[(f64, Pose)]| {
                    let time = pair[1].0 - pair[0].0;
                    let linear = (pair[1].1.translation() - pair[0].1.translation()) / time;
                    silvia_contact::Twist { linear, ..Default::default() }
                };
                twists.extend(poses.windows(2).map(way));
            }
            _ => {}
        }
        let hands = setup.hands.iter().filter(|hand| hand.body == id);
        twists.extend(hands.flat_map(|hand| hand.velocities.iter().map(|(_, twist)| *twist)));
        twists.iter().fold((0.0, 0.0), |(speed, spin), twist| {
            (f64::max(speed, twist.linear.length()), f64::max(spin, twist.angular.length()))
        })
    }

    /// Finds bodies denser or lighter than any material.
    pub(super) fn weights(&mut self) {
        for (id, entry) in self.firsts() {
            let written = &self.scene.written().body[entry];
            let field = match (&written.density, &written.mass, &written.inertia) {
                (Some(_), ..) => "density",
                (_, Some(_), _) => "mass",
                (.., Some(_)) => "inertia",
                _ => continue,
            };
            let Some(density) = self.density(id) else { continue };
            let is_plain = written.density.as_ref().is_some_and(|density| !density.has_unit());
            if is_plain && (LIGHTEST..LIGHT).contains(&density) && self.is_movable(id) {
                let number = super::shown(density);
                let what = format!("it has {number} kg/m³, less than most foams");
                let remedy =
                    format!("if g/cm³ are meant, write \"{number} g/cm3\"; if not, \"{number} kg/m3\"");
                self.find(Severity::Warning, &body_path(entry).key(field), what, remedy);
                continue;
            }
            let told = match density {
                density if density > DENSEST => format!("denser than osmium ({DENSEST} kg/m³)"),
                density if density < LIGHTEST => format!("lighter than any foam ({LIGHTEST} kg/m³)"),
                _ => continue,
            };
            let what = format!("it has {} kg/m³, {told}", super::shown(density));
            let remedy = match field {
                "density" => "check the number and its unit, as in \"7850 kg/m3\", and the size of the body",
                _ => "check the number, its unit and the size of the body",
            };
            self.find(Severity::Warning, &body_path(entry).key(field), what, remedy.to_owned());
        }
    }

    /// Finds gravity in m/s² among lengths in millimetres: a thousandth of what was meant.
    pub(super) fn gravity(&mut self) {
        let strength = self.world.settings().gravity.length();
        if self.unit() != "mm" || strength == 0.0 || strength >= WEAK_GRAVITY {
            return;
        }
        let unit = self.unit();
        let what = format!(
            "it is {} {unit}/s² here, {} times weaker than on the Earth",
            self.number(strength),
            super::shown((EARTH / strength).round())
        );
        let remedy = "give its unit, as in [0, 0, \"-9.81 m/s2\"], or leave it out for that".to_owned();
        self.find(Severity::Warning, &Path::root().key("gravity"), what, remedy);
    }

    /// Mean density, kg/m³; none if it has no volume.
    fn density(&self, id: BodyId) -> Option<f64> {
        let world = self.world;
        let mass = world.inertia(id).ok()?.mass;
        let shape = world.shape(id).ok()?.clone();
        // At a density of 1 kg/m³, the mass in kilograms is the volume in cubic metres.
        let mut scale = World::new(WorldSettings::default()).ok()?;
        let probe = scale.add(BodyBuilder::free(shape).density(1.0)).ok()?;
        let volume = scale.inertia(probe).ok()?.mass;
        (mass > 0.0 && volume > 0.0).then(|| mass / volume)
    }
}

/// Rounded to drop the last digits, which are rounding errors.
fn shown(seconds: f64) -> f64 {
    format!("{seconds:.12}").parse().unwrap_or(seconds)
}

/// A round number not above the given one: 1, 2 or 5 times a power of ten.
fn below(number: f64) -> f64 {
    let power = 10_f64.powi(number.log10().floor() as i32);
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= number).unwrap_or(1.0);
    // Through decimal text, so that 2e-5 is not 2.0000000000000002e-5.
    format!("{:.0e}", factor * power).parse().unwrap_or(number)
}
