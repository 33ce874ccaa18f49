//! Finds gaps that look like rounding: bodies that were probably meant to touch.

use super::{Check, body_path};
use crate::scene::finding::Severity;
use silvia_proximity::shape::{ShapeDistance, distance};
use silvia_solid::Pose;
use std::collections::BTreeSet;

/// A gap below this fraction of the smaller body was probably meant to be none: positions in scenes are
/// written with six digits or so.
const ROUNDED: f64 = 1e-6;

impl Check<'_> {
    pub(super) fn gaps(&mut self) {
        let mut told = BTreeSet::new();
        for pair in self.near_pairs(ROUNDED) {
            let entries = pair.map(|number| self.entries[number].1);
            if told.contains(&entries) {
                continue;
            }
            if let Some(gap) = self.rounded_gap(pair) {
                told.insert(entries);
                self.tell_gap(pair, gap);
            }
        }
    }

    fn tell_gap(&mut self, pair: [usize; 2], gap: f64) {
        let world = self.world;
        let [a, b] = pair.map(|number| self.entries[number]);
        let ((mover, entry), (other, _)) = if self.is_movable(b.0) { (b, a) } else { (a, b) };
        let name = |id| world.name(id).unwrap_or_default();
        let what = format!("\"{}\" is {} from \"{}\"", name(mover), self.length(gap), name(other));
        let remedy =
            "if they are to touch, let them touch exactly; otherwise they fall onto each other".to_owned();
        self.find(Severity::Warning, &body_path(entry), what, remedy);
    }

    /// The gap of a pair, if it is neither none nor one that somebody would mean.
    fn rounded_gap(&self, pair: [usize; 2]) -> Option<f64> {
        let world = self.world;
        let [a, b] = pair.map(|number| self.entries[number].0);
        if !world.admits(a, b).ok()? || !(self.is_movable(a) || self.is_movable(b)) {
            return None;
        }
        let shapes = [world.shape(a).ok()?, world.shape(b).ok()?];
        let poses = [world.pose(a).ok()?, world.pose(b).ok()?];
        let size = shapes.map(|shape| shape.aabb(&Pose::IDENTITY).size().length());
        let size = size[0].min(size[1]);
        let far = poses.map(|pose| pose.translation().abs().max_element());
        // Twice the shell is what bodies that touch may have between them, besides rounding.
        let touching = (2.0 * world.settings().shell * size).max(1e-12 * far[0].max(far[1]));
        let ShapeDistance { upper: gap, .. } = distance(shapes[0], &poses[0], shapes[1], &poses[1]);
        (gap > touching && gap <= ROUNDED * size).then_some(gap)
    }
}
