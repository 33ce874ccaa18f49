//! Makes a world of a scene. All that is wrong is gathered on the way, not the first fault alone.

mod bodies;
mod copies;
mod faults;
mod groups;
mod head;
mod motion;
mod parts;

pub use copies::MOST_BODIES;

use super::finding::{Finding, SceneError, Severity};
use super::load::Scene;
use super::setup::{HandPath, Setup};
use super::tree::Path;
use super::written::{Dimension, Quantity, Units};
use crate::recording::Header;
use parts::Parts;
use silvia_solid::{Remedy, Vec3};
use silvia_world::{BodyId, World};
use std::collections::BTreeMap;

/// What a command line says in place of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The response method by name.
    pub method: Option<String>,
    /// Length of a step, s.
    pub step: Option<f64>,
    /// When to end, s.
    pub until: Option<f64>,
    /// How many threads to use.
    pub threads: Option<usize>,
}

impl Scene {
    /// The world that the scene describes, and how to run it; or all that is wrong with it.
    pub fn setup(&self, overrides: &Overrides) -> Result<Setup, SceneError> {
        let built = self.build(overrides);
        match built.setup {
            Some(setup) if built.findings.is_empty() => Ok(setup),
            _ => Err(self.refused(built.findings)),
        }
    }

    /// What its numbers without a unit are in; the usual where it says something else than a unit.
    pub(super) fn units(&self) -> Units {
        let mut build = Build::new(self);
        build.read_units();
        build.units
    }

    /// With all findings, and more about the bodies, for checks.
    pub(super) fn build(&self, overrides: &Overrides) -> Built {
        Build::new(self).run(overrides)
    }
}

/// What became of a scene.
pub(super) struct Built {
    /// None if something is wrong.
    pub(super) setup: Option<Setup>,
    pub(super) findings: Vec<Finding>,
    /// For each body of the world which entry of the scene it is of.
    pub(super) entries: Vec<(BodyId, usize)>,
    /// In the order of the scene.
    pub(super) used_parts: Vec<bool>,
}

/// A scene on its way to a world.
struct Build<'a> {
    scene: &'a Scene,
    units: Units,
    findings: Vec<Finding>,
}

impl<'a> Build<'a> {
    fn new(scene: &'a Scene) -> Build<'a> {
        Build { scene, units: Units::default(), findings: scene.faults_of_files.clone() }
    }

    fn run(mut self, overrides: &Overrides) -> Built {
        self.read_units();
        let settings = self.settings();
        let method = self.method(overrides);
        let run = self.run_settings(overrides);
        let view = self.view();
        // Where these are bad, the rest is looked at all the same.
        let world = World::new(settings.unwrap_or_default());
        let Ok(mut world) = world else {
            unreachable!("the default settings are good, and others were checked")
        };
        self.add_materials(&mut world);
        let mut parts = Parts::of(self.scene.written());
        self.check_parts(&mut parts);
        let added = self.add_bodies(&mut world, &mut parts);
        self.switch_pairs_off(&mut world, &added.by_name);
        let used_parts = parts.used();
        let entries = added.entries.clone();
        let mut setup = None;
        if let (Some(method), Some(run), true) = (method, run, self.findings.is_empty()) {
            world.set_response(method);
            setup = self.finish(world, run, view, added);
        }
        Built { setup, findings: self.findings, entries, used_parts }
    }

    /// What does not depend on what was wrong.
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
            until: run.until,
            steps_a_frame: run.steps_a_frame,
            gravity: world.settings().gravity,
            bodies,
            view,
            made_by: concat!("silvia ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        Some(Setup { world, header, run, hands: added.hands })
    }

    fn error(&mut self, path: &Path, what: impl Into<String>, remedy: impl Into<String>) {
        self.findings.push(self.scene.tree.finding(Severity::Error, path, what.into(), remedy.into()));
    }

    /// What another crate says is wrong, without the remedy that it may give: here there is a better one.
    fn refused(&mut self, path: &Path, error: &impl Remedy, remedy: &str) {
        self.error(path, error.what(), remedy);
    }

    /// In SI units; none if it is no such quantity.
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

    /// The usual if nothing is given; none if it is wrong.
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
    /// By their own names, and all copies by the name that they have in common.
    by_name: BTreeMap<String, Vec<BodyId>>,
    /// In the order of the world.
    colours: Vec<Option<[u8; 3]>>,
    hands: Vec<HandPath>,
}
