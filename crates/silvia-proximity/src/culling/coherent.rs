//! Culling that lives off coherence: most boxes stay near where they were.
//!
//! Each box is wrapped in a *fat box*, larger by a margin that grows with its recent speed, and knows its
//! *neighbours*, the boxes whose fat boxes overlap its own. While a box stays in its fat box no search is needed: the
//! pairs it can be part of are in its list, and only the lists of boxes that moved are looked at. A box that leaves its
//! fat box gets a new one and searches its neighbours again; when many do so at once, all lists are made anew in
//! one sweep (see [`super::wholesale`]). What searches is a [`Finder`].
//!
//! Boxes live in *slots*, ordered in space at every fresh start, so that what is near in space is near in memory.

use super::finder::Finder;
use super::neighbours::{Neighbour, Neighbours};
use super::news::News;
use super::quick::{Probe, Quick, Verdict};
use super::table::{Table, is_empty};
use super::{BoxId, Changes, Culling, CullingError, Pair};
use crate::lanes::with_simd;
use rayon::prelude::*;
use silvia_solid::{Aabb, Vec3};

/// For how many steps a fat box should last at the speed of the last step.
const STEPS_AHEAD: f64 = 6.0;
/// The margin is at most this fraction of the box's longest side: more would cost more neighbours than it saves searches.
const MOST_MARGIN: f64 = 0.2;
/// A box so fast that its margin would not last this many steps gets none.
const FEWEST_STEPS: f64 = 3.0;
/// All lists are made anew when more than one box in this many needs a new one.
const WHOLESALE_SHARE: usize = 8;
/// Slots are ordered anew when what searches have cost more than in a fresh order exceeds this share of a search for
/// every box: about what the new order costs.
pub(super) const RENEWAL_DEBT: f64 = 0.25;
/// Slots to a task; a multiple of 64.
const TASK: usize = 512;
/// Work on no more boxes than this is not worth handing to other threads.
pub(super) const PARALLEL_FROM: usize = 1500;
/// No slot.
pub(super) const NONE: u32 = u32::MAX;

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

/// What is known of the boxes by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// [`NONE`] for a slot whose box is gone.
    pub(super) ids: Vec<u32>,
    pub(super) fat: Vec<Aabb>,
    pub(super) quick: Vec<Quick>,
    /// How far the corners went in the last step in which they moved, m.
    pub(super) speed: Vec<[f32; 3]>,
    /// One bit a slot: put in or moved since the last update.
    pub(super) touched: Vec<u64>,
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
        let needy = gone.len() + strayed.len();
        if needy * WHOLESALE_SHARE > self.table.len() || self.debt > RENEWAL_DEBT * self.table.len() as f64 {
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
    /// Brings the slots up to date; gives the slots whose box is gone, and those whose box has left its fat box or is new.
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
            for neighbour in self.neighbours.list(slot as usize).to_vec() {
                if neighbour.overlaps() {
                    self.news.ended(self.slots.pair(slot, neighbour.slot()));
                }
                self.neighbours.part(slot, neighbour.slot());
            }
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
        let results: Vec<(Vec<u32>, Vec<usize>)> = if strayed.len() > PARALLEL_FROM / 8 {
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
                self.neighbours.part(slot, other);
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
            self.neighbours.mark(turn.a, turn.b, turn.overlaps);
            let pair = self.slots.pair(turn.a, turn.b);
            if turn.overlaps { self.news.began(pair) } else { self.news.ended(pair) }
        }
    }
}

/// What a task shifts: bits of touched slots, boxes in single precision, speeds, fat boxes.
type Task<'a> = (((&'a [u64], &'a mut [Quick]), &'a mut [[f32; 3]]), &'a [Aabb]);

/// The positions of the bits that are set in words of 64, rising.
#[inline(always)]
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut bits = word;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                64 * at + bit
            })
        })
    })
}

/// A pair that overlaps now and did not, or the other way round.
struct Turn {
    a: u32,
    b: u32,
    overlaps: bool,
}

impl Slots {
    /// A new slot at the end, its box not yet wrapped.
    fn add(&mut self, id: u32, bounds: &Aabb) -> u32 {
        let slot = self.ids.len();
        self.ids.push(id);
        self.fat.push(Aabb::EMPTY);
        self.quick.push(Quick::of(bounds));
        self.speed.push([0.0; 3]);
        if slot / 64 == self.touched.len() {
            self.touched.push(0);
        }
        slot as u32
    }

    /// Frees a slot whose box is gone.
    pub(super) fn clear(&mut self, slot: usize) {
        self.ids[slot] = NONE;
        self.fat[slot] = Aabb::EMPTY;
        self.touched[slot / 64] &= !(1 << (slot % 64));
    }

    /// Moves the boxes at touched slots; gives the slots whose box leaves its fat box, rising.
    fn shift_touched(&mut self, boxes: &[Aabb], count: usize) -> Vec<u32> {
        let Slots { ids, fat, quick, speed, touched } = self;
        let shift = |(task, (((words, quick), speed), fat)): (usize, Task<'_>)| {
            let (mut strayed, first) = (Vec::new(), task * TASK);
            for at in set_bits(words) {
                let (fat, bounds) = (&fat[at], &boxes[ids[first + at] as usize]);
                let moved = Quick::of(bounds);
                speed[at] = moved.shift(&quick[at]);
                quick[at] = moved;
                if !(fat.min.cmple(bounds.min).all() && bounds.max.cmple(fat.max).all()) {
                    strayed.push((first + at) as u32);
                }
            }
            strayed
        };
        if count > PARALLEL_FROM {
            let tasks = touched.par_chunks(TASK / 64).zip(quick.par_chunks_mut(TASK));
            let tasks = tasks.zip(speed.par_chunks_mut(TASK)).zip(fat.par_chunks(TASK));
            tasks.enumerate().map(shift).collect::<Vec<_>>().concat()
        } else {
            let tasks = touched.chunks(TASK / 64).zip(quick.chunks_mut(TASK));
            let tasks = tasks.zip(speed.chunks_mut(TASK)).zip(fat.chunks(TASK));
            tasks.enumerate().flat_map(shift).collect()
        }
    }

    fn touch(&mut self, slot: usize) {
        self.touched[slot / 64] |= 1 << (slot % 64);
    }

    fn is_touched(&self, slot: usize) -> bool {
        self.touched[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The ids at two slots.
    pub(super) fn pair(&self, a: u32, b: u32) -> (u32, u32) {
        (self.ids[a as usize], self.ids[b as usize])
    }

    /// Whether the box at a slot overlaps one, given by its probe and itself.
    #[inline(always)]
    pub(super) fn overlaps(&self, slot: usize, probe: &Probe, bounds: &Aabb, boxes: &[Aabb]) -> bool {
        match probe.against(&self.quick[slot]) {
            Verdict::Overlap => true,
            Verdict::Apart => false,
            Verdict::TooClose => boxes[self.ids[slot] as usize].overlaps(bounds),
        }
    }

    /// Adds the neighbours of a slot that no longer are what its list says. Where lists are no halves, a pair of touched boxes
    /// is left to the lesser slot.
    #[inline(always)]
    fn compare<const HALVES: bool>(
        &self,
        slot: usize,
        list: &[Neighbour],
        boxes: &[Aabb],
        turns: &mut Vec<Turn>,
    ) {
        let id = self.ids[slot];
        if HALVES && (id == NONE || list.is_empty()) {
            return;
        }
        let probe = self.quick[slot].probe();
        let bounds = &boxes[id as usize];
        for neighbour in list {
            let other = neighbour.slot() as usize;
            let overlaps = self.overlaps(other, &probe, bounds, boxes);
            // Boxes that were not touched overlap as they did.
            if overlaps != neighbour.overlaps() && (HALVES || slot < other || !self.is_touched(other)) {
                turns.push(Turn { a: slot as u32, b: other as u32, overlaps });
            }
        }
    }
}

/// A box and the margin it needs at its speed, m a step along each axis.
pub(super) fn fattened(bounds: &Aabb, speed: &[f32; 3]) -> Aabb {
    let most = MOST_MARGIN * bounds.size().max_element();
    if speed.iter().any(|&v| FEWEST_STEPS * f64::from(v) > most) {
        return *bounds;
    }
    // Speeds beyond single precision are infinite or NaN; `min` prefers the number.
    let margin = Vec3::from(speed.map(|v| (STEPS_AHEAD * f64::from(v)).min(most)));
    // Free slots are infinite: nothing else may be.
    Aabb { min: (bounds.min - margin).max(Vec3::MIN), max: (bounds.max + margin).min(Vec3::MAX) }
}
