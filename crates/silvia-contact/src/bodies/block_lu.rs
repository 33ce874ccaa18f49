//! LU factorisation of sparse matrices of 6 x 6 blocks, one block row a body.
//!
//! The pattern is symmetric, the values need not be. Bodies are eliminated in an order of least degree, so
//! that stacks and chains fill in nothing; pivots are sought within a body's block only, which is enough
//! where each block holds the body's mass.

use crate::tuning::block_lu as tuning;
use silvia_proximity::with_simd;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Row-major.
pub(super) type Block6 = [[f64; 6]; 6];

const ZERO: Block6 = [[0.0; 6]; 6];

/// A matrix, or its factors in its place.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLu {
    /// The pairs of bodies that it has room for, ascending.
    pairs: Vec<[u32; 2]>,
    /// The position in the order of elimination, of each body.
    place: Vec<u32>,
    /// Where the neighbours of each position start.
    starts: Vec<usize>,
    /// Of each position, the later ones that it is connected with once all before are eliminated; ascending.
    later: Vec<u32>,
    /// By position; inverted by the factorisation.
    diagonal: Vec<Block6>,
    /// Blocks in the column of a position, below the diagonal, in the order of `later`.
    lower: Vec<Block6>,
    /// Blocks in the row of a position.
    upper: Vec<Block6>,
    /// The solution on its way, by position.
    ordered: Vec<[f64; 6]>,
    /// To be used for pairs.
    spare: Vec<[u32; 2]>,
}

impl BlockLu {
    /// Makes room for a matrix of `size` bodies in which these pairs are connected. Where it has that
    /// already, nothing is done: the order of elimination and the pattern of the factors are kept for as long
    /// as bodies stay in touch.
    pub(super) fn fit(&mut self, size: usize, pairs: impl Iterator<Item = [u32; 2]>) {
        let had = std::mem::take(&mut self.pairs);
        let mut pairs_now = std::mem::take(&mut self.spare);
        pairs_now.clear();
        pairs_now.extend(pairs.map(|[a, b]| [a.min(b), a.max(b)]));
        pairs_now.sort_unstable();
        pairs_now.dedup();
        self.pairs = pairs_now;
        let is_same = self.place.len() == size && had == self.pairs;
        self.spare = had;
        if is_same {
            return;
        }
        let (order, of_body) = elimination(size, self.pairs.iter().copied());
        self.place.clear();
        self.place.resize(size, 0);
        for (at, &body) in order.iter().enumerate() {
            self.place[body as usize] = at as u32;
        }
        self.starts.clear();
        self.starts.push(0);
        self.later.clear();
        for &body in &order {
            let first = self.later.len();
            self.later.extend(of_body[body as usize].iter().map(|&other| self.place[other as usize]));
            self.later[first..].sort_unstable();
            self.starts.push(self.later.len());
        }
        self.diagonal.resize(size, ZERO);
        self.lower.resize(self.later.len(), ZERO);
        self.upper.resize(self.later.len(), ZERO);
    }

    /// Makes the matrix zero.
    pub(super) fn clear(&mut self) {
        self.diagonal.fill(ZERO);
        self.lower.fill(ZERO);
        self.upper.fill(ZERO);
    }

    /// The block of a body with itself.
    pub(super) fn own(&mut self, body: u32) -> &mut Block6 {
        &mut self.diagonal[self.place[body as usize] as usize]
    }

    /// The block in the row of a body and the column of the same or of one that it is connected with.
    pub(super) fn block(&mut self, row: u32, column: u32) -> &mut Block6 {
        if row == column { self.own(row) } else { self.between(row, column) }
    }

    /// The block in the row of one body and the column of another, which must be connected.
    pub(super) fn between(&mut self, row: u32, column: u32) -> &mut Block6 {
        let (row, column) = (self.place[row as usize], self.place[column as usize]);
        let (first, second) = (row.min(column) as usize, row.max(column));
        let later = &self.later[self.starts[first]..self.starts[first + 1]];
        let at = self.starts[first] + later.partition_point(|&other| other < second);
        if row > column { &mut self.lower[at] } else { &mut self.upper[at] }
    }

    /// Factorises; false where a block has no inverse.
    pub(super) fn factor(&mut self) -> bool {
        let BlockLu { starts, later, diagonal, lower, upper, .. } = self;
        let is_parallel = rayon::current_num_threads() > 1;
        for k in 0..diagonal.len() {
            let Some(inverse) = inverse(&diagonal[k]) else { return false };
            diagonal[k] = inverse;
            let range = starts[k]..starts[k + 1];
            for block in &mut lower[range.clone()] {
                *block = product(block, &inverse);
            }
            // What is written to comes after what is read.
            let (done, below) = lower.split_at_mut(range.end);
            let (passed, beside) = upper.split_at_mut(range.end);
            let pivot = Pivot {
                starts,
                later,
                others: &later[range.clone()],
                lower: &done[range.clone()],
                upper: &passed[range.clone()],
            };
            let trailing = TrailingMatrix {
                diagonal: &mut diagonal[k + 1..],
                lower: below,
                upper: beside,
                first: k + 1,
            };
            pivot.eliminate(0..range.len(), trailing, range.end, is_parallel && range.len() >= tuning::WIDE);
        }
        true
    }

    /// Replaces `x`, six values a body, by the solution; false where it is not finite.
    pub(super) fn solve(&mut self, x: &mut [[f64; 6]]) -> bool {
        self.ordered.resize(x.len(), [0.0; 6]);
        for (body, value) in x.iter().enumerate() {
            self.ordered[self.place[body] as usize] = *value;
        }
        let y = &mut self.ordered;
        for k in 0..y.len() {
            let value = y[k];
            for at in self.starts[k]..self.starts[k + 1] {
                subtract_times(&mut y[self.later[at] as usize], &self.lower[at], &value);
            }
        }
        for k in (0..y.len()).rev() {
            let mut value = y[k];
            for at in self.starts[k]..self.starts[k + 1] {
                subtract_times(&mut value, &self.upper[at], &y[self.later[at] as usize]);
            }
            y[k] = times(&self.diagonal[k], &value);
        }
        for (body, value) in x.iter_mut().enumerate() {
            *value = y[self.place[body] as usize];
        }
        x.iter().flatten().all(|v| v.is_finite())
    }
}

/// A position that is eliminated, with its connections.
struct Pivot<'a> {
    starts: &'a [usize],
    later: &'a [u32],
    /// The later positions that it is connected with, and the blocks to them.
    others: &'a [u32],
    lower: &'a [Block6],
    upper: &'a [Block6],
}

/// What is left of a matrix from a position on.
struct TrailingMatrix<'a> {
    diagonal: &'a mut [Block6],
    lower: &'a mut [Block6],
    upper: &'a mut [Block6],
    /// The position.
    first: usize,
}

impl Pivot<'_> {
    /// Takes the pivot's part from the positions that some of its connections lead to; the lists of the
    /// trailing start at `from`. Those of two positions have nothing in common, so that halves can be done at
    /// once.
    fn eliminate(&self, these: Range<usize>, trailing: TrailingMatrix<'_>, from: usize, is_wide: bool) {
        let TrailingMatrix { diagonal, lower, upper, first } = trailing;
        if is_wide && these.len() > tuning::NARROW {
            // By the middle of the work: a connection is combined with all that follow it, so that the first
            // 1 - 1/sqrt(2) of them make half of it.
            let middle = these.start + (0.3 * these.len() as f64) as usize;
            let place = self.others[middle] as usize;
            let (diagonal, later_diagonal) = diagonal.split_at_mut(place - first);
            let (lower, later_lower) = lower.split_at_mut(self.starts[place] - from);
            let (upper, later_upper) = upper.split_at_mut(self.starts[place] - from);
            let one = TrailingMatrix { diagonal, lower, upper, first };
            let other = TrailingMatrix {
                diagonal: later_diagonal,
                lower: later_lower,
                upper: later_upper,
                first: place,
            };
            rayon::join(
                || self.eliminate(these.start..middle, one, from, true),
                || self.eliminate(middle..these.end, other, self.starts[place], true),
            );
            return;
        }
        with_simd(
            #[inline(always)]
            || self.subtract(these, TrailingMatrix { diagonal, lower, upper, first }, from),
        );
    }

    /// The same, by one thread.
    #[inline(always)]
    fn subtract(&self, these: Range<usize>, trailing: TrailingMatrix<'_>, from: usize) {
        let TrailingMatrix { diagonal, lower, upper, first } = trailing;
        for at in these {
            let i = self.others[at] as usize;
            subtract_product(&mut diagonal[i - first], &self.lower[at], &self.upper[at]);
            // What follows in the list of the pivot is in that of i too.
            let mut to = self.starts[i];
            for other in at + 1..self.others.len() {
                while self.later[to] < self.others[other] {
                    to += 1;
                }
                subtract_product(&mut lower[to - from], &self.lower[other], &self.upper[at]);
                subtract_product(&mut upper[to - from], &self.lower[at], &self.upper[other]);
            }
        }
    }
}

/// The order of elimination, always a body with the fewest neighbours next, and the neighbours of each body
/// when its turn came.
fn elimination(size: usize, pairs: impl Iterator<Item = [u32; 2]>) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); size];
    for [a, b] in pairs {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut queue: BinaryHeap<Reverse<(usize, u32)>> =
        neighbours.iter().enumerate().map(|(body, list)| Reverse((list.len(), body as u32))).collect();
    let mut is_done = vec![false; size];
    let mut order = Vec::with_capacity(size);
    let mut merged = Vec::new();
    while let Some(Reverse((degree, body))) = queue.pop() {
        let at = body as usize;
        if is_done[at] || degree != neighbours[at].len() {
            continue;
        }
        is_done[at] = true;
        order.push(body);
        let own = std::mem::take(&mut neighbours[at]);
        for &other in &own {
            let list = &mut neighbours[other as usize];
            merge(list, &own, [body, other], &mut merged);
            std::mem::swap(list, &mut merged);
            queue.push(Reverse((list.len(), other)));
        }
        neighbours[at] = own;
    }
    (order, neighbours)
}

/// Two ascending lists as one, without some.
fn merge(a: &[u32], b: &[u32], without: [u32; 2], merged: &mut Vec<u32>) {
    merged.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) => x,
            (None, Some(&y)) => y,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            merged.push(next);
        }
    }
}

#[inline]
fn product(a: &Block6, b: &Block6) -> Block6 {
    let mut c = ZERO;
    for i in 0..6 {
        for k in 0..6 {
            for j in 0..6 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[inline(always)]
fn subtract_product(c: &mut Block6, a: &Block6, b: &Block6) {
    for i in 0..6 {
        let mut row = c[i];
        for k in 0..6 {
            for j in 0..6 {
                row[j] -= a[i][k] * b[k][j];
            }
        }
        c[i] = row;
    }
}

#[inline]
fn times(a: &Block6, x: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|i| (0..6).map(|k| a[i][k] * x[k]).sum())
}

#[inline]
fn subtract_times(y: &mut [f64; 6], a: &Block6, x: &[f64; 6]) {
    for i in 0..6 {
        y[i] -= (0..6).map(|k| a[i][k] * x[k]).sum::<f64>();
    }
}

/// By Gauss and Jordan with row pivots.
fn inverse(a: &Block6) -> Option<Block6> {
    let mut a = *a;
    let mut inverse = ZERO;
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for k in 0..6 {
        let pivot = (k..6).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        if !(a[pivot][k].abs() > 0.0 && a[pivot][k].is_finite()) {
            return None;
        }
        a.swap(k, pivot);
        inverse.swap(k, pivot);
        let factor = 1.0 / a[k][k];
        for j in 0..6 {
            a[k][j] *= factor;
            inverse[k][j] *= factor;
        }
        for i in 0..6 {
            let factor = a[i][k];
            if i != k && factor != 0.0 {
                for j in 0..6 {
                    a[i][j] -= factor * a[k][j];
                    inverse[i][j] -= factor * inverse[k][j];
                }
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_solve(
            values in prop::collection::vec(-1.0..1.0_f64, 7 * 36 + 2 * 9 * 36 + 7 * 6),
            pairs in prop::collection::vec((0..7_u32, 0..7_u32), 1..9),
        ) {
            let mut values = values.into_iter();
            let mut next = || values.next().unwrap_or(0.5);
            let distinct = pairs.into_iter().filter(|(a, b)| a != b);
            let mut pairs: Vec<[u32; 2]> = distinct.map(|(a, b)| [a.min(b), a.max(b)]).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let mut lu = BlockLu::default();
            lu.fit(7, pairs.iter().copied());
            let mut dense = vec![vec![0.0; 42]; 42];
            let mut put = |lu: &mut BlockLu, row: u32, column: u32| {
                let block: Block6 = std::array::from_fn(|i| {
                    std::array::from_fn(|j| {
                        // Heavy enough on the diagonal for an answer that is not lost in rounding.
                        next() + if row == column && i == j { 60.0 } else { 0.0 }
                    })
                });
                for i in 0..6 {
                    for j in 0..6 {
                        dense[6 * row as usize + i][6 * column as usize + j] = block[i][j];
                    }
                }
                *(if row == column { lu.own(row) } else { lu.between(row, column) }) = block;
            };
            for body in 0..7 {
                put(&mut lu, body, body);
            }
            for &[a, b] in &pairs {
                put(&mut lu, a, b);
                put(&mut lu, b, a);
            }
            let right: Vec<[f64; 6]> = (0..7).map(|_| std::array::from_fn(|_| next())).collect();
            let mut x = right.clone();
            prop_assert!(lu.factor() && lu.solve(&mut x));
            for (row, line) in dense.iter().enumerate() {
                let sum: f64 = line.iter().enumerate().map(|(column, a)| a * x[column / 6][column % 6]).sum();
                prop_assert!((sum - right[row / 6][row % 6]).abs() < 1e-12, "{sum}");
            }
        }
    }

    /// All bodies touch all others, so that every elimination is as wide as it can be.
    #[test]
    fn threads_change_no_bit() {
        let size = 60;
        let factors = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut lu = BlockLu::default();
            lu.fit(size as usize, (0..size).flat_map(|a| (a + 1..size).map(move |b| [a, b])));
            for row in 0..size {
                for column in 0..size {
                    let block: Block6 = std::array::from_fn(|i| {
                        std::array::from_fn(|j| {
                            let value = f64::from(7 * row + 3 * column) + (i * 6 + j) as f64;
                            value.sin() + if row == column && i == j { 400.0 } else { 0.0 }
                        })
                    });
                    *(if row == column { lu.own(row) } else { lu.between(row, column) }) = block;
                }
            }
            assert!(pool.install(|| lu.factor()));
            (lu.diagonal, lu.lower, lu.upper)
        };
        let one = factors(1);
        assert_eq!(one, factors(2));
        assert_eq!(one, factors(4));
    }
}
