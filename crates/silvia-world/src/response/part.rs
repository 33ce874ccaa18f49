//! Whether and how a contact takes part in a fixpoint.

use super::fixpoint::Verdict;
use super::iterate::{Iterate, target};
use super::task::{Task, TaskContact};
use silvia_proximity::{Feature, shape_contact_at};
use silvia_solid::{Pose, Quat, Vec3};

/// A contact that was dropped and taken back so often stays.
const MOST_RETURNS: u8 = 2;

/// Edges whose normal has turned by more than this, rad, since they last held are not what they were: nearly
/// parallel ones.
const SAME_NORMAL: f64 = 0.02;

/// Whether and how a contact takes part.
///
/// It does from the first iterate on at which it holds, or nearly does with its gap not negative; near a
/// known answer also if it bore a load there. It is dropped where it bears an impulse, or would, although its
/// points have left the features: a vertex that slid off its face. It is not dropped because of a small turn
/// alone, which puts a neighbour of the vertex nearer to the face: that would let the body turn back, and so
/// on for ever. One that was dropped and taken back twice stays, for the same reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// It takes part.
    pub(super) is_taken: bool,
    /// It bears an impulse, by the last answer.
    pub(super) is_loaded: bool,
    /// At the last iterate looked at its points lie on its features.
    pub(super) is_there: bool,
    /// Whether the law holds for it there.
    pub(super) verdict: Verdict,
    was_dropped: bool,
    returns: u8,
    /// Rotations of its bodies where it last held.
    rotations: [Quat; 2],
    /// Its normal there.
    normal: Vec3,
}

impl Part {
    /// At the first iterate.
    pub(super) fn new(task: &Task<'_>, at: &Iterate, k: usize) -> Part {
        let (contact, state) = (&task.contacts[k], &at.states[k]);
        // Near an answer, what bore a load there is taken up again.
        let bore = task.near.is_some() && contact.guess != Vec3::ZERO;
        let takes_part = state.holds || contact.is_kept || bore || state.nearly && state.gap >= 0.0;
        Part {
            is_taken: takes_part,
            is_loaded: false,
            is_there: takes_part,
            verdict: Verdict::SETTLED,
            was_dropped: false,
            returns: if contact.is_kept { MOST_RETURNS } else { 0 },
            rotations: contact.bodies.map(|body| at.poses[body].rotation()),
            normal: at.states[k].normal,
        }
    }

    /// Looks at the next iterate.
    pub(super) fn look(&mut self, task: &Task<'_>, k: usize, next: &Iterate) {
        if next.states[k].holds {
            self.is_there = true;
            self.rotations = task.contacts[k].bodies.map(|body| next.poses[body].rotation());
            self.normal = next.states[k].normal;
        } else {
            let is_same =
                is_over_face(&task.contacts[k]) || next.states[k].normal.distance(self.normal) <= SAME_NORMAL;
            let may_turn = self.is_taken && self.is_loaded && is_same;
            let is_nearly = next.states[k].nearly && (self.is_taken || next.states[k].gap >= 0.0);
            self.is_there = self.stays() || is_nearly || may_turn && self.would_hold(task, k, next);
        }
    }

    /// Decides what to do after a look; contacts that may only join stay.
    pub(super) fn go_on(&mut self, task: &Task<'_>, k: usize, next: &Iterate, may_only_join: bool) {
        let gap = next.states[k].gap;
        let is_idle = !self.is_loaded && gap.is_finite() && gap >= target(task, k);
        let takes_part = self.is_there || self.is_taken && (is_idle || may_only_join);
        if takes_part && !self.is_taken && self.was_dropped {
            self.returns += 1;
        }
        self.was_dropped |= self.is_taken && !takes_part;
        self.is_taken = takes_part;
    }

    fn stays(self) -> bool {
        self.returns >= MOST_RETURNS
    }

    /// Whether it would hold with its points where they are, but its bodies turned to each other as when it
    /// last held.
    fn would_hold(&self, task: &Task<'_>, k: usize, next: &Iterate) -> bool {
        let TaskContact { bodies: [a, b], name, .. } = &task.contacts[k];
        let [pose_a, pose_b] = [next.poses[*a], next.poses[*b]];
        let point = next.states[k].points[1];
        let in_b = pose_b.inverse().transform_point(point);
        let rotation = pose_a.rotation() * self.rotations[0].conjugate() * self.rotations[1];
        let Ok(turned) = Pose::new(point - rotation * in_b, rotation.normalize()) else { return false };
        shape_contact_at(task.bodies[*a].shape, &pose_a, task.bodies[*b].shape, &turned, name).holds
    }
}

/// Whether one of its features is a face, whose normal is the contact's.
fn is_over_face(contact: &TaskContact) -> bool {
    contact.name.key.features.iter().any(|f| matches!(f, Feature::Face(_)))
}
