//! The distance fixpoint of paper 2 §2.2, around any way to solve an island that is linearised.
//!
//! The gap at the end of the step is a nonlinear function of the velocities there. At an iterate `u'` that
//! leads to `s'` it is replaced by its linearisation, `delta(s') + dt N'J'(u - u')`; the contact problem with
//! these gaps gives the next iterate. Where iterates no longer move, the *true* gaps at the end obey the law:
//! none is below its shell, and impulses act only where one is closed. The first iterate is the start of the
//! step (`u' = 0`), not the end of free motion, where bodies may be through and beside each other, so that
//! the contacts that hold them apart now would not be found.
//!
//! Which contacts take part is looked at anew at each iterate ([`Part`]).

use super::digits::Digits;
use super::gain::creates_energy;
use super::is_usable;
use super::iterate::{Iterate, difference, inverse_inertias, target};
use super::part::Part;
use super::scratch::{Scratch, Solving, refill};
use super::task::{Answer, Task};
use crate::profile::{Stage, timed};
use crate::threads::{CONTACTS, for_each};
use silvia_contact::{Outcome, Settings, Twist};
use silvia_solid::{Mat3, Vec3};

/// Iterates have settled where their gaps are as predicted, to this fraction of the shell.
pub(super) const SETTLED: f64 = 1e-2;

/// Gaps must come out above this fraction of what they are to be at least.
const KEPT: f64 = 0.5;

/// A gap across which an impulse acts may come out larger than predicted by so many shells: in the next step
/// it closes.
const FARTHEST: f64 = 10.0;

/// An impulse that opens its own gap by less than this fraction of the shell is none: what Newton's method
/// leaves where a gap is open.
const NO_IMPULSE: f64 = 1e-3;

/// Rounds before giving up. Steady contact takes one or two, rolling over edges some five.
const MOST_ROUNDS: usize = 12;

/// Rounds where an answer is to be quick, and what of their shells gaps must come out above then.
const MOST_QUICK_ROUNDS: usize = 4;
const QUICKLY_KEPT: f64 = 0.05;

/// Beyond such velocities, m/s or rad/s, numbers end: squares of them still fit.
const FASTEST: f64 = 1e100;

/// From a rough answer with no more of a residual the next round may start.
const ROUGHEST: f64 = 1e-2;

/// Contacts join and leave in so many rounds; after that they only join, or it might go on for ever.
const FREELY: usize = 3;

/// From an answer with no more of a residual the next round may start, though it may not be the last one.
const GOING_ON: f64 = 1e-5;

/// After so many such rounds a shorter step is better.
const MOST_INACCURATE: usize = 4;

/// What a way to solve an island answers.
pub(super) struct Solution {
    /// Of all bodies, at the end.
    pub(super) velocities: Vec<Twist>,
    /// Of the contacts that take part, on their second bodies, N s.
    pub(super) impulses: Vec<Vec3>,
    /// How it ended.
    pub(super) outcome: Outcome,
    /// By the method's own law.
    pub(super) residual: f64,
    /// What a user should know.
    pub(super) notes: Vec<String>,
}

/// A way to solve an island that is linearised.
pub(super) trait Inner {
    /// Solves for the contacts `taken`, which are numbered as in the task; `start` are impulses to start
    /// from, one for each of those.
    fn solve(&self, at: &Linearised<'_>, start: &[Vec3], settings: &Settings, room: &mut Solving)
    -> Solution;
}

/// An island linearised at an iterate.
pub(super) struct Linearised<'a> {
    /// The island.
    pub(super) task: &'a Task<'a>,
    /// Where.
    pub(super) iterate: &'a Iterate,
    /// The contacts that take part, ascending.
    pub(super) taken: &'a [usize],
    /// A velocity that moves no gap by anything that matters, m/s.
    pub(super) still: f64,
}

/// Runs the fixpoint.
pub(super) fn fixpoint(task: &Task<'_>, settings: &Settings, inner: &dyn Inner) -> Answer {
    let mut answer = Answer::default();
    fixpoint_into(task, settings, inner, &mut Scratch::default(), &mut answer);
    answer
}

/// Runs the fixpoint in memory that is kept; the answer comes in place of another.
pub(super) fn fixpoint_into(
    task: &Task<'_>,
    settings: &Settings,
    inner: &dyn Inner,
    scratch: &mut Scratch,
    answer: &mut Answer,
) {
    let Scratch { iterates: [at, next], parts, taken, start, inverse_inertias: inverse, solving, work } =
        scratch;
    let Answer { velocities, impulses, states, outcome, residual, iterations, notes } = answer;
    match task.near {
        Some(velocities) => at.put_after(task, velocities),
        None => at.put_at_start(task),
    }
    refill(impulses, task.contacts.iter().map(|c| c.guess));
    refill(parts, (0..task.contacts.len()).map(|k| Part::new(task, at, k)));
    let (mut settings, mut digits) = (settings.clone(), Digits::new(task));
    let is_quick = task.sweeps > 0;
    let most_rounds = if is_quick { MOST_QUICK_ROUNDS } else { MOST_ROUNDS };
    refill(inverse, inverse_inertias(task));
    notes.clear();
    let mut inaccurate = 0;
    for round in 0..most_rounds {
        *iterations = round + 1;
        refill(&mut taken.by_bodies, (0..parts.len()).filter(|&k| parts[k].is_taken));
        timed(task.watch, Stage::Assemble, |()| 0, || at.leave_out_implied(task, impulses, taken));
        at.put_start(task, impulses, taken, start);
        let is_rough = digits.are_few(taken.left.len());
        let still = digits.still(is_rough);
        let linearised = Linearised { task, iterate: at, taken: &taken.left, still };
        let solution = inner.solve(&linearised, start, &settings, solving);
        *residual = solution.residual;
        if !are_in_range(task, &solution.velocities) {
            *answer = unmoved(task, solution, round + 1);
            return;
        }
        impulses.fill(Vec3::ZERO);
        for (&k, &impulse) in taken.left.iter().zip(&solution.impulses) {
            impulses[k] = impulse;
        }
        timed(task.watch, Stage::Integrate, |()| parts.len(), || next.put_after(task, &solution.velocities));
        solving.solver.take_back(solution.velocities, solution.impulses);
        let is_usable =
            is_quick || is_rough && *residual <= ROUGHEST || is_usable(solution.outcome, *residual);
        for_each(parts, CONTACTS, |k, part| {
            part.is_loaded = is_loaded(task, at, inverse, k, impulses[k]);
            part.look(task, k, next);
            part.verdict = judge(task, at, next, k, part, !is_quick && round < FREELY);
        });
        let mut verdict = parts.iter().fold(Verdict::SETTLED, |all, part| all.and(part.verdict));
        if is_rough {
            verdict = Verdict { is_settled: false, is_loose: false };
            digits.look(task, at, next, parts);
        }
        inaccurate += usize::from(!is_usable && !is_rough);
        let may_go_on = is_usable || *residual <= GOING_ON && inaccurate < MOST_INACCURATE;
        if !may_go_on || verdict.is_settled {
            // Also of what is nearly solved: it may be taken.
            let is_absurd = creates_energy(task, next, impulses, work);
            if is_absurd {
                *residual = f64::INFINITY;
            }
            *outcome = match (is_usable, is_absurd) {
                (true, false) => Outcome::Solved,
                (true, true) => Outcome::Inaccurate,
                (false, _) => solution.outcome,
            };
            std::mem::swap(velocities, &mut next.velocities);
            std::mem::swap(states, &mut next.states);
            *notes = solution.notes;
            return;
        }
        if verdict.is_loose && !is_quick {
            settings.tolerance = (TIGHTER * settings.tolerance).max(f64::EPSILON);
            digits.tighten(TIGHTER);
        }
        for (k, part) in parts.iter_mut().enumerate() {
            part.go_on(task, k, next, is_quick || round >= FREELY);
        }
        std::mem::swap(at, next);
    }
    if !is_quick {
        notes.push(format!("the gaps at the end of the step did not settle in {MOST_ROUNDS} rounds"));
    }
    if creates_energy(task, at, impulses, work) {
        *residual = f64::INFINITY;
    }
    *outcome = Outcome::Inaccurate;
    std::mem::swap(velocities, &mut at.velocities);
    std::mem::swap(states, &mut at.states);
}

/// What a tolerance is multiplied by where a solver's answer leaves gaps below their shells.
const TIGHTER: f64 = 1e-2;

/// What a comparison of two iterates tells about contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// The law holds for the true gaps at the new iterate.
    is_settled: bool,
    /// The solver itself left a gap below what it was asked for.
    is_loose: bool,
}

impl Verdict {
    pub(super) const SETTLED: Verdict = Verdict { is_settled: true, is_loose: false };

    fn and(self, other: Verdict) -> Verdict {
        Verdict { is_settled: self.is_settled && other.is_settled, is_loose: self.is_loose || other.is_loose }
    }
}

/// Whether what was solved for a contact at `at` is true at `next`; where rounds go on and on, more or less.
fn judge(task: &Task<'_>, at: &Iterate, next: &Iterate, k: usize, part: &Part, is_strict: bool) -> Verdict {
    let (contact, state) = (&task.contacts[k], &next.states[k]);
    if !part.is_loaded && !state.holds {
        return Verdict::SETTLED;
    }
    let slack = (SETTLED * contact.shell).max(rounding(task, next, k));
    let least = target(task, k);
    let predicted = at.predicted_gap(task, k, &next.velocities);
    let (lowest, highest) = match is_strict {
        true => (least - slack, predicted + slack),
        false if task.sweeps > 0 => (QUICKLY_KEPT * least, predicted + FARTHEST * contact.shell),
        false => (KEPT * least - slack, predicted + FARTHEST * contact.shell + slack),
    };
    // What the solver left is not for another round to mend.
    let is_above = state.gap >= lowest.min(predicted.max(KEPT * least) - slack);
    let is_as_predicted = || {
        let is_as_meant =
            state.gap >= predicted - slack && (part.is_there || shift(task, at, next, k) <= slack);
        state.gap <= highest && (!is_strict || is_as_meant)
    };
    Verdict {
        is_settled: is_above && (!part.is_loaded || is_as_predicted()),
        is_loose: (part.is_loaded || part.is_taken) && predicted < lowest,
    }
}

fn is_loaded(
    task: &Task<'_>,
    at: &Iterate,
    inverse: &[Option<(f64, Mat3)>],
    contact: usize,
    impulse: Vec3,
) -> bool {
    impulse != Vec3::ZERO
        && at.lift(task, inverse, contact, impulse) > NO_IMPULSE * task.contacts[contact].shell
}

/// How far the points of a contact move from an iterate to the next, m.
fn shift(task: &Task<'_>, at: &Iterate, next: &Iterate, contact: usize) -> f64 {
    let [a, b] = task.contacts[contact].bodies;
    let arms = next.row(task, contact).arms;
    let moved = |body: usize, arm: Vec3| {
        let change = difference(next.velocities[body], at.velocities[body]);
        task.time_step * (change.linear + change.angular.cross(arm)).length()
    };
    moved(a, arms[0]) + moved(b, arms[1])
}

/// What of a gap is rounding of where the bodies are, m.
fn rounding(task: &Task<'_>, at: &Iterate, contact: usize) -> f64 {
    const UNITS: f64 = 16.0;
    let largest = |v: Vec3| v.abs().max_element();
    let [a, b] = task.contacts[contact].bodies;
    let bodies = largest(at.poses[a].translation()).max(largest(at.poses[b].translation()));
    UNITS * f64::EPSILON * bodies.max(largest(at.states[contact].points[0]))
}

/// Whether velocities are numbers to compute with.
pub(super) fn are_in_range(task: &Task<'_>, velocities: &[Twist]) -> bool {
    let fits = |v: Vec3| v.is_finite() && v.abs().max_element() <= FASTEST;
    velocities.len() == task.bodies.len() && velocities.iter().all(|v| fits(v.linear) && fits(v.angular))
}

/// The answer where there are no velocities to compute with: as if the bodies stood.
fn unmoved(task: &Task<'_>, solution: Solution, iterations: usize) -> Answer {
    let outcome = if solution.outcome == Outcome::Solved { Outcome::Inaccurate } else { solution.outcome };
    let mut notes = solution.notes;
    if !solution.velocities.is_empty() {
        notes.push("velocities ran out of the range of numbers".to_owned());
    }
    Answer {
        velocities: task.bodies.iter().map(|b| b.velocity).collect(),
        impulses: vec![Vec3::ZERO; task.contacts.len()],
        states: task.contacts.iter().map(|c| c.start).collect(),
        outcome,
        residual: solution.residual,
        iterations,
        notes,
    }
}
