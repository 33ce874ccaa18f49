//! Contact problems solved over the velocities of bodies, without the matrix over contacts.
//!
//! A world knows bodies and contacts. Where contacts are many to a body, as where solids lie on each other, it is far cheaper to work
//! with six unknowns a body than with three a contact. Bodies that contacts connect are solved together, others apart and at once; what is
//! not solved so goes the long way, by [`Auto`] over the contacts.

mod block_lu;
mod newton;
mod rows;

use crate::islands::find;
use crate::solver::{Outcome, Settings, Solver};
use crate::solvers::Auto;
use crate::system::{ContactFrame, System, SystemError, Twist};
use newton::{Found, Group};
use rayon::prelude::*;
use rows::{NONE, Row, flat};
use silvia_solid::Vec3;

/// What was found for a system.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemReport {
    /// Of all bodies, at the end of the step.
    pub velocities: Vec<Twist>,
    /// Of each contact on its body B, in world axes, N s.
    pub impulses: Vec<Vec3>,
    /// How it ended.
    pub outcome: Outcome,
    /// [Measured in velocities](crate::ContactProblem::measured_in_velocities), relative to what contacts must stop.
    pub residual: f64,
    /// Over all groups of bodies.
    pub iterations: usize,
    /// What a user should know.
    pub notes: Vec<String>,
}

/// Solves a system without joints for Coulomb's law, to a residual relative to the velocities that contacts must stop, or to `still` (m/s), a velocity
/// that does not matter, whichever is more; `start` are impulses to start from.
pub fn solve_system(
    system: &System,
    start: &[Vec3],
    still: f64,
    settings: &Settings,
) -> Result<SystemReport, SystemError> {
    system.check()?;
    let frames: Vec<ContactFrame> = system.contacts.iter().map(ContactFrame::new).collect();
    let groups = connected(system);
    let whole = Whole::new(system, &frames, still, settings);
    let solve = |contacts: &Vec<usize>| whole.solve(contacts, start);
    let solved: Vec<Result<Solved, SystemError>> = if groups.len() > 1 {
        groups.par_iter().map(solve).collect()
    } else {
        groups.iter().map(solve).collect()
    };
    let mut report = SystemReport {
        velocities: system.bodies.iter().map(|b| b.free_velocity).collect(),
        impulses: vec![Vec3::ZERO; system.contacts.len()],
        outcome: Outcome::Solved,
        residual: 0.0,
        iterations: 0,
        notes: Vec::new(),
    };
    let mut squares = 0.0;
    for (contacts, solved) in groups.iter().zip(solved) {
        let Solved { found, scale, outcome, notes } = solved?;
        for (&contact, &r) in contacts.iter().zip(&found.r) {
            let (c, frame) = (&system.contacts[contact], &frames[contact]);
            report.impulses[contact] = r[0] * frame.0[0] + r[1] * frame.0[1] + r[2] * frame.0[2];
            for body in [c.body_a, c.body_b] {
                for (unit, size) in frame.impulses_on(c, body).into_iter().zip(r) {
                    let change = system.bodies[body].response(unit);
                    report.velocities[body].linear += size * change.linear;
                    report.velocities[body].angular += size * change.angular;
                }
            }
        }
        squares += (found.residual * scale).powi(2);
        report.iterations += found.iterations;
        if outcome.severity() > report.outcome.severity() {
            report.outcome = outcome;
        }
        report.notes.extend(notes);
    }
    report.residual = squares.sqrt() / whole.scale;
    Ok(report)
}

/// Groups of contacts that bodies which can be moved connect; each ascends, and they are ordered by their first contact.
fn connected(system: &System) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..system.bodies.len()).collect();
    let is_movable = |body: usize| system.bodies[body].is_movable();
    for c in &system.contacts {
        if is_movable(c.body_a) && is_movable(c.body_b) {
            let (a, b) = (find(&mut leader, c.body_a), find(&mut leader, c.body_b));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![usize::MAX; system.bodies.len()];
    for (contact, c) in system.contacts.iter().enumerate() {
        let mover = if is_movable(c.body_a) { c.body_a } else { c.body_b };
        let first = find(&mut leader, mover);
        if place[first] == usize::MAX {
            place[first] = groups.len();
            groups.push(Vec::new());
        }
        groups[place[first]].push(contact);
    }
    groups
}

/// What all groups share.
struct Whole<'a> {
    system: &'a System,
    frames: &'a [ContactFrame],
    settings: &'a Settings,
    /// Of velocities that contacts must stop: squares of them by contact, and their root, m/s.
    squares: Vec<f64>,
    scale: f64,
    tolerance: f64,
}

/// What was found for a group.
struct Solved {
    found: Found,
    scale: f64,
    outcome: Outcome,
    notes: Vec<String>,
}

/// However little moves, a residual above this is no solution.
const LOOSEST: f64 = 1e-3;

impl<'a> Whole<'a> {
    fn new(system: &'a System, frames: &'a [ContactFrame], still: f64, settings: &'a Settings) -> Whole<'a> {
        let free: Vec<Twist> = system.bodies.iter().map(|b| b.free_velocity).collect();
        let square = |(contact, frame): (&crate::Contact, &ContactFrame)| {
            let mut q = frame.relative_velocity(contact, &free);
            q[0] += system.bias(contact, frame);
            q.iter().map(|v| v * v).sum::<f64>()
        };
        let squares: Vec<f64> = system.contacts.iter().zip(frames).map(square).collect();
        let length = squares.iter().sum::<f64>().sqrt();
        let scale = if length > f64::EPSILON { length } else { 1.0 };
        let tolerance = settings.tolerance.max((still / scale).min(LOOSEST));
        Whole { system, frames, settings, squares, scale, tolerance }
    }

    fn solve(&self, contacts: &[usize], start: &[Vec3]) -> Result<Solved, SystemError> {
        let system = self.system;
        // As islands are measured: against half their own velocities and half their share of all.
        let own: f64 = contacts.iter().map(|&c| self.squares[c]).sum();
        let share = contacts.len() as f64 / system.contacts.len() as f64;
        let scale = (0.5 * (own + self.scale * self.scale * share)).sqrt();
        let group = self.group(contacts, scale);
        let local = |&c: &usize| self.frames[c].0.map(|d| d.dot(start[c]));
        let found = group.solve(contacts.iter().map(local).collect());
        let nearly = if contacts.len() > MANY { NEARLY_SOLVED_MANY } else { NEARLY_SOLVED };
        if found.is_solved || found.residual <= nearly.max(10.0 * self.tolerance) {
            let outcome = if found.is_solved { Outcome::Solved } else { Outcome::Inaccurate };
            return Ok(Solved { found, scale, outcome, notes: Vec::new() });
        }
        self.the_long_way(contacts, found, scale)
    }

    fn most_iterations(&self) -> usize {
        self.settings.max_iterations.unwrap_or(MOST_ITERATIONS)
    }

    fn group(&self, contacts: &[usize], scale: f64) -> Group {
        let system = self.system;
        let mut bodies: Vec<usize> = contacts
            .iter()
            .flat_map(|&c| [system.contacts[c].body_a, system.contacts[c].body_b])
            .filter(|&body| system.bodies[body].is_movable())
            .collect();
        bodies.sort_unstable();
        bodies.dedup();
        let mut number = vec![NONE; system.bodies.len()];
        for (at, &body) in bodies.iter().enumerate() {
            number[body] = at as u32;
        }
        Group {
            rows: contacts.iter().map(|&c| Row::new(system, c, &self.frames[c], &number)).collect(),
            masses: bodies.iter().map(|&body| system.bodies[body].mass_block()).collect(),
            inverses: bodies.iter().map(|&body| system.bodies[body].inverse_block()).collect(),
            free: bodies.iter().map(|&body| flat(system.bodies[body].free_velocity)).collect(),
            scale,
            tolerance: self.tolerance,
            most_iterations: self.most_iterations(),
        }
    }

    /// By `auto` over the contacts, from the best that was found.
    fn the_long_way(&self, contacts: &[usize], found: Found, scale: f64) -> Result<Solved, SystemError> {
        let part = System {
            bodies: self.system.bodies.clone(),
            contacts: contacts.iter().map(|&c| self.system.contacts[c]).collect(),
            joints: Vec::new(),
            time_step: self.system.time_step,
        };
        let assembled = part.assemble()?.measured_in_velocities();
        let problem = assembled.problem();
        let tolerance = (self.tolerance * scale / problem.scale()).min(LOOSEST);
        let start: Vec<f64> = found.r.iter().flatten().copied().collect();
        let report = Auto.solve(problem, Some(&start), &Settings { tolerance, ..self.settings.clone() });
        let r = report.r.chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
        let iterations = found.iterations + report.iterations;
        let residual = report.residual * problem.scale() / scale;
        let is_solved = report.outcome == Outcome::Solved;
        let notes = report.notes;
        Ok(Solved {
            found: Found { r, residual, iterations, is_solved },
            scale,
            outcome: report.outcome,
            notes,
        })
    }
}

/// An answer with no more of a residual is not worth the long way, even if more was asked for: a world takes it.
const NEARLY_SOLVED: f64 = 1e-8;

/// The same where contacts are many: there the long way takes seconds, and what is left is how redundant contacts share.
const NEARLY_SOLVED_MANY: f64 = 1e-6;
const MANY: usize = 150;

/// Iterations before the long way is gone, unless the settings say otherwise.
const MOST_ITERATIONS: usize = 400;
