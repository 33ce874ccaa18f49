//! Finds members of compounds that overlap: where they do, their mass counts twice.

use super::{Check, body_path};
use crate::scene::finding::Severity;
use silvia_proximity::Shape;
use silvia_proximity::culling::overlapping_pairs;
use silvia_proximity::shape::{Compound, CompoundPart, Overlap, penetration};
use silvia_solid::{Aabb, Pose};

/// Members of a compound that overlap by less than this fraction of the smaller one were meant to touch:
/// positions in scenes are written with six digits or so.
const ROUNDED: f64 = 1e-6;
/// Compounds of more members than this are not looked at.
const MOST_MEMBERS: usize = 200;

impl Check<'_> {
    pub(super) fn members(&mut self) {
        let mut found = Vec::new();
        for (id, entry) in self.firsts() {
            let is_weighed = self.scene.written().body[entry].inertia.is_none();
            let Ok(Shape::Compound(compound)) = self.world.shape(id) else { continue };
            if is_weighed && self.is_movable(id) {
                found.extend(deepest(compound).map(|(pair, depth)| (entry, pair, depth)));
            }
        }
        for (entry, [a, b], depth) in found {
            let by = depth.map_or(String::new(), |depth| format!(" by {}", self.length(depth)));
            let what = format!(
                "the parts {} and {} of its compound overlap{by}: what they share is weighed twice",
                a + 1,
                b + 1
            );
            let remedy = "let them touch, give `inertia`, or unite them where they were made".to_owned();
            self.find(Severity::Warning, &body_path(entry), what, remedy);
        }
    }
}

/// The two members that overlap most, and by how much, m, where that is known.
fn deepest(compound: &Compound) -> Option<([usize; 2], Option<f64>)> {
    let parts = compound.parts();
    let boxes: Vec<Aabb> = parts.iter().map(|part| part.shape.aabb(&part.pose)).collect();
    if parts.len() > MOST_MEMBERS {
        return None;
    }
    let pairs = overlapping_pairs(&boxes).unwrap_or_default();
    let overlaps = pairs.into_iter().filter_map(|pair| {
        let pair = pair.map(|number| number as usize);
        overlap(pair.map(|number| &parts[number])).map(|depth| (pair, depth))
    });
    overlaps.max_by(|a, b| a.1.unwrap_or(f64::INFINITY).total_cmp(&b.1.unwrap_or(f64::INFINITY)))
}

/// The depth, if it is known, of two members that overlap by more than rounding.
fn overlap([a, b]: [&CompoundPart; 2]) -> Option<Option<f64>> {
    let size = |part: &CompoundPart| part.shape.aabb(&Pose::IDENTITY).size().length();
    match penetration(&a.shape, &a.pose, &b.shape, &b.pose) {
        Overlap::Apart => None,
        Overlap::Inseparable => Some(None),
        Overlap::Deep(found) => (found.depth > ROUNDED * size(a).min(size(b))).then_some(Some(found.depth)),
    }
}
