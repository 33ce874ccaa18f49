//! Finds mixed-up units and bodies far away from everything.

use super::{Check, body_path, shown};
use crate::scene::Setup;
use crate::scene::finding::Severity;
use crate::scene::tree::Path;
use crate::scene::written::WrittenShape;
use silvia_solid::{Pose, Vec3};

/// Sizes that differ by this factor were probably given in metres and in millimetres.
const MIXED_UP: f64 = 1e3;
/// A body is far away if its distance from the middle is this many times the size of the bodies.
const LOST: f64 = 1e4;

/// Few parts are larger than this in metres; in millimetres, most are, m.
const LARGE_FOR_METRES: f64 = 2.0;
/// Few things that move are larger than this, m: a number of metres that was meant in millimetres is.
const LARGE_TO_MOVE: f64 = 100.0;
/// Some that move are larger than this, m: cranes, ships. But they need time to.
const LARGE_TO_MOVE_SO_SHORTLY: f64 = 10.0;
/// What falls by less than this fraction of its size in the whole run is probably not as large as that.
const SHORT_FALL: f64 = 0.5;
/// Few things that move are smaller than this, m: a number of millimetres that was meant in metres is.
const SMALL_TO_MOVE: f64 = 1e-4;
/// Of bodies that can move, one whose size differs by this factor from that of the others was probably given
/// in another unit. What is fixed may be a table or a hall.
const MIXED_UP_TO_MOVE: f64 = 300.0;
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

    /// Finds free bodies whose masses are worlds apart, though their sizes are not, which are `odd_ones`.
    pub(super) fn masses(&mut self, odd_ones: &[usize]) {
        let world = self.world;
        let mut bodies: Vec<(usize, f64, f64)> = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(shape), Ok(inertia)) = (world.shape(id), world.inertia(id)) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            if self.is_movable(id) && size.is_finite() && inertia.mass > 0.0 && !odd_ones.contains(&entry) {
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

    /// Finds bodies of which the numbers were probably meant in another unit than the scene's, by what they
    /// are and by what they would do in a run; but for those that `told` has. Files are told by
    /// [`Check::files`].
    pub(super) fn unlikely(&mut self, setup: Option<&Setup>, told: &[usize]) {
        let gravity = self.world.settings().gravity.length();
        let until = setup.map(|setup| setup.run.until);
        // How far a body falls in the run; endless if that is not known.
        let fall = until.map_or(f64::INFINITY, |until| 0.5 * gravity * until * until);
        for (id, entry) in self.firsts() {
            let Ok(shape) = self.world.shape(id) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            let written = self.shape_of(entry);
            if !size.is_finite() || told.contains(&entry) || written.file.is_some() {
                continue;
            }
            let is_machined = is_machined(written);
            let why = match self.is_movable(id) {
                true if size > LARGE_TO_MOVE => ", and can move".to_owned(),
                _ if size > LARGE_FOR_METRES && is_machined => String::new(),
                true if size > LARGE_TO_MOVE_SO_SHORTLY && gravity > 0.0 && fall < SHORT_FALL * size => {
                    let until = shown(until.unwrap_or_default());
                    format!(", and can fall no more than {} in the {until} s of the run", self.length(fall))
                }
                true if size < SMALL_TO_MOVE && !matches!(self.unit(), "um" | "µm") => {
                    ", and can move".to_owned()
                }
                _ => continue,
            };
            let what = format!("it is {} across{why}", self.length(size));
            let unit = self.unit();
            let remedy = if unit == "m" && size > SMALL_TO_MOVE {
                "check its sizes: plain lengths are in m here; if mm are meant, give `length = \"mm\"` in \
                 [units], or texts like \"5 mm\""
                    .to_owned()
            } else {
                format!("check its sizes and their units: plain lengths are in {unit} here")
            };
            self.find(Severity::Warning, &body_path(entry), what, remedy);
        }
    }

    /// The shape of a body as written: its own, or that of its part.
    fn shape_of(&self, entry: usize) -> &WrittenShape {
        let written = self.scene.written();
        let shape = &written.body[entry].shape;
        let part = shape.part.as_ref().and_then(|name| written.part.iter().find(|part| part.name == *name));
        part.map_or(shape, |part| &part.shape)
    }

    /// Finds bodies whose sizes are worlds apart from those of the others, and bodies far from all others;
    /// the entries of the former.
    pub(super) fn sizes(&mut self) -> Vec<usize> {
        let world = self.world;
        // Entry, size and place of each bounded body.
        let mut bodies: Vec<(usize, f64, Vec3)> = Vec::new();
        let mut movable = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(shape), Ok(pose)) = (world.shape(id), world.pose(id)) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            if size.is_finite() && size > 0.0 {
                bodies.push((entry, size, pose.translation()));
                if self.is_movable(id) {
                    movable.push((entry, size));
                }
            }
        }
        let mut odd_ones = Vec::new();
        if bodies.len() < 2 {
            return odd_ones;
        }
        let mut sizes: Vec<f64> = bodies.iter().map(|(_, size, _)| *size).collect();
        sizes.sort_by(f64::total_cmp);
        let [lower, upper] = [sizes[(sizes.len() - 1) / 2], sizes[sizes.len() / 2]];
        let has_giants = bodies.iter().any(|(_, size, _)| *size >= MIXED_UP * lower);
        let odd = odd_one(&movable).or_else(|| giant(&movable, &sizes));
        let middle = median(&bodies);
        let count = bodies.len();
        for (entry, size, at) in bodies {
            let told = if size >= MIXED_UP * lower {
                Some((size / lower, "larger", lower))
            } else if !has_giants && size * MIXED_UP <= upper {
                Some((upper / size, "smaller", upper))
            } else if let Some((_, others)) = odd.filter(|(odd, _)| *odd == entry && !has_giants) {
                let word = if size > others { "larger" } else { "smaller" };
                Some(((size / others).max(others / size), word, others))
            } else {
                None
            };
            if let Some((ratio, word, usual)) = told {
                odd_ones.push(entry);
                let [size, usual] = [size, usual].map(|size| self.length(size));
                // Of two, nobody knows which one is wrong.
                let (others, whose) = if count == 2 {
                    ("the other one", "the units of both")
                } else {
                    ("the others", "its unit")
                };
                let about = if count == 2 { "" } else { "about " };
                let what =
                    format!("it is {size} across, {ratio:.0} times {word} than {others} ({about}{usual})");
                let remedy = format!("check {whose}: millimetres taken for metres are off by 1000");
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
        odd_ones
    }
}

/// Whether it is a part of a machine, which are hardly ever larger than a person.
fn is_machined(shape: &WrittenShape) -> bool {
    let WrittenShape { bolt, countersink, peg, hole, gear, l_bracket, t_bracket, tail, socket, .. } = shape;
    bolt.is_some()
        || countersink.is_some()
        || peg.is_some()
        || hole.is_some()
        || gear.is_some()
        || l_bracket.is_some()
        || t_bracket.is_some()
        || tail.is_some()
        || socket.is_some()
}

/// The largest body that can move, if it is much larger than everything else, and the size of that.
fn giant(movable: &[(usize, f64)], sorted: &[f64]) -> Option<(usize, f64)> {
    let [.., next, largest] = sorted else { return None };
    let is_giant = |&&(_, size): &&(usize, f64)| size == *largest && size >= MIXED_UP_TO_MOVE * next;
    movable.iter().find(is_giant).map(|&(entry, _)| (entry, *next))
}

/// The one of these bodies (by entry and size) that is farthest in size from the others, if that is so far
/// that its unit must be another, and the median size of the others. Of two, it is the larger one: more
/// numbers are typed in millimetres than in micrometres.
fn odd_one(bodies: &[(usize, f64)]) -> Option<(usize, f64)> {
    let mut sorted = bodies.to_vec();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let others = |others: &[(usize, f64)]| Some(others.get(others.len() / 2)?.1);
    let (largest, below) = sorted.split_last()?;
    let (smallest, above) = sorted.split_first()?;
    let large = others(below).filter(|usual| largest.1 >= MIXED_UP_TO_MOVE * usual);
    let small = others(above).filter(|usual| smallest.1 * MIXED_UP_TO_MOVE <= *usual);
    large.map(|usual| (largest.0, usual)).or(small.map(|usual| (smallest.0, usual)))
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
