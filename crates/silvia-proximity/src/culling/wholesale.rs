//! All lists of neighbours made anew, in one sweep.

use super::coherent::{Coherent, RENEWAL_DEBT};
use super::finder::Finder;
use super::neighbours::{Neighbour, Neighbours};
use super::news::News;
use super::order::spatial_order;
use super::quick::Quick;
use super::slots::{NONE, PARALLEL_FROM, Slots, fattened};
use super::table::is_empty;
use crate::lanes::with_simd;
use rayon::prelude::*;
use silvia_solid::Aabb;
use std::ops::Range;

/// The order of slots is kept if searches in it are expected to be dearer by no more than this fraction.
const DECLINE_ALLOWED: f64 = 0.2;
/// Slots to a task; a multiple of the tree's width.
const TASK: usize = 512;

/// What a task makes.
struct TaskResult {
    lengths: Vec<u32>,
    list: Vec<Neighbour>,
    news: News,
}

impl<F: Finder> Coherent<F> {
    /// Wraps all boxes and finds all neighbours anew. `gone`: the slots whose box was removed since the last
    /// update; these and the new boxes have not been dealt with, while boxes that moved have been shifted.
    pub(super) fn wholesale(&mut self, gone: &[u32]) {
        if !gone.is_empty() {
            self.neighbours.complete();
        }
        self.bury(gone);
        let old_ids = self.refresh();
        let mut before = std::mem::take(&mut self.neighbours);
        if old_ids.is_some() {
            // What was the lesser slot of a pair may now be the greater.
            before.complete();
        }
        let count = self.slots.ids.len();
        let view = View {
            slots: &self.slots,
            boxes: self.table.boxes(),
            before: &before,
            renumbered: old_ids.map(|old_ids| Renumbered::new(&old_ids, &self.slot_of, count)),
        };
        let finder = &self.finder;
        let make = |task: usize| {
            with_simd(
                #[inline(always)]
                || view.make(finder, task * TASK..((task + 1) * TASK).min(count)),
            )
        };
        let tasks = count.div_ceil(TASK);
        let parts: Vec<TaskResult> = if count > PARALLEL_FROM {
            (0..tasks).into_par_iter().map(make).collect()
        } else {
            (0..tasks).map(make).collect()
        };
        for part in &parts {
            self.news.append(&part.news);
        }
        let parts = parts.iter().map(|p| (p.lengths.as_slice(), p.list.as_slice()));
        self.neighbours = Neighbours::from_parts(parts, std::mem::take(&mut self.spare));
        self.spare = before;
    }

    /// Reports the pairs of boxes that are gone, and frees their slots.
    fn bury(&mut self, gone: &[u32]) {
        let is_gone = |slot: u32| self.slot_of[self.slots.ids[slot as usize] as usize] != slot;
        for &slot in gone {
            for other in self.neighbours.list(slot as usize).iter().filter(|n| n.overlaps()).map(|n| n.slot())
            {
                if slot < other || !is_gone(other) {
                    self.news.ended(self.slots.pair(slot, other));
                }
            }
        }
        for &slot in gone {
            self.slots.clear(slot as usize);
        }
    }

    /// Wraps all boxes anew and takes them into the finder, in the old order if that is good enough. If not,
    /// gives what the ids in the old order were.
    fn refresh(&mut self) -> Option<Vec<u32>> {
        let live = self.table.len();
        let overdrawn = std::mem::take(&mut self.debt) > RENEWAL_DEBT * live as f64;
        if !overdrawn && self.ordered == live && self.slots.ids.len() == live {
            self.slots.wrap(self.table.boxes());
            self.finder.rebuild(&self.slots.fat, false);
            if self.finder.decline() <= DECLINE_ALLOWED {
                return None;
            }
        }
        let boxes = self.table.boxes();
        let ids = spatial_order((0..).zip(boxes.iter().copied()).filter(|(_, b)| !is_empty(b)));
        let old = std::mem::take(&mut self.slots);
        self.slots.quick = ids.iter().map(|&id| Quick::of(&boxes[id as usize])).collect();
        self.slots.speed = ids.iter().map(|&id| old.speed[self.slot_of[id as usize] as usize]).collect();
        self.slots.touched = vec![0; ids.len().div_ceil(64)];
        self.slots.fat = vec![Aabb::EMPTY; ids.len()];
        for (slot, &id) in ids.iter().enumerate() {
            self.slot_of[id as usize] = slot as u32;
        }
        self.slots.ids = ids;
        self.slots.wrap(boxes);
        self.finder.rebuild(&self.slots.fat, true);
        self.ordered = live;
        Some(old.ids)
    }
}

impl Slots {
    /// Gives every box, none of which is gone, a new fat box.
    fn wrap(&mut self, boxes: &[Aabb]) {
        let Slots { ids, fat, speed, .. } = self;
        let wrap = |((fat, &id), speed): ((&mut Aabb, &u32), &[f32; 3])| {
            *fat = fattened(&boxes[id as usize], speed);
        };
        if ids.len() > PARALLEL_FROM {
            fat.par_iter_mut().zip(&*ids).zip(&*speed).with_min_len(TASK).for_each(wrap);
        } else {
            fat.iter_mut().zip(&*ids).zip(&*speed).for_each(wrap);
        }
    }
}

/// What the tasks look at.
struct View<'a> {
    slots: &'a Slots,
    boxes: &'a [Aabb],
    /// The lists as they were, by slots as they were.
    before: &'a Neighbours,
    renumbered: Option<Renumbered>,
}

struct Renumbered {
    /// By slot as it is; [`NONE`] for a new box.
    old_of: Vec<u32>,
    /// By slot as it was; [`NONE`] for a box that is gone.
    new_of: Vec<u32>,
}

impl Renumbered {
    fn new(old_ids: &[u32], slot_of: &[u32], count: usize) -> Renumbered {
        let mut old_of = vec![NONE; count];
        let new_of: Vec<u32> =
            old_ids.iter().map(|&id| if id == NONE { NONE } else { slot_of[id as usize] }).collect();
        for (old, &new) in new_of.iter().enumerate().filter(|(_, new)| **new != NONE) {
            old_of[new as usize] = old as u32;
        }
        Renumbered { old_of, new_of }
    }
}

impl View<'_> {
    /// The lists of a run of slots, rising, and what is new in them.
    #[inline(always)]
    fn make<F: Finder>(&self, finder: &F, run: Range<usize>) -> TaskResult {
        let mut part = TaskResult {
            lengths: Vec::with_capacity(run.len()),
            list: Vec::with_capacity(16 * run.len()),
            news: News::default(),
        };
        let (mut then, mut sorted) = (Vec::new(), Vec::new());
        finder.query_run(
            run,
            &self.slots.fat,
            #[inline(always)]
            |slot: u32, found: &[u32]| {
                let found = in_order(found, &mut sorted);
                then.clear();
                self.overlapped_before(slot, &mut then);
                let mut then = then.iter().copied().peekable();
                let probe = self.slots.quick[slot as usize].probe();
                let bounds = &self.boxes[self.slots.ids[slot as usize] as usize];
                let before = part.list.len();
                for &other in found.iter().filter(|&&other| other > slot) {
                    let overlaps = self.slots.overlaps(other as usize, &probe, bounds, self.boxes);
                    part.list.push(Neighbour::new(other, overlaps));
                    if overlaps {
                        while let Some(ended) = then.next_if(|&t| t < other) {
                            part.news.ended(self.slots.pair(slot, ended));
                        }
                        if then.next_if_eq(&other).is_none() {
                            part.news.began(self.slots.pair(slot, other));
                        }
                    }
                }
                part.lengths.push((part.list.len() - before) as u32);
                then.for_each(|ended| part.news.ended(self.slots.pair(slot, ended)));
            },
        );
        part
    }

    /// The boxes in later slots that overlapped this one at the last update and are still there, rising.
    #[inline(always)]
    fn overlapped_before(&self, slot: u32, then: &mut Vec<u32>) {
        let (old, new_of) = match &self.renumbered {
            Some(Renumbered { old_of, new_of }) => (old_of[slot as usize], Some(new_of)),
            None => (slot, None),
        };
        if old == NONE {
            return;
        }
        let overlapping = self.before.list(old as usize).iter().filter(|n| n.overlaps()).map(|n| n.slot());
        let renamed = overlapping.map(|other| new_of.map_or(other, |new_of| new_of[other as usize]));
        then.extend(renamed.filter(|&other| other != NONE && slot < other));
        if !then.is_sorted() {
            then.sort_unstable();
        }
    }
}

/// The same slots, rising; most finders give them so.
#[inline(always)]
fn in_order<'a>(slots: &'a [u32], scratch: &'a mut Vec<u32>) -> &'a [u32] {
    if slots.is_sorted() {
        return slots;
    }
    scratch.clear();
    scratch.extend_from_slice(slots);
    scratch.sort_unstable();
    scratch
}
