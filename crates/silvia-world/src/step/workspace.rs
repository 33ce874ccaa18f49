//! Memory of steps, kept from one to the next.

use crate::body::BodyState;
use crate::buffers::refill;
use crate::sorted::Sorted;
use crate::state::State;
use crate::step::cages::{Cages, Island};
use crate::step::find::PairMemory;
use crate::step::give_way::Held;
use crate::step::island::{Ended, Guesses, IslandOutcome, Stages};
use std::mem::{swap, take};

/// Memory of steps, kept from one to the next, so that a steady step allocates nothing. It is no part of the
/// world's state: it affects speed, never results. A clone of a world begins with none.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// Where all bodies start.
    pub(super) start: Vec<BodyState>,
    pub(super) cages: Cages,
    /// The islands of the step, each with its memory; and some more that had one in earlier steps.
    pub(super) slots: Vec<Slot>,
    /// The slots of islands that must be taken through the step now, in the order of islands.
    pub(super) due: Vec<usize>,
    /// Forces that islands found before they had to begin again.
    pub(super) guesses: Guesses,
    /// Scripted bodies that are held where they are in this step.
    pub(super) held: Vec<Held>,
    /// The slots of islands that have come through, in the order of islands.
    pub(super) done: Vec<usize>,
    /// Bodies that were changed from outside since the last step.
    pub(super) touched: Vec<u32>,
    /// The slots of islands that need not be taken through the step again, by their first bodies.
    pub(super) by_first: Vec<(u32, usize)>,
    /// Which bodies sleep, by number.
    pub(super) sleeps: Vec<bool>,
    /// What searches for contacts remember, by the numbers of two bodies.
    pub(super) memories: PairMemories,
    /// The same of pairs that were not known before.
    pub(super) new_memories: Vec<([u32; 2], PairMemory)>,
    /// The state that the world will have after the step.
    pub(super) next: State,
}

impl Workspace {
    /// Forgets a body that is removed: another may get its number.
    pub(crate) fn forget(&mut self, number: u32) {
        self.memories.retain(|pair| !pair.contains(&number));
        self.unsettle_body(number);
    }

    /// Takes over what is remembered about pairs of bodies.
    pub(crate) fn remember(&mut self, memories: Vec<([u32; 2], PairMemory)>) {
        self.memories.retain(|pair| memories.binary_search_by_key(pair, |(new, _)| *new).is_err());
        self.memories.extend(memories);
    }

    /// Whether nothing is remembered about any pair.
    pub(crate) fn knows_nothing(&self) -> bool {
        self.memories.len() == 0
    }

    /// Gives another what is remembered about pairs, and takes what that one remembers.
    pub(crate) fn exchange_memories(&mut self, other: &mut Workspace) {
        swap(&mut self.memories, &mut other.memories);
    }

    /// Something about a body has changed.
    pub(crate) fn unsettle_body(&mut self, number: u32) {
        self.touched.push(number);
    }

    /// Something about the world has changed.
    pub(crate) fn unsettle(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.settled_for = None);
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Workspace {
        Workspace::default()
    }
}

/// What searches for contacts remember, by the numbers of two bodies. It affects speed, never results.
pub(crate) type PairMemories = Sorted<[u32; 2], PairMemory>;

/// An island of a step, and its memory.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) island: Island,
    /// Where its bodies are, in the island's order.
    pub(super) states: Vec<BodyState>,
    pub(super) outcome: IslandOutcome,
    pub(super) stages: Stages,
    pub(super) failure: Option<Ended>,
    pub(super) is_due: bool,
    /// It has come through: `states` and `outcome` say how.
    pub(super) is_done: bool,
    pub(super) is_asleep: bool,
    /// The length of steps, s, that come to the same end as the last until something changes.
    pub(super) settled_for: Option<f64>,
}

impl Slot {
    /// Forgets its island.
    pub(super) fn clear(&mut self) {
        (self.is_due, self.is_done, self.is_asleep) = (false, false, false);
    }

    fn is_free(&self) -> bool {
        !(self.is_due || self.is_done || self.is_asleep)
    }

    /// Takes what is remembered about its island's pairs.
    pub(super) fn take_memories(&mut self, memories: &mut PairMemories) {
        self.stages.memories.clear();
        let pairs = self.island.numbered_pairs();
        self.stages.memories.extend(pairs.map(|pair| memories.get_mut(&pair).map(take).unwrap_or_default()));
    }

    /// Gives it back; that of pairs which were not known before becomes `new`.
    pub(super) fn give_memories(
        &mut self,
        memories: &mut PairMemories,
        new: &mut Vec<([u32; 2], PairMemory)>,
    ) {
        for (pair, memory) in self.island.numbered_pairs().zip(self.stages.memories.drain(..)) {
            match memories.get_mut(&pair) {
                Some(known) => *known = memory,
                None => new.push((pair, memory)),
            }
        }
    }
}

/// Gives each island a slot: one that has come through with the same island, or a free one. The slots of
/// islands that must be taken through the step are `due`, in the order of islands.
pub(super) fn assign(
    slots: &mut Vec<Slot>,
    islands: &mut [Island],
    (due, by_first): (&mut Vec<usize>, &mut Vec<(u32, usize)>),
    is_asleep: impl Fn(&Island) -> bool,
) {
    due.clear();
    let done = slots.iter().enumerate().filter(|(_, slot)| slot.is_done);
    refill(by_first, done.map(|(at, slot)| (slot.island.bodies[0], at)));
    by_first.sort_unstable();
    // No two islands have a body in common that contacts can move, and these come first.
    let known = |island: &Island| {
        let at = by_first.binary_search_by_key(&island.bodies[0], |&(body, _)| body).ok()?;
        Some(by_first[at].1)
    };
    for slot in slots.iter_mut() {
        (slot.is_due, slot.is_asleep, slot.is_done) = (false, false, false);
    }
    // Islands that have grown together with others are no more.
    for island in islands.iter().filter(|island| !is_asleep(island)) {
        if let Some(at) = known(island) {
            slots[at].is_done = slots[at].island == *island;
        }
    }
    for slot in slots.iter_mut().filter(|slot| !slot.is_done) {
        slot.settled_for = None;
    }
    let mut free = 0;
    for island in islands {
        if known(island).is_some_and(|at| slots[at].is_done && slots[at].island == *island) {
            continue;
        }
        while slots.get(free).is_some_and(|slot| !slot.is_free()) {
            free += 1;
        }
        if free == slots.len() {
            slots.push(Slot::default());
        }
        let slot = &mut slots[free];
        swap(&mut slot.island, island);
        slot.is_asleep = is_asleep(&slot.island);
        slot.is_due = !slot.is_asleep;
        if slot.is_due {
            due.push(free);
        }
    }
}
