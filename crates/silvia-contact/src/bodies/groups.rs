//! Groups ("islands") of contacts and rows that act on each other.

use super::general_group::GeneralAnswer;
use super::group_problem::GroupProblem;
use super::multipliers::Multipliers;
use super::rows::{ANY, PAIR};
use super::sweeps::Sweeps;
use crate::islands::find;
use crate::solver::Outcome;
use crate::system::{System, SystemError};

/// A group of contacts and rows that act on each other, with the memory of its methods and what they found.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactGroup {
    pub(super) contacts: Vec<usize>,
    pub(super) rows: Vec<usize>,
    /// Whether it holds nothing but contacts with one node on each side: the way over bodies is for these.
    pub(super) is_plain: bool,
    /// The nodes that contacts can move, ascending.
    pub(super) nodes: Vec<usize>,
    pub(super) problem: GroupProblem<PAIR>,
    /// The same for groups that are not plain.
    pub(super) general_problem: GroupProblem<ANY>,
    pub(super) multipliers: Multipliers,
    pub(super) sweeps: Sweeps,
    /// Of the nodes, where these are not what the impulses lead to but what was looked for.
    pub(super) motion: Vec<[f64; 6]>,
    /// What was found, unless the group is plain.
    pub(super) general: GeneralAnswer,
    pub(super) outcome: Outcome,
    pub(super) notes: Vec<String>,
    pub(super) error: Option<SystemError>,
}

/// Finds groups of contacts and rows that act on each other.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupFinder {
    leader: Vec<usize>,
    place: Vec<usize>,
}

impl GroupFinder {
    /// Finds the groups of contacts and rows that movable nodes connect, and puts them into the first entries
    /// of `groups`, whose memory is used again; returns how many there are. Contacts and rows ascend in each
    /// group, and groups are ordered by their first contact; those without contacts come last, by their first
    /// row. Rows on immovable nodes alone are in no group: no impulse changes anything there.
    pub(super) fn find(&mut self, system: &System, groups: &mut Vec<ContactGroup>) -> usize {
        self.leader.clear();
        self.leader.extend(0..system.nodes.len());
        let is_movable = |node: usize| system.nodes[node].is_movable();
        for c in &system.contacts {
            if let Some([(a, _), (b, _)]) = c.pair() {
                if is_movable(a) && is_movable(b) {
                    self.join(a, b);
                }
            } else {
                self.join_movable(system, &c.nodes());
            }
        }
        for row in &system.rows {
            let mut last = None;
            row.for_each_node(|node| {
                if is_movable(node) {
                    self.join(*last.get_or_insert(node), node);
                }
            });
        }
        self.place.clear();
        self.place.resize(system.nodes.len(), usize::MAX);
        let mut count = 0;
        for (contact, c) in system.contacts.iter().enumerate() {
            let pair = c.pair();
            let mover = match pair {
                Some([(a, _), (b, _)]) => Some(if is_movable(a) { a } else { b }),
                None => {
                    let nodes = c.nodes();
                    nodes.iter().copied().find(|&node| is_movable(node)).or(nodes.last().copied())
                }
            };
            if let Some(mover) = mover {
                let group = self.group_of(mover, groups, &mut count);
                group.contacts.push(contact);
                group.is_plain &= pair.is_some();
            }
        }
        for (index, row) in system.rows.iter().enumerate() {
            let mut mover = None;
            row.for_each_node(|node| {
                if is_movable(node) {
                    mover.get_or_insert(node);
                }
            });
            if let Some(mover) = mover {
                let group = self.group_of(mover, groups, &mut count);
                group.rows.push(index);
                group.is_plain = false;
            }
        }
        count
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (find(&mut self.leader, a), find(&mut self.leader, b));
        self.leader[a.max(b)] = a.min(b);
    }

    fn join_movable(&mut self, system: &System, nodes: &[usize]) {
        let mut movable = nodes.iter().copied().filter(|&node| system.nodes[node].is_movable());
        if let Some(first) = movable.next() {
            movable.for_each(|node| self.join(first, node));
        }
    }

    /// The group of a node, begun if it is new.
    fn group_of<'a>(
        &mut self,
        node: usize,
        groups: &'a mut Vec<ContactGroup>,
        count: &mut usize,
    ) -> &'a mut ContactGroup {
        let first = find(&mut self.leader, node);
        if self.place[first] == usize::MAX {
            self.place[first] = *count;
            *count += 1;
            if groups.len() < *count {
                groups.push(ContactGroup::default());
            }
            let group = &mut groups[*count - 1];
            group.contacts.clear();
            group.rows.clear();
            group.is_plain = true;
            // Of an earlier system.
            group.error = None;
            group.notes.clear();
            group.motion.clear();
        }
        &mut groups[self.place[first]]
    }
}
