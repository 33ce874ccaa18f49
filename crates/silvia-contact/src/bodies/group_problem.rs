//! Contacts, and rows like them, that act on each other, over the velocities of their bodies.

use super::block_lu::Block6;
use super::rows::{ContactRow, NONE, flat};
use crate::solver::APPROACH_FACTOR;
use crate::system::System;

/// Contacts that act on each other, with their bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupProblem<const N: usize> {
    pub(super) rows: Vec<ContactRow<N>>,
    /// Mass and inertia of each body.
    pub(super) masses: Vec<Block6>,
    /// Of `masses`.
    pub(super) inverses: Vec<Block6>,
    /// Velocities without contacts.
    pub(super) free: Vec<[f64; 6]>,
    /// What residuals are divided by, m/s.
    pub(super) scale: f64,
    /// The residual that is asked for.
    pub(super) tolerance: f64,
    /// One that will do where it gets less only slowly.
    pub(super) enough: f64,
    pub(super) most_iterations: usize,
    /// Whether a solve goes on to more digits where bodies are at rest.
    pub(super) goes_on_at_rest: bool,
}

impl<const N: usize> GroupProblem<N> {
    /// Takes masses and free velocities of some nodes.
    pub(super) fn put_nodes(&mut self, system: &System, nodes: &[usize]) {
        self.masses.clear();
        self.masses.extend(nodes.iter().map(|&node| system.nodes[node].mass_block()));
        self.inverses.clear();
        self.inverses.extend(nodes.iter().map(|&node| system.nodes[node].inverse_block()));
        self.free.clear();
        self.free.extend(nodes.iter().map(|&node| flat(system.nodes[node].free_velocity)));
    }

    /// Pairs of bodies that contacts connect, as often as they do.
    pub(super) fn connections(&self) -> impl Iterator<Item = [u32; 2]> + Clone + '_ {
        let of_row = |row: &'_ ContactRow<N>| {
            let bodies = row.sides.map(|side| side.body);
            (0..N).flat_map(move |i| (i + 1..N).map(move |j| [bodies[i], bodies[j]]))
        };
        self.rows.iter().flat_map(of_row).filter(|pair| !pair.contains(&NONE) && pair[0] != pair[1])
    }

    /// The velocities that impulses lead to.
    pub(super) fn velocities(&self, r: &[[f64; 3]], v: &mut Vec<[f64; 6]>) {
        v.clear();
        v.extend_from_slice(&self.free);
        self.rows.iter().zip(r).for_each(|(row, &r)| row.push(r, v));
    }

    /// The kinetic energy of the change from free flight to given velocities, J.
    pub(super) fn energy_of_change(&self, v: &[[f64; 6]]) -> f64 {
        let of_body = |body: usize| {
            let [change, momentum] = self.change(v, body);
            (0..6).map(|i| 0.5 * change[i] * momentum[i]).sum::<f64>()
        };
        (0..self.masses.len()).map(of_body).sum()
    }

    /// Puts `-M (v - v_free)` into a list, six values a body.
    pub(super) fn add_inertia(&self, v: &[[f64; 6]], force: &mut Vec<[f64; 6]>) {
        force.clear();
        force.extend((0..self.masses.len()).map(|body| self.change(v, body)[1].map(|momentum| -momentum)));
    }

    /// The change of a body from free flight to given velocities: `v - v_free`, and `M` times that.
    fn change(&self, v: &[[f64; 6]], body: usize) -> [[f64; 6]; 2] {
        let mass = &self.masses[body];
        let change: [f64; 6] = std::array::from_fn(|k| v[body][k] - self.free[body][k]);
        [change, std::array::from_fn(|i| (0..6).map(|k| mass[i][k] * change[k]).sum())]
    }

    /// How far impulses, and the velocities they lead to, are from the law; and that or how fast contacts
    /// close, whichever is more. Relative to the scale.
    pub(super) fn residual(&self, r: &[[f64; 3]], v: &[[f64; 6]]) -> [f64; 2] {
        let (mut sum, mut approach) = (0.0, 0.0);
        for (row, &r) in self.rows.iter().zip(r) {
            let [error, closing] = row.error(r, row.velocity(v));
            sum += error;
            approach += closing;
        }
        let relative = |square: f64| square.sqrt() / self.scale;
        let measure = relative(sum).max(relative(approach) / APPROACH_FACTOR);
        [relative(sum), if measure.is_finite() { measure } else { f64::INFINITY }]
    }
}
