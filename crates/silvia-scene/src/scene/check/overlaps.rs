//! Finds bodies that overlap at the start.

use super::{Check, body_path};
use crate::scene::finding::Severity;
use crate::scene::length_unit;
use crate::scene::tree::Path;
use silvia_proximity::culling::overlapping_pairs;
use silvia_proximity::shape::{Overlap, penetration};
use silvia_solid::{Aabb, Vec3};
use silvia_world::response::Guarantee;
use silvia_world::{BodyId, Role, World};
use std::collections::{BTreeMap, BTreeSet};

/// Allowance for rounding of coordinates besides the shell, the same as the world's.
const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// Of more bodies than this that fit exactly, one is named and the others are counted.
const MOST_TOLD: usize = 3;

/// Two bodies that overlap.
struct Found {
    /// Their numbers in the world.
    pair: [usize; 2],
    /// Depth, m; none if no way out is known.
    depth: Option<f64>,
    /// Separating translation of the second body.
    translation: Option<Vec3>,
}

impl Check<'_> {
    /// Bodies that overlap, and those that fit without clearance: what a run does with them when it starts
    /// is the judge.
    pub(super) fn overlaps(&mut self) {
        let mut world = self.world.clone();
        let is_certified = world.response().guarantee() == Guarantee::NonPenetrating;
        let refused = match world.prepare() {
            Ok(()) if is_certified => return self.exact_fits(&world),
            Ok(()) => None,
            Err(error) => Some(error),
        };
        let before = self.findings.len();
        self.deep_overlaps();
        if let Some(error) = refused.filter(|_| self.findings.len() == before) {
            let told = error.message_in(length_unit(self.unit()));
            self.find(Severity::Error, &Path::root(), told, String::new());
        }
    }

    fn exact_fits(&mut self, opened: &World) {
        let drawn_in = |&(id, entry): &(BodyId, usize)| {
            let inset = opened.inset(id).ok().filter(|inset| *inset > 0.0)?;
            Some((opened.name(id).ok()?, entry, inset))
        };
        let found: Vec<(&str, usize, f64)> = self.entries.iter().filter_map(drawn_in).collect();
        let remedy = "add clearance if you did not mean an exact fit".to_owned();
        if let [(name, entry, _), others @ ..] = &found[..]
            && found.len() > MOST_TOLD
        {
            let most = found.iter().map(|(.., inset)| *inset).fold(0.0, f64::max);
            let what = format!(
                "\"{name}\" and {} others fit exactly; their surfaces are shrunk by at most {} for the run \
                 (harmless)",
                others.len(),
                self.length(most)
            );
            return self.find(Severity::Warning, &body_path(*entry), what, remedy);
        }
        for (name, entry, inset) in found {
            let what = format!(
                "\"{name}\" fits exactly; its surface is shrunk by {} for the run (harmless)",
                self.length(inset)
            );
            self.find(Severity::Warning, &body_path(entry), what, remedy.clone());
        }
    }

    pub(super) fn deep_overlaps(&mut self) {
        // Group by the entries in the scene, so that a row that is too narrow is reported once.
        let mut found: BTreeMap<[usize; 2], Vec<Found>> = BTreeMap::new();
        for pair in self.near_pairs(0.0) {
            if !pair.iter().any(|number| self.is_movable(self.entries[*number].0)) {
                continue;
            }
            if let Some((depth, translation)) = self.overlap(pair) {
                let entries = pair.map(|number| self.entries[number].1);
                found.entry(entries).or_default().push(Found { pair, depth, translation });
            }
        }
        for alike in found.values() {
            self.tell(alike);
        }
    }

    fn tell(&mut self, alike: &[Found]) {
        let [Found { pair, depth, translation }, more @ ..] = alike else { return };
        let world = self.world;
        let [a, b] = pair.map(|number| self.entries[number]);
        let name = |id: BodyId| world.name(id).unwrap_or_default();
        // Suggest moving the body that can move; of two, the later.
        let ((mover, entry), (other, _), way) =
            if self.is_movable(b.0) { (b, a, *translation) } else { (a, b, translation.map(|way| -way)) };
        let by = depth.map_or(String::new(), |depth| format!(" by {}", self.length(depth)));
        let more = match more.len() {
            0 => String::new(),
            1 => ", and 1 more pair like them".to_owned(),
            count => format!(", and {count} more pairs like them"),
        };
        let what = format!("\"{}\" overlaps \"{}\"{by}{more}", name(mover), name(other));
        let remedy = match way {
            Some(way) => {
                format!("move it by {}, or name both in `pairs_off`", self.vector(way))
            }
            None => "move it elsewhere, or name both in `pairs_off`".to_owned(),
        };
        self.find(Severity::Error, &body_path(entry), what, remedy);
    }

    /// Finds fixed bodies that overlap, which nothing will part: walls in the ground, mostly. Of equal pairs
    /// one is told.
    pub(super) fn fixed_overlaps(&mut self) {
        let is_fixed = |id: BodyId| self.world.role(id).is_ok_and(|role| matches!(role, Role::Fixed));
        let fixed: Vec<bool> = self.entries.iter().map(|(id, _)| is_fixed(*id)).collect();
        let mut told = BTreeSet::new();
        for pair in self.near_pairs(0.0) {
            let [(a, _), (b, entry)] = pair.map(|number| self.entries[number]);
            let entries = pair.map(|number| self.entries[number].1);
            if pair.iter().any(|number| !fixed[*number]) || told.contains(&entries) {
                continue;
            }
            let Some((depth, _)) = self.overlap(pair) else { continue };
            told.insert(entries);
            let name = |id: BodyId| self.world.name(id).unwrap_or_default();
            let by = depth.map_or(String::new(), |depth| format!(" by {}", self.length(depth)));
            let what = format!("\"{}\" overlaps \"{}\"{by}, and both are fixed", name(b), name(a));
            let remedy = "move one of them; if it is meant, name both in `pairs_off`".to_owned();
            self.find(Severity::Warning, &body_path(entry), what, remedy);
        }
    }

    /// A translation as a scene would have it, with its unit.
    pub(super) fn vector(&self, way: Vec3) -> String {
        let [x, y, z] = way.to_array().map(|x| self.number(x));
        format!("[{x}, {y}, {z}] {}", self.unit())
    }

    pub(super) fn is_movable(&self, id: BodyId) -> bool {
        self.world.role(id).is_ok_and(|role| role.is_movable())
    }

    /// The depth, and the translation that moves the second out of the first; none if they only touch.
    fn overlap(&self, pair: [usize; 2]) -> Option<(Option<f64>, Option<Vec3>)> {
        let world = self.world;
        let [a, b] = pair.map(|number| self.entries[number].0);
        if !world.admits(a, b).ok()? {
            return None;
        }
        let shapes = [world.shape(a).ok()?, world.shape(b).ok()?];
        let poses = [world.pose(a).ok()?, world.pose(b).ok()?];
        match penetration(shapes[0], &poses[0], shapes[1], &poses[1]) {
            Overlap::Apart => None,
            Overlap::Inseparable => Some((None, None)),
            Overlap::Deep(found) => {
                let sizes = [0, 1].map(|i| shapes[i].aabb(&silvia_solid::Pose::IDENTITY).size().length());
                let far = |i: usize| {
                    if sizes[i].is_finite() { poses[i].translation().abs().max_element() } else { 0.0 }
                };
                let shell = world.settings().shell * sizes[0].min(sizes[1]);
                let touching = shell.max(ROUNDING * far(0).max(far(1)));
                (found.depth > touching).then(|| (Some(found.depth), Some(found.translation())))
            }
        }
    }

    /// Pairs of entries whose boxes overlap, in order, if each is larger by a fraction of its size.
    pub(super) fn near_pairs(&self, margin: f64) -> Vec<[usize; 2]> {
        let world = self.world;
        let (mut bounded, mut endless): (Vec<(usize, Aabb)>, Vec<usize>) = (Vec::new(), Vec::new());
        for (number, (id, _)) in self.entries.iter().enumerate() {
            let (Ok(shape), Ok(pose)) = (world.shape(*id), world.pose(*id)) else { continue };
            let mut bounds = shape.aabb(&pose);
            if bounds.min.is_finite() && bounds.max.is_finite() {
                let around = Vec3::splat(margin * bounds.size().length());
                (bounds.min, bounds.max) = (bounds.min - around, bounds.max + around);
                bounded.push((number, bounds));
            } else {
                endless.push(number);
            }
        }
        let boxes: Vec<Aabb> = bounded.iter().map(|(_, bounds)| *bounds).collect();
        // It fails only for boxes that are not finite.
        let near = overlapping_pairs(&boxes).unwrap_or_default();
        let mut pairs: Vec<[usize; 2]> =
            near.iter().map(|pair| pair.map(|i| bounded[i as usize].0)).collect();
        for &one in &endless {
            pairs.extend(bounded.iter().map(|(other, _)| [one.min(*other), one.max(*other)]));
        }
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_unstable();
        pairs
    }
}
