//! The contacts between two bodies over time (paper 4 §3): a set that grows and shrinks with hysteresis.
//!
//! A contact is known by its features. It is born when its features face each other nearer than one
//! threshold, lives while its points stay on the features and nearer than a second, wider one, and its points
//! are tracked as the bodies move. When a point slides off its feature, the contact is handed over to the
//! neighbour it slides onto, with the impulse it had.

use crate::gap_row::GapRow;
use silvia_proximity::{ContactBody, ContactName, ContactState, ShapeContact, shape_contact_at};
use silvia_solid::{Pose, Vec3};
use std::collections::BTreeMap;
use thiserror::Error;

/// Between which distances contacts begin and end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    enter: f64,
    leave: f64,
}

/// Thresholds that are not two lengths in order.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("contacts must begin (at {enter} m) nearer than they end (at {leave} m), both finite and above 0")]
pub struct ThresholdsError {
    /// As given, m.
    pub enter: f64,
    /// As given, m.
    pub leave: f64,
}

impl Thresholds {
    /// Contacts begin nearer than `enter` and end farther than `leave`, m.
    pub fn new(enter: f64, leave: f64) -> Result<Self, ThresholdsError> {
        if enter > 0.0 && enter < leave && leave.is_finite() {
            Ok(Self { enter, leave })
        } else {
            Err(ThresholdsError { enter, leave })
        }
    }

    /// How far to look for contacts so that none that could live is missed, m.
    pub fn reach(&self) -> f64 {
        self.leave
    }
}

/// A contact of the set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracked {
    /// Where its points are now.
    pub state: ContactState,
    /// For how many updates it has lived.
    pub age: u32,
    /// The impulse it last bore, in the frame in which the poses are given, N s: where a solver may start.
    pub impulse: Vec3,
}

/// Why a contact ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its gap grew beyond the threshold.
    Separated,
    /// A point slid off its feature, onto that of another contact, which goes on with its impulse.
    HandedTo(ContactName),
    /// A point slid off its feature, or the features turned away from each other.
    SlidOff,
}

/// What an update changed, in the order of features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New contacts.
    pub born: Vec<ContactName>,
    /// Contacts that ended, and why.
    pub ended: Vec<(ContactName, End)>,
}

/// The contacts between two bodies.
#[derive(Clone, Debug)]
pub struct ContactSet {
    thresholds: Thresholds,
    contacts: BTreeMap<ContactName, Tracked>,
}

impl ContactSet {
    /// No contacts yet.
    pub fn new(thresholds: Thresholds) -> Self {
        Self { thresholds, contacts: BTreeMap::new() }
    }

    /// How many contacts there are.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The contacts, in the order of their features.
    pub fn iter(&self) -> impl Iterator<Item = (&ContactName, &Tracked)> {
        self.contacts.iter()
    }

    /// The contact between two features.
    pub fn get(&self, name: &ContactName) -> Option<&Tracked> {
        self.contacts.get(name)
    }

    /// The rows of all contacts, in order, for bodies with these centres of mass.
    pub fn rows(&self, centres: [Vec3; 2]) -> Vec<GapRow> {
        self.contacts.values().map(|tracked| GapRow::new(&tracked.state, centres)).collect()
    }

    /// Keeps the impulses that a solver found, one a contact in order, for the next start. Others than there
    /// are contacts are left alone.
    pub fn remember(&mut self, impulses: &[Vec3]) {
        self.contacts.values_mut().zip(impulses).for_each(|(tracked, &impulse)| tracked.impulse = impulse);
    }

    /// Follows the bodies to new poses: contacts are tracked, ended, handed over and born. `found` is what
    /// [`shape_contacts`](silvia_proximity::shape_contacts) finds there within [`Thresholds::reach`].
    pub fn update(
        &mut self,
        a: &ContactBody,
        pose_a: &Pose,
        b: &ContactBody,
        pose_b: &Pose,
        found: &[ShapeContact],
    ) -> Changes {
        let mut changes = Changes::default();
        let mut ended = Vec::new();
        self.contacts.retain(|name, tracked| {
            tracked.state = shape_contact_at(a, pose_a, b, pose_b, name);
            tracked.age += 1;
            if !tracked.state.holds {
                ended.push((*name, Some(tracked.state), tracked.impulse));
            } else if tracked.state.gap > self.thresholds.leave {
                ended.push((*name, None, tracked.impulse));
            }
            tracked.state.holds && tracked.state.gap <= self.thresholds.leave
        });
        let enter = self.thresholds.enter;
        for contact in found.iter().filter(|contact| contact.state.holds && contact.state.gap <= enter) {
            if self.insert(contact) {
                changes.born.push(contact.name);
            }
        }
        for (name, slid_from, impulse) in ended {
            let heir = slid_from.and_then(|state| heir(&name, &state, found, self.thresholds.leave));
            let end = match (slid_from, heir) {
                (None, _) => End::Separated,
                (Some(_), None) => End::SlidOff,
                (Some(_), Some(heir)) => {
                    if self.insert(heir) {
                        changes.born.push(heir.name);
                    }
                    if let Some(tracked) = self.contacts.get_mut(&heir.name) {
                        tracked.impulse += impulse;
                    }
                    End::HandedTo(heir.name)
                }
            };
            changes.ended.push((name, end));
        }
        changes.born.sort_unstable();
        changes
    }

    /// Takes a pair into the set that a check found about to cross, however far apart it is now; false if it
    /// was there. Like any other it ends at the next update if it does not hold there.
    pub fn grow(&mut self, contact: &ShapeContact) -> bool {
        self.insert(contact)
    }

    fn insert(&mut self, contact: &ShapeContact) -> bool {
        let mut is_new = false;
        self.contacts.entry(contact.name).or_insert_with(|| {
            is_new = true;
            Tracked { state: contact.state, age: 0, impulse: Vec3::ZERO }
        });
        is_new
    }
}

/// The contact onto which one slid: it has a feature in common with it, holds, and its points are where those
/// of the old one are now, no farther off than contacts reach.
fn heir<'a>(
    name: &ContactName,
    state: &ContactState,
    found: &'a [ShapeContact],
    leave: f64,
) -> Option<&'a ShapeContact> {
    let shares = |other: &ContactName| {
        let side =
            |i: usize| (other.parts[i], other.key.features[i]) == (name.parts[i], name.key.features[i]);
        side(0) || side(1)
    };
    let away = |other: &ShapeContact| {
        let off = |i: usize| other.state.points[i].distance(state.points[i]);
        off(0).max(off(1))
    };
    found
        .iter()
        .filter(|other| other.state.holds && other.state.gap <= leave && other.name != *name)
        .filter(|other| shares(&other.name) && away(other) <= 2.0 * leave)
        .min_by(|x, y| away(x).total_cmp(&away(y)))
}
