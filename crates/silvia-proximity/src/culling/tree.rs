//! A tree of blocks of eight boxes, without pointers.
//!
//! Slots come in an order that keeps neighbours together, so that a node is simply a run of them: block `i`
//! of a level bounds the blocks `8 i` to `8 i + 7` of the level below. A box that moves changes its lane and
//! those above it; the order, and with it the shape of the tree, stays until queries have become too dear.

use super::block::{Block, Coordinate, Corners};
use super::finder::Finder;
use super::near_blocks::NearBlocks;
use super::order::WIDTH;
use super::yardstick::{Yardstick, typical_size};
use silvia_solid::{Aabb, Vec3};
use std::ops::Range;

/// In single precision where that is precise enough: half the memory, and eight lanes to a register.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Single(Blocks<f32>),
    Double(Blocks<f64>),
}

/// Single precision serves while rounding makes boxes larger by no more than this fraction of their size, or
/// of the typical one if that is more.
const ROUNDING_ALLOWED: f64 = 0.02;

impl Default for Tree {
    fn default() -> Self {
        Tree::Double(Blocks::default())
    }
}

impl Finder for Tree {
    fn rebuild(&mut self, fat: &[Aabb], fresh_order: bool) {
        let typical = fresh_order.then(|| typical_size(fat));
        if let Some(typical) = typical {
            *self = if single_serves(fat, typical.min_element()) {
                Tree::Single(Blocks::default())
            } else {
                Tree::Double(Blocks::default())
            };
        }
        match self {
            Tree::Single(blocks) => blocks.rebuild(fat, typical),
            Tree::Double(blocks) => blocks.rebuild(fat, typical),
        }
    }

    fn place(&mut self, slots: &[u32], fat: &[Aabb]) {
        match self {
            Tree::Single(blocks) => blocks.place(slots, fat),
            Tree::Double(blocks) => blocks.place(slots, fat),
        }
    }

    #[inline(always)]
    fn query(&self, bounds: &Aabb, _fat: &[Aabb], found: &mut Vec<u32>) {
        match self {
            Tree::Single(blocks) => blocks.query(bounds, found),
            Tree::Double(blocks) => blocks.query(bounds, found),
        }
    }

    #[inline(always)]
    fn query_run(&self, run: Range<usize>, _fat: &[Aabb], each: impl FnMut(u32, &[u32])) {
        self.later_overlaps(run, |_, _| true, each);
    }

    fn decline(&self) -> f64 {
        match self {
            Tree::Single(blocks) => blocks.decline(),
            Tree::Double(blocks) => blocks.decline(),
        }
    }
}

impl Tree {
    /// For the slots of a run, in order: the later slots whose box overlaps, rising. `settle` is asked about
    /// each, since rounding may have made boxes touch. The run starts at a multiple of the tree's width.
    #[inline(always)]
    pub(super) fn later_overlaps(
        &self,
        run: Range<usize>,
        settle: impl Fn(u32, u32) -> bool,
        each: impl FnMut(u32, &[u32]),
    ) {
        match self {
            Tree::Single(blocks) => blocks.later_overlaps(run, settle, each),
            Tree::Double(blocks) => blocks.later_overlaps(run, settle, each),
        }
    }

    /// How many blocks of leaves a query looks into, counted without the tree above them.
    #[cfg(test)]
    pub(super) fn leaf_blocks_within(&self, bounds: &Aabb) -> u32 {
        fn count<T: Coordinate>(blocks: &Blocks<T>, bounds: &Aabb) -> u32 {
            blocks.levels[0].iter().filter(|block| block.bounds().overlaps(bounds)).count() as u32
        }
        match self {
            Tree::Single(blocks) => count(blocks, bounds),
            Tree::Double(blocks) => count(blocks, bounds),
        }
    }
}

/// Whether single precision is enough for all boxes. `typical`: of a short side, m.
fn single_serves(fat: &[Aabb], typical: f64) -> bool {
    let per_metre = f64::from(f32::EPSILON) / ROUNDING_ALLOWED;
    let serves = |b: &Aabb| {
        let magnitude = b.magnitude();
        magnitude <= f64::from(f32::MAX) && per_metre * magnitude <= b.size().min_element().max(typical)
    };
    fat.iter().all(serves)
}

/// The levels of a tree, in either precision.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    /// From the leaves, whose lanes are slots, to the root, a single block.
    levels: Vec<Vec<Block<T>>>,
    /// Made when the order was new.
    yardstick: Yardstick,
    /// How many leaf blocks a query of typical size is expected to open, roughly.
    cost: f64,
    /// The same when the order was new.
    least_cost: f64,
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Blocks { levels: Vec::new(), yardstick: Yardstick::default(), cost: 0.0, least_cost: 0.0 }
    }
}

impl<T: Coordinate> Blocks<T> {
    /// `typical`: the size of a typical box, m, if the order is new.
    fn rebuild(&mut self, fat: &[Aabb], typical: Option<Vec3>) {
        self.levels.clear();
        self.cost = 0.0;
        if fat.is_empty() {
            return;
        }
        self.levels.push(fat.chunks(WIDTH).map(Block::of).collect());
        while self.levels[self.levels.len() - 1].len() > 1 {
            let below = &self.levels[self.levels.len() - 1];
            let bounds: Vec<Aabb> = below.iter().map(Block::bounds).collect();
            self.levels.push(bounds.chunks(WIDTH).map(Block::of).collect());
        }
        let sizes = self.levels[0].iter().map(|block| block.bounds().size());
        if let Some(typical) = typical {
            self.yardstick = Yardstick::new(typical, sizes.clone());
        }
        self.cost = sizes.map(|size| self.yardstick.cost(size)).sum();
        if typical.is_some() {
            self.least_cost = self.cost;
        }
    }

    fn place(&mut self, slots: &[u32], fat: &[Aabb]) {
        while self.levels.is_empty() || self.levels[0].len() * WIDTH < fat.len() {
            self.grow();
        }
        for &slot in slots {
            let block = &mut self.levels[0][slot as usize / WIDTH];
            // The block is in more than one entry only if slots share it; its cost is then settled in turns.
            self.cost -= self.yardstick.cost(block.bounds().size());
            block.set(slot as usize % WIDTH, &fat[slot as usize]);
            self.cost += self.yardstick.cost(block.bounds().size());
        }
        let mut dirty: Vec<usize> = slots.iter().map(|&s| s as usize / WIDTH).collect();
        for level in 1..self.levels.len() {
            dirty.dedup();
            let (below, above) = self.levels.split_at_mut(level);
            for child in &mut dirty {
                above[0][*child / WIDTH].set(*child % WIDTH, &below[level - 1][*child].bounds());
                *child /= WIDTH;
            }
        }
    }

    #[inline(always)]
    fn query(&self, bounds: &Aabb, found: &mut Vec<u32>) {
        let bounds = &Corners::of(bounds);
        let mut stack = Vec::with_capacity(64);
        self.walk(
            bounds,
            (0, 0),
            &mut stack,
            #[inline(always)]
            |block, hits| {
                for lane in lanes(hits) {
                    found.push((block * WIDTH + lane) as u32);
                }
            },
        );
    }

    /// Goes down in two stages: once for the 64 slots of a block of blocks, and from there for the eight of a
    /// block.
    #[inline(always)]
    fn later_overlaps(
        &self,
        run: Range<usize>,
        settle: impl Fn(u32, u32) -> bool,
        mut each: impl FnMut(u32, &[u32]),
    ) {
        let mut stack = Vec::with_capacity(64);
        let (mut near_parents, mut near) = (NearBlocks::default(), NearBlocks::default());
        for first in run.clone().step_by(WIDTH) {
            let block = first / WIDTH;
            near.blocks.clear();
            if let Some(parents) = self.levels.get(1) {
                let parent = block / WIDTH;
                if block.is_multiple_of(WIDTH) || first == run.start {
                    near_parents.blocks.clear();
                    self.walk(
                        &Corners::of(&parents[parent].bounds()),
                        (1, parent),
                        &mut stack,
                        #[inline(always)]
                        |parent, _| near_parents.blocks.push(parent as u32),
                    );
                    near_parents.gather(parents);
                }
                let around = parents[parent].lane(block % WIDTH);
                near_parents.judge(&around);
                near.blocks.extend_from_slice(near_parents.overlapping(block % WIDTH, |_| true));
                near.gather(&self.levels[0]);
                near.judge(&around);
                near.drop_apart();
            } else {
                near.blocks.push(0);
            }
            near.gather(&self.levels[0]);
            let own = &self.levels[0][block];
            for slot in first..(first + WIDTH).min(run.end) {
                near.judge(&own.lane(slot % WIDTH));
                let found = near.overlapping(slot % WIDTH + 1, |other| settle(slot as u32, other));
                each(slot as u32, found);
            }
        }
    }

    fn decline(&self) -> f64 {
        // At least one block is opened by every query.
        (self.cost / self.least_cost.max(1.0) - 1.0).max(0.0)
    }

    /// Calls with every block from a given one on, of a level, that has a hit, in rising order, and its hits.
    #[inline(always)]
    fn walk(
        &self,
        bounds: &Corners<T>,
        (least, from): (u32, usize),
        stack: &mut Vec<(u32, u32)>,
        mut found: impl FnMut(usize, u32),
    ) {
        let Some(top) = self.levels.len().checked_sub(1) else { return };
        stack.clear();
        stack.push((top as u32, 0));
        while let Some((level, block)) = stack.pop() {
            let hits = self.levels[level as usize][block as usize].overlaps(bounds);
            if level == least {
                if hits != 0 {
                    found(block as usize, hits);
                }
            } else {
                // Lanes that end before the first block of interest.
                let before = (from >> (3 * (level - 1 - least))).saturating_sub(block as usize * WIDTH);
                let hits = if before < WIDTH { hits >> before << before } else { 0 };
                // The first lane comes out first.
                for lane in lanes(hits.reverse_bits()) {
                    stack.push((level - 1, block * WIDTH as u32 + (31 - lane) as u32));
                }
            }
        }
    }

    /// Adds an empty block of leaves, and what must be above it.
    fn grow(&mut self) {
        let mut level = 0;
        loop {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(Block::EMPTY);
            let count = self.levels[level].len();
            if count == 1 {
                // A root. What is below, the first block of all included, must be in it.
                if level > 0 {
                    let bounds = self.levels[level - 1][0].bounds();
                    self.levels[level][0].set(0, &bounds);
                }
                return;
            }
            let parents = self.levels.get(level + 1).map_or(0, Vec::len);
            if parents * WIDTH >= count {
                return;
            }
            level += 1;
        }
    }
}

/// The positions of the bits that are set, rising.
#[inline(always)]
fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            lane
        })
    })
}
