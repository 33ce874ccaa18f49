//! The boxes near a block of the tree, side by side, to be compared with each box of the block.

use super::order::WIDTH;
use super::tree::{Block, Coordinate, Corners};

/// A copy of some blocks, a row for each coordinate. Long rows are what compilers turn into vector instructions reliably.
pub(super) struct Nearby<T> {
    /// Which blocks.
    pub(super) blocks: Vec<u32>,
    min: [Vec<T>; 3],
    max: [Vec<T>; 3],
    /// For each lane, 1 if it overlaps, 0 if not.
    verdicts: Vec<u8>,
}

impl<T> Default for Nearby<T> {
    fn default() -> Self {
        Nearby { blocks: Vec::new(), min: Default::default(), max: Default::default(), verdicts: Vec::new() }
    }
}

impl<T: Coordinate> Nearby<T> {
    /// Copies the blocks from a level of the tree.
    #[inline(always)]
    pub(super) fn gather(&mut self, level: &[Block<T>]) {
        let count = self.blocks.len() * WIDTH;
        self.verdicts.resize(count, 0);
        self.min.iter_mut().chain(&mut self.max).for_each(|row| row.resize(count, T::default()));
        for (at, &block) in self.blocks.iter().enumerate() {
            let block = &level[block as usize];
            for axis in 0..3 {
                self.min[axis][at * WIDTH..][..WIDTH].copy_from_slice(&block.min[axis]);
                self.max[axis][at * WIDTH..][..WIDTH].copy_from_slice(&block.max[axis]);
            }
        }
    }

    /// Compares all lanes with a box.
    #[inline(always)]
    pub(super) fn judge(&mut self, bounds: &Corners<T>) {
        let [x0, y0, z0] = &self.min;
        let [x1, y1, z1] = &self.max;
        judge(bounds, [x0, y0, z0], [x1, y1, z1], &mut self.verdicts);
    }

    /// Puts into `found` every slot from a lane of the first block on that overlaps and that `settle` agrees to, rising.
    #[inline(always)]
    pub(super) fn collect(&self, from: usize, settle: impl Fn(u32) -> bool, found: &mut Vec<u32>) {
        found.resize(self.verdicts.len(), 0);
        // Counted, not pushed: a branch for each would often be mispredicted.
        let mut count = 0;
        let mut kept = u64::MAX.checked_shl(8 * from as u32).unwrap_or(0);
        let (words, _) = self.verdicts.as_chunks::<WIDTH>();
        for (&block, &word) in self.blocks.iter().zip(words) {
            let mut word = u64::from_le_bytes(word) & std::mem::replace(&mut kept, u64::MAX);
            while word != 0 {
                let slot = block * WIDTH as u32 + word.trailing_zeros() / 8;
                found[count] = slot;
                count += usize::from(settle(slot));
                word &= word - 1;
            }
        }
        found.truncate(count);
    }
}

#[inline(always)]
fn judge<T: Coordinate>(b: &Corners<T>, min: [&[T]; 3], max: [&[T]; 3], verdicts: &mut [u8]) {
    let count = verdicts.len();
    let [x0, y0, z0] = min.map(|row| &row[..count]);
    let [x1, y1, z1] = max.map(|row| &row[..count]);
    let lesser = |a: T, b: T| if a < b { a } else { b };
    let zero = T::default();
    for k in 0..count {
        let x = lesser(b.max[0] - x0[k], x1[k] - b.min[0]);
        let y = lesser(b.max[1] - y0[k], y1[k] - b.min[1]);
        let z = lesser(b.max[2] - z0[k], z1[k] - b.min[2]);
        let depth = lesser(lesser(x, y), z);
        verdicts[k] = u8::from(depth >= zero);
    }
}
