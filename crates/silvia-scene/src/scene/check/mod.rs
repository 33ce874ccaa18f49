//! Checks a scene without running it.

mod doubts;
mod gaps;
mod members;
mod overlaps;
mod sizes;

use super::build::{Built, Overrides};
use super::finding::{Finding, SceneError, Severity};
use super::load::{Scene, in_order};
use super::setup::Setup;
use super::tree::Path;
use silvia_world::response::Guarantee;
use silvia_world::{BodyId, World};
use std::path::Path as FilePath;

impl Scene {
    /// All problems of the scene in a file, in the order of the text. Problems that prevent a run are errors,
    /// the rest are warnings. Fails only if the file cannot be read as text.
    pub fn check_file(path: &FilePath) -> Result<Vec<Finding>, SceneError> {
        match Scene::load_with_faults(path) {
            Ok(scene) => Ok(scene.check()),
            Err(SceneError::Refused { findings, .. }) => Ok(findings),
            Err(error) => Err(error),
        }
    }

    /// As [`Scene::setup`], with what [`Scene::check`] doubts or notes about the scene, under the same
    /// overrides. Bodies that overlap are refused here already, with the remedy.
    pub fn setup_with_doubts(&self, overrides: &Overrides) -> Result<(Setup, Vec<Finding>), SceneError> {
        let Built { setup, mut findings, notes, entries, used_parts, .. } = self.build(overrides);
        let Some(setup) = setup.filter(|_| findings.is_empty()) else {
            return Err(self.refused(findings));
        };
        self.find_unused(&used_parts, &mut findings);
        let mut check = Check::of(self, &setup.world, &entries);
        check.whole(&setup);
        findings.append(&mut check.findings);
        // A method that lets bodies overlap begins all the same.
        let is_certified = setup.world.response().guarantee() == Guarantee::NonPenetrating;
        if is_certified && findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(self.refused(findings));
        }
        findings.extend(notes);
        Ok((setup, in_order(findings)))
    }

    /// All problems of the scene, and possible ones, in the order of the text.
    pub fn check(&self) -> Vec<Finding> {
        let Built { setup, unfinished, wrong, mut findings, notes, entries, used_parts } =
            self.build(&Overrides::default());
        if findings.is_empty() {
            self.find_unused(&used_parts, &mut findings);
        }
        if let Some(setup) = &setup {
            let mut check = Check::of(self, &setup.world, &entries);
            check.whole(setup);
            findings.append(&mut check.findings);
        }
        if let Some(world) = unfinished.filter(|_| self.are_units_sound(&wrong)) {
            let entries: Vec<(BodyId, usize)> =
                entries.iter().copied().filter(|(_, entry)| self.is_sound(*entry, &wrong)).collect();
            let mut check = Check::of(self, &world, &entries);
            if !self.is_any_in(&Path::root().key("pairs_off"), &wrong) {
                check.deep_overlaps();
            }
            check.bodies(None);
            findings.append(&mut check.findings);
        }
        findings.extend(notes);
        in_order(findings)
    }

    /// Whether lengths, masses and times are in the units that were meant.
    fn are_units_sound(&self, wrong: &[Path]) -> bool {
        !self.is_any_in(&Path::root().key("units"), wrong)
    }

    /// Whether what a body is, and where, is as it is written.
    fn is_sound(&self, entry: usize, wrong: &[Path]) -> bool {
        let path = body_path(entry);
        let harmless = ["colour", "name"].map(|field| path.key(field));
        let is_wrong = |other: &Path| {
            other.is_within(&path) && !harmless.iter().any(|harmless| other.is_within(harmless))
        };
        let uses_parts = self.written().body[entry].shape.part.is_some();
        let is_part_wrong = uses_parts && self.is_any_in(&Path::root().key("part"), wrong);
        !is_part_wrong && !wrong.iter().chain(self.left_out()).chain(self.unread()).any(is_wrong)
    }

    /// Whether any of the wrong values, or of those left out, is in a field.
    fn is_any_in(&self, path: &Path, wrong: &[Path]) -> bool {
        self.has_left_out(path) || wrong.iter().chain(self.unread()).any(|wrong| wrong.is_within(path))
    }
}

/// A scene whose world was built, or as much of it as is sound.
struct Check<'a> {
    scene: &'a Scene,
    world: &'a World,
    /// For each body of the world, its entry in the scene.
    entries: &'a [(BodyId, usize)],
    findings: Vec<Finding>,
}

impl<'a> Check<'a> {
    fn of(scene: &'a Scene, world: &'a World, entries: &'a [(BodyId, usize)]) -> Check<'a> {
        Check { scene, world, entries, findings: Vec::new() }
    }
}

impl Check<'_> {
    /// What is told of a scene without errors.
    fn whole(&mut self, setup: &Setup) {
        self.overlaps();
        self.friction();
        self.times(setup);
        self.motion(setup);
        self.gravity();
        self.bodies(Some(setup));
    }

    /// What is told of bodies, each for itself or two together; of a whole scene, with its setup.
    fn bodies(&mut self, setup: Option<&Setup>) {
        self.fixed_overlaps();
        self.weights();
        let odd_ones = self.sizes();
        self.unlikely(setup, &odd_ones);
        self.members();
        self.files();
        self.masses(&odd_ones);
        self.gaps();
    }

    fn find(&mut self, severity: Severity, path: &Path, what: String, remedy: String) {
        self.findings.push(self.scene.tree.finding(severity, path, what, remedy));
    }

    /// A length in the unit of the scene, so that no message has two units, rounded up to four digits.
    fn length(&self, metres: f64) -> String {
        format!("{} {}", self.number(metres), self.unit())
    }

    /// The number of a length in the unit of the scene, as a scene would have it.
    fn number(&self, metres: f64) -> String {
        shown(self.scene.units().length.of_si(metres))
    }

    /// The unit of the scene's plain lengths.
    fn unit(&self) -> &str {
        self.scene.written().units.length.as_deref().unwrap_or("m")
    }

    /// The first body of each entry, for properties that all copies share.
    fn firsts(&self) -> Vec<(BodyId, usize)> {
        let mut firsts: Vec<(BodyId, usize)> = self.entries.to_vec();
        firsts.dedup_by_key(|(_, entry)| *entry);
        firsts
    }
}

/// The path to the entry of a body.
fn body_path(entry: usize) -> Path {
    Path::root().key("body").index(entry)
}

/// Four digits, rounded up; as a power of ten only where people would write it so.
fn shown(number: f64) -> String {
    let number = rounded_up(number);
    let is_plain = number == 0.0 || (1e-4..1e9).contains(&number.abs());
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

/// Rounded away from 0 to four digits.
fn rounded_up(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let digits = 3 - number.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(-300, 300));
    let whole = (number.abs() * scale - 1e-9).ceil();
    // Divide by a whole number if possible, so that no digits follow the fourth.
    let size = if digits >= 0 { whole / scale } else { whole * 10_f64.powi(-digits) };
    size.copysign(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_and_are_never_too_small() {
        for (number, shown) in [
            (0.0123456, 0.01235),
            (2.0, 2.0),
            (1234.56, 1235.0),
            (-0.0123456, -0.01235),
            (0.25, 0.25),
            (0.0, 0.0),
        ] {
            assert_eq!(rounded_up(number), shown);
        }
    }
}
