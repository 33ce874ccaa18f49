//! Rows, grids and rings of equal bodies.

use super::Build;
use crate::scene::tree::Path;
use crate::scene::written::{Ring, WrittenBody};
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Vec3};
use std::f64::consts::TAU;

/// The most bodies in a scene.
pub const MOST_BODIES: usize = 100_000;

/// The places of the copies of a body: each is the first one turned about the origin and then shifted.
pub(super) struct Copies {
    /// Empty if there is only one body, at its own place.
    turns: Vec<(Quat, Vec3)>,
}

impl Copies {
    /// Whether there is only one body, without a number after its name.
    pub(super) fn is_single(&self) -> bool {
        self.turns.is_empty()
    }

    /// The pose of each copy's frame, given that of the first.
    pub(super) fn poses(&self, first: Pose) -> Vec<(Quat, Pose)> {
        if self.is_single() {
            return vec![(Quat::IDENTITY, first)];
        }
        let placed = |&(turn, by): &(Quat, Vec3)| {
            let at = turn * first.translation() + by;
            let turned = (turn * first.rotation()).normalize();
            // If the place overflows, the first pose stands in, and the world refuses the body for its place.
            (turn, Pose::new(at, turned).unwrap_or(first))
        };
        self.turns.iter().map(placed).collect()
    }
}

/// A velocity turned with a copy.
pub(super) fn turned(turn: Quat, velocity: Twist) -> Twist {
    Twist { linear: turn * velocity.linear, angular: turn * velocity.angular }
}

impl Build<'_> {
    /// The copies of a body; none on error, for example if they would exceed [`MOST_BODIES`] in total.
    pub(super) fn copies(&mut self, path: &Path, body: &WrittenBody, already: usize) -> Option<Copies> {
        let given: Vec<&str> =
            [("row", body.row.is_some()), ("grid", body.grid.is_some()), ("ring", body.ring.is_some())]
                .into_iter()
                .filter_map(|(word, is_given)| is_given.then_some(word))
                .collect();
        if given.len() > 1 {
            self.sure_error(
                path,
                format!("a body can have only one of {}", given.join(" and ")),
                "keep one of them",
            );
            return None;
        }
        let field = given.first().map_or(path.clone(), |word| path.key(*word));
        let count = match (&body.row, &body.grid, &body.ring) {
            (Some(row), ..) => Some(row.count),
            (_, Some(grid), _) => {
                let [x, y, z] = grid.counts;
                x.checked_mul(y).and_then(|count| count.checked_mul(z))
            }
            (.., Some(ring)) => Some(ring.count),
            _ => Some(1),
        };
        if count == Some(0) {
            self.error(&field, "there are 0 copies", "give 1 or more");
            return None;
        }
        let most = MOST_BODIES.saturating_sub(already);
        if count.is_none_or(|count| count > most) {
            let what = format!("the scene has more than {MOST_BODIES} bodies");
            self.error(&field, what, "use fewer, or make a compound of those that never move apart");
            return None;
        }
        let turns = match (&body.row, &body.grid, &body.ring) {
            (Some(row), ..) => {
                let by = self.vector(&field.key("by"), &row.by)?;
                (0..row.count).map(|number| (Quat::IDENTITY, by * number as f64)).collect()
            }
            (_, Some(grid), _) => {
                let by = self.vector(&field.key("by"), &grid.by)?;
                let [nx, ny, nz] = grid.counts;
                let all = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
                all.map(|cell| (Quat::IDENTITY, by * Vec3::from(cell.map(|n| n as f64)))).collect()
            }
            (.., Some(ring)) => self.ring(&field, ring)?,
            _ => Vec::new(),
        };
        Some(Copies { turns })
    }

    fn ring(&mut self, path: &Path, ring: &Ring) -> Option<Vec<(Quat, Vec3)>> {
        let axis = self.direction(&path.key("axis"), &ring.axis.unwrap_or([0.0, 0.0, 1.0]));
        let angle = match &ring.angle {
            Some(angle) => self.si(&path.key("angle"), angle),
            None => Some(TAU / ring.count as f64),
        };
        let centre = self.vector_or(&path.key("centre"), &ring.centre, Vec3::ZERO);
        let (axis, angle, centre) = (axis?, angle?, centre?);
        let turn = |number: usize| {
            let turn = Quat::from_axis_angle(axis, angle * number as f64);
            (turn, centre - turn * centre)
        };
        Some((0..ring.count).map(turn).collect())
    }
}
