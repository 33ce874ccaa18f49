//! What a culling that lives off coherence knows of its boxes, by slot.

use super::neighbours::Neighbour;
use super::quick::{Probe, Quick, Verdict};
use rayon::prelude::*;
use silvia_solid::{Aabb, Vec3};

/// For how many steps a fat box should last at the speed of the last step.
const STEPS_AHEAD: f64 = 6.0;
/// The margin is at most this fraction of the box's longest side: more would cost more neighbours than it
/// saves searches.
const MOST_MARGIN: f64 = 0.2;
/// A box so fast that its margin would not last this many steps gets none.
const FEWEST_STEPS: f64 = 3.0;
/// Slots to a task; a multiple of 64.
pub(super) const TASK: usize = 512;
/// Work on no more boxes than this, about a millisecond, is not worth handing to other threads: they may be
/// busy.
pub(super) const PARALLEL_FROM: usize = 8000;
/// No slot.
pub(super) const NONE: u32 = u32::MAX;

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

impl Slots {
    /// A new slot at the end, its box not yet wrapped.
    pub(super) fn add(&mut self, id: u32, bounds: &Aabb) -> u32 {
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
    pub(super) fn shift_touched(&mut self, boxes: &[Aabb], count: usize) -> Vec<u32> {
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

    pub(super) fn touch(&mut self, slot: usize) {
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

    /// Adds the neighbours of a slot that no longer are what its list says. Where lists are no halves, a pair
    /// of touched boxes is left to the lesser slot.
    #[inline(always)]
    pub(super) fn compare<const HALVES: bool>(
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
        for (at, neighbour) in list.iter().enumerate() {
            let other = neighbour.slot() as usize;
            let overlaps = self.overlaps(other, &probe, bounds, boxes);
            // Boxes that were not touched overlap as they did.
            if overlaps != neighbour.overlaps() && (HALVES || slot < other || !self.is_touched(other)) {
                turns.push(Turn { slot: slot as u32, at: at as u32, other: other as u32, overlaps });
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

/// What a task shifts: bits of touched slots, boxes in single precision, speeds, fat boxes.
type Task<'a> = (((&'a [u64], &'a mut [Quick]), &'a mut [[f32; 3]]), &'a [Aabb]);

/// The positions of the bits that are set in words of 64, rising.
#[inline(always)]
pub(super) fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
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
pub(super) struct Turn {
    pub(super) slot: u32,
    /// Where in the list of this slot the other is.
    pub(super) at: u32,
    pub(super) other: u32,
    pub(super) overlaps: bool,
}
