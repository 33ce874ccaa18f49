//! Groups ("islands") of contacts that act on each other.

use super::group_problem::GroupProblem;
use super::multipliers::Multipliers;
use super::sweeps::Sweeps;
use crate::islands::find;
use crate::solver::Outcome;
use crate::system::{System, SystemError};

/// A group of contacts that act on each other, with the memory of its methods and what they found.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactGroup {
    pub(super) contacts: Vec<usize>,
    pub(super) bodies: Vec<usize>,
    pub(super) problem: GroupProblem,
    pub(super) multipliers: Multipliers,
    pub(super) sweeps: Sweeps,
    pub(super) outcome: Outcome,
    pub(super) notes: Vec<String>,
    pub(super) error: Option<SystemError>,
}

/// Finds groups of contacts that act on each other.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupFinder {
    leader: Vec<usize>,
    place: Vec<usize>,
}

impl GroupFinder {
    /// Finds the groups of contacts that movable bodies connect, and puts them into the first entries of
    /// `groups`, whose memory is used again; returns how many there are. Contacts ascend in each group, and
    /// groups are ordered by their first contact.
    pub(super) fn find(&mut self, system: &System, groups: &mut Vec<ContactGroup>) -> usize {
        let GroupFinder { leader, place } = self;
        leader.clear();
        leader.extend(0..system.bodies.len());
        let is_movable = |body: usize| system.bodies[body].is_movable();
        for c in &system.contacts {
            if is_movable(c.body_a) && is_movable(c.body_b) {
                let (a, b) = (find(leader, c.body_a), find(leader, c.body_b));
                leader[a.max(b)] = a.min(b);
            }
        }
        place.clear();
        place.resize(system.bodies.len(), usize::MAX);
        let mut count = 0;
        for (contact, c) in system.contacts.iter().enumerate() {
            let mover = if is_movable(c.body_a) { c.body_a } else { c.body_b };
            let first = find(leader, mover);
            if place[first] == usize::MAX {
                place[first] = count;
                count += 1;
                if groups.len() < count {
                    groups.push(ContactGroup::default());
                }
                groups[count - 1].contacts.clear();
            }
            groups[place[first]].contacts.push(contact);
        }
        count
    }
}
