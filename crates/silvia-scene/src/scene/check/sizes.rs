//! Finds mixed-up units and bodies far away from everything.

use super::{Check, body_path, shown};
use crate::scene::finding::Severity;
use crate::scene::tree::Path;
use silvia_solid::{Pose, Vec3};

/// Sizes that differ by this factor were probably given in metres and in millimetres.
const MIXED_UP: f64 = 1e3;
/// A body is far away if its distance from the middle is this many times the size of the bodies.
const LOST: f64 = 1e4;

/// Few parts are larger than this in metres; in millimetres, most are, m.
const LARGE_FOR_METRES: f64 = 2.0;
/// Few things that move are larger than this, m: a number of metres that was meant in millimetres is.
const LARGE_TO_MOVE: f64 = 100.0;
/// Few parts are smaller than this in millimetres; in metres, most are, m.
const SMALL_FOR_MILLIMETRES: f64 = 1e-4;
/// A mass this many times another is probably in another unit, or of a body that is.
const MASS_MIXED_UP: f64 = 1e7;

impl Check<'_> {
    /// Finds part files that were probably written in another unit than they are read in. One that names its
    /// unit is beyond doubt.
    pub(super) fn files(&mut self) {
        let world = self.world;
        let written = self.scene.written();
        let (mut told, mut found) = (Vec::new(), Vec::new());
        for (id, entry) in self.firsts() {
            let part = written.body[entry].shape.part.as_ref();
            let part = part.and_then(|name| written.part.iter().position(|part| part.name == *name));
            let (shape, path) = match part {
                Some(number) => (&written.part[number].shape, Path::root().key("part").index(number)),
                None => (&written.body[entry].shape, body_path(entry)),
            };
            let (Some(file), None, Ok(made)) = (&shape.file, &shape.unit, world.shape(id)) else { continue };
            let size = made.aabb(&Pose::IDENTITY).size().length();
            let likely = match self.unit() {
                "m" if size >= LARGE_FOR_METRES => "mm",
                "mm" if size <= SMALL_FOR_MILLIMETRES => "m",
                _ => continue,
            };
            if !told.contains(&file) {
                told.push(file);
                found.push((path.key("file"), size, likely));
            }
        }
        for (path, size, likely) in found {
            let unit = self.unit();
            let what = format!("read in {unit}, this part is {} across", self.length(size));
            let remedy = format!(
                "give `unit = \"{likely}\"` beside it if that is what the file is in, or \
                 `unit = \"{unit}\"` if not"
            );
            self.find(Severity::Warning, &path, what, remedy);
        }
    }

    /// Finds free bodies whose masses are worlds apart, though their sizes are not.
    pub(super) fn masses(&mut self) {
        let world = self.world;
        let mut bodies: Vec<(usize, f64, f64)> = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(shape), Ok(inertia)) = (world.shape(id), world.inertia(id)) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            if self.is_movable(id) && size.is_finite() && inertia.mass > 0.0 {
                bodies.push((entry, size, inertia.mass));
            }
        }
        let lightest = bodies.iter().copied().min_by(|a, b| a.2.total_cmp(&b.2));
        let Some((light, small, least)) = lightest else { return };
        for (entry, size, mass) in bodies {
            if mass >= MASS_MIXED_UP * least && size < MIXED_UP * small {
                let name = written_name(self, light);
                let what =
                    format!("it has {} kg, {} times as much as {name}", shown(mass), shown(mass / least));
                let remedy = "check the masses and densities of both, and their units".to_owned();
                self.find(Severity::Warning, &body_path(entry), what, remedy);
            }
        }
    }

    /// Finds movable bodies whose sizes were probably typed in millimetres among metres. Those of files are
    /// told by [`Check::files`].
    pub(super) fn large(&mut self) {
        if self.unit() != "m" {
            return;
        }
        for (id, entry) in self.firsts() {
            let Ok(shape) = self.world.shape(id) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            let shape = &self.scene.written().body[entry].shape;
            let is_written = shape.file.is_none() && shape.part.is_none();
            if size.is_finite() && size > LARGE_TO_MOVE && is_written && self.is_movable(id) {
                let what = format!("it is {} across, and can move", self.length(size));
                let remedy = "check its sizes: plain lengths are in m here; if mm are meant, give \
                              `length = \"mm\"` in [units]";
                self.find(Severity::Warning, &body_path(entry), what, remedy.to_owned());
            }
        }
    }

    pub(super) fn sizes(&mut self) {
        let world = self.world;
        // Entry, size and place of each bounded body.
        let mut bodies: Vec<(usize, f64, Vec3)> = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(shape), Ok(pose)) = (world.shape(id), world.pose(id)) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            if size.is_finite() && size > 0.0 {
                bodies.push((entry, size, pose.translation()));
            }
        }
        if bodies.len() < 2 {
            return;
        }
        let mut sizes: Vec<f64> = bodies.iter().map(|(_, size, _)| *size).collect();
        sizes.sort_by(f64::total_cmp);
        let [lower, upper] = [sizes[(sizes.len() - 1) / 2], sizes[sizes.len() / 2]];
        let has_giants = bodies.iter().any(|(_, size, _)| *size >= MIXED_UP * lower);
        let middle = median(&bodies);
        for (entry, size, at) in bodies {
            let told = if size >= MIXED_UP * lower {
                Some((size / lower, "larger", lower))
            } else if !has_giants && size * MIXED_UP <= upper {
                Some((upper / size, "smaller", upper))
            } else {
                None
            };
            if let Some((ratio, word, usual)) = told {
                let what = format!(
                    "it is {} across, {ratio:.0} times {word} than the others (about {})",
                    self.length(size),
                    self.length(usual)
                );
                let remedy = "check its unit: millimetres taken for metres are off by 1000".to_owned();
                self.find(Severity::Warning, &body_path(entry), what, remedy);
            }
            let far = (at - middle).length();
            if far > LOST * upper.max(size) {
                let what = format!(
                    "it is {} away from the others, which are about {} in size",
                    self.length(far),
                    self.length(upper)
                );
                let remedy = "check its position and its unit".to_owned();
                self.find(Severity::Warning, &body_path(entry).key("position"), what, remedy);
            }
        }
    }
}

/// The median of the places, coordinate by coordinate.
fn median(bodies: &[(usize, f64, Vec3)]) -> Vec3 {
    let of = |coordinate: fn(&Vec3) -> f64| {
        let mut all: Vec<f64> = bodies.iter().map(|(_, _, at)| coordinate(at)).collect();
        all.sort_by(f64::total_cmp);
        all[(all.len() - 1) / 2]
    };
    Vec3::new(of(|at| at.x), of(|at| at.y), of(|at| at.z))
}

/// The name of the body of an entry, or its number.
fn written_name(check: &Check<'_>, entry: usize) -> String {
    match &check.scene.written().body[entry].name {
        Some(name) => format!("\"{name}\""),
        None => format!("body #{}", entry + 1),
    }
}
