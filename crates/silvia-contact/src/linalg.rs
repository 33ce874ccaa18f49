//! Factorisations of block matrices by faer, dense where small or full and sparse otherwise.
//!
//! All run on the calling thread (`Par::Seq`), so that results do not depend on the number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, Mat, MatMut, Par};

use crate::matrix::BlockMatrix;
use crate::tuning::factorisation as tuning;

/// An LU factorisation with a fixed pattern, whose memory is reused from one matrix to the next.
pub(crate) enum Lu {
    Dense(DenseLu),
    Sparse(Box<SparseLu>),
}

impl Lu {
    /// Prepares to factorise matrices with the pattern of `matrix`.
    pub(crate) fn prepare(matrix: &BlockMatrix) -> Option<Self> {
        let size = matrix.size();
        let share = matrix.block_count() as f64 / ((size * size) as f64).max(1.0);
        if 3 * size <= tuning::DENSE_ROWS || share > tuning::DENSE_SHARE {
            Some(Self::Dense(DenseLu::prepare(3 * size)))
        } else {
            SparseLu::prepare(matrix).map(|lu| Self::Sparse(Box::new(lu)))
        }
    }

    /// Factorises `matrix`; false where that fails (a singular matrix).
    pub(crate) fn factor(&mut self, matrix: &BlockMatrix) -> bool {
        match self {
            Self::Dense(lu) => lu.factor(matrix),
            Self::Sparse(lu) => lu.factor(matrix),
        }
    }

    /// Replaces `x` by the solution of `A y = x`; false where it is not finite.
    pub(crate) fn solve(&mut self, x: &mut [f64]) -> bool {
        match self {
            Self::Dense(lu) => lu.solve(x),
            Self::Sparse(lu) => lu.solve(x),
        }
        x.iter().all(|v| v.is_finite())
    }
}

/// Dense LU with partial pivoting.
pub(crate) struct DenseLu {
    factors: Mat<f64>,
    permutation: Vec<usize>,
    inverse: Vec<usize>,
    scratch: MemBuffer,
}

impl DenseLu {
    fn prepare(rows: usize) -> Self {
        let request = factor::lu_in_place_scratch::<usize, f64>(rows, rows, Par::Seq, Default::default())
            .or(solve::solve_in_place_scratch::<usize, f64>(rows, 1, Par::Seq));
        Self {
            factors: Mat::zeros(rows, rows),
            permutation: vec![0; rows],
            inverse: vec![0; rows],
            scratch: MemBuffer::new(request),
        }
    }

    /// The factorisation of the matrix with the given entries.
    pub(crate) fn of(rows: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut lu = Self::prepare(rows);
        lu.factors = Mat::from_fn(rows, rows, entry);
        lu.factor_in_place();
        lu
    }

    fn factor(&mut self, matrix: &BlockMatrix) -> bool {
        self.factors.fill(0.0);
        for row in 0..matrix.size() {
            let (columns, blocks) = matrix.row(row);
            for (&column, block) in columns.iter().zip(blocks) {
                for (at, &value) in block.iter().enumerate() {
                    self.factors[(3 * row + at / 3, 3 * column + at % 3)] = value;
                }
            }
        }
        self.factor_in_place();
        true
    }

    fn factor_in_place(&mut self) {
        factor::lu_in_place(
            self.factors.as_mut(),
            &mut self.permutation,
            &mut self.inverse,
            Par::Seq,
            MemStack::new(&mut self.scratch),
            Default::default(),
        );
    }

    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        let rows = x.len();
        // Reversed or repeated entries cannot occur: both lists were written by the factorisation.
        let permutation = PermRef::new_checked(&self.permutation, &self.inverse, rows);
        solve::solve_in_place_with_conj(
            self.factors.as_ref(),
            self.factors.as_ref(),
            permutation,
            Conj::No,
            MatMut::from_column_major_slice_mut(x, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
    }
}

/// Sparse LU of the transpose: the rows of a block matrix are the columns of its transpose, so nothing is
/// moved.
pub(crate) struct SparseLu {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    factor_scratch: MemBuffer,
    solve_scratch: MemBuffer,
}

impl SparseLu {
    fn prepare(matrix: &BlockMatrix) -> Option<Self> {
        let rows = 3 * matrix.size();
        let mut starts = Vec::with_capacity(rows + 1);
        let mut indices = Vec::with_capacity(9 * matrix.block_count());
        starts.push(0);
        for row in 0..matrix.size() {
            for _ in 0..3 {
                indices.extend(matrix.row(row).0.iter().flat_map(|&c| [3 * c, 3 * c + 1, 3 * c + 2]));
                starts.push(indices.len());
            }
        }
        let values = vec![0.0; indices.len()];
        let pattern = SymbolicSparseColMat::new_checked(rows, rows, starts, None, indices);
        let symbolic = factorize_symbolic_lu(pattern.as_ref(), Default::default()).ok()?;
        let factor_request = symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
        let solve_request = symbolic.solve_transpose_in_place_scratch::<f64>(1, Par::Seq);
        Some(Self {
            pattern,
            values,
            symbolic,
            numeric: NumericLu::new(),
            factor_scratch: MemBuffer::new(factor_request),
            solve_scratch: MemBuffer::new(solve_request),
        })
    }

    fn factor(&mut self, matrix: &BlockMatrix) -> bool {
        for row in 0..matrix.size() {
            let blocks = matrix.row(row).1;
            let width = 3 * blocks.len();
            let first = 9 * matrix.first_block(row);
            for (at, block) in blocks.iter().enumerate() {
                for k in 0..3 {
                    let to = first + k * width + 3 * at;
                    self.values[to..to + 3].copy_from_slice(&block[3 * k..3 * k + 3]);
                }
            }
        }
        let a = SparseColMatRef::new(self.pattern.as_ref(), &self.values[..]);
        self.symbolic
            .factorize_numeric_lu(
                &mut self.numeric,
                a,
                Par::Seq,
                MemStack::new(&mut self.factor_scratch),
                Default::default(),
            )
            .is_ok()
    }

    fn solve(&mut self, x: &mut [f64]) {
        let rows = x.len();
        LuRef::new_unchecked(&self.symbolic, &self.numeric).solve_transpose_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.solve_scratch),
        );
    }
}

/// Whether the symmetric part of a matrix has no eigenvalue at or below `least`, by a dense factorisation.
pub(crate) fn eigenvalues_exceed(matrix: &BlockMatrix, least: f64) -> bool {
    let size = 3 * matrix.size();
    let mut factor = Mat::<f64>::zeros(size, size);
    for row in 0..matrix.size() {
        let (columns, blocks) = matrix.row(row);
        for (&column, block) in columns.iter().zip(blocks) {
            for (at, &value) in block.iter().enumerate() {
                let (i, j) = (3 * row + at / 3, 3 * column + at % 3);
                factor[(i, j)] += 0.5 * value;
                factor[(j, i)] += 0.5 * value;
            }
        }
    }
    for i in 0..size {
        factor[(i, i)] -= least;
    }
    let request = llt::factor::cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default());
    let mut scratch = MemBuffer::new(request);
    let stack = MemStack::new(&mut scratch);
    llt::factor::cholesky_in_place(factor.as_mut(), Default::default(), Par::Seq, stack, Default::default())
        .is_ok()
}

/// What is added to the diagonal of a symmetric matrix, scaled so that it is one, before the matrix is
/// factorised.
const SYMMETRIC_SHIFT: f64 = 1e-10;

/// Most rounds of refinement that undo the shift: each gains a factor of the smallest non-zero eigenvalue
/// over the shift.
const MOST_REFINEMENTS: usize = 30;

/// Refinement ends when no scaled row is off by more than this share of the largest right side, or of what
/// the row's terms round to.
const REFINED: f64 = 1e-13;

/// Solves with a dense symmetric positive semidefinite matrix, for right sides in its range.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricSolver {
    size: usize,
    /// The matrix in units in which its diagonal is one.
    matrix: Vec<f64>,
    units: Vec<f64>,
    factor: Mat<f64>,
}

impl SymmetricSolver {
    pub(crate) fn new(size: usize, matrix: Vec<f64>) -> Self {
        let units: Vec<f64> = (0..size)
            .map(|i| matrix[i * size + i])
            .map(|own| if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 })
            .collect();
        let matrix: Vec<f64> =
            matrix.iter().enumerate().map(|(at, v)| units[at / size] * v * units[at % size]).collect();
        let mut factor = Mat::from_fn(size, size, |i, j| {
            matrix[i * size + j] + if i == j { SYMMETRIC_SHIFT } else { 0.0 }
        });
        let request = llt::factor::cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default());
        let outcome = llt::factor::cholesky_in_place(
            factor.as_mut(),
            Default::default(),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(request)),
            Default::default(),
        );
        if outcome.is_err() {
            // Only overflow leads here, which the assembled problem then reports as a value that is not
            // finite.
            factor.fill(f64::NAN);
        }
        Self { size, matrix, units, factor }
    }

    /// What right sides are multiplied by before their errors are compared.
    pub(crate) fn units(&self) -> &[f64] {
        &self.units
    }

    /// Replaces `x` by the solution, and says what is left: the largest error of a scaled row, relative to
    /// the largest right side. It is large where the right side lies outside the matrix's range.
    pub(crate) fn solve(&self, x: &mut [f64]) -> f64 {
        for (x, d) in x.iter_mut().zip(&self.units) {
            *x *= d;
        }
        let right = x.to_vec();
        let largest = right.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        self.solve_shifted(x);
        let (mut rest, mut off) = self.rest(&right, x, largest);
        for _ in 0..MOST_REFINEMENTS {
            if off <= REFINED || !off.is_finite() {
                break;
            }
            self.solve_shifted(&mut rest);
            let better: Vec<f64> = x.iter().zip(&rest).map(|(x, d)| x + d).collect();
            let (new_rest, new_off) = self.rest(&right, &better, largest);
            if new_off >= off {
                break;
            }
            x.copy_from_slice(&better);
            (rest, off) = (new_rest, new_off);
        }
        for (x, d) in x.iter_mut().zip(&self.units) {
            *x *= d;
        }
        if off.is_finite() {
            rest.iter().fold(0.0_f64, |m, v| m.max(v.abs())) / largest
        } else {
            f64::INFINITY
        }
    }

    /// What is left of the right side, and its largest entry relative to `largest` or to the size of the
    /// row's terms.
    fn rest(&self, right: &[f64], x: &[f64], largest: f64) -> (Vec<f64>, f64) {
        let mut rest = right.to_vec();
        let mut worst = 0.0_f64;
        for (i, rest) in rest.iter_mut().enumerate() {
            let row = &self.matrix[i * self.size..(i + 1) * self.size];
            let terms = row.iter().zip(x).map(|(a, b)| a * b);
            *rest -= terms.clone().sum::<f64>();
            let size = terms.map(f64::abs).sum::<f64>().max(largest);
            let off = rest.abs() / size;
            worst = if off.is_nan() { f64::INFINITY } else { worst.max(off) };
        }
        (rest, worst)
    }

    fn solve_shifted(&self, x: &mut [f64]) {
        let request = llt::solve::solve_in_place_scratch::<f64>(self.size, 1, Par::Seq);
        llt::solve::solve_in_place(
            self.factor.as_ref(),
            MatMut::from_column_major_slice_mut(x, self.size, 1),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(request)),
        );
    }
}
