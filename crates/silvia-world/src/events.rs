//! What began and ended with a step: bodies that touch, part, fall asleep and wake.

use crate::body::BodyId;
use crate::report::{ContactRecord, ImpactRecord};
use crate::state::State;

/// Something that began or ended with a step.
///
/// Bodies touch while they have a contact that is closed or bears a force, as in
/// [`World::contacts`](crate::World::contacts). What is compared are the ends of this step and of the last:
/// bodies that rebound within a step have touched and parted in it; those that slid off each other within
/// one without an impact are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepEvent {
    /// Two bodies touch that did not touch before.
    Touched {
        /// The lesser first.
        bodies: [BodyId; 2],
    },
    /// Two bodies no longer touch.
    Parted {
        /// The lesser first.
        bodies: [BodyId; 2],
    },
    /// A body fell asleep: this step left it as it was.
    Slept {
        /// Which.
        body: BodyId,
    },
    /// A body that slept in the last step moved, or could have moved, in this one.
    Woke {
        /// Which.
        body: BodyId,
    },
}

/// Adds what happened between two states: touches, partings, sleepers and wakers, each in the order of
/// bodies.
pub(crate) fn tell(
    before: &State,
    after: &State,
    impacts: &[ImpactRecord],
    id: impl Fn(u32) -> BodyId,
    events: &mut Vec<StepEvent>,
) {
    let (then, now) = (&before.contacts[..], &after.contacts[..]);
    let rebounded = rebounded(then, now, impacts);
    let of_bodies = |bodies: &[BodyId; 2]| *bodies;

    let from = events.len();
    events.extend(only_in(now, then).map(|bodies| StepEvent::Touched { bodies }));
    events.extend(rebounded.iter().map(of_bodies).map(|bodies| StepEvent::Touched { bodies }));
    events[from..].sort_unstable_by_key(StepEvent::bodies);
    let from = events.len();
    events.extend(only_in(then, now).map(|bodies| StepEvent::Parted { bodies }));
    events.extend(rebounded.iter().map(of_bodies).map(|bodies| StepEvent::Parted { bodies }));
    events[from..].sort_unstable_by_key(StepEvent::bodies);

    let slept = after.asleep.iter().filter(|number| before.asleep.binary_search(number).is_err());
    events.extend(slept.map(|&number| StepEvent::Slept { body: id(number) }));
    let woke = before.asleep.iter().filter(|number| after.asleep.binary_search(number).is_err());
    events.extend(woke.map(|&number| StepEvent::Woke { body: id(number) }));
}

impl StepEvent {
    /// The bodies it is about: a pair, or the same one twice.
    pub fn bodies(&self) -> [BodyId; 2] {
        match *self {
            StepEvent::Touched { bodies } | StepEvent::Parted { bodies } => bodies,
            StepEvent::Slept { body } | StepEvent::Woke { body } => [body, body],
        }
    }
}

/// The contacts of a pair, of some in the order of bodies. The pair has the lesser body first.
pub(crate) fn contacts_of(contacts: &[ContactRecord], pair: [BodyId; 2]) -> &[ContactRecord] {
    let from = contacts.partition_point(|contact| contact.bodies < pair);
    let count = contacts[from..].partition_point(|contact| contact.bodies == pair);
    &contacts[from..from + count]
}

/// The pairs that have a contact among these and none among those. Both are in the order of bodies.
fn only_in<'a>(
    these: &'a [ContactRecord],
    those: &'a [ContactRecord],
) -> impl Iterator<Item = [BodyId; 2]> + 'a {
    let mut others = pairs(those).peekable();
    pairs(these).filter(move |pair| {
        while others.next_if(|other| other < pair).is_some() {}
        others.peek() != Some(pair)
    })
}

fn pairs(contacts: &[ContactRecord]) -> impl Iterator<Item = [BodyId; 2]> + '_ {
    contacts.chunk_by(|a, b| a.bodies == b.bodies).map(|of_pair| of_pair[0].bodies)
}

/// The pairs that met in an impact, and touch neither before nor after.
fn rebounded(then: &[ContactRecord], now: &[ContactRecord], impacts: &[ImpactRecord]) -> Vec<[BodyId; 2]> {
    let is_short = |pair: &[BodyId; 2]| [then, now].iter().all(|list| contacts_of(list, *pair).is_empty());
    let mut pairs: Vec<[BodyId; 2]> = impacts.iter().map(|impact| impact.bodies).filter(is_short).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
