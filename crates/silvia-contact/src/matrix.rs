//! Square sparse matrices made of 3 x 3 blocks, one block row a contact.

use std::collections::BTreeMap;

/// A 3 x 3 block, row-major.
pub type Block = [f64; 9];

/// A block that is zero.
pub(crate) const ZERO_BLOCK: Block = [0.0; 9];

/// A square matrix of 3 x 3 blocks in compressed rows; columns ascend in each row and every diagonal block is
/// stored.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Block>,
    diagonals: Vec<usize>,
}

impl BlockMatrix {
    /// The matrix of `size` block rows that holds the given blocks; blocks at the same place are added up.
    ///
    /// Entries must lie within `size`: the callers in this crate check that with an error that names the
    /// entry.
    pub(crate) fn from_blocks(size: usize, entries: impl IntoIterator<Item = (usize, usize, Block)>) -> Self {
        let mut rows: Vec<BTreeMap<usize, Block>> = vec![BTreeMap::new(); size];
        for (row, map) in rows.iter_mut().enumerate() {
            map.insert(row, ZERO_BLOCK);
        }
        for (row, column, block) in entries {
            let sum = rows[row].entry(column).or_insert(ZERO_BLOCK);
            for (s, b) in sum.iter_mut().zip(block) {
                *s += b;
            }
        }
        let mut matrix =
            Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonals: Vec::new() };
        for (row, map) in rows.into_iter().enumerate() {
            for (column, block) in map {
                if column == row {
                    matrix.diagonals.push(matrix.blocks.len());
                }
                matrix.columns.push(column);
                matrix.blocks.push(block);
            }
            matrix.starts.push(matrix.blocks.len());
        }
        matrix
    }

    /// Number of block rows, and of block columns.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The columns and blocks of one block row.
    pub fn row(&self, row: usize) -> (&[usize], &[Block]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.blocks[range])
    }

    /// The block on the diagonal of `row`.
    pub fn diagonal(&self, row: usize) -> &Block {
        &self.blocks[self.diagonals[row]]
    }

    /// The block on the diagonal of `row`, to be changed.
    pub(crate) fn diagonal_mut(&mut self, row: usize) -> &mut Block {
        &mut self.blocks[self.diagonals[row]]
    }

    /// Where `row`'s blocks start in storage order; `first_block(size())` is the number of blocks.
    pub(crate) fn first_block(&self, row: usize) -> usize {
        self.starts[row]
    }

    /// The place in storage of the diagonal block of `row`.
    pub(crate) fn diagonal_block(&self, row: usize) -> usize {
        self.diagonals[row]
    }

    /// All blocks in storage order.
    pub(crate) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// The block at (`row`, `column`), where one is stored.
    pub fn get(&self, row: usize, column: usize) -> Option<&Block> {
        let (columns, blocks) = self.row(row);
        columns.binary_search(&column).ok().map(|at| &blocks[at])
    }

    /// `y = A x`, each row summed in storage order.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        for (row, out) in y.chunks_exact_mut(3).enumerate() {
            let sum = self.row_times(row, x);
            out.copy_from_slice(&sum);
        }
    }

    /// The three entries of `A x` that belong to block row `row`.
    #[inline]
    pub fn row_times(&self, row: usize, x: &[f64]) -> [f64; 3] {
        let (columns, blocks) = self.row(row);
        let mut sum = [0.0; 3];
        for (&column, b) in columns.iter().zip(blocks) {
            let at = 3 * column;
            let v = [x[at], x[at + 1], x[at + 2]];
            sum[0] += b[0] * v[0] + b[1] * v[1] + b[2] * v[2];
            sum[1] += b[3] * v[0] + b[4] * v[1] + b[5] * v[2];
            sum[2] += b[6] * v[0] + b[7] * v[1] + b[8] * v[2];
        }
        sum
    }

    /// `D A D` for the diagonal matrix `D` with one factor a contact.
    pub(crate) fn scaled(&self, factors: &[f64]) -> Self {
        let mut scaled = self.clone();
        for (row, &factor) in factors.iter().enumerate() {
            for at in self.starts[row]..self.starts[row + 1] {
                let both = factor * factors[self.columns[at]];
                for value in &mut scaled.blocks[at] {
                    *value *= both;
                }
            }
        }
        scaled
    }

    /// The rows and columns named in `kept` (ascending), in that order.
    pub(crate) fn restricted(&self, kept: &[usize]) -> Self {
        let place: BTreeMap<usize, usize> = kept.iter().enumerate().map(|(at, &old)| (old, at)).collect();
        let mut entries = Vec::new();
        for (at, &row) in kept.iter().enumerate() {
            let (columns, blocks) = self.row(row);
            for (column, block) in columns.iter().zip(blocks) {
                if let Some(&to) = place.get(column) {
                    entries.push((at, to, *block));
                }
            }
        }
        Self::from_blocks(kept.len(), entries)
    }

    /// Largest `|A - A'|` divided by the largest `|A|`: 0 for a symmetric matrix.
    pub fn asymmetry(&self) -> f64 {
        let mut largest = 0.0_f64;
        let mut worst = 0.0_f64;
        for row in 0..self.size() {
            let (columns, blocks) = self.row(row);
            for (&column, block) in columns.iter().zip(blocks) {
                let mirror = self.get(column, row).unwrap_or(&ZERO_BLOCK);
                for (at, value) in block.iter().enumerate() {
                    largest = largest.max(value.abs());
                    worst = worst.max((value - mirror[transposed(at)]).abs());
                }
            }
        }
        if largest > 0.0 { worst / largest } else { 0.0 }
    }

    /// The entries that are not zero as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..3 * self.size()).flat_map(move |row| {
            let (columns, blocks) = self.row(row / 3);
            columns.iter().zip(blocks).flat_map(move |(&column, block)| {
                (0..3).filter_map(move |k| {
                    let value = block[3 * (row % 3) + k];
                    (value != 0.0).then_some((row, 3 * column + k, value))
                })
            })
        })
    }
}

/// The place in a block of the entry mirrored at its diagonal.
fn transposed(at: usize) -> usize {
    3 * (at % 3) + at / 3
}

/// `a b` for 3 x 3 blocks.
pub(crate) fn block_product(a: &Block, b: &Block) -> Block {
    let mut c = ZERO_BLOCK;
    for i in 0..3 {
        for j in 0..3 {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    c
}

/// `a x` for a 3 x 3 block.
pub(crate) fn block_times(a: &Block, x: [f64; 3]) -> [f64; 3] {
    [
        a[0] * x[0] + a[1] * x[1] + a[2] * x[2],
        a[3] * x[0] + a[4] * x[1] + a[5] * x[2],
        a[6] * x[0] + a[7] * x[1] + a[8] * x[2],
    ]
}

/// The three entries of a stacked vector that belong to contact `at`.
#[inline]
pub(crate) fn triple(x: &[f64], at: usize) -> [f64; 3] {
    [x[3 * at], x[3 * at + 1], x[3 * at + 2]]
}

/// Euclidean norm, summed in order.
pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> BlockMatrix {
        let mut a = ZERO_BLOCK;
        for (at, v) in a.iter_mut().enumerate() {
            *v = at as f64 + 1.0;
        }
        BlockMatrix::from_blocks(2, [(0, 1, a), (1, 1, a), (0, 1, a)])
    }

    #[test]
    fn blocks_at_one_place_are_added_and_diagonals_always_stored() {
        let m = sample();
        assert_eq!(m.block_count(), 3);
        assert_eq!(m.diagonal(0), &ZERO_BLOCK);
        assert_eq!(m.get(0, 1).unwrap()[8], 18.0);
        assert!(m.get(1, 0).is_none());
    }

    #[test]
    fn multiplication_agrees_with_the_triplets() {
        let m = sample();
        let x = [1.0, -2.0, 3.0, 0.5, 4.0, -1.0];
        let mut y = [0.0; 6];
        m.multiply(&x, &mut y);
        let mut dense = [0.0; 6];
        for (row, column, value) in m.triplets() {
            dense[row] += value * x[column];
        }
        assert_eq!(y, dense);
    }

    #[test]
    fn asymmetry_is_relative_to_the_largest_entry() {
        let mut b = ZERO_BLOCK;
        b[0] = 4.0;
        b[1] = 1.0;
        assert_eq!(BlockMatrix::from_blocks(1, [(0, 0, b)]).asymmetry(), 0.25);
    }
}
