//! Coordinate sort, also known as sweep and prune (Baraff 1992).
//!
//! Boxes are kept sorted by their lower end along the axis on which they are spread most. Boxes that overlap
//! a given one start before it ends, and no farther before it begins than the longest box is long: only that
//! stretch is looked at. So that one long box does not make every stretch long, boxes are sorted apart by
//! length, a factor of two to a class. A box that moves a little moves a little in the order: insertion sort
//! puts it right.

use super::finder::Finder;
use super::table::is_empty;
use silvia_solid::{Aabb, Vec3};
use std::collections::BTreeMap;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct CoordinateSort {
    /// 0, 1 or 2.
    axis: usize,
    /// By the exponent of their length.
    classes: BTreeMap<i32, Class>,
    /// By slot.
    places: Vec<Option<Place>>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    class: i32,
    /// In the class's list.
    at: u32,
}

#[derive(Clone, Debug, Default)]
struct Class {
    /// Sorted by lower end, then by slot.
    starts: Vec<Start>,
    /// The greatest length any box here has had, m.
    longest: f64,
}

/// A box, with what decides nearly always.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Its lower end along the axis, m.
    low: f64,
    slot: u32,
    /// Its extent along the other axes, rounded to nearest, which never makes boxes that overlap seem apart.
    others: [f32; 4],
}

/// When more than one box in this many is to be placed, the lists are sorted as a whole.
const BULK_SHARE: usize = 16;

impl Finder for CoordinateSort {
    fn rebuild(&mut self, fat: &[Aabb], fresh_order: bool) {
        if fresh_order {
            self.axis = widest_spread(fat);
        }
        self.classes.clear();
        self.places.clear();
        self.places.resize(fat.len(), None);
        for (slot, b) in fat.iter().enumerate().filter(|(_, b)| !is_empty(b)) {
            let class = self.classes.entry(self.class_of(b)).or_default();
            class.starts.push(Start::of(slot as u32, b, self.axis));
            class.longest = class.longest.max(b.max[self.axis] - b.min[self.axis]);
        }
        for (&key, class) in &mut self.classes {
            class.starts.sort_unstable_by(Start::order);
            for (at, start) in class.starts.iter().enumerate() {
                self.places[start.slot as usize] = Some(Place { class: key, at: at as u32 });
            }
        }
    }

    fn place(&mut self, slots: &[u32], fat: &[Aabb]) {
        if slots.len() * BULK_SHARE > fat.len() {
            return self.rebuild(fat, false);
        }
        self.places.resize(fat.len(), None);
        for &slot in slots {
            self.place_one(slot, &fat[slot as usize]);
        }
    }

    #[inline(always)]
    fn query(&self, bounds: &Aabb, fat: &[Aabb], found: &mut Vec<u32>) {
        let (low, high) = (bounds.min[self.axis], bounds.max[self.axis]);
        let probe = Start::of(0, bounds, self.axis);
        for class in self.classes.values() {
            // Both differences may have been rounded the wrong way.
            let earliest = (low - class.longest.next_up()).next_down();
            let first = class.starts.partition_point(|start| start.low < earliest);
            for start in class.starts[first..].iter().take_while(|start| start.low <= high) {
                if start.others_overlap(&probe) && fat[start.slot as usize].overlaps(bounds) {
                    found.push(start.slot);
                }
            }
        }
    }
}

impl CoordinateSort {
    fn class_of(&self, b: &Aabb) -> i32 {
        // The exponent; that of zero and of what is nearly zero is the least.
        ((b.max[self.axis] - b.min[self.axis]).to_bits() >> 52) as i32
    }

    fn place_one(&mut self, slot: u32, b: &Aabb) {
        let wanted = (!is_empty(b)).then(|| self.class_of(b));
        let place = self.places[slot as usize];
        match (place, wanted) {
            (Some(place), Some(key)) if place.class == key => {
                if let Some(class) = self.classes.get_mut(&key) {
                    class.starts[place.at as usize] = Start::of(slot, b, self.axis);
                    class.longest = class.longest.max(b.max[self.axis] - b.min[self.axis]);
                    class.put_right(place.at as usize, key, &mut self.places);
                }
                return;
            }
            _ => {}
        }
        if let Some(place) = place
            && let Some(class) = self.classes.get_mut(&place.class)
        {
            class.starts.remove(place.at as usize);
            for start in &class.starts[place.at as usize..] {
                if let Some(place) = &mut self.places[start.slot as usize] {
                    place.at -= 1;
                }
            }
            self.places[slot as usize] = None;
        }
        if let Some(key) = wanted {
            let class = self.classes.entry(key).or_default();
            class.starts.push(Start::of(slot, b, self.axis));
            class.longest = class.longest.max(b.max[self.axis] - b.min[self.axis]);
            class.put_right(class.starts.len() - 1, key, &mut self.places);
        }
    }
}

impl Class {
    /// One entry may be out of order: shifts it to where it belongs, and notes the places of all that moved.
    fn put_right(&mut self, mut at: usize, key: i32, places: &mut [Option<Place>]) {
        let moving = self.starts[at];
        let mut note = |start: &Start, at: usize| {
            places[start.slot as usize] = Some(Place { class: key, at: at as u32 });
        };
        while at > 0 && self.starts[at - 1].order(&moving).is_gt() {
            self.starts[at] = self.starts[at - 1];
            note(&self.starts[at], at);
            at -= 1;
        }
        while at + 1 < self.starts.len() && self.starts[at + 1].order(&moving).is_lt() {
            self.starts[at] = self.starts[at + 1];
            note(&self.starts[at], at);
            at += 1;
        }
        self.starts[at] = moving;
        note(&moving, at);
    }
}

impl Start {
    #[inline(always)]
    fn of(slot: u32, b: &Aabb, axis: usize) -> Start {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let others = [b.min[u] as f32, b.min[v] as f32, b.max[u] as f32, b.max[v] as f32];
        Start { low: b.min[axis], slot, others }
    }

    fn order(&self, other: &Start) -> std::cmp::Ordering {
        self.low.total_cmp(&other.low).then(self.slot.cmp(&other.slot))
    }

    #[inline(always)]
    fn others_overlap(&self, other: &Start) -> bool {
        (self.others[0] <= other.others[2])
            & (self.others[1] <= other.others[3])
            & (other.others[0] <= self.others[2])
            & (other.others[1] <= self.others[3])
    }
}

/// The axis along which the centres vary most.
fn widest_spread(fat: &[Aabb]) -> usize {
    let live = || fat.iter().filter(|b| !is_empty(b)).map(|b| 0.5 * b.min + 0.5 * b.max);
    let count = live().count().max(1) as f64;
    let mean = live().fold(Vec3::ZERO, |sum, c| sum + c / count);
    let spread = live().fold(Vec3::ZERO, |sum, c| sum + (c - mean).powf(2.0) / count);
    (0..3).max_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(0)
}
