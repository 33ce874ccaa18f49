//! The exact elimination of bilateral rows from a system.
//!
//! Rows that share movable nodes form a group; with `G` its rows and `S = G M^-1 G'`, their impulses are
//! `lambda = -S^-1 (G v - target)`. Rows may repeat each other (a closed loop of hinges always does): `S` is
//! then singular but what it is applied to lies in its range, so a slight shift and refinement give the right
//! answer. `S` is dense: a group of m rows costs m³, and its contacts all couple in `W`.

use crate::assembled::BlockRow;
use crate::islands::find;
use crate::linalg::SymmetricSolver;
use crate::matrix::Block;
use crate::node::{Twist, work};
use crate::system::System;

/// Bilateral rows that act on each other, ready to be enforced.
#[derive(Clone, Debug)]
pub(crate) struct BilateralGroup {
    rows: Vec<usize>,
    /// What multiplies the velocities of nodes, by row.
    terms: Vec<Vec<(usize, Twist)>>,
    solver: SymmetricSolver,
}

/// What a row lacks at given velocities, and what of that rounding may be; in the row's unit of velocity.
pub(crate) fn missing(
    system: &System,
    row: usize,
    terms: &[(usize, Twist)],
    velocities: &[Twist],
) -> (f64, f64) {
    /// Velocities come from sums of a few dozen terms.
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
    let aim = system.rows[row].aim();
    let (mut missing, mut size) = (aim, aim.abs());
    for &(node, term) in terms {
        let v = velocities[node];
        missing -= work(term, v);
        size += term.linear.abs().dot(v.linear.abs()) + term.angular.abs().dot(v.angular.abs());
    }
    (missing, ROUNDINGS * size)
}

/// The groups of bilateral rows that share movable nodes.
pub(crate) fn bilateral_groups(system: &System) -> Vec<BilateralGroup> {
    let mut leader: Vec<usize> = (0..system.nodes.len()).collect();
    let mut first_mover = vec![None; system.rows.len()];
    for (index, row) in system.rows.iter().enumerate().filter(|(_, row)| !row.is_limit()) {
        row.for_each_node(|node| {
            if system.nodes[node].is_movable() {
                let first = *first_mover[index].get_or_insert(node);
                let (a, b) = (find(&mut leader, first), find(&mut leader, node));
                leader[a.max(b)] = a.min(b);
            }
        });
    }
    let mut rows_of: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, mover) in first_mover.into_iter().enumerate() {
        // A row between immovable nodes can change nothing.
        if let Some(node) = mover {
            rows_of.entry(find(&mut leader, node)).or_default().push(index);
        }
    }
    rows_of.into_values().map(|rows| BilateralGroup::new(system, rows)).collect()
}

impl BilateralGroup {
    fn new(system: &System, rows: Vec<usize>) -> Self {
        let terms: Vec<_> = rows.iter().map(|&row| system.rows[row].terms()).collect();
        let size = rows.len();
        let mut s = vec![0.0; size * size];
        for (i, of_i) in terms.iter().enumerate() {
            for &(node, term) in of_i {
                let answer = system.nodes[node].response(term);
                for (j, of_j) in terms.iter().enumerate() {
                    for &(other, term) in of_j {
                        if other == node {
                            s[i * size + j] += work(term, answer);
                        }
                    }
                }
            }
        }
        Self { solver: SymmetricSolver::new(size, s), rows, terms }
    }

    /// Changes `velocities` by the impulses that make every row hold, and adds these to `impulses`; says how
    /// far the rows are from holding, relative to how far they were, and the first of them.
    pub(crate) fn enforce(
        &self,
        system: &System,
        velocities: &mut [Twist],
        impulses: &mut [f64],
    ) -> (f64, usize) {
        let left = self.correct(system, velocities, impulses);
        // Heavy nodes' impulses round coarsely for light ones: what that left is taken away afterwards.
        self.correct(system, velocities, impulses);
        (left, self.rows[0])
    }

    fn correct(&self, system: &System, velocities: &mut [Twist], impulses: &mut [f64]) -> f64 {
        let mut lambda = Vec::with_capacity(self.rows.len());
        // The largest velocity that is missing, and the largest that rounding explains, in the solver's
        // units.
        let (mut largest, mut rounded) = (0.0_f64, 0.0_f64);
        for ((&row, terms), unit) in self.rows.iter().zip(&self.terms).zip(self.solver.units()) {
            let (missing, rounding) = missing(system, row, terms, velocities);
            // Rounding lies outside the range of redundant rows: to correct it would only make it larger.
            lambda.push(if missing.abs() <= rounding { 0.0 } else { missing });
            largest = largest.max(missing.abs() * unit);
            rounded = rounded.max(rounding * unit);
        }
        let left = self.solver.solve(&mut lambda);
        let left = if left * largest <= rounded { 0.0 } else { left };
        for ((&row, terms), &size) in self.rows.iter().zip(&self.terms).zip(&lambda) {
            impulses[row] += size;
            for &(node, term) in terms {
                let change = system.nodes[node].response(term);
                velocities[node].linear += size * change.linear;
                velocities[node].angular += size * change.angular;
            }
        }
        left
    }

    /// What the rows take away from `W`: `-Y' S^-1 Y` with `Y = G M^-1 H`, for the blocks that touch the
    /// group.
    pub(crate) fn corrections(&self, system: &System, blocks: &[BlockRow]) -> Vec<(usize, usize, Block)> {
        let mut at_node: Vec<Vec<(usize, Twist)>> = vec![Vec::new(); system.nodes.len()];
        for (at, terms) in self.terms.iter().enumerate() {
            for &(node, term) in terms {
                at_node[node].push((at, term));
            }
        }
        let mut touching: Vec<(usize, [Vec<f64>; 3])> = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let mut y: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; self.rows.len()]);
            let mut any = false;
            for &(node, pushes) in &block.pushes {
                if !system.nodes[node].is_movable() {
                    continue;
                }
                let answers = pushes.map(|i| system.nodes[node].response(i));
                for &(at, term) in &at_node[node] {
                    any = true;
                    for (column, answer) in y.iter_mut().zip(answers) {
                        column[at] += work(term, answer);
                    }
                }
            }
            if any {
                touching.push((index, y));
            }
        }
        let mut entries = Vec::with_capacity(touching.len() * touching.len());
        for (k, y) in &touching {
            let solved = y.clone().map(|mut column| {
                self.solver.solve(&mut column);
                column
            });
            for (l, z) in &touching {
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                entries.push((*l, *k, std::array::from_fn(|at| -dot(&z[at / 3], &solved[at % 3]))));
            }
        }
        entries
    }
}
