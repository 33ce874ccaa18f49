//! Culling that lives off coherence: most boxes stay near where they were.
//!
//! Each box is wrapped in a *fat box*, larger by a margin that grows with its recent speed, and knows its
//! *neighbours*, the boxes whose fat boxes overlap its own. While a box stays in its fat box no search is
//! needed: the pairs it can be part of are in its list, and only the lists of boxes that moved are looked at.
//! A box that leaves its fat box gets a new one and searches its neighbours again; when many do so at once,
//! all lists are made anew in one sweep (see [`super::wholesale`]). What searches is a [`Finder`].
//!
//! Boxes live in *slots*, ordered in space at every fresh start, so that what is near in space is near in
//! memory.

use super::finder::Finder;
use super::neighbours::{Neighbour, Neighbours};
use super::news::News;
use super::slots::{NONE, PARALLEL_FROM, Slots, TASK, Turn, fattened, set_bits};
use super::table::{Table, is_empty};
use super::{BoxId, Changes, Culling, CullingError, MOST_BOXES, Pair};
use crate::lanes::with_simd;
use rayon::prelude::*;
use silvia_solid::Aabb;

/// All lists are made anew when more than one box in this many needs a new one.
const WHOLESALE_SHARE: usize = 8;
/// Slots are ordered anew when what searches have cost more than in a fresh order exceeds this share of a
/// search for every box: about what the new order costs.
pub(super) const RENEWAL_DEBT: f64 = 0.25;
/// Slots are ordered anew, too, when there are more than this many for each box: boxes that come and go leave
/// free slots behind.
const SLOTS_EACH: usize = 2;
/// So many more are no matter, so that a handful of boxes is not ordered all the time.
const SLOTS_SPARE: usize = 64;
/// Before that, as many boxes as there may be can have come at once. A slot must fit into a [`Neighbour`]
/// whatever happened.
const _: () = assert!((SLOTS_EACH + 1) * MOST_BOXES + SLOTS_SPARE <= Neighbour::SLOTS);

/// A culling with a given way to search.
#[derive(Debug, Default)]
pub(super) struct Coherent<F> {
    pub(super) table: Table,
    /// By id; [`NONE`] for an id that is free, or new since the last update.
    pub(super) slot_of: Vec<u32>,
    pub(super) slots: Slots,
    pub(super) neighbours: Neighbours,
    /// The lists before the last sweep, for their memory.
    pub(super) spare: Neighbours,
    pub(super) finder: F,
    pub(super) news: News,
    /// What searches have cost more than in a fresh order, in searches.
    pub(super) debt: f64,
    /// The number of slots when they were ordered.
    pub(super) ordered: usize,
    /// How many slots are touched.
    touched_count: usize,
    pair_count: usize,
    changes: Changes,
    /// Scratch, by slot: which search named it last.
    named: Vec<u32>,
}

impl<F: Finder> Culling for Coherent<F> {
    fn insert(&mut self, boxes: &[Aabb]) -> Result<Vec<BoxId>, CullingError> {
        self.table.insert(boxes)
    }

    fn relocate(&mut self, moves: &[(BoxId, Aabb)]) -> Result<(), CullingError> {
        self.table.relocate(moves)
    }

    fn remove(&mut self, ids: &[BoxId]) -> Result<(), CullingError> {
        self.table.remove(ids)
    }

    fn update(&mut self) -> &Changes {
        let (gone, strayed) = self.sort_out();
        let (live, needy) = (self.table.len(), gone.len() + strayed.len());
        if needy * WHOLESALE_SHARE > live
            || self.debt > RENEWAL_DEBT * live as f64
            || self.slots.ids.len() > SLOTS_EACH * live + SLOTS_SPARE
        {
            self.wholesale(&gone);
        } else {
            if !(gone.is_empty() && strayed.is_empty()) {
                self.neighbours.complete();
            }
            self.forget(&gone);
            self.settle(&gone, &strayed);
            self.compare_touched();
        }
        self.slots.touched.fill(0);
        self.changes = self.news.publish();
        self.pair_count = self.pair_count + self.changes.began.len() - self.changes.ended.len();
        &self.changes
    }

    fn pairs(&self) -> Vec<Pair> {
        // Sorted by counting on the lesser id, then in small groups.
        let mut ends = vec![0usize; self.slot_of.len() + 1];
        self.for_each_pair(&mut |pair| ends[pair.first.index() + 1] += 1);
        for id in 0..self.slot_of.len() {
            ends[id + 1] += ends[id];
        }
        let mut pairs = vec![Pair { first: BoxId(0), second: BoxId(0) }; self.pair_count];
        self.for_each_pair(&mut |pair| {
            let end = &mut ends[pair.first.index()];
            pairs[*end] = pair;
            *end += 1;
        });
        pairs.chunk_by_mut(|a, b| a.first == b.first).for_each(|group| group.sort_unstable());
        pairs
    }

    fn for_each_pair(&self, visit: &mut dyn FnMut(Pair)) {
        for (slot, &id) in self.slots.ids.iter().enumerate() {
            for neighbour in self.neighbours.list(slot) {
                let other = neighbour.slot() as usize;
                if neighbour.overlaps() && slot < other {
                    visit(Pair::of(BoxId(id), BoxId(self.slots.ids[other])));
                }
            }
        }
    }

    fn pair_count(&self) -> usize {
        self.pair_count
    }

    fn bounds(&self, id: BoxId) -> Option<Aabb> {
        self.table.get(id)
    }

    fn len(&self) -> usize {
        self.table.len()
    }
}

impl<F: Finder> Coherent<F> {
    /// Brings the slots up to date; gives the slots whose box is gone, and those whose box has left its fat
    /// box or is new.
    fn sort_out(&mut self) -> (Vec<u32>, Vec<u32>) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        self.slot_of.resize(self.table.boxes().len(), NONE);
        self.touched_count = 0;
        for id in self.table.take_touched() {
            let bounds = &self.table.boxes()[id as usize];
            let slot = &mut self.slot_of[id as usize];
            match (*slot == NONE, is_empty(bounds)) {
                (true, true) => {}
                (false, true) => {
                    gone.push(*slot);
                    *slot = NONE;
                }
                (true, false) => {
                    *slot = self.slots.add(id, bounds);
                    self.neighbours.add_slot();
                    new.push(*slot);
                }
                (false, false) => {
                    self.slots.touch(*slot as usize);
                    self.touched_count += 1;
                }
            }
        }
        let mut strayed = self.slots.shift_touched(self.table.boxes(), self.touched_count);
        // New slots are the last.
        strayed.extend(&new);
        new.iter().for_each(|&slot| self.slots.touch(slot as usize));
        self.touched_count += new.len();
        (gone, strayed)
    }

    /// Takes boxes that are gone out of all lists.
    fn forget(&mut self, gone: &[u32]) {
        for &slot in gone {
            for neighbour in self.neighbours.list(slot as usize).iter().filter(|n| n.overlaps()) {
                self.news.ended(self.slots.pair(slot, neighbour.slot()));
            }
            self.neighbours.isolate(slot);
            self.slots.clear(slot as usize);
        }
    }

    /// Gives boxes that strayed new fat boxes and neighbours.
    fn settle(&mut self, gone: &[u32], strayed: &[u32]) {
        if gone.is_empty() && strayed.is_empty() {
            return;
        }
        for &slot in strayed {
            let bounds = self.table.boxes()[self.slots.ids[slot as usize] as usize];
            self.slots.fat[slot as usize] = fattened(&bounds, &self.slots.speed[slot as usize]);
        }
        let mut changed = [gone, strayed].concat();
        changed.sort_unstable();
        self.finder.place(&changed, &self.slots.fat);
        self.debt += self.finder.decline() * strayed.len() as f64;

        let (finder, fat) = (&self.finder, &self.slots.fat);
        let search = |slots: &[u32]| {
            with_simd(
                #[inline(always)]
                || {
                    let (mut found, mut ends) = (Vec::with_capacity(16 * slots.len()), Vec::new());
                    for &slot in slots {
                        finder.query(&fat[slot as usize], fat, &mut found);
                        ends.push(found.len());
                    }
                    (found, ends)
                },
            )
        };
        let results: Vec<(Vec<u32>, Vec<usize>)> = if strayed.len() > PARALLEL_FROM / 32 {
            strayed.par_chunks(TASK / 8).map(search).collect()
        } else {
            vec![search(strayed)]
        };
        let mut slots = strayed.iter();
        for (found, ends) in &results {
            let mut start = 0;
            for (&end, &slot) in ends.iter().zip(&mut slots) {
                self.adopt(slot, &found[start..end]);
                start = end;
            }
        }
        self.neighbours.tidy();
    }

    /// Makes the list of a slot what a search has found.
    fn adopt(&mut self, slot: u32, found: &[u32]) {
        self.named.resize(self.slots.ids.len(), NONE);
        for &other in found {
            self.named[other as usize] = slot;
        }
        self.named[slot as usize] = NONE;
        let mut at = 0;
        while let Some(&neighbour) = self.neighbours.list(slot as usize).get(at) {
            let other = neighbour.slot();
            if self.named[other as usize] == slot {
                self.named[other as usize] = NONE;
                at += 1;
            } else {
                if neighbour.overlaps() {
                    self.news.ended(self.slots.pair(slot, other));
                }
                self.neighbours.part(slot, at);
            }
        }
        for &other in found {
            if self.named[other as usize] == slot {
                self.named[other as usize] = NONE;
                self.neighbours.join(slot, other);
            }
        }
    }

    /// Compares the boxes that were touched with their neighbours.
    fn compare_touched(&mut self) {
        if 2 * self.touched_count < self.slots.ids.len() {
            self.neighbours.complete();
        }
        let (slots, neighbours, boxes) = (&self.slots, &self.neighbours, self.table.boxes());
        // With halves a pair may be in the list of the one that was not touched.
        let halves = neighbours.are_halves();
        let compare = |(task, words): (usize, &[u64])| {
            with_simd(
                #[inline(always)]
                || {
                    let (mut turns, first) = (Vec::new(), task * TASK);
                    if halves {
                        for slot in first..(first + TASK).min(slots.ids.len()) {
                            slots.compare::<true>(slot, neighbours.list(slot), boxes, &mut turns);
                        }
                    } else {
                        for at in set_bits(words) {
                            let slot = first + at;
                            slots.compare::<false>(slot, neighbours.list(slot), boxes, &mut turns);
                        }
                    }
                    turns
                },
            )
        };
        let turns: Vec<Vec<Turn>> = if self.touched_count > PARALLEL_FROM {
            slots.touched.par_chunks(TASK / 64).enumerate().map(compare).collect()
        } else {
            slots.touched.chunks(TASK / 64).enumerate().map(compare).collect()
        };
        for turn in turns.into_iter().flatten() {
            self.neighbours.mark(turn.slot, turn.at as usize, turn.overlaps);
            let pair = self.slots.pair(turn.slot, turn.other);
            if turn.overlaps { self.news.began(pair) } else { self.news.ended(pair) }
        }
    }
}

#[cfg(test)]
mod tests;
