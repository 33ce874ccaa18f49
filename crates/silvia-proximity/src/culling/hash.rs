//! The hierarchical hash table (Overmars 1992; Mirtich 1996).
//!
//! Space is cut into cells at many levels, those of level `k` with sides of 2^k m. A box goes to the level
//! whose cells are just longer than its longest side, into the up to eight cells it reaches there: large and
//! small boxes mix freely. A query looks at every level that is in use, at the cells it reaches, or, if these
//! are more than the boxes of the level, at all of those. A box that stays in its cells costs nothing.

use super::finder::Finder;
use super::mix::MixMap;
use super::table::is_empty;
use silvia_solid::{Aabb, Vec3};
use std::collections::BTreeMap;

/// A cell, by its position in units of the level's side.
type Cell = [i64; 3];

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct HashTable {
    levels: BTreeMap<i32, Level>,
    /// By slot; `None` where a slot is free.
    places: Vec<Option<Place>>,
    /// By slot: its position among the members of its level.
    positions: Vec<u32>,
}

/// Where a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    level: i32,
    low: Cell,
    high: Cell,
}

#[derive(Clone, Debug)]
struct Level {
    /// 1 / the side of its cells, 1/m.
    scale: f64,
    /// The first entry of a cell.
    heads: MixMap<Cell, u32>,
    /// Chained by cell; unused entries are chained too.
    entries: Vec<Entry>,
    unused: u32,
    /// The slots in this level, in no order.
    members: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    slot: u32,
    next: u32,
}

/// The end of a chain.
const END: u32 = u32::MAX;
/// Cells are no smaller than a box's distance from the origin divided by two to this power, so that positions
/// fit into 64 bits.
const POSITION_BITS: i32 = 50;
/// The exponents of the numbers there are: cells that hold any box, and cells that hold a point alone.
const LEVELS: (i32, i32) = (-1021, 1023);

impl Finder for HashTable {
    fn rebuild(&mut self, fat: &[Aabb], _fresh_order: bool) {
        self.levels.clear();
        self.places.clear();
        let all: Vec<u32> = (0..fat.len() as u32).collect();
        self.place(&all, fat);
    }

    fn place(&mut self, slots: &[u32], fat: &[Aabb]) {
        self.places.resize(fat.len(), None);
        self.positions.resize(fat.len(), 0);
        for &slot in slots {
            let b = &fat[slot as usize];
            let new = (!is_empty(b)).then(|| Place::of(b));
            let old = std::mem::replace(&mut self.places[slot as usize], new);
            if old == new {
                continue;
            }
            if let Some(old) = old {
                self.leave(slot, &old);
            }
            if let Some(new) = new {
                let level = self.levels.entry(new.level).or_insert_with(|| Level::new(new.level));
                self.positions[slot as usize] = level.members.len() as u32;
                level.members.push(slot);
                cells(&new.low, &new.high).for_each(|cell| level.enter(cell, slot));
            }
        }
    }

    #[inline(always)]
    fn query(&self, bounds: &Aabb, fat: &[Aabb], found: &mut Vec<u32>) {
        for level in self.levels.values() {
            let (low, high) = (level.cell(bounds.min), level.cell(bounds.max));
            if reach(&low, &high) > level.members.len() as f64 {
                found.extend(level.members.iter().filter(|&&slot| fat[slot as usize].overlaps(bounds)));
                continue;
            }
            for cell in cells(&low, &high) {
                let mut at = level.heads.get(&cell).copied().unwrap_or(END);
                while at != END {
                    let Entry { slot, next } = level.entries[at as usize];
                    // A box in several of the cells is taken in the first of them.
                    let first = self.places[slot as usize]
                        .is_some_and(|place| (0..3).all(|axis| cell[axis] == low[axis].max(place.low[axis])));
                    if first && fat[slot as usize].overlaps(bounds) {
                        found.push(slot);
                    }
                    at = next;
                }
            }
        }
    }
}

impl HashTable {
    fn leave(&mut self, slot: u32, place: &Place) {
        let Some(level) = self.levels.get_mut(&place.level) else { return };
        cells(&place.low, &place.high).for_each(|cell| level.exit(cell, slot));
        let at = self.positions[slot as usize];
        level.members.swap_remove(at as usize);
        if let Some(&moved) = level.members.get(at as usize) {
            self.positions[moved as usize] = at;
        }
        if level.members.is_empty() {
            self.levels.remove(&place.level);
        }
    }
}

impl Place {
    fn of(b: &Aabb) -> Place {
        // Sizes may be infinite; the last level is for those.
        let needed =
            exponent_above(b.size().max_element()).max(exponent_above(b.magnitude()) - POSITION_BITS);
        let level = needed.clamp(LEVELS.0, LEVELS.1);
        let scale = 2f64.powi(-level);
        Place { level, low: cell(b.min, scale), high: cell(b.max, scale) }
    }
}

/// The least `k` with `2^k >= x`, or one more.
fn exponent_above(x: f64) -> i32 {
    // Biased exponent 0 means zero or subnormal, 2047 infinite.
    (x.to_bits() >> 52) as i32 - 1022
}

/// Where a point is; positions beyond 64 bits are all the last one.
#[inline(always)]
fn cell(p: Vec3, scale: f64) -> Cell {
    let position = |x: f64| (x * scale).floor() as i64;
    [position(p.x), position(p.y), position(p.z)]
}

/// The cells of a block, both corners included.
#[inline(always)]
fn cells(low: &Cell, high: &Cell) -> impl Iterator<Item = Cell> {
    let (low, high) = (*low, *high);
    (low[2]..=high[2])
        .flat_map(move |z| (low[1]..=high[1]).flat_map(move |y| (low[0]..=high[0]).map(move |x| [x, y, z])))
}

/// The number of cells of a block, roughly.
fn reach(low: &Cell, high: &Cell) -> f64 {
    (0..3).map(|axis| high[axis] as f64 - low[axis] as f64 + 1.0).product()
}

impl Level {
    fn new(level: i32) -> Level {
        Level {
            scale: 2f64.powi(-level),
            heads: MixMap::default(),
            entries: Vec::new(),
            unused: END,
            members: Vec::new(),
        }
    }

    #[inline(always)]
    fn cell(&self, p: Vec3) -> Cell {
        cell(p, self.scale)
    }

    fn enter(&mut self, cell: Cell, slot: u32) {
        let head = self.heads.entry(cell).or_insert(END);
        let entry = Entry { slot, next: *head };
        if self.unused == END {
            *head = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            *head = self.unused;
            self.unused = self.entries[*head as usize].next;
            self.entries[*head as usize] = entry;
        }
    }

    fn exit(&mut self, cell: Cell, slot: u32) {
        let Some(head) = self.heads.get_mut(&cell) else { return };
        let (mut before, mut at) = (END, *head);
        while at != END && self.entries[at as usize].slot != slot {
            (before, at) = (at, self.entries[at as usize].next);
        }
        if at == END {
            return;
        }
        let next = self.entries[at as usize].next;
        if before == END {
            *head = next;
        } else {
            self.entries[before as usize].next = next;
        }
        self.entries[at as usize].next = self.unused;
        self.unused = at;
        if *head == END {
            self.heads.remove(&cell);
        }
    }
}
