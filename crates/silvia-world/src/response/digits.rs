//! How exactly the rounds of a fixpoint are solved: no more than matters.
//!
//! Where bodies turn, the gaps of a round come out other than predicted by far more than its solver leaves,
//! and the next round will see that only. Among many contacts, where digits are dear, such rounds are solved
//! roughly.

use super::fixpoint::SETTLED;
use super::iterate::Iterate;
use super::part::Part;
use super::task::{Task, TaskContact};

/// Velocities that move gaps by less than this fraction of a shell in a step are none: relative to nothing
/// but them, a tolerance would ask for more digits than positions have.
const STILL: f64 = 1e-5;

/// With more contacts than this rounds may be solved roughly: to this fraction of what gaps come out other
/// than predicted.
const MANY: usize = 100;
const OF_BEND: f64 = 1e-2;

/// So many times a velocity that does not matter is near enough for a solver.
const ENOUGH: f64 = 2000.0;

/// What may be wrong with a prediction, as a fraction of the way of a body: what it hits turns.
const OF_WAY: f64 = 1e-3;

/// How exactly the next round is solved.
pub(super) struct Digits {
    /// A velocity that does not matter, in a round that may be the last, m/s.
    still: f64,
    /// What moves the gap with the least shell by all of it in a step, m/s.
    shell: f64,
    /// By how many shells gaps come out other than predicted, at most.
    bend: f64,
    may_be_few: bool,
}

impl Digits {
    /// For the first round.
    pub(super) fn new(task: &Task<'_>) -> Digits {
        let least = task.contacts.iter().map(|c| c.shell).fold(f64::INFINITY, f64::min);
        let shell = if least.is_finite() { least / task.time_step } else { 0.0 };
        let bend = if task.near.is_some() { 0.0 } else { expected_bend(task) };
        // What sweeps leave is said by contact.
        Digits { still: STILL * shell, shell, bend, may_be_few: task.sweeps == 0 }
    }

    /// Whether the round is one before the last, and roughly solved.
    pub(super) fn are_few(&self, contacts: usize) -> bool {
        self.may_be_few && contacts > MANY && self.bend > SETTLED / OF_BEND
    }

    /// A velocity that moves no gap by anything that matters, m/s.
    pub(super) fn still(&self, is_rough: bool) -> f64 {
        if is_rough { self.still.max(OF_BEND * self.bend / ENOUGH * self.shell) } else { self.still }
    }

    /// Looks at how the gaps came out.
    pub(super) fn look(&mut self, task: &Task<'_>, at: &Iterate, next: &Iterate, parts: &[Part]) {
        let loaded = (0..parts.len()).filter(|&k| parts[k].is_loaded);
        let bend = |k: usize| {
            let predicted = at.predicted_gap(task, k, &next.velocities);
            (next.states[k].gap - predicted).abs() / task.contacts[k].shell
        };
        self.bend = loaded.map(bend).fold(0.0, f64::max);
    }

    /// Asks for more of them from now on.
    pub(super) fn tighten(&mut self, by: f64) {
        self.still *= by;
    }
}

/// By how many shells gaps may come out other than predicted from the start.
fn expected_bend(task: &Task<'_>) -> f64 {
    let of_contact = |c: &TaskContact| {
        let bend = |side: usize| {
            let body = &task.bodies[c.bodies[side]];
            let turn = task.time_step * body.velocity.angular.length();
            let turned =
                if turn > 0.0 { c.start.points[side].distance(body.centre) * turn * turn } else { 0.0 };
            turned.max(OF_WAY * task.time_step * body.velocity.linear.length())
        };
        (bend(0) + bend(1)) / c.shell
    };
    task.contacts.iter().map(of_contact).fold(0.0, f64::max)
}
