//! Memory of steps, kept from one to the next.

use crate::body::BodyState;
use crate::sorted::Sorted;
use crate::state::State;
use crate::step::cages::{Cages, Island};
use crate::step::contacts::PairMemory;
use crate::step::island::{Ended, Guesses, Ran};
use crate::step::room::Room;
use std::mem::{swap, take};

/// Memory of steps, kept from one to the next, so that a steady step need not ask for any. It is no part of
/// the world's state: nothing but time comes of it, and a clone of a world begins with none.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// Of all bodies, where the step starts.
    pub(super) start: Vec<BodyState>,
    pub(super) cages: Cages,
    /// The islands of the step, each with its memory; and some more that had one in earlier steps.
    pub(super) slots: Vec<Slot>,
    /// The slots of islands that are to be taken through the step now, in the order of islands.
    pub(super) due: Vec<usize>,
    /// What islands that must begin again had found.
    pub(super) guesses: Guesses,
    /// The slots of islands that have come through, in the order of islands.
    pub(super) done: Vec<usize>,
    /// By number of bodies.
    pub(super) sleeps: Vec<bool>,
    /// To become the world's.
    pub(super) next: State,
}

impl Clone for Workspace {
    fn clone(&self) -> Workspace {
        Workspace::default()
    }
}

/// What searches for contacts left for the next, by the numbers of two bodies. Nothing but time comes of it.
pub(crate) type PairMemories = Sorted<[u32; 2], PairMemory>;

/// An island of a step, and its memory.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) island: Island,
    pub(super) ran: Ran,
    pub(super) room: Room,
    pub(super) failure: Option<Ended>,
    pub(super) is_due: bool,
    /// It has come through, and `ran` tells how.
    pub(super) is_done: bool,
    pub(super) is_asleep: bool,
}

impl Slot {
    /// Makes it one of no island.
    pub(super) fn empty(&mut self) {
        (self.is_due, self.is_done, self.is_asleep) = (false, false, false);
    }

    fn is_free(&self) -> bool {
        !(self.is_due || self.is_done || self.is_asleep)
    }

    /// Takes what is known about its island's pairs.
    pub(super) fn take_memories(&mut self, memories: &mut PairMemories) {
        self.room.memories.clear();
        let pairs = self.island.numbered_pairs();
        self.room.memories.extend(pairs.map(|pair| memories.get_mut(&pair).map(take).unwrap_or_default()));
    }

    /// Gives it back.
    pub(super) fn give_memories(&mut self, memories: &mut PairMemories) {
        let mut new = Vec::new();
        for (pair, memory) in self.island.numbered_pairs().zip(self.room.memories.drain(..)) {
            match memories.get_mut(&pair) {
                Some(known) => *known = memory,
                None => new.push((pair, memory)),
            }
        }
        memories.extend(new);
    }
}

/// Gives each island a slot: that of one that has come through and is the same, or one that has no island any
/// more. Those that must be taken through the step are `due`, in the order of islands.
pub(super) fn assign(
    slots: &mut Vec<Slot>,
    islands: &mut [Island],
    due: &mut Vec<usize>,
    is_asleep: impl Fn(&Island) -> bool,
) {
    due.clear();
    let has_any = slots.iter().any(|slot| slot.is_done);
    for slot in slots.iter_mut() {
        (slot.is_due, slot.is_asleep) = (false, false);
        // Islands that have grown together with others are no more.
        slot.is_done = slot.is_done && islands.contains(&slot.island);
    }
    let mut free = 0;
    for island in islands {
        let is_asleep = is_asleep(island);
        if has_any && !is_asleep && slots.iter().any(|slot| slot.is_done && slot.island == *island) {
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
        (slot.is_asleep, slot.is_due) = (is_asleep, !is_asleep);
        if slot.is_due {
            due.push(free);
        }
    }
}
