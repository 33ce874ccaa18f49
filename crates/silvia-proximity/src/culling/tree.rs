//! A tree of blocks of eight boxes, without pointers.
//!
//! Slots come in an order that keeps neighbours together, so that a node is simply a run of them: block `i` of a level
//! bounds the blocks `8 i` to `8 i + 7` of the level below. A box that moves changes its lane and those above it; the
//! order, and with it the shape of the tree, stays until queries have become too dear.

use super::finder::Finder;
use super::order::WIDTH;
use silvia_solid::{Aabb, Vec3};
use std::ops::Range;

/// Eight boxes, a coordinate a row: lanes compare side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    min: [[f64; WIDTH]; 3],
    max: [[f64; WIDTH]; 3],
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// From the leaves, whose lanes are slots, to the root, a single block.
    levels: Vec<Vec<Block>>,
    /// The mean size of a fat box when the tree was made, m.
    typical: Vec3,
    /// What a query of typical size is expected to open, up to a factor: the sum of the volumes in which its centre would make
    /// it open a leaf block.
    cost: f64,
    /// The same when the order was new.
    least_cost: f64,
}

impl Finder for Tree {
    fn rebuild(&mut self, fat: &[Aabb], fresh_order: bool) {
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
        let live = fat.iter().filter(|b| !super::table::is_empty(b));
        let (count, total) = live.fold((0.0, Vec3::ZERO), |(n, sum), b| (n + 1.0, sum + b.size()));
        if fresh_order {
            self.typical = total / f64::max(count, 1.0);
        }
        self.cost = self.levels[0].iter().map(|block| block.cost(self.typical)).sum();
        if fresh_order {
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
            self.cost -= block.cost(self.typical);
            block.set(slot as usize % WIDTH, &fat[slot as usize]);
            self.cost += block.cost(self.typical);
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
    fn query(&self, bounds: &Aabb, _fat: &[Aabb], found: &mut Vec<u32>) {
        let mut stack = Vec::with_capacity(64);
        self.walk(bounds, &mut stack, |block, hits| {
            for lane in lanes(hits) {
                found.push((block * WIDTH + lane) as u32);
            }
        });
    }

    /// Goes down once for the eight slots of a block.
    #[inline(always)]
    fn query_run(&self, run: Range<usize>, fat: &[Aabb], mut found: impl FnMut(u32, &[u32])) {
        let mut stack = Vec::with_capacity(64);
        let mut near = Vec::with_capacity(64);
        let mut list = Vec::with_capacity(64);
        for first in run.clone().step_by(WIDTH) {
            let around = self.levels[0][first / WIDTH].bounds();
            near.clear();
            self.walk(&around, &mut stack, |block, _| near.push(block));
            for slot in first..(first + WIDTH).min(run.end) {
                list.clear();
                for &block in &near {
                    let hits = self.levels[0][block].overlaps(&fat[slot]);
                    for lane in lanes(hits) {
                        list.push((block * WIDTH + lane) as u32);
                    }
                }
                found(slot as u32, &list);
            }
        }
    }

    fn decline(&self) -> f64 {
        let decline = self.cost / self.least_cost - 1.0;
        if decline > 0.0 { decline } else { 0.0 }
    }
}

impl Tree {
    /// Calls with every leaf block that has a hit, and its hits.
    #[inline(always)]
    fn walk(&self, bounds: &Aabb, stack: &mut Vec<(u32, u32)>, mut leaf: impl FnMut(usize, u32)) {
        let Some(top) = self.levels.len().checked_sub(1) else { return };
        stack.clear();
        stack.push((top as u32, 0));
        while let Some((level, block)) = stack.pop() {
            let hits = self.levels[level as usize][block as usize].overlaps(bounds);
            if level == 0 {
                if hits != 0 {
                    leaf(block as usize, hits);
                }
            } else {
                for lane in lanes(hits) {
                    stack.push((level - 1, block * WIDTH as u32 + lane as u32));
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

impl Block {
    const EMPTY: Block = Block { min: [[f64::INFINITY; WIDTH]; 3], max: [[f64::NEG_INFINITY; WIDTH]; 3] };

    fn of(boxes: &[Aabb]) -> Block {
        let mut block = Block::EMPTY;
        for (lane, b) in boxes.iter().enumerate() {
            block.set(lane, b);
        }
        block
    }

    fn set(&mut self, lane: usize, b: &Aabb) {
        for axis in 0..3 {
            self.min[axis][lane] = b.min[axis];
            self.max[axis][lane] = b.max[axis];
        }
    }

    fn bounds(&self) -> Aabb {
        let least = |row: &[f64; WIDTH]| row.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |row: &[f64; WIDTH]| row.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        Aabb {
            min: Vec3::new(least(&self.min[0]), least(&self.min[1]), least(&self.min[2])),
            max: Vec3::new(most(&self.max[0]), most(&self.max[1]), most(&self.max[2])),
        }
    }

    /// The volume in which the centre of a box of typical size must lie to overlap this block.
    fn cost(&self, typical: Vec3) -> f64 {
        let size = self.bounds().size();
        if size.x < 0.0 { 0.0 } else { (size + typical).element_product() }
    }

    /// A bit for each lane that overlaps.
    #[inline(always)]
    fn overlaps(&self, b: &Aabb) -> u32 {
        let mut hits = 0;
        for lane in 0..WIDTH {
            let hit = (self.min[0][lane] <= b.max.x)
                & (self.max[0][lane] >= b.min.x)
                & (self.min[1][lane] <= b.max.y)
                & (self.max[1][lane] >= b.min.y)
                & (self.min[2][lane] <= b.max.z)
                & (self.max[2][lane] >= b.min.z);
            hits |= u32::from(hit) << lane;
        }
        hits
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
