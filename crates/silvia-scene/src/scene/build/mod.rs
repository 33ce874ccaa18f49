//! Makes a world from a scene. Collects all errors on the way, not only the first.

mod bodies;
mod copies;
mod faults;
mod goals;
mod groups;
mod hands;
mod head;
mod motion;
mod parts;
mod repairs;
mod self_crossing;
mod watches;

pub use copies::MOST_BODIES;

use super::finding::{Finding, SceneError, Severity};
use super::load::Scene;
use super::setup::{HandPath, Setup};
use super::tree::Path;
use super::written::{Dimension, PlainUnit, Quantity, Units, dimension};
use crate::recording::Header;
use parts::Parts;
use silvia_solid::{Remedy, Vec3};
use silvia_world::{BodyId, World};
use std::collections::BTreeMap;

/// Values from the command line that replace those of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The response method by name.
    pub method: Option<String>,
    /// Length of a step, s.
    pub step: Option<f64>,
    /// The error that steps may add in a second, 1/s.
    pub accuracy: Option<f64>,
    /// End time, s.
    pub until: Option<f64>,
    /// Number of threads.
    pub threads: Option<usize>,
}

impl Scene {
    /// The world that the scene describes, and how to run it; or everything that is wrong with it.
    pub fn setup(&self, overrides: &Overrides) -> Result<Setup, SceneError> {
        self.setup_with_notes(overrides).map(|(setup, _)| setup)
    }

    /// As [`Scene::setup`], with notes on what was done to part files.
    pub fn setup_with_notes(&self, overrides: &Overrides) -> Result<(Setup, Vec<Finding>), SceneError> {
        let built = self.build(overrides);
        match built.setup {
            Some(setup) if built.findings.is_empty() => Ok((setup, built.notes)),
            _ => Err(self.refused(built.findings)),
        }
    }

    /// The units of its plain numbers; the default ones where the scene names an unknown unit.
    pub(super) fn units(&self) -> Units {
        let mut build = Build::new(self);
        build.read_units();
        build.units
    }

    /// Builds the world, with all findings and more about the bodies, for checks.
    pub(super) fn build(&self, overrides: &Overrides) -> Built {
        Build::new(self).run(overrides)
    }
}

/// The result of building a scene.
pub(super) struct Built {
    /// None on error.
    pub(super) setup: Option<Setup>,
    /// On error, what there is of the world: something harmless may stand where a body is wrong.
    pub(super) unfinished: Option<World>,
    /// The values that are wrong, other than those that a fault has left out.
    pub(super) wrong: Vec<Path>,
    pub(super) findings: Vec<Finding>,
    /// What was done to part files.
    pub(super) notes: Vec<Finding>,
    /// For each body of the world, its entry in the scene.
    pub(super) entries: Vec<(BodyId, usize)>,
    /// Whether each part is used, in the order of the scene.
    pub(super) used_parts: Vec<bool>,
}

/// A scene under construction.
struct Build<'a> {
    scene: &'a Scene,
    units: Units,
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    /// The paths of the findings.
    wrong: Vec<Path>,
}

impl<'a> Build<'a> {
    fn new(scene: &'a Scene) -> Build<'a> {
        let (findings, notes, wrong) = (Vec::new(), Vec::new(), Vec::new());
        Build { scene, units: Units::default(), findings, notes, wrong }
    }

    fn run(mut self, overrides: &Overrides) -> Built {
        self.read_units();
        let settings = self.settings();
        let method = self.method(overrides);
        let run = self.run_settings(overrides);
        let view = self.view();
        // If these are invalid, the rest is checked all the same.
        let world = World::new(settings.unwrap_or_default());
        let Ok(mut world) = world else {
            unreachable!("the default settings are good, and others were checked")
        };
        self.add_materials(&mut world);
        let mut parts = Parts::of(self.scene.written());
        self.check_parts(&mut parts);
        let added = self.add_bodies(&mut world, &mut parts);
        self.switch_pairs_off(&mut world, &added);
        let taken = self.take_in_hand(&mut world, &added);
        let goals = self.goals(&added);
        let watches = self.watches(&world, &added, &taken);
        let used_parts = parts.used();
        let entries = added.entries.clone();
        let (mut setup, mut unfinished) = (None, None);
        if let (Some(method), Some(run), true) =
            (method, run, self.findings.is_empty() && !self.scene.has_faults())
        {
            world.set_response(method);
            setup = self.finish(world, run, view, added).map(|mut setup| {
                setup.header.watches = watches;
                setup.goals = goals;
                setup
            });
        } else {
            unfinished = Some(world);
        }
        let mut findings = self.findings;
        findings.extend_from_slice(self.scene.faults());
        Built { setup, unfinished, wrong: self.wrong, findings, notes: self.notes, entries, used_parts }
    }

    /// The symbol of the scene's unit of length; that of metres where the scene names an unknown one.
    fn unit_of_length(&self) -> &'a str {
        let written = self.scene.written().units.length.as_deref();
        let known = written.filter(|symbol| PlainUnit::named::<dimension::OfLength>(symbol).is_ok());
        known.unwrap_or("m")
    }

    /// Assembles the setup.
    fn finish(
        &mut self,
        world: World,
        run: super::setup::RunSettings,
        view: Option<crate::recording::View>,
        added: Added,
    ) -> Option<Setup> {
        let written = self.scene.written();
        let source = self.scene.source();
        let mut bodies = match Header::bodies_of(&world) {
            Ok(bodies) => bodies,
            Err(error) => {
                self.error(&Path::root(), error.to_string(), "please report this".to_owned());
                return None;
            }
        };
        for (body, colour) in bodies.iter_mut().zip(&added.colours) {
            body.colour = colour.unwrap_or(body.colour);
        }
        let stem =
            || std::path::Path::new(&source.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let header = Header {
            title: written.title.clone().or_else(stem).unwrap_or_default(),
            about: written.about.clone().unwrap_or_default(),
            source: source.clone(),
            method: world.response().name().to_owned(),
            step: run.step,
            accuracy: run.accuracy,
            until: run.until,
            steps_a_frame: run.steps_a_frame,
            gravity: world.settings().gravity,
            bodies,
            watches: Vec::new(),
            view,
            made_by: concat!("silvia ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        Some(Setup { world, header, run, hands: added.hands, goals: Vec::new() })
    }

    /// Reports an error of a value, unless it may follow from a fault: something in the value was left out.
    fn error(&mut self, path: &Path, what: impl Into<String>, remedy: impl Into<String>) {
        if !self.scene.has_left_out(path) {
            self.sure_error(path, what, remedy);
        }
    }

    /// Reports that a table has none of some fields, unless one of them was left out because of a fault.
    fn lacking(&mut self, path: &Path, fields: &[&str], what: &str, remedy: impl Into<String>) {
        if !fields.iter().any(|field| self.scene.has_left_out(&path.key(*field))) {
            self.sure_error(path, what, remedy);
        }
    }

    /// Reports an error that no field left out can explain.
    fn sure_error(&mut self, path: &Path, what: impl Into<String>, remedy: impl Into<String>) {
        self.findings.push(self.scene.tree.finding(Severity::Error, path, what.into(), remedy.into()));
        self.wrong.push(path.clone());
    }

    fn note(&mut self, path: &Path, what: String) {
        self.notes.push(self.scene.tree.finding(Severity::Note, path, what, String::new()));
    }

    /// Reports an error of another crate without its own remedy: there is a better one here.
    fn refused(&mut self, path: &Path, error: &impl Remedy, remedy: &str) {
        self.error(path, error.what(), remedy);
    }

    /// The value in SI units; none on error.
    fn si<D: Dimension>(&mut self, path: &Path, quantity: &Quantity<D>) -> Option<f64> {
        match quantity.si(&self.units) {
            Ok(si) => Some(si),
            Err(error) => {
                self.error(path, error.what(), error.remedy());
                None
            }
        }
    }

    fn vector<D: Dimension>(&mut self, path: &Path, given: &[Quantity<D>; 3]) -> Option<Vec3> {
        let [x, y, z] = [0, 1, 2].map(|index| self.si(&path.index(index), &given[index]));
        Some(Vec3::new(x?, y?, z?))
    }

    /// The default if nothing is given; none on error.
    fn vector_or<D: Dimension>(
        &mut self,
        path: &Path,
        given: &Option<[Quantity<D>; 3]>,
        usual: Vec3,
    ) -> Option<Vec3> {
        given.as_ref().map_or(Some(usual), |given| self.vector(path, given))
    }
}

/// The bodies of a scene in its world.
#[derive(Default)]
struct Added {
    entries: Vec<(BodyId, usize)>,
    /// Bodies by their own names, and all copies by their common name.
    by_name: BTreeMap<String, Vec<BodyId>>,
    /// The names, without numbers, of entries that are not in the world, or not wholly.
    refused: Vec<String>,
    /// The last number tried after each name that was free without one.
    numbers: BTreeMap<String, usize>,
    /// In the order of the world.
    colours: Vec<Option<[u8; 3]>>,
    hands: Vec<HandPath>,
}
