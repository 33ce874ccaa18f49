//! Linear complementarity problems by Lemke's pivoting, with the lexicographic rule against cycling.
//!
//! Find `z >= 0` with `w = M z + q >= 0` and `z . w = 0` (paper 2 §2.2 and its references; Cottle, Pang and
//! Stone 1992, chapter 4). The tableau is dense: `n` unknowns cost about `n³` per `n` pivots, so this is for
//! small problems.

use std::cmp::Ordering;

use crate::linalg::DenseLu;
use crate::solver::{Outcome, Settings};

/// The answer of Lemke's method.
#[derive(Clone, Debug, PartialEq)]
pub struct LcpReport {
    /// `Solved`; `NoSolution` where the method ended on a ray that proves, checked, that there is none;
    /// `Inaccurate` where rounding spoiled the answer or the ray proves nothing; `OutOfBudget` where pivots
    /// or time ran out.
    pub outcome: Outcome,
    /// The unknowns; zeros unless solved.
    pub z: Vec<f64>,
    /// Largest `|min(z, w)|` relative to the largest entry of `q`.
    pub residual: f64,
    /// Pivots done.
    pub pivots: usize,
}

/// An entry of a pivot column at or below this share of the column's largest is taken for zero.
const PIVOT_ZERO: f64 = 1e-11;
/// In units of the scaled problem: what a proof of infeasibility may leave of `M' y` per unit of `y`. The
/// proof's numbers come from a tableau after many pivots, so this is some thousands of roundings.
const CERTIFICATE_ZERO: f64 = 1e-12;
/// `q . y` of such a proof must be this far below zero, relative to the largest `q` and `y`.
const CERTIFICATE_APPROACH: f64 = 1e-9;
/// Ratios closer than this, relatively, are ties that the lexicographic rule decides.
const TIE: f64 = 1e-10;
/// Pivots allowed per unknown: many times what contact problems need, so that only a cycle can use them up.
const PIVOTS_PER_UNKNOWN: usize = 40;

/// Solves the problem with matrix `m` (row by row) and vector `q`; an iteration of the settings is a pivot.
///
/// Where sizes do not match or values are not finite, the outcome is `Inaccurate` and the residual infinite.
pub fn lemke(m: &[f64], q: &[f64], settings: &Settings) -> LcpReport {
    let size = q.len();
    if m.len() != size * size || m.iter().chain(q).any(|v| !v.is_finite()) {
        let residual = f64::INFINITY;
        return LcpReport { outcome: Outcome::Inaccurate, z: vec![0.0; size], residual, pivots: 0 };
    }
    let scale = largest_or_one(q);
    let units = units(m, size);
    let scaled_m: Vec<f64> =
        m.iter().enumerate().map(|(at, v)| units[at / size] * v * units[at % size]).collect();
    let scaled_q: Vec<f64> = q.iter().zip(&units).map(|(q, d)| d * q).collect();
    let scaled_scale = largest_or_one(&scaled_q);
    let most = settings.max_iterations.unwrap_or(PIVOTS_PER_UNKNOWN * (size + 1));
    let deadline = settings.deadline();
    let mut tableau = Tableau::new(&scaled_m, &scaled_q, scaled_scale);
    let (ending, pivots) = tableau.pivot_to_the_end(most, || !deadline.has_passed());
    let mut z = match ending {
        End::Complementary => tableau.solution(),
        End::Ray { .. } | End::OutOfPivots => vec![0.0; size],
    };
    for (z, d) in z.iter_mut().zip(&units) {
        *z *= d * scaled_scale;
    }
    let mut error = residual(m, q, &z, scale);
    if ending == End::Complementary {
        let better = refined(m, q, &tableau.in_basis());
        let better_error = residual(m, q, &better, scale);
        if better_error < error {
            (z, error) = (better, better_error);
        }
    }
    let outcome = match ending {
        End::Complementary if error <= settings.tolerance => Outcome::Solved,
        End::Complementary => Outcome::Inaccurate,
        End::Ray { entering } if is_infeasible(&scaled_m, &scaled_q, &tableau.ray(entering)) => {
            Outcome::NoSolution
        }
        End::Ray { .. } => Outcome::Inaccurate,
        End::OutOfPivots => Outcome::OutOfBudget,
    };
    LcpReport { outcome, z, residual: error, pivots }
}

/// The largest absolute entry, or 1 where there is none but zeros.
fn largest_or_one(values: &[f64]) -> f64 {
    match values.iter().fold(0.0_f64, |s, v| s.max(v.abs())) {
        s if s > 0.0 => s,
        _ => 1.0,
    }
}

/// Units of the unknowns in which the diagonal of `m` is one; where that is zero, in which the largest
/// coupling to an unknown with a diagonal is one.
fn units(m: &[f64], size: usize) -> Vec<f64> {
    let own = |i: usize| m[i * size + i].abs();
    let mut units: Vec<f64> =
        (0..size).map(|i| if own(i) > 0.0 { 1.0 / own(i).sqrt() } else { 0.0 }).collect();
    for i in (0..size).filter(|&i| own(i) == 0.0) {
        let coupling = |j: usize| m[i * size + j].abs().max(m[j * size + i].abs());
        let to_scaled =
            (0..size).filter(|&j| own(j) > 0.0).map(|j| coupling(j) * units[j]).fold(0.0, f64::max);
        let to_any = (0..size).map(coupling).fold(0.0, f64::max).sqrt();
        let largest = if to_scaled > 0.0 { to_scaled } else { to_any };
        units[i] = if largest > 0.0 { 1.0 / largest } else { 1.0 };
    }
    // An overflow or underflow of the units would spoil the problem: then it is taken as it is.
    if units.iter().all(|d| d.is_normal()) { units } else { vec![1.0; size] }
}

/// Whether `y >= 0` proves that no `z >= 0` has `m z + q >= 0`: `m' y <= 0` and `q . y < 0` (Farkas' lemma).
fn is_infeasible(m: &[f64], q: &[f64], y: &[f64]) -> bool {
    let size = q.len();
    let largest = y.iter().fold(0.0_f64, |s, v| s.max(v.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return false;
    }
    let mut columns = vec![0.0; size];
    let mut approach = 0.0;
    for (i, y) in y.iter().map(|y| (y / largest).max(0.0)).enumerate() {
        approach -= q[i] * y;
        for (column, m) in columns.iter_mut().zip(&m[i * size..(i + 1) * size]) {
            *column += m * y;
        }
    }
    columns.iter().all(|&c| c <= CERTIFICATE_ZERO) && approach > CERTIFICATE_APPROACH * largest_or_one(q)
}

/// How pivoting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complementary,
    /// The variable `entering` may grow for ever.
    Ray {
        entering: usize,
    },
    OutOfPivots,
}

/// The equations `w - M z - d z0 = q` solved for the basic variables. Columns: `w`, `z`, `z0`, right side;
/// the first `size` columns are the inverse of the basis, which the lexicographic rule reads.
struct Tableau {
    size: usize,
    width: usize,
    rows: Vec<f64>,
    /// The variable that each row is solved for.
    basic: Vec<usize>,
}

impl Tableau {
    fn new(m: &[f64], q: &[f64], scale: f64) -> Self {
        let size = q.len();
        let width = 2 * size + 2;
        let mut rows = vec![0.0; size * width];
        for row in 0..size {
            let line = &mut rows[row * width..(row + 1) * width];
            line[row] = 1.0;
            for column in 0..size {
                line[size + column] = -m[row * size + column];
            }
            line[2 * size] = -1.0;
            line[2 * size + 1] = q[row] / scale;
        }
        Self { size, width, rows, basic: (0..size).collect() }
    }

    fn pivot_to_the_end(&mut self, most: usize, in_time: impl Fn() -> bool) -> (End, usize) {
        let Some(first) = self.most_negative_row() else { return (End::Complementary, 0) };
        let artificial = 2 * self.size;
        let mut leaving = self.pivot(first, artificial);
        let mut pivots = 1;
        while leaving != artificial {
            if pivots >= most || !in_time() {
                return (End::OutOfPivots, pivots);
            }
            let entering = if leaving < self.size { leaving + self.size } else { leaving - self.size };
            let Some(row) = self.blocking_row(entering) else {
                return (End::Ray { entering }, pivots);
            };
            leaving = self.pivot(row, entering);
            pivots += 1;
        }
        (End::Complementary, pivots)
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.rows[row * self.width + column]
    }

    /// The lexicographically least row, where any right side is negative.
    fn most_negative_row(&self) -> Option<usize> {
        let right = self.width - 1;
        let least = (0..self.size).reduce(|best, row| {
            let order = self.at(row, right).total_cmp(&self.at(best, right));
            // Among equal right sides the later row is the lesser: unit rows, compared from the first column.
            if order == Ordering::Less || (order == Ordering::Equal && row > best) { row } else { best }
        })?;
        (self.at(least, right) < 0.0).then_some(least)
    }

    /// The row whose variable first reaches zero as `entering` grows; `None` where it may grow for ever.
    fn blocking_row(&self, entering: usize) -> Option<usize> {
        let largest = (0..self.size).map(|row| self.at(row, entering).abs()).fold(0.0, f64::max);
        let zero = PIVOT_ZERO * largest;
        let candidates = (0..self.size).filter(|&row| self.at(row, entering) > zero);
        let best = candidates.clone().reduce(|best, row| {
            if self.compare_rows(row, best, entering) == Ordering::Less { row } else { best }
        })?;
        // The artificial variable leaves whenever it may: that is the end.
        let artificial = 2 * self.size;
        let home = candidates.into_iter().find(|&row| self.basic[row] == artificial);
        match home {
            Some(row) if self.compare_ratios(row, best, entering, self.width - 1) != Ordering::Greater => {
                Some(row)
            }
            _ => Some(best),
        }
    }

    /// Lexicographic order of two rows divided by their entries in the `entering` column.
    fn compare_rows(&self, a: usize, b: usize, entering: usize) -> Ordering {
        std::iter::once(self.width - 1)
            .chain(0..self.size)
            .map(|column| self.compare_ratios(a, b, entering, column))
            .find(|&order| order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    }

    fn compare_ratios(&self, a: usize, b: usize, entering: usize, column: usize) -> Ordering {
        let x = self.at(a, column) / self.at(a, entering);
        let y = self.at(b, column) / self.at(b, entering);
        if (x - y).abs() <= TIE * x.abs().max(y.abs()).max(1.0) { Ordering::Equal } else { x.total_cmp(&y) }
    }

    /// Solves row `row` for the variable `entering`, and says which variable it was solved for before.
    fn pivot(&mut self, row: usize, entering: usize) -> usize {
        let width = self.width;
        let factor = 1.0 / self.at(row, entering);
        let line: Vec<f64> = self.rows[row * width..(row + 1) * width].iter().map(|v| v * factor).collect();
        for (other, target) in self.rows.chunks_exact_mut(width).enumerate() {
            if other == row {
                target.copy_from_slice(&line);
                continue;
            }
            let amount = target[entering];
            if amount != 0.0 {
                for (t, l) in target.iter_mut().zip(&line) {
                    *t -= amount * l;
                }
                target[entering] = 0.0;
            }
        }
        std::mem::replace(&mut self.basic[row], entering)
    }

    fn solution(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.size];
        for (row, &variable) in self.basic.iter().enumerate() {
            if (self.size..2 * self.size).contains(&variable) {
                z[variable - self.size] = self.at(row, self.width - 1).max(0.0);
            }
        }
        z
    }

    /// How the unknowns `z` grow with the variable `entering`.
    fn ray(&self, entering: usize) -> Vec<f64> {
        let range = self.size..2 * self.size;
        let mut z = vec![0.0; self.size];
        for (row, variable) in self.basic.iter().enumerate().filter(|(_, v)| range.contains(v)) {
            z[variable - self.size] = -self.at(row, entering);
        }
        if range.contains(&entering) {
            z[entering - self.size] = 1.0;
        }
        z
    }

    /// The unknowns `z` that are basic, ascending.
    fn in_basis(&self) -> Vec<usize> {
        let range = self.size..2 * self.size;
        let mut basis: Vec<usize> =
            self.basic.iter().filter(|v| range.contains(v)).map(|v| v - self.size).collect();
        basis.sort_unstable();
        basis
    }
}

/// The solution that belongs to a basis, computed afresh: many pivots leave rounding behind.
fn refined(m: &[f64], q: &[f64], basis: &[usize]) -> Vec<f64> {
    let size = q.len();
    let mut z = vec![0.0; size];
    if basis.is_empty() {
        return z;
    }
    let mut x: Vec<f64> = basis.iter().map(|&i| -q[i]).collect();
    DenseLu::of(basis.len(), |i, j| m[basis[i] * size + basis[j]]).solve(&mut x);
    if x.iter().all(|v| v.is_finite()) {
        for (&i, x) in basis.iter().zip(x) {
            z[i] = x.max(0.0);
        }
    }
    z
}

/// Largest `|min(z, M z + q)|` divided by `scale`.
fn residual(m: &[f64], q: &[f64], z: &[f64], scale: f64) -> f64 {
    let size = q.len();
    let mut worst = 0.0_f64;
    for row in 0..size {
        let w: f64 = m[row * size..(row + 1) * size].iter().zip(z).map(|(m, z)| m * z).sum::<f64>() + q[row];
        worst = worst.max(z[row].min(w).abs());
    }
    if worst.is_finite() { worst / scale } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;

    fn to(tolerance: f64) -> Settings {
        Settings { tolerance, ..Settings::default() }
    }

    #[test]
    fn a_textbook_problem_is_solved() {
        // Cottle, Pang, Stone: M = [[2, 1], [1, 2]], q = (-5, -6) has z = (4/3, 7/3).
        let report = lemke(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &to(1e-12));
        assert_eq!(report.outcome, Outcome::Solved);
        assert!((report.z[0] - 4.0 / 3.0).abs() < 1e-12 && (report.z[1] - 7.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn an_infeasible_problem_is_proven_so() {
        // w = 0 z - 1 can never be positive; nor both of w = (z0 - z1 - 1, z1 - z0 - 1).
        assert_eq!(lemke(&[0.0], &[-1.0], &to(1e-9)).outcome, Outcome::NoSolution);
        let walls = [1.0, -1.0, -1.0, 1.0];
        assert_eq!(lemke(&walls, &[-1.0, -1.0], &to(1e-9)).outcome, Outcome::NoSolution);
        assert_eq!(lemke(&walls, &[-1.0, 1.0], &to(1e-9)).outcome, Outcome::Solved);
    }

    #[test]
    fn a_ray_that_proves_nothing_is_not_called_a_proof() {
        // z = (1, 1) solves it, but without a positive diagonal Lemke's path may end on a ray.
        let report = lemke(&[0.0, 1.0, 1.0, 0.0], &[-1.0, -1.0], &to(1e-9));
        assert_ne!(report.outcome, Outcome::NoSolution);
    }

    #[test]
    fn units_of_the_matrix_do_not_matter() {
        for unit in [1e-12, 1e-150, 1e12] {
            let report = lemke(&[unit], &[-1.0], &to(1e-9));
            assert_eq!(report.outcome, Outcome::Solved, "{unit:e}");
            assert!((report.z[0] * unit - 1.0).abs() < 1e-12);
        }
        // Unknowns in units that differ by 1e8.
        let (a, b) = (1e-16, 1.0);
        let m = [2.0 * a, 1e-8, 1e-8, 2.0 * b];
        let report = lemke(&m, &[-5e-8, -6.0], &to(1e-9));
        assert_eq!(report.outcome, Outcome::Solved);
        assert!((report.z[0] * 1e-8 - 4.0 / 3.0).abs() < 1e-9 && (report.z[1] - 7.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn sizes_that_do_not_match_are_an_honest_failure() {
        assert_eq!(lemke(&[1.0], &[-1.0, 2.0], &to(1e-9)).outcome, Outcome::Inaccurate);
    }

    /// Redundant and degenerate: `M = G' G` of low rank with repeated columns, `q` in its range so that a
    /// solution exists, with many entries exactly zero.
    #[test]
    fn redundant_and_degenerate_problems_neither_cycle_nor_lie() {
        let mut random = Random::new(7);
        let mut solved = 0;
        let trials = 600;
        for _ in 0..trials {
            let (m, q) = degenerate_problem(&mut random);
            let report = lemke(&m, &q, &to(1e-8));
            assert_ne!(report.outcome, Outcome::OutOfBudget, "cycled on {m:?} {q:?}");
            if report.outcome == Outcome::Solved {
                solved += 1;
                assert!(independent_residual(&m, &q, &report.z) < 1e-7);
            }
        }
        assert!(solved >= trials - 3, "only {solved} of {trials} solved");
    }

    fn degenerate_problem(random: &mut Random) -> (Vec<f64>, Vec<f64>) {
        let size = 2 + (random.bits() % 14) as usize;
        let rank = 1 + (random.bits() % 4) as usize;
        let mut g = vec![vec![0.0; size]; rank];
        for column in 0..size {
            let copy_of = if column > 0 && random.unit() < 0.4 {
                Some((random.bits() % column as u64) as usize)
            } else {
                None
            };
            for line in &mut g {
                line[column] = match copy_of {
                    Some(other) => line[other],
                    // Small integers make exact ties.
                    None => (random.bits() % 5) as f64 - 2.0,
                };
            }
        }
        let mut m = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..size {
                m[i * size + j] = g.iter().map(|line| line[i] * line[j]).sum();
            }
        }
        // q = G' v - M z + w with z, w complementary and often both zero: a solution is known to exist.
        let z: Vec<f64> =
            (0..size).map(|_| if random.unit() < 0.5 { (random.bits() % 3) as f64 } else { 0.0 }).collect();
        let q = (0..size)
            .map(|i| {
                let w = if z[i] == 0.0 && random.unit() < 0.5 { (random.bits() % 2) as f64 } else { 0.0 };
                w - (0..size).map(|j| m[i * size + j] * z[j]).sum::<f64>()
            })
            .collect();
        (m, q)
    }

    fn independent_residual(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
        let size = q.len();
        let mut worst = 0.0_f64;
        for i in 0..size {
            let mut w = q[i];
            for j in 0..size {
                w += m[i * size + j] * z[j];
            }
            worst = worst.max(-z[i]).max(-w).max(z[i].min(w));
        }
        worst / q.iter().fold(1.0_f64, |s, v| s.max(v.abs()))
    }
}
