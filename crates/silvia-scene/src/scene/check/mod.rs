//! Checks a scene without running it.

mod doubts;
mod overlaps;
mod sizes;

use super::build::{Built, Overrides};
use super::finding::{Finding, SceneError, Severity};
use super::load::{Scene, in_order};
use super::setup::Setup;
use super::tree::Path;
use silvia_world::BodyId;
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

    /// All problems of the scene, and possible ones, in the order of the text.
    pub fn check(&self) -> Vec<Finding> {
        let Built { setup, mut findings, entries, used_parts } = self.build(&Overrides::default());
        if findings.is_empty() {
            self.find_unused(&used_parts, &mut findings);
        }
        if let Some(setup) = &setup {
            let mut check = Check { scene: self, setup, entries: &entries, findings: Vec::new() };
            check.overlaps();
            check.friction();
            check.times();
            check.motion();
            check.weights();
            check.sizes();
            findings.append(&mut check.findings);
        }
        in_order(findings)
    }
}

/// A scene whose world was built.
struct Check<'a> {
    scene: &'a Scene,
    setup: &'a Setup,
    /// For each body of the world, its entry in the scene.
    entries: &'a [(BodyId, usize)],
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn find(&mut self, severity: Severity, path: &Path, what: String, remedy: String) {
        self.findings.push(self.scene.tree.finding(severity, path, what, remedy));
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

/// A length in a suitable unit, rounded up to four digits.
fn length(metres: f64) -> String {
    let (scale, unit) = match metres.abs() {
        size if size >= 1.0 => (1.0, "m"),
        size if size >= 1e-6 => (1e3, "mm"),
        _ => (1e9, "nm"),
    };
    format!("{} {unit}", rounded_up(metres * scale))
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
    fn lengths_are_shown_with_four_digits_and_never_too_small() {
        for (metres, shown) in [
            (0.0123456, "12.35 mm"),
            (2.0, "2 m"),
            (1234.56, "1235 m"),
            (-0.0123456, "-12.35 mm"),
            (3e-9, "3 nm"),
            (0.25e-3, "0.25 mm"),
            (0.0, "0 nm"),
        ] {
            assert_eq!(length(metres), shown);
        }
    }
}
