//! Whether and how a contact takes part in a fixpoint.

use super::Demands;
use super::iterate::Iterate;
use crate::response::problem::{IslandProblem, Mobility, ProblemContact};
use crate::response::tuning;
use silvia_proximity::{ContactState, Feature, shape_contact_at};
use silvia_solid::{Pose, Quat, Vec3};

/// What a comparison of two iterates tells about contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// The law holds for the true gaps at the new iterate.
    pub(super) is_settled: bool,
    /// The solver itself left a gap below what it was asked for.
    pub(super) is_loose: bool,
}

impl Verdict {
    pub(super) const SETTLED: Verdict = Verdict { is_settled: true, is_loose: false };

    pub(super) fn and(self, other: Verdict) -> Verdict {
        Verdict { is_settled: self.is_settled && other.is_settled, is_loose: self.is_loose || other.is_loose }
    }
}

/// Whether and how a contact takes part.
///
/// It does from the first iterate on at which it holds, or nearly does with its gap not negative; near a
/// known answer also if it bore a load there. It is dropped where it bears an impulse, or would, although its
/// points have left the features: a vertex that slid off its face. It is not dropped because of a small turn
/// alone, which puts a neighbour of the vertex nearer to the face: that would let the body turn back, and so
/// on for ever. One that was dropped and taken back twice stays, for the same reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct Participation {
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

impl Participation {
    /// At the first iterate.
    pub(super) fn new(problem: &IslandProblem<'_>, at: &Iterate, k: usize) -> Participation {
        let (contact, state) = (&problem.contacts[k], &at.states[k]);
        // Near an answer, what bore a load there is taken up again.
        let bore = problem.nearby.is_some() && contact.guess != Vec3::ZERO;
        let takes_part = state.holds && is_from_outside(contact, state)
            || contact.is_kept
            || bore
            || state.nearly && state.gap >= 0.0;
        Participation {
            is_taken: takes_part,
            is_loaded: false,
            is_there: takes_part,
            verdict: Verdict::SETTLED,
            was_dropped: false,
            returns: if contact.is_kept { tuning::MOST_RETURNS } else { 0 },
            rotations: contact.bodies.map(|body| at.poses[body].rotation()),
            normal: at.states[k].normal,
        }
    }

    /// Looks at the next iterate, which a solution at `at` led to, with the impulse of the contact there.
    pub(super) fn look(
        &mut self,
        problem: &IslandProblem<'_>,
        (at, next): (&Iterate, &Iterate),
        k: usize,
        impulse: Vec3,
        mobilities: &[Mobility],
    ) {
        let shell = problem.contacts[k].shell;
        self.is_loaded =
            impulse != Vec3::ZERO && at.lift(problem, mobilities, k, impulse) > tuning::NO_IMPULSE * shell;
        if next.states[k].holds && (self.is_taken || is_from_outside(&problem.contacts[k], &next.states[k])) {
            self.is_there = true;
            self.rotations = problem.contacts[k].bodies.map(|body| next.poses[body].rotation());
            self.normal = next.states[k].normal;
        } else {
            let is_same = is_over_face(&problem.contacts[k])
                || next.states[k].normal.distance(self.normal) <= tuning::SAME_NORMAL;
            let may_turn = self.is_taken && self.is_loaded && is_same;
            let is_nearly = next.states[k].nearly && (self.is_taken || next.states[k].gap >= 0.0);
            self.is_there = self.stays() || is_nearly || may_turn && self.would_hold(problem, k, next);
        }
    }

    /// Decides what to do after a look; contacts that may only join stay.
    pub(super) fn go_on(&mut self, demands: Demands<'_>, k: usize, next: &Iterate, may_only_join: bool) {
        let gap = next.states[k].gap;
        let is_idle = !self.is_loaded && gap.is_finite() && gap >= demands.targets[k];
        let takes_part = self.is_there || self.is_taken && (is_idle || may_only_join);
        if takes_part && !self.is_taken && self.was_dropped {
            self.returns += 1;
        }
        self.was_dropped |= self.is_taken && !takes_part;
        self.is_taken = takes_part;
    }

    fn stays(self) -> bool {
        self.returns >= tuning::MOST_RETURNS
    }

    /// Whether it would hold with its points where they are, but its bodies turned to each other as when it
    /// last held.
    fn would_hold(&self, problem: &IslandProblem<'_>, k: usize, next: &Iterate) -> bool {
        let ProblemContact { bodies: [a, b], name, .. } = &problem.contacts[k];
        let [pose_a, pose_b] = [next.poses[*a], next.poses[*b]];
        let point = next.states[k].points[1];
        let in_b = pose_b.inverse().transform_point(point);
        let rotation = pose_a.rotation() * self.rotations[0].conjugate() * self.rotations[1];
        let Ok(turned) = Pose::new(point - rotation * in_b, rotation.normalize()) else { return false };
        shape_contact_at(problem.bodies[*a].shape, &pose_a, problem.bodies[*b].shape, &turned, name).holds
    }
}

/// Whether a contact that holds at an iterate can have been reached from outside. Where its bodies were
/// behind it at the start, and are behind it at the iterate, they went round it: something else keeps them
/// apart.
fn is_from_outside(contact: &ProblemContact, at: &ContactState) -> bool {
    at.gap >= 0.0 || contact.start.gap >= -contact.shell
}

/// Whether one of its features is a face, whose normal is the contact's.
fn is_over_face(contact: &ProblemContact) -> bool {
    contact.name.key.features.iter().any(|f| matches!(f, Feature::Face(_)))
}
