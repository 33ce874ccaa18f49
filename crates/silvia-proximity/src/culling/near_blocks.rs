//! The boxes near a block of the tree, side by side, to be compared with each box of the block.

use super::block::{Block, Coordinate, Corners};
use super::order::WIDTH;

/// A copy of some blocks, a row for each coordinate. Long rows are what compilers turn into vector
/// instructions reliably.
pub(super) struct NearBlocks<T> {
    /// Which blocks.
    pub(super) blocks: Vec<u32>,
    min: [Vec<T>; 3],
    max: [Vec<T>; 3],
    /// For each lane, 1 if it overlaps, 0 if not.
    verdicts: Vec<u8>,
    /// Room for as many slots as there are lanes.
    found: Vec<u32>,
}

impl<T> Default for NearBlocks<T> {
    fn default() -> Self {
        NearBlocks {
            blocks: Vec::new(),
            min: Default::default(),
            max: Default::default(),
            verdicts: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl<T: Coordinate> NearBlocks<T> {
    /// Copies the blocks from a level of the tree.
    #[inline(always)]
    pub(super) fn gather(&mut self, level: &[Block<T>]) {
        let count = self.blocks.len() * WIDTH;
        self.found.resize(count, 0);
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

    /// Keeps the names of those blocks only of which a lane overlaps.
    #[inline(always)]
    pub(super) fn drop_apart(&mut self) {
        let mut kept = 0;
        for (at, &word) in self.verdicts.as_chunks::<WIDTH>().0.iter().enumerate() {
            self.blocks[kept] = self.blocks[at];
            kept += usize::from(word != [0; WIDTH]);
        }
        self.blocks.truncate(kept);
    }

    /// Every slot from a lane of the first block on that overlaps and that `settle` agrees to, rising.
    #[inline(always)]
    pub(super) fn overlapping(&mut self, from: usize, settle: impl Fn(u32) -> bool) -> &[u32] {
        let (found, mut count) = (self.found.as_mut_slice(), 0);
        let mut kept = u64::MAX << from;
        // Branches are few here, since none of them can be foretold: lanes are counted by 64, and a slot that
        // is not wanted is written over.
        for (blocks, verdicts) in self.blocks.chunks(8).zip(self.verdicts.chunks(8 * WIDTH)) {
            let mut lanes = 0u64;
            for (at, &word) in verdicts.as_chunks::<WIDTH>().0.iter().enumerate() {
                lanes |= low_bits(word) << (8 * at);
            }
            lanes &= std::mem::replace(&mut kept, u64::MAX);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                let slot = blocks[(lane / 8) as usize] * WIDTH as u32 + lane % 8;
                found[count] = slot;
                count += usize::from(settle(slot));
                lanes &= lanes - 1;
            }
        }
        &found[..count]
    }
}

/// The lowest bit of each byte, side by side: one multiplication moves that of byte `k` to bit `56 + k`.
#[inline(always)]
pub(super) fn low_bits(bytes: [u8; WIDTH]) -> u64 {
    u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
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
